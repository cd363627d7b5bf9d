// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <graze/ask/distance.hpp>
#include <graze/ask/first_contact.hpp>
#include <graze/ask/ray.hpp>
#include <graze/core/limits.hpp>
#include <graze/core/status.hpp>
#include <graze/world/event.hpp>
#include <graze/world/ids.hpp>

namespace graze {

struct SweepOptions {
  bool earliest = false;  ///< find only the earliest contact of all pairs; cheaper than every pair's first contact
  /// If there is a contact, or a limit left a pair undecided: move every moved body back to its pose at time
  /// `SweepResult::safe`, up to which no pair touches (or slightly earlier, where rounding the poses could make a pair
  /// touch). After a contact, the rest of the path is discarded. After `undecided`, the rest of the path is kept
  /// (`World::destination`): the next sweep moves the bodies on and tests that part. Rejected if a moved body is
  /// attached to a frame or was deformed.
  bool advance = false;
  /// With `advance`: each body stops at its own first contact, and the others continue. All stops are certified
  /// together: at no time did two bodies of interest touch, where a body that has stopped stays where it is. Time runs
  /// from 0 to 1 on each body's own path. The result then lists the contacts that stopped bodies. Not with `earliest`.
  bool each = false;
  std::string_view method = "best_first";  ///< a method of `first_contact`
  std::optional<double> tolerance = {};    ///< as for `first_contact`; a pair's own tolerance takes precedence
  bool ignore_start_if_separating = false;
  // Limits: see `CancelToken`. `work` applies to each pair, as for `first_contact`, the others to the whole sweep.
  // Without `advance`, bodies keep their current poses and undecided pairs are not tested again: after
  // `SweepResult::safe`, nothing is known about this path.
  std::uint64_t work = 0;
  std::optional<std::chrono::nanoseconds> budget = {};
  CancelToken cancel = {};
  /// If set: filled with the sum of the method's own counters over the pairs.
  MethodCounters* method_counters = nullptr;
};

/// The first contact of two bodies between their poses at the last sweep and their current poses.
struct SweepContact {
  BodyId a, b;  ///< a < b
  FirstContactResult contact;
  /// True if one of the two bodies deformed: every vertex of both then moved on a straight line from its old to its new
  /// position.
  bool straight_vertices = false;
};

struct SweepResult {
  /// `free`: certified for all pairs of interest. `undecided`: a limit left a pair open that may
  /// touch before the earliest known contact, or ended the whole sweep.
  Status status = Status::undecided;
  double safe = 1;                      ///< certified: no pair of interest touches before this time
  std::vector<SweepContact> contacts;   ///< those `contact`, `touching_at_start` or `undecided`, ordered by (a, b)
  std::optional<std::size_t> earliest;  ///< index into `contacts`: the least (t_touch, a, b)
  /// First contacts with triggers, ordered by (a, b); with `advance`, those before the bodies stopped. They do not
  /// affect anything else in this result.
  std::vector<SweepContact> triggers;
  bool advanced = false;  ///< with `advance`: the bodies were moved to their poses at `safe`
  WorldCounters counters;
  double seconds = 0;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`
};

/// Two bodies that are near each other.
struct NearPair {
  BodyId a, b;  ///< a < b
  DistanceResult distance;
};

struct NearOptions {
  // Limits: see `CancelToken`. `work` applies to each pair, as for `within`, the others to the whole question.
  std::uint64_t work = 0;
  std::optional<std::chrono::nanoseconds> budget = {};
  CancelToken cancel = {};
};

struct NearResult {
  /// `contact`: there are pairs. `free`: certified, there are none. `undecided`: a limit ended the question; the pairs
  /// listed are correct, but others may be missing.
  Status status = Status::undecided;
  std::vector<NearPair> pairs;  ///< ordered by (a, b)
  WorldCounters counters;
  double seconds = 0;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`
};

/// Where a ray first meets a body.
struct BodyHit {
  BodyId body;
  RayHit hit;
};

}  // namespace graze
