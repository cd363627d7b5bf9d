// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <graze/core/status.hpp>
#include <graze/query/distance.hpp>
#include <graze/query/first_contact.hpp>
#include <graze/query/ray.hpp>
#include <graze/world/event.hpp>
#include <graze/world/ids.hpp>

namespace graze {

struct SweepOptions {
  bool earliest = false;  ///< only the earliest contact of all; cheaper than every pair's
  /// Put every body that moved where it is at the earliest contact's t_safe, as if it had only come so far. Not where a
  /// moved body hangs in a frame, or deformed.
  bool advance = false;
  std::string_view method = "best_first";  ///< of `first_contact`
  std::optional<double> tolerance = {};    ///< as for `first_contact`; a pair's own comes first
  bool ignore_start_if_separating = false;
  std::uint64_t work = 0;  ///< budget of each pair, as for `first_contact`
};

/// The first contact of two bodies between the last sweep's poses and the present ones.
struct SweepContact {
  BodyId a, b;  ///< a < b
  FirstContactResult contact;
  /// One of the two deformed: every vertex of both went straight from its old place to its new one.
  bool straight_vertices = false;
};

struct SweepResult {
  /// `free`: certified for all pairs of interest. `undecided`: a budget ran out before the earliest contact known.
  Status status = Status::undecided;
  double safe = 1;                      ///< certified: no pair of interest touches before
  std::vector<SweepContact> contacts;   ///< `contact`, `touching_at_start`, `undecided`, by (a, b)
  std::optional<std::size_t> earliest;  ///< in `contacts`: the least (t_touch, a, b)
  bool advanced = false;
  WorldCounters counters;
  double seconds = 0;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`
};

/// Two bodies that are near each other.
struct NearPair {
  BodyId a, b;  ///< a < b
  DistanceResult distance;
};

/// Where a ray first meets a body.
struct BodyHit {
  BodyId body;
  RayHit hit;
};

}  // namespace graze
