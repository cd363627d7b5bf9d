// SPDX-License-Identifier: MIT
#include "engine/collide/one_side.hpp"

#include <algorithm>
#include <cmath>

#include "math/vectors.hpp"

namespace graze::engine::collide {

namespace {

double norm1(const Vec3& v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); }

/// The smallest n . u for u in the box.
double lowest_along(const Vec3& n, const VectorBox& u) {
  return n.x * (n.x > 0 ? u.lo.x : u.hi.x) + n.y * (n.y > 0 ? u.lo.y : u.hi.y) + n.z * (n.z > 0 ? u.lo.z : u.hi.z);
}

bool contains_zero(const VectorBox& u) {
  return u.lo.x <= 0 && u.hi.x >= 0 && u.lo.y <= 0 && u.hi.y >= 0 && u.lo.z <= 0 && u.hi.z >= 0;
}

/// Aims n so that all vectors of coefficient k are positive, as a perceptron does: starts with the sum of their unit
/// vectors, then adds the one that is lowest. For two vectors the start is the best direction. n gets length one.
bool aim(const MovingVectors& u, int k, double least, Vec3& n) {
  Vec3 unit[MovingVectors::most];
  double share[MovingVectors::most];
  n = {};
  for (int i = 0; i < u.count; ++i) {
    const VectorBox& box = u.of[i][k];
    if (contains_zero(box)) return false;
    const Vec3 centre = box.lo * 0.5 + box.hi * 0.5;
    const double size = norm1(centre);
    if (!(size > 1e-140 && size < 1e140)) return false;
    share[i] = 1 / math::norm(centre);
    unit[i] = centre * share[i];
    n = n + unit[i];
  }
  const int tries = u.count > 2 ? 12 : 2;
  for (int round = 0; round < tries; ++round) {
    const double size = norm1(n);
    if (!(size > 0x1p-40)) return false;
    int low = -1;
    double lowest = math::infinity;
    for (int i = 0; i < u.count; ++i) {
      const double along = lowest_along(n, u.of[i][k]);
      if (along > least * size || along * share[i] >= lowest) continue;
      low = i;
      lowest = along * share[i];
    }
    if (low < 0) {
      n = n * (1 / math::norm(n));
      return true;
    }
    n = n + unit[low];
  }
  return false;
}

/// A length for n1, while n0 has length one, such that no coefficient in the middle is negative: where vectors turn,
/// one of the products in it is positive, the other is not, and the lengths must balance them. 0 if there is none.
double length_of_last(const MovingVectors& u, const Vec3& n0, const Vec3& n1) {
  const int d = u.degree;
  double least = 0, most = math::infinity;
  for (int i = 0; i < u.count; ++i)
    for (int j = 1; j <= d; ++j) {
      const double a = (d + 1 - j) * lowest_along(n0, u.of[i][j]), b = j * lowest_along(n1, u.of[i][j - 1]);
      if (b < 0) most = std::min(most, a / -b);
      if (b > 0 && a < 0) least = std::max(least, -a / b);
    }
  if (!(least < most)) return 0;
  if (least > 0 && most < math::infinity) return std::sqrt(least) * std::sqrt(most);
  return least > 0 ? std::max(1.0, 2 * least) : std::min(1.0, 0.5 * most);
}

}  // namespace

double height_on_one_side(const MovingVectors& u, double least) {
  const int d = u.degree;
  Vec3 n0, n1;
  if (!aim(u, 0, least, n0)) return 0;
  if (d > 0) {
    if (!aim(u, d, least, n1)) return 0;
    n1 = n1 * length_of_last(u, n0, n1);
  }
  const double size = d > 0 ? std::max(norm1(n0), norm1(n1)) : norm1(n0);
  double height = math::infinity;
  const auto add = [&](double coefficient) {
    if (coefficient > least * size)
      height = std::min(height, coefficient);
    else
      height = 0;  // also for NaN; stays 0
  };
  for (int i = 0; i < u.count; ++i)
    for (int j = 0; j <= (d == 0 ? 0 : d + 1); ++j) {
      double sum = 0;
      if (j <= d) sum += (d + 1 - j) * lowest_along(n0, u.of[i][j]);
      if (j > 0) sum += j * lowest_along(n1, u.of[i][j - 1]);
      add(sum / (d + 1));
    }
  return std::max(0.0, height / size - least) * (1 - 0x1p-40);
}

bool plane_between(const Vec3 (&a)[3], const Vec3 (&b)[3]) {
  Vec3 x[3], y[3], n{};
  double size = 0;
  for (int i = 0; i < 3; ++i) {
    x[i] = a[i] - a[0];
    y[i] = b[i] - a[0];
    size = std::max({size, math::largest(x[i]), math::largest(y[i])});
  }
  if (!(size > 1e-100 && size < 1e100)) return false;
  const auto direction = [](const Vec3& d) {
    const double length = math::norm(d);
    return length > 1e-140 ? d * (1 / length) : Vec3{};
  };
  for (const Vec3& p : x)
    for (const Vec3& q : y) n = n + direction(p - q);
  constexpr int tries = 12;
  for (int round = 0; round < tries; ++round) {
    int low = 0, high = 0;
    double below[3], above[3];
    for (int i = 0; i < 3; ++i) {
      below[i] = dot(n, x[i]);
      above[i] = dot(n, y[i]);
      if (below[i] < below[low]) low = i;
      if (above[i] > above[high]) high = i;
    }
    if (below[low] - above[high] > 0x1p-48 * size * norm1(n)) return true;
    const Vec3 more = direction(x[low] - y[high]);
    if (more == Vec3{}) return false;
    n = n + more;
  }
  return false;
}

}  // namespace graze::engine::collide
