// SPDX-License-Identifier: MIT
#include <limits>

#include "unit/io/test_help.hpp"

namespace graze {
namespace {

using namespace io_test;

const std::string facet =
    "facet normal 0 0 1\n  outer loop\n    vertex 0 0 0\n    vertex 1 0 0\n    vertex 0 1 0\n  endloop\nendfacet\n";

void refuse(std::string_view text, ErrorCode code, std::uint64_t line) {
  expect_refused_at_line(text, MeshFormat::stl, code, line);
}

/// A binary file with `present` facets whose header promises `promised`.
std::string binary(std::string header, std::uint32_t promised, std::uint32_t present) {
  header.resize(80);
  std::string out = header + bytes_of(promised);
  for (std::uint32_t i = 0; i < present; ++i) {
    const float x = static_cast<float>(i);
    for (float value : {0.f, 0.f, 1.f, x, 0.f, 0.f, x + 1, 0.f, 0.f, x, 1.f, 0.f}) out += bytes_of(value);
    out += "\xFF\xFF";
  }
  return out;
}

TEST(Stl, TextVerticesAreThreeTimesFacetPlusCorner) {
  const Mesh mesh = parse("solid two words\n" + facet + facet + "endsolid other\n", MeshFormat::stl);
  EXPECT_EQ(mesh.vertex_count(), 6u);
  EXPECT_EQ(polygon(mesh, 1), (std::vector<std::uint32_t>{3, 4, 5}));
  EXPECT_EQ(mesh.positions()[4], (Vec3{1, 0, 0}));
}

TEST(Stl, TextVariants) {
  EXPECT_EQ(parse(replaced("solid\n" + facet + "endsolid", "\n", "\r\n"), MeshFormat::stl).vertex_count(), 3u);
  EXPECT_EQ(parse("SOLID A\n" + replaced(facet, "facet", "FACET") + "ENDSOLID A", MeshFormat::stl).vertex_count(), 3u);
  EXPECT_EQ(parse("  solid a\n\n" + facet + "\nendsolid a\n\nsolid b\n" + facet + "endsolid b\n", MeshFormat::stl)
                .polygon_count(),
            2u);
  // The normal is not used, so that a useless one does no harm; without one the file is broken.
  EXPECT_EQ(
      parse("solid\n" + replaced(facet, "0 0 1\n", "NaN NaN -inf\n") + "endsolid", MeshFormat::stl).vertex_count(), 3u);
  refuse("solid\n" + replaced(facet, " 0 0 1\n", "\n") + "endsolid", ErrorCode::bad_file, 2);
}

TEST(Stl, BrokenText) {
  refuse("", ErrorCode::empty_mesh, 1);
  refuse("solid empty\nendsolid empty\n", ErrorCode::empty_mesh, 3);
  refuse("solid\n" + facet, ErrorCode::bad_file, 9);
  refuse("solid\n" + replaced(facet, "  endloop", "vertex 1 1 0\nendloop") + "endsolid", ErrorCode::bad_file, 7);
  refuse("solid\n" + replaced(facet, "    vertex 0 1 0\n", "") + "endsolid", ErrorCode::bad_file, 6);
  refuse("solid\n" + replaced(facet, "vertex 1 0 0", "vertex 1 0 nan") + "endsolid", ErrorCode::not_finite, 5);
  refuse("solid\n" + replaced(facet, "vertex 1 0 0", "vertex 1 0 1e999") + "endsolid", ErrorCode::not_finite, 5);
  refuse("solid\n" + replaced(facet, "vertex 1 0 0", "vertex 1 0") + "endsolid", ErrorCode::bad_file, 5);
  refuse("solid\n" + replaced(facet, "vertex 1 0 0", "vertex 1 0 x") + "endsolid", ErrorCode::bad_file, 5);
  refuse("solid\n" + replaced(facet, "vertex 1 0 0", "vertex 1 0 0 0") + "endsolid", ErrorCode::bad_file, 5);
  refuse("v 0 0 0\nv 1 0 0\n", ErrorCode::bad_file, 1);
}

TEST(Stl, Binary) {
  const Mesh mesh = parse(binary("anything", 2, 2), MeshFormat::stl);
  EXPECT_EQ(mesh.vertex_count(), 6u);
  EXPECT_EQ(polygon(mesh, 1), (std::vector<std::uint32_t>{3, 4, 5}));
  EXPECT_EQ(mesh.positions()[4], (Vec3{2, 0, 0}));
}

TEST(Stl, BinaryMayBeginWithSolid) {
  EXPECT_EQ(parse(binary("solid", 2, 2), MeshFormat::stl).polygon_count(), 2u);
  EXPECT_EQ(parse(binary(std::string(80, ' ').replace(0, 5, "solid"), 2, 2), MeshFormat::stl).polygon_count(), 2u);
}

TEST(Stl, WrongCounterSaysPromisedAndPresent) {
  for (const char* header : {"tetrahedron", "solid"}) {
    const ErrorDetail detail = refusal(binary(header, 66, 4), MeshFormat::stl);
    EXPECT_EQ(detail.code, ErrorCode::bad_file);
    EXPECT_NE(detail.message.find("promises 66 facets"), std::string::npos) << detail.message;
    EXPECT_NE(detail.message.find("4 facets"), std::string::npos) << detail.message;
    EXPECT_EQ(detail.id, 4u);
  }
  expect_refused_at(binary("", 2, 3), MeshFormat::stl, ErrorCode::bad_file, "facet", 2);
  expect_refused_at(binary("", 4294967295u, 1), MeshFormat::stl, ErrorCode::bad_file, "facet", 1);
}

TEST(Stl, TruncatedBinary) {
  const std::string whole = binary("cut", 3, 3);
  for (std::size_t size = 1; size < whole.size(); ++size) {
    const ErrorDetail detail = refusal(whole.substr(0, size), MeshFormat::stl);
    EXPECT_EQ(detail.code, ErrorCode::bad_file) << size;
  }
  expect_refused_at(binary("", 0, 0), MeshFormat::stl, ErrorCode::empty_mesh, "facet", 0);
}

TEST(Stl, BinaryCoordinatesMustBeFinite) {
  std::string bytes = binary("", 2, 2);
  bytes.replace(84 + 50 + 12 + 16, 4, bytes_of(std::numeric_limits<float>::infinity()));
  expect_refused_at(bytes, MeshFormat::stl, ErrorCode::not_finite, "vertex", 4);
  bytes = binary("", 2, 2);
  bytes.replace(84, 4, bytes_of(std::numeric_limits<float>::quiet_NaN()));  // a normal
  EXPECT_EQ(parse(bytes, MeshFormat::stl).polygon_count(), 2u);
}

}  // namespace
}  // namespace graze
