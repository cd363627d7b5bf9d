// SPDX-License-Identifier: MIT
// Worlds with compounds: checks, near pairs, sweeps, rays and boxes as the pair questions answer; recordings.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>

#include <graze/mesh/make.hpp>
#include <graze/world/replay.hpp>
#include <graze/world/world.hpp>

namespace graze {
namespace {

Body dumbbell() {
  return compound({{Body(shape::Sphere{0.4}), Pose({-1, 0, 0}), "left"},
                   {Body(make::cylinder({.radius = 0.1, .height = 2, .triangles = 64})), Pose({}, {1, 0, 1, 0}), "bar"},
                   {Body(shape::Box{{0.6, 0.6, 0.6}}), Pose({1, 0, 0}), "right"}});
}

TEST(WorldCompound, AnswersAsThePairQuestions) {
  for (const char* broad : {"automatic", "all_pairs", "grid", "octree", "sweep", "tree", "strips"})
    for (const BroadBoxes boxes : {BroadBoxes::aligned, BroadBoxes::tilted, BroadBoxes::cubes}) {
      World world({.broad = broad, .boxes = boxes});
      const BodyId floor = world.add(Body(shape::HalfSpace{}));
      std::vector<BodyId> ids;
      std::vector<Pose> poses;
      for (int i = 0; i < 8; ++i) {
        poses.push_back(Pose({1.1 * i, 0.3 * (i % 3), 0.35 + 0.2 * (i % 4)}, {1, 0.2 * i, 0.1, 0.3 * i}));
        ids.push_back(world.add(dumbbell(), poses.back()));
      }
      const CheckResult result = world.check();
      std::size_t at = 0;
      const Body bell = dumbbell(), ground(shape::HalfSpace{});
      const auto expect = [&](BodyId a, BodyId b, const CollideResult& hit) {
        if (hit.status != Status::contact) return;
        ASSERT_LT(at, result.events.size()) << broad;
        EXPECT_EQ(result.events[at].a, a);
        EXPECT_EQ(result.events[at].b, b);
        EXPECT_EQ(result.events[at].pieces, hit.pieces);
        EXPECT_EQ(result.events[at].features, hit.features);
        ++at;
      };
      for (std::size_t i = 0; i < ids.size(); ++i) expect(floor, ids[i], collide(ground, Pose(), bell, poses[i]));
      for (std::size_t i = 0; i < ids.size(); ++i)
        for (std::size_t j = i + 1; j < ids.size(); ++j)
          expect(ids[i], ids[j], collide(bell, poses[i], bell, poses[j]));
      EXPECT_EQ(at, result.events.size());
      EXPECT_GT(at, 3u);
      const NearResult near = world.near(0.3);
      std::size_t count = 0;
      for (std::size_t i = 0; i < ids.size(); ++i) {
        count += within(0.3, ground, Pose(), bell, poses[i]).status == Status::contact;
        for (std::size_t j = i + 1; j < ids.size(); ++j)
          count += within(0.3, bell, poses[i], bell, poses[j]).status == Status::contact;
      }
      EXPECT_EQ(near.pairs.size(), count);
      for (const NearPair& p : near.pairs) EXPECT_TRUE(p.distance.pieces);
    }
}

TEST(WorldCompound, RaysAndBoxes) {
  World world;
  const BodyId bell = world.add(dumbbell());
  const BodyId ball = world.add(Body(shape::Sphere{0.2}), Pose({0, 3, 0}));
  const std::vector<BodyHit> hits = world.ray({-5, 0, 0}, {5, 0, 0});
  ASSERT_EQ(hits.size(), 1u);
  EXPECT_EQ(hits[0].body, bell);
  EXPECT_EQ(hits[0].hit.piece, PieceId{0});
  // Two solids that both contain the start.
  const BodyId more = world.add(Body(shape::Box{{1, 1, 1}}), Pose({-1, 0, 0}));
  const std::vector<BodyHit> inside = world.ray({-1, 0, 0}, {-1, 0, 5});
  ASSERT_EQ(inside.size(), 2u);
  EXPECT_EQ(inside[0].body, bell);
  EXPECT_EQ(inside[1].body, more);
  EXPECT_EQ(world.in_box({{0.9, -0.1, -0.1}, {1.1, 0.1, 0.1}}), std::vector<BodyId>{bell});  // inside a piece
  EXPECT_EQ(world.in_box({{-0.4, 0.2, 0.2}, {0.4, 0.3, 0.3}}), std::vector<BodyId>{});       // between the pieces
  EXPECT_EQ(world.in_box({{-1, 2, -1}, {1, 4, 1}}), std::vector<BodyId>{ball});              // around the ball
  EXPECT_EQ(world.in_box({{0.15, 3.15, 0.15}, {0.3, 3.3, 0.3}}), std::vector<BodyId>{});     // a corner of its box
}

TEST(WorldCompound, ASweepStopsAtThePieceThatTouchesFirst) {
  World world;
  world.add(Body(shape::HalfSpace{}));
  const Quat tilt{std::cos(0.2), 0, std::sin(0.2), 0};  // the right end is lower
  const BodyId bell = world.add(dumbbell(), Pose({0, 0, 3}, tilt));
  world.sweep();
  world.move(bell, Pose({0, 0, -3}, tilt));
  const SweepResult result = world.sweep({.advance = true});
  ASSERT_EQ(result.status, Status::contact);
  EXPECT_EQ((*result.contacts[0].contact.pieces)[1], PieceId{2});
  EXPECT_TRUE(result.advanced);
  EXPECT_TRUE(world.check().events.empty());
  EXPECT_EQ(world.near(1e-4).pairs.size(), 1u);
}

TEST(WorldCompound, Recordings) {
  const std::string file = ::testing::TempDir() + "/compound.world";
  std::uint64_t hash = 0;
  {
    World world;
    world.record(file);
    std::vector<BodyId> ids;
    const Body bell = dumbbell();
    for (int i = 0; i < 5; ++i) ids.push_back(world.add(bell, Pose({1.5 * i, 0, 0}, {1, 0.1 * i, 0, 0.2 * i})));
    world.add(compound({{bell, Pose({0, 1, 0}), "nested \"quoted\""}, {Body(make::box({})), Pose({0, 2, 1})}}));
    for (int frame = 0; frame < 4; ++frame) {
      hash = event_hash(world.check().events, hash);
      world.sweep();
      world.near(0.2);
      world.ray({-3, 0, 0.1}, {9, 0.1, 0});
      world.move(ids[static_cast<std::size_t>(frame)], Pose({1.5 * frame, 0.3, 0.2}));
    }
  }
  const ReplayResult replayed = replay_world(file);
  EXPECT_EQ(replayed.event_hash, hash);
  EXPECT_TRUE(replayed.different.empty());
  EXPECT_GT(replayed.events, 0u);
  std::remove(file.c_str());
}

}  // namespace
}  // namespace graze
