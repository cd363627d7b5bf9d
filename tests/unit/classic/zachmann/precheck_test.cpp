// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <graze/classic/zachmann.hpp>

#include "unit/classic/zachmann/thesis_bodies.hpp"

namespace graze::thesis {
namespace {

TEST(PrecheckOnly, FreeIsCertainAndContactIsNeverSaid) {
  oracle::Random random(11);
  int free = 0, undecided_but_free = 0;
  for (int i = 0; i < 1000; ++i) {
    const Placed p = random_convex_pair(random);
    const CollideResult answer = ask(p, {.method = "precheck_only"}), truth = brute(p, false);
    EXPECT_TRUE(answer.status == Status::free || answer.status == Status::undecided);
    EXPECT_TRUE(answer.status == Status::undecided || truth.status == Status::free) << text(p);
    EXPECT_FALSE(answer.kind);
    EXPECT_TRUE(answer.pairs.empty());
    free += answer.status == Status::free;
    undecided_but_free += answer.status == Status::undecided && truth.status == Status::free;
  }
  EXPECT_GT(free, 100);
  EXPECT_GT(undecided_but_free, 0) << "it has no uncertain side?";
}

TEST(PrecheckOnly, BoxesThatTouchAreUndecided) {
  const auto at = [](double z) {
    return Placed{Body(box({0, 0, 0}, {1, 1, 1})), Body(box({0, 0, 0}, {1, 1, 1})), Pose(), Pose({0, 0, z})};
  };
  EXPECT_EQ(ask(at(1), {.method = "precheck_only"}).status, Status::undecided);
  // Beyond the bound of the placement's error, which is what keeps `free` certain.
  EXPECT_EQ(ask(at(1 + 1e-12), {.method = "precheck_only"}).status, Status::free);
}

TEST(PrecheckOnly, EachPrecheckAtWork) {
  // Long thin boxes side by side on a diagonal: bodies' boxes overlap, those of most edges and faces do not.
  const Body rod(box({0, 0, 0}, {16, 1, 1}));
  const Placed p{rod, rod, Pose(), Pose({2, 2.5, 0}, {1, 0, 0, 0.25})};
  const Answer all = ask(p, {.method = "precheck_only"});
  const auto without = [&](classic::zachmann::BruteOptions options) {
    return ask(p, {.method = "precheck_only", .zachmann = classic::zachmann::Options{.brute = options}});
  };
  EXPECT_EQ(without({.edge_box = false, .collect_faces = false, .edge_face_box = false}).status, Status::undecided);
  EXPECT_EQ(without({.edge_box = false}).counters.precheck_edge_box, 0u);
  EXPECT_EQ(without({.collect_faces = false}).counters.precheck_face_box, 0u);
  EXPECT_EQ(without({.edge_face_box = false}).counters.precheck_edge_face_box, 0u);
  EXPECT_GT(all.counters.precheck_edge_box + all.counters.precheck_face_box + all.counters.precheck_edge_face_box, 0u);
  EXPECT_EQ(all.counters.edge_polygon_tests, 0u);
}

TEST(PrecheckOnly, SolidLooksForContainment) {
  const Placed p{Body(box({0, 0, 0}, {4, 4, 4})), Body(box({1, 1, 1}, {2, 2, 2})), Pose(), Pose()};
  EXPECT_EQ(ask(p, {.method = "precheck_only"}).status, Status::free);
  const CollideResult solid = ask(p, {.method = "precheck_only", .solid = true});
  EXPECT_EQ(solid.status, Status::contact);
  EXPECT_EQ(solid.contained, Containment::b_in_a);
}

TEST(PrecheckOnly, RefusesAllPairs) {
  const Body cube(make::box());
  EXPECT_EQ(ask({cube, cube, Pose(), Pose()}, {.method = "precheck_only", .all = true}).status,
            Status::invalid_request);
}

}  // namespace
}  // namespace graze::thesis
