// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/ask/distance.hpp>
#include <graze/ask/first_contact.hpp>
#include <graze/core/error.hpp>

namespace graze::ask {

/// The error in these options, if any; independent of the bodies.
std::optional<ErrorDetail> mistake_in(const FirstContactOptions& options);

/// A start at which the bodies are at most `min_separation` apart: `start` is their distance there.
void report_near_start(const DistanceResult& start, FirstContactResult& result);

/// `first_contact` for another query that is made of several: if that one is ended, this returns `undecided` with the
/// t_safe reached, and does not throw `core::Stopped`.
void first_contact_inside(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                          const FirstContactOptions& options, FirstContactResult& result);

}  // namespace graze::ask
