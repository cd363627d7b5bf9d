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

#include <graze/ask/many_bodies.hpp>
#include <graze/body/body.hpp>
#include <graze/broad/broad_phase.hpp>
#include <graze/core/export.hpp>
#include <graze/math/box3.hpp>
#include <graze/math/pose.hpp>
#include <graze/motion/chain.hpp>
#include <graze/motion/motion.hpp>
#include <graze/world/event.hpp>
#include <graze/world/ids.hpp>
#include <graze/world/questions.hpp>

namespace graze {

namespace world {
struct State;
class Replayer;
}  // namespace world

/// Which bounding box of a body the broad phase uses.
enum class BroadBoxes {
  aligned,  ///< the axis-aligned box of its placed box
  tilted,   ///< that, and the placed (oriented) box itself, which only the broad phase `grid` uses (Zachmann 5.5.1)
  cubes,    ///< a cube that contains the body in any orientation: it does not change while the body only rotates
};
/// "aligned", "tilted", "cubes".
GRAZE_API const char* name(BroadBoxes boxes);

struct WorldOptions {
  std::string broad = "automatic";  ///< the broad phase, by its name
  /// Options of the broad phase, apart from its name (`method`, which is not used here). They change no answer.
  BroadOptions broad_options = {};
  int threads = 1;     ///< used by every question; the answers are the same for any number
  bool solid = false;  ///< a body inside another also counts as contact; every body must then be closed
  /// The maximum number of pairs for which methods keep coherence data (separating planes; for sweeps, fronts and
  /// tables). The data of a pair is dropped when the pair separates. 0 also means that `near` keeps no answers.
  std::size_t coherent_pairs = 4096;
  /// Affects the cost of checks but no answer; with a budget, it also affects which pairs are tested first.
  BroadBoxes boxes = BroadBoxes::aligned;
};

/// Settings of one body.
struct BodySettings {
  std::string name = {};              ///< for messages
  void* data = nullptr;               ///< user data; copied into events
  std::optional<FrameId> frame = {};  ///< the pose is relative to this frame
  bool interest = true;               ///< false: no contacts of this body, unless `PairSettings::interest` overrides it
  /// Two bodies are tested only if each one's mask has a bit of the other's group.
  std::uint32_t group = 1;
  std::uint32_t mask = ~std::uint32_t{0};
  /// A trigger causes events, but is never an obstacle: `sweep` lists its contacts separately (`SweepResult::triggers`)
  /// and stops nobody because of them.
  bool trigger = false;
  /// For `check`, the body touches what is at most this far away; the margins of two bodies add. Finite, at least 0. An
  /// event of two bodies that are apart has the gap, and points, normal and features as from `distance`. Other
  /// questions are about the bodies themselves.
  double margin = 0;
};

/// Settings of one pair; most pairs need none.
struct PairSettings {
  std::optional<bool> interest = {};     ///< none: the bodies' own settings apply
  std::string method = "tree";           ///< a method of `collide`
  std::optional<double> tolerance = {};  ///< used by `sweep`
  void* data = nullptr;
};

enum class CallbackOrder { one_after_another, in_parallel };

struct CheckOptions {
  CallbackOrder callbacks = CallbackOrder::one_after_another;
  // Limits: see `CancelToken`. Pairs are tested nearest first. Pairs that were not tested, or not to completion, are
  // reported as undecided and tested again by the next check. Limits do not apply to moving the bodies and finding near
  // pairs. A step is a test of two boxes or of two triangles; a check may be stopped in the middle of a pair, and
  // `CheckResult::asked` tells how many pairs were completed. What margins need is part of the same budget.
  std::uint64_t work = 0;
  std::optional<std::chrono::nanoseconds> budget = {};
  CancelToken cancel = {};
  /// What events carry in addition to the witness. `work` and `pairs` do not count these questions.
  ContactDetails details = {};
  /// Tests at most this many pairs. Reproducible.
  std::optional<std::uint64_t> pairs = {};
  /// If set: filled with the sum of the methods' own counters over the pairs.
  MethodCounters* method_counters = nullptr;
};

/// The collision module of an application (Zachmann 6 and 7): it holds many bodies, is told only which of them moved,
/// and reports which of them touch.
///
/// Not thread-safe, except that callbacks run `in_parallel` may call it. Every call with the id of a removed object
/// throws `Error` (index_out_of_range) and changes nothing; see `Error` for other rejected calls.
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
  /// All bodies, ordered by id.
  std::vector<BodyId> bodies() const;
  /// Marks the body as moved. If the body is attached to a frame, the pose is relative to that frame.
  void move(BodyId id, const Pose& pose);
  /// Puts the body there; it was not moved there. The next sweep starts at this pose: nothing between the old and the
  /// new pose counts. Checks see it as moved. In a frame, the pose is relative to that frame.
  void teleport(BodyId id, const Pose& pose);
  /// The body's current pose in the world, including the effect of frames; always up to date.
  Pose pose(BodyId id) const;
  /// The pose that the next sweep will move the body on to. Set after a sweep with `advance` that a limit ended,
  /// until the next sweep, or until the body is moved, deformed, attached to another frame, replaced or broken up.
  std::optional<Pose> destination(BodyId id) const;
  /// The shape that the next sweep will deform the body on to, as long as `destination` is set; none if the body keeps
  /// its present shape.
  std::optional<Body> destination_body(BodyId id) const;
  Body body(BodyId id) const;
  std::string name(BodyId id) const;
  void* data(BodyId id) const;

  // Changes of a body's shape. A deformed or replaced body keeps its id, pose and settings.
  /// Sets new positions for all vertices; the polygons are unchanged.
  void deform(BodyId id, std::span<const Vec3> positions);
  /// Replaces the mesh, for example after cutting or adding parts.
  void replace(BodyId id, const Body& body);
  /// Removes the body and adds its pieces instead, with its pose, frame and settings.
  std::vector<BodyId> break_up(BodyId id, std::span<const Body> pieces);

  // Articulated bodies: one body for each entry of `links`, placed by joint coordinates relative to `base`, which
  // replaces the chain's own base. If there is a frame (`BodySettings::frame`, `attach`), the base is relative to it.
  // Neighbouring links, and bodies of the same link, are not tested against each other unless requested. The bodies'
  // poses are the doubles nearest to the poses that the joints define. Throws `Error` as `Chain::link_motion` does.
  ArticulatedId add(const Chain& chain, std::span<const LinkBody> links, std::span<const double> coordinates,
                    const Pose& base = {}, const BodySettings& settings = {});
  void move(ArticulatedId id, std::span<const double> coordinates, const std::optional<Pose>& base = {});
  /// As for a body: all links are put there, and the next sweep starts there.
  void teleport(ArticulatedId id, std::span<const double> coordinates, const std::optional<Pose>& base = {});
  void remove(ArticulatedId id);
  /// In the order of `links`.
  std::vector<BodyId> bodies(ArticulatedId id) const;

  // Frames: moving a frame moves everything attached to it (Zachmann 6.0.1).
  FrameId add_frame(const Pose& pose = {}, std::optional<FrameId> parent = {});
  /// Throws `Error` (bad_option) while something is attached to it.
  void remove_frame(FrameId id);
  void move(FrameId id, const Pose& pose);
  /// As for a body: everything attached to the frame, directly or through other frames, is put there.
  void teleport(FrameId id, const Pose& pose);
  Pose pose(FrameId id) const;
  /// Attaches the body to another frame (none: the world), at this pose relative to it.
  void attach(BodyId id, std::optional<FrameId> frame, const Pose& pose);

  /// Attaches the frame, with everything attached to it, to another frame (none: the world), at this pose relative to
  /// it. Throws `Error` (bad_option) if that frame is this one or is attached to it.
  void attach(FrameId id, std::optional<FrameId> parent, const Pose& pose);
  /// Attaches the articulated body to another frame (none: the world), with this base relative to it.
  void attach(ArticulatedId id, std::optional<FrameId> frame, const Pose& base);

  // Interest (Zachmann 7.0.1). May change at any time: the next check tests the affected pairs or ends their contacts.
  void interest(BodyId id, bool wanted);
  void interest(BodyId a, BodyId b, bool wanted);
  void groups(BodyId id, std::uint32_t group, std::uint32_t mask);
  /// See `BodySettings::trigger`.
  void trigger(BodyId id, bool is_trigger);
  /// See `BodySettings::margin`. Throws `Error` (bad_option).
  void margin(BodyId id, double distance);
  void set_pair(BodyId a, BodyId b, const PairSettings& settings);
  PairSettings pair(BodyId a, BodyId b) const;

  // Callbacks; an empty one removes the old one. The order for each event: the pair's, that of a, that of b, the
  // general one.
  void on_contact(ContactCallback callback);
  void on_contact(BodyId id, ContactCallback callback);
  void on_contact(BodyId a, BodyId b, ContactCallback callback);

  /// Which bodies touch now? Tests only pairs in which a body was moved, added or changed since the last check. `began`
  /// and `ended` are reported once each; `stays` is reported for every pair that was tested again and still touches.
  /// Then the callbacks run. They may call the world, except for its questions; their changes take effect in the next
  /// check. If a callback throws, the world stays consistent, and the remaining events are delivered to their callbacks
  /// by the next check.
  CheckResult check(const CheckOptions& options = {});
  void check(const CheckOptions& options, CheckResult& result);

  /// When do bodies first touch, moving from their poses at the last sweep (or at which they were added) to their
  /// current poses? Bodies move with constant linear and angular velocity (`Velocity`), links as their joints define; a
  /// body whose mesh was replaced does not move. Independent of `check`.
  SweepResult sweep(const SweepOptions& options = {});
  void sweep(const SweepOptions& options, SweepResult& result);
  /// All pairs of interest at most d apart (d >= 0, finite), decided exactly, with their distances. The answers are
  /// kept: asked again with the same d, it asks only about pairs of which a body was placed anew, and repeats the
  /// others (counter `answers_kept`; their own counters are those of the first time).
  NearResult near(double d, const NearOptions& options = {});
  void near(double d, const NearOptions& options, NearResult& result);
  /// The first hit on every body of the line segment between two points, ordered by the exact fraction, then by id.
  /// Ignores interest settings.
  std::vector<BodyHit> ray(const Vec3& from, const Vec3& to, const WorldRayOptions& options = {});
  /// The same, writing into a list that is reused.
  void ray(const Vec3& from, const Vec3& to, const WorldRayOptions& options, std::vector<BodyHit>& hits);
  /// Many rays, on the world's threads; `hits[i]` are those of `rays[i]`. Throws `Error` (bad_option) if there are not
  /// as many lists as rays. A warm call allocates nothing beside what single rays allocate.
  void rays(std::span<const Ray> rays, const WorldRayOptions& options, std::span<std::vector<BodyHit>> hits);
  /// All bodies whose surfaces share a point with the solid box, decided exactly; ordered by id.
  std::vector<BodyId> in_box(const Box3& box);
  /// What does a body, which need not belong to the world, first meet on its way through the world as it is now? A
  /// shape is solid, and so is everything in a world made with `solid`. Ignores interest settings and pair settings.
  CastResult cast(const Body& body, const Motion& motion, const CastOptions& options = {});
  void cast(const Body& body, const Motion& motion, const CastOptions& options, CastResult& result);
  /// Which bodies does a body at this pose touch? For a sphere or an oriented box, give a shape: it is solid.
  OverlapResult overlap(const Body& body, const Pose& pose, const OverlapOptions& options = {});
  void overlap(const Body& body, const Pose& pose, const OverlapOptions& options, OverlapResult& result);
  /// The k bodies nearest to a point. The distance to a mesh is that to its surface; in a world made with `solid`, and
  /// for shapes, it is 0 inside.
  NearestResult nearest(const Vec3& point, std::size_t k, const NearestOptions& options = {});
  void nearest(const Vec3& point, std::size_t k, const NearestOptions& options, NearestResult& result);

  /// From now on, writes every call, the hash of every answer, and everything that depended on time (budgets,
  /// cancellation) into a file. `replay_world` and `graze replay` repeat it: use it to report a bug. Callbacks and user
  /// data are not recorded, but the calls that callbacks make on the world are. Nor are questions other than checks and
  /// sweeps that time or a cancellation ended, and casts along an `OwnMotion`. Call it before adding the first body.
  /// Throws `Error` (bad_option, cannot_write).
  void record(const std::string& file);
  /// The number of pairs that currently have coherence data.
  std::size_t coherent_pairs() const;
  /// All pairs in contact as of the last check, ordered by (a, b).
  std::vector<std::pair<BodyId, BodyId>> touching() const;
  /// The number of the last check.
  std::uint64_t frame() const;
  /// The broad phase in use (with "automatic", the one currently chosen), and its counters so far.
  std::string_view broad_method() const;
  BroadCounters broad_counters() const;

 private:
  friend class ConcurrentWorld;
  friend class world::Replayer;
  std::unique_ptr<world::State> state_;
};

}  // namespace graze
