// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <graze/core/error.hpp>
#include <graze/world/world.hpp>

#include "core/portability.hpp"

namespace graze::world {

/// Reads the words of one line of a recording in order. Unexpected text is an `Error` with the line's number.
class RecordedLine {
 public:
  RecordedLine(std::string_view text, const std::string& file, std::uint64_t line)
      : rest_(text), file_(file), line_(line) {}

  [[noreturn]] void refuse(std::string message) const {
    throw Error({.code = ErrorCode::bad_file,
                 .message = std::move(message),
                 .element = {},
                 .id = ErrorDetail::none,
                 .file = file_,
                 .line = line_});
  }

  std::string_view word() {
    skip();
    const std::size_t end = std::min(rest_.find(' '), rest_.size());
    if (end == 0) refuse("the line ends too early; is the recording cut off?");
    const std::string_view w = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return w;
  }
  void end() {
    skip();
    if (!rest_.empty())
      refuse("there is more on the line than its call has: \"" + std::string(rest_.substr(0, 40)) + "\"");
  }

  template <class Number>
  Number number(const char* what) {
    const std::string_view w = word();
    Number x{};
    const auto [end, error] = core::from_chars(w.data(), w.data() + w.size(), x);
    if (error != std::errc{} || end != w.data() + w.size())
      refuse("\"" + std::string(w.substr(0, 40)) + "\" is not " + what);
    return x;
  }
  double real() {
    const double x = number<double>("a number");
    if (!std::isfinite(x)) refuse("a number is not finite");
    return x;
  }
  std::uint64_t whole() { return number<std::uint64_t>("a whole number"); }
  std::uint32_t small() { return number<std::uint32_t>("a whole number below 2^32"); }
  bool flag() {
    const std::uint64_t x = whole();
    if (x > 1) refuse("a flag must be 0 or 1");
    return x == 1;
  }
  /// The number of entries that follow. Each takes at least two characters, so a corrupt number cannot request all
  /// memory.
  std::size_t count() {
    const std::uint64_t n = whole();
    if (n > rest_.size() / 2 + 1)
      refuse("the line is too short for the " + std::to_string(n) + " entries it announces");
    return static_cast<std::size_t>(n);
  }
  std::string text() {
    skip();
    if (rest_.empty() || rest_.front() != '"') refuse("text in quotes is expected");
    std::string out;
    for (std::size_t i = 1; i < rest_.size(); ++i) {
      if (rest_[i] == '"') {
        rest_.remove_prefix(i + 1);
        return out;
      }
      if (rest_[i] != '\\') {
        out += rest_[i];
      } else if (++i < rest_.size()) {
        out += rest_[i] == 'n' ? '\n' : rest_[i];
      }
    }
    refuse("the text in quotes never ends");
  }

  Vec3 point() {
    const double x = real(), y = real();
    return {x, y, real()};
  }
  Pose pose() {
    const Vec3 t = point();
    const double w = real(), x = real(), y = real();
    const Quat q{w, x, y, real()};
    if (q == Quat{0, 0, 0, 0}) refuse("the quaternion is zero, which is no rotation");
    return Pose(t, q);
  }
  template <class Id>
  Id id() {
    const std::uint32_t slot = small();
    return {slot, small()};
  }
  template <class Read>
  auto optional(Read&& read) -> std::optional<decltype(read())> {
    if (!flag()) return std::nullopt;
    return read();
  }
  std::vector<double> reals() {
    std::vector<double> out(count());
    for (double& x : out) x = real();
    return out;
  }

 private:
  void skip() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
  }

  std::string_view rest_;
  const std::string& file_;
  std::uint64_t line_;
};

}  // namespace graze::world
