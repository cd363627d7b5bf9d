// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/portability.hpp"
#include "io/source.hpp"

namespace graze::io {

/// Scans text line by line and tracks the line number. Lines end with LF, CR LF, or (where no LF exists at all) CR.
class TextScanner {
 public:
  struct Rules {
    bool comments = false;      ///< '#' where a word could begin comments out the rest of its line
    bool continuation = false;  ///< a backslash at the end of a line joins it with the next line
  };

  TextScanner(const Source& source, Rules rules);
  /// Starts in the middle of a text: at byte `offset`, which is on line `line`.
  TextScanner(const Source& source, Rules rules, std::size_t offset, std::uint64_t line);

  std::uint64_t line() const { return line_; }
  bool at_end() const { return at_ == end_; }
  std::size_t bytes_left() const { return static_cast<std::size_t>(end_ - at_); }
  std::size_t offset() const { return static_cast<std::size_t>(at_ - source_.bytes.data()); }

  /// Skips blanks; true if nothing else is on this line.
  bool at_line_end() {
    for (; at_ != end_; ++at_) {
      const char c = *at_;
      if (c == newline_) return true;
      if (c == ' ' || c == '\t' || c == '\r') continue;
      if (c == '\\' && rules_.continuation && skip_continuation()) continue;
      return c == '#' && rules_.comments;
    }
    return true;
  }
  /// Skips the rest of this line.
  void next_line();
  /// Refuses anything but blanks and comments on the rest of this line.
  void expect_line_end();
  /// Moves to the next character that is not blank or comment, across lines; false at the end of the text.
  bool find_word() {
    while (at_line_end()) {
      if (at_ == end_) return false;
      next_line();
    }
    return true;
  }
  /// The next word of this line; empty at the end of the line.
  std::string_view word();

  /// The next number of this line, finite; `what` names it in the error message.
  double coordinate(std::string_view what) {
    double value = 0;
    if (at_line_end()) fail_missing(what);
    const char* start = at_;
    if (!number(value) || !std::isfinite(value)) fail_number(start, what);
    return value;
  }
  /// Skips an unused number: it may also be NaN or infinite.
  void skip_number(std::string_view what) {
    double value = 0;
    if (at_line_end()) fail_missing(what);
    if (!number(value)) fail_number(at_, what);
  }
  /// The next integer of this line.
  std::int64_t integer(std::string_view what) {
    std::int64_t value = 0;
    if (at_line_end()) fail_missing(what);
    const char* start = at_;
    if (!digits(value) || !at_word_end()) fail_integer(start, what);
    return value;
  }

  // For words that have parts, such as the 1/2/3 of OBJ.
  /// An integer at the current position, whatever follows it.
  bool digits(std::int64_t& value) {
    const char* first = skip_plus();
    const auto [last, error] = core::from_chars(first, end_, value);
    if (error != std::errc()) return false;
    at_ = last;
    return true;
  }
  bool take(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  bool at_word_end() const {
    if (at_ == end_) return true;
    const char c = *at_;
    return c == ' ' || c == newline_ || c == '\t' || c == '\r' || (c == '\\' && rules_.continuation);
  }

  [[noreturn]] void fail(ErrorCode code, std::string message) const;
  [[noreturn]] void fail_missing(std::string_view what) const;

 private:
  const char* skip_plus() const {
    const bool plus = at_ != end_ && *at_ == '+' && at_ + 1 != end_ && at_[1] != '-';
    return plus ? at_ + 1 : at_;
  }
  /// A number up to the end of its word; keeps the position if there is none.
  bool number(double& value) {
    const char* start = at_;
    const auto [last, error] = core::from_chars(skip_plus(), end_, value);
    if (error == std::errc::invalid_argument) return false;
    at_ = last;
    if (at_word_end()) {
      if (error == std::errc()) return true;
      value = out_of_range(start, last);
      return true;
    }
    at_ = start;
    return false;
  }
  bool skip_continuation();
  static double out_of_range(const char* first, const char* last);
  [[noreturn]] void fail_number(const char* start, std::string_view what);
  [[noreturn]] void fail_integer(const char* start, std::string_view what);

  Source source_;
  Rules rules_;
  const char* at_;
  const char* end_;
  char newline_;
  std::uint64_t line_;
};

}  // namespace graze::io
