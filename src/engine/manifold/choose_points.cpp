// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>

#include "engine/manifold/clip.hpp"
#include "engine/manifold/patch.hpp"

namespace graze::engine::manifold {

namespace {

bool comes_before(const PatchPoint& x, const PatchPoint& y) {
  return std::tie(x.feature_a, x.feature_b) < std::tie(y.feature_a, y.feature_b);
}

/// The point with the greatest score, the first of those within `slack` of it; none if no score exceeds `slack`.
template <class Score>
std::optional<std::size_t> best_by(const std::vector<PatchPoint>& points, double slack, Score&& score) {
  double best = slack;
  for (const PatchPoint& p : points) best = std::max(best, score(p));
  if (!(best > slack)) return std::nullopt;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (score(points[i]) >= best - slack) return i;
  return std::nullopt;
}

double area(const Vec3& a, const Vec3& b, const Vec3& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Moves the corners of the points' convex hull, as seen along the normal, to the front; keeps the order otherwise.
/// Points within `slack` of a line between two others are none.
void corners_first(std::vector<PatchPoint>& points, const Frame& frame, double slack) {
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<Vec3> at;
  for (const PatchPoint& p : points) at.push_back(frame.from(p.a));
  std::sort(order.begin(), order.end(),
            [&](std::size_t i, std::size_t j) { return std::tie(at[i].x, at[i].y) < std::tie(at[j].x, at[j].y); });
  std::vector<bool> is_corner(points.size(), false);
  for (const bool back : {false, true}) {
    std::vector<std::size_t> chain;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const std::size_t i = order[back ? order.size() - 1 - k : k];
      while (chain.size() > 1) {
        const Vec3 &p = at[chain[chain.size() - 2]], &q = at[chain.back()];
        if (area(p, q, at[i]) > slack * length({at[i].x - p.x, at[i].y - p.y, 0})) break;
        chain.pop_back();
      }
      chain.push_back(i);
    }
    for (const std::size_t i : chain) is_corner[i] = true;
  }
  std::vector<PatchPoint> sorted;
  for (const bool corner : {true, false})
    for (std::size_t i = 0; i < points.size(); ++i)
      if (is_corner[i] == corner) sorted.push_back(points[i]);
  points = std::move(sorted);
}

}  // namespace

void choose_points(Patch& patch) {
  std::vector<PatchPoint>& points = patch.points;
  std::sort(points.begin(), points.end(), comes_before);
  if (points.size() <= 4) return;
  const Frame frame(patch.normal);
  const auto at = [&](const PatchPoint& p) { return frame.from(p.a); };
  Box3 box;
  double deepest = -math::infinity;
  for (const PatchPoint& p : points) {
    box.add(at(p));
    deepest = std::max(deepest, p.depth);
  }
  const double size = math::largest(box.hi - box.lo), slack = 1e-6 * size;
  std::vector<PatchPoint> chosen;
  const auto take = [&](std::optional<std::size_t> i) {
    if (i) chosen.push_back(points[*i]);
    return i.has_value();
  };
  // A point in the middle is of little use to a solver, unless it is deeper than all corners.
  corners_first(points, frame, slack);
  for (std::size_t i = 0; chosen.empty(); ++i)
    if (points[i].depth >= deepest - slack) chosen.push_back(points[i]);
  const Vec3 first = at(chosen[0]);
  const auto far_from_first = [&](const PatchPoint& p) { return length({at(p).x - first.x, at(p).y - first.y, 0}); };
  if (take(best_by(points, slack, far_from_first))) {
    const Vec3 second = at(chosen[1]);
    const auto spans = [&](const PatchPoint& p) { return std::fabs(area(first, second, at(p))); };
    if (take(best_by(points, slack * size, spans))) {
      // The fourth adds most to the triangle: it is outside one of its edges.
      Vec3 third = at(chosen[2]), corner = second;
      if (area(first, corner, third) < 0) std::swap(corner, third);
      const auto adds = [&](const PatchPoint& p) {
        const Vec3 x = at(p);
        return std::max({-area(first, corner, x), -area(corner, third, x), -area(third, first, x)});
      };
      take(best_by(points, slack * size, adds));
    }
  }
  std::sort(chosen.begin(), chosen.end(), comes_before);
  points = std::move(chosen);
}

}  // namespace graze::engine::manifold
