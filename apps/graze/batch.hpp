// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "answer.hpp"

namespace graze::app {

/// What a row of a batch holds.
struct RowForm {
  std::size_t numbers = 0;
  std::string meaning;  ///< for people: "tx,ty,tz,qw,qx,qy,qz of A, then of B"
};
/// A row of several poses, by their names.
RowForm pose_form(std::span<const std::string_view> names);
/// The poses of such a row; throws `Error` naming the bad one.
std::vector<Pose> to_poses(std::span<const double> row, std::span<const std::string_view> names);

/// The rows of a CSV file; a first row without numbers is a header. Throws `Error` with file and line.
std::vector<std::vector<double>> read_table(const std::string& file, const RowForm& form);

/// A question asked of the numbers of one row; an `Error` that it throws is about that row.
using RowQuestion = std::function<Answer(std::span<const double> row)>;

/// Answers every row of a CSV file, one JSON line a row on standard output, with a progress bar on standard error if
/// that is a terminal. The first bad row ends it: rows before it are answered, `Error` names it. Returns the exit
/// status: contact (if asked for) before undecided.
int run_batch(const std::string& file, bool exit_code, const RowForm& form, const RowQuestion& question);

}  // namespace graze::app
