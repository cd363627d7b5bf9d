// SPDX-License-Identifier: MIT
// Inputs whose magnitudes are chosen independently from 2^-1000 to 2^1000, for comparing methods with each other: an
// overflow or underflow in one of them shows as a difference.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <graze/graze.hpp>

#include "oracle/generators.hpp"
#include "random_budget.hpp"

namespace graze::testing {

/// Exponents of one scene: a common one, from which each input differs independently, or not at all.
class Exponents {
 public:
  Exponents(oracle::Random& random, int range = 1000) : random_(random), range_(range) {
    // Half of the scenes test differences of magnitude, without extreme single values. The others are near a limit: of
    // squares and numbers in single precision (64, 126, 149), of third powers and squares in double precision.
    static constexpr int limits[] = {64, 126, 149, 250, 341, 511, 700, 1000};
    const int limit = std::min(range, limits[random() % std::size(limits)] + oracle::whole(random, -3, 3));
    common_ = random() % 2 ? 0 : random() % 2 ? limit : -limit;
  }

  int common() const { return common_; }
  /// The common exponent, or one that differs by a small amount, or by so much that squares and products of three
  /// numbers overflow or underflow in single or in double precision.
  int next() {
    static constexpr int steps[] = {1, 7, 20, 30, 40, 45, 52, 61, 64, 75, 100, 126, 149, 200, 300, 511, 900, 2000};
    if (random_() % 2) return common_;
    const int step = steps[random_() % std::size(steps)];
    return std::clamp(common_ + (random_() % 2 ? step : -step), -range_, range_);
  }
  /// For a dimensionless number: any size up to the largest allowed.
  int alone(int largest) {
    return random_() % 3 ? oracle::whole(random_, -30, largest) : oracle::whole(random_, -1000, largest);
  }

 private:
  oracle::Random& random_;
  int range_, common_;
};

inline double power(int exponent) { return std::ldexp(1.0, exponent); }

/// A direction with coordinates of few digits, so that many sums of scaled ones are exact.
inline Vec3 direction(oracle::Random& random) {
  for (;;) {
    const Vec3 v = oracle::grid_point(random, 4) * 0.25;
    if (v != Vec3{}) return v;
  }
}

inline Quat quaternion(oracle::Random& random, int exponent) {
  const double s = power(exponent);
  for (;;) {
    const Vec3 v = oracle::grid_point(random, 3);
    const double w = oracle::whole(random, -3, 3);
    if (w != 0 || v != Vec3{}) return {s * w, s * v.x, s * v.y, s * v.z};
  }
}

/// A closed body of size 2^exponent around the origin: a box, a tetrahedron, or a ball, some with so many triangles
/// that their trees have inner nodes.
inline Mesh sized_body(oracle::Random& random, int exponent) {
  const Mesh shape = [&] {
    switch (random() % 4) {
      case 0: return make::box();
      case 1: return make::box({.divisions = 2});
      case 2: return make::tetrahedron();
      default: return make::sphere({.radius = 0.5, .meridians = 5, .bands = 4});
    }
  }();
  std::vector<Vec3> moved;
  const double s = power(exponent);
  for (const Vec3& x : shape.positions()) moved.push_back(x * s);
  return Mesh(std::move(moved), shape.polygons());
}

/// A point inside some triangle of the mesh, rounded.
inline Vec3 point_on(oracle::Random& random, const Mesh& mesh) {
  const Triangle& t = mesh.triangles()[random() % mesh.triangle_count()];
  const auto at = [&](std::size_t k) { return mesh.positions()[t[k]]; };
  return at(0) * 0.375 + at(1) * 0.375 + at(2) * 0.25;
}

inline double largest_side(const Mesh& mesh) {
  const Vec3 d = mesh.box().hi - mesh.box().lo;
  return std::max({d.x, d.y, d.z});
}

/// Two placed bodies, for questions about one instant.
struct PlacedPair {
  Mesh a, b;
  Pose pose_a, pose_b;
  int distance;  ///< an exponent
  std::string text;

  /// Rational arithmetic is slow for numbers of this size.
  bool is_small() const { return a.triangle_count() * b.triangle_count() <= 150; }
};

/// Two surfaces that share a point up to rounding, or that were then moved apart by some distance.
inline PlacedPair any_pair(oracle::Random& random, int range = 1000) {
  Exponents e(random, range);
  std::ostringstream text;
  const int size_a = e.next(), size_b = e.next(), place = e.next(), apart = e.next();
  const int quat = random() % 3 ? 0 : oracle::whole(random, -500, 500);
  Mesh a = sized_body(random, size_a), b = sized_body(random, size_b);
  const Pose pose_a(direction(random) * power(place), quaternion(random, quat));
  const Quat turned = random() % 2 ? quaternion(random, 0) : Quat{};
  const Vec3 there = pose_a.apply(point_on(random, a));
  Vec3 at = there - Pose({}, turned).apply(point_on(random, b));
  const bool shifted = random() % 2;
  if (shifted) at = at + direction(random) * power(apart);
  text << "sizes 2^" << size_a << " 2^" << size_b << " at 2^" << place << " apart 2^" << apart
       << (shifted ? "" : " (not)") << " quaternion 2^" << quat;
  return {std::move(a), std::move(b), pose_a, Pose(at, turned), apart, text.str()};
}

/// Calls `check` with a sequence of scenes; `range` is the range of the exponents.
inline void sweep_pairs(std::uint64_t start, int cases, int range,
                        const std::function<void(oracle::Random&, const PlacedPair&)>& check) {
  const std::uint64_t seed = RandomBudget::seed(start);
  SCOPED_TRACE("seed " + std::to_string(seed));
  oracle::Random random(seed);
  RandomBudget budget(cases);
  for (int i = 0; budget.more(); ++i) {
    std::optional<PlacedPair> scene;
    try {
      scene = any_pair(random, range);
    } catch (const Error&) {
      continue;  // a position that is not finite
    }
    SCOPED_TRACE(std::to_string(i) + ": " + scene->text);
    check(random, *scene);
    if (::testing::Test::HasFailure() && !std::getenv("GRAZE_SWEEP_ALL")) return;
  }
}

}  // namespace graze::testing
