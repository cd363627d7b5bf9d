// SPDX-License-Identifier: MIT
#include <graze/gpu/motions.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include <graze/ask/first_contact.hpp>
#include <graze/ask/motion_free.hpp>
#include <graze/mesh/make.hpp>

namespace {

using namespace graze;

struct Flights {
  std::vector<Pose> from_a, to_a, from_b, to_b;
  std::size_t size() const { return from_a.size(); }
  gpu::PoseMotions a() const { return {from_a, to_a}; }
  gpu::PoseMotions b() const { return {from_b, to_b}; }
};

Pose random_pose(std::mt19937_64& random, double distance) {
  std::normal_distribution<double> normal;
  const Vec3 d{normal(random), normal(random), normal(random)};
  return Pose(d * (distance / length(d)), {normal(random), normal(random), normal(random), normal(random)});
}

/// B flies past A, both turning; about half of the flights meet.
Flights random_flights(std::mt19937_64& random, std::size_t n, double distance, double aside) {
  Flights f;
  std::uniform_real_distribution<double> share(0, aside);
  for (std::size_t i = 0; i < n; ++i) {
    f.from_a.push_back(random_pose(random, 0.1 * distance));
    f.to_a.push_back(random_pose(random, 0.1 * distance));
    const Pose from = random_pose(random, distance), past = random_pose(random, share(random));
    f.from_b.push_back(from);
    f.to_b.push_back(Pose(past.translation() * 2 - from.translation(), past.rotation()));
  }
  return f;
}

/// Both brackets are between the first time within the tolerance and the first time at distance 0: only their order is
/// open. So the answers may differ near that, and a flight that passes by about the tolerance may be either.
void expect_like_cpu(const Body& a, const Body& b, const Flights& f, const std::vector<gpu::MotionAnswer>& found,
                     const FirstContactOptions& options = {}) {
  std::size_t differing = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    const Velocity ma(f.from_a[i], f.to_a[i]), mb(f.from_b[i], f.to_b[i]);
    const FirstContactResult cpu = first_contact(a, ma, b, mb, options);
    if (cpu.status != found[i].status) {
      ++differing;
      ADD_FAILURE() << "flight " << i << ": CPU " << name(cpu.status) << " " << cpu.time.touch << ", GPU "
                    << name(found[i].status) << " " << found[i].time;
      continue;
    }
    if (cpu.status != Status::contact) continue;
    if (!(std::fabs(cpu.time.touch - found[i].time) <= 1e-4)) ++differing;
    EXPECT_NEAR(cpu.time.touch, found[i].time, 1e-4) << "flight " << i;
  }
  EXPECT_EQ(differing, 0u);
}

TEST(MotionsOnGpu, TurningKnotsLikeTheCpu) {
  std::mt19937_64 random(7);
  const Body knot(make::torus_knot({.triangles = 2880}));
  const Flights f = random_flights(random, 300, 4, 2.5);
  gpu::MotionPair pair(knot, knot);
  std::vector<gpu::MotionAnswer> found(f.size());
  const gpu::MotionsResult r = gpu::first_contact_many(pair, f.a(), f.b(), found);
  EXPECT_FALSE(r.error);
  printf("free %zu contact %zu repeated %zu cpu %zu\n", r.free, r.contact, r.repeated, r.on_cpu);
  expect_like_cpu(knot, knot, f, found);
}

}  // namespace
