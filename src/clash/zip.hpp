// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/output_file.hpp"

namespace graze::clash {

/// The checksum of zip, gzip and PNG.
std::uint32_t crc32(std::string_view bytes);

/// A zip whose files are stored, not compressed: a reader needs nothing but the checksum. The same files give the same
/// bytes (all dates are 1980-01-01). With more than 65,535 files the end is written as zip64.
class ZipWriter {
 public:
  explicit ZipWriter(io::OutputFile& out) : out_(out) {}
  /// A file below 4 GiB; the whole zip must stay below it, too: else throws `Error` (too_large).
  void add(const std::string& name, std::string_view bytes);
  void finish();

 private:
  struct Entry {
    std::string name;
    std::uint32_t checksum = 0, size = 0, offset = 0;
  };
  void write(std::string_view bytes);

  io::OutputFile& out_;
  std::uint64_t written_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace graze::clash
