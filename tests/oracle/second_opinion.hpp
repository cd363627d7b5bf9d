// SPDX-License-Identifier: MIT
// An oracle for the oracle: contact and distance of two triangles by independent and even slower methods. Both use the
// nine differences of corners, whose hull is the Minkowski difference: the triangles meet if and only if the origin is
// in this hull, and their distance is that of the hull from the origin.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "oracle/exact_oracle.hpp"
#include "oracle/generators.hpp"

namespace graze::oracle {

/// Is the origin a convex combination, with affinely independent points, of these? (Gaussian elimination.)
inline bool combines_to_origin(const std::vector<Point>& points) {
  const std::size_t columns = points.size();
  std::vector<std::vector<Rational>> rows(4);  // x, y, z and the sum of the weights; right side last
  for (const Point& p : points) {
    rows[0].push_back(p.x), rows[1].push_back(p.y), rows[2].push_back(p.z), rows[3].push_back(1);
  }
  for (int i = 0; i < 4; ++i) rows[static_cast<std::size_t>(i)].push_back(i == 3 ? 1 : 0);
  for (std::size_t c = 0; c < columns; ++c) {
    std::size_t pivot = c;
    while (pivot < 4 && rows[pivot][c].is_zero()) ++pivot;
    if (pivot == 4) return false;  // dependent: some smaller subset decides
    std::swap(rows[c], rows[pivot]);
    for (std::size_t r = 0; r < 4; ++r) {
      if (r == c || rows[r][c].is_zero()) continue;
      const Rational factor = rows[r][c] / rows[c][c];
      for (std::size_t k = c; k <= columns; ++k) rows[r][k] -= factor * rows[c][k];
    }
  }
  for (std::size_t r = columns; r < 4; ++r)
    if (!rows[r][columns].is_zero()) return false;
  for (std::size_t c = 0; c < columns; ++c)
    if (Rational(rows[c][columns] / rows[c][c]).sign() < 0) return false;
  return true;
}

/// Caratheodory: a point of a hull is a combination of at most four of its points.
inline bool contact_by_combination(const Corners& a, const Corners& b) {
  std::vector<Point> all;
  for (const Vec3& p : a)
    for (const Vec3& q : b) all.push_back(exact(p) - exact(q));
  for (unsigned mask = 1; mask < 1u << 9; ++mask) {
    std::vector<Point> chosen;
    for (unsigned i = 0; i < 9; ++i)
      if (mask >> i & 1u) chosen.push_back(all[i]);
    if (chosen.size() <= 4 && combines_to_origin(chosen)) return true;
  }
  return false;
}

/// Least squared norm of the hull of the differences by Frank-Wolfe in doubles: an upper bound that is close after many
/// steps.
inline double squared_distance_by_descent(const Corners& a, const Corners& b) {
  Vec3 x = a[0] - b[0];
  for (int step = 0; step < 3000; ++step) {
    Vec3 best = x;
    for (const Vec3& p : a)
      for (const Vec3& q : b)
        if (dot(x, p - q) < dot(x, best)) best = p - q;
    const Vec3 d = best - x;
    if (dot(d, d) == 0) break;
    x = x + d * std::clamp(-dot(x, d) / dot(d, d), 0.0, 1.0);
  }
  return dot(x, x);
}

}  // namespace graze::oracle
