// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/ask/first_contact.hpp>

namespace graze {

struct MotionFreeResult {
  /// `free`: certified for the whole motion. `contact`: they are within the tolerance at `time`, which need not be the
  /// first time. `undecided`: a budget ran out.
  Status status = Status::undecided;
  double time = 0;                         ///< with `contact`
  double tolerance = 0;                    ///< the value used, as for `first_contact`; 0 if a probe decided
  int probes = 0;                          ///< how many single times were looked at
  std::optional<Certificate> certificate;  ///< with `free`, if the options ask for it
  Counters counters;
  double seconds = 0;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`
};

/// Is a whole motion free of contact, yes or no: what planners ask of an edge. The same `free` as `first_contact`
/// gives, with the same certificate. A contact is any contact: a few times are probed with `collide`, the end first,
/// and the search for the first contact begins only if none of them touches. The options are those of `first_contact`;
/// `all_features`, `all_contacts`, `clearance` and `ignore_start_if_separating` are refused.
///
/// Probed poses are rounded: a contact there is one within the rounding of the motion, which is less than a sixteenth
/// of the least tolerance.
GRAZE_API MotionFreeResult motion_free(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                                       const FirstContactOptions& options = {});
/// The same, writing into a result that is reused.
GRAZE_API void motion_free(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                           const FirstContactOptions& options, MotionFreeResult& result);

}  // namespace graze
