// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>

namespace graze::core {

// Replacements for std::from_chars and std::to_chars of floating-point numbers, with identical results to the bit and
// to the character, for standard libraries that lack them (core/portability.hpp chooses). Neither depends on the locale
// or on the rounding mode.

/// The double nearest to a decimal number, ties to even. As std::from_chars with chars_format::general: no leading plus
/// or space; "inf", "infinity", "nan" and "nan(...)" in any case. On error `value` is unchanged. A number that rounds
/// to infinity, or a non-zero number that rounds to zero, is an error too.
std::from_chars_result parse_decimal(const char* first, const char* last, double& value);

/// The shortest text that parses back to the same number, in scientific notation only if that is shorter.
std::to_chars_result print_decimal(char* first, char* last, double value);
std::to_chars_result print_decimal(char* first, char* last, float value);

}  // namespace graze::core
