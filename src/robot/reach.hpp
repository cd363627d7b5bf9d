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
///
/// Where all coordinates change evenly, another bound is often half of that, because joints that turn against each
/// other take back what the others do. Let D be the way of all coordinates from those of the state, |D_j| <= h_j. By
/// Taylor a point gets J D + r from where it is, J at the state. J D is the way of the part's centre, plus a turn
/// vector times the point's way from the centre, which is no longer than the part's radius: both are sums of the
/// joints' own, with their signs. |r| is at most half of the sum over all j and k of h_j h_k times the largest second
/// derivative by these two on the way. For j = k that is the distance from the axis of j, at most d_j; for j in front
/// of k, the axis of j times the derivative by k: at most d_k, or 1 if k slides; and 0 where j slides. With the two
/// orders of each pair: the sum over the turning joints of h_j (h_j d_j / 2 + all that the joints behind j move the
/// point), and the latter is at most what the first bound has for them. The axes, origins and centres are rounded, and
/// D is off the given ways by the rounding of the state, which is what `away` has beyond them: both are added, times
/// the distances.
class Reach {
 public:
  Reach() = default;
  explicit Reach(const State& state) : s_(&state) {}
  void of_robot(const State& state) { s_ = &state; }

  /// `away`: by coordinate, how far it gets at most; of floating joints see `set_turns`. `links`, `placed`: at the
  /// state. `ways`: where all coordinates change evenly, how far each gets in half of the time, with its sign; the
  /// other half goes as far back. None: on whatever path.
  void set(std::span<const double> away, std::span<const LinkPose> links, std::span<const Placed> placed,
           std::span<const double> ways = {});
  /// Of the points of a part as seen from a link on its way from the base, or from the base.
  double of(std::uint32_t part, std::uint32_t ancestor) const;
  /// Of two parts, together.
  double of(const Pair& pair) const;

  /// The same, with its direction.
  Drift drift(const Pair& pair) const;

  /// For single pairs, instead of `set`, `of` and `drift`.
  void set_joints(std::span<const double> away, std::span<const LinkPose> links, std::span<const double> ways = {});
  double alone(const Pair& pair, std::span<const LinkPose> links, const Placed& a, const Placed& b) const;
  Drift drift_alone(const Pair& pair, std::span<const LinkPose> links, const Placed& a, const Placed& b) const;

 private:
  /// A joint: how far it turns and slides at most; with its sign; its axis and the origin of its link, in the world.
  struct JointWay {
    double turns = 0, slides = 0, turn = 0, slide = 0;
    Vec3 axis = {}, origin = {};
    double origin_size = 0;
    bool any_axis = false;  ///< it turns about any axis through the origin
    bool bends = false;     ///< signs are of no use
  };
  /// The sums over the joints from one on, to the tip.
  struct Moved {
    double far = 0;              ///< of the first bound
    Vec3 shift = {}, turn = {};  ///< of the second: of the centre, of the part
    double rest = 0;
  };
  /// From the tip of a part's way down to a number of a joint on it; `each(number, moved)`.
  template <class Each>
  Moved walk(std::uint32_t part, std::size_t down_to, std::span<const LinkPose> links, const Placed& placed,
             const Each& each) const;
  double within(std::uint32_t part, const Moved& moved) const;
  Drift between(const Pair& pair, const Moved& a, const Moved& b) const;
  Moved moved(std::uint32_t part, std::uint32_t ancestor) const;
  Moved moved_alone(std::uint32_t part, std::uint32_t ancestor, std::span<const LinkPose> links,
                    const Placed& placed) const;
  std::size_t joints_until(std::uint32_t part, std::uint32_t ancestor) const;

  const State* s_ = nullptr;
  bool even_ = false;
  std::vector<JointWay> joints_;         ///< by link
  std::vector<std::vector<Moved>> far_;  ///< by part, and by number of the joint on its way: all from this one on
};

}  // namespace graze::robot
