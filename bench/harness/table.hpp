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
  std::string row;         ///< the name used with --rows
  std::string task;        ///< description
  std::string contestant;  ///< "graze", or a peer
  std::optional<Timing> timing;
  std::optional<double> ratio;  ///< graze's time divided by this contestant's (or another ratio, explained in the note)
  std::optional<double> target;  ///< the target ratio
  Verdict verdict = Verdict::none;
  std::string note;
};

/// PASS if the ratio is at most the target.
Verdict judge_ratio(double ratio, double target);

/// Prints lines immediately, aligned, and stores all of them, printed or not, for the CSV file.
class Table {
 public:
  /// The heading of the ratio column.
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
