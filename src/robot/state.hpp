// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>
#include <graze/math/box3.hpp>
#include <graze/math/interval.hpp>
#include <graze/robot/robot.hpp>

#include "body/compound.hpp"
#include "engine/collide/touch_within.hpp"
#include "motion/forward_kinematics.hpp"

namespace graze::robot {

inline constexpr std::uint32_t no_link = ~std::uint32_t{0};
inline constexpr double slack = 1 + 0x1p-40;  ///< for the sums and products of a bound

[[noreturn]] void refuse(ErrorCode code, std::string message, std::string element = "robot",
                         std::uint64_t id = ErrorDetail::none);

/// The sum of two distances that must be kept, rounded up; 0 stays 0, which is the question of contact and asked
/// faster.
inline double both_kept(double a, double b) { return a == 0 || b == 0 ? a + b : next_up(a + b); }

using LinkPair = std::pair<std::uint32_t, std::uint32_t>;
inline LinkPair in_order(std::uint32_t a, std::uint32_t b) { return a < b ? LinkPair{a, b} : LinkPair{b, a}; }

/// A piece of a link, an attached body or an obstacle.
struct Part {
  Body body;
  std::uint32_t link = no_link;
  Pose pose;  ///< in the link's frame; of an obstacle, in the world
  motion::RoundedPose rounded = {};
  double padding = 0;
  Vec3 centre = {}, half = {};  ///< of the body's own box
  double radius = 0;            ///< of a ball around `centre` that contains the body
  double far = 0;               ///< the largest distance of a point of the body from its origin
};

/// A part where it is at one state.
struct Placed {
  Pose pose;
  double error = 0;  ///< every point of the body is within this of where the exact coordinates put it
  Vec3 centre;       ///< in the world, rounded
  Box3 box;          ///< contains the exactly placed body
  std::array<double, 9> r{1, 0, 0, 0, 1, 0, 0, 0, 1};  ///< its rotation, rounded
  /// The exactly placed body is within this of the box that `centre`, `r` and the part's `half` describe.
  double margin = 0;
};
Placed place(const Part& part, const LinkPose& pose);

/// Two parts that must stay farther apart than `separation`.
struct Pair {
  std::uint32_t a, b;
  std::uint32_t ancestor = no_link;  ///< of the two links; the base counts as none
  double separation = 0;
};

inline bool same_pair(const Pair& x, const Pair& y) { return x.a == y.a && x.b == y.b; }

/// What a `Robot` is made of. `parts` and `pairs` follow from the rest.
struct State {
  State(RobotModel given, const RobotOptions& chosen);

  RobotModel model;
  RobotOptions options;
  Chain chain;
  std::vector<std::uint32_t> group;  ///< by link: links of one group never move relative to each other
  std::vector<bool> has_bodies;      ///< by group: some link of it has pieces
  std::map<LinkPair, std::optional<std::string>> decided;  ///< none: forbidden
  std::vector<double> padding;                             ///< by link
  std::vector<AttachedBody> attached;
  std::vector<Obstacle> obstacles;

  std::vector<Part> parts;  ///< those that move with a link first
  std::uint32_t moving = 0;
  std::vector<Pair> pairs;  ///< of parts that move with links, ordered by (a, b)
  std::vector<Placed> obstacles_placed;
  std::vector<body::PieceNode> obstacle_tree;              ///< over the boxes of the obstacles; empty without any
  double widest_radius = 0;                                ///< of an obstacle
  std::vector<std::vector<std::uint32_t>> touching_links;  ///< by obstacle
  std::vector<std::vector<std::uint32_t>> ways;            ///< by link: the links from the base to it, both included
  std::vector<std::size_t> coordinate;  ///< by link: the first that moves its joint, its own or of the one it follows

  std::vector<std::size_t> floating;  ///< the first coordinates of floating joints

  LinkId link_of(std::string_view name) const;
  std::optional<std::string> why_allowed(std::uint32_t a, std::uint32_t b) const;
  void rebuild();
  bool may_touch_obstacle(std::uint32_t part, std::uint32_t obstacle) const {
    const std::vector<std::uint32_t>& links = touching_links[obstacle];
    return std::find(links.begin(), links.end(), parts[part].link) != links.end();
  }
  /// The obstacles that may be within `distance` and the separation of a part, by their boxes, in their order, without
  /// those that it may touch. `part_box` contains the part.
  void near_obstacles(std::uint32_t part, const Box3& part_box, double distance, std::vector<std::uint32_t>& out) const;
  Pair with_obstacle(std::uint32_t part, std::uint32_t obstacle) const {
    return {part, moving + obstacle, no_link, both_kept(parts[part].padding, obstacles[obstacle].radius)};
  }

 private:
  bool adjacent(std::uint32_t a, std::uint32_t b) const;
  bool may_touch(std::uint32_t part_a, std::uint32_t part_b) const;
  void add_part(const Body& body, std::uint32_t link, const Pose& pose);
};

struct MotionMemory;

struct Memory {
  Memory();
  ~Memory();

  std::vector<LinkPose> links;
  std::vector<Placed> placed;  ///< the parts that move
  WithinResult within;
  CollideResult collide;
  static constexpr std::size_t most_recent = 4;
  std::array<Pair, most_recent> recent{};  ///< touched last, the latest first
  std::size_t recent_count = 0;
  std::vector<std::uint32_t> near;            ///< obstacles
  std::vector<std::pair<double, Pair>> open;  ///< pairs whose boxes overlap, and by how much

  MotionMemory& of_motions();
  /// Puts a pair in front of those that touched last.
  void remember(const Pair& pair);

 private:
  std::unique_ptr<MotionMemory> motions_;  ///< none: no motion was asked yet
};

/// How two parts get nearer: the second moves by s times `way`, seen from the first, for some s from -1 to 1, and both
/// together by no more than `rest` besides. Or by no more than `whole`, in any direction.
struct Drift {
  Vec3 way = {};
  double rest = 0, whole = 0;

  Drift() = default;
  explicit Drift(double any) : rest(any), whole(any) {}
};

/// The state of the robot and the pairs of one question.
class StateCheck {
 public:
  StateCheck(const State& state, std::span<const double> q, Memory& memory, Counters& counters)
      : s_(state), q_(q), m_(memory), counters_(counters) {}

  /// Places the parts that move.
  void place_all();
  /// The same, where the links are placed already.
  void place_parts();
  void place_pair(const Pair& pair);
  const Placed& placed(std::uint32_t part) const {
    return part < s_.moving ? m_.placed[part] : s_.obstacles_placed[part - s_.moving];
  }
  /// Certified: the two are farther apart than they can drift, and than their separation.
  bool apart(const Pair& pair, const Drift& drift);
  bool apart(const Pair& pair, double distance) { return apart(pair, Drift(distance)); }
  bool touches(const Pair& pair) { return !boxes_apart(pair, 0) && touches_within_boxes(pair); }
  /// Where boxes have shown nothing.
  bool touches_within_boxes(const Pair& pair);
  /// The two are at most their separation apart where they are placed in doubles.
  bool meets(const Pair& pair);
  /// Their boxes alone show it.
  bool boxes_apart(const Pair& pair, const Drift& drift) const;
  bool boxes_apart(const Pair& pair, double distance) const { return boxes_apart(pair, Drift(distance)); }
  /// The turned boxes' gap, 0 or less, or by how much they overlap; none: they are apart, as above.
  std::optional<double> boxes_overlap(const Pair& pair) const;
  std::uint64_t asked() const { return asked_; }

 private:
  void place_part(std::uint32_t part);
  // Where boxes have shown nothing.
  bool apart_within_boxes(const Pair& pair, double distance);
  bool meets_within_boxes(const Pair& pair);
  bool by_surfaces(const Pair& pair) const;
  bool inside_shape(const Pair& pair);
  /// None: this was not shown.
  std::optional<bool> surfaces_touch(const Pair& pair, double error);
  bool touches_by_intervals(const Pair& pair) const;

  const State& s_;
  std::span<const double> q_;
  Memory& m_;
  Counters& counters_;
  std::uint64_t asked_ = 0;
};

/// The motions of two parts, as seen from the frame of their pair's ancestor, or of the world if one is an obstacle.
std::pair<Motion, Motion> motions_of(const State& state, const Pair& pair, std::span<const double> from,
                                     std::span<const double> to);

/// A lower bound of the distance of two boxes along the axes, wherever the second is while it is moved by `way` to
/// either side; 0 where they overlap.
double box_gap(const Box3& a, const Box3& b, const Vec3& way = {});
/// Is it more than `enough`?
inline bool boxes_farther(const Box3& a, const Box3& b, double enough) {
  for (int i = 0; i < 3; ++i)
    if (a.lo[i] - b.hi[i] > enough || b.lo[i] - a.hi[i] > enough) return true;
  return false;
}
/// The same of the parts' own boxes, which turn with them, along one of their fifteen axes: certified for the exactly
/// placed bodies. Below 0 where none separates them.
/// Wherever the second is, as above.
double turned_box_gap(const Part& part_a, const Placed& a, const Part& part_b, const Placed& b, double enough,
                      const Vec3& way = {});

}  // namespace graze::robot
