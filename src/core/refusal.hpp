// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <graze/core/error.hpp>
#include <graze/core/status.hpp>

namespace graze::core {

/// An ErrorDetail of an argument; `id`: which of several, zero-based.
ErrorDetail problem(ErrorCode code, std::string element, std::string message, std::uint64_t id = ErrorDetail::none);

/// An option outside its range. The message says what the range is.
ErrorDetail bad_option(const std::string& option, std::string message);

/// A method that does not exist. `names`: those that do.
ErrorDetail no_such_method(std::string_view method, const std::string& names);

constexpr int most_threads = 1024;
/// A number of threads outside 1 to 1024.
std::optional<ErrorDetail> bad_threads(int threads);

/// A tolerance that is given, but is not a positive, finite distance.
std::optional<ErrorDetail> bad_tolerance(const std::optional<double>& tolerance);

/// Turns a result into `invalid_request`.
template <class Result>
void refuse(Result& result, ErrorDetail detail) {
  result.status = Status::invalid_request;
  result.error = std::move(detail);
}

/// The same if there is a problem. True: refused.
template <class Result>
bool refused(Result& result, std::optional<ErrorDetail> detail) {
  if (!detail) return false;
  refuse(result, std::move(*detail));
  return true;
}

/// For calls that throw.
inline void throw_if(std::optional<ErrorDetail> detail) {
  if (detail) throw Error(std::move(*detail));
}

}  // namespace graze::core
