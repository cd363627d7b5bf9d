// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
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

/// What a world's questions cost.
struct WorldCounters {
  std::uint64_t bodies_placed = 0;   ///< poses and boxes computed
  std::uint64_t near_pairs = 0;      ///< pairs whose boxes overlap and of which one moved
  std::uint64_t of_no_interest = 0;  ///< of these, pairs that nobody wants to know about (Zachmann 7.0.1)
  std::uint64_t asked = 0;           ///< pairs that a method was asked about
  std::uint64_t contacts = 0;        ///< of these, pairs in contact
  Counters methods;                  ///< what the methods did
};

struct CheckResult {
  std::uint64_t frame = 0;
  std::vector<WorldEvent> events;        ///< by (a, b)
  std::vector<UndecidedPair> undecided;  ///< nearest first: deepest overlap of boxes, then (a, b)
  WorldCounters counters;
  double seconds = 0;  ///< without callbacks
};

}  // namespace graze
