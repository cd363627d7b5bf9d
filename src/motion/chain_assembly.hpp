// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <graze/motion/chain.hpp>

#include "motion/joint_path.hpp"

namespace graze::motion {

/// How coordinates change from t = 0 to t = 1: evenly from one state to another or, where there are `courses` (one for
/// each), along these, which lead from the one to the other. Quaternions follow no course. `statements` say what the
/// courses are, in the format of certificates.
struct Way {
  std::span<const double> from, to;
  std::span<const Polynomial> courses = {};
  std::span<const std::string> statements = {};

  Way some(std::size_t first, std::size_t count) const {
    Way w{from.subspan(first, count), to.subspan(first, count)};
    if (courses.empty()) return w;
    w.courses = courses.subspan(first, count);
    w.statements = statements.subspan(first, count);
    return w;
  }
};

/// The axis normalised to unit length, enclosed; exact for coordinate axes. Must not be zero.
IntervalVector unit_axis(const Vec3& axis);

/// The coordinate axes x and y of a planar joint, which with its axis are right-handed.
struct PlaneAxes {
  Vec3 x, y;
};
/// None if the axis is no coordinate axis (of any positive length).
std::optional<PlaneAxes> plane_axes(const Vec3& axis);

/// Makes the motion of a link: collects the joints from the base outward. Joints that do not move are merged into the
/// placements between those that do.
class ChainAssembly {
 public:
  /// `base`: its motion; null: the chain is expressed in the base's frame.
  explicit ChainAssembly(const Motion* base);

  /// A joint, with its own coordinates or that of the joint which it follows.
  void add(const Joint& joint, const Way& way);
  /// Something fixed there.
  void add(const Pose& pose);

  Motion result();

 private:
  /// A joint of one coordinate, enclosed, which moves about or along an axis: evenly, unless it has a course.
  struct Single {
    JointType type;
    Vec3 axis;
    double pitch;
    Interval from, to;
    std::optional<Polynomial> course = {};
    std::string statement = {};  ///< of the course that it follows by a factor and an offset
    double factor = 1, offset = 0;
  };
  static Single single_along(JointType type, const Vec3& axis, double pitch, const Way& way, std::size_t coordinate);

  std::string description() const;
  void describe(const Single& joint);
  void place(const IntervalPlacement& before);
  void move(const Single& joint);
  void move_planar(const Joint& joint, const Way& way);
  void move_floating(const Way& way);
  void turn(const Quat& from, const Quat& to);
  void finish_joint(bool moves);
  bool at_the_start() const;
  Motion single();

  Motion base_;
  bool still_ = true, unmoved_ = true;
  std::optional<Pose> start_ = Pose{}, end_ = Pose{};
  JointPath::Real pending_;
  std::vector<JointPath::Real> done_;
  std::size_t parts_ = 0;  ///< number of parts in the description
  std::string text_;
  bool described_ = true;  ///< false: a number is no double, and the motion has no description
};

}  // namespace graze::motion
