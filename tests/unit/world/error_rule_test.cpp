// SPDX-License-Identifier: MIT
// The rule of graze/core/error.hpp over worlds, concurrent ones too.
#include <gtest/gtest.h>

#include <limits>
#include <sstream>
#include <vector>

#include <graze/graze.hpp>

#include "error_rule.hpp"

namespace graze::testing {
namespace {

using error_rule::of;

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

TEST(ErrorRule, QuestionsOfWorldsReturnInvalidRequest) {
  const Body a(make::box());
  World world;
  const BodyId one = world.add(a);
  world.add(a, Pose({5, 0, 0}));
  const Motion still = Still{};
  const auto sweep = [&](const SweepOptions& o) { return of(world.sweep(o)); };
  const auto cast = [&](const CastOptions& o) { return of(world.cast(a, still, o)); };
  error_rule::expect_invalid_requests({
      {"sweep method", [&] { return sweep({.method = "?"}); }},
      {"sweep tolerance", [&] { return sweep({.tolerance = no_number}); }},
      {"sweep separation", [&] { return sweep({.min_separation = -1}); }},
      {"sweep each and earliest", [&] { return sweep({.earliest = true, .advance = true, .each = true}); }},
      {"sweep each alone", [&] { return sweep({.each = true}); }},
      {"near", [&] { return of(world.near(no_number)); }},
      {"cast method", [&] { return cast({.method = "?"}); }},
      {"cast tolerance", [&] { return cast({.tolerance = -1.0}); }},
      {"cast separation", [&] { return cast({.min_separation = no_number}); }},
      {"nearest finite",
       [&] {
         return of(world.nearest({no_number, 0, 0}, 1));
       }},
  });
  EXPECT_TRUE(world.pose(one) == Pose() && world.size() == 2);
}

TEST(ErrorRule, WhatChangesAWorldThrows) {
  const Body a(make::box());
  World world;
  const BodyId body = world.add(a), gone = world.add(a);
  world.remove(gone);
  const FrameId frame = world.add_frame(), lost = world.add_frame();
  world.remove_frame(lost);
  const Chain chain({{"arm", "", {JointType::revolute, Pose(), {0, 0, 1}, 0}}});
  const std::vector<LinkBody> links{{LinkId{0}, a}}, unknown{{LinkId{7}, a}};
  const double zero[] = {0}, two[] = {0, 0}, bad[] = {no_number};
  const ArticulatedId arm = world.add(chain, links, zero), removed = world.add(chain, links, zero);
  world.remove(removed);
  const BodyId finger = world.bodies(arm)[0];
  const std::vector<Vec3> few(3);
  const Pose here;
  const std::size_t bodies = world.size();
  std::vector<std::vector<BodyHit>> hits(2);
  const Ray ray[1] = {};
  const auto add = [&](const BodySettings& s) { return [&world, &a, s] { world.add(a, Pose(), s); }; };
  error_rule::expect_errors({
      {"broad phase", [] { World({.broad = "?"}); }},
      {"broad options", [] { World({.broad_options = {.margin = -1}}); }},
      {"threads", [] { World({.threads = 1025}); }},
      {"add frame", add({.frame = lost})},
      {"add margin", add({.margin = no_number})},
      {"remove", [&] { world.remove(gone); }},
      {"move", [&] { world.move(gone, here); }},
      {"teleport", [&] { world.teleport(gone, here); }},
      {"pose", [&] { world.pose(gone); }},
      {"destination", [&] { world.destination(gone); }},
      {"destination_body", [&] { world.destination_body(gone); }},
      {"body", [&] { world.body(gone); }},
      {"name", [&] { world.name(gone); }},
      {"data", [&] { world.data(gone); }},
      {"deform", [&] { world.deform(body, few); }},
      {"deform gone", [&] { world.deform(gone, few); }},
      {"replace", [&] { world.replace(gone, a); }},
      {"break_up", [&] { world.break_up(gone, {}); }},
      {"articulated link", [&] { world.add(chain, unknown, zero); }},
      {"articulated coordinates", [&] { world.add(chain, links, two); }},
      {"articulated finite", [&] { world.add(chain, links, bad); }},
      {"articulated frame", [&] { world.add(chain, links, zero, here, {.frame = lost}); }},
      {"move articulated", [&] { world.move(removed, zero); }},
      {"move articulated coordinates", [&] { world.move(arm, two); }},
      {"teleport articulated finite", [&] { world.teleport(arm, bad); }},
      {"remove articulated", [&] { world.remove(removed); }},
      {"bodies", [&] { world.bodies(removed); }},
      {"move a link by itself", [&] { world.move(finger, here); }},
      {"frame parent", [&] { world.add_frame(here, lost); }},
      {"remove_frame", [&] { world.remove_frame(lost); }},
      {"move frame", [&] { world.move(lost, here); }},
      {"teleport frame", [&] { world.teleport(lost, here); }},
      {"frame pose", [&] { world.pose(lost); }},
      {"attach body", [&] { world.attach(gone, frame, here); }},
      {"attach to frame", [&] { world.attach(body, lost, here); }},
      {"attach frame to itself", [&] { world.attach(frame, frame, here); }},
      {"attach articulated", [&] { world.attach(removed, frame, here); }},
      {"interest", [&] { world.interest(gone, true); }},
      {"interest pair", [&] { world.interest(body, gone, true); }},
      {"interest in itself", [&] { world.interest(body, body, true); }},
      {"groups", [&] { world.groups(gone, 1, 1); }},
      {"trigger", [&] { world.trigger(gone, true); }},
      {"margin", [&] { world.margin(body, -1); }},
      {"set_pair method", [&] { world.set_pair(body, finger, {.method = "?"}); }},
      {"set_pair tolerance", [&] { world.set_pair(body, finger, {.tolerance = no_number}); }},
      {"pair", [&] { world.pair(body, gone); }},
      {"on_contact", [&] { world.on_contact(gone, [](const WorldEvent&) {}); }},
      {"rays", [&] { world.rays(ray, {}, hits); }},
      {"in_box",
       [&] {
         world.in_box({{no_number, 0, 0}, {1, 1, 1}});
       }},
      {"record", [&] { world.record("/no/such/folder/file"); }},
      {"replay",
       [] {
         std::istringstream in("nonsense");
         replay_world(in, "memory");
       }},
  });
  EXPECT_EQ(world.size(), bodies);
}

TEST(ErrorRule, ConcurrentWorldsThrowAtOnceOrAnswer) {
  const Body a(make::box());
  ConcurrentWorld world;
  const BodyId gone = world.add(a);
  world.add(a);
  world.remove(gone);
  const Pose here;
  error_rule::expect_errors({
      {"World", [] { ConcurrentWorld({.world = {.broad = "?"}}); }},
      {"add", [&] { world.add(a, here, {.margin = -1}); }},
      {"move", [&] { world.move(gone, here); }},
      {"deform", [&] { world.deform(gone, {}); }},
      {"margin", [&] { world.margin(gone, 0); }},
      {"frame", [&] { world.move(FrameId{9}, here); }},
      {"ask_near", [&] { world.ask_near(-1); }},
      {"ask_ray",
       [&] {
         world.ask_ray({no_number, 0, 0}, {});
       }},
      {"ask_in_box",
       [&] {
         world.ask_in_box({{1, 0, 0}, {0, 0, 0}});
       }},
  });
  const std::uint64_t sweep = world.ask_sweep({.method = "?"}), cast = world.ask_cast(a, Still{}, {.method = "?"});
  const std::uint64_t nearest = world.ask_nearest({no_number, 0, 0}, 1);
  world.post();
  world.wait();
  std::vector<ConcurrentAnswer> answers;
  world.take(answers);
  ASSERT_EQ(answers.size(), 3u);
  for (const ConcurrentAnswer& answer : answers) {
    if (answer.question == sweep) {
      EXPECT_EQ(std::get<SweepResult>(answer.answer).status, Status::invalid_request);
    }
    if (answer.question == cast) {
      EXPECT_EQ(std::get<CastResult>(answer.answer).status, Status::invalid_request);
    }
    if (answer.question == nearest) {
      EXPECT_EQ(std::get<NearestResult>(answer.answer).status, Status::invalid_request);
    }
    EXPECT_TRUE(answer.error);
  }
}

}  // namespace
}  // namespace graze::testing
