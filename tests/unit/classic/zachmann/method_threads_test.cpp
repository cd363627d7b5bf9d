// SPDX-License-Identifier: MIT
// The methods of the thesis that share one query out to threads (6.3): the same bits with any number of them.
#include <gtest/gtest.h>

#include <string>

#include <graze/ask/collide.hpp>
#include <graze/classic/zachmann.hpp>
#include <graze/core/method_counters.hpp>
#include <graze/mesh/make.hpp>

#include "oracle/pose_generators.hpp"

namespace graze {
namespace {

struct ThreadAnswer {
  CollideResult result;
  MethodCounters own;
};

ThreadAnswer with_threads(const Body& a, const Body& b, const Pose& pose_b, CollideOptions options, int threads) {
  ThreadAnswer answer;
  options.threads = threads;
  options.method_counters = &answer.own;
  answer.result = collide(a, Pose(), b, pose_b, options);
  return answer;
}

void expect_same_answer(const CollideResult& one, const CollideResult& more) {
  EXPECT_EQ(one.status, more.status);
  EXPECT_EQ(one.kind, more.kind);
  EXPECT_EQ(one.pairs, more.pairs);
  EXPECT_EQ(one.features, more.features);
  EXPECT_EQ(one.points, more.points);
  EXPECT_EQ(one.contained, more.contained);
}

std::string all_counters(const ThreadAnswer& answer) {
  std::string text;
  const auto add = [&](std::string_view name, std::string_view, std::uint64_t value) {
    text += std::string(name) + ' ' + std::to_string(value) + '\n';
  };
  for_each_counter(answer.result.counters, add);
  for_each_counter(answer.own, add);
  return text;
}

/// Poses from far apart to one inside the other, and some that almost touch.
std::vector<Pose> poses_of_b(double touching) {
  std::vector<Pose> poses{Pose(), Pose({5 * touching, 0, 0})};
  oracle::Random random(17);
  for (const double share : {0.2, 0.5, 0.9, 0.98, 1.0, 1.02}) {
    for (int i = 0; i < 2; ++i) {
      const Vec3 d = oracle::real_point(random);
      const Quat q = oracle::whole_quaternion(random);
      poses.push_back(Pose(d * (share * touching / length(d)), q));
    }
  }
  return poses;
}

enum class SameCounters { always, above_one };

void compare(const Body& a, const Body& b, double touching, const CollideOptions& options, SameCounters counters) {
  int contacts = 0, others = 0;
  for (const Pose& pose : poses_of_b(touching)) {
    const ThreadAnswer one = with_threads(a, b, pose, options, 1), two = with_threads(a, b, pose, options, 2);
    (one.result.status == Status::contact ? contacts : others) += 1;
    expect_same_answer(one.result, two.result);
    if (counters == SameCounters::always) {
      EXPECT_EQ(all_counters(one), all_counters(two));
    }
    for (const int threads : {3, 8}) {
      const ThreadAnswer more = with_threads(a, b, pose, options, threads);
      expect_same_answer(one.result, more.result);
      EXPECT_EQ(all_counters(two), all_counters(more));
    }
  }
  EXPECT_GT(contacts, 1);
  EXPECT_GT(others, 1);
}

Body ball_of(double radius) { return Body(make::sphere({.radius = radius, .triangles = 2000})); }

TEST(MethodThreads, ConvexClipsPartsOfTheEdges) {
  compare(ball_of(1), ball_of(0.7), 1.7, {.method = "convex", .solid = true}, SameCounters::always);
  const Body box(make::box());
  const Body ball = ball_of(0.5);
  compare(box, ball, 1.3, {.method = "convex", .solid = true}, SameCounters::always);
}

TEST(MethodThreads, BoxTreeTestsLeavesTogether) {
  const Body knot(make::torus_knot({.triangles = 4000})), ball = ball_of(1);
  for (const bool all : {false, true})
    for (const bool aligned : {false, true})
      compare(knot, ball, 2.5,
              {.method = "box_tree",
               .all = all,
               .zachmann = classic::zachmann::Options{.box_tree = {.axis_aligned = aligned}}},
              SameCounters::above_one);
}

TEST(MethodThreads, BoxTreeListsTheSamePairsOfAlmostEqualBodies) {
  const Body a = ball_of(1), b = ball_of(1.0005);
  const Pose turned({1e-5, -2e-5, 1e-5}, {0.9, 0.1, -0.3, 0.2});
  for (const bool all : {false, true}) {
    const CollideOptions options{.method = "box_tree", .all = all};
    const ThreadAnswer one = with_threads(a, b, turned, options, 1);
    EXPECT_EQ(one.result.status, Status::contact);
    EXPECT_GT(one.result.pairs.size(), all ? 1000u : 0u);
    for (const int threads : {2, 3, 8})
      expect_same_answer(one.result, with_threads(a, b, turned, options, threads).result);
  }
}

TEST(MethodThreads, SamplingTriesPartsOfOneSequence) {
  const Body ring(make::torus({.triangles = 2000})), ball = ball_of(0.3);
  for (const bool vertices : {true, false})
    compare(ring, ball, 1.5,
            {.method = "sampling",
             .solid = true,
             .zachmann = classic::zachmann::Options{.sampling = {.points = 3000, .vertices_first = vertices}}},
            SameCounters::always);
}

/// A work budget is counted by one thread, so it ends at the same place; a cancelled query ends on all threads.
TEST(MethodThreads, LimitsEndThemAtTheSamePlace) {
  const Body a = ball_of(1), b = ball_of(0.7);
  const Pose near({1.69, 0.01, 0.02});
  const CancelSource cancelled;
  cancelled.cancel();
  for (const char* method : {"convex", "box_tree", "sampling"}) {
    SCOPED_TRACE(method);
    CollideOptions options{.method = method, .solid = true};
    options.work = 500;
    const ThreadAnswer one = with_threads(a, b, near, options, 1), four = with_threads(a, b, near, options, 4);
    expect_same_answer(one.result, four.result);
    EXPECT_EQ(all_counters(one), all_counters(four));
    options.work = 0;
    options.cancel = cancelled.token();
    EXPECT_EQ(with_threads(a, b, near, options, 4).result.status, Status::undecided);
    options.cancel = {};
    options.budget = std::chrono::nanoseconds(1);
    EXPECT_EQ(with_threads(a, b, near, options, 4).result.status, Status::undecided);
  }
}

}  // namespace
}  // namespace graze
