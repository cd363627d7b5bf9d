// SPDX-License-Identifier: MIT
// The bodies around a point, nearest first.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "broad/point_distance.hpp"
#include "broad/tree.hpp"
#include "math/vectors.hpp"

namespace graze::broad {

namespace {

constexpr double farthest = std::numeric_limits<double>::max();

/// A radius within which a few bodies are expected; it affects only the cost. Of n bodies, some are looked at. If the
/// nearest of s of them is at a distance d, about n / s of all are within d, and about one within d (s / n)^(1/3).
/// Boxes that hold the point say nothing: one of them may be the floor.
double first_radius(const Bodies& bodies, const Vec3& point, std::uint64_t& compared) {
  const std::uint32_t step = std::max(1u, bodies.limit() / 64);
  double nearest = farthest, least_size = farthest;
  for (std::uint32_t id = 0; id < bodies.limit(); id += step) {
    if (!bodies.contains(id)) continue;
    ++compared;
    const Box3& box = bodies.box(id);
    double size = 0;
    for (int k = 0; k < 3; ++k) size = std::max(size, 0.5 * box.hi[k] - 0.5 * box.lo[k]);
    least_size = std::min(least_size, size);
    if (const double d = distance_below(box, point); d > 0) nearest = std::min(nearest, d);
  }
  const double radius = nearest < farthest ? nearest / std::cbrt(static_cast<double>(step)) : 0;
  return std::max(radius, least_size) > 0 ? std::max(radius, 0.5 * least_size) : farthest;
}

/// The cube with this half side, rounded outward and finite: what does not overlap it is farther away than the radius.
/// With the largest radius, all of space: a body may be farther from the point than any number says.
Box3 cube(const Vec3& point, double radius) {
  if (radius == farthest) return {{-farthest, -farthest, -farthest}, {farthest, farthest, farthest}};
  Box3 box;
  for (int k = 0; k < 3; ++k) {
    box.lo[k] = std::max(std::nextafter(point[k] - radius, -math::infinity), -farthest);
    box.hi[k] = std::min(std::nextafter(point[k] + radius, math::infinity), farthest);
  }
  return box;
}

}  // namespace

/// In rounds: each finds the bodies within a larger radius, and reports those that no round before has found within its
/// own. A body that a round did not find is farther away than its radius, whatever its box says (`BroadPhase::tilt`).
std::uint64_t Method::around_point(const Bodies& bodies, const Vec3& point, const VisitBody& visit) const {
  std::uint64_t compared = 0;
  std::size_t reported = 0;
  double before = 0, radius = first_radius(bodies, point, compared);
  std::vector<std::uint32_t> near, known;
  std::vector<AtDistance> found;
  for (int round = 0; reported < bodies.size(); ++round) {
    if (round == 40) radius = farthest;
    near.clear();
    found.clear();
    overlapping(bodies, cube(point, radius), near);
    compared += near.size();
    for (const std::uint32_t id : near) {
      const double bound = distance_below(bodies.box(id), point);
      if (bound > radius || std::binary_search(known.begin(), known.end(), id)) continue;
      found.push_back({std::max(bound, before), id});
    }
    std::sort(found.begin(), found.end(), [](const AtDistance& x, const AtDistance& y) { return y < x; });
    for (const AtDistance& x : found)
      if (!visit(x.id, x.bound)) return compared;
    reported += found.size();
    for (const AtDistance& x : found) known.push_back(x.id);
    std::sort(known.begin(), known.end());
    before = radius;
    // At twice the radius there are about eight times as many.
    radius = std::min(2 * radius, farthest);
  }
  return compared;
}

/// Best first: a node waits with the distance of its box, which holds the boxes of all bodies below it, and a body with
/// that of its own.
std::uint64_t Tree::around_point(const Bodies& bodies, const Vec3& point, const VisitBody& visit) const {
  if (root_ == none) return 0;
  std::uint64_t compared = 0;
  std::vector<AtDistance> heap;
  const auto push = [&](std::uint32_t at) {
    const Node& node = nodes_[at];
    ++compared;
    if (node.leaf())
      heap.push_back({distance_below(bodies.box(node.child[0]), point), node.child[0], true});
    else
      heap.push_back({distance_below(node.box, point), at, false});
    std::push_heap(heap.begin(), heap.end());
  };
  push(root_);
  double before = 0;
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end());
    const AtDistance next = heap.back();
    heap.pop_back();
    // Rounded bounds of a box inside another may be the smaller ones by a rounding error.
    before = std::max(before, next.bound);
    if (!next.is_body)
      for (const std::uint32_t child : nodes_[next.id].child) push(child);
    else if (!visit(next.id, before))
      break;
  }
  return compared;
}

}  // namespace graze::broad
