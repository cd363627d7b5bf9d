// SPDX-License-Identifier: MIT
#include "classic/fast/advancement_motion.hpp"

#include <algorithm>
#include <cmath>

#include "math/vectors.hpp"

namespace graze::classic::fast {

namespace {

using math::infinity;
using math::norm;

/// Everything below consists of a few dozen roundings of 2^-53 and of rotations whose entries have an error below
/// 2^-46: this fraction of the sizes involved covers them.
constexpr double share = 0x1p-44;

/// The largest s with l s + q s^2 <= gap; the set of such s >= 0 is an interval from 0, since q >= 0 < gap.
double largest_step(double gap, double l, double q) {
  if (!(gap > 0)) return 0;
  const double root = std::sqrt(l * l + 4 * q * gap);
  if (l >= 0) return l + root > 0 ? 2 * gap / (l + root) : infinity;
  return q > 0 ? (root - l) / (2 * q) : infinity;
}

}  // namespace

double longest_step(double gap, const Rises& a, const Rises& b, double most) {
  double best = 0;
  for (std::size_t i = 0; i < a.size; ++i)
    for (std::size_t j = 0; j < b.size; ++j) {
      const Rise &x = a.bound[i], &y = b.bound[j];
      best = std::max(best, largest_step(gap - (x.c + y.c), x.l + y.l, x.q + y.q));
    }
  // Sums of terms of one sign, a root and a quotient: accurate to 2^-49.
  return std::min(most, best * (1 - 0x1p-45));
}

/// Two hulls are apart along n as long as every pair of their corners is.
double longest_step(double gap, const CornerRises& a, const CornerRises& b, double most) {
  double step = infinity;
  for (std::size_t i = 0; i < a.size; ++i)
    for (std::size_t j = 0; j < b.size; ++j) {
      const CornerRises::Group &x = a.group[i], &y = b.group[j];
      const double available = gap + x.below + y.below;
      step = std::min(step, std::max(largest_step(available, x.speed + y.speed, x.acceleration + y.acceleration),
                                     largest_step(available, x.most + y.most, 0)));
    }
  return std::min(most, step * (1 - 0x1p-45));
}

Mover::Mover(const HullTree& tree, const motion::Path& path)
    : tree_(tree), path_(path), reference_(path.kinematic() ? path.reference() : Vec3{}) {}

void Mover::start_at(double t, const motion::Instant& now) {
  time_ = t;
  now_ = now;
  size_ = (length(tree_[0].centre - reference_) + tree_[0].radius) * (1 + 0x1p-50);
  place_rounding_ = 8 * 0x1p-53 * (length(now.o) + 2 * size_);
}

void Mover::set_time(double t, const Vec3& origin) {
  start_at(t, path_.at(t, origin));
  turning_ = length(now_.w);
  axis_ = turning_ > 0 ? local(now_.w * (1 / turning_)) : Vec3{};
}

void Mover::set_place(double t, const Placement& place) {
  reference_ = {};
  start_at(t, {place.r, place.t, {}, {}});
}

double Mover::distance_from_axis(const Vec3& y) const {
  if (!(size_ > 0x1p-400)) return size_;  // squares would underflow
  return path_.bounds().twist ? norm(cross(axis_, y)) : norm(y);
}

double Mover::ball_far(const HullTree::Node& node) const {
  return distance_from_axis(node.centre - reference_) + node.radius + share * size_;
}

Mover::Span Mover::span(const HullTree::Node& node) const {
  Span s{0, infinity, -infinity};
  for (const Vec3& x : tree_.corners(node)) {
    const Vec3 y = x - reference_;
    const double along = dot(axis_, y);
    s = {std::max(s.far, distance_from_axis(y)), std::min(s.low, along), std::max(s.high, along)};
  }
  const double slack = share * size_;
  return {s.far + slack, s.low - slack, s.high + slack};
}

Rises Mover::quick_rises(const HullTree::Node& node, const Vec3& n, bool directed) const {
  const motion::Bounds& m = path_.bounds();
  const double far = ball_far(node);
  Rises r;
  if (directed && m.twist) {
    const double slack = share * (m.speed + turning_ * far);
    r.add({0, dot(n, now_.v) + norm(cross(n, now_.w)) * far + slack, 0});
  } else {
    // FAST eq. 4: |x'| <= |v| + |w| r, in any direction.
    r.add({0, (m.speed + m.turn_speed * far) * (1 + share), 0});
  }
  return r;
}

/// Along n, a point at the arm r from the reference point rises in the time s by
///   n . v s + n . (Rot(w s) - 1) r,
/// and only the component of r perpendicular to the axis contributes to the second term; its length is at most `far` at
/// all times.
/// (i)   Its derivative by s is (n x w) . Rot r: always at most |n x w| far.
/// (ii)  Now it is (n x w) . r, at most that of the corner furthest along n x w: FAST's linear programme, eq. 5. The
///       paper uses it for the whole step, though the body rotates: it needs the second derivative,
///       -(n x w) . (w x Rot r), which is at most |n x w| |w| far: half of that times s^2.
/// (iii) For every rotation, n . Rot r <= (the component of r along the axis) . n
///       + |the component of n perpendicular to the axis| far. Both are constant.
/// For a motion that is not a twist, the speed of its reference point and w are valid at this time only; it uses (ii)
/// with the bound of its second derivative, and its greatest speed instead of (i).
Rises Mover::rises(const HullTree::Node& node, const Vec3& n, std::uint32_t top, const AdvancementOptions& options,
                   AllCounters& counters) const {
  const motion::Bounds& m = path_.bounds();
  const Span s = span(node);
  const double slack = share * (m.speed + turning_ * s.far), nv = dot(n, now_.v);
  Rises r;
  if (!options.directed) {
    r.add({0, (m.speed + m.turn_speed * s.far) * (1 + share), 0});
    return r;
  }
  if (m.twist && turning_ == 0) {
    r.add({0, nv + slack, 0});
    return r;
  }
  const Vec3 nw = cross(n, now_.w);
  const HullTree::Support fastest = tree_.support(node, local(nw), top, options.lookup_table, counters);
  const double size_nw = norm(nw), rounding = 2 * node.radius * share + fastest.slack,
               speed = nv + above_reference(nw, tree_.corners(node)[fastest.corner]) + size_nw * rounding + slack +
                       share * turning_ * size_;
  if (m.twist) {
    r.add({0, nv + size_nw * s.far + slack, 0});
    r.add({0, speed, 0.5 * size_nw * turning_ * s.far * (1 + share)});
    const double along = dot(n, now_.w) / turning_;
    const double reach = std::max(along * s.low, along * s.high) + size_nw / turning_ * s.far;
    r.add({std::max(0.0, reach - above_reference(n, tree_.corners(node)[top])) + 2 * share * size_, nv + slack, 0});
  } else {
    r.add({0, (m.speed + m.turn_speed * s.far) * (1 + share), 0});
    r.add({0, speed + m.velocity_error + m.turn_velocity_error * s.far,
           0.5 * (m.acceleration + m.turn_acceleration * s.far) * (1 + share)});
  }
  return r;
}

CornerRises Mover::corner_rises(const HullTree::Node& node, const Vec3& n, std::uint32_t top, double available) const {
  const motion::Bounds& m = path_.bounds();
  const Vec3 nw = cross(n, now_.w);
  const auto corners = tree_.corners(node);
  const double nv = dot(n, now_.v), size_nw = norm(nw), slack = share * (m.speed + turning_ * size_);
  const auto rise_of = [&](const Vec3& x) -> CornerRises::Group {
    const double far = distance_from_axis(x - reference_) + share * size_;
    const double below = above_reference(n, corners[top]) - above_reference(n, x) - 2 * place_rounding_;
    const double speed = nv + above_reference(nw, x) + slack;
    if (m.twist)
      return {std::max(0.0, below), speed, 0.5 * size_nw * turning_ * far * (1 + share), nv + size_nw * far + slack};
    return {std::max(0.0, below), speed + m.velocity_error + m.turn_velocity_error * far,
            0.5 * (m.acceleration + m.turn_acceleration * far) * (1 + share),
            (m.speed + m.turn_speed * far) * (1 + share)};
  };
  CornerRises r;
  std::array<std::size_t, CornerRises::most_groups> group_of{};  // for each depth: its index in r, plus one
  const bool few = corners.size() <= CornerRises::most_groups;
  for (const Vec3& x : corners) {
    const CornerRises::Group c = rise_of(x);
    std::size_t depth = r.size;
    if (!few) {  // depths end at `available`, 4 `available`, 16 `available`, ...
      double end = available;
      for (depth = 0; depth + 1 < group_of.size() && c.below > end; ++depth) end *= 4;
    }
    if (group_of[depth] == 0) {
      r.group[r.size] = c;
      group_of[depth] = ++r.size;
      continue;
    }
    CornerRises::Group& g = r.group[group_of[depth] - 1];
    g = {std::min(g.below, c.below), std::max(g.speed, c.speed), std::max(g.acceleration, c.acceleration),
         std::max(g.most, c.most)};
  }
  return r;
}

double Mover::travel(const HullTree::Node& node, const Vec3& n, double s) const {
  return path_.travel(n, node.centre, node.radius, time_, std::min(1.0, next_up(time_ + s)));
}

}  // namespace graze::classic::fast
