// SPDX-License-Identifier: MIT
#include <graze/mesh/holes.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include <graze/core/error.hpp>

#include "core/fp_guard.hpp"
#include "mesh/corner_tree.hpp"
#include "mesh/plane_geometry.hpp"

namespace graze {
namespace mesh {
namespace {

[[noreturn]] void fail_hole(ErrorCode code, const std::string& message, const char* element, std::uint64_t id) {
  throw Error({.code = code, .message = message, .element = element, .id = id, .file = {}});
}

bool is_before(const Point2& p, const Point2& q) { return p.x < q.x || (p.x == q.x && p.y < q.y); }

/// A closed list of corners in the plane.
struct Loop {
  std::vector<std::uint32_t> corners;
  std::vector<Point2> points;

  std::size_t size() const { return corners.size(); }
  std::size_t after(std::size_t i) const { return i + 1 < size() ? i + 1 : 0; }
  /// The nearest point that differs from point i, in steps of 1 or size() - 1 (backward).
  const Point2& distinct(std::size_t i, std::size_t step) const {
    for (std::size_t k = (i + step) % size(); k != i; k = (k + step) % size())
      if (points[k] != points[i]) return points[k];
    return points[i];
  }
  const Point2& previous(std::size_t i) const { return distinct(i, size() - 1); }
  const Point2& next(std::size_t i) const { return distinct(i, 1); }
  /// The last corner in the order of x, then y.
  std::size_t extreme() const {
    return static_cast<std::size_t>(std::max_element(points.begin(), points.end(), is_before) - points.begin());
  }
  /// 1: counter-clockwise. Both edges at an extreme corner are on one side of it, so that the loop turns there as it
  /// does as a whole.
  int sign() const {
    const std::size_t i = extreme();
    return orient(previous(i), points[i], next(i)) < 0 ? -1 : 1;
  }
  void reverse() {
    std::reverse(corners.begin(), corners.end());
    std::reverse(points.begin(), points.end());
  }
};

/// Is a point that leaves corner i of a counter-clockwise loop towards `target` inside the loop at first?
bool leaves_inwards(const Loop& loop, std::size_t i, const Point2& target) {
  const Point2 &before = loop.previous(i), &at = loop.points[i], &after = loop.next(i);
  const int turn = orient(before, at, after);
  const int from_before = orient(before, at, target), from_after = orient(at, after, target);
  if (turn > 0) return from_before > 0 && from_after > 0;
  if (turn < 0) return from_before > 0 || from_after > 0;
  return from_before > 0;
}

/// Of points on one line: does the segment pq meet the segment ab?
bool overlap_on_line(const Point2& a, const Point2& b, const Point2& p, const Point2& q) {
  const auto [lo, hi] = std::minmax(a, b, is_before);
  const auto [first, last] = std::minmax(p, q, is_before);
  return !is_before(hi, first) && !is_before(last, lo);
}

/// Does the segment from h to a corner at o meet the edge pq anywhere but at o?
bool is_obstructed_by(const Point2& h, const Point2& o, const Point2& p, const Point2& q) {
  const int side_p = orient(h, o, p), side_q = orient(h, o, q);
  if (p == o || q == o) {  // they share o, and more only if the edge leaves o towards h
    const Point2& other = p == o ? q : p;
    if (other == o || (p == o ? side_q : side_p) != 0) return false;
    return is_before(other, o) == is_before(h, o);
  }
  if (side_p * side_q > 0) return false;
  if (side_p == 0 && side_q == 0) return overlap_on_line(h, o, p, q);
  return orient(p, q, h) * orient(p, q, o) <= 0;
}

bool is_visible(const Loop& loop, std::size_t i, const Point2& h) {
  for (std::size_t k = 0; k < loop.size(); ++k)
    if (is_obstructed_by(h, loop.points[i], loop.points[k], loop.points[loop.after(k)])) return false;
  return true;
}

/// A corner of the loop from which a bridge to corner k of the hole can be built, near ones first; size() if none.
///
/// k is the hole's last corner in the order of x and y, and holes are joined in descending order of it. All other
/// corners of this hole and of those that follow come before it. So a segment to a later corner of the loop can only be
/// obstructed by the loop itself, and one that is not obstructed exists: of the corners in the triangle between k, the
/// edge that a ray along x first meets, and the later end of that edge, one sees k (Eberly, "Triangulation by Ear
/// Clipping", 2002).
std::size_t bridge_from(const Loop& loop, const Loop& hole, std::size_t k) {
  const Point2& h = hole.points[k];
  std::vector<std::pair<double, std::size_t>> candidates;
  for (std::size_t i = 0; i < loop.size(); ++i)
    if (!is_before(loop.points[i], h))
      candidates.emplace_back(std::hypot(loop.points[i].x - h.x, loop.points[i].y - h.y), i);
  std::sort(candidates.begin(), candidates.end());
  for (const auto& [distance, i] : candidates) {
    const bool shared = loop.points[i] == h;
    if (leaves_inwards(loop, i, shared ? hole.next(k) : h) && (shared || is_visible(loop, i, h))) return i;
  }
  return loop.size();
}

/// Inserts the hole, from its corner k around, after corner i of the loop.
void insert(Loop& loop, std::size_t i, const Loop& hole, std::size_t k) {
  Loop part;
  const auto add = [&part](const Loop& from, std::size_t at) {
    part.corners.push_back(from.corners[at]);
    part.points.push_back(from.points[at]);
  };
  const bool same_vertex = loop.corners[i] == hole.corners[k];
  for (std::size_t step = same_vertex ? 1 : 0; step <= hole.size(); ++step) add(hole, (k + step) % hole.size());
  if (!same_vertex) add(loop, i);
  const auto at = static_cast<std::ptrdiff_t>(i + 1);
  loop.corners.insert(loop.corners.begin() + at, part.corners.begin(), part.corners.end());
  loop.points.insert(loop.points.begin() + at, part.points.begin(), part.points.end());
}

void check_loop(std::span<const Vec3> positions, std::span<const std::uint32_t> corners, const char* element,
                std::uint64_t id) {
  if (corners.size() < 3)
    fail_hole(ErrorCode::bad_polygon, "fewer than three corners; remove it or complete it", element, id);
  for (const std::uint32_t v : corners) {
    if (v >= positions.size())
      fail_hole(ErrorCode::index_out_of_range,
                "names vertex " + std::to_string(v) + ", but there are " + std::to_string(positions.size()) +
                    " vertices, counted from 0; correct the index",
                element, id);
    if (!is_finite(positions[v]))
      fail_hole(ErrorCode::not_finite, "a coordinate is NaN or infinite; repair or remove the vertex", "vertex", v);
  }
}

}  // namespace
}  // namespace mesh

std::vector<std::uint32_t> join_holes(std::span<const Vec3> positions, std::span<const std::uint32_t> outline,
                                      std::span<const std::vector<std::uint32_t>> holes) {
  const core::FpGuard fp;
  mesh::check_loop(positions, outline, "outline", ErrorDetail::none);
  for (std::size_t i = 0; i < holes.size(); ++i) mesh::check_loop(positions, holes[i], "hole", i);
  const int axis = mesh::axes_by_size(mesh::newell_normal({positions, outline}).normal)[0];
  const auto loop_of = [&](std::span<const std::uint32_t> corners) {
    mesh::Loop loop{{corners.begin(), corners.end()}, {}};
    for (const std::uint32_t v : corners) loop.points.push_back(mesh::project(positions[v], axis));
    return loop;
  };
  mesh::Loop joined = loop_of(outline);
  const bool turned = joined.sign() < 0;
  if (turned) joined.reverse();
  std::vector<mesh::Loop> inner;
  for (const std::vector<std::uint32_t>& hole : holes) {
    inner.push_back(loop_of(hole));
    if (inner.back().sign() > 0) inner.back().reverse();
  }
  std::vector<std::size_t> order(holes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    return mesh::is_before(inner[j].points[inner[j].extreme()], inner[i].points[inner[i].extreme()]);
  });
  for (const std::size_t i : order) {
    const std::size_t k = inner[i].extreme(), from = mesh::bridge_from(joined, inner[i], k);
    if (from == joined.size())
      mesh::fail_hole(ErrorCode::bad_polygon,
                      "is not inside the outline, or touches or crosses it or another hole; correct its corners",
                      "hole", i);
    mesh::insert(joined, from, inner[i], k);
  }
  if (mesh::OutlineCrossing()(joined.points))
    mesh::fail_hole(ErrorCode::bad_polygon, "crosses itself or a hole, or two holes cross; correct the corners",
                    "outline", ErrorDetail::none);
  if (turned) joined.reverse();
  return joined.corners;
}

}  // namespace graze
