// SPDX-License-Identifier: MIT
#include "engine/deform/walk/parting.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/collide/self_pair.hpp"
#include "engine/deform/walk/feature_tests.hpp"
#include "engine/deform/walk/parting_direction.hpp"
#include "engine/elementary/closest_now.hpp"
#include "engine/elementary/difference.hpp"
#include "math/predicates.hpp"
#include "math/vectors.hpp"

namespace graze::engine::deform {

namespace {

using math::norm;
using math::of_size_one;

/// Along an axis the first feature is not below the second at the start and beyond it at the end, or the other way
/// round: then it is beyond it from then on, because points move linearly. Comparisons only: nothing is rounded.
bool parts_along_an_axis(const ElementaryQuery& q) {
  const std::size_t first = q.kind == ElementaryKind::vertex_face ? 1 : 2;
  for (int axis = 0; axis < 3; ++axis) {
    bool above = true, below = true;
    for (std::size_t i = 0; i < first; ++i)
      for (std::size_t j = first; j < 4; ++j) {
        const double x0 = q.start[i][axis], y0 = q.start[j][axis], x1 = q.end[i][axis], y1 = q.end[j][axis];
        above = above && x0 >= y0 && x1 > y1;
        below = below && x0 <= y0 && x1 < y1;
      }
    if (above || below) return true;
  }
  return false;
}

double determinant(const Vec3& p, const Vec3& u, const Vec3& v) { return dot(p, cross(u, v)); }

/// A time h > 0 such that the four points are certified not to be coplanar during (0, h]; none: nothing.
///
/// The determinant of p, u and v (p from one feature to the other, u and v edges) is a cubic c0 + t g(t), where the
/// sign of c0 is known exactly. If c0 is zero or has the sign that g has on all of (0, h], the cubic is not zero there.
///
/// Error: with s the sum of the lengths of a vector at the start and of its change, each vector is off by at most 3 eps
/// s (a difference at the start, three for the change; eps = 2^-53), a determinant of them by 17 eps of the product of
/// the three s, and c1, c2, c3, sums of at most three, by less than 60 eps of it. The query is at a size near 1:
/// products that underflow lose less than 2^-1060.
std::optional<double> not_coplanar_until(const ElementaryQuery& q, const ElementaryQuery& scaled) {
  const bool face = q.kind == ElementaryKind::vertex_face;
  const auto& x = q.start;
  const int at_start = face ? math::orient3d(x[1], x[2], x[3], x[0]) : math::orient3d(x[2], x[3], x[0], x[1]);
  const auto vectors = [&](const std::array<Vec3, 4>& p) {
    return face ? std::array{p[0] - p[1], p[2] - p[1], p[3] - p[1]} : std::array{p[0] - p[2], p[1] - p[0], p[3] - p[2]};
  };
  const auto [p, u, v] = vectors(scaled.start);
  const auto end = vectors(scaled.end);
  const Vec3 dp = end[0] - p, du = end[1] - u, dv = end[2] - v;
  const double c1 = determinant(dp, u, v) + determinant(p, du, v) + determinant(p, u, dv);
  const double c2 = determinant(dp, du, v) + determinant(dp, u, dv) + determinant(p, du, dv);
  const double c3 = determinant(dp, du, dv);
  const double sizes = (norm(p) + norm(dp)) * (norm(u) + norm(du)) * (norm(v) + norm(dv));
  const double error = 0x1p-46 * sizes + 0x1p-1050, side = c1 > 0 ? 1 : -1;
  if (at_start != 0 && (at_start > 0) != (c1 > 0)) return std::nullopt;
  const double back2 = std::max(0.0, -side * c2), back3 = std::max(0.0, -side * c3);
  for (double h = 1; h >= 0x1p-40; h *= 0.25)
    if (side * c1 - h * back2 - h * h * back3 > 4 * error) return h;
  return std::nullopt;
}

/// The answer for the time from h on, no separation required.
void ask_from(const ElementaryQuery& scaled, double scale, double h, ElementaryResult& r) {
  const elementary::MovingDifference d(scaled);
  const ElementaryOptions options;
  elementary::Elementary e{scaled, options, 16 * d.rounding, d.rounding, &d};
  e.from = h;
  r = ElementaryResult{};
  advancement.run(e, r);
  r.gap /= scale;
  r.tolerance /= scale;
}

void answer(ElementaryKind kind, const std::array<Vec3, 8>& query, const ElementaryOptions& options,
            elementary::BatchAnswers& scratch, ElementaryResult& r) {
  elementary::answer_batch(advancement, kind, {&query, 1}, options, elementary::BatchOrder::axes_last, scratch);
  if (scratch.asked > 0)
    r = scratch.results[0];
  else
    elementary::set_free(r);
}

}  // namespace

Parting follow_parting(ElementaryKind kind, const std::array<Vec3, 8>& query, const ElementaryOptions& options,
                       elementary::BatchAnswers& scratch, ElementaryResult& r) {
  std::uint64_t steps = r.steps;
  const auto done = [&](Parting parting) {
    r.steps += steps;
    return parting;
  };
  const ElementaryResult as_given = r;
  if (options.min_separation > 0 && r.gap > 0) {
    ElementaryOptions nearer = options;
    nearer.min_separation = kept_share * r.gap;
    r.steps = 0;
    answer(kind, query, nearer, scratch, r);
    if (r.status == Status::free || r.time.touch > 0) return done(Parting::near);
    steps += r.steps;
  }
  const ElementaryQuery q{kind, {query[0], query[1], query[2], query[3]}, {query[4], query[5], query[6], query[7]}};
  r = ElementaryResult{};
  if (parts_along_an_axis(q)) {
    elementary::set_free(r);
    return done(Parting::touched);
  }
  const double scale = elementary::unit_scale(q);
  const ElementaryQuery scaled = elementary::at_scale(q, scale);
  std::optional<double> h = not_coplanar_until(q, scaled);
  if (!h) h = parts_along_a_direction(q);
  if (!h) {
    r = as_given;
    r.steps = 0;
    return done(Parting::stays);
  }
  if (*h >= 1)
    elementary::set_free(r);
  else
    ask_from(scaled, scale, *h, r);
  return done(Parting::touched);
}

namespace {

/// The corners of two triangles at one time, relative to one of them, at a size below 1. Each coordinate is off by less
/// than 2^-49: differences at both ends are rounded once, interpolated with three more roundings of numbers below 2,
/// and scaled by a power of two.
struct PlacedCorners {
  static constexpr double error = 0x1p-49;

  std::array<Vec3, 6> x;
  bool usable = false;

  PlacedCorners(const std::array<std::uint32_t, 6>& vertices, std::size_t origin, const MovingVertices& at, double t) {
    const Vec3 &from = at.start[vertices[origin]], &to = at.end[vertices[origin]];
    double size = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      const Vec3 start = at.start[vertices[i]] - from, end = at.end[vertices[i]] - to;
      x[i] = start + (end - start) * t;
      size = std::max({size, math::largest(start), math::largest(end)});
    }
    if (!(size > 0x1p-900 && size < 0x1p900)) return;
    int exponent;
    std::frexp(size, &exponent);
    const double scale = std::ldexp(1.0, -exponent);
    for (Vec3& p : x) p = p * scale;
    usable = true;
  }
};

/// Calls `separates` with directions until it returns true.
template <class Separates>
bool some_direction(const std::array<Vec3, 6>& x, const Separates& separates) {
  const auto edge = [&](std::size_t first, std::size_t k) {
    return of_size_one(x[first + (k + 1) % 3] - x[first + k]);
  };
  const Vec3 na = of_size_one(cross(edge(0, 0), edge(0, 1))), nb = of_size_one(cross(edge(3, 0), edge(3, 1)));
  if (separates(na) || separates(nb)) return true;
  for (std::size_t i = 0; i < 3; ++i) {
    if (separates(cross(na, edge(0, i))) || separates(cross(nb, edge(3, i)))) return true;
    for (std::size_t j = 0; j < 3; ++j)
      if (separates(of_size_one(cross(edge(0, i), edge(3, j)))) || separates(of_size_one(x[i] - x[3 + j]))) return true;
  }
  return false;
}

/// Of length at most sqrt 3 or so: a product with a corner is off by less than 8 times the corner's error.
constexpr double product_error = 16 * PlacedCorners::error;

bool apart_at(const Triangle& a, const Triangle& b, const MovingVertices& at, double t) {
  const collide::SharedVertices s(a, b);
  if (s.same_face) return false;
  if (s.count == 0) {
    const PlacedCorners c({a[0], a[1], a[2], b[0], b[1], b[2]}, 0, at, t);
    return c.usable && some_direction(c.x, [&](const Vec3& n) {
             double low[2], high[2];
             for (std::size_t side = 0; side < 2; ++side) {
               const double v[3] = {dot(n, c.x[3 * side]), dot(n, c.x[3 * side + 1]), dot(n, c.x[3 * side + 2])};
               low[side] = std::min({v[0], v[1], v[2]});
               high[side] = std::max({v[0], v[1], v[2]});
             }
             return std::max(low[0] - high[1], low[1] - high[0]) > 2 * product_error;
           });
  }
  if (s.count == 1) {
    // Strictly on different sides of a plane through the shared corner, but for that corner.
    const std::uint32_t v = s.shared[0];
    const PlacedCorners c({v, s.rest_a[0], s.rest_a[1], v, s.rest_b[0], s.rest_b[1]}, 0, at, t);
    const auto separates = [&](const Vec3& n) {
      const double p = dot(n, c.x[1]), q = dot(n, c.x[2]), r = dot(n, c.x[4]), u = dot(n, c.x[5]);
      return std::max(std::min({p, q, -r, -u}), std::min({-p, -q, r, u})) > product_error;
    };
    const auto middle = [&](const Vec3& p, const Vec3& q) { return of_size_one(math::unit(p) + math::unit(q)); };
    return c.usable &&
           (separates(of_size_one(middle(c.x[1], c.x[2]) - middle(c.x[4], c.x[5]))) || some_direction(c.x, separates));
  }
  // Not in one plane: they share only the edge.
  const PlacedCorners c({s.shared[0], s.shared[1], s.rest_a[0], s.shared[0], s.shared[1], s.rest_b[0]}, 0, at, t);
  return c.usable && std::fabs(determinant(c.x[1], c.x[2], c.x[5])) > 32 * PlacedCorners::error;
}

}  // namespace

bool triangles_part(const Triangle& a, const Triangle& b, const MovingVertices& at, double until) {
  return apart_at(a, b, at, until) || apart_at(a, b, at, 0.5 * until) || apart_at(a, b, at, 0.125 * until);
}

}  // namespace graze::engine::deform
