// SPDX-License-Identifier: MIT
#include "prim/convex/exact.hpp"

#include <vector>

namespace graze::prim {

namespace {

using math::Dyadic;
using math::DyadicVec3;

/// A point b - a of the difference.
struct Corner {
  DyadicVec3 w;
  std::uint32_t a, b;
};

/// The point of a simplex nearest to the origin: the intersection of its direction with the affine hull of some of the
/// corners.
struct Nearest {
  std::vector<std::size_t> corners;
  std::vector<Dyadic> weights;  ///< times a common positive number
  DyadicVec3 direction;         ///< a positive multiple of the point; zero if it is the origin
  Dyadic along;                 ///< direction . w for each of the corners
};

bool is_zero(const DyadicVec3& v) { return v.x.is_zero() && v.y.is_zero() && v.z.is_zero(); }

/// Candidates among the faces of a simplex: for each face the nearest point of its affine hull, if it lies inside the
/// face.
class Simplex {
 public:
  explicit Simplex(const std::vector<Corner>& corners) : c_(corners) {}

  /// A point of the convex hull is the nearest one if and only if no corner lies on the origin's side of the plane
  /// through it perpendicular to its direction. It lies inside some face whose corners are affinely independent, and is
  /// the nearest point of that face's affine hull.
  Nearest nearest() {
    const std::size_t n = c_.size();
    for (std::size_t i = 0; i < n; ++i)
      if (corner(i) && is_nearest()) return found_;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j)
        if (edge(i, j) && is_nearest()) return found_;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j)
        for (std::size_t k = j + 1; k < n; ++k)
          if (triangle(i, j, k) && is_nearest()) return found_;
    inside();
    return found_;
  }

 private:
  const DyadicVec3& w(std::size_t i) const { return c_[i].w; }

  bool is_nearest() {
    if (is_zero(found_.direction)) return true;
    for (const Corner& c : c_)
      if (dot(found_.direction, c.w) < found_.along) return false;
    return true;
  }

  bool corner(std::size_t i) {
    found_ = {{i}, {Dyadic(1)}, w(i), dot(w(i), w(i))};
    return true;
  }

  bool edge(std::size_t i, std::size_t j) {
    const DyadicVec3 e = w(j) - w(i);
    const Dyadic all = dot(e, e), share = -dot(w(i), e);
    if (share.sign() <= 0 || (all - share).sign() <= 0) return false;
    const DyadicVec3 v = w(i) * all + e * share;
    found_ = {{i, j}, {all - share, share}, v, dot(v, w(i))};
    return true;
  }

  bool triangle(std::size_t i, std::size_t j, std::size_t k) {
    const DyadicVec3 n = cross(w(j) - w(i), w(k) - w(i));
    if (is_zero(n)) return false;
    const Dyadic to_i = dot(n, cross(w(j), w(k))), to_j = dot(n, cross(w(k), w(i))), to_k = dot(n, cross(w(i), w(j)));
    if (to_i.sign() <= 0 || to_j.sign() <= 0 || to_k.sign() <= 0) return false;
    const Dyadic height = dot(n, w(i));
    const DyadicVec3 v = n * Dyadic(height.sign());
    found_ = {{i, j, k}, {to_i, to_j, to_k}, v, height.sign() < 0 ? -height : height};
    return true;
  }

  /// No face contains the nearest point: the origin is inside a tetrahedron.
  void inside() {
    std::vector<Dyadic> part{dot(w(1), cross(w(2), w(3))), -dot(w(0), cross(w(2), w(3))), dot(w(0), cross(w(1), w(3))),
                             -dot(w(0), cross(w(1), w(2)))};
    if (part[0].sign() < 0)
      for (Dyadic& p : part) p = -p;
    found_ = {{0, 1, 2, 3}, std::move(part), DyadicVec3(), Dyadic()};
  }

  const std::vector<Corner>& c_;
  Nearest found_;
};

/// A placed body; its exact corners are computed on demand.
class Side {
 public:
  Side(const ConvexPoints& points, const math::RelativePlacement& placement, bool of_b)
      : points_(points), placement_(placement), of_b_(of_b) {}

  DyadicVec3 at(std::uint32_t v) const {
    const Vec3 stored = points_[v], c = points_.centre();
    const Vec3 local{stored.x + c.x, stored.y + c.y, stored.z + c.z};  // exact: stored is the exact difference
    return of_b_ ? placement_.exact_b(local) : placement_.exact_a(local);
  }
  /// The corner furthest along n. On a convex body, a corner that is at least as far as all its neighbours is a
  /// furthest corner.
  std::uint32_t support(const DyadicVec3& n, std::uint32_t v) const {
    for (Dyadic most = dot(n, at(v));;) {
      std::uint32_t best = v;
      for (const std::uint32_t u : points_.neighbours(v)) {
        const Dyadic along = dot(n, at(u));
        if (most < along) {
          most = along;
          best = u;
        }
      }
      if (best == v) return v;
      v = best;
    }
  }

 private:
  const ConvexPoints& points_;
  const math::RelativePlacement& placement_;
  bool of_b_;
};

void describe(const std::vector<Corner>& corners, const Nearest& p, const math::RelativePlacement& placement,
              ExactConvexAnswer& answer) {
  Dyadic sum;
  for (const Dyadic& x : p.weights) sum = sum + x;
  answer.simplex.size = 0;
  for (std::size_t i = 0; i < p.corners.size(); ++i) {
    const Corner& c = corners[p.corners[i]];
    answer.simplex.add({}, c.a, c.b);
    answer.simplex.weight[i] = math::ratio(p.weights[i], sum);
  }
  answer.contact = is_zero(p.direction) || p.along.is_zero();
  if (answer.contact) return;
  // The point is the projection of the origin onto the plane direction . x = along.
  answer.distance =
      math::sqrt_ratio(p.along * p.along, dot(p.direction, p.direction) * placement.scale() * placement.scale());
  const auto magnitude = [](const Dyadic& x) { return x.sign() < 0 ? -x : x; };
  Dyadic largest = magnitude(p.direction.x);
  for (int k = 1; k < 3; ++k)
    if (largest < magnitude(p.direction[k])) largest = magnitude(p.direction[k]);
  for (int k = 0; k < 3; ++k) answer.direction[k] = math::ratio(p.direction[k], largest);
}

}  // namespace

ExactConvexAnswer exact_convex_distance(const ConvexPoints& a, const ConvexPoints& b,
                                        const math::RelativePlacement& placement, const ConvexSimplex& start) {
  const Side side_a(a, placement, false), side_b(b, placement, true);
  const auto corner = [&](std::uint32_t ia, std::uint32_t ib) { return Corner{side_b.at(ib) - side_a.at(ia), ia, ib}; };
  std::vector<Corner> corners;
  for (std::size_t i = 0; i < static_cast<std::size_t>(start.size); ++i)
    corners.push_back(corner(start.a[i], start.b[i]));
  if (corners.empty()) corners.push_back(corner(0, 0));
  ExactConvexAnswer answer;
  for (;;) {
    ++answer.iterations;
    const Nearest p = Simplex(corners).nearest();
    if (is_zero(p.direction) || p.along.is_zero()) {
      describe(corners, p, placement, answer);
      return answer;
    }
    const Corner& from = corners[p.corners.front()];
    answer.support_calls += 2;
    Corner next = corner(side_a.support(p.direction, from.a), side_b.support(p.direction * Dyadic(-1), from.b));
    if (!(dot(p.direction, next.w) < p.along)) {
      describe(corners, p, placement, answer);
      return answer;
    }
    std::vector<Corner> kept;
    for (const std::size_t i : p.corners) kept.push_back(std::move(corners[i]));
    kept.push_back(std::move(next));
    corners = std::move(kept);
  }
}

}  // namespace graze::prim
