// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "output/answer.hpp"

namespace graze::app {

/// The format of a row of a batch.
struct RowForm {
  std::size_t numbers = 0;
  std::string meaning;  ///< for messages: "tx,ty,tz,qw,qx,qy,qz of A, then of B"
};
/// The format of a row of several poses with these names.
RowForm pose_form(std::span<const std::string_view> names);
/// The poses of such a row. Throws `Error` naming the invalid one.
std::vector<Pose> to_poses(std::span<const double> row, std::span<const std::string_view> names);

/// The rows of a CSV file. A first row without numbers is a header. Throws `Error` with file and line.
std::vector<std::vector<double>> read_table(const std::string& file, const RowForm& form);

/// The same where rows may have one of several forms: all have that of the first one.
struct Table {
  std::size_t form = 0;  ///< which of them
  std::vector<std::vector<double>> rows;
};
Table read_table(const std::string& file, std::span<const RowForm> forms);

/// A query about the numbers of one row. An `Error` that it throws refers to that row.
using RowQuestion = std::function<Answer(std::span<const double> row)>;

/// Answers every row of a CSV file: one JSON line per row on standard output, and a progress bar on standard error if
/// that is a terminal. Stops at the first invalid row: the rows before it are answered, and `Error` names it. Returns
/// the exit status: contact (if requested) takes precedence over undecided.
int run_batch(const std::string& file, bool exit_code, const RowForm& form, const RowQuestion& question);

}  // namespace graze::app
