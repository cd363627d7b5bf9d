// SPDX-License-Identifier: MIT
// Limits of every question but `check`: by work, by time, and cancelled.
#include <gtest/gtest.h>

#include <functional>

#include "unit/world/help.hpp"

namespace graze::testing {
namespace {

/// Two knots that are near each other: no question about them is answered in a few steps.
struct Knots {
  Body body{make::torus_knot({.triangles = 11520})};
  World world;
  BodyId a = world.add(body), b = world.add(body, Pose({0.9, 0.2, 0.3}, {1, 0.2, 0.3, 0.1}));
};

/// Asks within limits: returns the status.
using Ask =
    std::function<Status(World&, std::uint64_t work, std::optional<std::chrono::nanoseconds> budget, CancelToken)>;

struct Named {
  const char* name;
  Ask ask;
};

const Body& asked_for() {
  static const Body body{make::torus_knot({.triangles = 2880})};
  return body;
}

std::vector<Named> questions() {
  return {
      {"sweep",
       [](World& w, std::uint64_t work, auto budget, CancelToken cancel) {
         w.move(BodyId{1, 0}, Pose({0.8, 0.1, 0.3}, {1, 0.3, 0.3, 0.1}));
         return w.sweep({.work = work, .budget = budget, .cancel = cancel}).status;
       }},
      {"near", [](World& w, std::uint64_t work, auto budget,
                  CancelToken cancel) { return w.near(1, {.work = work, .budget = budget, .cancel = cancel}).status; }},
      {"cast",
       [](World& w, std::uint64_t work, auto budget, CancelToken cancel) {
         CastOptions o;
         o.work = work, o.budget = budget, o.cancel = cancel;
         return w.cast(asked_for(), Velocity(at(-4), Pose({4, 0, 0}, {1, 0.2, 0.3, 0.4})), o).status;
       }},
      {"overlap",
       [](World& w, std::uint64_t work, auto budget, CancelToken cancel) {
         OverlapOptions o;
         o.work = work, o.budget = budget, o.cancel = cancel;
         return w.overlap(asked_for(), at(0.1, 0.1, 2), o).status;
       }},
      {"nearest",
       [](World& w, std::uint64_t work, auto budget, CancelToken cancel) {
         NearestOptions o;
         o.work = work, o.budget = budget, o.cancel = cancel;
         return w.nearest({0.3, 0.2, 0.4}, 2, o).status;
       }},
  };
}

TEST(WorldLimits, EveryQuestionEndsByWorkTimeAndCancellation) {
  const CancelSource cancelled;
  cancelled.cancel();
  for (const Named& q : questions()) {
    SCOPED_TRACE(q.name);
    Knots knots;
    knots.world.sweep();
    EXPECT_EQ(q.ask(knots.world, 1, {}, {}), Status::undecided);
    EXPECT_EQ(q.ask(knots.world, 0, std::chrono::nanoseconds(0), {}), Status::undecided);
    EXPECT_EQ(q.ask(knots.world, 0, {}, cancelled.token()), Status::undecided);
    const Status whole = q.ask(knots.world, 0, {}, {});
    EXPECT_NE(whole, Status::undecided);
    EXPECT_NE(whole, Status::invalid_request);
    EXPECT_EQ(q.ask(knots.world, 1u << 30, std::chrono::hours(1), CancelSource().token()), whole);
  }
}

TEST(WorldLimits, NearHasOneBudgetForEachPair) {
  Knots knots;
  const Pose p = knots.world.pose(knots.b);
  const std::uint64_t first = within(1, knots.body, Pose(), knots.body, p).counters.node_pairs;
  std::uint64_t too_little = 1, second = 1u << 20;  // the least budget of `distance` alone
  while (second - too_little > 1) {
    const std::uint64_t middle = (too_little + second) / 2;
    const bool enough = distance(knots.body, Pose(), knots.body, p, {.work = middle}).status != Status::undecided;
    (enough ? second : too_little) = middle;
  }
  ASSERT_GT(first, 0u);
  EXPECT_EQ(knots.world.near(1, {.work = first + second - 1}).status, Status::undecided);
  EXPECT_EQ(knots.world.near(1, {.work = first + second}).status, Status::contact);
}

TEST(WorldLimits, ACheckWithMarginsHasOneBudget) {
  for (const int threads : {1, 3}) {
    World world({.threads = threads});
    const Body knot(make::torus_knot({.triangles = 2880}));
    for (int i = 0; i < 6; ++i) {
      world.add(knot, at(20 * i), {.margin = 0.3});
      world.add(knot, Pose({20 * i + 0.9, 0.2, 0.3 + 0.01 * i}, {1, 0.2, 0.3, 0.1}), {.margin = 0.3});
    }
    const CheckResult whole = world.check();
    const auto cost = [](const WorldCounters& c) { return c.methods.box_tests + c.methods.triangle_tests; };
    std::vector<std::size_t> found;
    for (const std::uint64_t part : {1, 2, 3, 6}) {
      for (const BodyId id : world.bodies()) world.move(id, world.pose(id));
      const CheckResult r = world.check({.work = cost(whole.counters) * part / 6});
      found.push_back(r.events.size());
      EXPECT_EQ(r.events.size() + r.undecided.size(), whole.events.size());
    }
    EXPECT_LT(found[0], whole.events.size());
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
    static std::vector<std::size_t> before = found;
    EXPECT_EQ(found, before);  // for any number of threads
  }
}

}  // namespace
}  // namespace graze::testing
