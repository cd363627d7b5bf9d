// SPDX-License-Identifier: MIT
// Asking the method `advancement` directly, and checking what it says against the exact discrete test.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>
#include <graze/classic/fast.hpp>
#include <graze/mesh/make.hpp>

#include "classic/fast/advancement.hpp"
#include "engine/first_contact/brute.hpp"
#include "engine/first_contact/own_pair.hpp"
#include "engine/first_contact/pair/coherence.hpp"
#include "engine/first_contact/pair/kinematics.hpp"
#include "oracle/generators.hpp"

namespace advancement_test {

using namespace graze;
using engine::first_contact::Found;

struct Scene {
  Body a;
  Motion motion_a;
  Body b;
  Motion motion_b;
  double tolerance = 1e-4;
};

inline double rounding_of(const Scene& s) {
  const motion::Path &ma = s.motion_a.path(), &mb = s.motion_b.path();
  if (ma.kinematic() && mb.kinematic())
    return engine::first_contact::Kinematics(s.a.data(), ma, s.b.data(), mb).rounding();
  const FirstContactOptions options;
  const engine::first_contact::Flight f{s.a.data(), s.b.data(), ma, mb, options, 0, 0};
  const engine::first_contact::OwnPairs pairs(f);
  return std::max(pairs.at(0).error, pairs.at(1).error);
}

template <class Method>
Found ask_method(const Scene& s, const FirstContactOptions& options) {
  const double rounding = rounding_of(s), tolerance = std::max(s.tolerance, 16 * rounding);
  const engine::first_contact::Flight flight{s.a.data(), s.b.data(), s.motion_a.path(), s.motion_b.path(),
                                             options,    tolerance,  rounding};
  Found found;
  EXPECT_FALSE(Method::refuses(flight));
  Method::run(flight, found);
  return found;
}
inline Found ask(const Scene& s, const FirstContactOptions& options = {}) {
  return ask_method<classic::fast::Advancement>(s, options);
}
/// Every pair of triangles by itself.
inline Found ask_brute(const Scene& s) { return ask_method<engine::first_contact::BruteMotion>(s, {}); }

/// The pose at t, as near as a quaternion comes.
inline Pose pose_at(const Motion& m, double t) {
  const Placement p = m.at(t);
  return Pose::from_matrix(
      {p.r[0], p.r[1], p.r[2], p.t.x, p.r[3], p.r[4], p.r[5], p.t.y, p.r[6], p.r[7], p.r[8], p.t.z, 0, 0, 0, 1});
}

inline bool collide_at(const Scene& s, double t) {
  return collide(s.a, pose_at(s.motion_a, t), s.b, pose_at(s.motion_b, t)).status == Status::contact;
}
inline double distance_at(const Scene& s, double t) {
  return distance(s.a, pose_at(s.motion_a, t), s.b, pose_at(s.motion_b, t)).distance;
}

/// The contract: no contact at any sampled time before `safe`, within the tolerance at `touch`.
inline void check(const Scene& s, const Found& f, int samples) {
  ASSERT_TRUE(f.status == Status::contact || f.status == Status::free) << name(f.status);
  const double end = f.status == Status::free ? 1 : f.safe;
  for (int i = 0; i <= samples; ++i) {
    const double t = double(i) / samples;
    if (t > end - 1e-12 && !(f.status == Status::free)) break;
    ASSERT_FALSE(collide_at(s, t)) << "missed at " << t << ", said " << name(f.status) << " " << f.safe;
  }
  if (f.status == Status::free) return;
  EXPECT_LE(f.safe, f.touch);
  EXPECT_GE(f.safe, 0);
  EXPECT_LE(f.touch, 1);
  EXPECT_LE(distance_at(s, f.touch), s.tolerance * (1 + 1e-9) + 1e-14);
}

inline void expect_same(const Found& x, const Found& y) {
  EXPECT_EQ(x.status, y.status);
  EXPECT_EQ(x.safe, y.safe);
  EXPECT_EQ(x.touch, y.touch);
  EXPECT_EQ(x.triangle_a, y.triangle_a);
  EXPECT_EQ(x.triangle_b, y.triangle_b);
}

/// Every choice of the switches.
inline std::array<classic::fast::AdvancementOptions, 32> every_switch() {
  std::array<classic::fast::AdvancementOptions, 32> all;
  for (unsigned i = 0; i < 32; ++i)
    all[i] = {.hierarchical = (i & 1) == 0,
              .directed = (i & 2) == 0,
              .front = (i & 4) == 0,
              .warm_start = (i & 8) == 0,
              .lookup_table = (i & 16) == 0};
  return all;
}

inline Quat random_turn(oracle::Random& random) {
  return {oracle::real(random), oracle::real(random), oracle::real(random), oracle::real(random)};
}

}  // namespace advancement_test
