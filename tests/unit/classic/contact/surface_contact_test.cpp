// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <graze/ask/surface.hpp>
#include <graze/mesh/make.hpp>

#include "oracle/pose_generators.hpp"
#include "random_budget.hpp"
#include "unit/classic/contact/interval_help.hpp"

namespace graze {
namespace {

using testing::RandomBudget;

Body triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
  return Body(Mesh({a, b, c}, std::vector<graze::Triangle>{{0, 1, 2}}));
}
Quat turn(const Vec3& axis, double angle) {
  const double s = std::sin(0.5 * angle);
  return {std::cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z};
}
Motion shift(const Vec3& from, const Vec3& to, const Quat& q = {}) { return Velocity(Pose(from, q), Pose(to, q)); }

/// So many answers of each kind are exceeded; a quick run asks a quarter of the questions.
int some_answers() { return RandomBudget::is_whole() ? 3 : 1; }

/// Draws one after the other: the order in which a call's arguments are evaluated is the compiler's, and with it the
/// questions would differ.
Pose random_pose(oracle::Random& random) {
  const Vec3 place = oracle::real_point(random, 2.5);
  return Pose(place, oracle::whole_quaternion(random));
}
Motion random_motion(oracle::Random& random) {
  const bool screw = oracle::whole(random, 0, 3) == 0;
  const Pose from = random_pose(random), to = random_pose(random);
  if (screw) return Screw(from, to);
  return Velocity(from, to);
}

void expect_contact(const SurfaceContactResult& r, double time, double early) {
  EXPECT_EQ(r.status, Status::contact);
  EXPECT_LE(r.time.touch, time + 1e-13);
  EXPECT_GE(r.time.safe, time - early);
  EXPECT_LE(r.gap, r.tolerance);
  ASSERT_TRUE(r.points.has_value());
  EXPECT_LE(length((*r.points)[1] - (*r.points)[0]), r.tolerance * (1 + 1e-6) + 1e-9);
}

/// A torus whose axis leans by an angle reaches R sin(angle) + r below its middle.
TEST(SurfaceContact, TorusOnAPlane) {
  const SurfaceBody torus(torus_surface(1, 0.25));
  const Body floor = triangle({-20, -20, 0}, {20, -20, 0}, {0, 20, 0});
  for (const double angle : {0.0, 0.3, 1.0, std::numbers::pi / 2}) {
    const double height = std::sin(angle) + 0.25;
    // Lying flat it touches with a whole circle, which takes long to see in fine detail.
    const std::vector<double> tolerances = angle == 0 ? std::vector{1e-3, 1e-4} : std::vector{1e-3, 1e-6, 1e-8};
    for (const double tolerance : tolerances) {
      const auto r = first_contact(torus, shift({0.1, 0.2, 5}, {0.1, 0.2, -5}, turn({1, 0, 0}, angle)), floor, Still{},
                                   {.tolerance = tolerance});
      expect_contact(r, (5 - height) / 10, 1.01 * tolerance / 10);
      EXPECT_NEAR((*r.points)[0].z, 0, 2 * tolerance);
    }
    const double gap = angle == 0 ? 1e-3 : 1e-5, z = height + gap;
    const auto above = first_contact(torus, shift({-5, 0, z}, {5, 0, z}, turn({1, 0, 0}, angle)), floor, Still{},
                                     {.tolerance = 0.1 * gap});
    EXPECT_EQ(above.status, Status::free);
  }
}

/// A corner that goes through the hole, and one that meets the tube from inside.
TEST(SurfaceContact, TorusAndACorner) {
  const SurfaceBody torus(torus_surface(1, 0.25));
  const Body needle = triangle({0, 0, 0}, {0.05, 0, 4}, {-0.05, 0, 4});
  EXPECT_EQ(first_contact(torus, Still{}, needle, shift({0, 0, 3}, {0, 0, -3}), {.tolerance = 1e-6}).status,
            Status::free);
  expect_contact(first_contact(torus, Still{}, needle, shift({1, 0, 3}, {1, 0, -3}), {.tolerance = 1e-6}),
                 (3 - 0.25) / 6, 1e-6);
  // The needle lies in the hole and moves outward: its corner reaches the inner equator at 0.75.
  const Body lying = triangle({0, 0, 0}, {-0.1, 0.01, 0}, {-0.1, -0.01, 0});
  expect_contact(first_contact(torus, Still{}, lying, shift({}, {1, 0, 0}), {.tolerance = 1e-6}), 0.75, 2e-6);
}

/// The same in turning: the axis leans further and further until the rim meets the floor.
TEST(SurfaceContact, TorusThatLeans) {
  const SurfaceBody torus(torus_surface(1, 0.25));
  const Body floor = triangle({-20, -20, -0.75}, {20, -20, -0.75}, {0, 20, -0.75});
  const Motion leaning = Velocity(Pose(), Pose({}, turn({0, 1, 0}, 1.5)));
  const auto r = first_contact(torus, leaning, floor, Still{}, {.tolerance = 1e-6});
  expect_contact(r, std::asin(0.5) / 1.5, 2e-6);
  EXPECT_FALSE(r.patch.has_value());
}

std::vector<Vec3> flat_net(int n) {
  std::vector<Vec3> p;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) p.push_back({double(i) / n, double(j) / n, 0});
  return p;
}

/// A flat patch is the same body as a square of two triangles.
TEST(SurfaceContact, FlatPatchEqualsItsMesh) {
  const SurfaceBody patch({bezier_patch(2, 2, flat_net(2))});
  const std::vector<graze::Triangle> two{{0, 1, 2}, {0, 2, 3}};
  const Body square(Mesh({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, two));
  const Body knot(make::torus_knot({.triangles = 200})), box(make::box());
  oracle::Random random(RandomBudget::seed(71));
  int contacts = 0, frees = 0;
  for (RandomBudget budget(40); budget.more();) {
    SCOPED_TRACE("seed " + std::to_string(RandomBudget::seed(71)));
    const Motion ma = random_motion(random);
    const Body& other = oracle::whole(random, 0, 1) ? knot : box;
    const auto r = first_contact(patch, ma, other, Still{}, {.tolerance = 1e-5});
    const engine::first_contact::Found f = testing::interval(square, ma, other, Still{}, 1e-7);
    ASSERT_NE(r.status, Status::undecided);
    if (f.status == Status::contact) {
      ASSERT_EQ(r.status, Status::contact);
      EXPECT_LE(r.time.touch, f.touch + 1e-6);
      EXPECT_LE(testing::distance_at(square, ma, other, Still{}, r.time.touch), 1e-5 * 1.001);
      ++contacts;
    } else {
      frees += r.status == Status::free;
    }
  }
  EXPECT_GT(contacts, some_answers());
  EXPECT_GT(frees, some_answers());
}

/// Points of the surface, as degenerate triangles, are a body that method `interval` can move: the surface touches no
/// later than they do, and no earlier than the widest gap between them allows.
void compare_with_points(const SurfaceBody& surface, const std::vector<Vec3>& points, double spacing,
                         const char* what) {
  std::vector<graze::Triangle> triangles;
  for (std::uint32_t i = 0; i < points.size(); ++i) triangles.push_back({i, i, i});
  const Body dots(Mesh(points, triangles)), box(make::box());
  oracle::Random random(RandomBudget::seed(72));
  int contacts = 0, frees = 0;
  for (RandomBudget budget(25); budget.more();) {
    SCOPED_TRACE(what + (" seed " + std::to_string(RandomBudget::seed(72))));
    const Motion ma = random_motion(random), mb = random_motion(random);
    const auto r = first_contact(surface, ma, box, mb, {.tolerance = 1e-4});
    const engine::first_contact::Found f = testing::interval(dots, ma, box, mb, 1e-7);
    ASSERT_NE(r.status, Status::undecided);
    if (f.status == Status::contact) {
      ASSERT_EQ(r.status, Status::contact);
      EXPECT_LE(r.time.touch, f.touch + 1e-6);
    }
    if (r.status == Status::contact) {
      ++contacts;
      EXPECT_LE(testing::distance_at(dots, ma, box, mb, r.time.touch), 1e-4 + spacing);
      EXPECT_LE(length((*r.points)[1] - (*r.points)[0]), r.tolerance * (1 + 1e-6));
    } else {
      ++frees;
    }
  }
  EXPECT_GT(contacts, some_answers());
  EXPECT_GT(frees, some_answers());
}

TEST(SurfaceContact, RandomFlightsAgainstPointsOfTheSurface) {
  std::vector<Vec3> net, on_patch, on_torus;
  oracle::Random random(5);
  for (int i = 0; i < 16; ++i) net.push_back({i / 4 / 3.0, i % 4 / 3.0, 0.5 * oracle::real(random)});
  const auto patch = bezier_patch(3, 3, net);
  for (int i = 0; i < 400; ++i) {
    const IntervalBox3 p = patch->over(Interval(i / 20 / 19.0), Interval(i % 20 / 19.0));
    on_patch.push_back({p[0].lo, p[1].lo, p[2].lo});
    const double u = 2 * std::numbers::pi * (i / 10) / 40, v = 2 * std::numbers::pi * (i % 10) / 10;
    const double q = 0.75 + 0.25 * std::cos(v);
    on_torus.push_back({q * std::cos(u), q * std::sin(u), 0.25 * std::sin(v)});
  }
  compare_with_points(SurfaceBody({patch}), on_patch, 0.1, "patch");
  compare_with_points(SurfaceBody(torus_surface(0.75, 0.25)), on_torus, 0.15, "torus");
}

/// A bowl z = x^2 + y^2 over the unit square's middle, as a biquadratic patch, sinks onto a table: it touches with its
/// lowest point; a spike from below meets it where the closed form says.
TEST(SurfaceContact, CurvedPatch) {
  // u, v in [0, 1] stand for x, y in [-1, 1]; x^2 has the Bernstein coefficients 1, -1, 1.
  std::vector<Vec3> net;
  const double square[3] = {1, -1, 1};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) net.push_back({i - 1.0, j - 1.0, square[i] + square[j]});
  const SurfaceBody bowl({bezier_patch(2, 2, net)});
  const Body table = triangle({-9, -9, 0}, {9, -9, 0}, {0, 9, 0});
  const auto r = first_contact(bowl, shift({0, 0, 3}, {0, 0, -1}), table, Still{}, {.tolerance = 1e-6});
  expect_contact(r, 0.75, 1e-6);
  ASSERT_TRUE(r.patch.has_value());
  EXPECT_NEAR(0.5 * (r.where[0].lo + r.where[0].hi), 0.5, 2e-3);
  EXPECT_NEAR(0.5 * (r.where[1].lo + r.where[1].hi), 0.5, 2e-3);
  const Body spike = triangle({0.5, 0.25, 0}, {0.45, 0.25, -3}, {0.55, 0.25, -3});
  expect_contact(first_contact(bowl, Still{}, spike, shift({0, 0, -1}, {0, 0, 1}), {.tolerance = 1e-6}),
                 (1 + 0.3125) / 2, 1e-5);
}

/// Inclusion functions without derivatives, and a surface that never changes its sign.
class PlainSphere : public ImplicitSurface {
 public:
  explicit PlainSphere(bool squared) : squared_(squared) {}
  Interval over(const IntervalBox3& p) const override {
    const Interval f = sqr(p[0]) + sqr(p[1]) + sqr(p[2]) - Interval(1);
    return squared_ ? sqr(f) : f;
  }
  Box3 bounds() const override { return {{-1.5, -1.5, -1.5}, {1.5, 1.5, 1.5}}; }

 private:
  bool squared_;
};

TEST(SurfaceContact, InclusionFunctionsAlone) {
  const SurfaceBody sphere(std::make_shared<PlainSphere>(false));
  const Body corner = triangle({0, 0, 0}, {0.5, 0, 1}, {-0.5, 0, 1});
  expect_contact(first_contact(sphere, Still{}, corner, shift({0.3, 0, 3}, {0.3, 0, -1}), {.tolerance = 1e-3}),
                 (3 - std::sqrt(1 - 0.09)) / 4, 2e-3);
  EXPECT_EQ(first_contact(sphere, Still{}, corner, shift({1.6, 0, 1}, {1.6, 0, -3}), {.tolerance = 1e-3}).status,
            Status::free);
  // (x^2 + y^2 + z^2 - 1)^2 touches zero without passing it: no point of it can be certified, and no contact is
  // claimed.
  const SurfaceBody unsure(std::make_shared<PlainSphere>(true), {.leaf_size = 0.25});
  const auto r =
      first_contact(unsure, Still{}, corner, shift({0.3, 0, 3}, {0.3, 0, -1}), {.tolerance = 1e-2, .work = 200000});
  EXPECT_EQ(r.status, Status::undecided);
  EXPECT_LE(r.time.safe, (3 - std::sqrt(1 - 0.09)) / 4);
}

TEST(SurfaceContact, StartsWithinTheToleranceOrCrossing) {
  const SurfaceBody torus(torus_surface(1, 0.25));
  const Body floor = triangle({-20, -20, 0}, {20, -20, 0}, {0, 20, 0});
  for (const double z : {0.0, 0.1, 0.25 + 5e-7}) {
    const auto r = first_contact(torus, shift({0, 0, z}, {0, 0, 5}), floor, Still{}, {.tolerance = 1e-6});
    EXPECT_EQ(r.status, Status::contact);
    EXPECT_EQ(r.time.touch, 0);
  }
}

TEST(SurfaceContact, BudgetsAndMistakes) {
  const SurfaceBody torus(torus_surface(1, 0.25));
  const Body floor = triangle({-20, -20, 0}, {20, -20, 0}, {0, 20, 0});
  const Motion falling = shift({0, 0, 5}, {0, 0, -5}, turn({1, 0, 0}, 0.3));
  const auto r = first_contact(torus, falling, floor, Still{}, {.work = 20});
  EXPECT_EQ(r.status, Status::undecided);
  EXPECT_LT(r.time.safe, 0.45);
  EXPECT_EQ(first_contact(torus, falling, floor, Still{}, {.tolerance = -1.0}).status, Status::invalid_request);
  EXPECT_THROW(torus_surface(1, 0), Error);
  EXPECT_THROW(bezier_patch(2, 2, flat_net(1)), Error);
  EXPECT_THROW(bezier_patch(0, 2, {}), Error);
  EXPECT_THROW(bezier_patch(1, 1, {{}, {}, {}, {std::nan(""), 0, 0}}), Error);
  EXPECT_THROW(SurfaceBody(std::vector<std::shared_ptr<const ParametricPatch>>{}), Error);
  EXPECT_THROW(SurfaceBody(torus_surface(1, 0.25), {.leaf_size = -1}), Error);
}

/// The pieces' hulls hold the surface: points of patches at random parameters, points of the torus on its circles.
TEST(SurfaceBody, TheBoxHoldsTheSurface) {
  const SurfaceBody torus(torus_surface(1, 0.25));
  EXPECT_GT(torus.leaf_count(), 100u);
  for (int i = 0; i < 100; ++i) {
    const double u = 0.37 * i, v = 1.1 * i, q = 1 + 0.25 * (1 - 1e-12) * std::cos(v);
    EXPECT_TRUE(torus.box().contains(Vec3{q * std::cos(u), q * std::sin(u), 0.25 * (1 - 1e-12) * std::sin(v)}));
  }
  EXPECT_LT(length(torus.box().hi - Vec3{1.25, 1.25, 0.25}), 0.5);
}

/// Squares of such lengths are no doubles, and a caller's function cannot be scaled: no answer, but none that is wrong.
/// Beyond 2^600 and below 2^-600 squares of lengths are no doubles: such surfaces once got no answer.
TEST(SurfaceContact, SurfacesOfAtomsAndOfGalaxies) {
  const Mesh box = make::box();
  for (const int power : {-1000, -600, 0, 600, 1000}) {
    SCOPED_TRACE(power);
    const double unit = std::ldexp(1.0, power);
    std::vector<Vec3> corners;
    for (const Vec3& x : box.positions()) corners.push_back(x * unit);
    const Body mesh(Mesh(corners, box.polygons()));
    const SurfaceBody torus(torus_surface(unit, 0.25 * unit));
    const auto patch = [&] {
      std::vector<Vec3> points;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) points.push_back({i == 1 && j == 1 ? unit : 0, (i - 1) * unit, (j - 1) * unit});
      return bezier_patch(2, 2, points);
    }();
    const SurfaceBody sail({patch});
    // A corner of the box leads. The torus reaches x = 1.25 from its middle, the sail bulges by a quarter of its middle
    // point.
    const double corner = 0.5 * std::sqrt(3.0);
    const Motion stands = Still{Pose({}, {1 + std::sqrt(3.0), 0, 1, -1})};
    const std::pair<const SurfaceBody*, double> scenes[] = {{&torus, (3 - corner - 1.25) / 6},
                                                            {&sail, (3 - corner - 0.25) / 6}};
    for (const auto& [surface, truth] : scenes) {
      const Motion motion = shift({-3 * unit, 0, 0}, {3 * unit, 0, 0});
      const SurfaceContactResult r = first_contact(*surface, motion, mesh, stands);
      ASSERT_EQ(r.status, Status::contact);
      EXPECT_LE(r.time.touch, truth + 1e-15);
      EXPECT_NEAR(r.time.touch, truth, 1e-5);
      EXPECT_NEAR(r.tolerance / unit, 1.7320508e-6, 1e-12);
      EXPECT_LE(r.gap, r.tolerance);
      EXPECT_NEAR((*r.points)[0].x / unit, -corner, 1e-5);
      EXPECT_NEAR((*r.points)[1].x / unit, -corner, 1e-5);
      if (!r.patch) {
        EXPECT_NEAR(r.where[0].lo / unit, 1.25, 1e-2);
      }
      const SurfaceContactResult past =
          first_contact(*surface, shift({-3 * unit, 3 * unit, 0}, {3 * unit, 3 * unit, 0}), mesh, stands);
      EXPECT_EQ(past.status, Status::free);
    }
  }
}

}  // namespace
}  // namespace graze
