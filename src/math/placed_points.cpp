// SPDX-License-Identifier: MIT
#include "math/placed_points.hpp"

#include "math/expansion.hpp"

namespace graze::math {

namespace {

/// Twice the signed area of a, b, c in the coordinates u and v. As in math::orient2d, plus the error of the points
/// themselves: each of the four differences is off by at most delta.
Estimate orient2d_estimate(int u, int v, const Vec3& a, const Vec3& b, const Vec3& c, double error) {
  const double ux = b[u] - a[u], uy = b[v] - a[v], vx = c[u] - a[u], vy = c[v] - a[v];
  const double l = ux * vy, r = uy * vx;
  const double delta = 2.001 * error;
  const double bound = 0x1p-51 * (std::fabs(l) + std::fabs(r)) + std::numeric_limits<double>::min() +
                       1.001 * delta * (std::fabs(ux) + std::fabs(uy) + std::fabs(vx) + std::fabs(vy) + 2 * delta);
  return {l - r, bound};
}

}  // namespace

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

int PlacedPoints::filtered_orient3d(int a, int b, int c, int d) {
  const int sign = orient3d_filter(approx(a), approx(b), approx(c), approx(d), error_);
  if (sign != 0) ++counters_.filter_decided;
  return sign;
}

int PlacedPoints::exact_orient3d(int a, int b, int c, int d) {
  if (is_double(a) && is_double(b) && is_double(c) && is_double(d)) {
    ++counters_.expansion_decided;
    return orient3d_expansion(approx(a), approx(b), approx(c), approx(d));
  }
  ++counters_.rational_decided;
  return math::orient3d(dyadic(a), dyadic(b), dyadic(c), dyadic(d));
}

bool PlacedPoints::one_side_of_own_plane(int plane, int first) {
  const bool of_a = points_[plane].of_a;
  int all = 0;
  for (int k = 0; k < 3; ++k) {
    const Point& x = points_[first + k];
    Vec3 at = x.local;  // of the same body: exact
    double error = 0;
    if (x.of_a != of_a) {
      at = of_a ? x.approx : placement_.place_back(x.local);
      error = of_a ? placement_.error(x.local) : placement_.error_back(x.local);
    }
    const int side =
        plane_side_filter(points_[plane].local, points_[plane + 1].local, points_[plane + 2].local, at, error);
    if (side == 0 || (k > 0 && side != all)) return false;
    all = side;
  }
  counters_.filter_decided += 3;
  return true;
}

namespace {

/// x / (x - y) of two numbers of opposite signs, if double precision gives it to within 2^-25 (of an edge): with x off
/// by dx and y by dy, the quotient is off by at most (dx + dy) / (|x - y| - dx - dy).
std::optional<double> share(const Estimate& x, const Estimate& y) {
  const double sum = std::fabs(x.value) + std::fabs(y.value);
  if (!((x.bound + y.bound) * 0x1p26 < sum && sum <= std::numeric_limits<double>::max())) return std::nullopt;
  return std::fabs(x.value) / sum;
}
double share(const Dyadic& x, const Dyadic& y) {
  const Dyadic sum = x - y;
  return sum.sign() > 0 ? ratio(x, sum) : ratio(Dyadic(0) - x, Dyadic(0) - sum);
}

}  // namespace

double PlacedPoints::share_before_plane(int e0, int e1, int a, int b, int c) {
  const auto estimate = [&](int e) { return orient3d_estimate(approx(a), approx(b), approx(c), approx(e), error_); };
  if (const auto known = share(estimate(e0), estimate(e1))) return *known;
  const DyadicVec3 &o = dyadic(a), n = cross(dyadic(b) - o, dyadic(c) - o);
  return share(dot(n, dyadic(e0) - o), dot(n, dyadic(e1) - o));
}

double PlacedPoints::share_before_line(int axis, int e0, int e1, int c, int d) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const auto estimate = [&](int e) { return orient2d_estimate(u, v, approx(c), approx(d), approx(e), error_); };
  if (const auto known = share(estimate(e0), estimate(e1))) return *known;
  const DyadicVec3 &o = dyadic(c), &p = dyadic(d);
  const auto side = [&](const DyadicVec3& x) { return (p[u] - o[u]) * (x[v] - o[v]) - (p[v] - o[v]) * (x[u] - o[u]); };
  return share(side(dyadic(e0)), side(dyadic(e1)));
}

int PlacedPoints::orient2d(int axis, int a, int b, int c) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const Estimate det = orient2d_estimate(u, v, approx(a), approx(b), approx(c), error_);
  if (det.value > det.bound || det.value < -det.bound) {
    ++counters_.filter_decided;
    return det.value > 0 ? 1 : -1;
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
  // The rounded difference of two doubles has the correct sign; only the error of the points themselves can invalidate
  // it.
  if (d > bound || d < -bound) return d > 0 ? 1 : -1;
  if (is_double(a) && is_double(b)) {
    const double exact = approx(b)[axis] - approx(a)[axis];
    return exact > 0 ? 1 : exact < 0 ? -1 : 0;
  }
  ++counters_.rational_decided;
  return (dyadic(b)[axis] - dyadic(a)[axis]).sign();
}

}  // namespace graze::math
