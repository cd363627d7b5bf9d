// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include <graze/core/export.hpp>
#include <graze/math/vec3.hpp>

namespace graze {

/// Elementary queries with known answers, in the file's order. A query has four points at t = 0, then the same points
/// at t = 1 (vertex/face: v f0 f1 f2; edge/edge: a0 a1 b0 b1).
struct QueryFile {
  std::vector<std::array<Vec3, 8>> queries;
  std::vector<std::uint8_t> truth;  ///< 1: contact at some time in [0, 1]
};

/// Reads comma-separated rows, plain or gzipped. A query has eight rows; each row has x, y, z as numerator, denominator
/// (integers of any length), then the truth, 0 or 1, the same in all eight rows. A first row without numbers is a
/// header; empty lines are skipped. Coordinates must be exactly representable as doubles: nothing is rounded. Throws
/// `Error` (file_not_found, bad_file, too_large) with file and line.
GRAZE_API QueryFile load_queries(const std::filesystem::path& file);

/// The same from memory; `name` is used in error messages.
GRAZE_API QueryFile parse_queries(std::span<const char> bytes, std::string_view name = "memory");

}  // namespace graze
