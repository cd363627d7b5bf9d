// SPDX-License-Identifier: MIT
#include "io/text_scanner.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace graze::io {
namespace {

const char* find(const char* first, const char* last, char c) {
  if (first == last) return last;
  const void* found = std::memchr(first, c, static_cast<std::size_t>(last - first));
  return found ? static_cast<const char*>(found) : last;
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// "nan", "-inf", "nan(ind)", and the forms written by Microsoft's printf: "1.#INF", "-1.#IND", "1.#QNAN".
bool spells_not_finite(std::string_view word) {
  std::string text = lower_case(word);
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.erase(0, 1);
  if (text.rfind("nan", 0) == 0 || text.rfind("inf", 0) == 0) return true;
  for (const char* mark : {"#inf", "#ind", "#nan", "#qnan", "#snan"})
    if (text.find(mark) != std::string::npos) return true;
  return false;
}

}  // namespace

TextScanner::TextScanner(const Source& source, Rules rules) : TextScanner(source, rules, 0, 1) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (source.bytes.substr(0, 3) == byte_order_mark) at_ += 3;
}

TextScanner::TextScanner(const Source& source, Rules rules, std::size_t offset, std::uint64_t line)
    : source_(source),
      rules_(rules),
      at_(source.bytes.data() + offset),
      end_(source.bytes.data() + source.bytes.size()),
      line_(line) {
  newline_ = find(at_, end_, '\n') == end_ ? '\r' : '\n';
}

bool TextScanner::skip_continuation() {
  const char* after = at_ + 1;
  if (newline_ == '\n' && after != end_ && *after == '\r') ++after;
  if (after == end_ || *after != newline_) return false;
  at_ = after;  // the caller's loop steps over the newline itself
  ++line_;
  return true;
}

void TextScanner::next_line() {
  for (;;) {
    const char* start = at_;
    at_ = find(at_, end_, newline_);
    if (at_ == end_) return;
    const char* last = at_++;
    ++line_;
    if (!rules_.continuation) return;
    if (last != start && last[-1] == '\r') --last;
    // A comment is not continued: joining the line after "# C:\models\" would silently lose a statement.
    if (last == start || last[-1] != '\\' || find(start, last, '#') != last) return;
  }
}

void TextScanner::expect_line_end() {
  if (at_line_end()) return;
  const std::string_view extra = word();
  fail(ErrorCode::bad_file,
       "found " + in_quotes(extra) + " where the line should end; remove it, or put it on a line of its own");
}

std::string_view TextScanner::word() {
  if (at_line_end()) return {};
  const char* start = at_;
  // A first byte that ends words (a backslash that continues nothing) is a word of its own: the scanner must always
  // advance.
  do ++at_;
  while (!at_word_end());
  return {start, static_cast<std::size_t>(at_ - start)};
}

/// The case that std::from_chars leaves undetermined: a number too large for double is infinite, one too small is zero.
double TextScanner::out_of_range(const char* first, const char* last) {
  const bool negative = *first == '-';
  if (*first == '-' || *first == '+') ++first;
  const char* mark = std::find_if(first, last, [](char c) { return c == 'e' || c == 'E'; });
  std::int64_t magnitude = 0;  // exponent of the first non-zero digit, without the written exponent
  bool fraction = false, significant = false;
  for (const char* p = first; p != mark; ++p) {
    if (*p == '.') {
      fraction = true;
    } else {
      significant = significant || *p != '0';
      if (!fraction && significant) ++magnitude;
      if (fraction && !significant) --magnitude;
    }
  }
  std::int64_t exponent = 0;
  if (mark != last) {
    const char* digits = mark + 1;
    const bool down = digits != last && *digits == '-';
    if (digits != last && (*digits == '-' || *digits == '+')) ++digits;
    const auto result = std::from_chars(digits, last, exponent);
    if (result.ec != std::errc()) exponent = std::numeric_limits<std::int64_t>::max() / 2;
    exponent = std::min(exponent, std::numeric_limits<std::int64_t>::max() / 2);
    if (down) exponent = -exponent;
  }
  const double size = magnitude + exponent > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  return negative ? -size : size;
}

void TextScanner::fail(ErrorCode code, std::string message) const {
  fail_at_line(source_, line_, code, std::move(message));
}

void TextScanner::fail_missing(std::string_view what) const {
  fail(ErrorCode::bad_file, "expected " + std::string(what) + ", found the end of the " +
                                (at_ == end_ ? "file" : "line") + "; the file is cut off or a value is missing");
}

void TextScanner::fail_number(const char* start, std::string_view what) {
  at_ = start;
  const std::string_view text = word();
  const std::string expected = "expected " + std::string(what) + ", found " + in_quotes(text);
  if (spells_not_finite(text))
    fail(ErrorCode::not_finite, expected + ", which is not finite; repair or remove this element and what uses it");
  at_ = start;
  double value = 0;
  if (number(value))
    fail(ErrorCode::not_finite, expected + ", which lies beyond the range of double; scale the model down");
  fail(ErrorCode::bad_file, expected + ", which is not a number; write it like 1.5 or -2e-3");
}

void TextScanner::fail_integer(const char* start, std::string_view what) {
  at_ = start;
  fail(ErrorCode::bad_file, "expected " + std::string(what) + ", found " + in_quotes(word()) +
                                ", which is not a whole number in range; correct it");
}

}  // namespace graze::io
