// SPDX-License-Identifier: MIT
#include <zlib.h>

#include <array>

#include "io/gzip.hpp"
#include "unit/io/test_help.hpp"

namespace graze {
namespace {

using namespace io_test;

std::string packed(std::string text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}

const std::string triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

TEST(Gzip, IsToldByItsFirstBytes) {
  EXPECT_EQ(parse(packed(triangle), MeshFormat::obj).polygon_count(), 1u);
  expect_refused_at_line(packed(triangle + "f 1 2 4\n"), MeshFormat::obj, ErrorCode::index_out_of_range, 5);
}

TEST(Gzip, SeveralMembersAndPadding) {
  EXPECT_EQ(parse(packed(triangle) + packed("f 3 2 1\n"), MeshFormat::obj).polygon_count(), 2u);
  EXPECT_EQ(parse(packed(triangle) + packed(""), MeshFormat::obj).polygon_count(), 1u);
  EXPECT_EQ(parse(packed(triangle) + std::string(512, '\0'), MeshFormat::obj).polygon_count(), 1u);
  EXPECT_EQ(refusal(packed(triangle) + "rest", MeshFormat::obj).code, ErrorCode::bad_file);
}

TEST(Gzip, TruncatedAnywhereIsRefused) {
  const std::string whole = packed(triangle);
  for (std::size_t size = 2; size < whole.size(); ++size)
    EXPECT_EQ(refusal(whole.substr(0, size), MeshFormat::obj).element, "compressed byte") << size;
}

TEST(Gzip, DamagedIsRefused) {
  std::string bytes = packed(triangle);
  bytes[bytes.size() - 6] = static_cast<char>(bytes[bytes.size() - 6] ^ 1);  // the checksum
  EXPECT_EQ(refusal(bytes, MeshFormat::obj).code, ErrorCode::bad_file);
  EXPECT_EQ(refusal("\x1f\x8b rubbish that is long enough", MeshFormat::obj).code, ErrorCode::bad_file);
}

TEST(Gzip, BombsAreRefused) {
  const std::string bomb = packed(std::string(1 << 22, '\n'));
  EXPECT_LT(bomb.size(), 10000u);
  EXPECT_EQ(io::unpack_gzip(bomb, "test", 1 << 22).size, std::size_t{1} << 22);
  for (std::uint64_t limit : {0, 1, 4096, (1 << 22) - 1}) {
    try {
      io::unpack_gzip(bomb, "test", limit);
      ADD_FAILURE() << limit;
    } catch (const Error& error) {
      EXPECT_EQ(error.detail().code, ErrorCode::too_large);
      EXPECT_NE(std::string(error.what()).find("bomb"), std::string::npos);
    }
  }
}

TEST(Gzip, InsideGzipIsNotUnpackedTwice) {
  EXPECT_EQ(refusal(packed(packed(triangle)), MeshFormat::obj).code, ErrorCode::bad_file);
}

}  // namespace
}  // namespace graze
