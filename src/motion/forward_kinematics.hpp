// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <graze/motion/chain.hpp>

namespace graze::motion {

/// A placement with quaternion and translation in doubles: the real quaternion of length one is within `turn_error` of
/// `turn`, and the real translation within `error` of `shift`.
struct RoundedPose {
  Quat turn;
  Vec3 shift;
  double turn_error = 0, error = 0;
};

/// A pose as such a placement: its quaternion divided by its length.
RoundedPose rounded(const Pose& pose);
/// First `b`, then `a`.
RoundedPose composed(const RoundedPose& a, const RoundedPose& b);
/// Bounds the distance of points placed by R(turn / |turn|) from where the real placement puts them.
LinkPose link_pose(const RoundedPose& pose);
/// Where something is that is fixed to a link.
LinkPose on_link(const LinkPose& link, const RoundedPose& piece);

/// Where the links of a chain are at one state, in doubles with error bounds; the bounds are derived beside the code.
class ForwardKinematics {
 public:
  ForwardKinematics(std::span<const Link> links, std::span<const std::optional<LinkId>> parents,
                    std::span<const std::uint32_t> depths, std::span<const std::size_t> coordinates);

  /// Returns the number of a link that is not finite; none: all are placed. The coordinates are checked before.
  std::optional<std::size_t> place(const Pose& base, std::span<const double> q, std::span<LinkPose> poses) const;

 private:
  struct Step {
    std::uint32_t link, parent;  ///< `none`: the base
    std::uint32_t coordinate;
    JointType type;
    bool has_origin, follows;
    RoundedPose origin;
    Vec3 axis;
    double axis_error, pitch, factor, offset;
  };
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::vector<Step> steps_;  ///< parents before children
};

}  // namespace graze::motion
