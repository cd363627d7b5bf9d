// SPDX-License-Identifier: MIT
#include "io/file_bytes.hpp"

#define ZLIB_CONST  // zlib then promises not to change its input
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <system_error>

#include "io/source.hpp"

namespace graze::io {
namespace {

[[noreturn]] void fail_to_open(const std::filesystem::path& file, const std::string& why) {
  ErrorDetail detail;
  detail.code = ErrorCode::file_not_found;
  detail.file = file.string();
  detail.message = "cannot read the file: " + why + "; check the path and its permissions";
  throw Error(std::move(detail));
}

std::string reason(int error) { return std::generic_category().message(error); }

/// Bytes that grow by doubling, up to a limit; there is always room for one more than the limit, so that passing it
/// shows.
class GrowingBytes {
 public:
  GrowingBytes(std::uint64_t first_capacity, std::uint64_t limit) : limit_(limit) { grow(first_capacity); }

  char* room() { return bytes_.data.get() + bytes_.size; }
  std::size_t room_size() const { return capacity_ - bytes_.size; }
  bool over_limit() const { return bytes_.size > limit_; }
  void used(std::size_t count) {
    bytes_.size += count;
    if (room_size() == 0 && !over_limit()) grow(2 * static_cast<std::uint64_t>(capacity_));
  }
  Bytes take() { return std::move(bytes_); }

 private:
  void grow(std::uint64_t capacity) {
    capacity_ = static_cast<std::size_t>(std::min(capacity, limit_ == max ? max : limit_ + 1));
    std::unique_ptr<char[]> larger(new char[capacity_]);
    if (bytes_.size) std::memcpy(larger.get(), bytes_.data.get(), bytes_.size);
    bytes_.data = std::move(larger);
  }

  static constexpr std::uint64_t max = std::numeric_limits<std::uint64_t>::max();
  Bytes bytes_;
  std::size_t capacity_ = 0;
  std::uint64_t limit_;
};

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

Bytes read_file(const std::filesystem::path& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (std::filesystem::is_directory(status)) fail_to_open(file, "it is a folder");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rb"), &std::fclose);
  if (!stream) fail_to_open(file, reason(errno));
  std::setvbuf(stream.get(), nullptr, _IONBF, 0);
  const bool regular = std::filesystem::is_regular_file(status);
  const std::uintmax_t size = regular ? std::filesystem::file_size(file, error) : 0;
  const std::uint64_t limit = regular ? std::numeric_limits<std::uint64_t>::max() : unpacked_limit;
  // One byte more than the file has: the end is then seen without growing.
  GrowingBytes bytes(!error && size > 0 ? size + 1 : 1 << 16, limit);
  for (;;) {
    const std::size_t got = std::fread(bytes.room(), 1, bytes.room_size(), stream.get());
    bytes.used(got);
    if (bytes.over_limit())
      fail_at_element({{}, file.string()}, "byte", unpacked_limit, ErrorCode::too_large,
                      "more than 4 GiB come from what is not a plain file; save it as a file first");
    if (got > 0) continue;
    if (std::ferror(stream.get())) fail_to_open(file, reason(errno));
    return bytes.take();
  }
}

bool is_gzip(std::string_view bytes) { return bytes.substr(0, 2) == "\x1f\x8b"; }

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
    const auto room = static_cast<uInt>(std::min(piece, out.room_size()));
    stream.avail_in = in;
    stream.next_out = reinterpret_cast<Bytef*>(out.room());
    stream.avail_out = room;
    const int result = inflate(&stream, Z_NO_FLUSH);
    taken += in - stream.avail_in;
    out.used(room - stream.avail_out);
    if (out.over_limit())
      fail_unpacking(name, taken, ErrorCode::too_large,
                     "the file unpacks to more than " + std::to_string(limit) +
                         " bytes, which is refused as a decompression bomb; unpack it yourself if you trust it");
    if (result == Z_STREAM_END) {
      // Another member may follow; zeros may too (tapes pad with them).
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

}  // namespace graze::io
