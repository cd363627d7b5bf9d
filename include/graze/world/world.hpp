// SPDX-License-Identifier: MIT
#pragma once

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

#include <graze/broad/broad_phase.hpp>
#include <graze/core/export.hpp>
#include <graze/math/box3.hpp>
#include <graze/math/pose.hpp>
#include <graze/motion/chain.hpp>
#include <graze/query/body.hpp>
#include <graze/query/many_bodies.hpp>
#include <graze/world/event.hpp>
#include <graze/world/ids.hpp>
#include <graze/world/questions.hpp>

namespace graze {

namespace world {
struct State;
class Replayer;
}  // namespace world

/// What the broad phase is told of a body.
enum class BroadBoxes {
  aligned,  ///< the axis-aligned box of its placed box
  tilted,   ///< that, and the placed box itself, of which the broad phase `grid` makes use (Zachmann 5.5.1)
  cubes,    ///< a cube that holds it in any orientation: a body that only turns keeps it
};
/// "aligned", "tilted", "cubes".
GRAZE_API const char* name(BroadBoxes boxes);

struct WorldOptions {
  std::string broad = "automatic";  ///< the broad phase, by its name
  int threads = 1;                  ///< of every question; the answers are the same for any number
  bool solid = false;               ///< a body inside another also counts; every body must then be closed
  /// How many pairs may have what a method remembers of them (separating planes; for sweeps, fronts and tables).
  /// Dropped when a pair parts.
  std::size_t coherent_pairs = 4096;
  /// Changes what checks cost, and no answer; with a budget, which pairs come first.
  BroadBoxes boxes = BroadBoxes::aligned;
};

/// How a body takes part.
struct BodySettings {
  std::string name = {};              ///< for messages
  void* data = nullptr;               ///< the caller's; reaches events
  std::optional<FrameId> frame = {};  ///< the pose is relative to it
  bool interest = true;               ///< false: no contacts of this body, unless a pair's own setting says so
  std::uint32_t group = 1;            ///< two bodies are asked about if each one's mask has a bit of the other's group
  std::uint32_t mask = ~std::uint32_t{0};
};

/// What is kept for one pair; most pairs need none.
struct PairSettings {
  std::optional<bool> interest = {};     ///< none: as the bodies' own settings say
  std::string method = "automatic";      ///< of `collide`
  std::optional<double> tolerance = {};  ///< of `sweep`
  void* data = nullptr;
};

enum class CallbackOrder { one_after_another, in_parallel };

struct CheckOptions {
  CallbackOrder callbacks = CallbackOrder::one_after_another;
  // Budgets: pairs are asked nearest first, and those that are not, or not to their end, are reported as undecided and
  // asked again by the next check. What it takes to move bodies and find near pairs always happens.
  /// Ends after so long, in the middle of a pair if need be. Not reproducible; `CheckResult::asked` says how far it
  /// came.
  std::optional<std::chrono::nanoseconds> budget = {};
  /// Ends after so many tests of boxes and triangles (0: no limit), in the middle of a pair if need be. Reproducible.
  std::uint64_t work = 0;
  /// At most so many pairs. Reproducible.
  std::optional<std::uint64_t> pairs = {};
};

/// The collision module of an application (Zachmann 6 and 7): many bodies, told only what moved, reporting what
/// touches.
///
/// Not for several threads at once, except that callbacks run `in_parallel` may call it. Every call given an id of
/// something removed throws `Error` (index_out_of_range) and changes nothing; so does every other refusal.
class GRAZE_API World {
 public:
  explicit World(const WorldOptions& options = {});
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  // Bodies.
  BodyId add(const Body& body, const Pose& pose = {}, const BodySettings& settings = {});
  void remove(BodyId id);
  bool has(BodyId id) const;
  std::size_t size() const;
  /// Every body, by id.
  std::vector<BodyId> bodies() const;
  /// Marks the body moved. In a frame, the pose is relative to it.
  void move(BodyId id, const Pose& pose);
  /// Where it stands in the world, frames included; never stale.
  Pose pose(BodyId id) const;
  Body body(BodyId id) const;
  std::string name(BodyId id) const;
  void* data(BodyId id) const;

  // Bodies that change their shape. The id, the pose and the settings stay.
  /// New positions for all vertices; the polygons stay.
  void deform(BodyId id, std::span<const Vec3> positions);
  /// Another mesh: it was cut, grew, lost something.
  void replace(BodyId id, const Body& body);
  /// The body is removed, and its pieces take its place, pose, frame and settings.
  std::vector<BodyId> break_up(BodyId id, std::span<const Body> pieces);

  // Articulated bodies: one body for each entry of `links`, placed by joint coordinates on a base, which takes the
  // place of the chain's own. Neighbours, and bodies of the same link, are of no interest to each other unless asked
  // for. Their poses are the nearest doubles to where the joints put them. Throws `Error` as `Chain::link_motion` does.
  ArticulatedId add(const Chain& chain, std::span<const LinkBody> links, std::span<const double> coordinates,
                    const Pose& base = {}, const BodySettings& settings = {});
  void move(ArticulatedId id, std::span<const double> coordinates, const std::optional<Pose>& base = {});
  void remove(ArticulatedId id);
  /// In the order of `links`.
  std::vector<BodyId> bodies(ArticulatedId id) const;

  // Frames: moving one moves everything that hangs in it (Zachmann 6.0.1).
  FrameId add_frame(const Pose& pose = {}, std::optional<FrameId> parent = {});
  /// Throws `Error` (bad_option) while something hangs in it.
  void remove_frame(FrameId id);
  void move(FrameId id, const Pose& pose);
  Pose pose(FrameId id) const;
  /// Hangs the body in another frame (none: the world), at this pose in it.
  void hang(BodyId id, std::optional<FrameId> frame, const Pose& pose);

  // Interest (Zachmann 7.0.1). May change at any time: the next check asks, or ends, what that concerns.
  void interest(BodyId id, bool wanted);
  void interest(BodyId a, BodyId b, bool wanted);
  void groups(BodyId id, std::uint32_t group, std::uint32_t mask);
  void set_pair(BodyId a, BodyId b, const PairSettings& settings);
  PairSettings pair(BodyId a, BodyId b) const;

  // Callbacks; an empty one takes the old one away. For each event: the pair's, that of a, that of b, the general one.
  void on_contact(ContactCallback callback);
  void on_contact(BodyId id, ContactCallback callback);
  void on_contact(BodyId a, BodyId b, ContactCallback callback);

  /// Who touches now? Asks only pairs of which one was moved, added or changed since the last check. `began` and
  /// `ended` come once each; `stays` for every pair that was asked again and still touches. Then the callbacks run:
  /// they may call the world (what they change counts for the next check) but not its questions. If one throws, the
  /// world is as consistent as ever, and the events behind it reach their callbacks with the next check.
  CheckResult check(const CheckOptions& options = {});
  void check(const CheckOptions& options, CheckResult& result);

  /// When does who touch on the way from where it was at the last sweep (or when it was added) to where it is now?
  /// Bodies go straight and turn evenly (`Velocity`), links as their joints say; a replaced mesh just stands there.
  /// Independent of `check`.
  SweepResult sweep(const SweepOptions& options = {});
  /// All pairs of interest at most d apart, decided exactly, with their distances; by (a, b).
  std::vector<NearPair> near(double d);
  /// The first hit of every body on the straight way between two points, nearest first, then by id. Interest does not
  /// matter here.
  std::vector<BodyHit> ray(const Vec3& from, const Vec3& to);
  /// All bodies whose surfaces share a point with the solid box, decided exactly; by id.
  std::vector<BodyId> in_box(const Box3& box);

  /// Writes every call from here on, every answer's hash, and whatever time decided (budgets), into a file that
  /// `replay_world` and `graze replay` run again: the way to report a bug. Callbacks and user data are not in it, but
  /// what callbacks did to the world is. Before the first body; throws `Error` (bad_option, cannot_write).
  void record(const std::string& file);
  /// How many pairs have something remembered of them at present.
  std::size_t coherent_pairs() const;
  /// All pairs in contact as of the last check, by (a, b).
  std::vector<std::pair<BodyId, BodyId>> touching() const;
  /// The number of the last check.
  std::uint64_t frame() const;
  /// The broad phase at work (with "automatic", the one chosen at present), and what it did so far.
  std::string_view broad_method() const;
  BroadCounters broad_counters() const;

 private:
  friend class ConcurrentWorld;
  friend class world::Replayer;
  std::unique_ptr<world::State> state_;
};

}  // namespace graze
