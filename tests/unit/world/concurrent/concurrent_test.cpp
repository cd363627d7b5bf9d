// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <thread>

#include "random_budget.hpp"
#include "thread_time.hpp"
#include "unit/world/help.hpp"

namespace graze::testing {
namespace {

using Texts = std::vector<std::string>;
using namespace std::chrono_literals;

std::vector<CheckResult> all_of(ConcurrentWorld& world) {
  world.wait();
  std::vector<CheckResult> out;
  world.take(out);
  return out;
}

TEST(WorldConcurrent, TellsWhatHappenedInWhichFrame) {
  ConcurrentWorld world({.every_frame = true});
  const BodyId a = world.add(cube()), b = world.add(cube(), at(3));
  EXPECT_EQ(world.post(), 1u);
  world.move(b, at(2));
  world.move(b, at(0.5));  // the last word of a frame counts
  EXPECT_EQ(world.post(), 2u);
  world.move(b, at(0.25));
  world.post();
  world.remove(b);
  EXPECT_FALSE(world.has(b));
  EXPECT_THROW(world.move(b, Pose()), Error);
  const BodyId c = world.add(cube(), at(0, 0, 0.5));
  EXPECT_EQ(c.slot, b.slot);
  world.post();
  const std::vector<CheckResult> r = all_of(world);
  ASSERT_EQ(r.size(), 4u);
  EXPECT_EQ(texts(r[0].events), Texts{});
  EXPECT_EQ(texts(r[1].events), Texts{"began 0 1"});
  EXPECT_EQ(r[1].events[0].frame, 2u);
  EXPECT_EQ(r[1].events[0].pose_b, at(0.5));
  EXPECT_EQ(r[2].events[0].pose_b, at(0.25));
  EXPECT_EQ(texts(r[3].events), (Texts{"ended 0 1", "began 0 1"}));
  EXPECT_EQ(r[3].events[1].b, c);
  EXPECT_EQ(r[3].events[1].a, a);
  EXPECT_EQ(world.skipped_frames(), 0u);
  EXPECT_EQ(world.checked(), 4u);
}

TEST(WorldConcurrent, ArticulatedAndBrokenBodiesHaveTheSameIds) {
  ConcurrentWorld world({.every_frame = true});
  Joint joint;
  joint.type = JointType::revolute;
  const Chain chain({{"arm", "", joint}, {"hand", "arm", joint}});
  const std::vector<LinkBody> links{{LinkId{0}, cube()}, {LinkId{1}, cube()}};
  const BodyId other = world.add(cube(), at(0.5));
  const ArticulatedId robot = world.add(chain, links, std::vector<double>{0, 0});
  const std::vector<BodyId> ids = world.bodies(robot);
  EXPECT_THROW(world.move(ids[0], Pose()), Error);
  EXPECT_THROW(world.move(robot, std::vector<double>{0}), Error);
  world.post();
  const std::vector<BodyId> pieces = world.break_up(other, std::vector<Body>{cube(), cube()});
  world.post();
  world.remove(robot);
  EXPECT_FALSE(world.has(ids[1]));
  world.post();
  world.move(pieces[0], at(9));
  world.post();
  const std::vector<CheckResult> r = all_of(world);
  ASSERT_EQ(r.size(), 4u);
  EXPECT_EQ(texts(r[0].events), (Texts{"began 0 1", "began 0 2"}));
  EXPECT_EQ(r[1].events.size(), 2u + 5u);  // two ends; each piece with both links, and with the other piece
  EXPECT_EQ(r[2].events.size(), 4u);
  ASSERT_EQ(r[3].events.size(), 1u);
  EXPECT_EQ(r[3].events[0].a, pieces[0]);
}

TEST(WorldConcurrent, SkippedFramesAreCountedAndNothingIsLost) {
  ConcurrentWorld world;
  const BodyId a = world.add(cube()), b = world.add(cube(), at(0.5));
  world.on_contact([](const WorldEvent&) { std::this_thread::sleep_for(20ms); });
  world.post();
  std::vector<BodyId> extra;
  for (int i = 0; i < 50; ++i) {
    extra.push_back(world.add(cube(), at(100 + 10 * i)));
    world.move(b, at(0.5 + i));
    world.post();
  }
  std::vector<CheckResult> r = all_of(world);
  EXPECT_EQ(r.size() + world.skipped_frames(), 51u);
  EXPECT_GT(world.skipped_frames(), 0u);
  EXPECT_EQ(r.back().frame, 51u);
  world.move(extra.back(), at(49.6));  // every body that was added in a skipped frame is there
  world.move(extra.front(), at(49.4));
  world.post();
  EXPECT_EQ(all_of(world).back().events.size(), 3u);
  EXPECT_TRUE(world.has(a));
}

TEST(WorldConcurrent, CallbacksMayThrowIntoTake) {
  ConcurrentWorld world({.every_frame = true});
  world.add(cube()), world.add(cube(), at(0.5));
  world.on_contact([](const WorldEvent&) { throw std::runtime_error("no"); });
  world.post();
  world.wait();
  std::vector<CheckResult> out;
  EXPECT_THROW(world.take(out), std::runtime_error);
  ASSERT_EQ(out.size(), 1u);  // the result is there all the same
  EXPECT_EQ(out[0].events.size(), 1u);
}

/// The calls of one kind: what each cost the application, and how many of them waited for anybody.
struct Calls {
  std::vector<double> seconds;  ///< processor time
  std::size_t waited = 0;

  template <class Call>
  void time(Call&& call) {
    const long waits = waits_of_thread();
    const double start = thread_seconds();
    call();
    seconds.push_back(thread_seconds() - start);
    waited += waits_of_thread() != waits;
  }
  double p99() const {
    std::vector<double> sorted = seconds;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() * 99 / 100];
  }
};

/// Two copies of it in one place take at least so much processor time: every triangle touches its double and none
/// crosses, so that all of them have to be looked at, exactly.
Body heavy_body(double seconds) {
  for (std::size_t triangles = 8000;; triangles *= 2) {
    const Body body(make::sphere({.radius = 1, .triangles = triangles}));
    collide(body, Pose(), body, Pose());  // makes what is made once
    const double start = thread_seconds();
    collide(body, Pose(), body, Pose());
    if (thread_seconds() - start >= seconds) return body;
  }
}

/// Beside checks of a tenth of a second no call of the application waits, and each costs it little. Waiting and
/// processor time are counted rather than elapsed time, in which other processes have a share.
TEST(WorldConcurrent, TheApplicationNeverWaitsForAHeavyPair) {
  const Body body = heavy_body(0.12);
  ConcurrentWorld world;
  std::vector<BodyId> ids{world.add(body), world.add(body)};
  for (int i = 0; i < 200; ++i) ids.push_back(world.add(cube(), at(10 + 2 * i)));
  world.post();
  Calls moves, posts, takes, asks;
  std::vector<CheckResult> results;
  std::vector<ConcurrentAnswer> answers;
  std::uint64_t frames = 0;
  for (; frames < 300; ++frames) {
    const Pose together = at(0, 0, 0.25 * static_cast<double>(frames % 8));
    for (std::size_t i = 0; i < ids.size(); ++i)
      moves.time([&] { world.move(ids[i], i < 2 ? together : at(10 + 2 * static_cast<double>(i), 0.001)); });
    asks.time([&] { world.ask_ray({-9, 0, 0}, {9, 0, 0}); });
    posts.time([&] { world.post(); });
    takes.time([&] { world.take(results), world.take(answers); });
    std::this_thread::sleep_for(1ms);  // draws its picture
  }
  world.wait();
  world.take(results);
  world.take(answers);
  double longest = 0;
  for (const CheckResult& r : results) longest = std::max(longest, r.seconds);
  EXPECT_GE(longest, 0.1);  // a real check, and the calls went on beside it
  EXPECT_GT(world.skipped_frames(), 0u);
  EXPECT_EQ(answers.size(), frames);                          // of every frame, skipped or not
  const double limit = RandomBudget::is_whole() ? 50e-6 : 1;  // sanitizers have times and locks of their own
  for (const Calls* calls : {&moves, &asks, &posts, &takes}) {
    EXPECT_LT(calls->p99(), limit);
    if (RandomBudget::is_whole()) {
      EXPECT_LE(100 * calls->waited, calls->seconds.size());
    }
  }
  RecordProperty("longest_check_ms", static_cast<int>(1e3 * longest));
  RecordProperty("post_p99_ns", static_cast<int>(1e9 * posts.p99()));
  RecordProperty("calls_that_waited", static_cast<int>(moves.waited + asks.waited + posts.waited + takes.waited));
}

TEST(WorldConcurrent, QuestionsAreAnsweredWithTheirFrameAndPoses) {
  ConcurrentWorld world;
  const BodyId a = world.add(cube()), b = world.add(cube(), at(3));
  EXPECT_EQ(world.ask_near(2), 1u);
  world.post();
  world.move(b, at(-3));
  EXPECT_EQ(world.ask_sweep({.method = std::string("best_first")}), 2u);
  EXPECT_EQ(world.ask_ray({-9, 0, 0}, {9, 0, 0}), 3u);
  EXPECT_EQ(world.ask_in_box({{-4, -1, -1}, {-2, 1, 1}}), 4u);
  EXPECT_EQ(world.ask_sweep({.advance = true, .method = "none such"}), 5u);
  world.post();
  world.post();
  EXPECT_THROW(world.ask_near(-1), Error);
  EXPECT_THROW(world.ask_ray({0, 0, 0}, {0, 0, std::numeric_limits<double>::infinity()}), Error);
  EXPECT_THROW(world.ask_in_box({{1, 0, 0}, {0, 0, 0}}), Error);
  world.wait();
  std::vector<ConcurrentAnswer> r;
  world.take(r);
  ASSERT_EQ(r.size(), 5u);
  const auto& near = std::get<NearResult>(r[0].answer).pairs;
  ASSERT_EQ(near.size(), 1u);
  EXPECT_EQ(near[0].distance.distance, 2);
  EXPECT_EQ(r[0].frame, 1u);
  ASSERT_EQ(r[0].poses.size(), 2u);
  EXPECT_EQ(r[0].poses[1].body, b);
  EXPECT_EQ(r[0].poses[1].pose, at(3));
  const auto& sweep = std::get<SweepResult>(r[1].answer);
  ASSERT_EQ(sweep.contacts.size(), 1u);
  EXPECT_EQ(sweep.contacts[0].a, a);
  EXPECT_NEAR(sweep.contacts[0].contact.time.touch, 1.0 / 3, 1e-4);
  EXPECT_EQ(r[1].frame, 2u);
  EXPECT_EQ(r[1].poses[1].pose, at(-3));
  const auto& hits = std::get<std::vector<BodyHit>>(r[2].answer);
  ASSERT_EQ(hits.size(), 2u);
  EXPECT_EQ(hits[0].body, b);
  EXPECT_EQ(std::get<std::vector<BodyId>>(r[3].answer), std::vector<BodyId>{b});
  EXPECT_EQ(r[3].question, 4u);
  EXPECT_TRUE(std::get<SweepResult>(r[4].answer).contacts.empty());  // nothing has moved since the other sweep
}

TEST(WorldConcurrent, FramesHangAndCallbacksAsInLine) {
  std::atomic<int> of_body = 0, of_pair = 0;
  ConcurrentWorld world({.every_frame = true});
  const FrameId outer = world.add_frame(at(1)), inner = world.add_frame(at(1), outer);
  const BodyId a = world.add(cube()), b = world.add(cube(), Pose(), {.frame = inner});
  world.on_contact(a, [&](const WorldEvent&) { ++of_body; });
  world.on_contact(a, b, [&](const WorldEvent&) { ++of_pair; });
  world.post();
  world.move(b, at(9));
  world.attach(b, outer, at(-0.5));  // at 0.5
  EXPECT_THROW(world.remove_frame(outer), Error);
  world.remove_frame(inner);
  EXPECT_THROW(world.move(inner, Pose()), Error);
  world.post();
  world.attach(b, std::nullopt, at(7));
  world.move(b, at(8));
  world.remove_frame(outer);
  world.post();
  const std::vector<CheckResult> r = all_of(world);
  ASSERT_EQ(r.size(), 3u);
  EXPECT_EQ(texts(r[0].events), Texts{});
  EXPECT_EQ(texts(r[1].events), Texts{"began 0 1"});
  EXPECT_EQ(r[1].events[0].pose_b, at(0.5));
  EXPECT_EQ(texts(r[2].events), Texts{"ended 0 1"});
  EXPECT_EQ(of_body, 2);
  EXPECT_EQ(of_pair, 2);
}

/// All calls together, at random, for GRAZE_RANDOM_SECONDS: the stress test for the thread sanitizer.
TEST(WorldConcurrent, StressOfThreads) {
  const std::uint64_t seed = RandomBudget::seed(11);
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  const Body torus(make::torus({.major = 0.5, .minor = 0.2, .triangles = 128}));
  RandomBudget budget(4);
  while (budget.more()) {
    std::atomic<std::uint64_t> called = 0;  // outlives the detector
    ConcurrentWorld world({.world = {.threads = 1 + static_cast<int>(random() % 3)},
                           .check = {.work = random() % 3 ? 0u : 200u},
                           .every_frame = random() % 2 == 0});
    if (random() % 2) world.on_contact([&](const WorldEvent&) { ++called; });
    const FrameId frame = world.add_frame();
    std::vector<BodyId> ids;
    std::vector<CheckResult> results;
    std::vector<ConcurrentAnswer> answers;
    const auto some = [&] { return static_cast<std::size_t>(random() % ids.size()); };
    std::uint64_t asked = 0;
    for (int step = 0; step < 400; ++step) {
      if (ids.size() < 10) ids.push_back(world.add(random() % 2 ? cube() : torus, random_pose(random, 3)));
      const std::size_t i = some(), j = some();
      switch (random() % 16) {
        case 0: world.remove(ids[i]), ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(i)); break;
        case 1: world.replace(ids[i], random() % 2 ? cube() : torus); break;
        case 2: ids[i] = world.break_up(ids[i], std::vector<Body>{torus})[0]; break;
        case 3: world.interest(ids[i], random() % 2); break;
        case 4:
          if (i != j) world.set_pair(ids[i], ids[j], {.method = random() % 2 ? "dual" : "brute"});
          break;
        case 5: world.attach(ids[i], random() % 2 ? std::optional(frame) : std::nullopt, random_pose(random, 3)); break;
        case 6: world.move(frame, random_pose(random, 1)); break;
        case 7: asked = random() % 2 ? world.ask_ray({0, 0, 0}, {3, 3, 3}) : world.ask_near(0.2); break;
        case 8: asked = random() % 2 ? world.ask_sweep() : world.ask_in_box({{0, 0, 0}, {1, 1, 1}}); break;
        case 9: world.take(results), world.take(answers); break;
        case 10: static_cast<void>(world.checked() + world.skipped_frames()); break;
        case 11: world.post(); break;
        default: world.move(ids[i], random_pose(random, 3));
      }
    }
    if (random() % 2) continue;  // its end comes while the detector works
    world.post();
    world.wait();
    world.take(results);
    world.take(answers);
    EXPECT_EQ(answers.size(), asked);
  }
}

TEST(WorldConcurrent, EndsCleanlyAtAnyMoment) {
  std::mt19937_64 random(RandomBudget::seed(2));
  RandomBudget budget(30);
  while (budget.more()) {
    ConcurrentWorld world({.world = {.threads = 2}});
    std::vector<BodyId> ids;
    for (int i = 0; i < 30; ++i) ids.push_back(world.add(cube(), random_pose(random, 3)));
    const std::uint64_t frames = random() % 20;
    for (std::uint64_t f = 0; f < frames; ++f) {
      for (const BodyId id : ids)
        if (world.has(id) && random() % 40 == 0)
          world.remove(id);
        else if (world.has(id))
          world.move(id, random_pose(random, 3));
      world.post();
      std::vector<CheckResult> out;
      if (random() % 4 == 0) world.take(out);
    }
    if (random() % 2) std::this_thread::sleep_for(std::chrono::microseconds(random() % 500));
  }
}

/// The same calls give the same events as in line, frame by frame.
TEST(WorldConcurrent, EveryFrameIsAsInLine) {
  std::mt19937_64 random(4);
  ConcurrentWorld beside({.every_frame = true});
  World world;
  std::vector<BodyId> ids;
  std::uint64_t hash = 0;
  for (int frame = 0; frame < 20; ++frame) {
    const Pose pose = random_pose(random, 3);
    ids.push_back(world.add(cube(), pose));
    ASSERT_EQ(beside.add(cube(), pose), ids.back());
    if (frame % 5 == 4) {
      world.remove(ids[static_cast<std::size_t>(frame) / 2]);
      beside.remove(ids[static_cast<std::size_t>(frame) / 2]);
    }
    for (const BodyId id : ids) {
      ASSERT_EQ(world.has(id), beside.has(id));
      if (!world.has(id)) continue;
      const Pose next = random_pose(random, 3);
      world.move(id, next);
      beside.move(id, next);
    }
    hash = event_hash(world.check().events, hash);
    beside.post();
  }
  std::uint64_t other = 0;
  for (const CheckResult& r : all_of(beside)) other = event_hash(r.events, other);
  EXPECT_EQ(hash, other);
}

/// Many rays, posted with a frame: as a world answers them.
TEST(ConcurrentQuestions, ManyRays) {
  ConcurrentWorld concurrent;
  World serial;
  std::mt19937_64 random(9);
  for (int i = 0; i < 30; ++i) {
    const Pose p = random_pose(random, 6);
    concurrent.add(cube(), p), serial.add(cube(), p);
  }
  std::vector<Ray> rays;
  for (int i = 0; i < 40; ++i)
    rays.push_back({random_pose(random, 6).translation(), random_pose(random, 6).translation()});
  EXPECT_EQ(concurrent.ask_rays(rays, {.hits = WorldRayHits::all}), 1u);
  EXPECT_THROW(concurrent.ask_rays(std::vector<Ray>{{{std::nan(""), 0, 0}, {}}}), Error);
  concurrent.post();
  concurrent.wait();
  std::vector<ConcurrentAnswer> answers;
  concurrent.take(answers);
  ASSERT_EQ(answers.size(), 1u);
  const auto& hits = std::get<std::vector<std::vector<BodyHit>>>(answers[0].answer);
  std::vector<std::vector<BodyHit>> expected(rays.size());
  serial.rays(rays, {.hits = WorldRayHits::all}, expected);
  ASSERT_EQ(hits.size(), expected.size());
  std::size_t found = 0;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    ASSERT_EQ(hits[i].size(), expected[i].size());
    for (std::size_t j = 0; j < hits[i].size(); ++j) {
      EXPECT_EQ(hits[i][j].body, expected[i][j].body);
      EXPECT_EQ(hits[i][j].hit.fraction, expected[i][j].hit.fraction);
    }
    found += hits[i].size();
  }
  EXPECT_GT(found, 10u);
  EXPECT_FALSE(answers[0].poses.empty());
}

}  // namespace
}  // namespace graze::testing
