// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <atomic>
#include <cfenv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <thread>

#include "unit/world/help.hpp"

namespace graze::testing {
namespace {

using Texts = std::vector<std::string>;
using namespace std::chrono_literals;
constexpr double huge = 1e308;

/// The sum of two frames' translations leaves the doubles: an error, again and again, until the frame is put right.
/// What else moved is not forgotten over it.
TEST(WorldHostile, APoseBeyondAllDoublesIsAnErrorAndLosesNoMove) {
  World world;
  const FrameId far = world.add_frame();
  const BodyId lost = world.add(cube(), Pose(), {.frame = far});
  const BodyId a = world.add(cube(), at(10)), b = world.add(cube(), at(20));
  world.check();
  world.sweep();
  world.move(lost, at(huge));
  world.move(far, at(huge));
  world.move(b, at(10.5));
  EXPECT_THROW(world.pose(lost), Error);
  EXPECT_THROW(world.check(), Error);
  EXPECT_THROW(world.check(), Error);
  EXPECT_EQ(world.sweep().status, Status::invalid_request);
  EXPECT_EQ(world.near(1).status, Status::invalid_request);
  const BodyId late = world.add(cube(), at(huge), {.frame = far});
  EXPECT_EQ(world.near(1).error->code, ErrorCode::not_finite);
  world.replace(late, Body(make::tetrahedron()));
  world.move(late, at(-50));
  world.move(far, Pose());
  EXPECT_EQ(texts(world.check().events), Texts{"began 1 2"});
  world.move(lost, at(0));
  EXPECT_EQ(world.sweep().earliest.has_value(), true);
  EXPECT_TRUE(world.has(a));
}

TEST(WorldHostile, ABudgetOfAllTimeIsNoBudget) {
  World world;
  world.add(cube());
  world.add(cube(), at(0.5));
  EXPECT_EQ(texts(world.check({.budget = std::chrono::nanoseconds::max()}).events), Texts{"began 0 1"});
}

TEST(WorldHostile, ANegativeBudgetDecidesNothing) {
  World world;
  world.add(cube());
  world.add(cube(), at(0.5));
  EXPECT_EQ(world.check({.budget = std::chrono::nanoseconds::min()}).undecided.size(), 1u);
  EXPECT_EQ(world.check({.pairs = 0}).undecided.size(), 1u);
  EXPECT_EQ(texts(world.check({.work = 0}).events), Texts{"began 0 1"});
}

TEST(WorldHostile, ASweepThatIsRefusedLosesNoPath) {
  World world;
  const BodyId a = world.add(cube(), at(-5));
  world.add(cube());
  world.sweep();
  world.move(a, at(5));
  for (const double bad : {-1.0, 0.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    SCOPED_TRACE(bad);
    try {
      EXPECT_EQ(world.sweep({.tolerance = bad}).status, Status::invalid_request);
    } catch (const Error& e) {
      ADD_FAILURE() << e.what();
    }
  }
  EXPECT_EQ(world.sweep({.method = "none"}).status, Status::invalid_request);
  EXPECT_EQ(world.sweep().status, Status::contact);
  EXPECT_EQ(world.sweep({.method = "none"}).status,
            Status::invalid_request);  // nothing moved, nothing to ask: all the same
  World empty;
  EXPECT_EQ(empty.sweep({.method = "none"}).status, Status::invalid_request);
}

TEST(WorldHostile, ARefusedSweepIsReplayedAsRefused) {
  const std::string file = std::string(GRAZE_BINARY_DIR) + "/hostile_refused.txt";
  {
    World world;
    world.record(file);
    const BodyId a = world.add(cube(), at(-5));
    world.add(cube());
    world.sweep();
    world.move(a, at(5));
    world.sweep({.method = "none"});
    world.sweep({.work = 1});
    world.move(a, at(-5));
    world.sweep({.tolerance = 1e9});
  }
  EXPECT_TRUE(replay_world(file).different.empty());
  std::filesystem::remove(file);
}

TEST(WorldHostile, ASweepOfANewInterestAsksThoughNothingMoved) {
  World world;
  const BodyId a = world.add(cube()), b = world.add(cube(), at(0.5));
  world.interest(a, b, false);
  EXPECT_EQ(world.sweep().status, Status::free);
  world.interest(a, b, true);
  EXPECT_EQ(world.sweep().status, Status::touching_at_start);
}

TEST(WorldHostile, FarFastAndTeleporting) {
  for (const auto& method : broad_phases()) {
    SCOPED_TRACE(method.name);
    World world({.broad = std::string(method.name)});
    const BodyId a = world.add(cube()), b = world.add(cube(), at(1e300));
    const BodyId c = world.add(cube(), at(1e300, 0.5));
    EXPECT_EQ(texts(world.check().events), Texts{"began 1 2"});
    EXPECT_EQ(texts(world.check().events), Texts{});
    world.move(b, at(0.5));
    EXPECT_EQ(texts(world.check().events), (Texts{"began 0 1", "ended 1 2"}));
    world.move(c, at(-1e308, 1e308, 1e308));
    world.move(b, at(1.7e308));
    EXPECT_EQ(texts(world.check().events), Texts{"ended 0 1"});
    EXPECT_EQ(world.near(0).pairs.size(), 0u);
    world.move(a, at(-1.7e308));
    EXPECT_EQ(texts(world.check().events), Texts{});
    EXPECT_NO_THROW(world.ray({-1.7e308, 0, 0}, {1.7e308, 0, 0}));
    EXPECT_EQ(world.ray({-1.7e308, 0, 0}, {1.7e308, 0, 0}).size(), 2u);
    EXPECT_EQ(world.in_box({{-1.7e308, -1.7e308, -1.7e308}, {1.7e308, 1.7e308, 1.7e308}}).size(), 3u);
    EXPECT_NO_THROW(world.near(1.7e308));
    EXPECT_NO_THROW(world.sweep());
    world.move(a, at(1.7e308));
    EXPECT_NO_THROW(world.sweep());
    EXPECT_EQ(world.check().events.size(), 1u);
  }
}

TEST(WorldHostile, BodiesOfOnePoint) {
  PolygonList faces;
  faces.add(std::array<std::uint32_t, 3>{0, 1, 2});
  const Body point(Mesh({{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, faces));
  for (const auto& method : broad_phases()) {
    SCOPED_TRACE(method.name);
    World world({.broad = std::string(method.name)});
    std::vector<BodyId> ids;
    for (int i = 0; i < 20; ++i) ids.push_back(world.add(point));
    EXPECT_EQ(world.check().events.size(), 190u);
    EXPECT_EQ(world.near(0).pairs.size(), 190u);
    EXPECT_EQ(world.ray({0, 0, 0}, {0, 0, 0}).size(), 20u);
    EXPECT_EQ(world.ray({-1, 0, 0}, {1, 0, 0}).size(), 20u);
    EXPECT_EQ(world.in_box({{0, 0, 0}, {0, 0, 0}}).size(), 20u);
    EXPECT_EQ(world.in_box({{-1, -1, -1}, {1, 1, 1}}).size(), 20u);
    EXPECT_EQ(world.sweep().contacts.size(), 190u);
    world.move(ids[0], at(1e-320));
    EXPECT_EQ(world.check().events.size(), 19u);
    EXPECT_EQ(world.touching().size(), 171u);
    world.deform(ids[1], std::vector<Vec3>{{0, 0, 0}, {1e-320, 0, 0}, {0, 0, 0}});
    EXPECT_EQ(world.check().events.size(), 19u);
    EXPECT_EQ(world.touching().size(), 172u);
    EXPECT_EQ(world.near(1e-320).pairs.size(), 190u);
    EXPECT_NO_THROW(world.sweep());
  }
}

TEST(WorldHostile, RaysAndBoxesOfNoSize) {
  World world;
  const BodyId a = world.add(cube());
  EXPECT_EQ(world.ray({0.5, 0, 0}, {0.5, 0, 0}).size(), 1u);
  EXPECT_EQ(world.ray({0.25, 0, 0}, {0.25, 0, 0}).size(), 0u);
  EXPECT_EQ(world.in_box({{0.5, 0, 0}, {0.5, 0, 0}}).size(), 1u);
  EXPECT_EQ(world.in_box({{0.25, 0, 0}, {0.25, 0, 0}}).size(), 0u);
  EXPECT_EQ(world.in_box({{-9, -9, 0}, {9, 9, 0}}).size(), 1u);
  EXPECT_EQ(world.in_box({{-9, 0, 0}, {9, 0, 0}}).size(), 1u);
  world.move(a, Pose({0.1, 0.2, 0.3}, {1, 0.1, 0.2, 0.3}));
  EXPECT_EQ(world.in_box({{-9, -9, 0}, {9, 9, 0}}).size(), 1u);
  EXPECT_THROW(world.ray({std::nan(""), 0, 0}, {}), Error);
  EXPECT_THROW(world.in_box({{std::nan(""), 0, 0}, {1, 1, 1}}), Error);
  EXPECT_THROW(world.in_box({{1, 0, 0}, {0, 1, 1}}), Error);
  EXPECT_EQ(world.near(std::nan("")).status, Status::invalid_request);
  EXPECT_EQ(world.near(-1).status, Status::invalid_request);
  EXPECT_THROW(world.deform(a, std::vector<Vec3>(8, {std::nan(""), 0, 0})), Error);
  EXPECT_TRUE(world.check().events.empty());
  EXPECT_EQ(world.in_box({{-9, -9, 0}, {9, 9, 0}}).size(), 1u);
}

TEST(WorldHostile, NoBodiesAtAll) {
  for (const auto& method : broad_phases()) {
    World world({.broad = std::string(method.name), .threads = 3});
    EXPECT_TRUE(world.check().events.empty());
    EXPECT_EQ(world.sweep({.earliest = true, .advance = true}).status, Status::free);
    EXPECT_EQ(world.near(1).status, Status::free);
    EXPECT_TRUE(world.ray({}, {1, 0, 0}).empty());
    EXPECT_TRUE(world.in_box({{}, {1, 1, 1}}).empty());
    const BodyId a = world.add(cube());
    world.remove(a);
    EXPECT_TRUE(world.check().events.empty());
    EXPECT_EQ(world.sweep().status, Status::free);
  }
}

TEST(WorldHostile, AThrowingCallbackInParallelSilencesNoOther) {
  for (const int threads : {1, 4}) {
    World world({.threads = threads});
    std::vector<BodyId> ids;
    for (int i = 0; i < 16; ++i) ids.push_back(world.add(cube(), at(10 * (i / 2), 0.5 * (i % 2))));
    std::atomic<int> general = 0, own = 0;
    world.on_contact([&](const WorldEvent&) { ++general; });
    world.on_contact(ids[4], [&](const WorldEvent&) {
      ++own;
      throw std::runtime_error("no");
    });
    EXPECT_THROW(world.check({.callbacks = CallbackOrder::in_parallel}), std::runtime_error);
    world.check({.callbacks = CallbackOrder::in_parallel});
    EXPECT_EQ(own, 1);
    EXPECT_EQ(general, 8);
  }
}

TEST(WorldHostile, CallbacksSeeTheCallersFloatingPoint) {
  for (const CallbackOrder order : {CallbackOrder::one_after_another, CallbackOrder::in_parallel}) {
    World world({.threads = 2});
    for (int i = 0; i < 8; ++i) world.add(cube(), at(10 * (i / 2), 0.5 * (i % 2)));
    std::atomic<int> upward = 0;
    world.on_contact([&](const WorldEvent&) {
      const volatile double one = 1, tiny = 1e-30;
      upward += one + tiny > 1;
    });
    std::fesetround(FE_UPWARD);
    world.check({.callbacks = order});
    const int after = std::fegetround();
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(after, FE_UPWARD);
    EXPECT_EQ(upward, 4);
  }
}

TEST(WorldHostile, ReferencesToBodiesOutliveAdds) {
  World world;
  const BodyId a = world.add(cube(), Pose(), {.name = "a name that is longer than any short string is"});
  const Body& body = world.body(a);  // were references into a list that grew
  const std::string& name = world.name(a);
  for (int i = 0; i < 1000; ++i) world.add(cube(), at(3 * i + 3));
  EXPECT_EQ(body.mesh().vertex_count(), 8u);
  EXPECT_EQ(name, "a name that is longer than any short string is");
}

TEST(WorldHostile, ADeformedBodyAddedAgainIsReplayedTheSame) {
  const std::string file = std::string(GRAZE_BINARY_DIR) + "/hostile_deformed.txt";
  {
    World world;
    world.record(file);
    const Body ball(make::sphere({.triangles = 400}));
    std::vector<Vec3> positions(ball.mesh().positions().begin(), ball.mesh().positions().end());
    for (Vec3& p : positions) p = {p.y + 0.3 * p.x * p.z, 1.1 * p.x, p.z};
    const Body once = ball.deformed(positions);
    for (Vec3& p : positions) p.z *= 1.25;
    const Body bent = once.deformed(positions);
    ASSERT_TRUE(bent.is_refitted());
    std::mt19937_64 random(3);
    std::vector<BodyId> ids;
    for (int i = 0; i < 12; ++i) ids.push_back(world.add(bent, random_pose(random, 2)));
    for (int f = 0; f < 5; ++f) {
      for (const BodyId id : ids) world.move(id, random_pose(random, 2));
      world.check();
    }
  }
  EXPECT_TRUE(replay_world(file).different.empty());
  std::filesystem::remove(file);
}

TEST(WorldHostile, ReplacedBodiesInAPostedFrameAreSwept) {
  World line;
  ConcurrentWorld beside({.every_frame = true});
  const auto play = [](auto& world, auto&& sweep) {
    const BodyId a = world.add(cube(), at(-5));
    world.add(cube());
    sweep();
    world.move(a, at(-4));
    world.replace(a, Body(make::tetrahedron()));
    world.move(a, at(5));
    sweep();
  };
  std::vector<SweepResult> expected;
  play(line, [&] { expected.push_back(line.sweep()); });
  play(beside, [&] {
    beside.ask_sweep();
    beside.post();
  });
  beside.wait();
  std::vector<ConcurrentAnswer> answers;
  beside.take(answers);
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(std::get<SweepResult>(answers[1].answer).contacts.size(), expected[1].contacts.size());
  EXPECT_EQ(expected[1].contacts.size(), 1u);
}

TEST(WorldHostile, AWorldThatEndsInTheMiddleOfACheckIsReplayedTheSame) {
  const std::string file = std::string(GRAZE_BINARY_DIR) + "/hostile_ended.txt";
  int different = 0;
  for (int i = 0; i < 8; ++i) {
    {
      std::filesystem::remove(file);
      ConcurrentWorld world;
      world.record(file);
      const Body ball(make::torus({.triangles = 2000}));
      std::mt19937_64 random(3);
      for (int k = 0; k < 60; ++k) world.add(ball, random_pose(random, 1));
      world.post();
      while (!std::filesystem::exists(file)) std::this_thread::yield();
      std::this_thread::sleep_for(std::chrono::microseconds(500 * i));
    }
    const ReplayResult r = replay_world(file);
    different += !r.different.empty();
  }
  EXPECT_EQ(different, 0);
  std::filesystem::remove(file);
}

/// What the world would refuse in its own thread must not take the two sides' ids apart.
TEST(WorldHostile, BodiesBeyondAllDoublesKeepTheIdsOfBothSidesTogether) {
  ConcurrentWorld world({.every_frame = true});
  const FrameId far = world.add_frame(at(huge));
  const BodyId lost = world.add(cube(), at(huge), {.frame = far});
  const BodyId a = world.add(cube()), b = world.add(cube(), at(0.5));
  world.post();
  world.wait();
  std::vector<CheckResult> results;
  EXPECT_THROW(world.take(results), Error);
  world.move(far, Pose());
  world.post();
  world.wait();
  results.clear();
  world.take(results);
  ASSERT_EQ(results.size(), 1u);
  ASSERT_EQ(results[0].events.size(), 1u);
  EXPECT_EQ(results[0].events[0].a, a);
  EXPECT_EQ(results[0].events[0].b, b);
  EXPECT_TRUE(world.has(lost));
}

}  // namespace
}  // namespace graze::testing
