// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <graze/ask/distance.hpp>
#include <graze/ask/first_contact.hpp>
#include <graze/body/body.hpp>
#include <graze/core/counters.hpp>
#include <graze/core/error.hpp>
#include <graze/core/export.hpp>
#include <graze/core/limits.hpp>
#include <graze/core/status.hpp>
#include <graze/math/pose.hpp>
#include <graze/motion/chain.hpp>
#include <graze/motion/trajectory.hpp>
#include <graze/robot/model.hpp>

namespace graze {

class World;

namespace robot {
struct State;
struct Memory;
}  // namespace robot

struct RobotOptions {
  Pose base = {};  ///< where the robot stands
  /// A link may touch the nearest link above it that has bodies. Default: only if the model allows no pairs by itself,
  /// because an SRDF lists such pairs, too. Links that never move relative to each other may touch in any case.
  std::optional<bool> adjacent_may_touch = {};
};

/// Something around the robot, at rest.
struct Obstacle {
  Body body;
  Pose pose = {};
  std::string name = {};
  std::vector<std::string> may_touch = {};  ///< names of links (what is attached to these may touch it, too)
  /// All points within it belong to the obstacle, too: of a cloud of points (`point_mesh`) the radius of each.
  double radius = 0;
};

/// A body that the robot holds.
struct AttachedBody {
  std::string name;
  std::string link;  ///< the link that it moves with
  Body body;
  Pose pose = {};                           ///< in the link's frame
  std::vector<std::string> may_touch = {};  ///< names of links, besides its own
};

/// What takes part in answers: a piece of a link, an attached body or an obstacle.
struct RobotPart {
  std::string name;            ///< of the link, the attached body or the obstacle
  std::optional<LinkId> link;  ///< none: an obstacle
  std::string piece;           ///< a piece's own name
};

/// Two parts, as numbers for `Robot::part`; a < b.
struct PartPair {
  std::uint32_t a = 0, b = 0;
  friend bool operator==(const PartPair&, const PartPair&) = default;
};

/// Buffers that a caller keeps between questions, one object per thread; passing none is always correct, only slower.
/// With it a warm `check` allocates nothing, unless a mesh is so near a solid box or hull that it may be inside. It
/// also holds the pairs that touched last, which are asked first: no answer depends on it.
class GRAZE_API RobotMemory {
 public:
  RobotMemory();
  ~RobotMemory();
  RobotMemory(RobotMemory&&) noexcept;
  RobotMemory& operator=(RobotMemory&&) noexcept;
  robot::Memory& memory() { return *memory_; }

 private:
  std::unique_ptr<robot::Memory> memory_;
};

struct StateOptions {
  /// Name the pair that touches: the first in the order of parts. Otherwise only whether any does.
  bool witness = true;
  // Limits: see `CancelToken`.
  std::optional<std::chrono::nanoseconds> budget = {};
  CancelToken cancel = {};
  RobotMemory* memory = nullptr;
};

struct StateResult {
  /// `free`: certified for the exact joint coordinates. `contact`: two parts touch where they are placed in doubles, or
  /// intervals cannot tell whether they do: they are at most the error of the poses apart.
  Status status = Status::undecided;
  std::optional<PartPair> pair;         ///< with `contact` and `witness`
  std::optional<LinkId> beyond_limits;  ///< a joint is outside of its limits; the status is about contact alone
  std::uint64_t asked = 0;              ///< pairs of bodies that were asked
  Counters counters;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`
};

struct RobotDistanceResult {
  Status status = Status::undecided;
  /// The least distance of any pair that may not touch, where they are placed in doubles; without any pair, infinity.
  double distance = 0;
  double lower = 0;  ///< certified: the exact distance is at least this
  std::optional<PartPair> pair;
  std::array<Vec3, 2> points{};  ///< on each, in world coordinates, rounded
  std::optional<Vec3> normal;    ///< unit, from the first to the second; none in contact
  Counters counters;
  std::optional<ErrorDetail> error;
};

struct RobotMotionOptions {
  /// false: any contact is enough, which is found sooner; true: the first.
  bool first = true;
  /// Those of each pair (`tolerance`, limits and so on). `min_separation` is added to the padding. `threads`,
  /// `coherence`, `all_contacts`, `clearance` and `certificate` are not used.
  FirstContactOptions pair = {};
  /// The proof for every pair, which `graze verify` checks: `RobotMotionResult::proofs`. Takes longer. Pairs whose
  /// motions certificates cannot state have none (docs/certificates.md).
  bool certificates = false;
  /// Of a path or a trajectory that is free: also the least distance of any pair, and where, to within this.
  std::optional<double> clearance = {};
  int threads = 1;  ///< the answer is the same for any number
  std::optional<std::chrono::nanoseconds> budget = {};
  CancelToken cancel = {};
  RobotMemory* memory = nullptr;
};

struct RobotFreeOptions {
  double min_separation = 0;             ///< that all must keep, besides the padding
  std::optional<double> tolerance = {};  ///< that of `first_contact`, for pairs that come close
  // Limits: see `CancelToken`.
  std::optional<std::chrono::nanoseconds> budget = {};
  CancelToken cancel = {};
  RobotMemory* memory = nullptr;
};

struct RobotFreeResult {
  /// `free`: certified for the whole motion of the exact joint coordinates. `contact`: two parts touch in a state on
  /// the way, which is rounded, or come within the tolerance of each other.
  Status status = Status::undecided;
  std::uint64_t asked = 0;     ///< pairs of bodies that were asked, at single times
  std::uint64_t searches = 0;  ///< pairs that came so close that `first_contact` was asked
  Counters counters;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`
};

struct PairProof {
  PartPair pair;
  Status status = Status::undecided;
  std::optional<Certificate> certificate;
  std::size_t segment = 0;
};

/// The least distance of any pair that may not touch, over a whole path, less the padding of the pair.
struct RobotClearance {
  double lower = 0, upper = 0;  ///< certified: no pair is ever nearer than `lower`; and this near at `time`, rounded
  PartPair pair;
  std::size_t segment = 0;
  double time = 0;               ///< within the segment, 0 to 1
  std::array<Vec3, 2> points{};  ///< on each, in world coordinates, rounded
};

struct RobotMotionResult {
  /// `free`: certified for the whole motion of the exact joint coordinates.
  Status status = Status::undecided;
  /// Waypoints: the segment of the contact, zero-based; `contact.time` is within it.
  std::size_t segment = 0;
  std::optional<PartPair> pair;             ///< in contact
  FirstContactResult contact;               ///< of that pair, points and normal in the world
  double safe = 0;                          ///< certified free before this time (of the segment); 1 with `free`
  std::optional<RobotClearance> clearance;  ///< of a path, if it was asked for; none: it is not free, or has no pairs
  std::vector<PairProof> proofs;
  std::uint64_t pairs = 0;  ///< that were asked with their motions; others were certified in less time
  Counters counters;
  double seconds = 0;
  std::optional<ErrorDetail> error;
};

struct RobotTrajectoryResult : RobotMotionResult {
  /// In the time of the trajectory: certified free before `safe`, which is its end with `free`; in contact at `touch`
  /// (else NaN).
  TimeBracket when;
  /// A joint that leaves its limits, in the first such segment; none: all stay within. The status is about contact
  /// alone. (A joint that follows another is compared as it is in doubles.)
  std::optional<LinkId> beyond_limits;
  std::size_t beyond_limits_in = 0;  ///< the segment
};

/// A robot among obstacles: does it touch itself or them, in a state or while its joints move? Answers hold for the
/// exact joint coordinates, not for rounded poses of links (docs/robots.md has the proof).
///
/// Questions are `const` and thread-safe; changes are not. A change throws `Error` (bad_option) if a name of a link is
/// unknown.
class GRAZE_API Robot {
 public:
  /// Throws `Error` as `Chain` does, and if a piece or an allowed pair names an unknown link.
  explicit Robot(RobotModel model, const RobotOptions& options = {});
  ~Robot();
  Robot(Robot&&) noexcept;
  Robot& operator=(Robot&&) noexcept;

  const RobotModel& model() const;
  const Chain& chain() const;
  std::size_t coordinates() const { return chain().coordinates(); }
  /// A named state on top of `q`, which sets the joints that it names: "home", or "arm/home" where several groups have
  /// one of that name. Throws `Error` (bad_option) if there is none, or more than one.
  void set_named_state(std::string_view name, std::span<double> q) const;

  // Which pairs of links may touch. Obstacles are asked with every link.
  void allow(std::string_view a, std::string_view b, std::string reason = "caller");
  void forbid(std::string_view a, std::string_view b);
  /// Why the two may touch; none: they may not, and are asked.
  std::optional<std::string> allowed(std::string_view a, std::string_view b) const;
  /// Allows all pairs that touch in every one of the given states (one after another in `states`), and returns them.
  /// A guess: that two links touch in these states does not mean that they may.
  std::vector<AllowedPair> allow_touching(std::span<const double> states);

  /// A distance that obstacles must keep from the link (and from what is attached to it), 0 or more. Links are not
  /// padded against each other.
  void padding(std::string_view link, double distance);
  /// Of all links.
  void padding(double distance);

  void attach(AttachedBody body);
  /// False: there is none of that name.
  bool detach(std::string_view name);
  const std::vector<AttachedBody>& attached() const;

  /// Throws `Error` (bad_option) also if a radius is negative or not finite.
  void surroundings(std::vector<Obstacle> obstacles);
  /// The bodies of a world as they are now. Triggers are left to the caller: give those that count.
  void surroundings(const World& world);

  std::uint32_t parts() const;
  /// Pieces as in the model, then attached bodies, then obstacles. Throws `Error` (index_out_of_range).
  RobotPart part(std::uint32_t number) const;
  /// How many pairs of parts are asked.
  std::size_t pairs() const;

  StateResult check(std::span<const double> q, const StateOptions& options = {}) const;
  void check(std::span<const double> q, const StateOptions& options, StateResult& result) const;
  RobotDistanceResult distance(std::span<const double> q, const StateOptions& options = {}) const;
  /// How the distance changes with each coordinate, for optimisers: the derivative of the distance of the pair and
  /// points in `at`, which is an answer of `distance` for these coordinates. Coordinates are independent here: for a
  /// joint that others follow, all that move are counted.
  ///
  /// If several pairs, or several points of the pair, are equally near, the distance has a kink, and this is the
  /// gradient of the one in the answer: a subgradient in the sense of Clarke. False, and zeros, in contact and where
  /// there is no pair: then there is no direction. Throws `Error` as `Chain::link_poses` does, and bad_option if
  /// `gradient` has another size.
  bool distance_gradient(std::span<const double> q, const RobotDistanceResult& at, std::span<double> gradient) const;
  /// All coordinates change evenly from one state to the other, as in `Chain`.
  RobotMotionResult check_motion(std::span<const double> from, std::span<const double> to,
                                 const RobotMotionOptions& options = {}) const;
  /// Is the motion free, yes or no: what planners ask of an edge, in a fraction of the time of `check_motion`. The
  /// status does not depend on the memory, and neither does that of `check`; the counts do. With a memory that is warm
  /// nothing is allocated, unless a pair comes so close that it has to be searched (`RobotFreeResult::searches`).
  RobotFreeResult motion_free(std::span<const double> from, std::span<const double> to,
                              const RobotFreeOptions& options = {}) const;
  void motion_free(std::span<const double> from, std::span<const double> to, const RobotFreeOptions& options,
                   RobotFreeResult& result) const;
  /// Through waypoints, one state after another in `waypoints`: straight in joint coordinates from each to the next.
  /// Ends at the first segment with a contact. Limits are those of the whole path.
  RobotMotionResult check_path(std::span<const double> waypoints, const RobotMotionOptions& options = {}) const;
  /// The same along a trajectory: polynomials of time, certified as they are.
  RobotTrajectoryResult check_trajectory(const Trajectory& trajectory, const RobotMotionOptions& options = {}) const;

 private:
  std::unique_ptr<robot::State> state_;
};

}  // namespace graze
