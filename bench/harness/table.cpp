// SPDX-License-Identifier: MIT
#include "harness/table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace graze::bench {
namespace {

const char* word(Verdict verdict) {
  switch (verdict) {
    case Verdict::none: return "";
    case Verdict::pass: return "PASS";
    case Verdict::miss: return "MISS";
    case Verdict::wrong: return "WRONG";
  }
  return "";
}

std::string time_words(double seconds) {
  if (seconds < 1e-4) return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} s", seconds);
}

std::string optional_number(const std::optional<double>& number, const char* none) {
  return number ? fmt::format("{:.3g}", *number) : none;
}

std::string csv_text(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

Verdict judge_ratio(double ratio, double target) { return ratio <= target ? Verdict::pass : Verdict::miss; }

void Table::add(Line line, bool print_it) {
  // Wrong answers are always shown.
  if (print_it || line.verdict == Verdict::wrong) print(line);
  lines_.push_back(std::move(line));
}

void Table::print(const Line& line) {
  if (line.row != printed_row_) {
    fmt::print("\n{:<40} {:>10} {:>10} {:>10} {:>8} {:>7} {:<5} {}\n", line.row, "mean", "median", "p99", ratio_name_,
               "target", "", "note");
  }
  if (line.row != printed_row_ || line.task != printed_task_) fmt::print("{}\n", line.task);
  printed_row_ = line.row;
  printed_task_ = line.task;
  const auto column = [&](double Timing::*which) {
    return line.timing ? time_words((*line.timing).*which) : std::string("-");
  };
  fmt::print("  {:<38} {:>10} {:>10} {:>10} {:>8} {:>7} {:<5} {}\n", line.contestant, column(&Timing::mean),
             column(&Timing::median), column(&Timing::p99), optional_number(line.ratio, ""),
             optional_number(line.target, ""), word(line.verdict), line.note);
  std::fflush(stdout);
}

void Table::write_csv(const std::filesystem::path& file) const {
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path());
  std::ofstream out(file);
  out << "row,task,contestant,mean_s,median_s,p99_s,ratio,target,verdict,note\n";
  for (const Line& line : lines_) {
    const Timing timing = line.timing.value_or(Timing{});
    const auto seconds = [&](double value) { return line.timing ? fmt::format("{}", value) : std::string(); };
    out << fmt::format("{},{},{},{},{},{},{},{},{},{}\n", csv_text(line.row), csv_text(line.task),
                       csv_text(line.contestant), seconds(timing.mean), seconds(timing.median), seconds(timing.p99),
                       optional_number(line.ratio, ""), optional_number(line.target, ""), word(line.verdict),
                       csv_text(line.note));
  }
  if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
}

bool Table::any_wrong() const {
  return std::any_of(lines_.begin(), lines_.end(), [](const Line& l) { return l.verdict == Verdict::wrong; });
}

std::string Table::summary() const {
  const auto count = [&](Verdict verdict) {
    return std::count_if(lines_.begin(), lines_.end(), [&](const Line& l) { return l.verdict == verdict; });
  };
  return fmt::format("{} PASS, {} MISS, {} WRONG", count(Verdict::pass), count(Verdict::miss), count(Verdict::wrong));
}

}  // namespace graze::bench
