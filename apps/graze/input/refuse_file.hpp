// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <graze/core/error.hpp>

namespace graze::app {

/// Throws an `Error` about a file, with the line if one is given.
[[noreturn]] inline void refuse_file(ErrorCode code, const std::string& file, std::string message,
                                     std::uint64_t line = ErrorDetail::none) {
  ErrorDetail detail;
  detail.code = code;
  detail.file = file;
  detail.line = line;
  detail.message = std::move(message);
  throw Error(detail);
}

/// Throws the `Error` for a wrongly used option.
[[noreturn]] inline void refuse_option(const std::string& option, std::string message) {
  ErrorDetail detail;
  detail.code = ErrorCode::bad_option;
  detail.element = "option " + option;
  detail.message = std::move(message);
  throw Error(detail);
}

}  // namespace graze::app
