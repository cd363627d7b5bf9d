// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "input/table.hpp"
#include "output/answer.hpp"

namespace graze::app {

/// The format of a row of several poses with these names.
RowForm pose_form(std::span<const std::string_view> names);
/// The poses of such a row. Throws `Error` naming the invalid one.
std::vector<Pose> to_poses(std::span<const double> row, std::span<const std::string_view> names);

/// A query about the numbers of one row. An `Error` that it throws refers to that row.
using RowQuestion = std::function<Answer(std::span<const double> row)>;

/// Answers every row of a CSV file: one JSON line per row on standard output, and a progress bar on standard error if
/// that is a terminal. Stops at the first invalid row: the rows before it are answered, and `Error` names it. Returns
/// the exit status: contact (if requested) takes precedence over undecided.
int run_batch(const std::string& file, bool exit_code, const RowForm& form, const RowQuestion& question);

}  // namespace graze::app
