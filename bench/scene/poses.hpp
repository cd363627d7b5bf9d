// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include <graze/math/pose.hpp>

namespace graze::bench {

/// The poses of the two bodies of one query.
struct PosePair {
  Pose a, b;
};

/// Produces the same numbers on every machine. The standard's distributions do not, so the numbers are computed here
/// from the engine's bits.
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

/// Do the bodies meet at these poses? (Any library can be used: poses on which two libraries disagree are as good as
/// others.)
using Meets = std::function<bool(const PosePair&)>;
/// The fraction of the work that is done.
using Report = std::function<void(double)>;

/// Random rotations of both bodies; B touches A along a random direction to within `step` 1e-9, and is then moved along
/// that direction by a uniform distance in [-reach, reach].
std::vector<PosePair> near_touching(std::size_t count, double reach, std::uint64_t seed, const Meets& meets,
                                    const Report& report);

/// The same, but moved away until the bodies are apart, by a log-uniform distance in [nearest, farthest].
std::vector<PosePair> with_gap(std::size_t count, double nearest, double farthest, std::uint64_t seed,
                               const Meets& meets, const Report& report);

/// Random rotations; the distance of the centres is uniform in [nearest, farthest].
std::vector<PosePair> random_poses(std::size_t count, double nearest, double farthest, std::uint64_t seed);

/// Smooth flights of `frames` poses each: both bodies rotate by about one degree per frame, and B circles A at a
/// distance in [nearest, farthest]. Poses of one flight are consecutive.
std::vector<PosePair> flights(std::size_t count, std::size_t frames, double nearest, double farthest,
                              std::uint64_t seed);

}  // namespace graze::bench
