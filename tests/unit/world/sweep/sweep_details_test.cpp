// SPDX-License-Identifier: MIT
// What contacts of a sweep carry on request: the answers of the questions, where the bodies are when they touch.
#include <gtest/gtest.h>

#include <vector>

#include "unit/world/help.hpp"

namespace graze::testing {
namespace {

SweepOptions with_details(bool advance, bool each) {
  SweepOptions o;
  o.advance = advance;
  o.each = each;
  o.details = {.all_pairs = true, .manifold = true, .depth = true};
  return o;
}

TEST(SweepDetails, ACrateThatFallsHasFourPointsWhereItMeetsTheFloor) {
  for (const bool advance : {false, true})
    for (const bool each : {false, true}) {
      if (each && !advance) continue;
      World world;
      world.add(Body(shape::HalfSpace{}));
      const BodyId crate = world.add(Body(shape::Box{{1, 1, 1}}), at(0, 0, 2)), meshed = world.add(cube(), at(5, 0, 2));
      world.sweep();
      world.move(crate, at(1, 0, 0));
      world.move(meshed, at(6, 0, 0));
      const SweepResult r = world.sweep(with_details(advance, each));
      ASSERT_EQ(r.contacts.size(), 2u);
      for (const SweepContact& c : r.contacts) {
        ASSERT_TRUE(c.manifold);
        ASSERT_EQ(c.manifold->patches.size(), 1u);
        ASSERT_EQ(c.manifold->patches[0].points.size(), 4u);
        EXPECT_NEAR(c.manifold->patches[0].points[0].points[0].z, 0, 1e-5);
        EXPECT_NEAR(c.manifold->patches[0].normal.z, 1, 1e-9);
      }
      // At the time of the contact it has moved by three quarters of its path along x.
      double least = 9;
      for (const ManifoldPoint& p : r.contacts[0].manifold->patches[0].points) least = std::min(least, p.points[0].x);
      EXPECT_NEAR(least, 0.75 - 0.5, 1e-4);
      World plain;
      plain.add(Body(shape::HalfSpace{}));
      plain.add(Body(shape::Box{{1, 1, 1}}), at(0, 0, 2));
      plain.sweep();
      plain.move(crate, at(1, 0, 0));
      const SweepResult none = plain.sweep({.advance = advance, .each = each});
      EXPECT_FALSE(none.contacts[0].manifold || none.contacts[0].depth);
      EXPECT_EQ(none.contacts[0].contact.time.touch, r.contacts[0].contact.time.touch);
    }
}

TEST(SweepDetails, BodiesThatOverlapAtTheStartAreTheAnswersOfTheQuestions) {
  for (const int threads : {1, 4}) {
    World world({.threads = threads});
    const Body stool = compound({{cube()}, {Body(shape::Sphere{0.75}), at(1)}});
    std::vector<BodyId> ids{world.add(cube()), world.add(cube(), at(0.75, 0.1)), world.add(stool, at(0, 0.8))};
    std::vector<Pose> start;
    for (const BodyId id : ids) start.push_back(world.pose(id));
    world.sweep();
    for (const BodyId id : ids) world.move(id, at(0, 9.0 * id.slot));
    const SweepResult r = world.sweep(with_details(false, false));
    ASSERT_EQ(r.contacts.size(), 3u);
    for (const SweepContact& c : r.contacts) {
      ASSERT_EQ(c.contact.status, Status::touching_at_start);
      const auto asked = [&](auto&& question) {
        return question(world.body(c.a), start[c.a.slot], world.body(c.b), start[c.b.slot]);
      };
      CollideOptions all;
      all.all = true;
      const CollideResult hits = asked([&](auto&&... x) { return collide(x..., all); });
      EXPECT_EQ(c.all_pairs, hits.pairs);
      EXPECT_EQ(c.piece_contacts.size(), hits.piece_contacts.size());
      ASSERT_TRUE(c.manifold && c.depth);
      EXPECT_EQ(c.depth->upper, asked([](auto&&... x) { return penetration(x...); }).upper);
      EXPECT_EQ(c.manifold->patches.size(), asked([](auto&&... x) { return manifold(x...); }).patches.size());
    }
  }
}

TEST(SweepDetails, OfABodyThatDeformsATriggerAndASeparation) {
  World world;
  const BodyId clay = world.add(cube());
  world.add(Body(shape::Cylinder{1, 1}), at(0, 0, -3));
  world.add(Body(shape::Box{{4, 4, 1}}), at(0, 0, -2), {.trigger = true});
  world.sweep();
  std::vector<Vec3> next(cube().mesh().positions().begin(), cube().mesh().positions().end());
  for (Vec3& p : next) p.z -= 4;
  world.deform(clay, next);
  SweepOptions o = with_details(true, false);
  o.min_separation = 0.25;
  const SweepResult r = world.sweep(o);
  ASSERT_EQ(r.contacts.size(), 1u);
  ASSERT_EQ(r.triggers.size(), 1u);
  for (const SweepContact& c : {r.contacts[0], r.triggers[0]}) {
    ASSERT_TRUE(c.manifold);
    ASSERT_EQ(c.manifold->patches.size(), 1u);
    EXPECT_FALSE(c.depth);
    EXPECT_NEAR(c.manifold->patches[0].points[0].depth, -0.25, 1e-4);
  }
}

TEST(SweepDetails, ASweepThatIsCancelledAmongThemHasNoAnswerAndLosesNothing) {
  World world;
  world.add(Body(shape::HalfSpace{}));
  const BodyId crate = world.add(cube(), at(0, 0, 2));
  world.sweep();
  world.move(crate, at(0, 0, 0));
  const CancelSource source;
  source.cancel();
  SweepOptions o = with_details(true, false);
  o.cancel = source.token();
  EXPECT_EQ(world.sweep(o).status, Status::undecided);
  EXPECT_EQ(world.sweep(with_details(true, false)).status, Status::contact);
}

}  // namespace
}  // namespace graze::testing
