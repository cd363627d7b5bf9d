// SPDX-License-Identifier: MIT
// What events carry on request: the same as the questions themselves answer, on any number of threads.
#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include <graze/mesh/make.hpp>
#include <graze/world/concurrent.hpp>
#include <graze/world/world.hpp>

namespace graze {
namespace {

std::vector<WorldEvent> events_of(int threads, const ContactDetails& details) {
  World world({.threads = threads});
  world.add(Body(shape::HalfSpace{}));
  const Body box(shape::Box{{1, 1, 1}}), ring(make::torus({.triangles = 200}));
  for (int i = 0; i < 12; ++i) world.add(box, Pose({1.5 * i, 0, 0.49}));
  for (int i = 0; i < 3; ++i) world.add(ring, Pose({1.5 * i, 0, 1.2}));
  return world.check({.details = details}).events;
}

TEST(ContactDetails, AreTheAnswersOfTheQuestions) {
  const ContactDetails details{.all_pairs = true, .manifold = true, .depth = true, .margin = 0.01};
  const std::vector<WorldEvent> one = events_of(1, details), many = events_of(4, details), none = events_of(1, {});
  ASSERT_EQ(one.size(), many.size());
  ASSERT_EQ(one.size(), none.size());
  EXPECT_EQ(event_hash(one), event_hash(none));
  EXPECT_GT(one.size(), 14u);
  bool any_triangles = false;
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_FALSE(none[i].manifold || none[i].depth);
    EXPECT_TRUE(none[i].all_pairs.empty());
    ASSERT_TRUE(one[i].manifold && one[i].depth && many[i].manifold && many[i].depth);
    EXPECT_EQ(one[i].manifold->status, Status::contact);
    EXPECT_EQ(one[i].depth->status, Status::contact);
    EXPECT_EQ(one[i].all_pairs, many[i].all_pairs);
    any_triangles = any_triangles || one[i].all_pairs.size() > 1;
    EXPECT_EQ(one[i].depth->upper, many[i].depth->upper);
    ASSERT_EQ(one[i].manifold->patches.size(), many[i].manifold->patches.size());
    for (std::size_t k = 0; k < one[i].manifold->patches.size(); ++k) {
      const ManifoldPatch &x = one[i].manifold->patches[k], &y = many[i].manifold->patches[k];
      EXPECT_EQ(x.normal, y.normal);
      ASSERT_EQ(x.points.size(), y.points.size());
      for (std::size_t j = 0; j < x.points.size(); ++j) {
        EXPECT_EQ(x.points[j].points, y.points[j].points);
        EXPECT_EQ(x.points[j].id, y.points[j].id);
      }
    }
  }
  EXPECT_TRUE(any_triangles);
}

TEST(ContactDetails, ACancelledCheckHasUndecidedDetailsAtMost) {
  World world;
  world.add(Body(shape::HalfSpace{}));
  world.add(Body(shape::Box{{1, 1, 1}}));
  const CancelSource source;
  source.cancel();
  const CheckResult stopped = world.check({.cancel = source.token(), .details = {.manifold = true}});
  EXPECT_TRUE(stopped.events.empty());
  EXPECT_EQ(stopped.undecided.size(), 1u);
  const CheckResult again = world.check({.details = {.manifold = true}});
  ASSERT_EQ(again.events.size(), 1u);
  EXPECT_EQ(again.events[0].manifold->patches.size(), 1u);
}

TEST(ContactDetails, ReachCallbacksAndAConcurrentWorld) {
  ConcurrentWorld world({.check = {.details = {.manifold = true}}, .every_frame = true});
  world.add(Body(shape::HalfSpace{}));
  const BodyId box = world.add(Body(shape::Box{{1, 1, 1}}), Pose({0, 0, 0.5}));
  world.post();
  world.move(box, Pose({0, 0, 3}));
  world.post();
  world.wait();
  std::vector<CheckResult> results;
  world.take(results);
  ASSERT_EQ(results.size(), 2u);
  ASSERT_EQ(results[0].events.size(), 1u);
  ASSERT_TRUE(results[0].events[0].manifold);
  EXPECT_EQ(results[0].events[0].manifold->patches[0].points.size(), 4u);
  ASSERT_EQ(results[1].events.size(), 1u);
  EXPECT_FALSE(results[1].events[0].manifold);  // it ended
}

TEST(ConcurrentQuestions, CastsOverlapsAndNearestBodies) {
  ConcurrentWorld world({.every_frame = true});
  const BodyId box = world.add(Body(shape::Box{{1, 1, 1}}));
  const Body ball(shape::Sphere{0.5});
  {
    std::string method = "best_first";
    world.ask_cast(ball, Velocity(Pose({0, 0, 3}), Pose({0, 0, -1})), {.method = method});
    method = "gone by then";
  }
  world.ask_overlap(ball, Pose({0.9, 0, 0}));
  world.ask_nearest({3.5, 0, 0}, 1);
  world.ask_ray({0, 0, 3}, {0, 0, -3}, {.hits = WorldRayHits::all});
  world.ask_cast(ball, Still{}, {.min_separation = -1});
  world.post();
  world.wait();
  std::vector<ConcurrentAnswer> answers;
  world.take(answers);
  ASSERT_EQ(answers.size(), 5u);
  const CastResult& cast = std::get<CastResult>(answers[0].answer);
  EXPECT_EQ(cast.status, Status::contact);
  EXPECT_NEAR(cast.earliest->contact.time.touch, 0.5, 1e-6);
  ASSERT_EQ(answers[0].poses.size(), 1u);
  EXPECT_EQ(answers[0].poses[0].body, box);
  EXPECT_EQ(std::get<OverlapResult>(answers[1].answer).bodies, std::vector<BodyId>{box});
  EXPECT_DOUBLE_EQ(std::get<NearestResult>(answers[2].answer).bodies.at(0).distance, 3);
  EXPECT_EQ(std::get<std::vector<BodyHit>>(answers[3].answer).size(), 2u);
  EXPECT_TRUE(answers[4].error);
}

}  // namespace
}  // namespace graze
