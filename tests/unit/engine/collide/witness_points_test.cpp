// SPDX-License-Identifier: MIT
// Stories: the common point of two nearly coplanar triangles was divided by two volumes that were mostly rounding, and
// lay a tenth of their size beside them; at 1e-180 and at 1e298 those volumes were zero or infinite, and the point was
// the middle of an edge; the normal between bodies 1e-313 apart was NaN; and boxes of quads were "nearest" in a face
// and an edge, or in two faces, because the closest points happened to lie on diagonals.
#include <gtest/gtest.h>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>
#include <graze/ask/first_contact.hpp>

#include "random_budget.hpp"
#include "soups.hpp"

namespace graze {
namespace {

using testing::RandomBudget;

Mesh one_triangle(const std::array<Vec3, 3>& c) {
  return Mesh(std::vector<Vec3>(c.begin(), c.end()), std::vector<Triangle>{{0, 1, 2}});
}

/// How far a point is from the surface, as a share of `size`.
double beside(const Mesh& mesh, const Pose& pose, const Vec3& point, double size) {
  oracle::Rational least = -1;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const auto d = oracle::squared_distance(oracle::exact(point), testing::placed_triangle(mesh, pose, t));
    if (least < 0 || d < least) least = d;
  }
  return std::sqrt(oracle::to_double(least / (oracle::exact(size) * oracle::exact(size))));
}

TEST(WitnessPoints, OfNearlyCoplanarTrianglesLieOnBoth) {
  oracle::Random random(RandomBudget::seed(71));
  int crossing = 0;
  for (RandomBudget budget(400); budget.more();) {
    const double e = std::ldexp(1.0, oracle::whole(random, -60, -30));
    const auto corner = [&] {
      const Vec3 x = oracle::real_point(random);
      return Vec3{x.x, x.y, 0.3 * x.x + 0.7 * x.y + e * oracle::whole(random, -3, 3)};
    };
    const Mesh a = one_triangle({corner(), corner(), corner()}), b = one_triangle({corner(), corner(), corner()});
    const CollideResult r = collide(Body(a), Pose(), Body(b), Pose());
    if (r.status != Status::contact) continue;
    crossing += r.kind == ContactKind::crossing;
    ASSERT_TRUE(r.points.has_value());
    EXPECT_LT(beside(a, Pose(), (*r.points)[0], 1), 1e-10) << "2^" << std::ilogb(e);
    EXPECT_LT(beside(b, Pose(), (*r.points)[1], 1), 1e-10) << "2^" << std::ilogb(e);
  }
  EXPECT_GT(crossing, RandomBudget::is_whole() ? 50 : 5);
}

TEST(WitnessPoints, AreTheSameAtAnySize) {
  const std::array<Vec3, 3> floor{Vec3{-3, -2, 0}, {4, -1, 0}, {0, 5, 0}}, blade{Vec3{0, 0, -1}, {1, 1, 2}, {0, 1, 3}},
      tip{Vec3{0, 0, 0}, {1, 0, 2}, {-1, 1, 2}};
  const Quat turn{2, 1, 0, 1};
  for (const int exponent : {-1040, -600, -300, 0, 300, 600, 990})
    for (const auto& other : {blade, tip}) {
      const auto scaled = [&](std::array<Vec3, 3> c) {
        for (Vec3& x : c) x = {std::ldexp(x.x, exponent), std::ldexp(x.y, exponent), std::ldexp(x.z, exponent)};
        return c;
      };
      const double unit = std::ldexp(1.0, exponent);
      const Mesh a = one_triangle(scaled(floor)), b = one_triangle(scaled(other));
      for (const Pose& pose : {Pose(), Pose({unit, unit, unit}, turn)}) {
        const CollideResult r = collide(Body(a), pose, Body(b), pose);
        ASSERT_EQ(r.status, Status::contact) << exponent;
        const double limit = exponent < -1000 ? 1e-9 : 1e-14;  // there a double's last place is 2^-34 of the bodies
        EXPECT_LT(beside(a, pose, (*r.points)[0], unit), limit) << exponent;
        EXPECT_LT(beside(b, pose, (*r.points)[1], unit), limit) << exponent;
        EXPECT_EQ(r.normal.has_value(), r.kind == ContactKind::touching) << exponent;
        if (r.normal) {
          EXPECT_NEAR(length(*r.normal), 1, 1e-14) << exponent;
        }
      }
    }
}

TEST(WitnessPoints, TheNormalBetweenTheSmallestBodiesHasLengthOne) {
  for (const double unit : {0x1p-1060, 0x1p-1040, 0x1p-1022, 0x1p990}) {
    const Mesh low = one_triangle({Vec3{0, 0, 0}, {4 * unit, 0, 0}, {0, 4 * unit, 0}});
    const Mesh high = one_triangle({Vec3{unit, unit, unit}, {2 * unit, unit, 3 * unit}, {unit, 2 * unit, 3 * unit}});
    const DistanceResult r = distance(Body(low), Pose(), Body(high), Pose());
    EXPECT_EQ(r.distance, unit);
    ASSERT_TRUE(r.normal.has_value());
    EXPECT_EQ(*r.normal, (Vec3{0, 0, 1}));
  }
}

/// A regular polygon of n corners in the xy plane.
Mesh disc(std::uint32_t n) {
  std::vector<Vec3> p;
  std::vector<std::uint32_t> corners;
  for (std::uint32_t i = 0; i < n; ++i) {
    const double angle = 6.283185307179586 * i / n;
    p.push_back({std::cos(angle), std::sin(angle), 0});
    corners.push_back(i);
  }
  PolygonList f;
  f.add(corners);
  return Mesh(p, f);
}

// Two polygons of 20,000 corners took minutes to find where they cross, as every triangle of one was tried on
// every one of the other for features.
TEST(WitnessFeatures, OfLargePolygonsAreFoundQuickly) {
  for (const std::uint32_t n : {8u, 100u, 4000u}) {
    const Body body(disc(n));
    const Pose here({0.25, 0.125, 0}), tilted({0, 0, 0}, {1, 0.25, 0.1, 0});
    const CollideResult r = collide(body, here, body, tilted);
    ASSERT_EQ(r.kind, ContactKind::crossing);
    // What they share is a segment of the line that both planes share: each of its ends is an edge of one in the other.
    EXPECT_EQ(r.features.size(), 2u) << n;
    for (const Feature& f : r.features)
      EXPECT_TRUE(f.kind == FeatureKind::edge_face || f.kind == FeatureKind::face_edge) << n << " " << name(f.kind);
    if (n <= 100) {  // the same as those of all pairs together
      CollideOptions every;
      every.all = every.all_features = true;
      EXPECT_EQ(collide(body, here, body, tilted, every).features, r.features);
    }
  }
}

/// The reported features of two boxes of quads: a vertex and a face, or two edges, at the reported distance.
void check_feature(const Mesh& a, const Mesh& b, const Feature& f) {
  ASSERT_TRUE(f.kind == FeatureKind::vertex_face || f.kind == FeatureKind::face_vertex ||
              f.kind == FeatureKind::edge_edge)
      << name(f.kind);
  using Type = FeatureRef::Type;
  const bool edges = f.kind == FeatureKind::edge_edge;
  EXPECT_EQ(f.a.type, edges ? Type::edge : f.kind == FeatureKind::vertex_face ? Type::vertex : Type::face);
  EXPECT_EQ(f.b.type, edges ? Type::edge : f.kind == FeatureKind::vertex_face ? Type::face : Type::vertex);
  EXPECT_LT(f.a.id[0], f.a.type == Type::face ? a.polygon_count() : a.vertex_count());
  EXPECT_LT(f.b.id[0], f.b.type == Type::face ? b.polygon_count() : b.vertex_count());
}

TEST(NearestFeatures, OfBoxesAreAVertexAndAFaceOrTwoEdges) {
  oracle::Random random(RandomBudget::seed(72));
  const Mesh mesh_a = testing::box({-1, -2, -1}, {1, 2, 1}), mesh_b = testing::box({-0.5, -0.25, -3}, {0.5, 0.25, 3});
  const Body a(mesh_a), b(mesh_b);
  const auto real = [&](double size) { return oracle::real_point(random, size); };
  for (RandomBudget budget(200); budget.more();) {
    // About one axis: edges stay parallel to faces, and closest points are anywhere along them.
    const double angle = real(1).x;
    const Quat turn = oracle::whole(random, 0, 1) ? Quat{1, 0, angle, 0} : Quat{1, 0, 0, angle};
    const Pose from({5 + std::fabs(real(1).x), real(1).y, real(1).z}, turn), to({0, real(1).y, real(1).z}, turn);
    const DistanceResult d = distance(a, Pose(), b, from);
    ASSERT_EQ(d.status, Status::free);
    ASSERT_TRUE(d.feature.has_value());
    check_feature(mesh_a, mesh_b, *d.feature);
    EXPECT_NEAR(length(d.points[1] - d.points[0]), d.distance, 1e-12);
    for (const double tolerance : {1e-6, 1e6}) {
      FirstContactOptions options;
      options.tolerance = tolerance;
      const FirstContactResult c = first_contact(a, Still{Pose()}, b, Velocity(from, to), options);
      ASSERT_EQ(c.status, Status::contact);
      ASSERT_EQ(c.features.size(), 1u);
      check_feature(mesh_a, mesh_b, c.features[0]);
      EXPECT_LE(c.gap, c.tolerance);
      EXPECT_NEAR(length((*c.points)[1] - (*c.points)[0]), c.gap, 1e-12);
    }
  }
}

// Story: squares of squares of 2e90 are infinite: asking for all contacts of bodies of that size never ended.
TEST(AllContacts, AreTheSameAtAnySize) {
  const std::vector<Vec3> a{{1, -1, -1}, {1, 0, -1}, {1, 0, 1}, {0, 1, 1}}, b{{1, -1, 1}, {0, 0, 1}, {0, 1, 0}};
  std::vector<Feature> features, contacts;
  for (const int exponent : {0, -390, -300, 300, 390}) {
    const auto scaled = [&](std::vector<Vec3> v) {
      for (Vec3& x : v) x = {std::ldexp(x.x, exponent), std::ldexp(x.y, exponent), std::ldexp(x.z, exponent)};
      return v;
    };
    const auto at = [&](double x, double y, double z) { return scaled({{x, y, z}})[0]; };
    const Body body_a(Mesh(scaled(a), std::vector<Triangle>{{1, 3, 2}, {3, 1, 0}, {0, 2, 1}})),
        body_b(Mesh(scaled(b), std::vector<Triangle>{{0, 2, 1}}));
    FirstContactOptions options;
    options.all_features = options.all_contacts = true;
    options.work = 100000;
    const FirstContactResult r = first_contact(body_a, Velocity(Pose(at(-4, 2.25, 2)), Pose(at(-4, 2.75, -4))), body_b,
                                               Still{Pose(at(-3, 3, -0.75), {1, 1, 0, 0})}, options);
    ASSERT_EQ(r.status, Status::contact) << exponent;
    std::vector<Feature> found;
    for (const ContactEvent& e : r.contacts) found.push_back(e.feature);
    if (exponent == 0) {
      features = r.features;
      contacts = found;
    }
    EXPECT_EQ(r.features, features) << exponent;
    EXPECT_EQ(found, contacts) << exponent;
  }
  EXPECT_FALSE(contacts.empty());
}

}  // namespace
}  // namespace graze
