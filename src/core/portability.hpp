// SPDX-License-Identifier: MIT
// Features that some supported compilers and standard libraries lack or name differently. Every #if about them is here
// and in portability.cpp. Containers with their own buffer are in core/arena.hpp, since <memory_resource> is missing
// too often.
#pragma once

#include <charconv>
#include <cstddef>
#include <version>

#include <graze/core/portability.hpp>

#include "core/decimal.hpp"

#if defined(__SSE2__) || defined(_M_X64)
#define GRAZE_SSE2
#include "core/lanes_sse2.hpp"
#else
#include <cfenv>

#include "core/lanes_plain.hpp"
#endif

namespace graze::core {

// `lanes` has Float4 and Double2, by SSE2 or by plain code with the same bits. `FpState` is the floating-point
// environment of a thread: rounding, traps, sticky flags, flushing of subnormals.
#if defined(GRAZE_SSE2)
namespace lanes = sse2;

/// On this architecture doubles are computed in SSE registers, so MXCSR is the whole environment.
class FpState {
 public:
  static FpState current() { return FpState(_mm_getcsr()); }
  static void set_standard() { _mm_setcsr(0x1F80); }  ///< round to nearest, no flushing, no traps, no flags
  void set() const { _mm_setcsr(value_); }

 private:
  explicit FpState(unsigned value) : value_(value) {}
  unsigned value_;
};
#else
namespace lanes = plain;

class FpState {
 public:
  static FpState current() {
    FpState state;
    std::fegetenv(&state.value_);
    return state;
  }
  static void set_standard() { std::fesetenv(FE_DFL_ENV); }
  void set() const { std::fesetenv(&value_); }

 private:
  FpState() = default;
  std::fenv_t value_;
};
#endif

#if defined(__cpp_lib_to_chars)
constexpr bool std_knows_decimals = true;
#else
constexpr bool std_knows_decimals = false;  ///< std::from_chars and std::to_chars support integers only
#endif

/// std::from_chars and std::to_chars, including doubles (and floats, for to_chars).
template <class Number>
std::from_chars_result from_chars(const char* first, const char* last, Number& value) {
  if constexpr (std::is_floating_point_v<Number> && !std_knows_decimals)
    return parse_decimal(first, last, value);
  else
    return std::from_chars(first, last, value);
}
template <class Number>
std::to_chars_result to_chars(char* first, char* last, Number value) {
  if constexpr (std::is_floating_point_v<Number> && !std_knows_decimals)
    return print_decimal(first, last, value);
  else
    return std::to_chars(first, last, value);
}

/// Memory aligned to `alignment`, a power of two that divides `bytes`; null on failure. Release with `free_aligned`.
void* aligned_memory(std::size_t alignment, std::size_t bytes);
void free_aligned(void* memory);
/// A hint: if the system has no large pages, or refuses, only the run time changes.
void ask_for_large_pages(void* memory, std::size_t bytes);

/// Prefetches a cache line; affects only the run time.
inline void prefetch([[maybe_unused]] const void* at) {
#if defined(__GNUC__)
  __builtin_prefetch(at);
#endif
}

}  // namespace graze::core
