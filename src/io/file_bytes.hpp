// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

namespace graze::io {

/// A block of bytes that is not cleared before it is filled.
struct Bytes {
  std::unique_ptr<char[]> data;
  std::size_t size = 0;

  std::string_view view() const { return {data.get(), size}; }
};

/// More than this is refused from a compressed file (a few bytes can promise any amount), a pipe or a device.
constexpr std::uint64_t unpacked_limit = std::uint64_t{4} << 30;

/// The whole file, as it is.
Bytes read_file(const std::filesystem::path& file);

/// Do these bytes begin as gzip does?
bool is_gzip(std::string_view bytes);

/// Unpacks gzip, several members in a row included. `limit` is a parameter for the tests.
Bytes unpack_gzip(std::string_view bytes, std::string_view name, std::uint64_t limit = unpacked_limit);

}  // namespace graze::io
