// SPDX-License-Identifier: MIT
#include "io/gzip.hpp"

#define ZLIB_CONST  // makes zlib's input pointers const
#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>
#include <string>

#include "io/growing_bytes.hpp"
#include "io/source.hpp"

namespace graze::io {
namespace {

struct Inflater {
  z_stream stream{};
  bool ready = inflateInit2(&stream, 15 + 16) == Z_OK;  // 16: gzip only
  ~Inflater() {
    if (ready) inflateEnd(&stream);
  }
};

[[noreturn]] void fail_unpacking(std::string_view name, std::uint64_t offset, ErrorCode code,
                                 const std::string& message) {
  fail_at_element({{}, name}, "compressed byte", offset, code, message);
}

}  // namespace

Bytes unpack_gzip(std::string_view bytes, std::string_view name, std::uint64_t limit) {
  Inflater inflater;
  if (!inflater.ready) throw std::bad_alloc();
  z_stream& stream = inflater.stream;
  GrowingBytes out(std::max<std::uint64_t>(4 * static_cast<std::uint64_t>(bytes.size()), 1 << 12), limit);
  std::size_t taken = 0;
  constexpr std::size_t piece = 1 << 30;  // zlib counts in 32 bits
  for (;;) {
    stream.next_in = reinterpret_cast<const Bytef*>(bytes.data() + taken);
    const auto in = static_cast<uInt>(std::min(piece, bytes.size() - taken));
    const auto free_size = static_cast<uInt>(std::min(piece, out.free_size()));
    stream.avail_in = in;
    stream.next_out = reinterpret_cast<Bytef*>(out.free_space());
    stream.avail_out = free_size;
    const int result = inflate(&stream, Z_NO_FLUSH);
    taken += in - stream.avail_in;
    out.used(free_size - stream.avail_out);
    if (out.over_limit())
      fail_unpacking(name, taken, ErrorCode::too_large,
                     "the file unpacks to more than " + std::to_string(limit) +
                         " bytes, which is refused as a decompression bomb; unpack it yourself if you trust it");
    if (result == Z_STREAM_END) {
      // Another member may follow, or zero padding (as on tapes).
      if (bytes.find_first_not_of('\0', taken) == std::string_view::npos) return out.take();
      if (!is_gzip(bytes.substr(taken)) || inflateReset(&stream) != Z_OK)
        fail_unpacking(name, taken, ErrorCode::bad_file,
                       "something that is not gzip follows the compressed data; compress the file again");
    } else if (result == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      fail_unpacking(name, taken, ErrorCode::bad_file,
                     std::string("the compressed data are damaged (") + (stream.msg ? stream.msg : "not gzip") +
                         "); get a new copy of the file");
    } else if (taken == bytes.size() && stream.avail_out != 0) {
      fail_unpacking(name, taken, ErrorCode::bad_file,
                     "the compressed data end too early; the file is cut off: get a complete copy");
    }
  }
}

struct GzipPacker::Stream {
  z_stream z{};
  bool ready = deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK;
  ~Stream() {
    if (ready) deflateEnd(&z);
  }
};

GzipPacker::GzipPacker() : stream_(std::make_unique<Stream>()) {}
GzipPacker::~GzipPacker() = default;

const char* GzipPacker::refused() const {
  return stream_->ready ? nullptr : "there is not enough memory to compress it";
}

void GzipPacker::pack(std::string_view bytes, bool last, const std::function<void(const char*, std::size_t)>& write) {
  z_stream& z = stream_->z;
  z.next_in = reinterpret_cast<const Bytef*>(bytes.data());
  z.avail_in = static_cast<uInt>(bytes.size());
  std::array<char, 1 << 16> packed;
  int result = Z_OK;
  do {
    z.next_out = reinterpret_cast<Bytef*>(packed.data());
    z.avail_out = static_cast<uInt>(packed.size());
    result = deflate(&z, last ? Z_FINISH : Z_NO_FLUSH);
    write(packed.data(), packed.size() - z.avail_out);
  } while (z.avail_out == 0 || (last && result != Z_STREAM_END));
}

}  // namespace graze::io
