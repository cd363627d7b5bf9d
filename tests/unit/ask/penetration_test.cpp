// SPDX-License-Identifier: MIT
// Depths of convex pairs: closed forms; and the translation really parts them, while less than `lower` never does.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>
#include <graze/ask/penetration.hpp>
#include <graze/mesh/make.hpp>

namespace graze {
namespace {

using namespace shape;

Pose moved(const Pose& pose, const Vec3& by) { return Pose(pose.translation() + by, pose.rotation()); }

TEST(Penetration, ClosedForms) {
  const PenetrationResult balls = penetration(Body(Sphere{1}), Pose(), Body(Sphere{0.5}), Pose({1.2, 0, 0}));
  EXPECT_EQ(balls.status, Status::contact);
  EXPECT_NEAR(balls.lower, 0.3, 1e-9);
  EXPECT_NEAR(balls.upper, 0.3, 1e-9);
  EXPECT_NEAR(balls.translation.x, 0.3, 1e-9);
  const PenetrationResult boxes =
      penetration(Body(Box{{1, 1, 1}}), Pose(), Body(Box{{1, 1, 1}}), Pose({0.1, 0.2, 0.9}));
  EXPECT_NEAR(boxes.lower, 0.1, 1e-9);
  EXPECT_NEAR(boxes.upper, 0.1, 1e-9);
  EXPECT_NEAR(boxes.translation.z, 0.1, 1e-9);
  const PenetrationResult floor = penetration(Body(HalfSpace{}), Pose(), Body(Capsule{0.5, 2}), Pose({0, 0, 1}));
  EXPECT_NEAR(floor.upper, 0.5, 1e-9);
  EXPECT_NEAR(floor.translation.z, 0.5, 1e-9);
  const PenetrationResult turned = penetration(Body(Capsule{0.5, 2}), Pose({0, 0, 1}), Body(HalfSpace{}), Pose());
  EXPECT_NEAR(turned.translation.z, -0.5, 1e-9);
  // A ball at the centre of a box leaves through the nearest face.
  const PenetrationResult inside = penetration(Body(Box{{4, 6, 8}}), Pose(), Body(Sphere{1}), Pose());
  EXPECT_NEAR(inside.upper, 3, 1e-6);
  EXPECT_EQ(penetration(Body(Sphere{1}), Pose(), Body(Sphere{1}), Pose({3, 0, 0})).status, Status::free);
  // Convex meshes count as solids.
  const Body cube(make::box({.size = {1, 1, 1}}));
  EXPECT_NEAR(penetration(cube, Pose(), cube, Pose({0, 0.75, 0})).upper, 0.25, 1e-9);
}

TEST(Penetration, TheTranslationPartsEveryPairOfKinds) {
  std::mt19937_64 engine(7);
  const auto draw = [&](double lo, double hi) {
    return lo + (hi - lo) * std::ldexp(static_cast<double>(engine() >> 11), -53);
  };
  const auto vector = [&](double size) {
    const double x = draw(-size, size), y = draw(-size, size), z = draw(-size, size);
    return Vec3{x, y, z};
  };
  const std::vector<Shape> kinds{Sphere{0.5},
                                 Capsule{0.3, 1},
                                 Box{{1, 0.5, 0.75}},
                                 Cylinder{0.4, 1},
                                 Cone{0.5, 1},
                                 Ellipsoid{{0.5, 0.3, 0.2}},
                                 HalfSpace{},
                                 Hull{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                                 Shape(Box{{0.6, 0.4, 0.2}}, 0.1)};
  int contacts = 0;
  for (const Shape& sa : kinds)
    for (const Shape& sb : kinds) {
      if (sa.kind.index() == 6 && sb.kind.index() == 6) continue;
      const Body a(sa), b(sb);
      for (int i = 0; i < 10; ++i) {
        const Vec3 q = vector(1);
        const Pose pa(vector(0.2), {draw(0.1, 1), q.x, q.y, q.z});
        const Pose pb(vector(0.5), {draw(0.1, 1), q.z, q.x, q.y});
        const PenetrationResult r = penetration(a, pa, b, pb);
        ASSERT_NE(r.status, Status::invalid_request);
        EXPECT_EQ(r.status, collide(a, pa, b, pb).status) << kind_name(sa) << " " << kind_name(sb);
        if (r.status != Status::contact) continue;
        ++contacts;
        EXPECT_LE(r.lower, r.upper);
        // Parted, or touching within the rounding bound.
        const DistanceResult after = distance(a, pa, b, moved(pb, r.translation));
        EXPECT_TRUE(after.status == Status::free || !after.certain) << kind_name(sa) << " " << kind_name(sb);
        for (int k = 0; k < 3 && r.lower > 1e-6; ++k) {
          const Vec3 d = vector(1);
          const Vec3 less = d * (0.999 * r.lower / length(d));
          EXPECT_EQ(collide(a, pa, b, moved(pb, less)).status, Status::contact)
              << kind_name(sa) << " " << kind_name(sb);
        }
      }
    }
  EXPECT_GT(contacts, 300);
}

void expect_parted(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, const Vec3& translation) {
  CollideOptions options;
  options.solid = true;
  EXPECT_EQ(collide(a, pose_a, b, moved(pose_b, translation), options).status, Status::free);
}

TEST(PenetrationOfMeshes, ABoxInASlot) {
  // A U of two walls and a bottom: hull and convex pieces would say otherwise, but the box leaves upwards.
  std::vector<Vec3> p;
  for (const double y : {-1.0, 1.0})
    for (const Vec3& x :
         {Vec3{-2, 0, 0}, {2, 0, 0}, {2, 0, 3}, {1, 0, 3}, {1, 0, 1}, {-1, 0, 1}, {-1, 0, 3}, {-2, 0, 3}})
      p.push_back({x.x, y, x.z});
  PolygonList faces;
  faces.add(std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7});
  faces.add(std::vector<std::uint32_t>{15, 14, 13, 12, 11, 10, 9, 8});
  for (std::uint32_t i = 0; i < 8; ++i) faces.add(std::vector<std::uint32_t>{(i + 1) % 8, i, i + 8, (i + 1) % 8 + 8});
  const Body slot(Mesh(p, faces)), box(make::box({.size = {1.5, 1, 1}}));
  const Pose in({0.1, 0, 1.4});  // 0.1 below the bottom of the slot, 0.15 from one wall
  const PenetrationResult r = penetration(slot, Pose(), box, in);
  EXPECT_EQ(r.status, Status::contact);
  EXPECT_NEAR(r.upper, 0.1, 1e-4);
  EXPECT_NEAR(r.translation.z, 0.1, 1e-4);
  EXPECT_EQ(r.lower, 0);
  ASSERT_EQ(r.patches.size(), 1u);
  EXPECT_FALSE(r.patches[0].triangles_a.empty());
  expect_parted(slot, Pose(), box, in, r.translation);
  const PenetrationResult back = penetration(box, in, slot, Pose());
  EXPECT_NEAR(back.translation.z, -0.1, 1e-4);
  // Half-spaces see the hull.
  EXPECT_NEAR(penetration(Body(HalfSpace{}), Pose(), slot, Pose({0, 0, -1})).upper, 1, 1e-9);
}

TEST(PenetrationOfMeshes, ARodInARingLeavesItTowardsItsMiddle) {
  // 0.05 deep in one side of the ring.
  const Body ring(make::torus({.major = 1, .minor = 0.25, .around = 64, .across = 32})),
      rod(make::box({.size = {0.2, 0.2, 4}}));
  const Pose pose({0.7, 0, 0});
  const PenetrationResult r = penetration(ring, Pose(), rod, pose);
  EXPECT_EQ(r.status, Status::contact);
  EXPECT_NEAR(r.upper, 0.05, 0.01);
  EXPECT_LT(r.translation.x, 0);
}

TEST(PenetrationOfMeshes, RandomPairsArePartedByEveryPatch) {
  std::mt19937_64 engine(11);
  const auto draw = [&](double lo, double hi) {
    return lo + (hi - lo) * std::ldexp(static_cast<double>(engine() >> 11), -53);
  };
  const std::vector<Body> bodies{Body(make::torus({.major = 1, .minor = 0.3, .around = 12, .across = 8})),
                                 Body(make::torus_knot({.triangles = 400})), Body(make::bunny({.triangles = 300})),
                                 Body(Sphere{0.6}), Body(make::box())};
  int contacts = 0;
  for (int i = 0; i < 40; ++i) {
    const Body &a = bodies[engine() % 3], &b = bodies[engine() % 5];
    const Pose pose_a({draw(-1, 1), draw(-1, 1), draw(-1, 1)}, {draw(0.1, 1), draw(-1, 1), draw(-1, 1), draw(-1, 1)});
    const Pose pose_b({draw(-1, 1), draw(-1, 1), draw(-1, 1)}, {draw(0.1, 1), draw(-1, 1), draw(-1, 1), draw(-1, 1)});
    const PenetrationResult r = penetration(a, pose_a, b, pose_b);
    CollideOptions solid;
    solid.solid = true;
    EXPECT_EQ(r.status, collide(a, pose_a, b, pose_b, solid).status);
    if (r.status != Status::contact) continue;
    ++contacts;
    expect_parted(a, pose_a, b, pose_b, r.translation);
    ASSERT_FALSE(r.patches.empty());
    EXPECT_EQ(r.patches[0].length, r.upper);
    for (const PenetrationPatch& patch : r.patches) expect_parted(a, pose_a, b, pose_b, patch.translation);
  }
  EXPECT_GT(contacts, 15);
}

TEST(PenetrationOfMeshes, InsideAndCancelled) {
  const Body ring(make::torus({.major = 2, .minor = 0.8, .around = 24, .across = 16})),
      pea(make::box({.size = {0.1, 0.1, 0.1}}));
  const PenetrationResult r = penetration(ring, Pose(), pea, Pose({2, 0, 0}));
  EXPECT_EQ(r.status, Status::contact);
  expect_parted(ring, Pose(), pea, Pose({2, 0, 0}), r.translation);
  EXPECT_LT(r.upper, 0.9);
  const CancelSource source;
  source.cancel();
  PenetrationOptions cancelled;
  cancelled.cancel = source.token();
  EXPECT_EQ(penetration(ring, Pose(), pea, Pose({2, 0, 0}), cancelled).status, Status::undecided);
}

TEST(PenetrationOfMeshes, Compounds) {
  const Body dumbbell = compound({{Body(Sphere{0.5}), Pose({-1, 0, 0}), "left"},
                                  {Body(Sphere{0.5}), Pose({1, 0, 0}), "right"},
                                  {Body(make::box({.size = {2, 0.2, 0.2}})), Pose(), "bar"}});
  const Body box(make::box());
  const Pose pose({0, 0, 0.5});
  const PenetrationResult r = penetration(dumbbell, Pose(), box, pose);
  EXPECT_EQ(r.status, Status::contact);
  EXPECT_NEAR(r.upper, 0.1, 1e-4);
  expect_parted(dumbbell, Pose(), box, pose, r.translation);
  const double upper = penetration(Body(HalfSpace{}), Pose(), dumbbell, Pose()).upper;
  EXPECT_GE(upper, 0.5);  // certified, so above by the rounding bound
  EXPECT_LE(upper, 0.5 + 0x1p-36);
}

}  // namespace
}  // namespace graze
