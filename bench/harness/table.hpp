// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/contest.hpp"

namespace graze::bench {

enum class Verdict { none, pass, miss, wrong };

/// One contestant in one row of the benchmark.
struct Line {
  std::string row;         ///< as in --rows
  std::string task;        ///< in words
  std::string contestant;  ///< "graze", or a peer
  std::optional<Timing> timing;
  std::optional<double> ratio;   ///< our time over this contestant's (or another ratio, which the note explains)
  std::optional<double> target;  ///< what the ratio is to reach
  Verdict verdict = Verdict::none;
  std::string note;
};

/// PASS if the ratio is at most the target.
Verdict judge_ratio(double ratio, double target);

/// Prints lines as they come, aligned, and remembers all of them, printed or not, for the CSV file.
class Table {
 public:
  /// The heading of the column of ratios.
  void name_ratio(std::string name) { ratio_name_ = std::move(name); }
  void add(Line line, bool print_it = true);
  void write_csv(const std::filesystem::path& file) const;
  bool any_wrong() const;
  /// "14 PASS, 2 MISS, 0 WRONG".
  std::string summary() const;

 private:
  void print(const Line& line);

  std::vector<Line> lines_;
  std::string printed_row_, printed_task_, ratio_name_ = "ours/it";
};

}  // namespace graze::bench
