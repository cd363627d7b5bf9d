// SPDX-License-Identifier: MIT
#include <graze/gpu/motions.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include <graze/ask/first_contact.hpp>
#include <graze/ask/motion_free.hpp>
#include <graze/mesh/make.hpp>

namespace {

using namespace graze;

struct Flights {
  std::vector<Pose> from_a, to_a, from_b, to_b;
  Vec3 reference_a, reference_b;

  std::size_t size() const { return from_b.size(); }
  gpu::PoseMotions a() const { return {from_a, to_a, reference_a}; }
  gpu::PoseMotions b() const { return {from_b, to_b, reference_b}; }
  Velocity motion_a(std::size_t i) const { return Velocity(from_a[i], to_a[i], reference_a); }
  Velocity motion_b(std::size_t i) const { return Velocity(from_b[i], to_b[i], reference_b); }
  void add(const Pose& a0, const Pose& a1, const Pose& b0, const Pose& b1) {
    from_a.push_back(a0), to_a.push_back(a1), from_b.push_back(b0), to_b.push_back(b1);
  }
};

Quat random_rotation(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  return {normal(random), normal(random), normal(random), normal(random)};
}
Pose random_pose(std::mt19937_64& random, double distance) {
  std::normal_distribution<double> normal;
  const Vec3 d{normal(random), normal(random), normal(random)};
  return Pose(d * (distance / length(d)), random_rotation(random));
}

/// B flies past A, both turning.
Flights random_flights(std::mt19937_64& random, std::size_t n, double distance, double aside) {
  Flights f;
  std::uniform_real_distribution<double> share(0, aside);
  for (std::size_t i = 0; i < n; ++i) {
    const Pose from = random_pose(random, distance), past = random_pose(random, share(random));
    const Pose a0 = random_pose(random, 0.1 * distance), a1 = random_pose(random, 0.1 * distance);
    f.add(a0, a1, from, Pose(past.translation() * 2 - from.translation(), past.rotation()));
  }
  return f;
}

/// Both times lie between the first time within the tolerance and the first time of distance 0, so they differ by
/// little: `apart`.
gpu::MotionsResult expect_like_cpu(const Body& a, const Body& b, const Flights& f, double apart = 1e-4,
                                   const FirstContactOptions& cpu_options = {}) {
  gpu::MotionPair pair(a, b);
  gpu::MotionsOptions options;
  options.tolerance = cpu_options.tolerance;
  options.min_separation = cpu_options.min_separation;
  std::vector<gpu::MotionAnswer> found(f.size()), again(f.size()), any(f.size());
  const gpu::MotionsResult r = gpu::first_contact_many(pair, f.a(), f.b(), found, options);
  EXPECT_FALSE(r.error) << r.error->text();
  EXPECT_EQ(r.free + r.contact, f.size());
  gpu::first_contact_many(pair, f.a(), f.b(), again, options);
  gpu::motion_free_many(pair, f.a(), f.b(), any, options);
  for (std::size_t i = 0; i < f.size(); ++i) {
    const FirstContactResult cpu = first_contact(a, f.motion_a(i), b, f.motion_b(i), cpu_options);
    EXPECT_EQ(cpu.status, found[i].status) << "flight " << i << " at " << cpu.time.touch << " and " << found[i].time;
    EXPECT_EQ(found[i].status == Status::free, any[i].status == Status::free) << "flight " << i;
    EXPECT_EQ(found[i].time, again[i].time);
    EXPECT_TRUE(found[i].a == again[i].a && found[i].b == again[i].b);
    if (cpu.status != Status::contact || found[i].status != Status::contact) continue;
    EXPECT_NEAR(cpu.time.touch, found[i].time, apart) << "flight " << i;
    EXPECT_GE(any[i].time, found[i].time - apart) << "flight " << i;
  }
  return r;
}

TEST(MotionsOnGpu, TurningKnotsLikeTheCpu) {
  std::mt19937_64 random(7);
  const Body knot(make::torus_knot({.triangles = 2880}));
  const gpu::MotionsResult r = expect_like_cpu(knot, knot, random_flights(random, 100, 4, 5));
  EXPECT_GT(r.free, 10u);
  EXPECT_GT(r.contact, 10u);
  EXPECT_LT(r.on_cpu, 5u);
}

TEST(MotionsOnGpu, ReferencePointsTolerancesAndSeparations) {
  std::mt19937_64 random(8);
  const Body a(make::torus_knot({.triangles = 600})), b(make::bunny({.triangles = 800}));
  Flights f = random_flights(random, 60, 4, 4);
  f.reference_a = {0.3, -1, 0.2};
  f.reference_b = {0, 2, 0.5};
  expect_like_cpu(a, b, f);
  FirstContactOptions options;
  options.tolerance = 1e-3;
  expect_like_cpu(a, b, f, 0.02, options);
  options.min_separation = 0.1;
  expect_like_cpu(a, b, f, 0.02, options);
}

TEST(MotionsOnGpu, LikeBruteForceOnSmallMeshes) {
  std::mt19937_64 random(9);
  const Body a(make::box({.size = {1.5, 0.02, 1}})), b(make::sphere({.triangles = 80}));
  const Flights f = random_flights(random, 150, 3, 2);
  FirstContactOptions brute;
  brute.method = "brute";
  expect_like_cpu(a, b, f, 1e-4, brute);
  expect_like_cpu(a, a, f, 1e-4);
}

TEST(MotionsOnGpu, OnlyShiftsOnlyTurnsAndNoMotion) {
  std::mt19937_64 random(10);
  const Body a(make::torus_knot({.triangles = 600})), b(make::box({.size = {0.5, 0.4, 2}}));
  Flights f;
  for (int i = 0; i < 60; ++i) {
    const Pose start = random_pose(random, 3.0), rest = random_pose(random, 0.1);
    switch (i % 4) {
      case 0: f.add(rest, rest, start, Pose(-start.translation(), start.rotation())); break;
      case 1: f.add(rest, Pose(rest.translation(), random_rotation(random)), start, start); break;
      case 2: f.add(rest, rest, start, start); break;
      default:  // turns about itself, beside the other
        f.add(rest, rest, Pose({1.2, 1.2, 0}, {1, 0, 0, 0}), Pose({1.2, 1.2, 0}, {0.1, 0, 0, 1}));
    }
  }
  expect_like_cpu(a, b, f);
}

// Half a turn has two directions, of which the CPU decides exactly which is meant; what starts in contact is decided
// exactly, too; and so is what starts nearer than the tolerance.
TEST(MotionsOnGpu, WhatTheDeviceDoesNotSettleTheCpuAnswers) {
  const Body box(make::box({}));
  Flights f;
  const Pose rest;
  f.add(rest, rest, Pose({3, 0.2, 0}, {1, 0, 0, 0}), Pose({-3, 0, 0}, {0, 0, 0, 1}));  // half a turn
  f.add(rest, rest, Pose({0.5, 0.5, 0.25}), Pose({3, 0, 0}));                          // crosses at the start
  f.add(rest, rest, Pose({1, 0, 0}), Pose({3, 0, 0}));                                 // touches at the start
  f.add(rest, rest, Pose({1 + 1e-9, 0, 0}), Pose({0.5, 0, 0}));                        // starts very near
  f.add(rest, rest, Pose({1 + 1e-9, 0, 0}), Pose({1 + 1e-9, 1, 0}));                   // slides past very near
  const gpu::MotionsResult r = expect_like_cpu(box, box, f);
  EXPECT_GE(r.on_cpu, 4u);
}

TEST(MotionsOnGpu, FarAwayHugeAndTiny) {
  std::mt19937_64 random(12);
  for (const double scale : {1e-30, 1.0, 1e30, 1e-200, 1e250}) {
    const auto scaled = [&](const Mesh& mesh) {
      std::vector<Vec3> positions(mesh.positions().begin(), mesh.positions().end());
      for (Vec3& x : positions) x = x * scale;
      return Mesh(positions, std::vector<Triangle>(mesh.triangles().begin(), mesh.triangles().end()));
    };
    const Body a(scaled(make::torus_knot({.triangles = 300}))), b(scaled(make::box({})));
    Flights f = random_flights(random, 20, 4 * scale, 4 * scale);
    expect_like_cpu(a, b, f);
  }
  const Body a(make::torus_knot({.triangles = 300})), b(make::box({}));
  Flights far;
  for (const double distance : {1e3, 1e6, 1e12})
    for (int i = 0; i < 8; ++i) {
      const Vec3 off{distance, -distance, 0.5 * distance};
      const Flights near = random_flights(random, 1, 4, 3);
      const auto moved = [&](const Pose& p) { return Pose(p.translation() + off, p.rotation()); };
      far.add(moved(near.from_a[0]), moved(near.to_a[0]), moved(near.from_b[0]), moved(near.to_b[0]));
    }
  expect_like_cpu(a, b, far, 1e-3);
  // A long flight of small bodies, and bodies of very different sizes.
  Flights long_ones;
  for (int i = 0; i < 10; ++i)
    long_ones.add(Pose(), Pose(), Pose({1e4, 0.1 * i, 0.2}, random_rotation(random)),
                  Pose({-1e4, 0, 0}, random_rotation(random)));
  expect_like_cpu(a, b, long_ones, 1e-6);
  const Body grain(make::box({.size = {1e-4, 1e-4, 1e-4}}));
  expect_like_cpu(a, grain, random_flights(random, 30, 3, 1.5), 1e-4);
}

TEST(MotionsOnGpu, NeedlesAndFlatTriangles) {
  std::mt19937_64 random(13);
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
  std::normal_distribution<double> normal;
  for (std::uint32_t i = 0; i < 40; ++i) {
    const Vec3 p{normal(random), normal(random), normal(random)}, q{normal(random), normal(random), normal(random)};
    positions.push_back(p);
    positions.push_back(q);
    positions.push_back(i % 2 == 0 ? p + (q - p) * 0.5 + Vec3{1e-9, 0, 0} : p);  // a needle, or an edge only
    triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  const Body needles(Mesh(positions, triangles)), box(make::box({}));
  expect_like_cpu(needles, box, random_flights(random, 40, 6, 4));
  expect_like_cpu(needles, needles, random_flights(random, 20, 6, 4));
}

TEST(MotionsOnGpu, RefusesWhatIsNoQuestion) {
  const Body box(make::box({}));
  gpu::MotionPair pair(box, box);
  const std::vector<Pose> three(3, Pose({4, 0, 0})), two(2, Pose({-4, 0, 0}));
  const Pose rest;
  const gpu::PoseMotions still{{&rest, 1}, {&rest, 1}};
  std::vector<gpu::MotionAnswer> answers(3);
  EXPECT_EQ(gpu::first_contact_many(pair, still, {three, two}, answers).status, Status::invalid_request);
  for (const double wrong : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    gpu::MotionsOptions options;
    options.tolerance = wrong;
    EXPECT_EQ(gpu::first_contact_many(pair, still, {three, three}, answers, options).status, Status::invalid_request);
    options.tolerance = {};
    options.min_separation = wrong == 0 ? -1 : wrong;
    EXPECT_EQ(gpu::first_contact_many(pair, still, {three, three}, answers, options).status, Status::invalid_request);
  }
  EXPECT_EQ(
      gpu::first_contact_many(pair, {{&rest, 1}, {&rest, 1}, {std::nan(""), 0, 0}}, {three, three}, answers).status,
      Status::invalid_request);
  EXPECT_EQ(gpu::first_contact_many(pair, still, {{}, {}}, answers).status, Status::invalid_request);
  EXPECT_EQ(gpu::first_contact_many(pair, still, still, {}).status, Status::free);
  EXPECT_THROW(gpu::MotionPair(box, Body(shape::Shape{shape::Sphere{1.0}})), Error);
  // A pose in the device's memory can be anything.
  std::vector<Pose> broken(three);
  const double nan = std::nan(""), zero[4] = {0, 0, 0, 0};
  std::memcpy(static_cast<void*>(&broken[1]), &nan, sizeof(nan));
  std::memcpy(reinterpret_cast<char*>(&broken[2]) + 3 * sizeof(double), zero, sizeof(zero));
  const gpu::MotionsResult r = gpu::first_contact_many(pair, still, {broken, three, {}, true}, answers);
  EXPECT_EQ(r.invalid, 2u);
  EXPECT_EQ(answers[0].status, Status::free);
  EXPECT_EQ(answers[1].status, Status::invalid_request);
  EXPECT_EQ(answers[2].status, Status::invalid_request);
  EXPECT_TRUE(r.error.has_value());
}

}  // namespace
