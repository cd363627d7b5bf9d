// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <graze/core/export.hpp>
#include <graze/math/pose.hpp>
#include <graze/motion/link_pose.hpp>
#include <graze/motion/motion.hpp>
#include <graze/motion/trajectory.hpp>

namespace graze {

namespace motion {
class ForwardKinematics;
struct Way;
}  // namespace motion

/// Zero-based in the order in which a chain's links were given.
enum class LinkId : std::uint32_t {};
constexpr std::uint32_t index(LinkId id) { return static_cast<std::uint32_t>(id); }

/// A `continuous` joint is a revolute one without limits. A `planar` one has the coordinates x, y and an angle about
/// its axis, which must be a coordinate axis: about z, x and y are along x and y; about x they are along y and z; about
/// y along z and x. A `floating` one has seven: a position, and a quaternion w x y z.
enum class JointType { fixed, revolute, prismatic, screw, continuous, planar, floating };
/// "fixed", "revolute" and so on.
GRAZE_API const char* name(JointType type);
/// How many coordinates a joint of this type has: 0, 1, 3 or 7.
GRAZE_API std::size_t coordinates_of(JointType type);

/// The range of a joint's coordinate. `Chain::beyond_limits` tells whether a configuration is within it; motions and
/// poses are those of any coordinates.
struct JointLimits {
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
};

/// The joint has no coordinate of its own: its coordinate is factor q + offset, in real arithmetic, where q is that of
/// another link's joint.
struct Mimic {
  std::string link;  ///< the child link of that joint, which has one coordinate and follows no other
  double factor = 1, offset = 0;
};

/// How a link is attached to its parent: at `origin` in the parent's frame, then rotated about or translated along
/// `axis` by the joint's coordinate q.
struct Joint {
  JointType type = JointType::fixed;
  Pose origin = {};       ///< pose of the link in its parent's frame at q = 0
  Vec3 axis{0, 0, 1};     ///< in the frame of `origin`; of any non-zero length
  double pitch = 0;       ///< of a screw joint: metres along the axis per radian; may be negative or zero
  std::string name = {};  ///< the joint's own name, if it has one
  std::optional<JointLimits> limits = {};  ///< of a joint with one coordinate
  std::optional<Mimic> mimic = {};         ///< of a joint with one coordinate: it follows another one
};

struct Link {
  std::string name;
  std::string parent;  ///< a link's name; empty: the base
  Joint joint;
};

/// Acyclic articulated bodies: a tree of links (or several trees) on a base that may itself move. Immutable and
/// thread-safe.
///
/// Every joint that is not fixed and follows no other has one coordinate (radians; metres if prismatic), or as many as
/// its type says, in the order of the links. While t runs from 0 to 1, each coordinate changes linearly from one value
/// to another, and a link's motion is the composition of the joint motions from the base outward (CONTACT 3.1). The
/// quaternion of a floating joint is an exception: the rotation changes at constant speed, by the smaller angle, as
/// that of `Velocity`.
///
/// A number that is none of its links' throws `Error` (index_out_of_range).
class GRAZE_API Chain {
 public:
  /// Links in any order. Throws `Error`: bad_option if a name is empty or used twice, a parent is unknown, links are
  /// their own ancestors, an axis is zero (or, of a planar joint, no coordinate axis), limits are in the wrong order,
  /// or a joint follows one that is not there or has not one coordinate of its own; not_finite.
  explicit Chain(std::vector<Link> links, Motion base = {});

  std::size_t size() const { return links_.size(); }
  const Link& link(LinkId id) const { return links_[known(id)]; }
  /// None if there is no link of that name.
  std::optional<LinkId> find(std::string_view name) const;
  /// None: the base.
  std::optional<LinkId> parent(LinkId id) const { return parents_[known(id)]; }
  /// How many coordinates a configuration has.
  std::size_t coordinates() const { return coordinates_; }
  const Motion& base() const { return base_; }

  /// The motion of a link in the world. Throws `Error` (bad_option, not_finite) if there are too few or too many
  /// coordinates or one is not finite or, as an angle, not below 2^20 radians. If at most one joint moves and the base
  /// does not, this is a rotation about, or a translation along, a fixed axis, with the bounds of such a motion.
  Motion link_motion(LinkId id, std::span<const double> from, std::span<const double> to) const;
  /// The motion of something that is fixed to the link, at this pose relative to it.
  Motion link_motion(LinkId id, std::span<const double> from, std::span<const double> to, const Pose& on_link) const;
  /// The motions of two links relative to their nearest common ancestor (or the base): the base and the joints above
  /// the ancestor move both links alike and cancel out. Two links touch in the world exactly when they touch there.
  /// Points and normals are in that ancestor's frame; its `link_motion` transforms them to the world.
  std::pair<Motion, Motion> pair_motions(LinkId a, LinkId b, std::span<const double> from,
                                         std::span<const double> to) const;
  /// Of things that are fixed to the links, at these poses relative to them.
  std::pair<Motion, Motion> pair_motions(LinkId a, LinkId b, std::span<const double> from, std::span<const double> to,
                                         const Pose& on_a, const Pose& on_b) const;

  /// The same for a segment of a trajectory, which t = 0 to 1 stands for. Throws `Error` also if a quaternion's
  /// velocities are not 0, or if it is a spline's (bad_option): the rotation of a floating joint changes at constant
  /// speed.
  Motion link_motion(LinkId id, const Trajectory& trajectory, std::size_t segment, const Pose& on_link = {}) const;
  std::pair<Motion, Motion> pair_motions(LinkId a, LinkId b, const Trajectory& trajectory, std::size_t segment,
                                         const Pose& on_a = {}, const Pose& on_b = {}) const;
  /// Throws `Error`, as these do, if the trajectory is not one of this chain.
  void check(const Trajectory& trajectory) const;

  /// Where all links are at one state, with error bounds: less than two microseconds for an arm of seven joints.
  /// `poses` has one entry per link. Throws `Error` as `link_motion`, and if the base moves (unsupported), if `poses`
  /// has another size (bad_option), or if a link is beyond the doubles (not_finite).
  void link_poses(std::span<const double> coordinates, std::span<LinkPose> poses) const;
  std::vector<LinkPose> link_poses(std::span<const double> coordinates) const;
  /// The first link, in their order, whose joint (or the joint that it follows) is outside of its limits. None: all are
  /// within. A joint that follows another is compared as factor q + offset, rounded.
  std::optional<LinkId> beyond_limits(std::span<const double> coordinates) const;
  /// The index of the first coordinate of the link's joint; none: the joint is fixed or follows another.
  std::optional<std::size_t> first_coordinate(LinkId id) const;
  /// None: the base. A link is an ancestor of itself.
  std::optional<LinkId> common_ancestor(LinkId a, LinkId b) const;
  /// True for parent and child. These usually overlap at their joint and are not tested for contact by default.
  bool neighbours(LinkId a, LinkId b) const;

 private:
  std::size_t known(LinkId id) const {
    if (index(id) >= links_.size()) no_such_link(id);
    return index(id);
  }
  [[noreturn]] void no_such_link(LinkId id) const;
  /// From `ancestor` (none: the base, with its motion if asked for) outward.
  Motion motion_from(std::optional<LinkId> ancestor, LinkId id, const motion::Way& way, bool with_base,
                     const Pose& on_link) const;
  std::pair<Motion, Motion> pair_motions(LinkId a, LinkId b, const motion::Way& way, const Pose& on_a,
                                         const Pose& on_b) const;
  void check(std::span<const double> coordinates) const;
  void check(const Trajectory& trajectory, std::size_t segment) const;
  void find_mimicked();

  std::vector<Link> links_;
  std::vector<std::optional<LinkId>> parents_;
  std::vector<std::uint32_t> depths_;           ///< 0: on the base
  std::vector<std::size_t> first_coordinates_;  ///< index of the link's coordinate, or of the one that it follows
  std::shared_ptr<const motion::ForwardKinematics> kinematics_;
  std::size_t coordinates_ = 0;
  Motion base_;
};

}  // namespace graze
