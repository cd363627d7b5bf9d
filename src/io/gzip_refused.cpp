// SPDX-License-Identifier: MIT
// Replaces gzip.cpp in a build without zlib: compressed files are refused.
#include "io/gzip.hpp"
#include "io/source.hpp"

namespace graze::io {

struct GzipPacker::Stream {};

Bytes unpack_gzip(std::string_view, std::string_view name, std::uint64_t) {
  fail_at_element({{}, name}, "compressed byte", 0, ErrorCode::unsupported,
                  "this graze is built without zlib and reads no compressed files; unpack the file first");
}

GzipPacker::GzipPacker() = default;
GzipPacker::~GzipPacker() = default;
const char* GzipPacker::refused() const { return "this graze is built without zlib and cannot compress it"; }
void GzipPacker::pack(std::string_view, bool, const std::function<void(const char*, std::size_t)>&) {}

}  // namespace graze::io
