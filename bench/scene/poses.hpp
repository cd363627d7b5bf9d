// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include <graze/math/pose.hpp>

namespace graze::bench {

/// Where the two bodies of one query stand.
struct PosePair {
  Pose a, b;
};

/// The same numbers on every machine: the standard's distributions are not, so they are made here from the engine's
/// bits.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double uniform(double lo, double hi);
  Vec3 direction();
  Quat rotation();

 private:
  std::mt19937_64 engine_;
};

Quat product(const Quat& a, const Quat& b);
/// About an axis of length one, in radians.
Quat turn(const Vec3& axis, double angle);

/// Do the bodies, so placed, meet? (Any library can say: poses that two libraries judge differently are as good as
/// others.)
using Meets = std::function<bool(const PosePair&)>;
/// The share of the work that is done.
using Report = std::function<void(double)>;

/// Random rotations of both bodies; B touches A along a random direction to within `step` 1e-9, and is then moved on
/// along that direction by uniform [-reach, reach].
std::vector<PosePair> near_touching(std::size_t count, double reach, std::uint64_t seed, const Meets& meets,
                                    const Report& report);

/// The same, but moved out until the bodies are apart, by a log-uniform way in [nearest, farthest].
std::vector<PosePair> with_gap(std::size_t count, double nearest, double farthest, std::uint64_t seed,
                               const Meets& meets, const Report& report);

/// Random rotations, centres a uniform way in [nearest, farthest] apart.
std::vector<PosePair> random_poses(std::size_t count, double nearest, double farthest, std::uint64_t seed);

/// Smooth flights: `frames` poses each, both bodies turn by about a degree a frame, and B circles A within
/// [nearest, farthest] of it. Poses of one flight follow each other.
std::vector<PosePair> flights(std::size_t count, std::size_t frames, double nearest, double farthest,
                              std::uint64_t seed);

}  // namespace graze::bench
