// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>
#include <graze/ask/first_contact.hpp>
#include <graze/ask/motion_free.hpp>
#include <graze/ask/ray.hpp>
#include <graze/core/export.hpp>

namespace graze {

/// An argument of a batch: one value for all entries, or a list with one for each. It refers to the caller's values and
/// is meant for function arguments only.
template <class T>
class ForEach {
 public:
  /// The same for all entries.
  ForEach(const T& same) : values_(&same, 1), same_(true) {}
  /// One for each entry: a vector, an array, a span.
  template <class List>
  requires std::convertible_to<const List&, std::span<const T>> ForEach(const List& each) : values_(each) {}

  const T& operator[](std::size_t entry) const { return values_[same_ ? 0 : entry]; }
  bool has(std::size_t entries) const { return same_ || values_.size() == entries; }
  bool is_list() const { return !same_; }
  std::size_t size() const { return values_.size(); }

 private:
  std::span<const T> values_;
  bool same_ = false;
};

/// What batches keep from one to the next: with it, and with results that are used again, a batch allocates nothing
/// once it is warm (except inside the library that runs the threads). Not for two batches at the same time. May serve
/// any bodies, but is fastest if it serves the same pair.
class GRAZE_API ManyMemory {
 public:
  ManyMemory();
  ~ManyMemory();
  ManyMemory(ManyMemory&&) noexcept;
  ManyMemory& operator=(ManyMemory&&) noexcept;
  struct State;
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

/// Options of a batch of questions.
template <class Options>
struct ManyOptions {
  /// Those of each entry. Its limits apply to each entry separately. Its `threads`, `coherence` and `method_counters`
  /// are not used: an entry is answered by one thread.
  Options each = {};
  int threads = 1;  ///< the answers are the same for any number
  // Limits of the whole batch: see `CancelToken`. Entries that are not answered are `undecided`.
  std::optional<std::chrono::nanoseconds> budget = {};
  CancelToken cancel = {};
  ManyMemory* memory = nullptr;  ///< none: made for this batch
};

/// How the entries of a batch were answered.
struct ManyResult {
  /// `invalid_request`: the batch or an entry was refused; otherwise `contact`: at least one entry is `contact` or
  /// `touching_at_start`; otherwise `undecided`: at least one entry is; otherwise `free`: certified for all entries.
  Status status = Status::undecided;
  std::size_t free = 0, contact = 0, undecided = 0, invalid = 0;  ///< numbers of entries
  double seconds = 0;
  /// With `invalid_request`. Of the batch: the lists do not fit together, or its own options are wrong; all entries are
  /// then `undecided`. Otherwise of the first entry that was refused.
  std::optional<ErrorDetail> error;
};

/// The question `collide`, for one pair of bodies at many poses. Entry i asks about `poses_a[i]` and `poses_b[i]`, and
/// its answer goes to `results[i]`; it is the answer of the single question, whatever the number of threads. Lists must
/// have as many entries as `results`; a single pose stands for all entries.
GRAZE_API ManyResult collide_many(const Body& a, ForEach<Pose> poses_a, const Body& b, ForEach<Pose> poses_b,
                                  std::span<CollideResult> results, const ManyOptions<CollideOptions>& options = {});
/// The same for `distance`. (An entry whose surfaces touch allocates memory.)
GRAZE_API ManyResult distance_many(const Body& a, ForEach<Pose> poses_a, const Body& b, ForEach<Pose> poses_b,
                                   std::span<DistanceResult> results, const ManyOptions<DistanceOptions>& options = {});
/// The same for `first_contact`, of many motions.
GRAZE_API ManyResult first_contact_many(const Body& a, ForEach<Motion> motions_a, const Body& b,
                                        ForEach<Motion> motions_b, std::span<FirstContactResult> results,
                                        const ManyOptions<FirstContactOptions>& options = {});
/// The same for `motion_free`: what a planner asks of many edges.
GRAZE_API ManyResult motion_free_many(const Body& a, ForEach<Motion> motions_a, const Body& b,
                                      ForEach<Motion> motions_b, std::span<MotionFreeResult> results,
                                      const ManyOptions<FirstContactOptions>& options = {});
/// The same for `cast_ray`: many rays, one body.
GRAZE_API ManyResult cast_rays(const Body& body, const Pose& pose, ForEach<Ray> rays, std::span<RayResult> results,
                               const ManyOptions<RayOptions>& options = {});

}  // namespace graze
