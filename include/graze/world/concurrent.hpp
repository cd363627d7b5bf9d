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
  CheckOptions check = {};
  /// Check every frame posted, one after the other, however long that takes. False: only the newest; those before it
  /// take place (what they changed is never lost) but are not checked, and are counted in `skipped_frames`.
  bool every_frame = false;
};

/// Where a body was in a frame.
struct BodyPose {
  BodyId body;
  Pose pose;
};

/// What the detector answered to a question posted with a frame.
struct ConcurrentAnswer {
  std::uint64_t question = 0;  ///< the number that `ask_...` gave it
  std::uint64_t frame = 0;     ///< with which it was posted: the answer speaks of that frame
  /// Of `ask_sweep`, `ask_near`, `ask_ray`, `ask_in_box`; nothing, if there is an error.
  std::variant<std::monostate, SweepResult, std::vector<NearPair>, std::vector<BodyHit>, std::vector<BodyId>> answer;
  /// Of every body that the answer names, by id; of a sweep that put bodies back on their way, where it put them.
  std::vector<BodyPose> poses;
  std::optional<ErrorDetail> error;  ///< what the world refused
};

/// A world whose checks run in a thread of their own, beside the application, which never waits (Zachmann 6.4). The
/// application says what changed, and posts it as a frame; the detector takes all frames posted so far, checks, and
/// puts the result where the application can take it. Every event carries the number of its frame and the poses it
/// speaks of.
///
/// All calls belong to one application thread, except that `posted`, `checked` and `skipped_frames` may be asked by
/// any. Ids, refusals and errors are as for `World`; an id given here is good at once.
class GRAZE_API ConcurrentWorld {
 public:
  explicit ConcurrentWorld(const ConcurrentOptions& options = {});
  /// Ends the detector: a check under way is cut short, another question comes to its end. What was not taken is gone.
  ~ConcurrentWorld();
  ConcurrentWorld(ConcurrentWorld&&) noexcept;
  ConcurrentWorld& operator=(ConcurrentWorld&&) noexcept;

  BodyId add(const Body& body, const Pose& pose = {}, const BodySettings& settings = {});
  void remove(BodyId id);
  bool has(BodyId id) const;
  void move(BodyId id, const Pose& pose);
  void deform(BodyId id, std::vector<Vec3> positions);
  void replace(BodyId id, const Body& body);
  std::vector<BodyId> break_up(BodyId id, std::span<const Body> pieces);

  ArticulatedId add(const Chain& chain, std::span<const LinkBody> links, std::span<const double> coordinates,
                    const Pose& base = {}, const BodySettings& settings = {});
  void move(ArticulatedId id, std::span<const double> coordinates, const std::optional<Pose>& base = {});
  void remove(ArticulatedId id);
  std::vector<BodyId> bodies(ArticulatedId id) const;

  FrameId add_frame(const Pose& pose = {}, std::optional<FrameId> parent = {});
  void remove_frame(FrameId id);
  void move(FrameId id, const Pose& pose);
  void hang(BodyId id, std::optional<FrameId> frame, const Pose& pose);

  void interest(BodyId id, bool wanted);
  void interest(BodyId a, BodyId b, bool wanted);
  void groups(BodyId id, std::uint32_t group, std::uint32_t mask);
  void set_pair(BodyId a, BodyId b, const PairSettings& settings);
  // Callbacks run in the detector's thread and must not call this object.
  void on_contact(ContactCallback callback);
  void on_contact(BodyId id, ContactCallback callback);
  void on_contact(BodyId a, BodyId b, ContactCallback callback);
  /// As `World::record`: what the detector does, in the order in which it does it. Before the first body.
  void record(const std::string& file);

  // Questions as `World` has them, asked of the frame that is posted next, with all that was called before that post,
  // and in every frame, checked or not. Each returns its number, 1 for the first; the answers come by `take`.
  std::uint64_t ask_sweep(const SweepOptions& options = {});
  std::uint64_t ask_near(double d);
  std::uint64_t ask_ray(const Vec3& from, const Vec3& to);
  std::uint64_t ask_in_box(const Box3& box);

  /// What was called since the last post is a frame; returns its number, 1 for the first.
  std::uint64_t post();
  /// Adds the results of all checks that ended since, oldest first. Rethrows what a callback threw.
  void take(std::vector<CheckResult>& out);
  /// Adds the answers there are to questions, in the order in which these were asked.
  void take(std::vector<ConcurrentAnswer>& out);

  std::uint64_t posted() const;          ///< the number of the last frame posted
  std::uint64_t checked() const;         ///< the number of the last frame that took place
  std::uint64_t skipped_frames() const;  ///< how many took place without a check of their own
  /// For whoever wants to wait after all: until every frame posted has taken place.
  void wait() const;

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace graze
