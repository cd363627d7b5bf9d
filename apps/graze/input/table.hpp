// SPDX-License-Identifier: MIT
// Tables of numbers: CSV files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <graze/core/error.hpp>

namespace graze::app {

/// The format of a row.
struct RowForm {
  std::size_t numbers = 0;
  std::string meaning;  ///< for messages: "tx,ty,tz,qw,qx,qy,qz of A, then of B"
};

/// A row: its number (from 1, without the header) and its line in the file.
struct Row {
  std::uint64_t number, line;
  std::string text;
};

/// The rows of a CSV file, not yet numbers. A first row without numbers is a header. Throws `Error` with file and line.
std::vector<Row> read_rows(const std::string& file, std::size_t numbers);
std::vector<double> parse_row(const std::string& file, const Row& row, const RowForm& form);
[[noreturn]] void refuse_row(ErrorCode code, const std::string& file, const Row& row, std::string message);

/// All rows as numbers.
std::vector<std::vector<double>> read_table(const std::string& file, const RowForm& form);

/// The same where rows may have one of several forms: all have that of the first one.
struct Table {
  std::size_t form = 0;  ///< which of them
  std::vector<std::vector<double>> rows;
  std::vector<std::uint64_t> lines;  ///< of the rows
};
Table read_table(const std::string& file, std::span<const RowForm> forms);

}  // namespace graze::app
