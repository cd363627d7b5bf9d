// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace graze::clash {

/// Does the whole text match the pattern? '*': any characters, also none; '?': one character of UTF-8; [abc], [a-z],
/// [!a]: one byte of a set, or not of it (a ']' right after the bracket belongs to the set; a set that is not closed is
/// a plain '['). In time proportional to the product of the lengths, whatever the pattern.
bool matches(std::string_view pattern, std::string_view text);

}  // namespace graze::clash
