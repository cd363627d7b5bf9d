// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include <graze/ask/first_contact.hpp>
#include <graze/core/method_counters.hpp>

#include "body/body_data.hpp"
#include "motion/path.hpp"

namespace graze::engine::first_contact {

/// One question to a method of `first_contact`.
struct Flight {
  const body::BodyData& a;
  const body::BodyData& b;
  const motion::Path& motion_a;
  const motion::Path& motion_b;
  const FirstContactOptions& options;
  double tolerance;  ///< the value to use: at least 16 `rounding`
  double rounding;   ///< bounds how far a corner of A and a corner of B, as `Path::at` or `placement` place them in
                     ///< doubles at any t, are together from their real places
};

/// What a method finds. `contact`: certified apart before `safe`, and the two triangles are at most `tolerance` apart
/// at `touch`; a start within the tolerance is `touch` = 0, whatever it means (crossing, touching or near), and is
/// looked into by first_contact.cpp. `free`: certified apart in all of [0, 1]. `undecided`: a budget ran out, `safe`
/// reached.
struct Found {
  Status status = Status::undecided;
  double safe = 0, touch = 0;
  std::uint32_t triangle_a = 0, triangle_b = 0;
  AllCounters counters;
  std::optional<Certificate> certificate;
};

// A method is a type with
//   static constexpr FirstContactTraits traits;
//   static std::optional<ErrorDetail> refuses(const Flight&);   // a question or body class it cannot do
//   static void run(const Flight&, Found&);                     // gets a cleared Found
// Features, points, normal, direction, all contacts, clearance, the start and seconds are added for all methods alike
// by first_contact.cpp.

}  // namespace graze::engine::first_contact
