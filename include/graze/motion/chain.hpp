// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <graze/core/export.hpp>
#include <graze/math/pose.hpp>
#include <graze/motion/motion.hpp>

namespace graze {

/// Zero-based in the order in which a chain's links were given.
enum class LinkId : std::uint32_t {};
constexpr std::uint32_t index(LinkId id) { return static_cast<std::uint32_t>(id); }

enum class JointType { fixed, revolute, prismatic, screw };
/// "fixed", "revolute", "prismatic", "screw".
GRAZE_API const char* name(JointType type);

/// How a link is attached to its parent: at `origin` in the parent's frame, then rotated about or translated along
/// `axis` by the joint's coordinate q.
struct Joint {
  JointType type = JointType::fixed;
  Pose origin;         ///< pose of the link in its parent's frame at q = 0
  Vec3 axis{0, 0, 1};  ///< in the frame of `origin`; of any non-zero length
  double pitch = 0;    ///< of a screw joint: metres along the axis per radian; may be negative or zero
};

struct Link {
  std::string name;
  std::string parent;  ///< a link's name; empty: the base
  Joint joint;
};

/// Acyclic articulated bodies: a tree of links (or several trees) on a base that may itself move. Immutable and
/// thread-safe.
///
/// Every joint that is not fixed has one coordinate (radians; metres if prismatic), in the order of the links. While t
/// runs from 0 to 1, each coordinate changes linearly from one value to another, and a link's motion is the composition
/// of the joint motions from the base outward (CONTACT 3.1).
class GRAZE_API Chain {
 public:
  /// Links in any order. Throws `Error`: bad_option if a name is empty or used twice, a parent is unknown, links are
  /// their own ancestors, or an axis is zero; not_finite.
  explicit Chain(std::vector<Link> links, Motion base = {});

  std::size_t size() const { return links_.size(); }
  const Link& link(LinkId id) const { return links_[index(id)]; }
  /// None if there is no link of that name.
  std::optional<LinkId> find(std::string_view name) const;
  /// None: the base.
  std::optional<LinkId> parent(LinkId id) const { return parents_[index(id)]; }
  /// How many coordinates a configuration has.
  std::size_t coordinates() const { return coordinates_; }
  const Motion& base() const { return base_; }

  /// The motion of a link in the world. Throws `Error` (bad_option, not_finite) if there are too few or too many
  /// coordinates or one is not finite or, as an angle, not below 2^20 radians. If at most one joint moves and the base
  /// does not, this is a rotation about, or a translation along, a fixed axis, with the bounds of such a motion.
  Motion link_motion(LinkId id, std::span<const double> from, std::span<const double> to) const;
  /// The motions of two links relative to their nearest common ancestor (or the base): the base and the joints above
  /// the ancestor move both links alike and cancel out. Two links touch in the world exactly when they touch there.
  /// Points and normals are in that ancestor's frame; its `link_motion` transforms them to the world.
  std::pair<Motion, Motion> pair_motions(LinkId a, LinkId b, std::span<const double> from,
                                         std::span<const double> to) const;
  /// None: the base. A link is an ancestor of itself.
  std::optional<LinkId> common_ancestor(LinkId a, LinkId b) const;
  /// True for parent and child. These usually overlap at their joint and are not tested for contact by default.
  bool neighbours(LinkId a, LinkId b) const;

 private:
  /// From `ancestor` (none: the base, with its motion if asked for) outward.
  Motion motion_from(std::optional<LinkId> ancestor, LinkId id, std::span<const double> from,
                     std::span<const double> to, bool with_base) const;
  void check(std::span<const double> coordinates) const;

  std::vector<Link> links_;
  std::vector<std::optional<LinkId>> parents_;
  std::vector<std::uint32_t> depths_;           ///< 0: on the base
  std::vector<std::size_t> first_coordinates_;  ///< index of the link's coordinate
  std::size_t coordinates_ = 0;
  Motion base_;
};

}  // namespace graze
