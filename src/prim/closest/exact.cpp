// SPDX-License-Identifier: MIT
#include "prim/closest/exact.hpp"

#include <algorithm>
#include <cmath>

namespace graze::prim {

namespace {

using math::Dyadic;
using math::DyadicVec3;
using Corners = std::array<DyadicVec3, 3>;

/// base + along / den: one point on each triangle; offset / den is the vector from A's to B's.
struct Line {
  DyadicVec3 base_a, along_a, base_b, along_b, offset;
  Dyadic den{1};
};

Vec3 rounded(const DyadicVec3& x, const Dyadic& den) { return {ratio(x.x, den), ratio(x.y, den), ratio(x.z, den)}; }
Vec3 rounded(const DyadicVec3& base, const DyadicVec3& along, const Dyadic& den) {
  return rounded(base * den + along, den);
}

/// Rounds a number to a multiple of 2^-96 of the largest: 96-bit integers, whose products stay short.
class Cut {
 public:
  Cut(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b) {
    double largest = 0;
    for (const auto* t : {&a, &b})
      for (const Vec3& x : *t) largest = std::max({largest, std::fabs(x.x), std::fabs(x.y), std::fabs(x.z)});
    int exponent;
    std::frexp(largest, &exponent);
    // Adding and subtracting 1.5 2^52 units rounds to whole units.
    if (exponent > -800) rounder_ = std::ldexp(1.5, 52 + exponent - 96);
  }
  Vec3 operator()(const Vec3& x) const { return {cut(x.x), cut(x.y), cut(x.z)}; }

 private:
  double cut(double x) const { return std::fabs(x) < rounder_ ? (x + rounder_) - rounder_ : x; }
  double rounder_ = 0;
};

std::size_t corner(Part p) { return static_cast<std::size_t>(corner_of(p)); }
std::size_t edge(Part p) { return static_cast<std::size_t>(edge_of(p)); }

/// The projection of a point onto an edge or face: the foot is on + foot / den, and the vector to it is offset / den.
void drop(const DyadicVec3& p, const Corners& t, Part part, DyadicVec3& on, DyadicVec3& foot, DyadicVec3& offset,
          Dyadic& den) {
  if (is_edge(part)) {
    const std::size_t k = edge(part);
    const DyadicVec3 u = t[(k + 1) % 3] - t[k], w = p - t[k];
    den = dot(u, u);
    on = t[k];
    foot = u * dot(w, u);
    offset = foot - w * den;
  } else {
    const DyadicVec3 n = cross(t[1] - t[0], t[2] - t[0]);
    den = dot(n, n);
    on = p;
    foot = offset = n * -dot(n, p - t[0]);
  }
}

/// The parts hold the closest points of the triangles in their relative interiors (exact_distance), so these are the
/// closest points of the parts' affine hulls.
Line line_of(const Corners& a, Part pa, const Corners& b, Part pb) {
  Line l;
  if (is_vertex(pa) && is_vertex(pb)) {
    l.base_a = a[corner(pa)];
    l.base_b = b[corner(pb)];
    l.offset = l.base_b - l.base_a;
  } else if (is_vertex(pa)) {
    l.base_a = a[corner(pa)];
    drop(l.base_a, b, pb, l.base_b, l.along_b, l.offset, l.den);
  } else if (is_vertex(pb)) {
    l.base_b = b[corner(pb)];
    DyadicVec3 back;
    drop(l.base_b, a, pa, l.base_a, l.along_a, back, l.den);
    l.offset = back * Dyadic(-1);
  } else {
    const std::size_t i = edge(pa), j = edge(pb);
    const DyadicVec3 u = a[(i + 1) % 3] - a[i], v = b[(j + 1) % 3] - b[j], w = a[i] - b[j], n = cross(u, v);
    const Dyadic uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
    l.den = uu * vv - uv * uv;
    l.base_a = a[i];
    l.along_a = u * (uv * vw - vv * uw);
    l.base_b = b[j];
    l.along_b = v * (uu * vw - uv * uw);
    l.offset = n * -dot(w, n);
  }
  return l;
}

}  // namespace

SharpPair sharp_closest(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b) {
  const Cut cut(a, b);
  Corners x, y;
  for (std::size_t k = 0; k < 3; ++k) {
    x[k] = DyadicVec3(cut(a[k]));
    y[k] = DyadicVec3(cut(b[k]));
  }
  const ExactDistance exact = exact_distance(x, y);
  const Line l = line_of(x, exact.part_a, y, exact.part_b);
  return {rounded(l.base_a, l.along_a, l.den), rounded(l.base_b, l.along_b, l.den), rounded(l.offset, l.den),
          exact.part_a, exact.part_b};
}

}  // namespace graze::prim
