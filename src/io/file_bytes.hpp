// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

namespace graze::io {

/// A block of bytes that is not zero-initialised before it is filled.
struct Bytes {
  std::unique_ptr<char[]> data;
  std::size_t size = 0;

  std::string_view view() const { return {data.get(), size}; }
};

/// The size limit for a compressed file (a few bytes can expand to any amount), a pipe or a device.
constexpr std::uint64_t unpacked_limit = std::uint64_t{4} << 30;

/// The whole file, unchanged.
Bytes read_file(const std::filesystem::path& file);

}  // namespace graze::io
