// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include <graze/robot/robot.hpp>

namespace graze::play {

/// What a drag did.
struct DragReport {
  double moved = 0;  ///< of the wished motion of the joints: 1, or less if something was in the way
  /// What was in the way.
  std::optional<PartPair> stopped_by;
};

/// A robot that is dragged by a point of one of its links, and stops before it touches itself or what is around it.
///
/// Every motion of the joints is certified by `Robot::check_motion`, which keeps `margin` from everything. Where the
/// whole motion is not free, the arm goes as far as is certified, and then each joint by itself is tried, so that it
/// slides along what it met.
class Arm {
 public:
  /// Throws `Error` (bad_option) if the link is unknown, the margin is not above 0, or the robot touches at `start`.
  Arm(Robot robot, std::string_view link, const Vec3& point, std::vector<double> start, double margin = 1e-3);

  const Robot& robot() const { return robot_; }
  const std::vector<double>& state() const { return q_; }
  Vec3 hand() const { return hand(q_); }
  /// The joints move so that the point goes towards the target: by damped least squares, each by at most `most`.
  DragReport drag(const Vec3& target, double most = 0.1);

 private:
  Vec3 hand(const std::vector<double>& q) const;
  std::vector<double> towards(const Vec3& target, double most) const;
  /// Goes from the present state towards another as far as is certified.
  DragReport go(const std::vector<double>& to);

  Robot robot_;
  LinkId link_;
  Vec3 point_;
  std::vector<double> q_;
  double margin_;
};

}  // namespace graze::play
