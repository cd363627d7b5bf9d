// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "unit/world/help.hpp"
#include "world/placed_box.hpp"

namespace graze::testing {
namespace {

using Texts = std::vector<std::string>;

TEST(WorldShapes, DeformReplaceAndBreak) {
  World world;
  const BodyId a = world.add(cube()), b = world.add(cube(), at(1.5), {.name = "clay"});
  EXPECT_EQ(texts(world.check().events), Texts{});
  std::vector<Vec3> wide(world.body(b).mesh().positions().begin(), world.body(b).mesh().positions().end());
  for (Vec3& p : wide) p.x *= 3;
  world.deform(b, wide);
  EXPECT_EQ(texts(world.check().events), Texts{"began 0 1"});
  EXPECT_THROW(world.deform(b, std::span(wide).first(3)), Error);
  world.replace(b, Body(make::box({.size = {0.5, 0.5, 0.5}})));
  EXPECT_EQ(texts(world.check().events), Texts{"ended 0 1"});
  world.replace(b, Body(make::box({.size = {2.5, 0.5, 0.5}})));
  EXPECT_EQ(texts(world.check().events), Texts{"began 0 1"});
  const std::vector<Body> pieces{Body(make::box({.size = {2.5, 0.1, 0.1}})), Body(make::tetrahedron())};
  const std::vector<BodyId> ids = world.break_up(b, pieces);
  ASSERT_EQ(ids.size(), 2u);
  EXPECT_FALSE(world.has(b));
  EXPECT_EQ(world.name(ids[1]), "clay");
  EXPECT_EQ(world.pose(ids[1]), at(1.5));
  EXPECT_EQ(texts(world.check().events), (Texts{"ended 0 1", "began 0 1", "began 1 2"}));
  EXPECT_TRUE(world.has(a));
}

TEST(WorldShapes, DeformedTreesAreRefittedUntilTheyAreTooLoose) {
  World world;
  const Body body(make::torus({.major = 1, .minor = 0.4, .triangles = 1000}));
  const BodyId a = world.add(body);
  world.add(cube(), at(1));
  world.check();
  std::vector<Vec3> shape(body.mesh().positions().begin(), body.mesh().positions().end());
  for (int i = 0; i < 5; ++i) {
    for (Vec3& p : shape) p.z *= 1.05;
    world.deform(a, shape);
    const CheckResult r = world.check();
    EXPECT_EQ(r.counters.trees_refitted, 1u);
    EXPECT_EQ(r.counters.trees_rebuilt, 0u);
    EXPECT_EQ(world.touching(), brute_contacts(world));
  }
  for (std::size_t i = 0; i < shape.size(); i += 2) shape[i] = shape[i] * -1.0;
  world.deform(a, shape);
  const CheckResult r = world.check();
  EXPECT_EQ(r.counters.trees_rebuilt, 1u);
  EXPECT_EQ(r.counters.trees_refitted, 0u);
}

Chain two_arms() {
  Joint joint;
  joint.type = JointType::revolute;
  Joint second = joint;
  second.origin = at(2);
  return Chain({{"upper", "", joint}, {"lower", "upper", second}, {"tip", "lower", second}});
}

TEST(WorldArticulated, LinksMoveTogetherAndNeighboursAreOfNoInterest) {
  World world;
  const Body bar(make::box({.size = {4, 0.2, 0.2}}));
  const Chain chain = two_arms();
  const std::vector<LinkBody> links{{LinkId{0}, bar}, {LinkId{1}, bar}, {LinkId{2}, bar}};
  const ArticulatedId robot = world.add(chain, links, std::vector<double>{0, 0, 0}, at(0, 0, 1));
  const BodyId wall = world.add(cube(), at(0, 4, 1));
  const std::vector<BodyId> ids = world.bodies(robot);
  ASSERT_EQ(ids.size(), 3u);
  EXPECT_EQ(world.name(ids[1]), "lower");
  EXPECT_NEAR(world.pose(ids[1]).translation().x, 2, 1e-15);
  const CheckResult r = world.check();
  EXPECT_EQ(texts(r.events), Texts{"began 0 2"});  // the ends of upper and tip touch at x = 2; neighbours do not count
  EXPECT_EQ(r.counters.of_no_interest, 2u);
  world.move(robot, std::vector<double>{1.5707963267948966, 0, 0});
  EXPECT_EQ(texts(world.check().events), (Texts{"stays 0 2", "began 1 3", "began 2 3"}));
  EXPECT_THROW(world.move(ids[0], Pose()), Error);
  EXPECT_THROW(world.remove(ids[0]), Error);
  EXPECT_THROW(world.move(robot, std::vector<double>{0, 0}), Error);
  world.remove(robot);
  EXPECT_EQ(world.size(), 1u);
  EXPECT_EQ(world.check().events.size(), 3u);
  EXPECT_TRUE(world.has(wall));
  EXPECT_THROW(world.move(robot, std::vector<double>{0, 0, 0}), Error);
}

using Wide = long double;

/// Where a corner is along an axis, with eleven bits more than a double has.
Wide placed_wide(const Pose& pose, const Vec3& p, int axis) {
  const Quat& q = pose.rotation();
  const Wide w = q.w, x = q.x, y = q.y, z = q.z, s = 2 / (w * w + x * x + y * y + z * z);
  const Wide rows[3][3] = {{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
                           {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
                           {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)}};
  Wide sum = pose.translation()[axis];
  for (int j = 0; j < 3; ++j) sum += rows[axis][j] * Wide(p[j]);
  return sum;
}

/// Flat and thin boxes near and far from the origin: what rounding takes off must have been put on before.
TEST(WorldBoxes, HoldEveryCornerInWiderNumbers) {
  std::mt19937_64 random(9);
  const auto any = [&](int low, int high) {
    const double f = 2 * static_cast<double>(random() >> 11) * 0x1p-53 - 1;
    return std::ldexp(f, low + static_cast<int>(random() % static_cast<std::uint64_t>(high - low)));
  };
  for (int i = 0; i < 20000; ++i) {
    Box3 local;
    for (int k = 0; k < 3; ++k) {
      local.lo[k] = any(-20, 20);
      local.hi[k] = random() % 3 ? local.lo[k] + std::fabs(any(-40, 20)) : local.lo[k];
    }
    const Pose pose({any(-30, 30), any(-30, 30), any(-30, 30)}, {any(-3, 3), any(-3, 3), any(-3, 3), any(-3, 3)});
    const Box3 box = world::placed_box(local, pose);
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 p{corner & 1 ? local.hi.x : local.lo.x, corner & 2 ? local.hi.y : local.lo.y,
                   corner & 4 ? local.hi.z : local.lo.z};
      for (int k = 0; k < 3; ++k) {
        const Wide at_axis = placed_wide(pose, p, k);
        ASSERT_LE(Wide(box.lo[k]), at_axis);
        ASSERT_GE(Wide(box.hi[k]), at_axis);
      }
    }
  }
}

TEST(WorldBoxes, HoldThePlacedMesh) {
  std::mt19937_64 random(3);
  const Body body(make::chair());
  for (int i = 0; i < 200; ++i) {
    const Pose pose = random_pose(random, i % 2 ? 1e-3 : 1e6);
    const Box3 box = world::placed_box(body.mesh().box(), pose);
    for (const Vec3& p : body.mesh().positions()) ASSERT_TRUE(box.contains(pose.apply(p)));
  }
  // Numbers at the end of the range still give a box, and one that misses nothing.
  const Box3 huge{{-1e308, -1e308, -1e308}, {1e308, 1e308, 1e308}};
  for (const Quat& q : {Quat{1, 0, 0, 0}, Quat{1, 1, 0, 0}, Quat{1e-300, 2e-300, 0, 1e-300}}) {
    const Box3 box = world::placed_box(huge, Pose({1.7e308, 0, 0}, q));
    EXPECT_TRUE(is_finite(box.lo) && is_finite(box.hi));
    EXPECT_EQ(box.hi.x, std::numeric_limits<double>::max());
    EXPECT_LE(box.lo.y, -1e308);
  }
}

/// Is p = corner + sum s_j edge_j with all s between 0 and 1, but for what solving for them rounds?
bool holds(const TiltedBox& box, const Vec3& p) {
  const Vec3 &x = box.edges[0], &y = box.edges[1], &z = box.edges[2], d = p - box.corner;
  const double volume = dot(x, cross(y, z));
  for (const double s : {dot(d, cross(y, z)) / volume, dot(x, cross(d, z)) / volume, dot(x, cross(y, d)) / volume})
    if (!(s >= -1e-15 && s <= 1 + 1e-15)) return false;
  return true;
}

TEST(WorldBoxes, TiltedBoxesAndCubesHoldThePlacedMesh) {
  std::mt19937_64 random(5);
  for (const Body& body : {Body(make::chair()), Body(make::box({.size = {4, 0.1, 0.2}}))}) {
    const double radius = world::radius_of(body.mesh());
    for (int i = 0; i < 200; ++i) {
      const Pose pose = random_pose(random, i % 2 ? 1e-3 : 1e3);
      const auto tilted = world::tilted_box(body.mesh().box(), pose);
      ASSERT_TRUE(tilted);
      const Box3 cube_box = world::placed_cube(body.mesh().box(), radius, pose);
      for (const Vec3& p : body.mesh().positions()) {
        ASSERT_TRUE(holds(*tilted, pose.apply(p)));
        ASSERT_TRUE(cube_box.contains(pose.apply(p)));
      }
    }
  }
  EXPECT_FALSE(world::tilted_box(cube().mesh().box(), at(1)));  // no better than the box itself
  const Box3 huge{{-1e308, -1e308, -1e308}, {1e308, 1e308, 1e308}};
  EXPECT_FALSE(world::tilted_box(huge, Pose({1.7e308, 0, 0}, {1, 1, 0, 0})));
  EXPECT_TRUE(is_finite(world::placed_cube(huge, 1e308, Pose({1.7e308, 0, 0}, {1, 1, 0, 0})).hi));
}

TEST(WorldBoxes, ChangeWhatItCostsAndNoAnswer) {
  std::uint64_t expected = 0;
  for (const std::string broad : {"all_pairs", "grid", "automatic", "tree"})
    for (const BroadBoxes boxes : {BroadBoxes::aligned, BroadBoxes::tilted, BroadBoxes::cubes}) {
      SCOPED_TRACE(broad + " " + name(boxes));
      World world({.broad = broad, .boxes = boxes});
      std::mt19937_64 random(6);
      const Body needle(make::box({.size = {3, 0.1, 0.1}}));
      std::vector<BodyId> ids;
      for (int i = 0; i < 60; ++i) ids.push_back(world.add(needle, random_pose(random, 6)));
      std::uint64_t hash = 0, near = 0;
      for (int frame = 0; frame < 5; ++frame) {
        for (std::size_t i = 0; i < ids.size(); i += 2)  // half of them turn where they are
          world.move(ids[i], Pose(world.pose(ids[i]).translation(), random_pose(random, 1).rotation()));
        const CheckResult r = world.check();
        hash = event_hash(r.events, hash);
        near += r.counters.near_pairs;
      }
      if (!expected) expected = hash;
      EXPECT_EQ(hash, expected);
      EXPECT_EQ(world.touching(), brute_contacts(world));
      const BroadCounters c = world.broad_counters();
      EXPECT_EQ(c.cells_stabbed > 0, broad == "grid" && boxes == BroadBoxes::tilted);
      if (broad == "grid") {
        EXPECT_EQ(c.updates_skipped > 100, boxes == BroadBoxes::cubes);
      }
      EXPECT_GT(near, 0u);
    }
}

}  // namespace
}  // namespace graze::testing
