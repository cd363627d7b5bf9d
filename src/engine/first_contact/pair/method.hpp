// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include <graze/ask/first_contact.hpp>
#include <graze/core/method_counters.hpp>

#include "body/body_data.hpp"
#include "motion/path.hpp"

namespace graze::engine::first_contact {

/// One query to a method of `first_contact`.
struct Flight {
  const body::BodyData& a;
  const body::BodyData& b;
  const motion::Path& motion_a;
  const motion::Path& motion_b;
  const FirstContactOptions& options;
  /// The value to use: at least 16 `rounding`. With a separation to keep, that plus this: within it, they touch.
  double tolerance;
  double rounding;  ///< bounds the sum of the position errors of a corner of A and a corner of B, as `Path::at` or
                    ///< `placement` compute them in doubles at any t
  double stated_separation = 0;  ///< the caller's `min_separation`, in the caller's lengths
};

/// What a method finds. `contact`: certified apart before `safe`, and the two triangles are at most `tolerance` apart
/// at `touch`; a start within the tolerance is `touch` = 0 for crossing, touching and near bodies; first_contact.cpp
/// distinguishes these cases. `free`: certified apart in all of [0, 1]. `undecided`: a budget ran out, `safe` reached.
struct Found {
  Status status = Status::undecided;
  double safe = 0, touch = 0;
  std::uint32_t triangle_a = 0, triangle_b = 0;
  AllCounters counters;
  std::optional<Certificate> certificate;
};

// A method is a type with
//   static constexpr FirstContactTraits traits;
//   static std::optional<ErrorDetail> refuses(const Flight&);   // a query or class of bodies that it cannot answer
//   static void run(const Flight&, Found&);                     // gets a cleared Found
// Features, points, normal, direction, all contacts, clearance, the start and seconds are added for all methods alike
// by first_contact.cpp.

}  // namespace graze::engine::first_contact
