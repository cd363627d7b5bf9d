// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <graze/core/export.hpp>
#include <graze/world/world.hpp>

namespace graze {

struct ConcurrentOptions {
  WorldOptions world = {};
  /// Its `method_counters` is not used; nor is that of `ask_sweep`.
  CheckOptions check = {};
  /// True: check every posted frame in order, however long that takes. False: check only the newest posted frame. Older
  /// frames are applied (their changes are never lost) but not checked; `skipped_frames` counts them.
  bool every_frame = false;
};

/// The pose of a body in a frame.
struct BodyPose {
  BodyId body;
  Pose pose;
};

/// The detector's answer to a question that was posted with a frame.
struct ConcurrentAnswer {
  std::uint64_t question = 0;  ///< the number that `ask_...` returned
  std::uint64_t frame = 0;     ///< the frame it was posted with; the answer refers to that frame
  /// The result of `ask_sweep`, `ask_near`, `ask_ray`, `ask_in_box`, `ask_cast`, `ask_overlap`, `ask_nearest` or
  /// `ask_rays` (a list for each ray); `monostate` if there is an error and the result has no status.
  std::variant<std::monostate, SweepResult, NearResult, std::vector<BodyHit>, std::vector<BodyId>, CastResult,
               OverlapResult, NearestResult, std::vector<std::vector<BodyHit>>>
      answer;
  /// The pose of every body that the answer names, ordered by id. If a sweep moved bodies back along their paths
  /// (`advance`), these are the poses it moved them to.
  std::vector<BodyPose> poses;
  std::optional<ErrorDetail> error;  ///< set if the world rejected the question
};

/// A world whose checks run in a separate detector thread, so that the application never waits (Zachmann 6.4). The
/// application describes what changed and posts it as a frame. The detector takes all frames posted so far, runs a
/// check, and stores the result until the application takes it. Every event carries its frame number and the poses it
/// refers to.
///
/// Make all calls from one application thread; only `posted`, `checked` and `skipped_frames` may be called from any
/// thread. Ids, rejected calls and errors are as for `World`. An id returned here is valid immediately.
class GRAZE_API ConcurrentWorld {
 public:
  explicit ConcurrentWorld(const ConcurrentOptions& options = {});
  /// Stops the detector. A running check, sweep or `near` is cancelled. Results that were not
  /// taken are lost.
  ~ConcurrentWorld();
  ConcurrentWorld(ConcurrentWorld&&) noexcept;
  ConcurrentWorld& operator=(ConcurrentWorld&&) noexcept;

  BodyId add(const Body& body, const Pose& pose = {}, const BodySettings& settings = {});
  void remove(BodyId id);
  bool has(BodyId id) const;
  void move(BodyId id, const Pose& pose);
  void teleport(BodyId id, const Pose& pose);
  void deform(BodyId id, std::vector<Vec3> positions);
  void replace(BodyId id, const Body& body);
  std::vector<BodyId> break_up(BodyId id, std::span<const Body> pieces);

  ArticulatedId add(const Chain& chain, std::span<const LinkBody> links, std::span<const double> coordinates,
                    const Pose& base = {}, const BodySettings& settings = {});
  void move(ArticulatedId id, std::span<const double> coordinates, const std::optional<Pose>& base = {});
  void teleport(ArticulatedId id, std::span<const double> coordinates, const std::optional<Pose>& base = {});
  void remove(ArticulatedId id);
  std::vector<BodyId> bodies(ArticulatedId id) const;

  FrameId add_frame(const Pose& pose = {}, std::optional<FrameId> parent = {});
  void remove_frame(FrameId id);
  void move(FrameId id, const Pose& pose);
  void teleport(FrameId id, const Pose& pose);
  void attach(FrameId id, std::optional<FrameId> parent, const Pose& pose);
  void attach(BodyId id, std::optional<FrameId> frame, const Pose& pose);
  void attach(ArticulatedId id, std::optional<FrameId> frame, const Pose& base);

  void interest(BodyId id, bool wanted);
  void interest(BodyId a, BodyId b, bool wanted);
  void groups(BodyId id, std::uint32_t group, std::uint32_t mask);
  void trigger(BodyId id, bool is_trigger);
  void margin(BodyId id, double distance);
  void set_pair(BodyId a, BodyId b, const PairSettings& settings);
  // Callbacks run in the detector's threads. They must not call this object: such calls throw `Error` (bad_option),
  // except for `posted`, `checked` and `skipped_frames`.
  void on_contact(ContactCallback callback);
  void on_contact(BodyId id, ContactCallback callback);
  void on_contact(BodyId a, BodyId b, ContactCallback callback);
  /// As `World::record`: records the detector's calls in the order in which it makes them. Call it before adding the
  /// first body.
  void record(const std::string& file);

  // The same questions as in `World`. A question refers to the next posted frame, including all calls made before that
  // post, and is answered whether or not that frame is checked. Each call returns the question's number, starting at 1;
  // `take` returns the answers.
  std::uint64_t ask_sweep(const SweepOptions& options = {});
  std::uint64_t ask_near(double d, const NearOptions& options = {});
  std::uint64_t ask_ray(const Vec3& from, const Vec3& to, const WorldRayOptions& options = {});
  std::uint64_t ask_rays(std::span<const Ray> rays, const WorldRayOptions& options = {});
  std::uint64_t ask_in_box(const Box3& box);
  std::uint64_t ask_cast(const Body& body, const Motion& motion, const CastOptions& options = {});
  std::uint64_t ask_overlap(const Body& body, const Pose& pose, const OverlapOptions& options = {});
  std::uint64_t ask_nearest(const Vec3& point, std::size_t k, const NearestOptions& options = {});

  /// Posts all calls made since the last post as one frame. Returns its number, starting at 1.
  std::uint64_t post();
  /// Appends the results of all checks that finished since the last call, oldest first. Rethrows an exception thrown by
  /// a callback.
  void take(std::vector<CheckResult>& out);
  /// Appends the available answers, in the order in which the questions were asked.
  void take(std::vector<ConcurrentAnswer>& out);

  std::uint64_t posted() const;          ///< the number of the last frame posted
  std::uint64_t checked() const;         ///< the number of the last frame that the detector has finished with
  std::uint64_t skipped_frames() const;  ///< how many frames were applied without a check of their own
  /// Blocks until the detector has finished with every posted frame.
  void wait() const;

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace graze
