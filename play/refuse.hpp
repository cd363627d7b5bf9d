// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <graze/core/error.hpp>

namespace graze::play {

/// Throws `Error` (bad_option): what is wrong, and what to do about it.
[[noreturn]] inline void refuse(const std::string& what) {
  throw Error({ErrorCode::bad_option, what, "option", ErrorDetail::none, {}, ErrorDetail::none});
}

}  // namespace graze::play
