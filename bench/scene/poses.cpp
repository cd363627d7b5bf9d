// SPDX-License-Identifier: MIT
#include "scene/poses.hpp"

#include <cmath>
#include <numbers>

namespace graze::bench {
namespace {

/// Farther apart than this, bodies of largest side 1 cannot meet.
constexpr double kApart = 2.0;

struct Approach {
  Quat turn_a, turn_b;
  Vec3 direction;
  PosePair at(double distance) const { return {Pose({}, turn_a), Pose(direction * distance, turn_b)}; }
};

Approach random_approach(Random& random) {
  const Quat a = random.rotation(), b = random.rotation();
  return {a, b, random.direction()};
}

/// A distance at which the bodies change from meeting to being apart, by bisection between `meeting` and `apart`.
double touching_distance(const Approach& approach, double meeting, double apart, const Meets& meets) {
  while (apart - meeting > 1e-9) {
    const double middle = 0.5 * (meeting + apart);
    (meets(approach.at(middle)) ? meeting : apart) = middle;
  }
  return apart;
}

}  // namespace

Quat product(const Quat& a, const Quat& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

Quat turn(const Vec3& axis, double angle) {
  const double s = std::sin(angle / 2);
  return {std::cos(angle / 2), axis.x * s, axis.y * s, axis.z * s};
}

double Random::uniform(double lo, double hi) {
  return lo + (hi - lo) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
}

Vec3 Random::direction() {
  const double z = uniform(-1, 1), angle = uniform(0, 2 * std::numbers::pi), r = std::sqrt(1 - z * z);
  return {r * std::cos(angle), r * std::sin(angle), z};
}

Quat Random::rotation() {  // Shoemake's uniform unit quaternion
  const double u = uniform(0, 1), a = uniform(0, 2 * std::numbers::pi), b = uniform(0, 2 * std::numbers::pi);
  const double r = std::sqrt(1 - u), s = std::sqrt(u);
  return {r * std::sin(a), r * std::cos(a), s * std::sin(b), s * std::cos(b)};
}

std::vector<PosePair> near_touching(std::size_t count, double reach, std::uint64_t seed, const Meets& meets,
                                    const Report& report) {
  Random random(seed);
  std::vector<PosePair> poses;
  while (poses.size() < count) {
    report(static_cast<double>(poses.size()) / static_cast<double>(count));
    const Approach approach = random_approach(random);
    const double distance = touching_distance(approach, 0, kApart, meets);
    poses.push_back(approach.at(distance + random.uniform(-reach, reach)));
  }
  return poses;
}

std::vector<PosePair> with_gap(std::size_t count, double nearest, double farthest, std::uint64_t seed,
                               const Meets& meets, const Report& report) {
  Random random(seed);
  std::vector<PosePair> poses;
  while (poses.size() < count) {
    report(static_cast<double>(poses.size()) / static_cast<double>(count));
    const Approach approach = random_approach(random);
    const double gap = std::exp(random.uniform(std::log(nearest), std::log(farthest)));
    double distance = touching_distance(approach, 0, kApart, meets) + gap;
    // A body that is not convex may meet the other again farther out.
    while (meets(approach.at(distance))) distance = touching_distance(approach, distance, kApart, meets) + gap;
    poses.push_back(approach.at(distance));
  }
  return poses;
}

std::vector<PosePair> random_poses(std::size_t count, double nearest, double farthest, std::uint64_t seed) {
  Random random(seed);
  std::vector<PosePair> poses;
  while (poses.size() < count) {
    const Approach approach = random_approach(random);
    poses.push_back(approach.at(random.uniform(nearest, farthest)));
  }
  return poses;
}

std::vector<PosePair> flights(std::size_t count, std::size_t frames, double nearest, double farthest,
                              std::uint64_t seed) {
  constexpr double degree = std::numbers::pi / 180;
  Random random(seed);
  std::vector<PosePair> poses;
  for (std::size_t i = 0; i < count; ++i) {
    const Approach start = random_approach(random);
    const Vec3 spin_a = random.direction(), spin_b = random.direction(), other = random.direction();
    const Vec3 side = cross(start.direction, other) * (1 / length(cross(start.direction, other)));
    for (std::size_t frame = 0; frame < frames; ++frame) {
      const double angle = degree * static_cast<double>(frame);
      const double distance = nearest + (farthest - nearest) * 0.5 * (1 - std::cos(3 * angle));
      const Vec3 centre = (start.direction * std::cos(angle) + side * std::sin(angle)) * distance;
      poses.push_back({Pose({}, product(turn(spin_a, angle), start.turn_a)),
                       Pose(centre, product(turn(spin_b, angle), start.turn_b))});
    }
  }
  return poses;
}

}  // namespace graze::bench
