// SPDX-License-Identifier: MIT
// Questions that take seconds unless they are cancelled, and a check that they end then.
#pragma once

#include <pthread.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <graze/graze.hpp>

namespace graze::testing::cancelled {

/// Long triangles in all directions: bounds tell little, nearly every pair has to be tested.
inline Mesh soup(std::size_t count, std::uint64_t seed, const Vec3& at = {}) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<Vec3> positions(3 * count);
  for (Vec3& p : positions) p = Vec3{unit(random), unit(random), unit(random)} + at;
  std::vector<Triangle> triangles;
  for (std::uint32_t i = 0; i < count; ++i) triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  return Mesh(std::move(positions), std::span<const Triangle>(triangles));
}

/// Needles along z on a square grid. A second comb between them is near everywhere and touches nothing.
inline Mesh comb(std::uint32_t side, double shift) {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
  for (std::uint32_t i = 0; i < side * side; ++i) {
    const double x = i % side + shift, y = i / side + shift;
    const std::uint32_t v = 4 * i;
    for (const Vec3& p : {Vec3{0.2, 0, 0}, Vec3{-0.1, 0.2, 0}, Vec3{-0.1, -0.2, 0}, Vec3{0, 0, 40}})
      positions.push_back(p + Vec3{x, y, 0});
    triangles.insert(triangles.end(), {{v, v + 2, v + 1}, {v, v + 1, v + 3}, {v + 1, v + 2, v + 3}, {v + 2, v, v + 3}});
  }
  return Mesh(std::move(positions), std::span<const Triangle>(triangles));
}

struct Scene {
  Mesh soup_a = soup(8000, 1), soup_b = soup(8000, 2);
  Body a{soup_a}, b{soup_b}, away{soup(8000, 3, {3, 0, 0})};
  Mesh teeth_a = comb(150, 0), teeth_b = comb(150, 0.5);
  Body comb_a{teeth_a}, comb_b{teeth_b};
  /// A ring that turns inside a slightly thicker one is near it everywhere and all the time.
  Body socket{make::torus({.major = 1, .minor = 0.3, .triangles = 20000})};
  Body ring{make::torus({.major = 1, .minor = 0.298, .triangles = 20000})};
  Pose turned{{1e-4, 0, 1e-4}, {1, 1e-4, 0, 14}};
  Motion turn = Velocity(Pose(), turned);
};
inline const Scene& scene() {
  static const Scene made;
  return made;
}

inline double processor_seconds(clockid_t clock = CLOCK_PROCESS_CPUTIME_ID) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Processor time within which a cancelled question must be over. Far more than the 10 ms that are promised, because a
/// loaded machine and other threads share it; and sanitizers, under which fewer cases are run, take several times as
/// long.
inline double soon() { return std::getenv("GRAZE_FEW_CASES") ? 5 : 1; }

/// How long a question works before it is cancelled: GRAZE_CANCEL_AFTER milliseconds. With GRAZE_PRINT_CANCEL the time
/// that it takes to end is printed.
inline int cancel_after() {
  const char* const given = std::getenv("GRAZE_CANCEL_AFTER");
  return given ? std::atoi(given) : 20;
}

using Ask = std::function<Status(const CancelToken&)>;

inline void expect_cancelled(const char* name, const Ask& ask) {
  SCOPED_TRACE(name);
  const CancelSource before;
  before.cancel();
  double start = processor_seconds();
  EXPECT_EQ(ask(before.token()), Status::undecided) << "cancelled before the call";
  EXPECT_LT(processor_seconds() - start, soon());
  const CancelSource source;
  // Of the asking thread alone: what it still does after the token is cancelled does not depend on the machine's load.
  clockid_t own{};
  ASSERT_EQ(pthread_getcpuclockid(pthread_self(), &own), 0);
  double at_cancel = 0;
  start = processor_seconds();
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(cancel_after()));
    at_cancel = processor_seconds(own);
    source.cancel();
  });
  EXPECT_EQ(ask(source.token()), Status::undecided);
  const double took = processor_seconds() - start, finished = processor_seconds(own);
  other.join();
  EXPECT_LT(took, soon());
  EXPECT_TRUE(source.cancelled());
  if (std::getenv("GRAZE_PRINT_CANCEL"))
    std::printf("%-28s worked %7.1f ms, ended after %6.2f ms more\n", name, 1e3 * (took - (finished - at_cancel)),
                1e3 * (finished - at_cancel));
}

}  // namespace graze::testing::cancelled
