// SPDX-License-Identifier: MIT
// All feature pairs of two meshes whose vertices move in any way, sampled: which pairs pass through each other for
// certain, and how near each pair comes at the samples.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <set>
#include <vector>

#include <graze/ask/elementary.hpp>
#include <graze/mesh/mesh.hpp>

#include "oracle/motion_gap.hpp"
#include "oracle/motion_numbers.hpp"

namespace graze::oracle {

/// The vertices of one body at a time.
using PlacedAt = std::function<std::vector<Vec3>(double)>;

struct SampledPair {
  bool a_first;  ///< the vertex, or the first edge, is A's
  ElementaryKind kind;
  std::array<std::uint32_t, 4> vertices;  ///< each in its own mesh
  double passed_by = 2;                ///< if below 2: it passed through between two samples, the second at this time
  double least = 1e300, least_at = 0;  ///< the smallest distance at a sample
};

/// Of triangles, and loose ones.
inline std::set<std::array<std::uint32_t, 2>> edges_of(const Mesh& m) {
  std::set<std::array<std::uint32_t, 2>> edges;
  for (const graze::Triangle& t : m.triangles())
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t v = t[k], w = t[(k + 1) % 3];
      edges.insert({std::min(v, w), std::max(v, w)});
    }
  for (const auto& [v, w] : m.edges()) edges.insert({std::min(v, w), std::max(v, w)});
  return edges;
}

namespace pairs_detail {

inline double volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return dot(cross(b - a, c - a), d - a);
}
/// Is the vertex well inside the face as seen along its normal?
inline bool well_inside(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 n = cross(b - a, c - a);
  const double all = dot(n, n);
  return dot(cross(b - a, p - a), n) > 0.02 * all && dot(cross(c - b, p - b), n) > 0.02 * all &&
         dot(cross(a - c, p - c), n) > 0.02 * all;
}
/// Do the lines of two edges cross, seen along their common normal, well inside both?
inline bool well_crossed(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = b - a, v = d - c, w = c - a, n = cross(u, v);
  const double all = dot(n, n);
  const double s = dot(cross(w, v), n) / all, t = dot(cross(w, u), n) / all;
  return all > 1e-6 * dot(u, u) * dot(v, v) && s > 0.02 && s < 0.98 && t > 0.02 && t < 0.98;
}

}  // namespace pairs_detail

inline std::array<Vec3, 4> points_of(const SampledPair& p, const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  const std::size_t split = p.kind == ElementaryKind::edge_edge ? 2 : 1;
  std::array<Vec3, 4> x;
  for (std::size_t j = 0; j < 4; ++j) x[j] = ((j < split) == p.a_first ? a : b)[p.vertices[j]];
  return x;
}
inline double distance_of(ElementaryKind kind, const std::array<Vec3, 4>& x) {
  const RealPoint apart = kind == ElementaryKind::vertex_face
                              ? point_triangle(real(x[0]), {real(x[1]), real(x[2]), real(x[3])})
                              : segment_segment({real(x[0]), real(x[1])}, {real(x[2]), real(x[3])});
  return static_cast<double>(length(apart));
}

inline std::vector<SampledPair> sample_pairs(const Mesh& a, const PlacedAt& a_at, const Mesh& b, const PlacedAt& b_at,
                                             int samples) {
  using namespace pairs_detail;
  std::vector<SampledPair> pairs;
  const auto edges_a = edges_of(a), edges_b = edges_of(b);
  for (std::uint32_t v = 0; v < a.vertex_count(); ++v)
    for (const graze::Triangle& f : b.triangles())
      pairs.push_back({true, ElementaryKind::vertex_face, {v, f[0], f[1], f[2]}});
  for (std::uint32_t v = 0; v < b.vertex_count(); ++v)
    for (const graze::Triangle& f : a.triangles())
      pairs.push_back({false, ElementaryKind::vertex_face, {v, f[0], f[1], f[2]}});
  for (const auto& e : edges_a)
    for (const auto& f : edges_b) pairs.push_back({true, ElementaryKind::edge_edge, {e[0], e[1], f[0], f[1]}});
  std::vector<double> before(pairs.size());
  std::vector<char> inside(pairs.size());
  for (int i = 0; i <= samples; ++i) {
    const double t = static_cast<double>(i) / samples;
    const std::vector<Vec3> pa = a_at(t), pb = b_at(t);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      SampledPair& p = pairs[k];
      const std::array<Vec3, 4> x = points_of(p, pa, pb);
      const bool face = p.kind == ElementaryKind::vertex_face;
      const double side = face ? volume(x[1], x[2], x[3], x[0]) : volume(x[0], x[1], x[2], x[3]);
      const bool in = face ? well_inside(x[0], x[1], x[2], x[3]) : well_crossed(x[0], x[1], x[2], x[3]);
      if (i > 0 && in && inside[k] && side * before[k] < 0 && p.passed_by == 2) p.passed_by = t;
      before[k] = side;
      inside[k] = in;
      const double d = distance_of(p.kind, x);
      if (d < p.least) {
        p.least = d;
        p.least_at = t;
      }
    }
  }
  return pairs;
}

}  // namespace graze::oracle
