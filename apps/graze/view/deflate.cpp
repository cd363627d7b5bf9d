// SPDX-License-Identifier: MIT
#include "view/deflate.hpp"

#include <stdexcept>

#include <graze/core/error.hpp>

#if defined(GRAZE_CLI_WITH_ZLIB)
#include <zlib.h>
#endif

namespace graze::app {
namespace {

#if defined(GRAZE_CLI_WITH_ZLIB)
/// `window`: zlib's parameter, which also says what is around the data.
std::string compressed(std::string_view bytes, int window) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("zlib cannot be started");
  std::string out;
  std::string part(std::size_t{1} << 16, '\0');
  // zlib counts in 32 bits.
  constexpr std::size_t most = std::size_t{1} << 30;
  int state = Z_OK;
  do {
    const std::string_view now = bytes.substr(0, most);
    bytes.remove_prefix(now.size());
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(now.data()));
    stream.avail_in = static_cast<uInt>(now.size());
    do {
      stream.next_out = reinterpret_cast<Bytef*>(part.data());
      stream.avail_out = static_cast<uInt>(part.size());
      state = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
      out.append(part, 0, part.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  } while (!bytes.empty());
  deflateEnd(&stream);
  if (state != Z_STREAM_END) throw std::runtime_error("zlib did not finish");
  return out;
}
#else
std::string compressed(std::string_view, int) {
  ErrorDetail detail;
  detail.code = ErrorCode::unsupported;
  detail.message =
      "pages and pictures are compressed, and this graze was built without zlib: build it with "
      "GRAZE_WITH_ZLIB=ON";
  throw Error(detail);
}
#endif

}  // namespace

std::string gzipped(std::string_view bytes) { return compressed(bytes, 15 + 16); }
std::string deflated(std::string_view bytes) { return compressed(bytes, 15); }

std::uint32_t crc_of(std::string_view bytes) {
  std::uint32_t crc = 0xFFFFFFFFu;
  for (const char c : bytes) {
    crc ^= static_cast<std::uint8_t>(c);
    for (int k = 0; k < 8; ++k) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0u);
  }
  return ~crc;
}

}  // namespace graze::app
