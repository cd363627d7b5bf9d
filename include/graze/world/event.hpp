// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <graze/ask/collide.hpp>
#include <graze/ask/manifold.hpp>
#include <graze/ask/penetration.hpp>
#include <graze/body/contact.hpp>
#include <graze/core/counters.hpp>
#include <graze/core/error.hpp>
#include <graze/core/export.hpp>
#include <graze/math/pose.hpp>
#include <graze/world/ids.hpp>

namespace graze {

enum class EventKind { began, stays, ended };
/// "began", "stays", "ended".
GRAZE_API const char* name(EventKind kind);

/// A contact event of two bodies, found by a check. It refers to the poses stored in it, even if the bodies have moved
/// since.
struct WorldEvent {
  EventKind kind = EventKind::began;
  BodyId a, b;              ///< a < b
  std::uint64_t frame = 0;  ///< number of the check; in a `ConcurrentWorld`, of the posted frame
  Pose pose_a, pose_b;
  void* data_a = nullptr;  ///< the bodies' user data
  void* data_b = nullptr;
  void* pair_data = nullptr;  ///< user data from the pair's `PairSettings`
  bool trigger = false;       ///< one of the bodies is a trigger (`BodySettings::trigger`)
  /// With margins (`BodySettings::margin`): how far the bodies are apart, if they are. `contact` is then empty, and so
  /// is what is found on request but for the manifold.
  double gap = 0;
  /// The witness, as returned by `collide`; empty for `ended`.
  std::optional<ContactKind> contact;
  Containment contained = Containment::none;
  std::optional<TrianglePair> pair;
  std::vector<Feature> features;
  std::optional<std::array<Vec3, 2>> points;  ///< on A and on B, in world coordinates, rounded
  std::optional<Vec3> normal;                 ///< unit, from A to B; none where surfaces cross or it is undefined
  /// False: the caller chose this pair's method, and that method does not certify this answer.
  bool certain = true;
  std::optional<std::array<PieceId, 2>> pieces;  ///< as for `collide`, if one of them is a compound

  // On request (`ContactDetails`), except for `ended`:
  std::vector<TrianglePair> all_pairs;       ///< all pairs of triangles that meet, as from `collide` with `all`
  std::vector<PieceContact> piece_contacts;  ///< whose pairs they are, if one of the bodies is a compound
  std::optional<ManifoldResult> manifold;    ///< as from `manifold`
  std::optional<PenetrationResult> depth;    ///< as from `penetration`
};

/// What events, and contacts of a sweep, carry in addition to the witness. Each of these is a further question about
/// the two bodies in contact. The answers are the same for any number of threads. If `budget` or `cancel` ends a check,
/// the details of the events that it had found may be missing: `all_pairs` is then empty, and the status of the others
/// is `undecided`.
struct ContactDetails {
  bool all_pairs = false, manifold = false, depth = false;
  double margin = 0;  ///< of the manifold
};

/// Called by `World::check` for every event, sequentially unless `CheckOptions::callbacks` is `in_parallel`.
using ContactCallback = std::function<void(const WorldEvent&)>;

/// A pair that may touch, but that a check could not decide.
struct UndecidedPair {
  BodyId a, b;
  bool in_contact = false;  ///< the result of the last check that decided it
  /// Set if the pair's method rejects these bodies. Otherwise a limit ended the check, or the pair's own method is
  /// one-sided and could not decide.
  std::optional<ErrorDetail> error;
};

/// All counters of a world's questions, each with its meaning.
#define GRAZE_WORLD_COUNTERS(X)                                                          \
  X(bodies_placed, "poses and boxes computed, because a body or a frame above it moved") \
  X(near_pairs, "pairs whose boxes overlap and of which one moved")                      \
  X(of_no_interest, "of these, pairs that are not of interest (Zachmann 7.0.1)")         \
  X(answers_kept, "pairs that were not asked about, because the answer was known")       \
  X(boxes_compared, "boxes that `nearest` compared with its point")                      \
  X(asked, "pairs that a method was asked about")                                        \
  X(contacts, "of these, pairs in contact")                                              \
  X(cut_short, "pairs that a budget left in the middle")                                 \
  X(trees_refitted, "deformed bodies whose tree got new bounds, since the last check")   \
  X(trees_rebuilt, "deformed bodies whose tree was built anew, since the last check")    \
  X(memories_dropped, "pairs that parted, and what a method remembered of them with it") \
  X(memories_refused, "pairs whose data was not kept because there were too many")

/// The work done by a world's questions.
struct WorldCounters {
#define GRAZE_X(name, meaning) std::uint64_t name = 0;
  GRAZE_WORLD_COUNTERS(GRAZE_X)
#undef GRAZE_X
  Counters methods;  ///< the counters of the methods that were called

  WorldCounters& operator+=(const WorldCounters& other) {
#define GRAZE_X(name, meaning) name += other.name;
    GRAZE_WORLD_COUNTERS(GRAZE_X)
#undef GRAZE_X
    methods += other.methods;
    return *this;
  }
};

/// Calls `visit(name, meaning, value)` for every counter of the list above, but not for those in `methods`.
template <class Visit>
void for_each_counter(const WorldCounters& counters, Visit&& visit) {
#define GRAZE_X(name, meaning) visit(#name, meaning, counters.name);
  GRAZE_WORLD_COUNTERS(GRAZE_X)
#undef GRAZE_X
}

struct CheckResult {
  std::uint64_t frame = 0;
  std::vector<WorldEvent> events;        ///< ordered by (a, b)
  std::uint64_t asked = 0;               ///< how many pairs were tested to completion; with limits, the nearest ones
  std::vector<UndecidedPair> undecided;  ///< nearest first: by deepest box overlap, then (a, b)
  WorldCounters counters;
  double seconds = 0;  ///< excluding callbacks
};

/// A hash of a list of events: kinds, ids, frames, poses and witnesses, bit by bit. Equal lists have equal hashes;
/// different lists hardly ever do. `before` is the hash of the preceding events.
GRAZE_API std::uint64_t event_hash(std::span<const WorldEvent> events, std::uint64_t before = 0);

}  // namespace graze
