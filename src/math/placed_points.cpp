// SPDX-License-Identifier: MIT
#include "math/placed_points.hpp"

#include "math/expansion.hpp"

namespace graze::math {

bool PlacedPoints::is_double(int i) {
  Point& p = points_[i];
  if (p.exactness == Exactness::unknown) {
    const std::optional<Vec3> exact = p.of_a ? std::optional<Vec3>(p.local) : placement_.place_exactly(p.local);
    const bool usable =
        exact && in_expansion_range(exact->x) && in_expansion_range(exact->y) && in_expansion_range(exact->z);
    if (usable) p.approx = *exact;
    p.exactness = usable ? Exactness::doubles : Exactness::dyadic;
  }
  return p.exactness == Exactness::doubles;
}

const DyadicVec3& PlacedPoints::dyadic(int i) {
  if (!exact_[i])
    exact_[i] = points_[i].of_a ? placement_.exact_a(points_[i].local) : placement_.exact_b(points_[i].local);
  return *exact_[i];
}

int PlacedPoints::orient3d(int a, int b, int c, int d) {
  if (const int sign = orient3d_filter(approx(a), approx(b), approx(c), approx(d), error_)) {
    ++counters_.filter_decided;
    return sign;
  }
  if (is_double(a) && is_double(b) && is_double(c) && is_double(d)) {
    ++counters_.expansion_decided;
    return orient3d_expansion(approx(a), approx(b), approx(c), approx(d));
  }
  ++counters_.rational_decided;
  return math::orient3d(dyadic(a), dyadic(b), dyadic(c), dyadic(d));
}

int PlacedPoints::orient2d(int axis, int a, int b, int c) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const Vec3 &pa = approx(a), &pb = approx(b), &pc = approx(c);
  const double ux = pb[u] - pa[u], uy = pb[v] - pa[v], vx = pc[u] - pa[u], vy = pc[v] - pa[v];
  const double l = ux * vy, r = uy * vx, det = l - r;
  // As in math::orient2d, plus the points' own error: each of the four differences is off by at most delta.
  const double delta = 2.001 * error_;
  const double bound = 0x1p-51 * (std::fabs(l) + std::fabs(r)) + std::numeric_limits<double>::min() +
                       1.001 * delta * (std::fabs(ux) + std::fabs(uy) + std::fabs(vx) + std::fabs(vy) + 2 * delta);
  if (det > bound || det < -bound) {
    ++counters_.filter_decided;
    return det > 0 ? 1 : -1;
  }
  if (is_double(a) && is_double(b) && is_double(c)) {
    ++counters_.expansion_decided;
    return math::orient2d(approx(a)[u], approx(a)[v], approx(b)[u], approx(b)[v], approx(c)[u], approx(c)[v]);
  }
  ++counters_.rational_decided;
  const DyadicVec3 &ea = dyadic(a), &eb = dyadic(b), &ec = dyadic(c);
  return ((eb[u] - ea[u]) * (ec[v] - ea[v]) - (eb[v] - ea[v]) * (ec[u] - ea[u])).sign();
}

int PlacedPoints::compare(int axis, int a, int b) {
  const double d = approx(b)[axis] - approx(a)[axis];
  const double bound = 2.001 * error_;
  // A difference of two doubles has the right sign; only the points' own error can deceive.
  if (d > bound || d < -bound) return d > 0 ? 1 : -1;
  if (is_double(a) && is_double(b)) {
    const double exact = approx(b)[axis] - approx(a)[axis];
    return exact > 0 ? 1 : exact < 0 ? -1 : 0;
  }
  ++counters_.rational_decided;
  return (dyadic(b)[axis] - dyadic(a)[axis]).sign();
}

}  // namespace graze::math
