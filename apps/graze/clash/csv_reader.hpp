// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace graze::app {

/// Reads a CSV file as RFC 4180 describes it: fields in quotes may hold commas, line breaks and doubled quotes. Lines
/// end with LF or CR LF; a byte order mark is skipped.
class CsvReader {
 public:
  /// Throws `Error` (file_not_found).
  explicit CsvReader(std::string file);
  /// The fields of the next line; nothing: the file has ended. Throws `Error` for a quote that is not closed.
  std::optional<std::vector<std::string>> next();
  /// Throws an `Error` (bad_file) about the line that was read last.
  [[noreturn]] void refuse(std::string message) const;

 private:
  std::string file_, text_;
  std::size_t at_ = 0;
  std::uint64_t line_ = 0, next_line_ = 1;
};

}  // namespace graze::app
