// SPDX-License-Identifier: MIT
#include "engine/deform/walk/parting_direction.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "math/expansion.hpp"
#include "math/vectors.hpp"

namespace graze::engine::deform {

namespace {

using Height = math::Expansion<12>;

bool in_range(const Vec3& v) {
  return math::in_expansion_range(v.x) && math::in_expansion_range(v.y) && math::in_expansion_range(v.z);
}

/// n . (x - y), exactly.
Height height(const Vec3& n, const Vec3& x, const Vec3& y) {
  return math::difference(x.x, y.x) * n.x + math::difference(x.y, y.y) * n.y + math::difference(x.z, y.z) * n.z;
}

double about(const Height& h) {
  double sum = 0;
  for (int i = 0; i < h.n; ++i) sum += h.v[i];
  return sum;
}

/// Points move linearly, so each height is linear in time. If it is zero at the start and positive at the end, it is
/// positive from the start on; if it is positive at the start, at least until half of the time at which its line falls
/// to zero (that time is computed with an error far below the half).
std::optional<double> beyond_until(const ElementaryQuery& q, const Vec3& n) {
  const std::size_t first = q.kind == ElementaryKind::vertex_face ? 1 : 2;
  double until = 1;
  for (std::size_t i = 0; i < first; ++i)
    for (std::size_t j = first; j < 4; ++j) {
      const Height at_start = height(n, q.start[i], q.start[j]), at_end = height(n, q.end[i], q.end[j]);
      if (at_start.sign() < 0 || (at_start.sign() == 0 && at_end.sign() <= 0)) return std::nullopt;
      if (at_end.sign() > 0) continue;
      const double from = about(at_start);
      until = std::min(until, 0.5 * from / (from - about(at_end)));
    }
  if (!(until >= 0x1p-40)) return std::nullopt;
  return until;
}

/// Directions along which features that share a point can part: those in which their points move relative to each
/// other, those of the edges, and those across an edge within a plane of the features. Where points touch exactly, on
/// numbers with few digits, these products are exact, too.
std::vector<Vec3> directions(const ElementaryQuery& q) {
  const bool face = q.kind == ElementaryKind::vertex_face;
  const auto& x = q.start;
  std::vector<Vec3> edges, normals, out;
  if (face)
    edges = {x[2] - x[1], x[3] - x[2], x[1] - x[3]};
  else
    edges = {x[1] - x[0], x[3] - x[2]};
  normals.push_back(cross(edges[0], edges[1]));
  if (!face) {
    normals.push_back(cross(edges[0], x[2] - x[0]));
    normals.push_back(cross(edges[0], x[3] - x[0]));
  }
  const std::size_t first = face ? 1 : 2;
  for (std::size_t i = 0; i < first; ++i)
    for (std::size_t j = first; j < 4; ++j) {
      const Vec3 way = (q.end[i] - q.end[j]) - (x[i] - x[j]);
      out.push_back(way);
      for (const Vec3& e : edges) normals.push_back(cross(e, way));
    }
  for (const Vec3& e : edges) {
    out.push_back(e);
    for (const Vec3& m : normals) out.push_back(cross(m, e));
  }
  out.insert(out.end(), normals.begin(), normals.end());
  return out;
}

}  // namespace

std::optional<double> parts_along_a_direction(const ElementaryQuery& q) {
  for (const auto* points : {&q.start, &q.end})
    if (!std::all_of(points->begin(), points->end(), in_range)) return std::nullopt;
  std::optional<double> best;
  for (const Vec3& n : directions(q)) {
    if (n == Vec3{} || !in_range(n)) continue;
    for (const Vec3& side : {n, n * -1.0}) {
      const std::optional<double> until = beyond_until(q, side);
      if (until && (!best || *until > *best)) best = until;
      if (best == 1.0) return best;
    }
  }
  return best;
}

}  // namespace graze::engine::deform
