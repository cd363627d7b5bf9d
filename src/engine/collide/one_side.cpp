// SPDX-License-Identifier: MIT
#include "engine/collide/one_side.hpp"

#include <algorithm>
#include <cmath>

#include "math/vectors.hpp"

namespace graze::engine::collide {

namespace {

double norm1(const Vec3& v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); }

/// The smallest n . u for u in the box. Of a product with NaN (0 times an infinite bound) either it is returned, which
/// fails all comparisons, or the other product, 0, which is right for every finite u.
double lowest_along(const Vec3& n, const VectorBox& u) {
  return std::min(n.x * u.lo.x, n.x * u.hi.x) + std::min(n.y * u.lo.y, n.y * u.hi.y) +
         std::min(n.z * u.lo.z, n.z * u.hi.z);
}

bool contains_zero(const VectorBox& u) {
  return u.lo.x <= 0 && u.hi.x >= 0 && u.lo.y <= 0 && u.hi.y >= 0 && u.lo.z <= 0 && u.hi.z >= 0;
}

/// Aims n so that all vectors of coefficient k are positive, as a perceptron does: starts with the sum of their unit
/// vectors, then adds the one that is lowest. For two vectors the start is the best direction. n gets length one.
template <int Count, int Degree>
bool aim(const MovingVectors<Count, Degree>& u, int k, double least, Vec3& n) {
  Vec3 unit[Count];
  double share[Count];
  n = {};
  for (int i = 0; i < Count; ++i) {
    const VectorBox& box = u.of[i][k];
    if (contains_zero(box)) return false;
    const Vec3 centre = box.lo * 0.5 + box.hi * 0.5;
    const double size = norm1(centre);
    if (!(size > 1e-140 && size < 1e140)) return false;
    share[i] = 1 / math::norm(centre);
    unit[i] = centre * share[i];
    n = n + unit[i];
  }
  constexpr int tries = Count > 2 ? 12 : 2;
  for (int round = 0; round < tries; ++round) {
    const double size = norm1(n);
    if (!(size > 0x1p-40)) return false;
    int low = -1;
    double lowest = math::infinity;
    for (int i = 0; i < Count; ++i) {
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

/// The smallest products of the vectors' coefficients with both directions.
template <int Count, int Degree>
struct Products {
  double first[Count][Degree + 1], last[Count][Degree + 1];
};

/// A length for n1, while n0 has length one, such that no coefficient in the middle is negative: where vectors turn,
/// one of the products in it is positive, the other is not, and the lengths must balance them. 0 if there is none.
template <int Count, int Degree>
double length_of_last(const Products<Count, Degree>& along) {
  double least = 0, most = math::infinity;
  for (int i = 0; i < Count; ++i)
    for (int j = 1; j <= Degree; ++j) {
      const double a = (Degree + 1 - j) * along.first[i][j], b = j * along.last[i][j - 1];
      if (b < 0) most = std::min(most, a / -b);
      if (b > 0 && a < 0) least = std::max(least, -a / b);
    }
  if (!(least < most)) return 0;
  if (least > 0 && most < math::infinity) return std::sqrt(least) * std::sqrt(most);
  return least > 0 ? std::max(1.0, 2 * least) : std::min(1.0, 0.5 * most);
}

}  // namespace

template <int Count, int Degree>
double height_on_one_side(const MovingVectors<Count, Degree>& u, double least) {
  Vec3 n0, n1;
  if (!aim(u, 0, least, n0)) return 0;
  if (Degree > 0 && !aim(u, Degree, least, n1)) return 0;
  Products<Count, Degree> along;
  for (int i = 0; i < Count; ++i)
    for (int j = 0; j <= Degree; ++j) {
      along.first[i][j] = lowest_along(n0, u.of[i][j]);
      if (Degree > 0) along.last[i][j] = lowest_along(n1, u.of[i][j]);
    }
  // A length rounds the products with n1 once more, as it would n1 itself.
  const double length = Degree > 0 ? length_of_last(along) : 0;
  const double size = Degree > 0 ? std::max(norm1(n0), length * norm1(n1)) : norm1(n0);
  double height = math::infinity;
  const auto add = [&](double coefficient) {
    if (coefficient > least * size)
      height = std::min(height, coefficient);
    else
      height = 0;  // also for NaN; stays 0
  };
  for (int i = 0; i < Count; ++i)
    for (int j = 0; j <= (Degree == 0 ? 0 : Degree + 1); ++j) {
      double sum = 0;
      if (j <= Degree) sum += (Degree + 1 - j) * along.first[i][j];
      if (j > 0) sum += j * (length * along.last[i][j - 1]);
      add(sum / (Degree + 1));
    }
  return std::max(0.0, height / size - least) * (1 - 0x1p-40);
}

template double height_on_one_side(const MovingVectors<2, 0>&, double);
template double height_on_one_side(const MovingVectors<2, 1>&, double);
template double height_on_one_side(const MovingVectors<2, 2>&, double);
template double height_on_one_side(const MovingVectors<4, 0>&, double);
template double height_on_one_side(const MovingVectors<4, 1>&, double);

bool plane_between(const Vec3 (&a)[3], const Vec3 (&b)[3]) {
  Vec3 x[3], y[3], n{};
  double size = 0;
  for (int i = 0; i < 3; ++i) {
    x[i] = a[i] - a[0];
    y[i] = b[i] - a[0];
    size = std::max({size, math::largest(x[i]), math::largest(y[i])});
  }
  if (!(size > 1e-100 && size < 1e100)) return false;
  double below[3], above[3];
  int low = 0, high = 0;
  const auto separates = [&] {
    low = high = 0;
    for (int i = 0; i < 3; ++i) {
      below[i] = dot(n, x[i]);
      above[i] = dot(n, y[i]);
      if (below[i] < below[low]) low = i;
      if (above[i] > above[high]) high = i;
    }
    return below[low] - above[high] > 0x1p-48 * size * norm1(n);
  };
  // The line between the centres costs no roots, and is enough for most.
  n = (x[1] + x[2]) - (y[0] + y[1] + y[2]);
  if (separates()) return true;
  n = {};
  const auto direction = [](const Vec3& d) {
    const double length = math::norm(d);
    return length > 1e-140 ? d * (1 / length) : Vec3{};
  };
  for (const Vec3& p : x)
    for (const Vec3& q : y) n = n + direction(p - q);
  constexpr int tries = 12;
  for (int round = 0; round < tries; ++round) {
    if (separates()) return true;
    const Vec3 more = direction(x[low] - y[high]);
    if (more == Vec3{}) return false;
    n = n + more;
  }
  return false;
}

}  // namespace graze::engine::collide
