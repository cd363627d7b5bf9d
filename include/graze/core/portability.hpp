// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include <graze/core/export.hpp>

namespace graze::core {

/// std::bit_cast, which some standard libraries do not have yet although their compilers support it (emscripten 3.1.6).
template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  static_assert(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To> && std::is_trivially_copyable_v<From>);
  return __builtin_bit_cast(To, from);
}

}  // namespace graze::core
