// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <graze/ask/clearance_profile.hpp>
#include <graze/ask/distance.hpp>
#include <graze/mesh/make.hpp>

namespace graze {
namespace {

std::vector<double> even_times(std::size_t count) {
  std::vector<double> times;
  for (std::size_t i = 0; i < count; ++i) times.push_back(static_cast<double>(i) / static_cast<double>(count - 1));
  return times;
}

TEST(ClearanceProfile, OfACubeThatPassesAnother) {
  const Body box(make::box());
  const Motion past = Velocity(Pose({-3, 1.5, 0}), Pose({3, 1.5, 0}));
  const auto truth = [](double t) { return std::hypot(std::max(0.0, std::fabs(6 * t - 3) - 1), 0.5); };
  const std::vector<double> times = even_times(101);
  std::vector<ClearanceSample> samples(times.size());
  EXPECT_EQ(clearance_profile(box, past, box, Still{}, times, samples).status, Status::free);
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_EQ(samples[i].time, times[i]);
    EXPECT_LE(samples[i].lower, truth(times[i]));
    EXPECT_GE(samples[i].upper, truth(times[i]));
    EXPECT_LE(samples[i].upper - samples[i].lower, 1e-8);
    for (double share = 0; share <= 1 && i + 1 < times.size(); share += 0.125)
      EXPECT_LE(samples[i].lower_until_next, truth(times[i] + share * 0.01));
    EXPECT_GE(samples[i].lower_until_next, samples[i].lower - 0.0601);
  }
}

TEST(ClearanceProfileThreads, OfTurningBodiesAndShapes) {
  const Body ring(make::torus({.triangles = 200})), capsule(shape::Capsule{0.2, 1});
  const Motion motion = Screw(Pose({4, 0, 1}), Pose({-4, 1, 2.5}, {0.3, 1, 0.2, 0}));
  const std::vector<double> times = even_times(41);
  std::vector<ClearanceSample> samples(times.size()), again(times.size());
  clearance_profile(capsule, motion, ring, Still{}, times, samples);
  ClearanceProfileOptions options;
  options.threads = 3;
  clearance_profile(capsule, motion, ring, Still{}, times, again, options);
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_EQ(samples[i].lower, again[i].lower);
    EXPECT_EQ(samples[i].upper, again[i].upper);
    for (double share = 0; share <= 1 && i + 1 < times.size(); share += 0.25) {
      const Placement p = motion.at(times[i] + share * (times[i + 1] - times[i]));
      const Pose pose = Pose::from_matrix(
          {p.r[0], p.r[1], p.r[2], p.t.x, p.r[3], p.r[4], p.r[5], p.t.y, p.r[6], p.r[7], p.r[8], p.t.z, 0, 0, 0, 1});
      EXPECT_LE(samples[i].lower_until_next, distance(capsule, pose, ring, Pose()).distance * (1 + 1e-8));
    }
  }
}

TEST(ClearanceProfile, BoundsBetweenTheTimesAreTight) {
  const Body box(make::box());
  const Motion past = Velocity(Pose({-3, 1.5, 0}), Pose({3, 1.5, 0}));  // at least 0.5 apart
  std::vector<double> times{0, 1};
  std::vector<ClearanceSample> samples(2);
  EXPECT_EQ(clearance_profile(box, past, box, Still{}, times, samples).status, Status::free);
  EXPECT_GE(samples[0].lower_until_next, 0.4);
  EXPECT_LE(samples[0].lower_until_next, 0.5);
  // Two that move together do not approach, however fast they are.
  const Motion beside = Velocity(Pose({-3000, 0, 0}), Pose({3000, 0, 0})),
               with_it = Velocity(Pose({-3000, 1.5, 0}), Pose({3000, 1.5, 0}));
  EXPECT_EQ(clearance_profile(box, beside, box, with_it, times, samples).status, Status::free);
  EXPECT_GE(samples[0].lower_until_next, 0.4999);
  // A wheel that turns about its axis beside a wall: only what is far from the axis is fast.
  const Body wheel(shape::Cylinder{1, 0.2});
  const Motion turning = Velocity::from_speeds(Pose({0, 0, 2}), {0, 0, 0}, {0, 0, 6});
  times = even_times(11);
  samples.resize(11);
  EXPECT_EQ(clearance_profile(wheel, turning, box, Still{}, times, samples).status, Status::free);
  for (const ClearanceSample& s : samples) EXPECT_GE(s.lower_until_next, 0.85 * s.lower);
}

TEST(ClearanceProfile, OfHalfSpaces) {
  const Body floor(shape::HalfSpace{}), box(make::box()), ball(shape::Sphere{0.5});
  const std::vector<double> times = even_times(21);
  std::vector<ClearanceSample> samples(times.size());
  const Motion fall = Velocity(Pose({1, 2, 9}), Pose({3, 2, 1}, {1, 0.2, 0.4, 0}));
  for (const Motion& ground : {Motion(Still{}), Motion(Velocity(Pose(), Pose({0, 0, -1}, {1, 0.2, 0, 0})))})
    for (const Body* body : {&box, &ball})
      for (const bool swapped : {false, true}) {
        const ClearanceProfileResult r = swapped ? clearance_profile(floor, ground, *body, fall, times, samples)
                                                 : clearance_profile(*body, fall, floor, ground, times, samples);
        EXPECT_EQ(r.status, Status::free);
        for (std::size_t i = 0; i + 1 < times.size(); ++i) {
          EXPECT_GE(samples[i].lower_until_next, 0.7 * std::min(samples[i].lower, samples[i + 1].lower));
          for (double share = 0; share <= 1; share += 0.125) {
            const double t = times[i] + share * (times[i + 1] - times[i]);
            const auto pose = [&](const Motion& motion) {
              const Placement p = motion.at(t);
              return Pose::from_matrix({p.r[0], p.r[1], p.r[2], p.t.x, p.r[3], p.r[4], p.r[5], p.t.y, p.r[6], p.r[7],
                                        p.r[8], p.t.z, 0, 0, 0, 1});
            };
            const double d = distance(*body, pose(fall), floor, pose(ground)).distance;
            EXPECT_LE(samples[i].lower_until_next, d * (1 + 1e-9) + 1e-9);
            if (share == 0) {
              EXPECT_NEAR(samples[i].upper, d, 1e-7);
            }
          }
        }
      }
}

TEST(ClearanceProfile, ContactsLimitsAndRefusals) {
  const Body box(make::box());
  const Motion through = Velocity(Pose({-3, 0.1, 0.2}), Pose({3, 0.1, 0.2})), still = Still{};
  std::vector<double> times = even_times(11);
  std::vector<ClearanceSample> samples(times.size());
  EXPECT_EQ(clearance_profile(box, through, box, still, times, samples).status, Status::contact);
  EXPECT_EQ(samples[5].lower, 0);
  times = {0, 1};  // too coarse to tell
  samples.resize(2);
  EXPECT_EQ(clearance_profile(box, through, box, still, times, samples).status, Status::undecided);
  ClearanceProfileOptions options;
  options.budget = std::chrono::nanoseconds(0);
  EXPECT_EQ(clearance_profile(box, through, box, still, times, samples, options).status, Status::undecided);
  EXPECT_EQ(samples[0].upper, std::numeric_limits<double>::infinity());
  const auto refused = [&](std::vector<double> bad) {
    std::vector<ClearanceSample> out(bad.size());
    const ClearanceProfileResult r = clearance_profile(box, through, box, still, bad, out);
    return r.status == Status::invalid_request && r.error;
  };
  EXPECT_TRUE(refused({}));
  EXPECT_TRUE(refused({0.5, 0.2}));
  EXPECT_TRUE(refused({0, 1.5}));
  EXPECT_TRUE(refused({std::nan("")}));
  const Body half_space(shape::HalfSpace{});
  EXPECT_EQ(clearance_profile(half_space, through, half_space, still, times, samples).status, Status::invalid_request);
  samples.resize(3);
  EXPECT_EQ(clearance_profile(box, through, box, still, times, samples).status, Status::invalid_request);
}

}  // namespace
}  // namespace graze
