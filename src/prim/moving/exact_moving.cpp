// SPDX-License-Identifier: MIT
#include "prim/moving/exact_moving.hpp"

#include <algorithm>
#include <limits>

#include "math/integer_polynomial.hpp"

// The features share a point if and only if the set of differences of their points contains the origin. The differences
// of a vertex and a triangle form a triangle, of a vertex and an edge a segment, of two vertices a point: all of these
// are triangles if corners may coincide. The differences of two edges form a parallelogram, the affine image of a
// square, and hence the union of the images of the square's two halves: two triangles. So there is one problem to
// solve: when is the origin in the closed, possibly degenerate triangle p0(t), p1(t), p2(t), whose corners are linear
// in t?
//
// At a fixed t, with c0 = p1 x p2, c1 = p2 x p0, c2 = p0 x p1, this holds if and only if f = det(p0, p1, p2) = 0 and
//   - some ci is not 0: the p span a plane, and up to a factor there is one combination sum li pi = 0; the ci are all
//     parallel to the plane's normal, with signed lengths li. Their signs agree, so that li >= 0, sum li = 1 is
//     possible, exactly if ci . cj >= 0 for all pairs;
//   - all ci are 0: all p are on one line through the origin, and the origin is between them exactly if pi . pj <= 0
//     for some i <= j (i = j: a corner in the origin).
//
// The set of such t is closed. So if it is not empty it has a least element, which is 0 or a t where some sign changes:
//   - f not identically 0: a zero of the cubic f;
//   - f identically 0, some ci not: a zero of a ci . cj (a quartic), or of h = sum ci . ci, where the p become
//     collinear;
//   - all ci identically 0: a zero of a pi . pj (quadratic).
// It is sufficient to test these times, exactly (math::UnitRoot). All coordinates are multiplied by one power of two
// that makes them integers; that does not change any sign.

namespace graze::prim {
namespace {

using math::BigInt;
using math::IntegerPolynomial;
using math::UnitRoot;

struct PolynomialVec3 {
  IntegerPolynomial x, y, z;
};

IntegerPolynomial dot(const PolynomialVec3& a, const PolynomialVec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
PolynomialVec3 cross(const PolynomialVec3& a, const PolynomialVec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// The corners of the triangle of differences: two point indices each; the second point is subtracted from the first.
struct Difference {
  int from, to;
};
using Differences = std::array<Difference, 3>;

constexpr Differences vertex_face{{{0, 1}, {0, 2}, {0, 3}}};
constexpr Differences vertex_edge{{{0, 1}, {0, 2}, {0, 2}}};
constexpr Differences vertex_vertex{{{0, 1}, {0, 1}, {0, 1}}};
constexpr Differences edge_edge{{{0, 2}, {1, 2}, {1, 3}}}, edge_edge_rest{{{0, 2}, {0, 3}, {1, 3}}};

const Differences& corners_of(MovingPair pair) {
  switch (pair) {
    case MovingPair::edge_edge: return edge_edge;
    case MovingPair::vertex_edge: return vertex_edge;
    case MovingPair::vertex_vertex: return vertex_vertex;
    case MovingPair::vertex_face: break;
  }
  return vertex_face;
}

/// The triangle of differences as polynomials.
class MovingTriangle {
 public:
  explicit MovingTriangle(const std::array<PolynomialVec3, 3>& p)
      : p_(p), c_{cross(p[1], p[2]), cross(p[2], p[0]), cross(p[0], p[1])} {}

  /// f
  IntegerPolynomial coplanarity() const { return dot(p_[0], c_[0]); }

  /// Is the origin in the triangle at that time, a zero of f?
  bool holds_origin(UnitRoot& t) {
    bool plane = false;
    for (const IntegerPolynomial& product : normal_products()) {
      const int sign = t.sign_of(product);
      if (sign < 0) return false;
      if (sign > 0) plane = true;
    }
    if (plane || t.sign_of(normal_squares()) > 0) return true;
    const auto& products = corner_products();
    return std::any_of(products.begin(), products.end(),
                       [&](const IntegerPolynomial& product) { return t.sign_of(product) <= 0; });
  }

  /// For f identically 0: all times but 0 that may be the first contact (in any order).
  std::vector<UnitRoot> planar_times() {
    std::vector<UnitRoot> times;
    const auto add = [&](const IntegerPolynomial& p) {
      if (p.is_zero()) return;
      for (UnitRoot& root : unit_roots(p)) times.push_back(std::move(root));
    };
    if (normal_squares().is_zero()) {
      for (const IntegerPolynomial& product : corner_products()) add(product);
    } else {
      for (const IntegerPolynomial& product : normal_products()) add(product);
      add(normal_squares());
    }
    return times;
  }

 private:
  const std::array<IntegerPolynomial, 3>& normal_products() {
    if (!normal_products_) normal_products_ = {dot(c_[0], c_[1]), dot(c_[1], c_[2]), dot(c_[2], c_[0])};
    return *normal_products_;
  }
  const IntegerPolynomial& normal_squares() {
    if (!normal_squares_) normal_squares_ = dot(c_[0], c_[0]) + dot(c_[1], c_[1]) + dot(c_[2], c_[2]);
    return *normal_squares_;
  }
  const std::array<IntegerPolynomial, 6>& corner_products() {
    if (!corner_products_)
      corner_products_ = {dot(p_[0], p_[0]), dot(p_[1], p_[1]), dot(p_[2], p_[2]),
                          dot(p_[0], p_[1]), dot(p_[1], p_[2]), dot(p_[2], p_[0])};
    return *corner_products_;
  }

  std::array<PolynomialVec3, 3> p_, c_;
  // Computed on demand: most queries end before these are needed.
  std::optional<std::array<IntegerPolynomial, 3>> normal_products_;
  std::optional<IntegerPolynomial> normal_squares_;
  std::optional<std::array<IntegerPolynomial, 6>> corner_products_;
};

/// All coordinates times one power of two that makes them integers.
class IntegerPoints {
 public:
  explicit IntegerPoints(const StraightPoints& points, const Differences& corners) {
    int low = std::numeric_limits<int>::max();
    const auto each = [&](auto&& use) {
      for (const Difference& d : corners)
        for (const int i : {d.from, d.to})
          for (int axis = 0; axis < 3; ++axis)
            for (const int end : {0, 1})
              use(i, axis, end, math::Dyadic((end ? points.end : points.start)[at(i)][axis]));
    };
    each([&](int, int, int, const math::Dyadic& x) {
      if (!x.is_zero()) low = std::min(low, x.exponent());
    });
    each([&](int i, int axis, int end, const math::Dyadic& x) {
      if (x.is_zero()) return;
      BigInt& value = value_[at(i)][at(axis)][at(end)];
      value = x.mantissa();
      value <<= x.exponent() - low;
    });
  }

  MovingTriangle triangle(const Differences& corners) const {
    return MovingTriangle({difference(corners[0]), difference(corners[1]), difference(corners[2])});
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  PolynomialVec3 difference(const Difference& d) const {
    return {difference(d, 0), difference(d, 1), difference(d, 2)};
  }
  IntegerPolynomial difference(const Difference& d, int axis) const {
    const auto& a = value_[at(d.from)][at(axis)];
    const auto& b = value_[at(d.to)][at(axis)];
    const BigInt start = a[0] - b[0], end = a[1] - b[1];
    return {start, end - start};
  }

  std::array<std::array<std::array<BigInt, 2>, 3>, 4> value_;  ///< point, axis, start or end
};

/// Is one feature strictly on one side of the other along an axis at both ends of the time interval? Then, as
/// coordinates are linear in t, it is so at all times. Comparisons only: nothing is rounded.
bool apart_along_axis(const Differences& corners, const StraightPoints& points) {
  for (int axis = 0; axis < 3; ++axis) {
    bool below = true, above = true;
    for (const Difference& d : corners) {
      for (const auto* at : {&points.start, &points.end}) {
        const double from = (*at)[static_cast<std::size_t>(d.from)][axis];
        const double to = (*at)[static_cast<std::size_t>(d.to)][axis];
        below = below && from < to;
        above = above && from > to;
      }
    }
    if (below || above) return true;
  }
  return false;
}

struct IntervalVec3 {
  Interval x, y, z;
};

Interval determinant(const IntervalVec3& a, const IntervalVec3& b, const IntervalVec3& c) {
  return a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
}

/// Do all Bernstein coefficients of f certainly have the same sign? Then f has no zero. (A filter: intervals bound the
/// rounding.)
bool certainly_never_coplanar(const Differences& corners, const StraightPoints& points) {
  std::array<std::array<IntervalVec3, 2>, 3> p;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto from = static_cast<std::size_t>(corners[i].from), to = static_cast<std::size_t>(corners[i].to);
    for (std::size_t end = 0; end < 2; ++end) {
      const auto& place = end ? points.end : points.start;
      const Vec3 &a = place[from], &b = place[to];
      p[i][end] = {Interval(a.x) - b.x, Interval(a.y) - b.y, Interval(a.z) - b.z};
    }
  }
  // For a product of three linear functions, coefficient k is the mean over all choices of k end values among the
  // three.
  std::array<Interval, 4> b;
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j)
      for (std::size_t k = 0; k < 2; ++k) b[i + j + k] += determinant(p[0][i], p[1][j], p[2][k]);
  return std::all_of(b.begin(), b.end(), [](const Interval& x) { return x.lo > 0; }) ||
         std::all_of(b.begin(), b.end(), [](const Interval& x) { return x.hi < 0; });
}

/// Calls found(t) for times at which the features share a point, among them the first one; stops if it returns true.
template <class Found>
void find_times(MovingPair pair, const StraightPoints& points, Found&& found) {
  const Differences& corners = corners_of(pair);
  const bool edges = pair == MovingPair::edge_edge;
  // Tests each half of the parallelogram separately.
  if (apart_along_axis(corners, points) && (!edges || apart_along_axis(edge_edge_rest, points))) return;
  if ((edges || pair == MovingPair::vertex_face) && certainly_never_coplanar(corners, points)) return;
  const IntegerPoints integers(points, corners);
  std::vector<MovingTriangle> triangles{integers.triangle(corners)};
  if (edges) triangles.push_back(integers.triangle(edge_edge_rest));
  // The halves of a parallelogram are coplanar: f is the same up to its sign.
  const IntegerPolynomial f = triangles[0].coplanarity();
  if (!f.is_zero()) {
    for (UnitRoot& root : unit_roots(f))  // ascending: the first hit is the earliest
      for (MovingTriangle& triangle : triangles)
        if (triangle.holds_origin(root)) {
          found(root);
          return;
        }
    return;
  }
  for (MovingTriangle& triangle : triangles) {
    UnitRoot start(f, 0, 0, 0);
    if (triangle.holds_origin(start)) {
      found(start);
      return;
    }
  }
  for (MovingTriangle& triangle : triangles)
    for (UnitRoot& root : triangle.planar_times())
      if (triangle.holds_origin(root) && found(root)) return;
}

}  // namespace

bool exactly_meet(MovingPair pair, const StraightPoints& points) {
  bool meet = false;
  find_times(pair, points, [&](UnitRoot&) { return meet = true; });
  return meet;
}

std::optional<Interval> exact_first_time(MovingPair pair, const StraightPoints& points) {
  std::optional<Interval> first;
  find_times(pair, points, [&](UnitRoot& root) {
    const Interval t = root.enclosure();
    first = first ? Interval(std::min(first->lo, t.lo), std::min(first->hi, t.hi)) : t;
    return false;
  });
  return first;
}

}  // namespace graze::prim
