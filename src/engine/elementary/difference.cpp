// SPDX-License-Identifier: MIT
#include "engine/elementary/difference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/vectors.hpp"

namespace graze::engine::elementary {
namespace {

using math::infinity;
using math::norm;

/// The point of the edge p q that is closest to the origin, as the weight of q.
struct OnEdge {
  double share;
  Vec3 point, direction;
  bool inside = false;  ///< the point is inside the edge; the weight may still round to 0 or 1
};
OnEdge closest_on_edge(const Vec3& p, const Vec3& q) {
  const Vec3 edge = q - p;
  const double beyond_p = -dot(p, edge), before_q = dot(q, edge);
  if (!(beyond_p > 0)) return {0, p, p};
  if (!(before_q > 0)) return {1, q, q};
  const double share = beyond_p / (beyond_p + before_q);
  // Perpendicular to the edge, by cross products, which lose no digits where the edge nearly meets the origin. The
  // nearer end gives the smallest error.
  if (share < 0.5) return {share, p + edge * share, cross(edge, cross(p, edge)), true};
  return {share, q - edge * (before_q / (beyond_p + before_q)), cross(edge, cross(q, edge)), true};
}

/// Keeps the closest of the points offered to it.
class Nearest {
 public:
  template <class Weights>
  void offer(const OnEdge& c, Weights&& weights, std::array<int, 2> edge = {-1, -1}) {
    const double square = dot(c.point, c.point);
    if (!(square < least_)) return;
    least_ = square;
    best_ = {c.point, c.direction, weights(c.share), edge};
    if (!c.inside) best_.edge = {-1, -1};
  }
  const ClosestDifference& best() const { return best_; }

 private:
  ClosestDifference best_{};
  double least_ = infinity;
};

/// a b - c d with one rounding or two, regardless of cancellation (Kahan).
double difference_of_products(double a, double b, double c, double d) {
  const double product = c * d, error = std::fma(-c, d, product);
  return std::fma(a, b, -product) + error;
}
/// For nearly parallel vectors the plain product is mostly rounding error.
Vec3 sharp_cross(const Vec3& a, const Vec3& b) {
  return {difference_of_products(a.y, b.z, a.z, b.y), difference_of_products(a.z, b.x, a.x, b.z),
          difference_of_products(a.x, b.y, a.y, b.x)};
}

/// The closest point is inside, or on an edge that the origin is beyond. For a needle all edges are tried, because
/// rounding may hide which.
template <class Cross>
ClosestDifference closest_on_face(const std::array<Vec3, 3>& p, Vec3 n, bool needle, Cross product) {
  const Vec3 u = p[1] - p[0], v = p[2] - p[0];
  const std::array<double, 3> area{dot(n, product(p[1], p[2])), dot(n, product(p[2], p[0])),
                                   dot(n, product(p[0], p[1]))};
  Nearest nearest;
  if (area[0] > 0 && area[1] > 0 && area[2] > 0) {
    const double whole = 1 / (area[0] + area[1] + area[2]), b = area[1] * whole, c = area[2] * whole;
    nearest.offer({0, p[0] + u * b + v * c, math::facing(n, p[0])}, [&](double) {
      return std::array{1.0, 1 - b - c, b, c};
    });
    if (!needle) return nearest.best();
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t l = (k + 1) % 3;
    if (!needle && area[3 - k - l] > 0) continue;
    const auto weights = [&](double share) {
      std::array<double, 4> w{1, 0, 0, 0};
      w[1 + k] = 1 - share;
      w[1 + l] = share;
      return w;
    };
    nearest.offer(closest_on_edge(p[k], p[l]), weights, {static_cast<int>(k), static_cast<int>(l)});
  }
  return nearest.best();
}

ClosestDifference closest_on_face(const std::array<Vec3, 3>& p) {
  const Vec3 u = p[1] - p[0], v = p[2] - p[0], n = cross(u, v);
  const double longest = std::max(dot(u, u), dot(v, v));
  if (dot(n, n) > 1e-6 * longest * longest)
    return closest_on_face(p, n, false, [](const Vec3& a, const Vec3& b) { return cross(a, b); });
  return closest_on_face(p, sharp_cross(u, v), true, sharp_cross);
}

/// p = a0 - b0, a0 - b1, a1 - b0, a1 - b1: the parallelogram p[0] + s u + r v. As for a face.
template <class Cross>
ClosestDifference closest_on_parallelogram(const std::array<Vec3, 4>& p, Vec3 n, bool needle, Cross product) {
  const Vec3 u = p[2] - p[0], v = p[1] - p[0];
  const double whole = 1 / dot(n, n), s = dot(product(v, p[0]), n) * whole, r = dot(product(p[0], u), n) * whole;
  Nearest nearest;
  const auto weights = [](double x, double y) { return std::array{1 - x, x, 1 - y, y}; };
  if (s > 0 && s < 1 && r > 0 && r < 1) {
    nearest.offer({0, p[0] + u * s + v * r, math::facing(n, p[0])}, [&](double) { return weights(s, r); });
    if (!needle) return nearest.best();
  }
  if (needle || !(s > 0))
    nearest.offer(closest_on_edge(p[0], p[1]), [&](double share) { return weights(0, share); }, {0, 1});
  if (needle || !(s < 1))
    nearest.offer(closest_on_edge(p[2], p[3]), [&](double share) { return weights(1, share); }, {2, 3});
  if (needle || !(r > 0))
    nearest.offer(closest_on_edge(p[0], p[2]), [&](double share) { return weights(share, 0); }, {0, 2});
  if (needle || !(r < 1))
    nearest.offer(closest_on_edge(p[1], p[3]), [&](double share) { return weights(share, 1); }, {1, 3});
  return nearest.best();
}

ClosestDifference closest_on_parallelogram(const std::array<Vec3, 4>& p) {
  const Vec3 u = p[2] - p[0], v = p[1] - p[0], n = cross(u, v);
  if (dot(n, n) > 1e-4 * dot(u, u) * dot(v, v))
    return closest_on_parallelogram(p, n, false, [](const Vec3& a, const Vec3& b) { return cross(a, b); });
  return closest_on_parallelogram(p, sharp_cross(u, v), true, sharp_cross);
}

}  // namespace

int difference_points(ElementaryKind kind, std::array<std::array<std::size_t, 2>, 4>& pairs) {
  switch (kind) {
    case ElementaryKind::vertex_face: pairs = {{{0, 1}, {0, 2}, {0, 3}}}; return 3;
    case ElementaryKind::edge_edge: pairs = {{{0, 2}, {0, 3}, {1, 2}, {1, 3}}}; return 4;
    case ElementaryKind::vertex_edge: pairs = {{{0, 1}, {0, 2}}}; return 2;
    case ElementaryKind::vertex_vertex: break;
  }
  pairs = {{{0, 1}}};
  return 1;
}

MovingDifference::MovingDifference(const ElementaryQuery& q) : size(0), largest(0), rounding(0) {
  std::array<std::array<std::size_t, 2>, 4> pairs{};
  n = difference_points(q.kind, pairs);
  for (std::size_t k = 0; k < static_cast<std::size_t>(n); ++k) {
    const auto [i, j] = pairs[k];
    at[k] = q.start[i] - q.start[j];
    displacement[k] = (q.end[i] - q.end[j]) - at[k];
  }
  double size2 = 0, far2 = 0, gone2 = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    far2 = std::max(far2, dot(at[i], at[i]));
    gone2 = std::max(gone2, dot(displacement[i], displacement[i]));
    for (std::size_t j = 0; j < i; ++j) {
      const Vec3 edge = at[i] - at[j];
      size2 = std::max(size2, dot(edge, edge));
    }
  }
  size = std::sqrt(std::max(size2, gone2));
  largest = std::sqrt(far2) + std::sqrt(gone2);
  // `at`: one rounding; `displacement`: three, of numbers at most `largest`; interpolated, projected on a unit vector,
  // compared: fewer than 20 more. Underflow loses less than the smallest normal number.
  rounding = 32 * 0x1p-53 * largest + std::numeric_limits<double>::min();
}

ClosestDifference closest_difference(ElementaryKind kind, const std::array<Vec3, 4>& p) {
  switch (kind) {
    case ElementaryKind::vertex_face: return closest_on_face({p[0], p[1], p[2]});
    case ElementaryKind::edge_edge: return closest_on_parallelogram(p);
    case ElementaryKind::vertex_edge: {
      const OnEdge c = closest_on_edge(p[0], p[1]);
      return {c.point, c.direction, {1, 1 - c.share, c.share, 0}, {c.inside ? 0 : -1, c.inside ? 1 : -1}};
    }
    case ElementaryKind::vertex_vertex: break;
  }
  return {p[0], p[0], {1, 1, 0, 0}, {-1, -1}};
}

ClosestDifference closest_difference(ElementaryKind kind, const MovingDifference& d, double t) {
  std::array<Vec3, 4> p;
  for (std::size_t i = 0; i < static_cast<std::size_t>(d.n); ++i) p[i] = d.place(i, t);
  return closest_difference(kind, p);
}

Vec3 best_direction(std::span<const Vec3> p, const Vec3& first) {
  const std::size_t count = p.size();
  Vec3 best{};
  double gap = -infinity;
  const auto offer = [&](Vec3 n) {
    const double size = norm(n);
    if (!(size > 0)) return;
    n = n * (1 / size);
    double low = infinity;
    for (std::size_t i = 0; i < count; ++i) low = std::min(low, dot(n, p[i]));
    if (low > gap) {
      gap = low;
      best = n;
    }
  };
  offer(first);
  for (std::size_t i = 0; i < count; ++i) {
    offer(p[i]);
    for (std::size_t j = 0; j < i; ++j) {
      const Vec3 edge = p[i] - p[j];
      offer(cross(edge, sharp_cross(p[i], edge)));
      for (std::size_t k = 0; k < j; ++k) {
        const Vec3 n = sharp_cross(edge, p[i] - p[k]);
        offer(n);
        offer(-n);
      }
    }
  }
  return best;
}

}  // namespace graze::engine::elementary
