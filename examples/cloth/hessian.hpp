// SPDX-License-Identifier: MIT
// A sparse symmetric matrix as a sum of small ones, and conjugate gradients.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <graze/math/vec3.hpp>

namespace cloth {

using graze::Vec3;
using Positions = std::vector<Vec3>;
using Matrix = std::array<Vec3, 3>;  // rows

inline Vec3 operator*(const Matrix& m, const Vec3& x) { return {dot(m[0], x), dot(m[1], x), dot(m[2], x)}; }
/// a (1 - n n^T) + b n n^T, for a unit vector n.
inline Matrix across_and_along(const Vec3& n, double a, double b) {
  Matrix m;
  for (int i = 0; i < 3; ++i)
    m[static_cast<std::size_t>(i)] = n * ((b - a) * n[i]) + Vec3{i == 0 ? a : 0, i == 1 ? a : 0, i == 2 ? a : 0};
  return m;
}

inline double& component(Vec3& x, std::size_t k) { return k == 0 ? x.x : k == 1 ? x.y : x.z; }
inline const double& component(const Vec3& x, std::size_t k) { return k == 0 ? x.x : k == 1 ? x.y : x.z; }

/// Up to four vertices that a force connects.
using Four = std::array<std::uint32_t, 4>;
/// Coordinate k % 3 of vertex k / 3 of the four.
template <class Vertices>
auto& coordinate(Vertices& x, const Four& four, std::size_t k) {
  return component(x[four[k / 3]], k % 3);
}
/// A part of the Hessian: block (i, j) is weights[i] weights[j] m.
struct Joined {
  Four vertices;
  std::array<double, 4> weights;
  Matrix m;
};
/// A part of the Hessian, row by row.
struct Dense {
  Four vertices;
  std::array<double, 144> h;
};

/// Makes a symmetric matrix of 12 rows positive semidefinite: negative eigenvalues become 0 (Jacobi's rotations).
inline void make_semidefinite(std::array<double, 144>& h) {
  constexpr std::size_t n = 12;
  std::array<double, 144> a = h, q{};
  for (std::size_t i = 0; i < n; ++i) q[i * n + i] = 1;
  for (int sweep = 0; sweep < 12; ++sweep) {
    double off = 0, all = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) (i == j ? all : off) += a[i * n + j] * a[i * n + j];
    if (off <= 1e-24 * all) break;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j) {
        const double x = a[i * n + j];
        if (x == 0) continue;
        const double theta = (a[j * n + j] - a[i * n + i]) / (2 * x);
        const double t = (theta < 0 ? -1 : 1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        const auto turn = [&](double& u, double& v) {
          const double before = u;
          u = c * u - s * v, v = s * before + c * v;
        };
        for (std::size_t k = 0; k < n; ++k) turn(a[k * n + i], a[k * n + j]);
        for (std::size_t k = 0; k < n; ++k) turn(a[i * n + k], a[j * n + k]);
        for (std::size_t k = 0; k < n; ++k) turn(q[k * n + i], q[k * n + j]);
      }
  }
  h.fill(0);
  for (std::size_t e = 0; e < n; ++e)
    if (const double value = a[e * n + e]; value > 0)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) h[i * n + j] += value * q[i * n + e] * q[j * n + e];
}

/// m times the unit matrix, and small matrices added to it.
class Hessian {
 public:
  void clear(double m) { m_ = m, joined_.clear(), dense_.clear(); }
  void add(const Joined& part) { joined_.push_back(part); }
  void add(Dense part) {
    make_semidefinite(part.h);
    dense_.push_back(part);
  }

  Positions times(const Positions& p) const {
    Positions out(p.size());
    for (std::size_t v = 0; v < p.size(); ++v) out[v] = p[v] * m_;
    for (const Joined& part : joined_) {
      Vec3 s{};
      for (std::size_t i = 0; i < 4; ++i) s = s + p[part.vertices[i]] * part.weights[i];
      s = part.m * s;
      for (std::size_t i = 0; i < 4; ++i) out[part.vertices[i]] = out[part.vertices[i]] + s * part.weights[i];
    }
    for (const Dense& part : dense_)
      for (std::size_t j = 0; j < 12; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < 12; ++k) sum += part.h[12 * j + k] * coordinate(p, part.vertices, k);
        coordinate(out, part.vertices, j) += sum;
      }
    return out;
  }

  /// Solves H p = right by conjugate gradients for all vertices but the driven ones, whose p is given and stays.
  void solve(const Positions& right, const std::vector<bool>& driven, Positions& p) const {
    const std::size_t n = p.size();
    const Positions scale = diagonal(n);
    Positions r = times(p), z(n);
    const auto precondition = [&] {
      double sum = 0;
      for (std::size_t v = 0; v < n; ++v) {
        z[v] = {r[v].x / scale[v].x, r[v].y / scale[v].y, r[v].z / scale[v].z};
        sum += dot(z[v], r[v]);
      }
      return sum;
    };
    for (std::size_t v = 0; v < n; ++v) r[v] = driven[v] ? Vec3{} : right[v] - r[v];
    double now = precondition();
    const double first = now;
    Positions d = z;
    for (int i = 0; i < 400 && now > 1e-8 * first; ++i) {
      const Positions hd = times(d);
      double curvature = 0;
      for (std::size_t v = 0; v < n; ++v) curvature += dot(d[v], hd[v]);
      const double step = now / curvature;
      for (std::size_t v = 0; v < n; ++v) {
        if (driven[v]) continue;
        p[v] = p[v] + d[v] * step;
        r[v] = r[v] - hd[v] * step;
      }
      const double last = std::exchange(now, precondition());
      for (std::size_t v = 0; v < n; ++v) d[v] = z[v] + d[v] * (now / last);
    }
  }

 private:
  Positions diagonal(std::size_t n) const {
    Positions scale(n, Vec3{m_, m_, m_});
    for (const Joined& part : joined_)
      for (std::size_t k = 0; k < 12; ++k)
        coordinate(scale, part.vertices, k) +=
            part.weights[k / 3] * part.weights[k / 3] * part.m[k % 3][static_cast<int>(k % 3)];
    for (const Dense& part : dense_)
      for (std::size_t k = 0; k < 12; ++k) coordinate(scale, part.vertices, k) += part.h[13 * k];
    return scale;
  }

  double m_ = 0;
  std::vector<Joined> joined_;
  std::vector<Dense> dense_;
};

}  // namespace cloth
