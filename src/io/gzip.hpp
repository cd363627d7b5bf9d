// SPDX-License-Identifier: MIT
// Compressed files. gzip.cpp uses zlib; without zlib (GRAZE_WITH_ZLIB=OFF) gzip_refused.cpp takes its place.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "io/file_bytes.hpp"

namespace graze::io {

/// Do these bytes start with the gzip signature?
inline bool is_gzip(std::string_view bytes) { return bytes.substr(0, 2) == "\x1f\x8b"; }

/// Unpacks gzip, including several members in a row; without zlib throws an `Error` with unsupported. `limit` is a
/// parameter for the tests.
Bytes unpack_gzip(std::string_view bytes, std::string_view name, std::uint64_t limit = unpacked_limit);

/// Compresses a stream of bytes.
class GzipPacker {
 public:
  GzipPacker();
  ~GzipPacker();
  GzipPacker(const GzipPacker&) = delete;
  GzipPacker& operator=(const GzipPacker&) = delete;

  /// The reason why compression is not available, or null.
  const char* refused() const;
  /// Passes the compressed form of `bytes` to `write`; with `last`, also everything still buffered.
  void pack(std::string_view bytes, bool last, const std::function<void(const char*, std::size_t)>& write);

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

}  // namespace graze::io
