// SPDX-License-Identifier: MIT
#include "shape/simplex.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/vectors.hpp"

namespace graze::shape {

void nearest_on_segment(const Vec3& p, const Vec3& q, double* weights) {
  const Vec3 d = q - p;
  const double along = -dot(p, d), whole = dot(d, d);
  const double s = !(along > 0) || !(whole > 0) ? 0 : along >= whole ? 1 : along / whole;
  weights[0] = 1 - s;
  weights[1] = s;
}

namespace {

double squared(const Vec3& v) { return dot(v, v); }

/// Two edges of a triangle, from a common corner: not the longest one. Of a needle, the two long edges are parallel up
/// to rounding, and their cross product is not the normal.
struct EdgePair {
  Vec3 first, second;
  EdgePair(const Vec3& p, const Vec3& q, const Vec3& r) : first(q - p), second(r - p) {
    const Vec3 third = r - q;
    const double pq = squared(first), pr = squared(second), qr = squared(third);
    if (qr >= pq && qr >= pr) return;
    if (pr >= pq) {  // from q: to r, to p
      second = -first;
      first = third;
    } else {  // from r: to p, to q
      first = -second;
      second = -third;
    }
  }
};

/// The best of the three edges; for triangles without an area, too. Of edges that are equally near, as far as doubles
/// can tell, the one that the origin's projection is farthest outside of: of a needle, whose two long edges are both as
/// near, only that one gives the direction. `areas`: negative outside of the edge opposite to a corner.
void nearest_on_edges(const Vec3* corners, const double* areas, double* weights) {
  double least = -1, area = 0;
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    const double of_edge = areas[(k + 2) % 3];
    double w[2];
    nearest_on_segment(corners[k], corners[next], w);
    const double d = squared(corners[k] * w[0] + corners[next] * w[1]);
    constexpr double same = 0x1p-50;
    if (least >= 0 && (d > least * (1 + same) || (d >= least * (1 - same) && !(of_edge < area)))) continue;
    least = d;
    area = of_edge;
    weights[0] = weights[1] = weights[2] = 0;
    weights[k] = w[0];
    weights[next] = w[1];
  }
}

}  // namespace

void nearest_on_triangle(const Vec3& p, const Vec3& q, const Vec3& r, double* weights) {
  const Vec3 corners[3] = {p, q, r};
  const EdgePair edges(p, q, r);
  const Vec3 n = cross(edges.first, edges.second);
  // Areas of the triangles that the origin's projection forms with the edges, times |n|.
  const double of_p = dot(n, cross(q, r)), of_q = dot(n, cross(r, p)), of_r = dot(n, cross(p, q));
  const double sum = of_p + of_q + of_r;
  if (of_p > 0 && of_q > 0 && of_r > 0 && sum > 0) {
    weights[0] = of_p / sum;
    weights[1] = of_q / sum;
    weights[2] = of_r / sum;
    return;
  }
  const double areas[3] = {of_p, of_q, of_r};
  nearest_on_edges(corners, areas, weights);
}

Vec3 Simplex::direction(const Vec3& v, double len) const {
  if (size == 3) {
    const EdgePair edges(difference[0], difference[1], difference[2]);
    const Vec3 n = cross(edges.first, edges.second);
    const double square = squared(n);
    if (square > 0x1p-60 * squared(edges.first) * squared(edges.second))
      return n * ((dot(n, v) < 0 ? -1 : 1) / std::sqrt(square));
  }
  const Vec3 n = v * (1 / len);
  if (size != 2) return n;
  const Vec3 e = difference[1] - difference[0];
  const double whole = squared(e);
  if (!(whole > 0)) return n;
  const Vec3 square_to_edge = n - e * (dot(n, e) / whole);
  const double rest = squared(square_to_edge);
  return rest > 0.25 ? square_to_edge * (1 / std::sqrt(rest)) : n;
}

namespace {

/// The faces of a tetrahedron, outward or all inward, and the corner opposite.
constexpr int tetrahedron[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};

}  // namespace

// Edges are at most 7 long, normals at most 49, each coordinate of a normal is accurate to 2^-46, and so is the product
// with a corner to 2^-43: a sign beyond that is certain, and so is the distance from the plane less that.
double Simplex::inner_radius() const {
  if (size != 4) return 0;
  double least = std::numeric_limits<double>::infinity();
  int positive = 0, negative = 0;
  for (const auto& f : tetrahedron) {
    const Vec3& p = difference[f[0]];
    const Vec3 n = cross(difference[f[1]] - p, difference[f[2]] - p);
    const double along = dot(n, p);
    if (!(std::fabs(along) > 0x1p-42)) return 0;
    (along > 0 ? positive : negative)++;
    least = std::min(least, (std::fabs(along) - 0x1p-43) / math::norm_above(n));
  }
  return positive == 4 || negative == 4 ? least : 0;
}

Vec3 Simplex::reduce(bool& inside) {
  inside = false;
  if (size == 1) {
    weight[0] = 1;
    return difference[0];
  }
  double w[4]{};
  if (size == 2) {
    nearest_on_segment(difference[0], difference[1], w);
  } else if (size == 3) {
    nearest_on_triangle(difference[0], difference[1], difference[2], w);
  } else {
    // The origin is inside if it is on the inner side of all four faces; else the nearest point is on one of those
    // that it is outside of. Of a flat tetrahedron all faces are looked at.
    inside = true;
    double least = -1, origins[4];
    for (const auto& f : tetrahedron) {
      const Vec3 &p = difference[f[0]], &q = difference[f[1]], &r = difference[f[2]];
      const EdgePair edges(p, q, r);
      const Vec3 n = cross(edges.first, edges.second);
      const double opposite = dot(n, difference[f[3]] - p), origin = -dot(n, p);
      // Rounding may turn these signs where the face is thin, or the tetrahedron flat: then the face is looked at, too.
      // With edges e and f, each coordinate of n is off by at most 5 eps |e| |f|, so each product by 15 eps times that
      // and the largest coordinate of the point, and by 6 eps of the same for its own sum; 2^-48 is 32 eps.
      const double flat = 0x1p-48 * math::largest(edges.first) * math::largest(edges.second);
      const double flat_opposite = flat * math::largest(difference[f[3]] - p), flat_origin = flat * math::largest(p);
      if ((opposite > flat_opposite && origin > flat_origin) || (opposite < -flat_opposite && origin < -flat_origin)) {
        origins[f[3]] = origin / opposite;
        continue;
      }
      inside = false;
      double v[3];
      nearest_on_triangle(p, q, r, v);
      const double d = squared(p * v[0] + q * v[1] + r * v[2]);
      if (least >= 0 && !(d < least)) continue;
      least = d;
      std::fill(w, w + 4, 0.0);
      for (int k = 0; k < 3; ++k) w[f[k]] = v[k];
    }
    if (inside) {
      // They sum to 1 but for roundings, which of a thin tetrahedron are large: points must stay inside both sets.
      const double sum = origins[0] + origins[1] + origins[2] + origins[3];
      for (int k = 0; k < 4; ++k) weight[k] = origins[k] / sum;
      return {};
    }
  }
  int kept = 0;
  Vec3 nearest;
  for (int i = 0; i < size; ++i) {
    if (!(w[i] > 0)) continue;
    if (kept != i) {
      difference[kept] = difference[i];
      a[kept] = a[i];
      b[kept] = b[i];
    }
    weight[kept] = w[i];
    nearest = nearest + difference[kept] * w[i];
    ++kept;
  }
  size = kept;
  return nearest;
}

}  // namespace graze::shape
