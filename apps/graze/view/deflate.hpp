// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace graze::app {

/// Compressed as in a .gz file. Throws `Error` (unsupported) in a build without zlib.
std::string gzipped(std::string_view bytes);
/// Compressed as in a PNG file (zlib's format).
std::string deflated(std::string_view bytes);
/// The checksum of a PNG's chunks.
std::uint32_t crc_of(std::string_view bytes);

}  // namespace graze::app
