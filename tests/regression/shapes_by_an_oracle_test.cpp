// SPDX-License-Identifier: MIT
// What a program found that asks every question about random pairs of shapes, flat, tiny, long and concentric ones
// among them, and compares the answers with support functions in long double and with each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <graze/graze.hpp>

namespace graze {
namespace {

using namespace shape;

/// How far a point is outside of a placed box.
double outside(const Vec3& half, const Vec3& local) {
  double squared = 0;
  for (int k = 0; k < 3; ++k) squared += std::pow(std::max(std::fabs(local[k]) - half[k], 0.0), 2);
  return std::sqrt(squared);
}

TEST(ShapesByAnOracle, ARayThatLeavesAHalfSpaceFromItsSurfaceMeetsItThere) {
  const Body floor{Shape(HalfSpace{})};
  for (const Vec3& to : {Vec3{1, 1, 1}, {1, 1, 0}, {1, 1, -1}}) {
    const RayResult r = cast_ray(floor, Pose(), {0, 0, 0}, to);
    ASSERT_EQ(r.status, Status::contact);
    EXPECT_EQ(r.hit->fraction, 0);
    // As the segment, which is a hull of two points.
    EXPECT_EQ(collide(Body(Hull{{{0, 0, 0}, to}}), Pose(), floor, Pose()).status, Status::contact);
  }
  EXPECT_EQ(cast_ray(floor, Pose({1, 2, 3}, {1, 1, 0, 0}), {1, 2, 3}, {5, -5, 5}).status, Status::contact);
  EXPECT_EQ(cast_ray(floor, Pose(), {0, 0, std::nextafter(0, 1)}, {1, 1, 1}).status, Status::free);
}

TEST(ShapesByAnOracle, APointThatFallsOnAHalfSpaceNeedsNoTolerance) {
  const Body floor{Shape(HalfSpace{})};
  for (const Body& point :
       {Body(Sphere{0}), Body(Box{{0, 0, 0}}), Body(Capsule{0, 0}), Body(Cone{0, 0}), Body(Hull{{{0, 0, 0}}})}) {
    const Motion fall = Velocity(Pose({0, 0, 1}), Pose({0, 0, -1}));
    const FirstContactResult r = first_contact(floor, Still{}, point, fall);
    ASSERT_EQ(r.status, Status::contact);
    EXPECT_NEAR(r.time.touch, 0.5, 1e-9);
    EXPECT_GT(r.tolerance, 0);
    EXPECT_EQ(first_contact(point, fall, floor, Still{}).status, Status::contact);
    EXPECT_EQ(first_contact(point, Velocity(Pose({0, 0, 1}), Pose({0, 0, 0.5})), floor, Still{}).status, Status::free);
  }
}

TEST(ShapesByAnOracle, LongShapesThatTurnTakeFewSteps) {
  const Body box(Box{{1, 1, 1}}), torus(make::torus({.triangles = 128}));
  for (const double length : {1e3, 1e5})
    for (const Body& pole :
         {Body(Capsule{0.1, length}), Body(Cylinder{0.1, length}), Body(Ellipsoid{{0.3, 0.3, length}})})
      for (const Body& other : {box, torus, Body(Sphere{0.5})})
        for (const double height : {3.0, 1.5}) {
          const Motion turn = Velocity::from_speeds(Pose({0, 0, height}, {1, 1, 0, 0}), {0, 0.2, 0}, {0, 0, 2});
          const Motion slide = Velocity(Pose(), Pose({0.3, 0.1, 0}, {1, 0.1, 0.2, 0}));
          for (const bool swapped : {false, true}) {
            const FirstContactResult r = swapped ? first_contact(other, slide, pole, turn, {.work = 200000})
                                                 : first_contact(pole, turn, other, slide, {.work = 200000});
            EXPECT_NE(r.status, Status::undecided) << length << ' ' << height;
            EXPECT_LT(r.counters.motion_steps, 2000u) << length << ' ' << height;
          }
        }
}

TEST(ShapesByAnOracle, ARoundedBoxWithoutAWidthIsACapsuleInAManifold) {
  const Body needle(Shape(Box{{0, 0, 0.4}}, 0.43)), wall(Box{{0.01, 800, 300}});
  const Pose lying({0.43 + 0.004, -1, 2}, {1, 1, 0, 0});
  const ManifoldResult m = manifold(needle, lying, wall, Pose());
  ASSERT_EQ(m.status, Status::contact);
  ASSERT_EQ(m.patches.size(), 1u);
  EXPECT_EQ(m.patches[0].points.size(), 2u);
  for (const ManifoldPoint& p : m.patches[0].points) {
    EXPECT_NEAR(p.depth, 0.001, 1e-6);
    EXPECT_LE(outside({0, 0.2, 0}, p.points[0] - lying.translation()), 0.43 + 1e-6);
  }
  // The same of a cylinder and a cone without a radius, a point, and a flat rounded plate seen from its edge.
  for (const Body& body : {Body(Shape(Cylinder{0, 0.4}, 0.43)), Body(Shape(Cone{0, 0.4}, 0.43)),
                           Body(Shape(Box{{0, 0, 0}}, 0.43)), Body(Shape(Box{{0, 0.4, 0.4}}, 0.43))}) {
    const ManifoldResult other = manifold(body, lying, wall, Pose());
    ASSERT_EQ(other.patches.size(), 1u);
    for (const ManifoldPoint& p : other.patches[0].points)
      EXPECT_LE(outside({0.2, 0.2, 0.2}, p.points[0] - lying.translation()), 0.43 + 1e-6);
  }
}

TEST(ShapesByAnOracle, DepthsOfConcentricShapesAreLeastAroundTheirDirection) {
  // Where many directions are nearly as good, the polytope ended at one that was not the best around it.
  const Body cone(Cone{1.866895295819132, 0.5}), ball(Sphere{0.1829268485022609});
  const PenetrationResult depth = penetration(cone, Pose(), ball, Pose());
  const ManifoldResult m = manifold(cone, Pose(), ball, Pose());
  ASSERT_EQ(m.patches.size(), 1u);
  EXPECT_NEAR(m.patches[0].depth, depth.upper, 1e-6);
  for (const ManifoldPoint& p : m.patches[0].points) EXPECT_LE(length(p.points[1]), 0.1829268485022609 + 1e-5);
}

TEST(ShapesByAnOracle, ACompoundInAHalfSpaceIsAsDeepAsItsDeepestPiece) {
  const Body lamp = compound({{Body(Sphere{1}), Pose(), "globe"}, {Body(make::box()), Pose({2, 0, -1}), "foot"}});
  const Body floor{Shape(HalfSpace{})};
  for (const bool swapped : {false, true}) {
    const Pose at({0, 0, 1.2});
    const PenetrationResult r = swapped ? penetration(lamp, at, floor, Pose()) : penetration(floor, Pose(), lamp, at);
    ASSERT_EQ(r.status, Status::contact);
    EXPECT_TRUE(r.certain);
    EXPECT_NEAR(r.upper, 0.3, 1e-9);
    EXPECT_NEAR(r.lower, 0.3, 1e-9);
    EXPECT_NEAR(r.translation.z, swapped ? -0.3 : 0.3, 1e-9);
    EXPECT_EQ(penetration(floor, Pose(), lamp, Pose({0, 0, 1.6})).status, Status::free);
  }
}

TEST(ShapesByAnOracle, ASolidPieceInsideASolidIsDeepAlsoBesideAnOpenPiece) {
  const Body sheet(make::cloth_sheet({.triangles = 8})), pebble(Sphere{0.05});
  const Body both = compound({{sheet, Pose({0, 0, 9}), "sheet"}, {pebble, Pose(), "pebble"}});
  const Body room(make::box({.size = {2, 2, 2}}));
  const PenetrationResult r = penetration(room, Pose(), both, Pose());
  ASSERT_EQ(r.status, Status::contact);
  EXPECT_EQ(manifold(room, Pose(), both, Pose()).status, Status::contact);
  EXPECT_GT(r.upper, 1);
  const Body moved = compound({{pebble, Pose(r.translation), "pebble"}});
  EXPECT_NE(collide(room, Pose(), moved, Pose(), {.solid = true}).kind, ContactKind::overlap);
  EXPECT_EQ(penetration(room, Pose(), both, Pose({5, 0, 0})).status, Status::free);
}

TEST(ShapesByAnOracle, TheWitnessOfAnOverlapIsOnBothBodies) {
  const Body can(Cylinder{0.8478769466307065, 0.3947754929769932});
  const Hull corners{{{0.98935966618333593, 1.0943230178066181, 0.24081382291380704},
                      {0.062162123533399116, -1.1527272226887288, -0.16093686158063658},
                      {-1.0043103628536982, -1.240998716594732, -0.62109182387524209},
                      {1.101535178741516, 1.6423751948667116, -0.25062672228296767}}};
  const Pose at_can({-0.17803374248122217, 0.18706666613513967, -0.8967661452589003},
                    {-0.091401249470293489, -0.42185237244431928, 0.024134623786900455, -0.55085278851693964}),
      at_hull({-0.3172776981465999, -0.30890333361172145, -0.27219656968397055},
              {-0.28670245050502496, 0.92400051083335222, 0.32498582997316516, -0.10961893951444579});
  const CollideResult hit = collide(can, at_can, Body(corners), at_hull);
  ASSERT_EQ(hit.status, Status::contact);
  const Body first(Hull{{(*hit.points)[0]}}), second(Hull{{(*hit.points)[1]}});
  EXPECT_LE(distance(can, at_can, first, Pose()).distance, 1e-9);
  EXPECT_LE(distance(Body(corners), at_hull, second, Pose()).distance, 1e-9);
}

TEST(ShapesByAnOracle, CurvedShapesLeaveTheFloorThatTheyTouch) {
  const Body floor{Shape(HalfSpace{})}, tiles(make::box({.size = {9, 9, 2}}));
  const Pose below({0.3, 0.2, -1});
  struct Case {
    Body body;
    Quat turned;
  };
  for (const Case& c :
       {Case{Body(Sphere{0.5}), {}}, Case{Body(Capsule{0.25, 0.5}), {}}, Case{Body(Cylinder{0.3, 1}), {}},
        Case{Body(Ellipsoid{{0.2, 0.3, 0.5}}), {}}, Case{Body(rounded(Box{{0.8, 0.8, 0.8}}, 0.1)), {}}}) {
    const auto status = [&](const Body& ground, const Pose& at, const Vec3& by, bool ignore) {
      FirstContactOptions options;
      options.ignore_start_if_separating = ignore;
      return first_contact(ground, Still{at}, c.body,
                           Velocity(Pose({0, 0, 0.5}, c.turned), Pose(Vec3{0, 0, 0.5} + by, c.turned)), options)
          .status;
    };
    for (const auto& [ground, at] : {std::pair(floor, Pose()), std::pair(tiles, below)}) {
      EXPECT_EQ(status(ground, at, {0.1, 0, 1}, false), Status::touching_at_start);
      EXPECT_EQ(status(ground, at, {0.1, 0, 1}, true), Status::free);
      EXPECT_EQ(status(ground, at, {0.1, 0, -1}, true), Status::touching_at_start);
      EXPECT_EQ(status(ground, at, {1, 0, 0}, true), Status::touching_at_start);  // slides on
    }
  }
  // A ball that turns on its way up, and one that comes back onto another one.
  const Body ball(Sphere{0.5});
  FirstContactOptions options;
  options.ignore_start_if_separating = true;
  EXPECT_EQ(
      first_contact(floor, Still{}, ball, Velocity(Pose({0, 0, 0.5}), Pose({2, 0, 1}, {1, 2, 0, 0})), options).status,
      Status::free);
  const FirstContactResult away =
      first_contact(ball, Still{}, compound({{ball, Pose(), "a"}, {ball, Pose({3, 0, 0}), "b"}}),
                    Velocity(Pose({1, 0, 0}), Pose({-9, 0, 0})), options);
  EXPECT_EQ(away.status, Status::touching_at_start);  // pushed into it
  const FirstContactResult meets = first_contact(compound({{ball, Pose(), "a"}, {ball, Pose({5, 0, 0}), "b"}}), Still{},
                                                 ball, Velocity(Pose({1, 0, 0}), Pose({8, 0, 0})), options);
  ASSERT_EQ(meets.status, Status::contact);
  EXPECT_NEAR(meets.time.touch, 3.0 / 7, 1e-5);
}

}  // namespace
}  // namespace graze
