// SPDX-License-Identifier: MIT
// Contact manifolds: closed forms, ids that persist, invariance, degenerate input.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>
#include <graze/ask/manifold.hpp>
#include <graze/ask/penetration.hpp>
#include <graze/mesh/make.hpp>

namespace graze {
namespace {

using namespace shape;

Quat turn_about(const Vec3& axis, double angle) {
  const double s = std::sin(angle / 2) / length(axis);
  return {std::cos(angle / 2), axis.x * s, axis.y * s, axis.z * s};
}

/// Everything that the header promises of each point.
void expect_consistent(const ManifoldResult& r, double margin, double size) {
  for (const ManifoldPatch& patch : r.patches) {
    EXPECT_NEAR(length(patch.normal), 1, 1e-12);
    ASSERT_GE(patch.points.size(), 1u);
    ASSERT_LE(patch.points.size(), 4u);
    double deepest = -std::numeric_limits<double>::infinity();
    std::set<std::uint64_t> ids;
    for (const ManifoldPoint& p : patch.points) {
      EXPECT_GE(p.depth, -margin - 1e-6 * size);
      EXPECT_LT(length(p.points[0] - p.points[1] - patch.normal * p.depth), 2e-5 * size);
      deepest = std::max(deepest, p.depth);
      ids.insert(p.id);
    }
    EXPECT_EQ(patch.depth, deepest);
    EXPECT_EQ(ids.size(), patch.points.size());
  }
}

/// The only patch.
ManifoldPatch only(const ManifoldResult& r, double margin = 0) {
  expect_consistent(r, margin, 1);
  EXPECT_EQ(r.patches.size(), 1u);
  return r.patches.empty() ? ManifoldPatch{} : r.patches[0];
}

/// The points on A, rounded to a grid, sorted.
std::vector<std::array<long, 3>> on_a(const ManifoldPatch& patch) {
  std::vector<std::array<long, 3>> out;
  for (const ManifoldPoint& p : patch.points)
    out.push_back(
        {std::lround(p.points[0].x * 1e6), std::lround(p.points[0].y * 1e6), std::lround(p.points[0].z * 1e6)});
  std::sort(out.begin(), out.end());
  return out;
}

std::set<std::uint64_t> ids_of(const ManifoldResult& r) {
  std::set<std::uint64_t> out;
  for (const ManifoldPatch& patch : r.patches)
    for (const ManifoldPoint& p : patch.points) out.insert(p.id);
  return out;
}

Mesh grid_floor(int cells, double cell) {
  std::vector<Vec3> x;
  std::vector<Triangle> t;
  for (int j = 0; j <= cells; ++j)
    for (int i = 0; i <= cells; ++i) x.push_back({(i - cells / 2) * cell, (j - cells / 2) * cell, 0});
  const auto at = [&](int i, int j) { return static_cast<std::uint32_t>(j * (cells + 1) + i); };
  for (int j = 0; j < cells; ++j)
    for (int i = 0; i < cells; ++i) {
      t.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      t.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return Mesh(x, t);
}

TEST(Manifold, BoxOnBox) {
  const Body box(Box{{1, 1, 1}});
  const ManifoldPatch p = only(manifold(box, Pose(), box, Pose({0.25, 0.5, 0.9})));
  EXPECT_NEAR(p.normal.z, 1, 1e-12);
  EXPECT_NEAR(p.depth, 0.1, 1e-9);
  for (const ManifoldPoint& q : p.points) EXPECT_NEAR(q.depth, 0.1, 1e-9);
  const std::vector<std::array<long, 3>> corners{
      {-250000, 0, 500000}, {-250000, 500000, 500000}, {500000, 0, 500000}, {500000, 500000, 500000}};
  EXPECT_EQ(on_a(p), corners);
  // The same box exactly on top, touching: corners on corners.
  const ManifoldPatch flush = only(manifold(box, Pose(), box, Pose({0, 0, 1})));
  EXPECT_EQ(flush.points.size(), 4u);
  EXPECT_NEAR(flush.depth, 0, 1e-9);
  for (const ManifoldPoint& q : flush.points) {
    EXPECT_EQ(q.feature_a.type, FeatureRef::Type::vertex);
    EXPECT_EQ(q.feature_b.type, FeatureRef::Type::vertex);
  }
  // Apart, within the margin and beyond it.
  const ManifoldResult near = manifold(box, Pose(), box, Pose({0.25, 0.5, 1.05}), {.margin = 0.1});
  EXPECT_EQ(near.status, Status::free);
  EXPECT_NEAR(only(near, 0.1).depth, -0.05, 1e-9);
  EXPECT_EQ(near.patches[0].points.size(), 4u);
  EXPECT_TRUE(manifold(box, Pose(), box, Pose({0.25, 0.5, 1.05}), {.margin = 0.04}).patches.empty());
}

TEST(Manifold, TurnedCubeOnCubeHasFourOfTheEightCorners) {
  const Body box(Box{{1, 1, 1}});
  const ManifoldPatch p =
      only(manifold(box, Pose(), box, Pose({0, 0, 0.99}, turn_about({0, 0, 1}, 3.14159265358979323846 / 4))));
  ASSERT_EQ(p.points.size(), 4u);
  for (const ManifoldPoint& q : p.points) {
    EXPECT_NEAR(q.depth, 0.01, 1e-9);
    EXPECT_EQ(q.feature_a.type, FeatureRef::Type::edge);
    EXPECT_EQ(q.feature_b.type, FeatureRef::Type::edge);
    EXPECT_NEAR(std::max(std::fabs(q.points[0].x), std::fabs(q.points[0].y)), 0.5, 1e-9);
  }
}

TEST(Manifold, EdgeAcrossEdgeIsOnePoint) {
  const Body box(Box{{1, 1, 1}});
  const double quarter = 3.14159265358979323846 / 4, top = std::sqrt(0.5);
  const Pose a({0, 0, 0}, turn_about({1, 0, 0}, quarter)),
      b({0.1, 0.05, 2 * top - 0.02}, turn_about({0, 1, 0}, quarter));
  const ManifoldPatch p = only(manifold(box, a, box, b));
  ASSERT_EQ(p.points.size(), 1u);
  EXPECT_NEAR(p.depth, 0.02, 1e-9);
  EXPECT_EQ(p.points[0].feature_a.type, FeatureRef::Type::edge);
  EXPECT_EQ(p.points[0].feature_b.type, FeatureRef::Type::edge);
  EXPECT_LT(length(p.points[0].points[0] - Vec3{0.1, 0, top}), 1e-9);
}

TEST(Manifold, CurvedShapesOnAFloor) {
  const Body floor{HalfSpace{}};
  const double quarter_turn = 3.14159265358979323846 / 2;
  const Quat lying = turn_about({0, 1, 0}, quarter_turn);
  const ManifoldPatch ball = only(manifold(floor, Pose(), Body(Sphere{0.5}), Pose({3, 4, 0.4})));
  ASSERT_EQ(ball.points.size(), 1u);
  EXPECT_NEAR(ball.depth, 0.1, 1e-12);
  EXPECT_LT(length(ball.points[0].points[1] - Vec3{3, 4, -0.1}), 1e-12);
  const ManifoldPatch capsule = only(manifold(floor, Pose(), Body(Capsule{0.5, 2}), Pose({0, 0, 0.4}, lying)));
  EXPECT_EQ(on_a(capsule), (std::vector<std::array<long, 3>>{{-1000000, 0, 0}, {1000000, 0, 0}}));
  const ManifoldPatch standing = only(manifold(floor, Pose(), Body(Capsule{0.5, 2}), Pose({0, 0, 1.4})));
  EXPECT_EQ(standing.points.size(), 1u);
  EXPECT_EQ(only(manifold(floor, Pose(), Body(Cylinder{0.5, 1}), Pose({0, 0, 0.49}))).points.size(), 4u);
  EXPECT_EQ(only(manifold(floor, Pose(), Body(Cylinder{0.5, 1}), Pose({0, 0, 0.49}, lying))).points.size(), 2u);
  EXPECT_EQ(only(manifold(floor, Pose(), Body(Cone{0.5, 1}), Pose({0, 0, 0.49}))).points.size(), 4u);
  EXPECT_EQ(only(manifold(floor, Pose(), Body(Ellipsoid{{1, 2, 3}}), Pose({0, 0, 2.9}))).points.size(), 1u);
  EXPECT_EQ(only(manifold(floor, Pose(), Body(Shape(Box{{1, 1, 1}}, 0.1)), Pose({0, 0, 0.59}))).points.size(), 4u);
  EXPECT_EQ(only(manifold(floor, Pose(), Body(Box{{1, 1, 1}}), Pose({0, 0, 0.5}))).points.size(), 4u);
  // Half-space as B.
  const ManifoldPatch other = only(manifold(Body(Capsule{0.5, 2}), Pose({0, 0, 0.4}, lying), floor, Pose()));
  EXPECT_NEAR(other.normal.z, -1, 1e-12);
  EXPECT_EQ(other.points.size(), 2u);
}

TEST(Manifold, CurvedShapesOnBoxes) {
  const Body table(Box{{4, 4, 1}});
  const Quat lying = turn_about({0, 1, 0}, 3.14159265358979323846 / 2);
  const ManifoldPatch capsule = only(manifold(table, Pose(), Body(Capsule{0.25, 1}), Pose({0.5, 0, 0.74}, lying)));
  EXPECT_EQ(on_a(capsule), (std::vector<std::array<long, 3>>{{0, 0, 500000}, {1000000, 0, 500000}}));
  EXPECT_NEAR(capsule.depth, 0.01, 1e-8);
  // It hangs over the edge: the line ends there.
  const ManifoldPatch over = only(manifold(table, Pose(), Body(Capsule{0.25, 1}), Pose({1.9, 0, 0.74}, lying)));
  EXPECT_EQ(on_a(over), (std::vector<std::array<long, 3>>{{1400000, 0, 500000}, {2000000, 0, 500000}}));
  EXPECT_EQ(only(manifold(table, Pose(), Body(Cylinder{0.5, 1}), Pose({0, 0, 0.99}))).points.size(), 4u);
  EXPECT_EQ(only(manifold(table, Pose(), Body(Sphere{0.5}), Pose({0, 0, 0.99}))).points.size(), 1u);
  const ManifoldPatch parallel =
      only(manifold(Body(Cylinder{0.5, 2}), Pose(), Body(Cylinder{0.25, 1}), Pose({0.7, 0.1, 0.25})));
  EXPECT_EQ(parallel.points.size(), 2u);
}

TEST(Manifold, BoxOnAFloorOfTriangles) {
  const Body floor(grid_floor(20, 0.3)), box(Box{{1, 1, 1}});
  for (const double depth : {0.01, 0.0}) {
    const ManifoldResult r = manifold(floor, Pose(), box, Pose({0.1, 0.2, 0.5 - depth}));
    EXPECT_EQ(r.status, Status::contact);
    const ManifoldPatch p = only(r);
    EXPECT_NEAR(p.normal.z, 1, 1e-6);
    EXPECT_NEAR(p.depth, depth, 1e-6);
    EXPECT_EQ(on_a(p), (std::vector<std::array<long, 3>>{
                           {-400000, -300000, 0}, {-400000, 700000, 0}, {600000, -300000, 0}, {600000, 700000, 0}}));
  }
  const ManifoldResult near = manifold(floor, Pose(), box, Pose({0.1, 0.2, 0.52}), {.margin = 0.05});
  EXPECT_EQ(near.status, Status::free);
  EXPECT_NEAR(only(near, 0.05).depth, -0.02, 1e-9);
  EXPECT_EQ(near.patches[0].points.size(), 4u);
  // A ball rests on one point, also where triangles meet.
  for (const Vec3& at : {Vec3{0, 0, 0.49}, Vec3{0.1, 0.02, 0.49}, Vec3{0.3, 0.15, 0.49}}) {
    const ManifoldPatch ball = only(manifold(floor, Pose(), Body(Sphere{0.5}), Pose(at)));
    ASSERT_EQ(ball.points.size(), 1u);
    EXPECT_NEAR(ball.depth, 0.01, 1e-6);
  }
}

TEST(Manifold, ATableHasAPatchForEachLeg) {
  std::vector<Piece> pieces{{Body(Box{{2, 2, 0.1}}), Pose({0, 0, 1})}};
  for (const Vec3& at : {Vec3{-0.9, -0.9, 0.5}, Vec3{0.9, -0.9, 0.5}, Vec3{-0.9, 0.9, 0.5}, Vec3{0.9, 0.9, 0.5}})
    pieces.push_back({Body(Box{{0.1, 0.1, 1}}), Pose(at)});
  const Body table = compound(pieces);
  for (const Body& floor : {Body(HalfSpace{}), Body(Box{{10, 10, 1}})}) {
    const Pose under = floor.shape() && is_polyhedral(*floor.shape()) && floor.has_mesh() ? Pose({0, 0, -0.5}) : Pose();
    const ManifoldResult r = manifold(floor, under, table, Pose({0, 0, -0.01}));
    expect_consistent(r, 0, 1);
    ASSERT_EQ(r.patches.size(), 4u);
    EXPECT_EQ(ids_of(r).size(), 16u);
    for (std::uint32_t i = 0; i < 4; ++i) {
      EXPECT_EQ(r.patches[i].pieces[1], PieceId{i + 1});
      EXPECT_EQ(r.patches[i].points.size(), 4u);
      EXPECT_NEAR(r.patches[i].depth, 0.01, 1e-9);
    }
  }
}

TEST(Manifold, ABoxInACornerHasAPatchForEachWall) {
  // An L of one mesh: floor and wall, not convex.
  std::vector<Vec3> x{{0, -2, 0}, {4, -2, 0}, {4, 2, 0}, {0, 2, 0}, {0, -2, 3}, {0, 2, 3}};
  const std::vector<Triangle> t{{0, 1, 2}, {0, 2, 3}, {0, 3, 5}, {0, 5, 4}};
  const Body corner(Mesh(x, t)), box(Box{{1, 1, 1}});
  const ManifoldResult r = manifold(corner, Pose(), box, Pose({0.51, 0, 0.52}), {.margin = 0.05});
  EXPECT_EQ(r.status, Status::free);
  expect_consistent(r, 0.05, 1);
  ASSERT_EQ(r.patches.size(), 2u);
  EXPECT_NEAR(r.patches[0].normal.x, 1, 1e-9);
  EXPECT_NEAR(r.patches[0].depth, -0.01, 1e-9);
  EXPECT_NEAR(r.patches[1].normal.z, 1, 1e-9);
  EXPECT_NEAR(r.patches[1].depth, -0.02, 1e-9);
  EXPECT_EQ(r.patches[0].points.size() + r.patches[1].points.size(), 8u);
}

TEST(Manifold, IdsPersistWhileABoxSlidesAndRocks) {
  const Body box(Box{{1, 1, 1}});
  struct Floor {
    Body body;
    Pose pose;
  };
  for (const Floor& floor : {Floor{Body(HalfSpace{}), Pose()}, Floor{Body(Box{{40, 40, 1}}), Pose({0, 0, -0.5})},
                             Floor{Body(grid_floor(60, 0.3)), Pose()}}) {
    std::optional<std::set<std::uint64_t>> first;
    for (int frame = 0; frame < 100; ++frame) {
      const double s = 0.01 * frame;
      const Quat rocking = turn_about({1, 0.4, 0}, 0.004 * std::sin(0.7 * frame));
      const Pose pose({0.1 + 3 * s, -0.2 + s, 0.498}, rocking);
      const ManifoldResult r = manifold(floor.body, floor.pose, box, pose, {.margin = 0.02});
      ASSERT_EQ(r.patches.size(), 1u) << frame;
      expect_consistent(r, 0.02, 1);
      if (!first) first = ids_of(r);
      EXPECT_EQ(first->size(), 4u);
      EXPECT_EQ(ids_of(r), *first) << frame;
    }
  }
}

TEST(Manifold, IsInvariant) {
  const std::vector<Shape> kinds{Sphere{0.5},
                                 Capsule{0.3, 1},
                                 Box{{1, 0.5, 0.75}},
                                 Cylinder{0.4, 1},
                                 Ellipsoid{{0.5, 0.3, 0.2}},
                                 Shape(Box{{0.5, 0.5, 0.5}}, 0.1)};
  const Pose far({5, -3, 2}, turn_about({1, 2, 3}, 1.1));
  const auto moved = [&](const Pose& p) {
    const Quat a = far.rotation(), b = p.rotation();
    return Pose(far.apply(p.translation()),
                {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                 a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w});
  };
  const Pose pose_a({0.1, 0, 0}, turn_about({1, 1, 0}, 0.3)), pose_b({0.4, 0.3, 0.2}, turn_about({0, 1, 1}, 0.5));
  for (const Shape& a : kinds)
    for (const Shape& b : kinds) {
      const std::string what = std::string(kind_name(a)) + " " + std::string(kind_name(b));
      const Body x(a), y(b);
      const ManifoldResult plain = manifold(x, pose_a, y, pose_b), other = manifold(y, pose_b, x, pose_a),
                           elsewhere = manifold(x, moved(pose_a), y, moved(pose_b));
      const PenetrationResult depth = penetration(x, pose_a, y, pose_b);
      EXPECT_EQ(plain.status, depth.status) << what;
      if (plain.status != Status::contact) continue;
      expect_consistent(plain, 0, 1);
      ASSERT_EQ(plain.patches.size(), 1u) << what;
      ASSERT_EQ(other.patches.size(), 1u) << what;
      ASSERT_EQ(elsewhere.patches.size(), 1u) << what;
      EXPECT_NEAR(plain.patches[0].depth, depth.upper, 1e-5) << what;
      EXPECT_NEAR(other.patches[0].depth, depth.upper, 1e-5) << what;
      EXPECT_NEAR(elsewhere.patches[0].depth, depth.upper, 1e-5) << what;
      // Each point is on both surfaces.
      for (const ManifoldPoint& p : plain.patches[0].points)
        for (const auto& [body, pose, at] : {std::tuple(x, pose_a, p.points[0]), std::tuple(y, pose_b, p.points[1])}) {
          const Body tiny(Sphere{0});
          const double deep = penetration(body, pose, tiny, Pose(at)).upper;
          EXPECT_LT(deep, 1e-5) << what;
          EXPECT_LT(distance(body, pose, tiny, Pose(at)).distance, 1e-5) << what;
        }
    }
}

TEST(Manifold, OfMeshesThatAreNotConvex) {
  std::mt19937_64 engine(11);
  const auto draw = [&](double lo, double hi) {
    return lo + (hi - lo) * std::ldexp(static_cast<double>(engine() >> 11), -53);
  };
  const std::vector<Body> others{Body(make::torus({.triangles = 200})), Body(Box{{1, 0.5, 0.75}}), Body(Sphere{0.5}),
                                 Body(Capsule{0.3, 1}), Body(Shape(Box{{0.5, 0.5, 0.5}}, 0.1))};
  const Body ring(make::torus({.triangles = 300})), point(Sphere{0});
  int contacts = 0, several = 0;
  for (int round = 0; round < 60; ++round) {
    const Body& other = others[static_cast<std::size_t>(round) % others.size()];
    const Pose a({0, 0, 0}, {1, 0.1 * round, 0.2, 0.3});
    const Pose b({draw(-1.5, 1.5), draw(-1.5, 1.5), draw(-0.6, 0.6)}, {1, draw(-1, 1), draw(-1, 1), draw(-1, 1)});
    const double margin = round % 2 == 0 ? 0 : 0.05;
    const ManifoldResult r = manifold(ring, a, other, b, {.margin = margin});
    EXPECT_EQ(r.status, penetration(ring, a, other, b).status) << round;
    expect_consistent(r, margin, 1);
    EXPECT_EQ(r.status == Status::contact && r.patches.empty(), false) << round;
    contacts += r.status == Status::contact;
    several += r.patches.size() > 1;
    std::size_t points = 0;
    for (const ManifoldPatch& patch : r.patches)
      for (const ManifoldPoint& p : patch.points) {
        ++points;
        EXPECT_LT(distance(ring, a, point, Pose(p.points[0])).distance, 1e-5) << round;
        EXPECT_LT(distance(other, b, point, Pose(p.points[1])).distance, 1e-5) << round;
      }
    EXPECT_EQ(ids_of(r).size(), points) << round;
    const ManifoldResult again = manifold(ring, a, other, b, {.margin = margin});
    EXPECT_EQ(ids_of(again), ids_of(r));
  }
  EXPECT_GT(contacts, 20);
  EXPECT_GT(several, 2);
}

TEST(Manifold, RefusesAndSurvives) {
  const Body half{HalfSpace{}}, box(Box{{1, 1, 1}});
  EXPECT_EQ(manifold(half, Pose(), half, Pose()).status, Status::invalid_request);
  for (const double bad : {-1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    const ManifoldResult r = manifold(box, Pose(), box, Pose(), {.margin = bad});
    EXPECT_EQ(r.status, Status::invalid_request);
    ASSERT_TRUE(r.error);
    EXPECT_EQ(r.error->element, "option margin");
  }
  const std::vector<Body> odd{Body(Sphere{0}),
                              Body(Box{{0, 0, 0}}),
                              Body(Box{{1, 1, 0}}),
                              Body(Capsule{0, 0}),
                              Body(Cylinder{0, 1}),
                              Body(Cylinder{1, 0}),
                              Body(Cone{0, 0}),
                              Body(Ellipsoid{{0, 1, 0}}),
                              Body(Hull{{{0, 0, 0}}}),
                              Body(Hull{{{0, 0, 0}, {1, 0, 0}}}),
                              Body(Shape(Hull{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}, 0.1)),
                              Body(Sphere{0x1p1000}),
                              Body(Box{{0x1p1000, 0x1p1000, 0x1p1000}}),
                              Body(Box{{0x1p-1070, 0x1p-1070, 0x1p-1070}}),
                              Body(Mesh({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, std::vector<Triangle>{{0, 1, 2}})),
                              Body(grid_floor(2, 1)),
                              half};
  for (const Body& a : odd)
    for (const Body& b : odd)
      for (const double margin : {0.0, 0.1, 0x1p1000}) {
        const ManifoldResult r = manifold(a, Pose(), b, Pose({0.001, 0, 0}), {.margin = margin});
        for (const ManifoldPatch& patch : r.patches) {
          EXPECT_LE(patch.points.size(), 4u);
          EXPECT_GE(patch.points.size(), 1u);
        }
      }
}

TEST(Manifold, LimitsEndIt) {
  const Body ring(make::torus({}));
  const CancelSource source;
  source.cancel();
  const ManifoldResult r = manifold(ring, Pose(), ring, Pose({0.1, 0, 0}), {.cancel = source.token()});
  EXPECT_EQ(r.status, Status::undecided);
  EXPECT_TRUE(r.patches.empty());
}

}  // namespace
}  // namespace graze
