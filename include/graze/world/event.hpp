// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <graze/core/counters.hpp>
#include <graze/core/error.hpp>
#include <graze/core/export.hpp>
#include <graze/math/pose.hpp>
#include <graze/query/collide.hpp>
#include <graze/query/contact.hpp>
#include <graze/world/ids.hpp>

namespace graze {

enum class EventKind { began, stays, ended };
/// "began", "stays", "ended".
GRAZE_API const char* name(EventKind kind);

/// Something about two bodies that a check found out. Speaks of the poses it carries, whatever the bodies did since.
struct WorldEvent {
  EventKind kind = EventKind::began;
  BodyId a, b;              ///< a < b
  std::uint64_t frame = 0;  ///< of the check; in a `ConcurrentWorld`, of the frame that was posted
  Pose pose_a, pose_b;
  void* data_a = nullptr;  ///< the bodies' user data
  void* data_b = nullptr;
  void* pair_data = nullptr;  ///< that of the pair's own settings
  /// The witness, as `collide` gives it; empty of `ended`.
  std::optional<ContactKind> contact;
  Containment contained = Containment::none;
  std::optional<TrianglePair> pair;
  std::vector<Feature> features;
  std::optional<std::array<Vec3, 2>> points;  ///< on A and on B, in the world, rounded
  std::optional<Vec3> normal;                 ///< unit, from A to B; none where surfaces cross or it is undefined
  /// False: this pair's method was chosen by the caller and is not certain of such an answer.
  bool certain = true;
};

/// Called by `World::check` for every event, one after another unless asked otherwise.
using ContactCallback = std::function<void(const WorldEvent&)>;

/// A pair that may touch, and about which a check could not tell.
struct UndecidedPair {
  BodyId a, b;
  bool in_contact = false;           ///< as of the last time it was decided
  std::optional<ErrorDetail> error;  ///< where the pair's method refuses these bodies; else the budget ran out, or the
                                     ///< pair's own method is one-sided and could not tell
};

/// Every counter of a world's questions with the idea it shows at work.
#define GRAZE_WORLD_COUNTERS(X)                                                          \
  X(bodies_placed, "poses and boxes computed, because a body or a frame above it moved") \
  X(near_pairs, "pairs whose boxes overlap and of which one moved")                      \
  X(of_no_interest, "of these, pairs that nobody wants to know about (Zachmann 7.0.1)")  \
  X(asked, "pairs that a method was asked about")                                        \
  X(contacts, "of these, pairs in contact")                                              \
  X(cut_short, "pairs that a budget left in the middle")                                 \
  X(trees_refitted, "deformed bodies whose tree got new bounds, since the last check")   \
  X(trees_rebuilt, "deformed bodies whose tree was built anew, since the last check")    \
  X(memories_dropped, "pairs that parted, and what a method remembered of them with it") \
  X(memories_refused, "pairs of which nothing is remembered: there are too many already")

/// What a world's questions cost.
struct WorldCounters {
#define GRAZE_X(name, meaning) std::uint64_t name = 0;
  GRAZE_WORLD_COUNTERS(GRAZE_X)
#undef GRAZE_X
  Counters methods;  ///< what the methods did

  WorldCounters& operator+=(const WorldCounters& other) {
#define GRAZE_X(name, meaning) name += other.name;
    GRAZE_WORLD_COUNTERS(GRAZE_X)
#undef GRAZE_X
    methods += other.methods;
    return *this;
  }
};

/// Calls `visit(name, meaning, value)` for every counter of the list above; `methods` has its own.
template <class Visit>
void for_each_counter(const WorldCounters& counters, Visit&& visit) {
#define GRAZE_X(name, meaning) visit(#name, meaning, counters.name);
  GRAZE_WORLD_COUNTERS(GRAZE_X)
#undef GRAZE_X
}

struct CheckResult {
  std::uint64_t frame = 0;
  std::vector<WorldEvent> events;        ///< by (a, b)
  std::uint64_t asked = 0;               ///< how many pairs, to their end; under a budget, the nearest
  std::vector<UndecidedPair> undecided;  ///< nearest first: deepest overlap of boxes, then (a, b)
  WorldCounters counters;
  double seconds = 0;  ///< without callbacks
};

/// A number that two equal lists of events share, and different ones hardly ever: of kinds, ids, frames, poses and
/// witnesses, bit by bit. `before` is the hash of the events that came before.
GRAZE_API std::uint64_t event_hash(std::span<const WorldEvent> events, std::uint64_t before = 0);

}  // namespace graze
