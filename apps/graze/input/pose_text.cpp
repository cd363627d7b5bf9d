// SPDX-License-Identifier: MIT
#include "input/pose_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <graze/core/error.hpp>

namespace graze::app {
namespace {

constexpr std::string_view blanks = " \t\r\n,";

[[noreturn]] void refuse(ErrorCode code, const std::string& option, std::string message) {
  ErrorDetail detail;
  detail.code = code;
  detail.element = "option " + option;
  detail.message = std::move(message);
  throw Error(detail);
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t at = text.find_first_not_of(blanks); at != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
    out.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(blanks, end);
  }
  return out;
}

Pose from_matrix(const std::vector<double>& values) {
  std::array<double, 16> matrix{};
  std::copy(values.begin(), values.end(), matrix.begin());
  return Pose::from_matrix(matrix);
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  // from_chars, not strtod: it ignores the locale. It does not accept a leading plus.
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
#ifndef __cpp_lib_to_chars
  // libc++ before version 20 has none for doubles. strtod also takes a plus, blanks and hexadecimal digits.
  if (text.empty() || text.find_first_not_of("0123456789+-.eE") != text.npos || text.front() == '+')
    return std::nullopt;
  const std::string copy(text);
  char* stop = nullptr;
  value = std::strtod(copy.c_str(), &stop);
  if (stop != copy.c_str() + copy.size() || !std::isfinite(value)) return std::nullopt;
  return value;
#else
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    // Either too large, which is refused, or so small that it rounds to zero, as in mesh files. Only strtod
    // distinguishes the two. This program never sets a locale.
    value = std::strtod(std::string(text).c_str(), nullptr);
    if (!std::isfinite(value)) return std::nullopt;
  }
  return value;
#endif
}

double parse_option_number(std::string_view text, const std::string& option) {
  const auto value = parse_number(text);
  if (!value) refuse(ErrorCode::bad_option, option, fmt::format("'{}' is no number; write one such as 1e-3", text));
  return *value;
}

std::vector<double> parse_numbers(std::string_view text, const std::string& option) {
  std::vector<double> out;
  for (const std::string_view word : words(text)) {
    const auto value = parse_number(word);
    if (!value)
      refuse(ErrorCode::bad_pose, option,
             fmt::format("number {} is '{}', which is no number; write decimals such as -0.5 or 1e-3", out.size() + 1,
                         word));
    out.push_back(*value);
  }
  return out;
}

Pose parse_pose(std::string_view text, const std::string& option) {
  const std::vector<double> v = parse_numbers(text, option);
  if (v.size() != 7 && v.size() != 16)
    refuse(ErrorCode::bad_pose, option,
           fmt::format("a pose is one quoted argument of 7 numbers \"tx ty tz qw qx qy qz\", or of 16, a matrix "
                       "row by row; this has {}",
                       v.size()));
  try {
    if (v.size() == 16) return from_matrix(v);
    return Pose({v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]});
  } catch (const Error& error) {
    refuse(error.detail().code, option, error.what());
  }
}

bool is_matrix(std::string_view text) { return words(text).size() == 16; }

std::string pose_text(const Pose& pose) {
  const Vec3& t = pose.translation();
  const Quat& q = pose.rotation();
  return fmt::format("{} {} {} {} {} {} {}", t.x, t.y, t.z, q.w, q.x, q.y, q.z);
}

std::vector<std::string_view> split_fields(std::string_view line, char separator) {
  constexpr std::string_view around = " \t\r\n";
  std::vector<std::string_view> fields;
  for (std::size_t at = 0;; ++at) {
    const std::size_t end = std::min(line.find(separator, at), line.size());
    std::string_view field = line.substr(at, end - at);
    field.remove_prefix(std::min(field.find_first_not_of(around), field.size()));
    field = field.substr(0, field.find_last_not_of(around) + 1);
    fields.push_back(field);
    if (end == line.size()) return fields;
    at = end;
  }
}

}  // namespace graze::app
