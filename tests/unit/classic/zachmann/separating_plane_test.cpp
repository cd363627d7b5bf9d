// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <graze/classic/zachmann.hpp>

#include "unit/classic/zachmann/thesis_bodies.hpp"

namespace graze::thesis {
namespace {

using classic::zachmann::SeparatingPlaneOptions;
using Start = SeparatingPlaneOptions::Start;

Answer separate(const Placed& p, SeparatingPlaneOptions options = {}, CollideCoherence* coherence = nullptr) {
  return ask(p, {.method = "separating_plane",
                 .coherence = coherence,
                 .zachmann = classic::zachmann::Options{.separating_plane = options}});
}

std::vector<SeparatingPlaneOptions> variants() {
  std::vector<SeparatingPlaneOptions> all;
  for (const Start start : {Start::x_axis, Start::barycentres, Start::box_centres})
    for (const bool badness : {false, true})
      for (const bool boxes : {false, true}) all.push_back({.start = start, .by_badness = badness, .box_phase = boxes});
  all.push_back({.eta = 0.25, .relaxation = 1});
  all.push_back({.eta = 0, .by_badness = true});
  return all;
}

TEST(SeparatingPlane, FreeIsCertainForEveryVariant) {
  oracle::Random random(31);
  for (const SeparatingPlaneOptions& options : variants()) {
    int free = 0, really_free = 0;
    for (int i = 0; i < 200; ++i) {
      const Placed p = random_convex_pair(random);
      const CollideResult answer = separate(p, options), truth = brute(p, true);
      EXPECT_TRUE(answer.status == Status::free || answer.status == Status::undecided);
      EXPECT_TRUE(answer.status == Status::undecided || truth.status == Status::free) << text(p);
      EXPECT_EQ(answer.deepest.has_value(), answer.status == Status::undecided);
      free += answer.status == Status::free;
      really_free += truth.status == Status::free;
    }
    EXPECT_GT(free, really_free / 2);
  }
}

TEST(SeparatingPlane, TouchingBodiesHaveNoPlane) {
  const auto gap = [](double x) {
    return Placed{Body(box({0, 0, 0}, {1, 1, 1})), Body(box({x, 0, 0}, {x + 1, 1, 1})), Pose(), Pose()};
  };
  EXPECT_EQ(separate(gap(1)).status, Status::undecided);
  EXPECT_EQ(separate(gap(1.001)).status, Status::free);
}

// The smallest gap there is: a plane fits between only if nothing is rounded.
TEST(SeparatingPlane, CheckIsExact) {
  const double next = std::nextafter(std::nextafter(1.0, 2.0), 2.0);
  const auto answer = [](double x, const Pose& pose) {
    const Placed p{Body(box({0, 0, 0}, {1, 1, 1})), Body(box({x, 0, 0}, {2, 1, 1})), pose, pose};
    return separate(p);
  };
  const CollideResult straight = answer(next, Pose());
  EXPECT_EQ(straight.status, Status::free);
  EXPECT_GT(straight.counters.rational_decided, 0u);
  const Pose turned({3, 2, 1}, {0.9, 0.2, 0.1, 0.3});
  EXPECT_EQ(answer(next, turned).status, Status::free);
  EXPECT_EQ(answer(1, turned).status, Status::undecided);
}

// Two rods crossing: their boxes share a part in which neither has a vertex. "If there is a separating plane for the
// points in B, then this plane is also a separating plane for all the points in P and Q" does not hold.
TEST(SeparatingPlane, BoxPhaseAloneProvesNothing) {
  const Placed rods{Body(box({-8, -1, -1}, {8, 1, 1})), Body(box({-1, -8, -0.5}, {1, 8, 0.5})), Pose(), Pose()};
  const Answer answer = separate(rods, {.box_phase = true});
  EXPECT_EQ(answer.status, Status::undecided);
  EXPECT_EQ(answer.counters.plane_box_points, 0u);
}

TEST(SeparatingPlane, BoxPhaseLooksAtFewerPoints) {
  const Body sphere(make::sphere({.triangles = 528}));
  const Placed p{sphere, sphere, Pose(), Pose({1.3, 1.3, 1.3})};
  const Answer with = separate(p, {.start = Start::x_axis, .relaxation = 1}),
               without = separate(p, {.start = Start::x_axis, .relaxation = 1, .box_phase = false});
  EXPECT_EQ(with.status, Status::free);
  EXPECT_GT(with.counters.plane_box_points, 0u);
  EXPECT_LT(with.counters.plane_box_points, sphere.mesh().vertex_count());
  EXPECT_EQ(without.status, Status::free);
  EXPECT_EQ(without.counters.plane_box_points, 0u);
  // Not for bodies that are not convex.
  const Body torus(make::torus({.triangles = 200}));
  EXPECT_EQ(separate({torus, sphere, Pose(), Pose({2, 2, 1.2})}).counters.plane_box_points, 0u);
}

TEST(SeparatingPlane, NonConvexBodies) {
  const Body torus(make::torus({.triangles = 200})), ball(make::sphere({.radius = 0.1, .triangles = 48}));
  EXPECT_EQ(separate({torus, ball, Pose(), Pose({0, 0, 2})}).status, Status::free);
  // In the hole: apart, but no plane.
  const Placed hole{torus, ball, Pose(), Pose()};
  EXPECT_EQ(brute(hole, true).status, Status::free);
  EXPECT_EQ(separate(hole).status, Status::undecided);
}

TEST(SeparatingPlane, RemembersThePlane) {
  const Body cone(make::cone());
  CollideCoherence coherence;
  const auto frame = [&](double x, CollideCoherence* memory) {
    return separate({cone, cone, Pose(), Pose({x, 0.6, 0.5}, {1, 1, 0, 0})},
                    {.start = Start::x_axis, .box_phase = false}, memory);
  };
  const Answer first = frame(0.8, &coherence);
  EXPECT_EQ(first.status, Status::free);
  EXPECT_GT(first.counters.plane_updates, 0u);
  EXPECT_EQ(first.counters.plane_reused, 0u);
  for (int i = 1; i < 10; ++i) {
    const Answer next = frame(0.8 + 0.001 * i, &coherence);
    EXPECT_EQ(next.status, Status::free);
    EXPECT_EQ(next.counters.plane_reused, 1u);
    EXPECT_EQ(next.counters.plane_updates, 0u);
    EXPECT_EQ(next.counters.plane_passes, 1u);
  }
  EXPECT_GT(frame(0.801, nullptr).counters.plane_updates, 0u);
}

TEST(SeparatingPlane, MemoryNeverSpoilsAnAnswer) {
  oracle::Random random(32);
  for (int i = 0; i < 100; ++i) {
    const Placed p = random_convex_pair(random);
    CollideCoherence coherence;
    separate({p.a, p.b, p.pose_a, oracle::random_pose(random)}, {}, &coherence);
    const CollideResult with = separate(p, {}, &coherence), without = separate(p);
    EXPECT_TRUE(with.status == without.status || with.status == Status::free) << text(p);
    if (with.status == Status::free) {
      EXPECT_EQ(brute(p, true).status, Status::free);
    }
  }
}

TEST(SeparatingPlane, DeepestVertices) {
  // A corner of the upper tetrahedron dips into the box's top.
  const Body lower(box({-4, -4, -4}, {4, 4, 0})),
      upper(tetrahedron({Vec3{0, 0, -1}, Vec3{3, 0, 5}, Vec3{0, 3, 5}, Vec3{-3, -3, 5}}));
  for (const bool badness : {false, true}) {
    const CollideResult answer = separate({upper, lower, Pose(), Pose()}, {.by_badness = badness});
    EXPECT_EQ(answer.status, Status::undecided);
    ASSERT_TRUE(answer.deepest);
    EXPECT_EQ(index((*answer.deepest)[0]), 0u);
  }
}

TEST(SeparatingPlane, IdeasShowInTheCounters) {
  const Body cone(make::cone());
  const Placed p{cone, cone, Pose(), Pose({0.45, 0.45, 0.4}, {1, 1, 0, 0})};
  const auto updates = [&](SeparatingPlaneOptions options) {
    options.box_phase = false;
    return separate(p, options).counters.plane_updates;
  };
  const SeparatingPlaneOptions base{.start = Start::x_axis, .relaxation = 1};
  EXPECT_NE(updates(base), updates({.start = Start::barycentres, .relaxation = 1}));
  EXPECT_NE(updates(base), updates({.start = Start::x_axis, .relaxation = 0.9}));
  EXPECT_NE(updates(base), updates({.start = Start::x_axis, .relaxation = 1, .by_badness = true}));
  EXPECT_LE(updates({.start = Start::x_axis, .max_updates = 2, .relaxation = 1}), 2u);
}

TEST(SeparatingPlane, RefusesBadOptions) {
  const Body cube(make::box());
  const Placed p{cube, cube, Pose(), Pose({5, 0, 0})};
  for (const SeparatingPlaneOptions& bad :
       {SeparatingPlaneOptions{.eta = -1}, SeparatingPlaneOptions{.eta = 0}, SeparatingPlaneOptions{.eta = NAN},
        SeparatingPlaneOptions{.relaxation = 0}, SeparatingPlaneOptions{.relaxation = 1.5},
        SeparatingPlaneOptions{.max_updates = -1}}) {
    const CollideResult answer = separate(p, bad);
    EXPECT_EQ(answer.status, Status::invalid_request);
    ASSERT_TRUE(answer.error);
    EXPECT_EQ(answer.error->code, ErrorCode::bad_option);
  }
}

TEST(SeparatingPlane, AnyScale) {
  for (const int power : {-1060, -300, 0, 300, 1000}) {
    const double s = std::ldexp(1.0, power);
    const Placed p{Body(box({0, 0, 0}, {s, s, s})), Body(box({2 * s, 0, 0}, {3 * s, s, s})), Pose(), Pose()};
    EXPECT_EQ(separate(p).status, Status::free) << power;
  }
}

}  // namespace
}  // namespace graze::thesis
