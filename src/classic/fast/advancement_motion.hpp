// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include <graze/classic/fast.hpp>
#include <graze/core/method_counters.hpp>

#include "classic/fast/hull_tree.hpp"
#include "motion/path.hpp"

namespace graze::classic::fast {

/// A bound of how far the top of a set of points rises along a direction in the time s from now on: at most c + l s + q
/// s^2, with q >= 0. If c > 0 the bound jumps immediately and is useful for long times only.
struct Rise {
  double c = 0, l = 0, q = 0;
};

/// Bounds that are each valid on their own, for the whole step, while the body rotates (FAST eq. 5, corrected).
struct Rises {
  std::array<Rise, 3> bound;
  std::size_t size = 0;
  void add(const Rise& r) { bound[size++] = r; }
};

/// The largest s <= most for which c + l s + q s^2 <= gap at all times up to s, for some choice of a bound on each
/// side; 0 if there is none. Rounded down.
double longest_step(double gap, const Rises& a, const Rises& b, double most);

/// The same for individual corners: the fastest corner need not be near. Corners at about the same depth below the top
/// are grouped, to keep their number small.
struct CornerRises {
  struct Group {
    double below = 0;                    ///< lower bound of their depth below the top
    double speed = 0, acceleration = 0;  ///< (ii): they rise by at most speed s + acceleration s^2
    double most = 0;                     ///< (i): and by at most `most` s
  };
  static constexpr std::size_t most_groups = 12;
  std::array<Group, most_groups> group;
  std::size_t size = 0;
};
double longest_step(double gap, const CornerRises& a, const CornerRises& b, double most);

/// One of the two moving bodies: its position at one time, and bounds of how far its hulls can rise from then on.
class Mover {
 public:
  Mover(const HullTree& tree, const motion::Path& path);

  /// Kinematic motions: position and velocities at t, relative to a point near the bodies.
  void set_time(double t, const Vec3& origin);
  /// Motions that have placements and `travel` only.
  void set_place(double t, const Placement& place);

  const HullTree& tree() const { return tree_; }
  /// The position of a local point, rounded.
  Vec3 place(const Vec3& x) const { return now_.o + arm(x); }
  /// n . (place(x) - reference point).
  double above_reference(const Vec3& n, const Vec3& x) const { return dot(n, arm(x)); }
  /// A direction of the world in the body's axes.
  Vec3 local(const Vec3& n) const {
    const auto& r = now_.r;
    return {r[0] * n.x + r[3] * n.y + r[6] * n.z, r[1] * n.x + r[4] * n.y + r[7] * n.z,
            r[2] * n.x + r[5] * n.y + r[8] * n.z};
  }
  /// Bounds the rounding error of `place` alone: o + r (x - reference) is a sum of terms no larger than |o| and the
  /// body's size, each of which is rounded fewer than 8 times.
  double place_rounding() const { return place_rounding_; }

  /// The cheapest bounds: (i) with the node's ball, or the undirected bound (eq. 4). `n` is a unit vector that points
  /// to the other body. Kinematic motions only, like the next function.
  Rises quick_rises(const HullTree::Node& node, const Vec3& n, bool directed) const;
  /// The three bounds of docs/design.md 4 from the node's corners (undirected: eq. 4); `top` is the node's top corner
  /// along n, or one nearly as high.
  Rises rises(const HullTree::Node& node, const Vec3& n, std::uint32_t top, const AdvancementOptions& options,
              AllCounters& counters) const;

  /// The bounds (i) and (ii) for the node's corners individually; `available` is the depth from which on they are
  /// grouped.
  CornerRises corner_rises(const HullTree::Node& node, const Vec3& n, std::uint32_t top, double available) const;

  /// Any motion: an upper bound of how far a point of the node rises along n within the time s from now on.
  double travel(const HullTree::Node& node, const Vec3& n, double s) const;

 private:
  /// The extent of a node about the axis (about the reference point if the motion is not a twist).
  struct Span {
    double far = 0;            ///< largest distance from the axis
    double low = 0, high = 0;  ///< along the axis
  };
  Vec3 arm(const Vec3& x) const {
    const Vec3 y = x - reference_;
    const auto& r = now_.r;
    return {r[0] * y.x + r[1] * y.y + r[2] * y.z, r[3] * y.x + r[4] * y.y + r[5] * y.z,
            r[6] * y.x + r[7] * y.y + r[8] * y.z};
  }
  void start_at(double t, const motion::Instant& now);
  double ball_far(const HullTree::Node& node) const;
  Span span(const HullTree::Node& node) const;
  double distance_from_axis(const Vec3& arm) const;

  const HullTree& tree_;
  const motion::Path& path_;
  Vec3 reference_;
  double size_ = 0;  ///< upper bound of the corners' distances from the reference point
  double time_ = 0, place_rounding_ = 0;
  motion::Instant now_{};
  double turning_ = 0;  ///< |w|
  Vec3 axis_;           ///< w / |w| in the body's axes: constant while the body rotates about it
};

}  // namespace graze::classic::fast
