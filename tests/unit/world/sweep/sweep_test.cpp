// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "random_budget.hpp"
#include "unit/world/help.hpp"

namespace graze::testing {
namespace {

TEST(WorldSweep, FindsWhatEndsMiss) {
  World world;
  const BodyId wall = world.add(Body(make::box({.size = {0.1, 10, 10}})));
  const BodyId bullet = world.add(cube(), at(-5));
  EXPECT_EQ(world.sweep().status, Status::free);
  world.move(bullet, at(5));
  EXPECT_TRUE(world.check().events.empty());
  const SweepResult r = world.sweep();
  ASSERT_EQ(r.status, Status::contact);
  ASSERT_EQ(r.contacts.size(), 1u);
  EXPECT_EQ(r.contacts[0].a, wall);
  EXPECT_EQ(r.contacts[0].b, bullet);
  EXPECT_NEAR(r.contacts[0].contact.time.touch, 0.445, 1e-5);
  EXPECT_LE(r.safe, r.contacts[0].contact.time.touch);
  EXPECT_EQ(world.sweep().status, Status::free);  // nothing moved since
  world.move(bullet, at(6));
  EXPECT_EQ(world.sweep().status, Status::free);  // from where it was, not from the other side
}

TEST(WorldSweep, AdvancesToTheEarliest) {
  World world;
  const BodyId wall = world.add(Body(make::box({.size = {0.1, 10, 10}})));
  const BodyId bullet = world.add(cube(), at(-5)), slow = world.add(cube(), at(0, 20)), late = world.add(cube(), at(9));
  world.move(bullet, at(5));
  world.move(slow, at(1, 20));
  world.move(late, at(0.3));
  const SweepResult r = world.sweep({.earliest = true, .advance = true});
  ASSERT_TRUE(r.earliest);
  EXPECT_TRUE(r.advanced);
  ASSERT_EQ(r.contacts.size(), 1u);
  EXPECT_EQ(r.contacts[0].b, bullet);
  const double t = r.safe;
  EXPECT_NEAR(world.pose(bullet).translation().x, -5 + 10 * t, 1e-12);
  EXPECT_NEAR(world.pose(slow).translation().x, t, 1e-12);
  EXPECT_TRUE(world.check().events.empty());
  world.move(slow, at(1, 20));
  EXPECT_EQ(world.sweep().status, Status::free);  // on from where the world was put
  EXPECT_TRUE(world.has(wall));
  EXPECT_TRUE(world.has(late));
}

TEST(WorldSweep, ARefusalLosesNoPath) {
  World world;
  const FrameId frame = world.add_frame();
  world.add(Body(make::box({.size = {0.1, 10, 10}})));
  const BodyId bullet = world.add(cube(), at(-5), {.frame = frame});
  world.sweep();
  world.move(bullet, at(5));
  EXPECT_EQ(world.sweep({.advance = true, .ignore_start_if_separating = true, .min_separation = 1}).status,
            Status::invalid_request);
  EXPECT_EQ(world.sweep({.method = "no such"}).status, Status::invalid_request);
  EXPECT_EQ(world.sweep().status, Status::contact);  // the whole path is still to be tested
  EXPECT_EQ(world.sweep().status, Status::free);
}

/// Every pair's answer is that of `first_contact`, and no pair in contact is left out.
TEST(WorldSweep, EveryPairIsAsFirstContactSays) {
  const std::uint64_t seed = RandomBudget::seed(5);
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  RandomBudget budget(3);
  const std::vector<Body> kinds{cube(), Body(make::tetrahedron()),
                                Body(make::torus({.major = 0.5, .minor = 0.2, .triangles = 128}))};
  while (budget.more()) {
    World world({.threads = 1 + static_cast<int>(random() % 2)});
    std::vector<BodyId> ids;
    std::vector<Pose> from;
    for (std::size_t i = 0; i < 12; ++i) {
      from.push_back(random_pose(random, 5));
      ids.push_back(world.add(kinds[i % 3], from.back()));
    }
    world.sweep();
    for (int frame = 0; frame < 2; ++frame) {
      std::vector<Pose> to = from;
      for (std::size_t i = 0; i < 6; ++i) {
        const std::size_t which = random() % ids.size();
        to[which] = random_pose(random, 5);
        world.move(ids[which], to[which]);
      }
      const SweepResult r = world.sweep();
      std::size_t at = 0;
      for (std::size_t i = 0; i < ids.size(); ++i)
        for (std::size_t j = i + 1; j < ids.size(); ++j) {
          if (from[i] == to[i] && from[j] == to[j]) continue;
          const FirstContactResult expected =
              first_contact(world.body(ids[i]), Velocity(from[i], to[i]), world.body(ids[j]), Velocity(from[j], to[j]));
          if (expected.status == Status::free) continue;
          ASSERT_LT(at, r.contacts.size());
          ASSERT_EQ(r.contacts[at].a, ids[i]);
          ASSERT_EQ(r.contacts[at].b, ids[j]);
          ASSERT_EQ(r.contacts[at].contact.status, expected.status);
          ASSERT_NEAR(r.contacts[at].contact.time.touch, expected.time.touch, 1e-5);
          ++at;
        }
      ASSERT_EQ(at, r.contacts.size());
      from = to;
    }
  }
}

TEST(WorldSweep, LinksMoveAsTheirJointsDo) {
  World world;
  Joint joint;
  joint.type = JointType::revolute;
  const Chain chain({{"arm", "", joint}});
  const std::vector<LinkBody> links{{LinkId{0}, Body(make::box({.size = {4, 0.1, 0.1}}))}};
  const ArticulatedId robot = world.add(chain, links, std::vector<double>{0});
  world.add(cube(), at(0, 2));  // the arm sweeps through it and ends beyond, as it was
  world.move(robot, std::vector<double>{3.14159});
  const SweepResult r = world.sweep();
  ASSERT_EQ(r.status, Status::contact);
  EXPECT_GT(r.safe, 0.2);
  EXPECT_LT(r.safe, 0.5);
  // Again, with the option to stop there: half the turn is not done.
  world.move(robot, std::vector<double>{0});
  EXPECT_TRUE(world.sweep({.advance = true}).advanced);
  EXPECT_TRUE(world.check().events.empty());
}

TEST(WorldSweep, DeformingBodiesGoStraight) {
  World world;
  const BodyId clay = world.add(cube());
  const BodyId plate = world.add(Body(make::box({.size = {0.1, 4, 4}})), at(2));
  world.sweep();
  std::vector<Vec3> far(world.body(clay).mesh().positions().begin(), world.body(clay).mesh().positions().end());
  for (Vec3& p : far) p.x += 4;
  world.deform(clay, far);
  EXPECT_TRUE(world.check().events.empty());
  const SweepResult r = world.sweep();
  ASSERT_EQ(r.status, Status::contact);
  EXPECT_TRUE(r.contacts[0].straight_vertices);
  EXPECT_EQ(r.contacts[0].b, plate);
  EXPECT_NEAR(r.contacts[0].contact.time.touch, 1.45 / 4, 1e-4);
  EXPECT_FALSE(r.contacts[0].contact.features.empty());
  EXPECT_EQ(world.sweep().status, Status::free);
}

TEST(WorldNear, PairsWithinADistance) {
  World world;
  const BodyId a = world.add(cube()), b = world.add(cube(), at(2)), c = world.add(cube(), at(0, 4));
  const std::vector<NearPair> near = world.near(1).pairs;
  ASSERT_EQ(near.size(), 1u);  // exactly 1 apart
  EXPECT_EQ(near[0].a, a);
  EXPECT_EQ(near[0].b, b);
  EXPECT_NEAR(near[0].distance.distance, 1, 1e-9);
  EXPECT_EQ(world.near(0.999).status, Status::free);
  world.interest(a, b, false);
  EXPECT_EQ(world.near(1).status, Status::free);
  EXPECT_EQ(world.near(3).pairs.size(), 1u);
  EXPECT_EQ(world.near(-1).status, Status::invalid_request);
  EXPECT_TRUE(world.has(c));
}

TEST(WorldRay, HitsInOrder) {
  World world;
  const BodyId a = world.add(cube()), b = world.add(cube(), at(3)),
               c = world.add(cube(), Pose({6, 0, 0}, {1, 0, 0, 0.5}));
  const std::vector<BodyHit> hits = world.ray({9, 0.1, 0.2}, {-3, 0.1, 0.2});
  ASSERT_EQ(hits.size(), 3u);
  EXPECT_EQ(hits[0].body, c);
  EXPECT_EQ(hits[1].body, b);
  EXPECT_NEAR(hits[1].hit.point.x, 3.5, 1e-12);
  EXPECT_EQ(hits[2].body, a);
  EXPECT_NEAR(hits[2].hit.fraction, 8.5 / 12, 1e-12);
  EXPECT_TRUE(world.ray({9, 2, 0}, {-3, 2, 0}).empty());
  EXPECT_EQ(world.ray({0, 0.5, -2}, {0, 0.5, 2}).size(), 1u);     // along a face: touching counts
  EXPECT_EQ(world.ray({0, 0.5, 0.1}, {0, 0.5, 0.1}).size(), 1u);  // a point on it
  EXPECT_TRUE(world.ray({0, 0, 0}, {0.1, 0, 0}).empty());         // inside: no surface
}

TEST(WorldRay, FindsWhatEveryBodyFinds) {
  std::mt19937_64 random(12);
  World world;
  for (int i = 0; i < 60; ++i) world.add(cube(), random_pose(random, 8));
  for (int i = 0; i < 50; ++i) {
    const Vec3 from = random_pose(random, 8).translation(), to = random_pose(random, 8).translation();
    std::size_t expected = 0;
    for (const BodyId id : world.bodies()) expected += cast_ray(cube(), world.pose(id), from, to).hit.has_value();
    ASSERT_EQ(world.ray(from, to).size(), expected);
  }
}

/// Against asking every triangle by `collide` with the way as a triangle of no area.
TEST(WorldRay, IsExact) {
  std::mt19937_64 random(11);
  const Body knot(make::torus_knot({.triangles = 2880}));
  int hits = 0;
  for (int i = 0; i < 300; ++i) {
    const Pose pose = random_pose(random, 1);
    const Vec3 from = random_pose(random, 3).translation(), to = random_pose(random, 3).translation();
    const Body way(Mesh({from, to}, std::vector<Triangle>{{0, 1, 1}}));
    const CollideResult expected = collide(way, Pose(), knot, pose, {.all = true});
    const RayResult r = cast_ray(knot, pose, from, to);
    ASSERT_EQ(r.hit.has_value(), expected.status == Status::contact);
    if (!r.hit) continue;
    ++hits;
    const bool listed = std::any_of(expected.pairs.begin(), expected.pairs.end(),
                                    [&](const TrianglePair& p) { return p.b == r.hit->triangle; });
    ASSERT_TRUE(listed);
  }
  EXPECT_GT(hits, 20);
}

TEST(WorldBox, SurfacesThatMeetOrLieInIt) {
  World world;
  const BodyId a = world.add(cube()), b = world.add(cube(), at(5)),
               c = world.add(Body(make::cloth_sheet({.triangles = 2})), at(9));
  EXPECT_EQ(world.in_box({{-9, -9, -9}, {3, 9, 9}}), std::vector<BodyId>{a});             // wholly inside
  EXPECT_EQ(world.in_box({{4.5, 0, 0}, {4.5, 0, 0}}), std::vector<BodyId>{b});            // a point on its face
  EXPECT_EQ(world.in_box({{-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1}}), std::vector<BodyId>{});  // the box inside the body
  EXPECT_EQ(world.in_box({{5.5, -9, -9}, {20, 9, 9}}), (std::vector<BodyId>{b, c}));
  EXPECT_THROW(world.in_box({{1, 0, 0}, {0, 0, 0}}), Error);
}

}  // namespace
}  // namespace graze::testing
