// SPDX-License-Identifier: MIT
#include "mesh/ear_clipping.hpp"

#include <algorithm>
#include <cmath>

namespace graze::mesh {
namespace {

LocalTriangle lowest_first(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  if (b < a && b < c) return {b, c, a};
  if (c < a && c < b) return {c, a, b};
  return {a, b, c};
}

bool all_collinear(std::span<const Point2> points) {
  std::size_t b = 1;
  while (b < points.size() && points[b] == points[0]) ++b;
  for (std::size_t c = b + 1; c < points.size(); ++c) {
    if (orient(points[0], points[b], points[c]) != 0) return false;
  }
  return true;
}

}  // namespace

bool EarClipper::clip(const CornerView& corners, std::vector<LocalTriangle>& out) {
  if (corners.size() == 4 && clip_quad(corners, out)) return true;
  const NewellNormal newell = newell_normal(corners);
  bool degenerate = true;
  for (int axis : axes_by_size(newell.normal)) {
    points_.clear();
    for (std::size_t i = 0; i < corners.size(); ++i) points_.push_back(project(corners[i], axis));
    if (all_collinear(points_)) continue;  // perpendicular to this projection plane: degenerates to a line
    degenerate = false;
    if (outline_crosses_itself_(points_)) continue;
    const int sign = outline_sign(newell, axis);
    if (clip_projected(axis, sign, corners, out)) return true;
    const bool trusted = std::fabs(newell.normal[axis]) > newell.noise[axis];
    if (!trusted && clip_projected(axis, -sign, corners, out)) return true;
  }
  return degenerate && clip_projected(0, 1, corners, out);
}

// Two triangles of the same sign are a valid split: the other two corners lie strictly on opposite sides of the
// diagonal.
bool EarClipper::clip_quad(const CornerView& corners, std::vector<LocalTriangle>& out) const {
  const Vec3 normal = newell_normal(corners).normal;
  const int axis = axes_by_size(normal)[0];
  Point2 p[4];
  for (std::size_t i = 0; i < 4; ++i) p[i] = project(corners[i], axis);
  const int sign = orient(p[0], p[1], p[2]);
  if (sign == 0 || orient(p[0], p[2], p[3]) != sign) return false;
  out.push_back({0, 1, 2});
  out.push_back({0, 2, 3});
  return true;
}

bool EarClipper::clip_projected(int axis, int sign, const CornerView& corners, std::vector<LocalTriangle>& out) {
  points_.clear();
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Point2 p = project(corners[i], axis);
    points_.push_back(sign < 0 ? Point2{p.y, p.x} : p);
  }
  tree_.build(points_);
  const std::size_t size_before = out.size();
  start();
  if (run(out)) return true;
  out.resize(size_before);
  return false;
}

/// The area's sign if it exceeds the rounding error, else the orientation at an extreme corner, which is convex.
int EarClipper::outline_sign(const NewellNormal& newell, int axis) const {
  const double area = newell.normal[axis];
  if (std::fabs(area) > newell.noise[axis]) return area > 0 ? 1 : -1;
  const auto less = [](const Point2& p, const Point2& q) { return p.x < q.x || (p.x == q.x && p.y < q.y); };
  const auto n = points_.size();
  const auto lowest =
      static_cast<std::size_t>(std::min_element(points_.begin(), points_.end(), less) - points_.begin());
  std::size_t before = lowest, after = lowest;
  while (points_[before] == points_[lowest]) before = (before + n - 1) % n;
  while (points_[after] == points_[lowest]) after = (after + 1) % n;
  return orient(points_[before], points_[lowest], points_[after]) < 0 ? -1 : 1;
}

void EarClipper::start() {
  left_ = static_cast<std::uint32_t>(points_.size());
  prev_.resize(left_);
  next_.resize(left_);
  turn_.assign(left_, 1);
  queued_.assign(left_, 0);
  deferred_.assign(left_, 0);
  for (auto& queue : queue_) queue.clear();
  for (std::uint32_t i = 0; i < left_; ++i) {
    prev_[i] = i == 0 ? left_ - 1 : i - 1;
    next_[i] = i + 1 == left_ ? 0 : i + 1;
  }
  for (std::uint32_t i = 0; i < left_; ++i) update_turn(i);
}

bool EarClipper::run(std::vector<LocalTriangle>& out) {
  std::uint32_t corner = 0;  // always a remaining corner
  std::uint32_t left_at_last_scan = left_ + 1;
  while (left_ > 3) {
    std::uint32_t candidate = 0;
    Mode mode = empty_ear;
    if (!next_candidate(candidate, mode)) {
      if (left_ == left_at_last_scan) return false;  // a full round found nothing
      left_at_last_scan = left_;
      enqueue_all();
      continue;
    }
    if (!may_clip(candidate, mode)) continue;
    out.push_back(lowest_first(prev_[candidate], candidate, next_[candidate]));
    corner = next_[candidate];
    remove(candidate);
  }
  if (turn_[corner] < 0) return false;
  out.push_back(lowest_first(prev_[corner], corner, next_[corner]));
  return true;
}

void EarClipper::enqueue(std::uint32_t corner) {
  for (int m = 0; m < mode_count; ++m) {
    if ((queued_[corner] >> m & 1) == 0) queue_[static_cast<std::size_t>(m)].push_back(corner);
  }
  queued_[corner] = (1U << mode_count) - 1;
}

void EarClipper::enqueue_all() {
  // Starting at corner 1 makes the first triangle of a convex polygon (0, 1, 2).
  const auto n = static_cast<std::uint32_t>(points_.size());
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t corner = i + 1 < n ? i + 1 : 0;
    if (next_[corner] != corner) enqueue(corner);
  }
}

bool EarClipper::next_candidate(std::uint32_t& corner, Mode& mode) {
  for (std::size_t m = 0; m < mode_count; ++m) {
    while (!queue_[m].empty()) {
      corner = queue_[m].front();
      queue_[m].pop_front();
      const bool removed = next_[corner] == corner;
      if (!removed && m == empty_ear && deferred_[corner]) {
        deferred_[corner] = 0;
        queue_[m].push_back(corner);
        continue;
      }
      queued_[corner] = static_cast<std::uint8_t>(queued_[corner] & ~(1U << m));
      if (removed) continue;
      mode = static_cast<Mode>(m);
      return true;
    }
  }
  return false;
}

bool EarClipper::may_clip(std::uint32_t corner, Mode mode) const {
  switch (mode) {
    case spike: return turn_[corner] == 0 && is_spike(corner);
    case empty_ear: return turn_[corner] > 0 && !is_blocked(corner, false);
    case touching_ear: return turn_[corner] > 0 && !is_blocked(corner, true);
    case flat_corner: return turn_[corner] == 0;
    case mode_count: break;
  }
  return false;
}

// The three corners are collinear, so comparing one coordinate in which they differ is exact.
bool EarClipper::is_spike(std::uint32_t corner) const {
  const Point2 &a = points_[prev_[corner]], &b = points_[corner], &c = points_[next_[corner]];
  if (a == b || b == c) return true;
  return a.x != b.x ? (a.x < b.x) == (c.x < b.x) : (a.y < b.y) == (c.y < b.y);
}

bool EarClipper::is_blocked(std::uint32_t b, bool touching_allowed) const {
  const std::uint32_t a = prev_[b], c = next_[b];
  return tree_.any(points_[a], points_[b], points_[c],
                   [&](std::uint32_t q) { return blocks(q, a, b, c, touching_allowed); });
}

bool EarClipper::blocks(std::uint32_t q, std::uint32_t a, std::uint32_t b, std::uint32_t c,
                        bool touching_allowed) const {
  if (q == a || q == b || q == c) return false;
  const std::array<std::uint32_t, 3> corner{a, b, c};
  std::array<int, 3> side{};  // side of q relative to the edge from corner k to k + 1
  for (std::size_t k = 0; k < 3; ++k) {
    side[k] = sign_of(corner[k], corner[(k + 1) % 3], q);
    if (side[k] < 0) return false;
  }
  for (std::size_t k = 0; k < 3; ++k) {
    if (!(points_[q] == points_[corner[k]])) continue;
    // If q coincides with a corner, it matters only if the outline continues from it into the triangle.
    const std::uint32_t to = corner[(k + 1) % 3], from = corner[(k + 2) % 3];
    const auto enters = [&](std::uint32_t n) {
      return sign_of(corner[k], to, n) > 0 && sign_of(corner[k], from, n) < 0;
    };
    return enters(prev_[q]) || enters(next_[q]);
  }
  if (!touching_allowed) return true;
  for (std::size_t k = 0; k < 3; ++k) {
    if (side[k] != 0) continue;
    const std::uint32_t e0 = corner[k], e1 = corner[(k + 1) % 3];
    return sign_of(e0, e1, prev_[q]) > 0 || sign_of(e0, e1, next_[q]) > 0;
  }
  return true;
}

void EarClipper::remove(std::uint32_t corner) {
  const std::uint32_t a = prev_[corner], c = next_[corner];
  next_[a] = c;
  prev_[c] = a;
  next_[corner] = corner;  // marks it as removed
  tree_.set(corner, false);
  --left_;
  for (std::uint32_t neighbour : {a, c}) {
    update_turn(neighbour);
    if (queued_[neighbour] & 1U << empty_ear) deferred_[neighbour] = 1;
    enqueue(neighbour);
  }
}

void EarClipper::update_turn(std::uint32_t corner) {
  turn_[corner] = static_cast<std::int8_t>(sign_of(prev_[corner], corner, next_[corner]));
  tree_.set(corner, turn_[corner] <= 0);
}

}  // namespace graze::mesh
