// SPDX-License-Identifier: MIT
// Headers that promise billions: memory may be taken only for what is there. Counting what operator new is asked for
// shows it even where the system would hand out memory that is never touched.
#include <atomic>

#include "counted_new.hpp"
#include "unit/io/test_help.hpp"

namespace {

std::atomic<std::size_t> largest_request{0};

}  // namespace

void counted_request(std::size_t size) {
  std::size_t seen = largest_request.load();
  while (seen < size && !largest_request.compare_exchange_weak(seen, size)) {
  }
}

namespace graze {
namespace {

using namespace io_test;

void expect_small(const std::string& bytes, MeshFormat format) {
  largest_request = 0;
  refusal(bytes, format);
  EXPECT_LT(largest_request.load(), std::size_t{1} << 16) << bytes.substr(0, 100);
}

TEST(IoMemory, SizesInHeadersAreNotTrusted) {
  const std::string vertex = "\nproperty float x\nproperty float y\nproperty float z\n";
  const std::string face = "\nproperty list uint int vertex_indices\n";
  for (const char* count : {"4000000000", "4294967295", "18446744073709551615"}) {
    for (const char* format : {"ascii", "binary_little_endian", "binary_big_endian"}) {
      const std::string start = std::string("ply\nformat ") + format + " 1.0\n";
      expect_small(start + "element vertex " + count + vertex + "element face 1" + face + "end_header\n0 0 0\n",
                   MeshFormat::ply);
      expect_small(start + "element vertex 0" + vertex + "element face " + count + face + "end_header\n" +
                       std::string(8, '\xFF'),
                   MeshFormat::ply);
      expect_small(start + "element note " + count + "\nelement vertex 1" + vertex + "element face 1" + face +
                       "end_header\n0 0 0\n",
                   MeshFormat::ply);
      expect_small(start + "element note " + count + "\nproperty list uint double n\nelement vertex 1" + vertex +
                       "element face 1" + face + "end_header\n4294967295 0 0\n",
                   MeshFormat::ply);
    }
  }
  expect_small("OFF\n4000000000 4000000000 0\n0 0 0\n", MeshFormat::off);
  expect_small("OFF\n1 9223372036854775807 0\n0 0 0\n3 0 0 0\n", MeshFormat::off);
  expect_small("OFF\n1 1 0\n0 0 0\n9223372036854775807 0 0 0\n", MeshFormat::off);
  expect_small(std::string(80, '\0') + bytes_of(std::uint32_t{4000000000u}) + std::string(50, '\0'), MeshFormat::stl);
}

}  // namespace
}  // namespace graze
