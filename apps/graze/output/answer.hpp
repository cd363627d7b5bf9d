// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>

#include <graze/core/error.hpp>
#include <graze/core/status.hpp>
#include <graze/math/pose.hpp>

#include "input/query_options.hpp"
#include "output/json.hpp"

namespace graze::app {

/// The answer to one query of any kind.
struct Answer {
  Json json;
  Status status = Status::undecided;
  std::optional<ErrorDetail> error;
};
/// A query about two bodies at the given poses.
using Question = std::function<Answer(const Pose& pose_a, const Pose& pose_b)>;

/// Runs the query once, or for every row of the batch. Prints in the format that the options select (`print_text`
/// prints the latest answer as readable text) and returns the exit status.
int ask(const QueryOptions& options, const PlacedPair& bodies, const Question& question,
        const std::function<void()>& print_text);

/// The message of an error. The library names its options as its structs do, "option relative_error": here they are
/// called --relative-error.
std::string message_of(ErrorDetail detail);

/// The exit status of one answer. Prints the reason of an `invalid_request` on standard error.
int exit_status_of(Status status, const std::optional<ErrorDetail>& error, bool exit_code);

}  // namespace graze::app
