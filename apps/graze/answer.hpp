// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>

#include <graze/core/error.hpp>
#include <graze/core/status.hpp>
#include <graze/math/pose.hpp>

#include "json.hpp"
#include "query_options.hpp"

namespace graze::app {

/// The answer to one question, whatever the question was.
struct Answer {
  Json json;
  Status status = Status::undecided;
  std::optional<ErrorDetail> error;
};
/// A question about two bodies, asked of the poses given.
using Question = std::function<Answer(const Pose& pose_a, const Pose& pose_b)>;

/// Asks once, or for every row of the batch; prints in the way that the options say (`print_text` prints the latest
/// answer for people) and returns the exit status.
int ask(const QueryOptions& options, const PlacedPair& bodies, const Question& question,
        const std::function<void()>& print_text);

/// The exit status of one answer; prints the reason of an `invalid_request` on standard error.
int exit_status_of(Status status, const std::optional<ErrorDetail>& error, bool exit_code);

}  // namespace graze::app
