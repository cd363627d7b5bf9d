// SPDX-License-Identifier: MIT
// Squared distances, IPC's mollifier, and their derivatives.
#include <algorithm>
#include <cmath>
#include <string>

#include <graze/ask/proximity.hpp>

#include "core/chunks.hpp"
#include "core/fp_guard.hpp"
#include "core/refusal.hpp"
#include "engine/deform/near/mollifier.hpp"
#include "engine/deform/near/named_pair.hpp"
#include "math/double_double.hpp"
#include "math/vectors.hpp"

namespace graze {

namespace {

using engine::deform::PlacedParts;

constexpr std::size_t per_gradient = 12, per_hessian = 144;

/// Where to write, or null.
struct Output {
  double *value, *gradient, *hessian;

  void clear() const {
    if (value) *value = 0;
    if (gradient) std::fill_n(gradient, per_gradient, 0.0);
    if (hessian) std::fill_n(hessian, per_hessian, 0.0);
  }
  void set_gradient(std::size_t vertex, const Vec3& g) const {
    for (int k = 0; k < 3; ++k) gradient[3 * vertex + static_cast<std::size_t>(k)] = g[k];
  }
};

/// a b - c d, rounded about once.
double difference_of_products(double a, double b, double c, double d) {
  const math::DoubleDouble r = math::exact_product(a, b) - math::exact_product(c, d);
  return r.hi + r.lo;
}

/// u x v; for nearly parallel vectors the plain product is mostly rounding error.
Vec3 normal_of(const Vec3& u, const Vec3& v) {
  const Vec3 n = cross(u, v);
  if (dot(n, n) > 0x1p-20 * dot(u, u) * dot(v, v)) return n;
  return {difference_of_products(u.y, v.z, u.z, v.y), difference_of_products(u.z, v.x, u.x, v.z),
          difference_of_products(u.x, v.y, u.y, v.x)};
}

/// The vector r = sum of c_i x_i between the closest points, which depends on up to two parameters: by parameter a it
/// changes by `rate[a]`, and c_i by `share[i][a]`.
struct Closest {
  std::array<double, 4> c{};
  std::array<std::array<double, 2>, 4> share{};
  std::array<Vec3, 2> rate{};
  int parameters = 0;
  Vec3 r;
};

/// If an edge has no direction, or edges or a face no normal, the points of the given weights are taken as fixed.
Closest with_fixed_weights(const std::array<Vec3, 4>& p, const std::array<double, 4>& weights, unsigned first) {
  Closest k;
  for (std::size_t i = 0; i < 4; ++i) {
    k.c[i] = first >> i & 1 ? weights[i] : -weights[i];
    k.r = k.r + p[i] * k.c[i];
  }
  return k;
}

Closest closest_of_edge(const std::array<Vec3, 4>& p, const std::array<double, 4>& weights) {
  const Vec3 e = p[2] - p[1], from_first = p[0] - p[1], from_second = p[0] - p[2];
  const double whole = dot(e, e);
  if (!(whole > 0)) return with_fixed_weights(p, weights, 1);
  const bool nearer = dot(from_first, from_first) < dot(from_second, from_second);
  const Vec3& w = nearer ? from_first : from_second;
  const double along = dot(w, e) / whole, t = nearer ? along : 1 + along;
  Closest k;
  k.c = {1, -(1 - t), -t, 0};
  k.share[1][0] = 1;
  k.share[2][0] = -1;
  k.rate[0] = -e;
  k.parameters = 1;
  k.r = cross(normal_of(e, w), e) * (1 / whole);
  return k;
}

Closest closest_of_edges(const std::array<Vec3, 4>& p, const std::array<double, 4>& weights) {
  const Vec3 u = p[1] - p[0], v = p[3] - p[2], w = p[0] - p[2], n = normal_of(u, v);
  const double square = dot(n, n);
  if (!(square > 0)) return with_fixed_weights(p, weights, 3);
  const double s = dot(cross(v, w), n) / square, t = dot(cross(u, w), n) / square;
  Closest k;
  k.c = {1 - s, s, -(1 - t), -t};
  k.share[0][0] = -1;
  k.share[1][0] = 1;
  k.share[2][1] = 1;
  k.share[3][1] = -1;
  k.rate = {u, -v};
  k.parameters = 2;
  k.r = n * (dot(n, w) / square);
  return k;
}

Closest closest_of_face(const std::array<Vec3, 4>& p, const std::array<double, 4>& weights) {
  const Vec3 u = p[2] - p[1], v = p[3] - p[1], w = p[0] - p[1], n = normal_of(u, v);
  const double square = dot(n, n);
  if (!(square > 0)) return with_fixed_weights(p, weights, 1);
  const double b = dot(cross(w, v), n) / square, c = dot(cross(u, w), n) / square;
  Closest k;
  k.c = {1, -(1 - b - c), -b, -c};
  k.share[1] = {1, 1};
  k.share[2][0] = -1;
  k.share[3][1] = -1;
  k.rate = {-u, -v};
  k.parameters = 2;
  k.r = n * (dot(n, w) / square);
  return k;
}

/// The inverse of the matrix of the products of the rates.
std::array<std::array<double, 2>, 2> inverse_products(const Closest& k) {
  std::array<std::array<double, 2>, 2> inverse{};
  const double aa = dot(k.rate[0], k.rate[0]);
  if (k.parameters == 1) inverse[0][0] = 1 / aa;
  if (k.parameters != 2) return inverse;
  const Vec3 n = normal_of(k.rate[0], k.rate[1]);
  const double det = dot(n, n), ab = dot(k.rate[0], k.rate[1]), bb = dot(k.rate[1], k.rate[1]);
  return {{{bb / det, -ab / det}, {-ab / det, aa / det}}};
}

/// With f(x, t) = |r|^2, whose least value for the parameters t is the squared distance: the gradient is that by x with
/// t fixed, 2 c_i r. The second derivative is f_xx - f_xt f_tt^-1 f_tx, where f_xx = 2 c_i c_j I, f_tt = 2 rate_a .
/// rate_b and f_xt = 2 (share_ia r + c_i rate_a), as r is perpendicular to the rates.
void write_hessian(const Closest& k, const std::array<std::size_t, 4>& at, double* hessian) {
  const auto inverse = inverse_products(k);
  std::array<std::array<Vec3, 2>, 4> mixed{}, solved{};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t a = 0; a < 2; ++a) mixed[i][a] = k.r * k.share[i][a] + k.rate[a] * k.c[i];
    for (std::size_t a = 0; a < 2; ++a) solved[i][a] = mixed[i][0] * inverse[a][0] + mixed[i][1] * inverse[a][1];
  }
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t j = i; j < 12; ++j) {
      const std::size_t x = i / 3, y = j / 3;
      const int p = static_cast<int>(i % 3), q = static_cast<int>(j % 3);
      double h = p == q ? k.c[x] * k.c[y] : 0;
      h -= mixed[x][0][p] * solved[y][0][q] + mixed[x][1][p] * solved[y][1][q];
      const std::size_t row = 3 * at[x] + i % 3, column = 3 * at[y] + j % 3;
      hessian[12 * row + column] = hessian[12 * column + row] = 2 * h;
    }
}

/// The power of two that brings the largest difference of coordinates to about 1.
double unit_of(const std::array<Vec3, 4>& p, std::size_t count) {
  double most = 0;
  for (std::size_t i = 1; i < count; ++i) most = std::max(most, math::largest(p[i] * 0.5 - p[0] * 0.5));
  if (!(most > 0)) return 1;
  int exponent;
  std::frexp(most, &exponent);
  return std::ldexp(1.0, std::clamp(exponent, -1000, 1000));
}

void write_distance(const ProximityPair& pair, std::span<const Vec3> positions, const Output& out) {
  out.clear();
  const PlacedParts placed = engine::deform::placed(pair, positions);
  std::array<Vec3, 4> p = placed.parts.points;
  std::array<double, 4> weights{};
  const std::size_t count = pair.kind == ElementaryKind::vertex_vertex ? 2
                            : pair.kind == ElementaryKind::vertex_edge ? 3
                                                                       : 4;
  const double unit = unit_of(p, count);
  const Vec3 origin = p[0];
  for (std::size_t k = 0; k < 4; ++k) {
    p[k] = k < count ? (p[k] * 0.5 - origin * 0.5) * (1 / unit) * 2 : Vec3{};
    weights[k] = k < count ? pair.weights[placed.at[k]] : 0;
  }
  const Closest k = pair.kind == ElementaryKind::vertex_vertex ? with_fixed_weights(p, {1, 1, 0, 0}, 1)
                    : pair.kind == ElementaryKind::vertex_edge ? closest_of_edge(p, weights)
                    : pair.kind == ElementaryKind::edge_edge   ? closest_of_edges(p, weights)
                                                               : closest_of_face(p, weights);
  if (out.value) *out.value = dot(k.r, k.r) * unit * unit;
  if (out.gradient)
    for (std::size_t i = 0; i < count; ++i) out.set_gradient(placed.at[i], k.r * (2 * k.c[i] * unit));
  if (out.hessian) write_hessian(k, placed.at, out.hessian);
}

/// c = |u x v|^2 by the components of u and v: gradient 2 v x n, 2 n x u; second derivatives below.
void write_mollifier(const ProximityPair& pair, std::span<const Vec3> positions, std::span<const Vec3> rest,
                     double mollifier, const Output& out) {
  out.clear();
  if (out.value) *out.value = 1;
  if (!pair.nearly_parallel) return;
  const auto [c, limit] = engine::deform::parallelism(pair.vertices, positions, rest, mollifier);
  if (!(c < limit)) return;
  const double share = c / limit, slope = 2 / limit * (1 - share), bend = -2 / limit / limit;
  if (out.value) *out.value = share * (2 - share);
  const Vec3 u = positions[pair.vertices[1]] - positions[pair.vertices[0]],
             v = positions[pair.vertices[3]] - positions[pair.vertices[2]], n = cross(u, v);
  const std::array<Vec3, 2> by{cross(v, n) * 2, cross(n, u) * 2};
  const auto sign = [](std::size_t vertex) { return vertex % 2 == 0 ? -1.0 : 1.0; };
  if (out.gradient)
    for (std::size_t i = 0; i < 4; ++i) out.set_gradient(i, by[i / 2] * (slope * sign(i)));
  if (!out.hessian) return;
  const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v);
  const auto second = [&](std::size_t a, int p, std::size_t b, int q) {  // by component p of u or v, and q
    const double one = p == q ? 1 : 0;
    if (a == 0 && b == 0) return 2 * (vv * one - v[p] * v[q]);
    if (a == 1 && b == 1) return 2 * (uu * one - u[p] * u[q]);
    return 4 * u[p] * v[q] - 2 * v[p] * u[q] - 2 * uv * one;
  };
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t j = i; j < 12; ++j) {
      const std::size_t x = i / 3, y = j / 3;
      const int p = static_cast<int>(i % 3), q = static_cast<int>(j % 3);
      const double h = bend * by[x / 2][p] * by[y / 2][q] + slope * second(x / 2, p, y / 2, q);
      out.hessian[12 * i + j] = out.hessian[12 * j + i] = sign(x) * sign(y) * h;
    }
}

void check_length(std::size_t given, std::size_t pairs, std::size_t each, const char* name) {
  if (given != 0 && given != pairs * each)
    throw Error(core::problem(ErrorCode::bad_option, name,
                              "the array must be empty or have " + std::to_string(each) + " numbers for each pair: " +
                                  std::to_string(pairs * each) + ", not " + std::to_string(given)));
}

/// Calls `write(pair, output)` for each pair.
template <class Write>
void for_each_pair(std::span<const ProximityPair> pairs, std::size_t vertices, std::span<double> values,
                   std::span<double> gradients, std::span<double> hessians, int threads, Write&& write) {
  const core::FpGuard guard;
  core::throw_if(core::bad_threads(threads));
  check_length(values.size(), pairs.size(), 1, "values");
  check_length(gradients.size(), pairs.size(), per_gradient, "gradients");
  check_length(hessians.size(), pairs.size(), per_hessian, "hessians");
  for (std::size_t i = 0; i < pairs.size(); ++i)
    for (const std::uint32_t v : pairs[i].vertices)
      if (v >= vertices) throw Error(core::problem(ErrorCode::bad_option, "pair", "a vertex does not exist", i));
  const auto at = [](std::span<double> list, std::size_t i) { return list.empty() ? nullptr : list.data() + i; };
  core::in_chunks(pairs.size(), threads, [&](std::size_t i) {
    write(pairs[i], Output{at(values, i), at(gradients, i * per_gradient), at(hessians, i * per_hessian)});
  });
}

}  // namespace

void squared_distances(std::span<const ProximityPair> pairs, std::span<const Vec3> positions, std::span<double> values,
                       std::span<double> gradients, std::span<double> hessians, int threads) {
  for_each_pair(pairs, positions.size(), values, gradients, hessians, threads,
                [&](const ProximityPair& pair, const Output& out) { write_distance(pair, positions, out); });
}

void edge_mollifiers(std::span<const ProximityPair> pairs, std::span<const Vec3> positions, std::span<const Vec3> rest,
                     double mollifier, std::span<double> values, std::span<double> gradients,
                     std::span<double> hessians, int threads) {
  if (!(mollifier >= 0 && std::isfinite(mollifier)))
    throw Error(core::bad_option("mollifier", "the factor must be finite, 0 or more"));
  for_each_pair(
      pairs, std::min(positions.size(), rest.size()), values, gradients, hessians, threads,
      [&](const ProximityPair& pair, const Output& out) { write_mollifier(pair, positions, rest, mollifier, out); });
}

}  // namespace graze
