// SPDX-License-Identifier: MIT
// Questions about depth, nearness, step sizes, scenes and batches also end soon after their token is cancelled.
#include <gtest/gtest.h>

#include <graze/graze.hpp>

#include "cancelled.hpp"

namespace graze::testing {
namespace {

using cancelled::expect_cancelled;

TEST(CancelGeometry, DepthsManifoldsAndProfilesEndSoon) {
  const cancelled::Scene& s = cancelled::scene();
  expect_cancelled("penetration", [&](const CancelToken& cancel) {
    return penetration(s.a, Pose(), s.b, Pose(), {.cancel = cancel}).status;
  });
  expect_cancelled("manifold", [&](const CancelToken& cancel) {
    const ManifoldResult r = manifold(s.a, Pose(), s.b, Pose(), {.cancel = cancel});
    EXPECT_TRUE(r.patches.empty());
    return r.status;
  });
  std::vector<double> times(10'000);
  for (std::size_t i = 0; i < times.size(); ++i) times[i] = static_cast<double>(i) / static_cast<double>(times.size());
  std::vector<ClearanceSample> samples(times.size());
  expect_cancelled("clearance_profile", [&](const CancelToken& cancel) {
    return clearance_profile(s.socket, Still{}, s.ring, s.turn, times, samples, {.cancel = cancel}).status;
  });
  expect_cancelled("motion_free", [&](const CancelToken& cancel) {
    return motion_free(s.socket, Still{}, s.ring, s.turn, {.cancel = cancel}).status;
  });
  expect_cancelled("least clearance", [&](const CancelToken& cancel) {
    return first_contact(s.socket, Still{}, s.ring, s.turn, {.clearance = true, .cancel = cancel}).status;
  });
  expect_cancelled("separation", [&](const CancelToken& cancel) {
    return first_contact(s.comb_a, Still{}, s.comb_b, s.turn, {.min_separation = 0.2, .cancel = cancel}).status;
  });
}

TEST(CancelGeometry, DeformableMeshesEndSoon) {
  const cancelled::Scene& s = cancelled::scene();
  std::vector<Vec3> end(s.soup_a.positions().begin(), s.soup_a.positions().end());
  for (Vec3& p : end) p = p * 1.1;
  expect_cancelled("contacts", [&](const CancelToken& cancel) {
    return Deformable(s.soup_a).contacts(end, {.cancel = cancel}).status;
  });
  expect_cancelled("step_size", [&](const CancelToken& cancel) {
    StepSizeOptions options;
    options.ignore_start_crossings = true;
    options.cancel = cancel;
    const StepSize r = Deformable(s.soup_a).step_size(end, options);
    EXPECT_TRUE(r.step >= 0 && r.step <= 1);
    return r.status;
  });
  Deformable kept(s.soup_a);
  for (const int threads : {1, 2})
    expect_cancelled("near", [&](const CancelToken& cancel) {
      ProximityOptions options;
      options.threads = threads;
      options.cancel = cancel;
      ProximityResult r;
      kept.near(s.soup_a.positions(), 0.2, options, r);
      EXPECT_TRUE(r.pairs.empty());
      return r.status;
    });
  expect_cancelled("near_brute", [&](const CancelToken& cancel) {
    ProximityOptions options;
    options.cancel = cancel;
    return near_brute(s.soup_a, s.soup_a.positions(), 0.2, options).status;
  });
}

TEST(CancelGeometry, ScenesEndSoon) {
  const cancelled::Scene& s = cancelled::scene();
  std::vector<Vec3> end(s.soup_a.positions().begin(), s.soup_a.positions().end());
  for (Vec3& p : end) p = p * 1.1;
  const auto make = [&](bool turning) {
    DeformScene scene;
    scene.move(scene.add_deforming(s.soup_a), end);
    if (turning)
      scene.add_rigid(s.b, Velocity(Pose(), Pose({0.1, 0, 0}, {1, 0, 0, 0.1})));
    else
      scene.add_deforming(s.soup_b);
    return scene;
  };
  for (const bool turning : {false, true}) {
    expect_cancelled(turning ? "scene contacts, turning" : "scene contacts",
                     [&](const CancelToken& cancel) { return make(turning).contacts({.cancel = cancel}).status; });
    expect_cancelled(turning ? "scene step, turning" : "scene step",
                     [&](const CancelToken& cancel) { return make(turning).step({.cancel = cancel}).status; });
    expect_cancelled(turning ? "scene step_size, turning" : "scene step_size", [&](const CancelToken& cancel) {
      StepSizeOptions options;
      options.ignore_start_crossings = true;
      options.cancel = cancel;
      return make(turning).step_size(options).status;
    });
  }
}

TEST(CancelGeometry, BatchesAndQuestionsOfWorldsEndSoon) {
  const cancelled::Scene& s = cancelled::scene();
  std::vector<CollideResult> collides(4);
  expect_cancelled("collide_many", [&](const CancelToken& cancel) {
    const ManyResult r = collide_many(s.comb_a, Pose(), s.comb_b, Pose(), collides,
                                      {.each = {.method = "brute"}, .threads = 2, .cancel = cancel});
    EXPECT_EQ(r.undecided, 4u);
    return r.status;
  });
  std::vector<FirstContactResult> contacts(4);
  expect_cancelled("first_contact_many", [&](const CancelToken& cancel) {
    return first_contact_many(s.socket, Motion(Still{}), s.ring, s.turn, contacts, {.cancel = cancel}).status;
  });
  std::vector<MotionFreeResult> free(4);
  expect_cancelled("motion_free_many", [&](const CancelToken& cancel) {
    return motion_free_many(s.socket, Motion(Still{}), s.ring, s.turn, free, {.cancel = cancel}).status;
  });
  expect_cancelled("cast", [&](const CancelToken& cancel) {
    World world;
    world.add(s.socket);
    return world.cast(s.ring, s.turn, {.cancel = cancel}).status;
  });
  expect_cancelled("check with details", [&](const CancelToken& cancel) {
    World world;
    world.add(s.a);
    world.add(s.b);
    CheckOptions options;
    options.cancel = cancel;
    options.details.all_pairs = options.details.manifold = options.details.depth = true;
    const CheckResult r = world.check(options);
    // Cancelled before it decides the pair, or when it only lacks what it was asked for besides.
    return r.events.empty() ? Status::undecided : r.events[0].depth.value().status;
  });
}

}  // namespace
}  // namespace graze::testing
