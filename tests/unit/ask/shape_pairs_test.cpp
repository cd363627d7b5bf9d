// SPDX-License-Identifier: MIT
// Pairs of shapes whose distance and depth are known: at every scale, and degenerate. All questions must agree.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>
#include <graze/ask/penetration.hpp>

namespace graze {
namespace {

using namespace shape;

/// B is at t from A, unturned; `gap` is their signed distance.
struct KnownPair {
  Shape a, b;
  Vec3 t;
  double gap;
};

const double root_2 = std::sqrt(2.0);

std::vector<KnownPair> known_pairs() {
  return {
      {Sphere{1}, Sphere{0.5}, {2, 0, 0}, 0.5},
      {Sphere{1}, Sphere{0.5}, {0, 1, 0}, -0.5},
      {Sphere{1}, Sphere{0.5}, {0, 0, 0}, -1.5},
      {Sphere{0}, Sphere{0}, {0, 1, 0}, 1},
      {Sphere{0}, Sphere{1}, {0, 0.25, 0}, -0.75},
      {Sphere{0.5}, Capsule{0.25, 2}, {0, 0, 2}, 0.25},
      {Sphere{0.5}, Capsule{0.25, 2}, {1, 0, 0.75}, 0.25},
      {Sphere{0.5}, Capsule{0.25, 2}, {0, 0, 0.5}, -0.75},
      {Sphere{0.5}, Capsule{0.25, 0}, {0, 1, 0}, 0.25},
      {Capsule{0.25, 2}, Capsule{0.5, 1}, {0, 1, 0}, 0.25},      // parallel
      {Capsule{0.25, 2}, Capsule{0.5, 1}, {0, 0, 2.5}, 0.25},    // in line
      {Capsule{0.25, 2}, Capsule{0.5, 1}, {0, 0, 0.25}, -0.75},  // nested
      {Capsule{0.25, 0}, Capsule{0.5, 0}, {1, 0, 0}, 0.25},
      {Box{{2, 2, 2}}, Sphere{0.5}, {2, 0, 0}, 0.5},
      {Box{{2, 2, 2}}, Sphere{0.25}, {1.5, 1.5, 0}, 0.5 * root_2 - 0.25},
      {Box{{2, 2, 2}}, Sphere{0.25}, {0.75, 0.5, 0}, -0.5},
      {Box{{2, 4, 6}}, Sphere{0.25}, {0, 0, 0}, -1.25},
      {Box{{2, 0, 2}}, Sphere{0.25}, {0, 0.125, 0}, -0.125},
      {Box{{0, 0, 0}}, Sphere{0.25}, {0, 1, 0}, 0.75},
      {Box{{2, 2, 2}}, Capsule{0.25, 2}, {1.5, 0, 0}, 0.25},
      {Box{{2, 2, 2}}, Capsule{0.25, 2}, {1.125, 0, 0}, -0.125},
      {Box{{2, 2, 2}}, Capsule{0.25, 2}, {0.5, 0, 0}, -0.75},
      {Box{{2, 2, 2}}, Capsule{0, 4}, {0, 0, 0}, -1},
      {Box{{2, 2, 2}}, Box{{1, 1, 1}}, {0.25, 0.5, 0}, -1},
      {Box{{2, 2, 2}}, Box{{1, 1, 1}}, {0, 2, 0}, 0.5},
      {Shape(Box{{2, 2, 2}}, 0.25), Box{{1, 1, 1}}, {0, 2, 0}, 0.25},
      {Shape(Box{{2, 2, 2}}, 0.25), Box{{1, 1, 1}}, {0, 1, 0}, -0.75},
      {Cylinder{1, 2}, Sphere{0.5}, {2, 0, 0}, 0.5},
      {Cylinder{1, 2}, Sphere{0.5}, {0, 0, -2}, 0.5},
      {Cylinder{1, 2}, Sphere{0.5}, {0, 2, 2}, root_2 - 0.5},
      {Cylinder{1, 2}, Sphere{0.5}, {0.75, 0, 0.5}, -0.75},
      {Cylinder{1, 0}, Sphere{0.5}, {0.5, 0, 0.25}, -0.25},
      {Cylinder{0, 2}, Sphere{0.5}, {1, 0, 0.25}, 0.5},
      {Cone{1, 2}, Sphere{0.5}, {0, 0, 2}, 0.5},
      {Cone{1, 2}, Sphere{0.5}, {0.5, 0, -2}, 0.5},
      {Cone{1, 2}, Sphere{0.5}, {0, 0, -0.75}, -0.75},
      {Cone{1, 0}, Sphere{0.5}, {2, 0, 0}, 0.5},
      {Cone{0, 2}, Sphere{0.5}, {0, 0, 1.25}, -0.25},
      {Ellipsoid{{1, 2, 3}}, Sphere{0.5}, {2, 0, 0}, 0.5},
      {Ellipsoid{{1, 2, 3}}, Sphere{0.5}, {0, 0, 0}, -1.5},
      {Ellipsoid{{1, 1, 1}}, Sphere{0.5}, {0, 0.75, 0}, -0.75},
      {Cylinder{1, 2}, Cylinder{1, 2}, {0, 0, 2.5}, 0.5},
      {Cylinder{1, 2}, Cylinder{1, 2}, {2.5, 0, 0}, 0.5},
      {Cylinder{1, 2}, Box{{2, 2, 2}}, {0, 0, 1.5}, -0.5},
  };
}

Shape of_size(const Shape& s, double u) {
  struct Scale {
    double u;
    Kind operator()(const Sphere& x) const { return Sphere{x.radius * u}; }
    Kind operator()(const Capsule& x) const { return Capsule{x.radius * u, x.length * u}; }
    Kind operator()(const Box& x) const { return Box{x.sides * u}; }
    Kind operator()(const Cylinder& x) const { return Cylinder{x.radius * u, x.height * u}; }
    Kind operator()(const Cone& x) const { return Cone{x.radius * u, x.height * u}; }
    Kind operator()(const Ellipsoid& x) const { return Ellipsoid{x.half_axes * u}; }
    Kind operator()(const HalfSpace& x) const { return x; }
    Kind operator()(const Hull& x) const { return x; }
  };
  return {std::visit(Scale{u}, s.kind), s.rounding * u};
}

void expect_known(const KnownPair& k, const Pose& frame, double u) {
  const std::string name = std::string(kind_name(k.a)) + " " + std::string(kind_name(k.b)) + " gap " +
                           std::to_string(k.gap) + " size " + std::to_string(std::ilogb(u));
  const Body a(of_size(k.a, u)), b(of_size(k.b, u));
  const Pose pa(frame.translation() * u, frame.rotation());
  const Pose pb(frame.apply(k.t) * u, frame.rotation());
  for (const bool swapped : {false, true}) {
    const Body &first = swapped ? b : a, &second = swapped ? a : b;
    const Pose &pose_1 = swapped ? pb : pa, &pose_2 = swapped ? pa : pb;
    const CollideResult hit = collide(first, pose_1, second, pose_2);
    EXPECT_EQ(hit.status, k.gap > 0 ? Status::free : Status::contact) << name;
    EXPECT_TRUE(hit.certain) << name;
    const DistanceResult d = distance(first, pose_1, second, pose_2);
    EXPECT_EQ(d.status, hit.status) << name;
    EXPECT_NEAR(d.distance / u, std::max(k.gap, 0.0), 1e-9) << name;
    EXPECT_TRUE(d.certain) << name;
    if (k.gap > 0) {
      ASSERT_TRUE(d.normal) << name;
      EXPECT_NEAR(length((d.points[1] - d.points[0]) * (1 / u) - *d.normal * k.gap), 0, 1e-6) << name;
      EXPECT_EQ(within(0.999 * k.gap * u, first, pose_1, second, pose_2).status, Status::free) << name;
    }
    EXPECT_EQ(within((std::max(k.gap, 0.0) + 0.001) * u, first, pose_1, second, pose_2).status, Status::contact)
        << name;
    const PenetrationResult p = penetration(first, pose_1, second, pose_2);
    EXPECT_EQ(p.status, hit.status) << name;
    if (k.gap > 0) continue;
    EXPECT_NEAR(p.upper / u, -k.gap, 2e-6) << name;
    EXPECT_LE(p.lower, p.upper) << name;
    EXPECT_LE(p.lower / u, -k.gap + 1e-9) << name;
    EXPECT_NEAR(length(p.translation * (1 / u)), -k.gap, 2e-6) << name;
    const Pose moved(pose_2.translation() + p.translation, pose_2.rotation());
    const CollideResult after = collide(first, pose_1, second, moved);
    EXPECT_TRUE(after.status == Status::free || !after.certain || after.kind == ContactKind::touching) << name;
  }
}

TEST(ShapePairs, KnownDistancesAndDepths) {
  for (const KnownPair& k : known_pairs()) {
    expect_known(k, Pose(), 1);
    expect_known(k, Pose({0.5, -2, 1}, {1, 2, -1, 0.5}), 1);
  }
}

TEST(ShapePairs, KnownDistancesAndDepthsAtEveryScale) {
  for (const KnownPair& k : known_pairs())
    for (const int e : {-500, -399, -100, 100, 399, 401, 500})
      expect_known(k, Pose({1, 0, 0}, {1, 1, 0, 0}), std::ldexp(1.0, e));
}

/// Just outside the rounding bound the answer is certain, within it `touching`.
TEST(ShapePairs, TangentPairsAreTouching) {
  for (KnownPair k : known_pairs()) {
    if (!(k.gap > 0) || (is_polyhedral(k.a) && is_polyhedral(k.b))) continue;
    if (k.gap == 1) continue;  // two points: nothing overlaps
    const Body a(k.a), b(k.b);
    const DistanceResult d = distance(a, Pose(), b, Pose(k.t));
    const Vec3 n = *d.normal;
    const auto at = [&](double gap) { return collide(a, Pose(), b, Pose(k.t - n * (d.distance - gap))); };
    EXPECT_EQ(at(0x1p-30).status, Status::free) << kind_name(k.a) << kind_name(k.b);
    EXPECT_EQ(at(-0x1p-28).kind, ContactKind::overlap) << kind_name(k.a) << kind_name(k.b);
    const CollideResult touch = at(0);
    EXPECT_EQ(touch.status, Status::contact) << kind_name(k.a) << kind_name(k.b);
    EXPECT_EQ(touch.kind, ContactKind::touching) << kind_name(k.a) << kind_name(k.b);
    EXPECT_FALSE(touch.certain);
  }
}

/// The witness of an overlap is a point of both.
TEST(ShapePairs, WitnessesOfOverlapsAreInBoth) {
  std::mt19937_64 engine(9);
  const auto draw = [&](double lo, double hi) {
    return lo + (hi - lo) * std::ldexp(static_cast<double>(engine() >> 11), -53);
  };
  const std::vector<Shape> kinds{Sphere{0.5},        Capsule{0.3, 0.6}, Box{{0.8, 0.9, 0.7}},
                                 Cylinder{0.4, 0.9}, Cone{0.5, 1},      Ellipsoid{{0.5, 0.4, 0.3}}};
  int contacts = 0;
  for (const Shape& sa : kinds)
    for (const Shape& sb : kinds) {
      if (is_polyhedral(sa) && is_polyhedral(sb)) continue;
      const Body a(sa), b(sb);
      for (int i = 0; i < 40; ++i) {
        const Pose pa({0, 0, 0}, {draw(-1, 1), draw(-1, 1), draw(-1, 1), draw(-1, 1)});
        const Pose pb({draw(-0.7, 0.7), draw(-0.7, 0.7), draw(-0.7, 0.7)},
                      {draw(-1, 1), draw(-1, 1), draw(-1, 1), draw(-1, 1)});
        const CollideResult hit = collide(a, pa, b, pb);
        if (hit.status != Status::contact || !hit.certain) continue;
        ++contacts;
        ASSERT_TRUE(hit.points);
        ASSERT_EQ(hit.features.size(), 1u);
        const Body dot_a(Sphere{1e-9});
        EXPECT_EQ(collide(a, pa, dot_a, Pose((*hit.points)[0])).status, Status::contact)
            << kind_name(sa) << " " << kind_name(sb);
        EXPECT_EQ(collide(b, pb, dot_a, Pose((*hit.points)[1])).status, Status::contact)
            << kind_name(sa) << " " << kind_name(sb);
      }
    }
  EXPECT_GT(contacts, 300);
}

}  // namespace
}  // namespace graze
