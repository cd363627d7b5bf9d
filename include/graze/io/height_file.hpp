// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include <graze/core/export.hpp>
#include <graze/mesh/height_field.hpp>

namespace graze {

/// Reads a height field from text, plain or gzipped: a line for each row, beginning with that of the least y, and a
/// number for each column; `nan` or `x` where there is no ground. Empty lines and what follows a '#' are skipped. The
/// spacing is 1. Throws `Error` (file_not_found, bad_file, too_large) with file and line.
GRAZE_API HeightField load_heights(const std::filesystem::path& file);

/// The same from memory; `name` is used in error messages.
GRAZE_API HeightField parse_heights(std::span<const char> bytes, std::string_view name = "memory");

}  // namespace graze
