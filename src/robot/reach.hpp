// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "robot/state.hpp"

namespace graze::robot {

/// How far the parts of a robot get from where they are at one state, while each coordinate stays within a given
/// distance of its value there, on whatever path.
///
/// Proof. Let the coordinates change from those of the state one joint after another, the outermost first. When joint j
/// changes, the joints before it are as in the state, and so is its axis; those behind it have changed already. The
/// distance of a point from the axis of j is then at most what it was in the state, plus all that the joints behind j
/// have moved the point: d_j. A turn by at most h_j moves it by at most h_j d_j, a slide along the axis by at most the
/// slide. A floating joint slides, and turns about some axis through its link's origin, from which the point is no
/// farther than from the origin. The sum over all joints bounds how far the point gets, and the sum over the joints
/// behind a link how far it gets as seen from that link.
class Reach {
 public:
  Reach() = default;
  explicit Reach(const State& state) : s_(&state) {}
  void of_robot(const State& state) { s_ = &state; }

  /// `away`: by coordinate, how far it gets at most; of floating joints see `set_turns`. `links`, `placed`: at the
  /// state.
  void set(std::span<const double> away, std::span<const LinkPose> links, std::span<const Placed> placed);
  /// Of the points of a part as seen from a link on its way from the base, or from the base.
  double of(std::uint32_t part, std::uint32_t ancestor) const;
  /// Of two parts, together.
  double of(const Pair& pair) const;

  /// For single pairs, instead of `set` and `of`.
  void set_joints(std::span<const double> away, std::span<const LinkPose> links);
  double alone(const Pair& pair, std::span<const LinkPose> links, const Placed& a, const Placed& b) const;

 private:
  /// From the tip of a part's way down to a number of a joint on it; `each(number, reach)`.
  template <class Each>
  double walk(std::uint32_t part, std::size_t down_to, std::span<const LinkPose> links, const Placed& placed,
              const Each& each) const;
  std::size_t joints_until(std::uint32_t part, std::uint32_t ancestor) const;

  const State* s_ = nullptr;
  std::vector<double> turns_, slides_;    ///< by link
  std::vector<Vec3> axes_;                ///< by link, in the world
  std::vector<std::vector<double>> far_;  ///< by part, and by number of the joint on its way: all from this one on
};

}  // namespace graze::robot
