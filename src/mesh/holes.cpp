// SPDX-License-Identifier: MIT
#include <graze/mesh/holes.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include <graze/core/error.hpp>

#include "core/fp_guard.hpp"
#include "mesh/corner_tree.hpp"
#include "mesh/hole_bridges.hpp"
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

bool is_visible(const Loop& loop, std::size_t i, const Point2& h, std::uint64_t& tests) {
  ++tests;
  for (std::size_t k = 0; k < loop.size(); ++k)
    if (is_obstructed_by(h, loop.points[i], loop.points[k], loop.points[loop.after(k)])) return false;
  return true;
}

/// Can a bridge to h, which is corner k of the hole, be built from corner i?
bool is_bridge(const Loop& loop, std::size_t i, const Loop& hole, std::size_t k, std::uint64_t& tests) {
  const Point2& h = hole.points[k];
  const bool shared = loop.points[i] == h;
  return leaves_inwards(loop, i, shared ? hole.next(k) : h) && (shared || is_visible(loop, i, h, tests));
}

/// Two edges with ends on both sides of a line along x that do not cross each other, each upward: does the first meet
/// the line before the second? The lower end of one of them is beside the other one.
bool meets_line_before(const std::array<Point2, 2>& first, const std::array<Point2, 2>& second) {
  const bool beside_first = second[0].y >= first[0].y;
  const std::array<Point2, 2>&line = beside_first ? first : second, &other = beside_first ? second : first;
  int side = orient(line[0], line[1], other[0]);  // 1: left, at a smaller x
  if (side == 0) side = orient(line[0], line[1], other[1]);
  return beside_first ? side < 0 : side > 0;
}

/// The first edge (its first corner) that a ray from h along x meets, where the ray is above h by less than any
/// coordinate: so it meets no corner. size() if none.
std::size_t first_edge_met(const Loop& loop, const Point2& h) {
  std::size_t first = loop.size();
  std::array<Point2, 2> met{};
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Point2 &p = loop.points[i], &q = loop.points[loop.after(i)];
    if ((p.y > h.y) == (q.y > h.y) || (is_before(p, h) && is_before(q, h))) continue;
    const std::array<Point2, 2> edge = p.y > h.y ? std::array{q, p} : std::array{p, q};
    if (orient(edge[0], edge[1], h) <= 0) continue;  // h is right of it, or on it
    if (first < loop.size() && !meets_line_before(edge, met)) continue;
    first = i;
    met = edge;
  }
  return first;
}

/// Of the corners between h, the edge that a ray along x first meets, and the later end of that edge, the one with the
/// least angle to the ray sees h: nothing is between the ray and it (Eberly, "Triangulation by Ear Clipping", 2002). Of
/// several on one line the nearest does. It may be several corners at one point. size() if there is none.
std::size_t corner_beside_ray(const Loop& loop, const Point2& h) {
  const std::size_t edge = first_edge_met(loop, h);
  if (edge == loop.size()) return edge;
  const Point2 &p = loop.points[edge], &q = loop.points[loop.after(edge)];
  std::size_t best = is_before(p, q) ? loop.after(edge) : edge;
  const Point2 end = loop.points[best];
  const bool above = end.y > h.y;
  const int inner = orient(p, q, h);
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Point2& x = loop.points[i];
    if ((x.y > h.y) != above || !is_before(h, x) || orient(p, q, x) == -inner) continue;
    const int beyond = orient(h, loop.points[best], x) * (above ? 1 : -1);  // 1: farther from the ray
    if (beyond > 0 || (beyond == 0 && !is_before(x, loop.points[best]))) continue;
    best = i;
  }
  return best;
}

/// A corner of the loop from which a bridge to corner k of the hole can be built; size() if none.
///
/// k is the hole's last corner in the order of x and y, and holes are joined in descending order of it. All other
/// corners of this hole and of those that follow come before it. So a segment to a later corner of the loop can only be
/// obstructed by the loop itself, and one that is not obstructed exists (`corner_beside_ray`).
///
/// Tried in this order: corners at the same point, the nearest corner, the one beside the ray, each in a time that
/// grows with the loop; and all others, near ones first, for loops that touch themselves such that none of these is a
/// bridge.
std::size_t bridge_from(const Loop& loop, const Loop& hole, std::size_t k, std::uint64_t& tests) {
  const Point2& h = hole.points[k];
  const auto distance = [&](std::size_t i) { return length({loop.points[i].x - h.x, loop.points[i].y - h.y, 0}); };
  std::pair<double, std::size_t> nearest{std::numeric_limits<double>::infinity(), loop.size()};
  for (std::size_t i = 0; i < loop.size(); ++i) {
    if (is_before(loop.points[i], h)) continue;
    if (loop.points[i] == h && is_bridge(loop, i, hole, k, tests)) return i;
    nearest = std::min(nearest, {distance(i), i});
  }
  if (nearest.second < loop.size() && is_bridge(loop, nearest.second, hole, k, tests)) return nearest.second;
  if (const std::size_t beside = corner_beside_ray(loop, h); beside < loop.size()) {
    for (std::size_t i = 0; i < loop.size(); ++i)
      if (loop.points[i] == loop.points[beside] && leaves_inwards(loop, i, h)) {
        if (is_visible(loop, i, h, tests)) return i;
        break;  // nor are the others at this point
      }
  }
  std::vector<std::pair<double, std::size_t>> candidates;
  for (std::size_t i = 0; i < loop.size(); ++i)
    if (!is_before(loop.points[i], h)) candidates.emplace_back(distance(i), i);
  std::sort(candidates.begin(), candidates.end());
  for (const auto& [far, i] : candidates)
    if (is_bridge(loop, i, hole, k, tests)) return i;
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

std::vector<std::uint32_t> join_holes(std::span<const Vec3> positions, std::span<const std::uint32_t> outline,
                                      std::span<const std::vector<std::uint32_t>> holes, std::uint64_t& tests) {
  check_loop(positions, outline, "outline", ErrorDetail::none);
  for (std::size_t i = 0; i < holes.size(); ++i) check_loop(positions, holes[i], "hole", i);
  const int axis = axes_by_size(newell_normal({positions, outline}).normal)[0];
  const auto loop_of = [&](std::span<const std::uint32_t> corners) {
    Loop loop{{corners.begin(), corners.end()}, {}};
    for (const std::uint32_t v : corners) loop.points.push_back(project(positions[v], axis));
    return loop;
  };
  Loop joined = loop_of(outline);
  const bool turned = joined.sign() < 0;
  if (turned) joined.reverse();
  std::vector<Loop> inner;
  for (const std::vector<std::uint32_t>& hole : holes) {
    inner.push_back(loop_of(hole));
    if (inner.back().sign() > 0) inner.back().reverse();
  }
  std::vector<std::size_t> order(holes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    return is_before(inner[j].points[inner[j].extreme()], inner[i].points[inner[i].extreme()]);
  });
  for (const std::size_t i : order) {
    const std::size_t k = inner[i].extreme(), from = bridge_from(joined, inner[i], k, tests);
    if (from == joined.size())
      fail_hole(ErrorCode::bad_polygon,
                "is not inside the outline, or touches or crosses it or another hole; correct its corners", "hole", i);
    insert(joined, from, inner[i], k);
  }
  if (OutlineCrossing()(joined.points))
    fail_hole(ErrorCode::bad_polygon, "crosses itself or a hole, or two holes cross; correct the corners", "outline",
              ErrorDetail::none);
  if (turned) joined.reverse();
  return joined.corners;
}

}  // namespace mesh

std::vector<std::uint32_t> join_holes(std::span<const Vec3> positions, std::span<const std::uint32_t> outline,
                                      std::span<const std::vector<std::uint32_t>> holes) {
  const core::FpGuard fp;
  std::uint64_t tests = 0;
  return mesh::join_holes(positions, outline, holes, tests);
}

}  // namespace graze
