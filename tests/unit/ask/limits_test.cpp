// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

#include <graze/graze.hpp>

#include "all_counters.hpp"
#include "engine/collide/limits.hpp"

namespace graze::testing {
namespace {

/// A shape that every method can be asked about.
Body ball() { return Body(make::sphere({.radius = 1, .triangles = 168})); }

Counted<CollideResult> within_work(std::uint64_t work, const Body& a, const Body& b, const Pose& pose,
                                   CollideOptions options, bool& cut) {
  core::Limits limits;
  limits.work = work;
  auto result = counted([&](MethodCounters* own) {
    CollideResult r;
    options.method_counters = own;
    engine::collide::collide_within(a, Pose(), b, pose, options, limits, r);
    return r;
  });
  cut = limits.cut();
  return result;
}

TEST(CollideLimits, EveryMethodEndsWithinItsWorkOrAnswersAsWithoutLimits) {
  const Body a = ball(), b = ball();
  for (const MethodTraits& method : collide_methods())
    for (const double x : {1.5, 2.1}) {
      const Pose pose({x, 0.3, 0.1}, {1, 0.2, 0.1, 0});
      CollideOptions options;
      options.method = method.name;
      options.solid = method.solid_only || !method.surface;
      bool none = false;
      const auto whole = within_work(0, a, b, pose, options, none);
      ASSERT_NE(whole.status, Status::invalid_request) << method.name;
      const std::uint64_t cost = engine::collide::work_of(whole.counters);
      bool was_cut = false, was_whole = false;
      for (std::uint64_t work = 1; work <= cost + 2; work += 1 + cost / 23) {
        SCOPED_TRACE(std::string(method.name) + " with " + std::to_string(work) + " of " + std::to_string(cost));
        bool cut = false;
        const auto r = within_work(work, a, b, pose, options, cut);
        was_cut = was_cut || cut;
        was_whole = was_whole || !cut;
        if (cut) {
          EXPECT_EQ(r.status, Status::undecided);
          EXPECT_TRUE(r.pairs.empty() && !r.kind && !r.points);
          // What one elementary step does at most: a node's boxes, a leaf pair's triangles, an edge against all faces.
          EXPECT_LT(engine::collide::work_of(r.counters), work + 300);
        } else {
          EXPECT_EQ(r.status, whole.status);
          EXPECT_EQ(r.pairs, whole.pairs);
          EXPECT_EQ(r.kind, whole.kind);
          EXPECT_EQ(engine::collide::work_of(r.counters), cost);
        }
      }
      bool cut = false;
      within_work(cost + 1, a, b, pose, options, cut);
      EXPECT_FALSE(cut) << method.name;
      EXPECT_TRUE(was_cut || cost < 60) << method.name << " " << cost;
    }
}

TEST(CollideLimits, WorkIsTheSameForAnyNumberOfThreads) {
  const Body a(make::torus({.major = 1, .minor = 0.4, .triangles = 20000})), b = a;
  const Pose pose({1e-3, 0, 0}, {1, 1e-3, 0, 0});
  std::uint64_t counted = 0;
  for (const int threads : {1, 3}) {
    bool cut = false;
    CollideOptions options;
    options.method = "dual";
    options.all = false;
    options.threads = threads;
    const auto r = within_work(500, a, b, pose, options, cut);
    if (threads == 1) counted = engine::collide::work_of(r.counters);
    EXPECT_EQ(engine::collide::work_of(r.counters), counted);
  }
}

TEST(CollideLimits, StopAndDeadlineCut) {
  const Body a = ball(), b = ball();
  std::atomic<bool> stop{true};
  core::Limits stopped, late;
  stopped.stop = &stop;
  late.deadline = core::Limits::Clock::now() - std::chrono::seconds(1);
  for (core::Limits* limits : {&stopped, &late}) {
    CollideResult result;
    engine::collide::collide_within(a, Pose(), b, Pose({0.5, 0, 0}), {}, *limits, result);
    EXPECT_EQ(result.status, Status::undecided);
    EXPECT_TRUE(limits->cut());
    EXPECT_EQ(result.counters.triangle_tests, 0u);
  }
}

/// The tree of a deformed body has other boxes; what it answers is what a new one does.
TEST(BodyDeformed, RefitsAndRebuilds) {
  const Body body(make::torus({.major = 1, .minor = 0.4, .triangles = 2000}));
  const auto& old = body.mesh().positions();
  std::vector<Vec3> bent(old.begin(), old.end()), folded = bent;
  for (Vec3& p : bent) p = {p.x * 1.1, p.y * 0.9, p.z + 0.1 * p.x * p.x};
  // Every other vertex to the far side: no box is small any more.
  for (std::size_t i = 0; i < folded.size(); i += 2) folded[i] = folded[i] * -1.0;
  const Body refitted = body.deformed(bent), rebuilt = body.deformed(folded);
  EXPECT_TRUE(refitted.is_refitted());
  EXPECT_FALSE(rebuilt.is_refitted());
  EXPECT_FALSE(body.is_refitted());
  EXPECT_TRUE(refitted.deformed(bent).is_refitted());
  EXPECT_THROW(body.deformed(std::span(bent).first(5)), Error);
  const Body other(make::box({.size = {1.5, 0.3, 0.3}}));
  for (const Body* now : {&refitted, &rebuilt}) {
    const Body fresh(now->mesh());
    for (int i = 0; i < 20; ++i) {
      const Pose pose({0.1 * i, 0.05 * i, 0.02 * i}, {1, 0.1 * i, 0.2, 0});
      const CollideOptions all{.all = true};
      const CollideResult x = collide(*now, Pose(), other, pose, all), y = collide(fresh, Pose(), other, pose, all);
      ASSERT_EQ(x.status, y.status);
      ASSERT_EQ(x.pairs, y.pairs);
      ASSERT_NEAR(distance(*now, Pose(), other, pose).distance, distance(fresh, Pose(), other, pose).distance, 1e-9);
    }
  }
}

}  // namespace
}  // namespace graze::testing
