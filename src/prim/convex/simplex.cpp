// SPDX-License-Identifier: MIT
#include "prim/convex/simplex.hpp"

#include <limits>

#include "math/predicates.hpp"

namespace graze::prim {

namespace {

/// A face of the simplex that contains the nearest point, by indices of its corners.
struct Face {
  Vec3 v;
  double squared;
  int size;
  std::array<int, 3> corner;
  std::array<double, 3> weight;
};

using Points = std::array<Vec3, 4>;

const Vec3& at(const Points& w, int i) { return w[static_cast<std::size_t>(i)]; }

Face of_corner(const Points& w, int i) { return {at(w, i), dot(at(w, i), at(w, i)), 1, {i, 0, 0}, {1, 0, 0}}; }

/// For an edge whose ends are both further away than some point between them.
Face of_edge(const Points& w, int i, int j, double share, double length_squared) {
  const Vec3 e = at(w, j) - at(w, i);
  const double s = share / length_squared;
  Vec3 v = at(w, i) + e * s;
  v = v - e * (dot(v, e) / length_squared);
  return {v, dot(v, v), 2, {i, j, 0}, {1 - s, s, 0}};
}

Face nearest_on_edge(const Points& w, int i, int j) {
  const Vec3 e = at(w, j) - at(w, i);
  const double share = -dot(at(w, i), e), all = dot(e, e);
  if (!(share > 0)) return of_corner(w, i);
  if (!(share < all)) return of_corner(w, j);
  return of_edge(w, i, j, share, all);
}

/// By the regions around a triangle in which a corner, an edge or the interior is nearest.
Face nearest_on_triangle(const Points& w, int i, int j, int k) {
  const Vec3 &a = at(w, i), &b = at(w, j), &c = at(w, k);
  const Vec3 ab = b - a, ac = c - a;
  const double a_ab = -dot(ab, a), a_ac = -dot(ac, a);
  if (a_ab <= 0 && a_ac <= 0) return of_corner(w, i);
  const double b_ab = -dot(ab, b), b_ac = -dot(ac, b);
  if (b_ab >= 0 && b_ac <= b_ab) return of_corner(w, j);
  const double c_ab = -dot(ab, c), c_ac = -dot(ac, c);
  if (c_ac >= 0 && c_ab <= c_ac) return of_corner(w, k);
  const double to_c = a_ab * b_ac - b_ab * a_ac;  // twice the areas opposite to the corners, times a common factor
  if (to_c <= 0 && a_ab >= 0 && b_ab <= 0 && a_ab > b_ab) return of_edge(w, i, j, a_ab, a_ab - b_ab);
  const double to_b = c_ab * a_ac - a_ab * c_ac;
  if (to_b <= 0 && a_ac >= 0 && c_ac <= 0 && a_ac > c_ac) return of_edge(w, i, k, a_ac, a_ac - c_ac);
  const double to_a = b_ab * c_ac - c_ab * b_ac;
  const double b_bc = b_ac - b_ab, c_bc = c_ab - c_ac;
  if (to_a <= 0 && b_bc >= 0 && c_bc >= 0 && b_bc + c_bc > 0) return of_edge(w, j, k, b_bc, b_bc + c_bc);
  const Vec3 n = cross(ab, ac);
  const double nn = dot(n, n), sum = to_a + to_b + to_c, height = dot(n, a);
  // Degenerate, or some part not positive, as far as double precision can tell: weights must not be negative.
  if (!(nn > 0) || !(to_a > 0 && to_b > 0 && to_c > 0)) {
    Face best = nearest_on_edge(w, i, j);
    for (const auto& [p, q] : {std::array{j, k}, std::array{k, i}})
      if (const Face f = nearest_on_edge(w, p, q); f.squared < best.squared) best = f;
    return best;
  }
  const double s = height / nn, share = 1 / sum;
  return {n * s, height * s, 3, {i, j, k}, {to_a * share, to_b * share, to_c * share}};
}

void keep(ConvexSimplex& s, const Face& f) {
  const ConvexSimplex old = s;
  s.size = f.size;
  for (std::size_t i = 0; i < static_cast<std::size_t>(f.size); ++i) {
    const auto from = static_cast<std::size_t>(f.corner[i]);
    s.w[i] = old.w[from];
    s.a[i] = old.a[from];
    s.b[i] = old.b[from];
    s.weight[i] = f.weight[i];
  }
}

NearestPoint nearest_of_tetrahedron(ConvexSimplex& s) {
  const Points& w = s.w;
  const Vec3 ab = w[0] - w[3], ac = w[1] - w[3], ad = w[2] - w[3], bc = w[1] - w[0], bd = w[2] - w[0];
  const Vec3 &a = w[3], &b = w[0];
  // Signed volumes of the origin with each face, with signs chosen so that inside means the sign of the whole.
  const Vec3 acd = cross(ac, ad);
  const double volume = dot(ab, acd);
  const std::array<double, 4> part{-dot(a, acd), -dot(a, cross(ad, ab)), -dot(a, cross(ab, ac)),
                                   -dot(b, cross(bd, bc))};
  constexpr std::array<std::array<int, 3>, 4> faces{{{3, 1, 2}, {3, 2, 0}, {3, 0, 1}, {0, 2, 1}}};
  Face best{};
  best.squared = std::numeric_limits<double>::infinity();
  bool outside = false;
  for (std::size_t i = 0; i < 4; ++i) {
    // A flat tetrahedron has no interior: all its faces are candidates.
    if (part[i] * volume > 0) continue;
    outside = true;
    if (const Face f = nearest_on_triangle(w, faces[i][0], faces[i][1], faces[i][2]); f.squared < best.squared)
      best = f;
  }
  if (!outside) {
    for (std::size_t i = 0; i < 4; ++i) s.weight[i] = part[i] / volume;
    return {{}, 0, true};
  }
  keep(s, best);
  return {best.v, best.squared, false};
}

}  // namespace

NearestPoint nearest_to_origin(ConvexSimplex& s) {
  if (s.size == 4) return nearest_of_tetrahedron(s);
  const Face f = s.size == 1   ? of_corner(s.w, 0)
                 : s.size == 2 ? nearest_on_edge(s.w, 0, 1)
                               : nearest_on_triangle(s.w, 0, 1, 2);
  keep(s, f);
  return {f.v, f.squared, false};
}

bool surely_inside(const ConvexSimplex& s, double error) {
  const Vec3 o{0, 0, 0};
  const auto& w = s.w;
  // Replace each corner in turn by the origin: all four volumes must have the same sign.
  const int sign = math::orient3d_filter(o, w[1], w[2], w[3], error);
  return sign != 0 && math::orient3d_filter(w[0], o, w[2], w[3], error) == sign &&
         math::orient3d_filter(w[0], w[1], o, w[3], error) == sign &&
         math::orient3d_filter(w[0], w[1], w[2], o, error) == sign;
}

}  // namespace graze::prim
