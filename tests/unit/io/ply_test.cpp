// SPDX-License-Identifier: MIT
#include <cstdint>
#include <limits>

#include "unit/io/test_help.hpp"

namespace graze {
namespace {

using namespace io_test;

void refuse(std::string_view text, ErrorCode code, std::uint64_t line) {
  expect_refused_at_line(text, MeshFormat::ply, code, line);
}

const std::string text_header =
    "ply\nformat ascii 1.0\ncomment by hand\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
    "element face 2\nproperty list uchar int vertex_indices\nend_header\n";
const std::string text_data = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n3 3 1 0\n";

/// The same square in binary, with more properties and elements than needed: all that a reader must step over.
std::string binary(std::endian order, std::uint64_t vertices = 4, std::uint64_t faces = 2) {
  std::string out = "ply\nformat ";
  out += order == std::endian::little ? "binary_little_endian" : "binary_big_endian";
  out += " 1.0\nelement camera 2\nproperty double focus\nelement vertex " + std::to_string(vertices) +
         "\nproperty uchar red\nproperty double x\nproperty list ushort float weights\nproperty float y\nproperty "
         "short z\n"
         "element note 1\nproperty list int char text\nelement face " +
         std::to_string(faces) +
         "\nproperty int material\nproperty list uint uint vertex_index\nproperty float32 quality\nend_header\n";
  const auto put = [&](auto value) { out += bytes_of(value, order); };
  put(1.0), put(2.0);
  const double positions[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  for (int i = 0; i < 4; ++i) {
    put(std::uint8_t{200}), put(positions[i][0]), put(static_cast<std::uint16_t>(i));
    for (int k = 0; k < i; ++k) put(0.5f);
    put(static_cast<float>(positions[i][1])), put(std::int16_t{0});
  }
  put(std::int32_t{3}), out += "abc";
  put(std::int32_t{7}), put(std::uint32_t{4});
  for (std::uint32_t id : {0u, 1u, 2u, 3u}) put(id);
  put(1.f), put(std::int32_t{8}), put(std::uint32_t{3});
  for (std::uint32_t id : {3u, 1u, 0u}) put(id);
  put(1.f);
  return out;
}

TEST(Ply, Text) {
  expect_square(parse(text_header + text_data, MeshFormat::ply));
  for (const char* newline : {"\r\n", "\r"})
    expect_square(parse(replaced(text_header + text_data, "\n", newline), MeshFormat::ply));
  std::string without_last_newline = text_header + text_data;
  without_last_newline.pop_back();
  expect_square(parse(without_last_newline, MeshFormat::ply));
}

TEST(Ply, TextWithMoreThanNeeded) {
  expect_square(parse(
      "ply\ncomment first\nformat ascii 1.0\nobj_info x\nelement camera 1\nproperty int focus\nelement nothing "
      "4000000000\n"
      "element vertex 4\nproperty double z\nproperty uchar red\nproperty list uchar float weights\nproperty double "
      "y\nproperty double x\n"
      "element face 2\nproperty list uchar float texcoord\nproperty list int uint vertex_index\nproperty int flags\n"
      "element edge 1\nproperty int a\nproperty list uint8 int8 more\nend_header\n"
      "35\n0 255 0 0 0\n0 255 1 nan 0 1\n0 255 2 .5 .5 1 1\n\n0 255 0 1 0\n2 .1 .2 4 0 1 2 3 9\n0 3 3 1 0 9\n1 2 -1 "
      "-2\n",
      MeshFormat::ply));
}

TEST(Ply, BinaryOfBothOrders) {
  for (std::endian order : {std::endian::little, std::endian::big})
    expect_square(parse(binary(order), MeshFormat::ply));
}

TEST(Ply, BinaryAfterCarriageReturns) {
  const std::string bytes = binary(std::endian::little);
  const std::size_t data = bytes.find("end_header\n") + 11;
  for (const char* newline : {"\r\n", "\r"})
    expect_square(parse(replaced(bytes.substr(0, data), "\n", newline) + bytes.substr(data), MeshFormat::ply));
}

TEST(Ply, TruncatedBinaryIsRefusedEverywhere) {
  for (std::endian order : {std::endian::little, std::endian::big}) {
    const std::string whole = binary(order);
    for (std::size_t size = 1; size < whole.size(); ++size)
      EXPECT_EQ(refusal(whole.substr(0, size), MeshFormat::ply).code, ErrorCode::bad_file) << size;
    expect_refused_at(whole.substr(0, whole.size() - 1), MeshFormat::ply, ErrorCode::bad_file, "polygon", 1);
    expect_refused_at(whole + "x", MeshFormat::ply, ErrorCode::bad_file, "byte", whole.size());
  }
}

TEST(Ply, TruncatedTextIsRefused) {
  const std::string whole = text_header + text_data;
  for (std::size_t size = 0; size + 6 < whole.size(); ++size) refusal(whole.substr(0, size), MeshFormat::ply);
  refuse(text_header + "0 0 0\n1 0 0\n", ErrorCode::bad_file, 13);
}

TEST(Ply, CoordinatesMustBeFinite) {
  refuse(text_header + replaced(text_data, "1 1 0", "1 nan 0"), ErrorCode::not_finite, 13);
  std::string bytes = binary(std::endian::big);
  const std::string one = bytes_of(1.0, std::endian::big);
  bytes.replace(bytes.rfind(one), 8, bytes_of(std::numeric_limits<double>::infinity(), std::endian::big));
  expect_refused_at(bytes, MeshFormat::ply, ErrorCode::not_finite, "vertex", 2);
}

TEST(Ply, BrokenPolygons) {
  refuse(text_header + replaced(text_data, "3 3 1 0", "3 3 1 4"), ErrorCode::index_out_of_range, 16);
  refuse(text_header + replaced(text_data, "3 3 1 0", "3 3 1 -1"), ErrorCode::index_out_of_range, 16);
  refuse(text_header + replaced(text_data, "3 3 1 0", "2 3 1"), ErrorCode::bad_polygon, 16);
  refuse(text_header + replaced(text_data, "3 3 1 0", "0"), ErrorCode::bad_polygon, 16);
  refuse(text_header + replaced(text_data, "3 3 1 0", "256 3 1 0"), ErrorCode::bad_file, 16);
  refuse(text_header + replaced(text_data, "3 3 1 0", "3 3 1 0 0"), ErrorCode::bad_file, 16);
  refuse(text_header + replaced(text_data, "3 3 1 0", "3 3 1"), ErrorCode::bad_file, 16);
  refuse(text_header + replaced(text_data, "3 3 1 0", "3 3 1 0.5"), ErrorCode::bad_file, 16);
  refuse(text_header + replaced(text_data, "3 3 1 0", "3 3 1 2147483648"), ErrorCode::bad_file, 16);
  refuse(text_header + text_data + "3 0 1 2\n", ErrorCode::bad_file, 17);
  std::string bytes = binary(std::endian::little);
  const std::string last = bytes_of(std::uint32_t{3}) + bytes_of(std::uint32_t{1}) + bytes_of(std::uint32_t{0});
  bytes.replace(bytes.rfind(last), 4, bytes_of(std::uint32_t{0xFFFFFFFF}));
  expect_refused_at(bytes, MeshFormat::ply, ErrorCode::index_out_of_range, "polygon", 1);
}

TEST(Ply, FacesMayComeFirst) {
  const std::string header =
      "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_indices\nelement vertex 3\n"
      "property float x\nproperty float y\nproperty float z\nend_header\n";
  EXPECT_EQ(parse(header + "3 2 1 0\n0 0 0\n1 0 0\n0 1 0\n", MeshFormat::ply).polygon_count(), 1u);
  expect_refused_at(header + "3 3 1 0\n0 0 0\n1 0 0\n0 1 0\n", MeshFormat::ply, ErrorCode::index_out_of_range,
                    "polygon", 0);
}

TEST(Ply, Edges) {
  using Edges = std::vector<std::array<std::uint32_t, 2>>;
  const std::string header =
      "ply\nformat ascii 1.0\nelement edge 2\nproperty int vertex1\nproperty float stiffness\nproperty uchar vertex2\n"
      "element vertex 3\nproperty float x\nproperty float y\nproperty float z\nend_header\n";
  const Mesh rod = parse(header + "0 .5 1\n1 .5 2\n0 0 0\n1 0 0\n0 1 0\n", MeshFormat::ply);
  EXPECT_EQ(rod.loose().edges, (Edges{{0, 1}, {1, 2}}));
  EXPECT_EQ(rod.polygon_count(), 0u);
  expect_refused_at(header + "0 .5 1\n1 .5 3\n0 0 0\n1 0 0\n0 1 0\n", MeshFormat::ply, ErrorCode::index_out_of_range,
                    "edge", 1);
  refuse(replaced(header, "vertex2", "other"), ErrorCode::bad_file, 3);
  refuse(replaced(header, "int vertex1", "float vertex1"), ErrorCode::bad_file, 3);
  refuse(replaced(header, "edge 2", "edge 0"), ErrorCode::empty_mesh, 11);
  const std::string after =
      replaced(text_header, "end_header", "element edge 1\nproperty int vertex1\nproperty int vertex2\nend_header");
  EXPECT_EQ(parse(after + text_data + "3 2\n", MeshFormat::ply).loose().edges, (Edges{{3, 2}}));
  refuse(after + text_data + "3 4\n", ErrorCode::index_out_of_range, 20);
}

TEST(Ply, BrokenHeaders) {
  const auto with = [](std::string_view from, std::string_view to) {
    return replaced(text_header, from, to) + text_data;
  };
  refuse("", ErrorCode::empty_mesh, 1);
  refuse("plyx\n", ErrorCode::bad_file, 1);
  refuse("ply\n", ErrorCode::bad_file, 1);
  refuse(with("format ascii 1.0", "format ascii 2.0"), ErrorCode::bad_file, 2);
  refuse(with("format ascii", "format utf8"), ErrorCode::bad_file, 2);
  refuse(with("format ascii 1.0\n", ""), ErrorCode::bad_file, 3);
  refuse(with("comment by hand", "remark by hand"), ErrorCode::bad_file, 3);
  refuse(with("vertex 4", "vertex four"), ErrorCode::bad_file, 4);
  refuse(with("vertex 4", "vertex -4"), ErrorCode::bad_file, 4);
  refuse(with("vertex 4", "vertex 99999999999999999999999"), ErrorCode::bad_file, 4);
  refuse(with("vertex 4", "vertex"), ErrorCode::bad_file, 4);
  refuse(with("float x", "real x"), ErrorCode::bad_file, 5);
  refuse(with("float x", "list uchar float x"), ErrorCode::bad_file, 4);
  refuse(with("float y", "float x"), ErrorCode::bad_file, 6);
  refuse(with("float y", "float u"), ErrorCode::bad_file, 4);
  refuse(with("uchar int", "float int"), ErrorCode::bad_file, 9);
  refuse(with("uchar int", "uchar float"), ErrorCode::bad_file, 8);
  refuse(with("vertex_indices", "corners"), ErrorCode::bad_file, 8);
  refuse(with("element face 2", "element vertex 2"), ErrorCode::bad_file, 8);
  refuse(with("element face 2", "element tristrips 2"), ErrorCode::empty_mesh, 10);
  refuse(with("element face 2", "element face 0"), ErrorCode::empty_mesh, 8);
  refuse(with("end_header\n", ""), ErrorCode::bad_file, 10);
  refuse(with("end_header", "end_header now"), ErrorCode::bad_file, 10);
}

}  // namespace
}  // namespace graze
