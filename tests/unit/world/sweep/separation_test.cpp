// SPDX-License-Identifier: MIT
// `sweep` with `min_separation`, where bodies are put back: `advance` and `each`.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "random_budget.hpp"
#include "unit/world/help.hpp"

namespace graze::testing {
namespace {

using BodyPair = std::pair<BodyId, BodyId>;

/// Pairs of interest that are farther apart than d, decided exactly for every pair.
std::set<BodyPair> farther_than(const World& world, double d) {
  std::set<BodyPair> out;
  const std::vector<BodyId> all = world.bodies();
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size(); ++j)
      if (world.pair(all[i], all[j]).interest.value_or(true) &&
          within(d, world.body(all[i]), world.pose(all[i]), world.body(all[j]), world.pose(all[j])).status ==
              Status::free)
        out.emplace(all[i], all[j]);
  return out;
}

std::vector<Vec3> moved_by(const Body& body, const Vec3& by) {
  std::vector<Vec3> out(body.mesh().positions().begin(), body.mesh().positions().end());
  for (Vec3& p : out) p = p + by;
  return out;
}

SweepOptions apart(double d, bool each) {
  SweepOptions o;
  o.advance = true;
  o.each = each;
  o.min_separation = d;
  return o;
}

TEST(SweepSeparation, BodiesStopBeyondIt) {
  for (const bool each : {false, true}) {
    World world;
    const BodyId wall = world.add(Body(make::box({.size = {0.1, 10, 10}})));
    const BodyId bullet = world.add(cube(), at(-5)), other = world.add(cube(), at(-5, 30));
    world.sweep();
    world.move(bullet, at(5));
    world.move(other, at(5, 30));
    const SweepResult r = world.sweep(apart(0.25, each));
    ASSERT_EQ(r.status, Status::contact);
    EXPECT_TRUE(r.advanced);
    const FirstContactResult expected = first_contact(world.body(wall), Still{Pose()}, world.body(bullet),
                                                      Velocity(at(-5), at(5)), {.min_separation = 0.25});
    EXPECT_EQ(r.contacts[0].contact.time.safe, expected.time.safe);
    EXPECT_EQ(r.contacts[0].contact.time.touch, expected.time.touch);
    EXPECT_NEAR(world.pose(bullet).translation().x, -0.05 - 0.25 - 0.5, 1e-5);
    EXPECT_EQ(farther_than(world, 0.25).size(), 3u);
    EXPECT_NEAR(world.pose(other).translation().x, each ? 5 : -0.8, 1e-5);
    world.move(bullet, at(-5));  // it can leave
    EXPECT_EQ(world.sweep(apart(0.25, each)).status, Status::free);
  }
}

TEST(SweepSeparation, StartsWithinItStay) {
  for (const bool each : {false, true}) {
    World world;
    const BodyId near = world.add(cube(), at(1.5)), other = world.add(cube(), at(0, 30));
    world.add(cube());
    world.sweep();
    world.move(near, at(9));  // it would part
    world.move(other, at(9, 30));
    const SweepResult r = world.sweep(apart(1, each));
    ASSERT_EQ(r.status, Status::touching_at_start);
    EXPECT_EQ(r.safe, 0);
    EXPECT_NEAR(r.contacts[0].contact.gap, 0.5, 1e-9);
    EXPECT_EQ(world.pose(near), at(1.5));
    EXPECT_EQ(world.pose(other), each ? at(9, 30) : at(0, 30));
    world.move(near, at(9));
    EXPECT_EQ(world.sweep(apart(0.4, each)).status, Status::free);
    EXPECT_EQ(world.pose(near), at(9));
  }
  // On a grid: exactly the separation is within it.
  World grid;
  for (int i = 0; i < 8; ++i) grid.add(cube(), at(2 * (i & 1), 2 * (i >> 1 & 1), 2 * (i >> 2 & 1)));
  grid.sweep();
  for (const BodyId id : grid.bodies()) grid.move(id, Pose(grid.pose(id).translation() * 3));
  EXPECT_EQ(grid.sweep(apart(1, true)).status, Status::touching_at_start);
  EXPECT_EQ(grid.pose(grid.bodies()[7]), at(2, 2, 2));
  for (const BodyId id : grid.bodies()) grid.move(id, Pose(grid.pose(id).translation() * 3));
  EXPECT_EQ(grid.sweep(apart(0.999, true)).status, Status::free);
  EXPECT_EQ(grid.pose(grid.bodies()[7]), at(6, 6, 6));
}

/// However often a body is pushed towards another: it stays farther than d, slides while others collide, and leaves.
TEST(SweepSeparation, PushedForEverItCanStillLeave) {
  for (const bool each : {false, true})
    for (const double far : {0.0, 1e6})
      for (const double d : {1e-9, 0.1, 50.0})
        for (const bool deforms : {false, true}) {
          if (deforms && d != 0.1) continue;
          SCOPED_TRACE(std::to_string(far) + " " + std::to_string(d) + " " + std::to_string(deforms));
          World world;
          world.add(Body(make::box({.size = {400, 400, 1}})), at(far, 0, -0.5));
          const Quat turned{1, 0.1, 0.2, 0.3};
          const BodyId pushed = world.add(cube(), Pose({far, 0, d + 3}, turned));
          const BodyId runner = world.add(cube(), at(far + 100, 0, 2 * d + 10));
          world.add(cube(), at(far + 110 + d, 0, 2 * d + 10));
          const auto go = [&](const Vec3& by) {
            if (deforms)
              world.deform(pushed, moved_by(world.body(pushed), Pose({}, {1, -0.1, -0.2, -0.3}).apply(by)));
            else
              world.move(pushed, Pose(world.pose(pushed).translation() + by, turned));
          };
          const auto height = [&] {
            double z = 1e300;
            for (const Vec3& p : world.body(pushed).mesh().positions()) z = std::min(z, world.pose(pushed).apply(p).z);
            return z;
          };
          world.sweep();
          for (int i = 0; i < 45; ++i) {
            go({0.01, 0, -5});
            ASSERT_EQ(world.sweep(apart(d, each)).status, Status::contact);
            ASSERT_EQ(farther_than(world, d).size(), 6u) << i;
          }
          EXPECT_NEAR(height(), d, 1e-5 * (1 + d) + 0x1p-34 * far);
          for (int i = 0; i < 20; ++i) {  // slides, while the runner hits the wall
            const double x = deforms ? 0 : world.pose(pushed).translation().x;
            go({0.5, 0, 0});
            world.move(runner, at(far + 100 + 10 * (i % 2 == 0), 0, 2 * d + 10));
            ASSERT_NE(world.sweep(apart(d, each)).status, Status::touching_at_start);
            ASSERT_EQ(farther_than(world, d).size(), 6u) << i;
            if (!deforms) {
              ASSERT_GT(world.pose(pushed).translation().x, x + 0.1) << i;
            }
          }
          go({0, 0, 3});
          EXPECT_EQ(world.sweep(apart(d, each)).status, Status::free);
          EXPECT_NEAR(height(), d + 3, 1e-4 * (1 + d));
        }
}

TEST(SweepSeparation, DeformingBodiesStopAtShapes) {
  struct Case {
    shape::Shape shape;
    Pose pose;
    double height;
  };
  const double turned = std::sqrt(0.5);
  const Case cases[] = {{shape::Shape(shape::HalfSpace{}), at(0, 0, -2), -2},
                        {shape::Shape(shape::HalfSpace{}, 0.25), Pose({5, 5, -2}, {2, 0, 0, 1}), -1.75},
                        {shape::Shape(shape::Sphere{0.5}), at(0.1, 0, -2), -1.5},
                        {shape::Shape(shape::Capsule{0.25, 3}), Pose({0, 0, -2}, {turned, 0, turned, 0}), -1.75},
                        {shape::Shape(shape::Box{{1, 1, 1}}, 0.25), at(0, 0.3, -2), -1.25}};
  for (const Case& c : cases)
    for (const bool each : {false, true}) {
      SCOPED_TRACE(c.height);
      World world;
      const BodyId clay = world.add(cube());
      world.add(Body(c.shape), c.pose);
      world.sweep();
      world.deform(clay, moved_by(cube(), {0, 0, -4}));
      const SweepResult r = world.sweep(apart(0.3, each));
      ASSERT_EQ(r.status, Status::contact);
      EXPECT_NEAR(world.body(clay).box().lo.z, c.height + 0.3, 1e-4);
      EXPECT_NEAR(r.contacts[0].contact.time.touch, (-0.8 - c.height) / 4, 1e-4);
      EXPECT_EQ(farther_than(world, 0.3).size(), 1u);
      world.deform(clay, moved_by(world.body(clay), {0, 0, 1}));
      EXPECT_EQ(world.sweep(apart(0.3, each)).status, Status::free);
      world.deform(clay, moved_by(cube(), {0, 0, c.height + 0.6}));             // 0.1 above
      EXPECT_EQ(world.sweep({.min_separation = 0.3}).status, Status::contact);  // and without `advance`
      world.deform(clay, moved_by(cube(), {0, 0, 4}));
      EXPECT_EQ(world.sweep({.min_separation = 0.3}).status, Status::touching_at_start);
    }
}

TEST(SweepSeparation, OneThatStoppedStopsAnother) {
  World world;
  world.add(cube());
  const BodyId first = world.add(cube(), at(-3)), second = world.add(cube(), at(-6)), clay = world.add(cube(), at(-9));
  world.sweep();
  world.move(first, at(0));
  world.move(second, at(-1));
  world.deform(clay, moved_by(cube(), {7, 0, 0}));
  const SweepResult r = world.sweep(apart(0.5, true));
  ASSERT_EQ(r.contacts.size(), 3u);
  EXPECT_NEAR(world.pose(first).translation().x, -1.5, 1e-4);
  EXPECT_NEAR(world.pose(second).translation().x, -3, 1e-4);
  EXPECT_NEAR(world.body(clay).box().hi.x, 9 - 4, 1e-4);
  EXPECT_EQ(farther_than(world, 0.5).size(), 6u);
}

TEST(SweepSeparation, ATriggerStopsNobody) {
  World world;
  const BodyId gate = world.add(cube()), walker = world.add(cube(), at(-5));
  world.trigger(gate, true);
  world.sweep();
  world.move(walker, at(-1.2));
  const SweepResult r = world.sweep(apart(0.5, true));
  EXPECT_EQ(r.status, Status::free);
  EXPECT_EQ(r.triggers.size(), 1u);
  EXPECT_EQ(world.pose(walker), at(-1.2));
}

TEST(SweepSeparation, ALimitKeepsTheRestOfTheWay) {
  const Body knot(make::torus_knot({.triangles = 2880}));
  int rests = 0;
  for (std::uint64_t work = 16; work < 100000; work *= 4)
    for (const bool each : {false, true}) {
      World world;
      world.add(knot);
      const BodyId moving = world.add(knot, Pose({9, 0.1, 0.2}, {1, 0.2, 0.3, 0}));
      world.sweep();
      world.move(moving, Pose({-9, 0, 0}, {1, 0.5, 0.3, 0.2}));
      SweepOptions o = apart(0.2, each);
      o.work = work;
      for (int i = 0; i < 4; ++i) {
        const SweepResult r = world.sweep(o);
        ASSERT_EQ(farther_than(world, 0.2).size(), 1u);
        if (r.status != Status::undecided) break;
        ++rests;
        EXPECT_TRUE(world.destination(moving));
      }
      world.sweep(apart(0.2, each));
      EXPECT_EQ(farther_than(world, 0.2).size(), 1u);
      EXPECT_FALSE(world.destination(moving));
      EXPECT_GT(world.pose(moving).translation().x, 0);
    }
  EXPECT_GT(rests, 2);
}

/// Crowds of rigid, deforming and articulated bodies, in a frame and out of it, over a half-space: what starts farther
/// apart than the separation stands farther apart, and what starts within it stays.
TEST(SweepSeparation, RandomCrowds) {
  const std::uint64_t seed = RandomBudget::seed(31);
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  RandomBudget budget(12);
  const auto number = [&] { return static_cast<double>(random() >> 11) * 0x1p-53 - 0.5; };
  int stopped = 0, within_at_start = 0;
  while (budget.more()) {
    const double separations[] = {1e-12, 1e-6, 0.05, 0.4};
    const double d = separations[random() % 4], side = 7;
    World world({.threads = 1 + static_cast<int>(random() % 2)});
    const FrameId frame = world.add_frame(random_pose(random, 1));
    const std::vector<Body> kinds{cube(), Body(make::sphere({.radius = 0.6, .triangles = 80})), cube(),
                                  Body(shape::Sphere{0.5}), Body(shape::Capsule{0.3, 1})};
    world.add(Body(shape::HalfSpace{}), at(0, 0, -2));
    Joint joint;
    joint.type = JointType::revolute;
    Joint elbow = joint;
    elbow.origin = at(1.2);
    const Chain chain({{"a", "", joint}, {"b", "a", elbow}});
    const Body bar(make::box({.size = {1, 0.2, 0.2}}));
    const std::vector<LinkBody> links{{LinkId{0}, bar}, {LinkId{1}, bar}};
    std::vector<double> coordinates{0.1, 0.2};
    const ArticulatedId robot = world.add(chain, links, coordinates, random_pose(random, side));
    std::vector<BodyId> ids;
    for (std::size_t i = 0; i < 12; ++i) {
      BodySettings settings;
      if (i % 4 == 3) settings.frame = frame;
      const BodyId id = world.add(kinds[i % 5], random_pose(random, side), settings);
      if (brute_contacts(world).empty() || random() % 16 == 0)
        ids.push_back(id);
      else
        world.remove(id);
    }
    world.sweep();
    for (int step = 0; step < 4; ++step) {
      SweepOptions options = apart(d, random() % 2);
      options.earliest = !options.each && random() % 2;
      if (random() % 4 == 0) options.work = 1 + random() % 200;
      const std::set<BodyPair> before = farther_than(world, d);
      std::vector<Pose> poses;
      for (const BodyId id : ids) poses.push_back(world.pose(id));
      for (std::size_t i = 0; i < ids.size(); ++i) {
        const std::uint64_t kind = random() % 4;
        if (kind > 0) world.move(ids[i], random_pose(random, side));
        if (kind == 3) world.move(ids[i], Pose(poses[i].translation() + Vec3{number(), number(), number()}));
        if (kind == 0 && world.body(ids[i]).has_mesh()) {
          std::vector<Vec3> next = moved_by(world.body(ids[i]), {3 * number(), 3 * number(), 3 * number()});
          for (Vec3& p : next) p = p * (1 + number() / 4);
          world.deform(ids[i], next);
        }
      }
      for (double& q : coordinates) q += number();
      world.move(robot, coordinates, random_pose(random, side));
      const SweepResult r = world.sweep(options);
      ASSERT_NE(r.status, Status::invalid_request);
      const std::set<BodyPair> after = farther_than(world, d);
      for (const BodyPair& p : before) ASSERT_TRUE(after.contains(p)) << p.first.slot << " and " << p.second.slot;
      stopped += r.status == Status::contact;
      for (const SweepContact& c : r.contacts) {
        if (c.contact.status != Status::touching_at_start) continue;
        ++within_at_start;
        for (std::size_t i = 0; i < ids.size(); ++i)
          if (ids[i] == c.a || ids[i] == c.b) {
            EXPECT_EQ(world.pose(ids[i]), poses[i]);
          }
      }
    }
  }
  EXPECT_GT(stopped, RandomBudget::is_whole() ? 5 : 1);
  EXPECT_GT(within_at_start, 0);
}

/// Of rigid bodies every answer is that of `first_contact`, and no pair is missing.
TEST(SweepSeparation, IsAsFirstContactSays) {
  std::mt19937_64 random(RandomBudget::seed(32));
  RandomBudget budget(6);
  while (budget.more()) {
    World world;
    std::vector<BodyId> ids;
    std::vector<Pose> from, to;
    const std::vector<Body> kinds{cube(), Body(make::tetrahedron()), Body(shape::Cylinder{0.4, 1})};
    for (std::size_t i = 0; i < 10; ++i) {
      from.push_back(random_pose(random, 8));
      ids.push_back(world.add(kinds[i % 3], from.back()));
    }
    world.sweep();
    for (std::size_t i = 0; i < ids.size(); ++i) {
      to.push_back(random_pose(random, 8));
      world.move(ids[i], to[i]);
    }
    const SweepResult r = world.sweep(apart(0.3, false));
    std::size_t next = 0;
    for (std::size_t i = 0; i < ids.size(); ++i)
      for (std::size_t j = i + 1; j < ids.size(); ++j) {
        const FirstContactResult expected =
            first_contact(world.body(ids[i]), Velocity(from[i], to[i]), world.body(ids[j]), Velocity(from[j], to[j]),
                          {.min_separation = 0.3});
        if (expected.status == Status::free) continue;
        ASSERT_LT(next, r.contacts.size());
        ASSERT_EQ(r.contacts[next].a, ids[i]);
        ASSERT_EQ(r.contacts[next].b, ids[j]);
        ASSERT_EQ(r.contacts[next].contact.status, expected.status);
        ASSERT_EQ(r.contacts[next].contact.time.safe, expected.time.safe);
        ++next;
      }
    ASSERT_EQ(next, r.contacts.size());
  }
}

}  // namespace
}  // namespace graze::testing
