// SPDX-License-Identifier: MIT
#include "unit/io/test_help.hpp"

namespace graze {
namespace {

using namespace io_test;

void refuse(std::string_view text, ErrorCode code, std::uint64_t line) {
  expect_refused_at_line(text, MeshFormat::obj, code, line);
}

constexpr std::string_view triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

TEST(Obj, KeepsOrderOfVerticesAndPolygons) {
  const Mesh mesh = parse("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 9 9 9\nf 4 3 2 1\nf 1 2 4\n", MeshFormat::obj);
  EXPECT_EQ(mesh.vertex_count(), 5u);  // the unused one too
  EXPECT_EQ(mesh.polygon_count(), 2u);
  EXPECT_EQ(polygon(mesh, 0), (std::vector<std::uint32_t>{3, 2, 1, 0}));
  EXPECT_EQ(polygon(mesh, 1), (std::vector<std::uint32_t>{0, 1, 3}));
  EXPECT_EQ(mesh.positions()[4], (Vec3{9, 9, 9}));
}

TEST(Obj, AllFormsOfCorners) {
  const Mesh mesh = parse(
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\nf 1/1 2/1 3/1\nf 1//1 2//1 3//1\nf 1/1/1 2/1/1 3/1/-1\nf 1 2/1 "
      "3//1\nf 1// 2// 3//\nf 1/1/ 2/2/ 3/1/\nf 1/ 2/ 3/\n",  // without the indices that slashes announce
      MeshFormat::obj);
  ASSERT_EQ(mesh.polygon_count(), 7u);
  for (std::uint32_t i = 0; i < 7; ++i) EXPECT_EQ(polygon(mesh, i), (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(Obj, NegativeIndicesCountBack) {
  const Mesh mesh = parse("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 5 5 5\nf -1 -4 -3\n", MeshFormat::obj);
  EXPECT_EQ(polygon(mesh, 0), (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(polygon(mesh, 1), (std::vector<std::uint32_t>{3, 0, 1}));
  refuse("v 0 0 0\nv 1 0 0\nf -1 -2 -3\n", ErrorCode::index_out_of_range, 3);
}

TEST(Obj, PolygonsMayComeBeforeTheirVertices) {
  const Mesh mesh = parse("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n", MeshFormat::obj);
  EXPECT_EQ(polygon(mesh, 0), (std::vector<std::uint32_t>{0, 1, 2}));
  // The first polygon that stays without its vertex is named, though a later one asks for more.
  refuse("f 1 2 3\nf 1 2 4\nf 1 2 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\n", ErrorCode::index_out_of_range, 2);
}

TEST(Obj, PolygonsMayHaveHoles) {
  const std::string square = "f 1 2 3 4\n",
                    corners = "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\nv 1 1 0\nv 3 1 0\nv 3 3 0\nv 1 3 0\nv 9 9 0\n";
  for (const std::string& text :
       {corners + square + "fh 5 6 7 8\nf 1 2 9\n", square + "fh 5//1 6/1 7 8\nf 1 2 9\n" + corners}) {
    const Mesh mesh = parse(text, MeshFormat::obj);
    ASSERT_EQ(mesh.polygon_count(), 2u);
    EXPECT_EQ(mesh.polygon(PolygonId{0}).size(), 10u);
    EXPECT_EQ(mesh.triangles_of(PolygonId{0}), (std::array<std::uint32_t, 2>{0, 8}));
    EXPECT_EQ(polygon(mesh, 1), (std::vector<std::uint32_t>{0, 1, 8}));
  }
  expect_refused_at_line(corners + "fh 5 6 7\n", MeshFormat::obj, ErrorCode::bad_file, 10);
  expect_refused_at_line(corners + square + "fh 5 6\n", MeshFormat::obj, ErrorCode::bad_polygon, 11);
  expect_refused_at_line(corners + square + "fh 5 6 7\nfh 1 2 9\n", MeshFormat::obj, ErrorCode::bad_polygon, 12);
  expect_refused_at_line(corners + square + "fh 5 6 77\n", MeshFormat::obj, ErrorCode::index_out_of_range, 11);
}

TEST(Obj, OtherStatementsAreLeftAside) {
  const std::string text =
      "# comment\n\n  # indented\nmtllib a b.mtl\no name\ng one two\ns off\nusemtl m\nvt 0 0\nvn nan nan nan\nvp 1\n"
      "vw 0 0 1\nt crease 2/1/0 1 2 4.7\ncurv 0 1 1 2 \\\n3 4\n" +
      std::string(triangle);
  EXPECT_EQ(parse(text, MeshFormat::obj).polygon_count(), 1u);
}

// Names of objects and groups were dropped, so users could not tell which part of a body was hit.
TEST(Obj, PolygonsKnowTheirGroups) {
  const Mesh mesh = parse(
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no car\ng left   wheel # front\nf 1 2 3\nf 3 2 1\ng\nf 1 2 3\no\nf 1 2 3\n"
      "o car\ng left \\\n wheel\nf 1 2 3\ng nobody\ng last\nf 1 2 3 1\n",
      MeshFormat::obj);
  const std::vector<PolygonGroup> names{{"", ""}, {"car", "left wheel"}, {"car", ""}, {"car", "last"}};
  EXPECT_EQ(mesh.groups().names, names);
  EXPECT_EQ(mesh.groups().of_polygon, (std::vector<std::uint32_t>{0, 1, 1, 2, 0, 1, 3}));
  EXPECT_EQ(mesh.group(mesh.group_of(PolygonId{6}).value()), (PolygonGroup{"car", "last"}));
  // Without a name there are no groups, nor with one that no polygon has.
  for (const std::string& text :
       {std::string(triangle), "g\no\n" + std::string(triangle), std::string(triangle) + "o late\n"}) {
    EXPECT_TRUE(parse(text, MeshFormat::obj).groups().names.empty()) << text;
    EXPECT_TRUE(parse(text, MeshFormat::obj).groups().of_polygon.empty()) << text;
    EXPECT_FALSE(parse(text, MeshFormat::obj).group_of(PolygonId{0}));
  }
}

TEST(Obj, GroupsAreWritten) {
  PolygonList polygons;
  for (int i = 0; i < 5; ++i) polygons.add(std::array{0u, 1u, 2u});
  const PolygonGroups groups{{{"", ""}, {"a b", "c"}, {"a b", "ends with \\"}, {"d", ""}}, {0, 1, 1, 2, 3}};
  const Mesh mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, polygons, groups);
  const TemporaryFolder folder;
  save_mesh(mesh, folder / "groups.obj");
  const Mesh again = load_mesh(folder / "groups.obj");
  EXPECT_EQ(again.groups().names, groups.names);
  EXPECT_EQ(again.groups().of_polygon, groups.of_polygon);
  EXPECT_EQ(again.polygons().corners, polygons.corners);
}

TEST(Obj, WeightsAndColoursAreAccepted) {
  const Mesh mesh = parse("v 0 0 0 1\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0 1 .5 .5 .5\nf 1 2 3", MeshFormat::obj);
  EXPECT_EQ(mesh.positions()[1], (Vec3{1, 0, 0}));
  refuse("v 0 0 0 1 2\n", ErrorCode::bad_file, 1);
  refuse("v 0 0 0 1 2 3 4 5\n", ErrorCode::bad_file, 1);
  refuse("v 0 0 0 red\n", ErrorCode::bad_file, 1);
}

TEST(Obj, LineEndsAndContinuation) {
  for (const char* newline : {"\n", "\r\n", "\r"}) {
    const std::string text =
        replaced("v 0 0 0\nv 1 \\\n 0 \\\n 0 # here\nv 0 1 0\nf 1 2 \\\n3\nf 3 2 1", "\n", newline);
    const Mesh mesh = parse(text, MeshFormat::obj);
    EXPECT_EQ(mesh.polygon_count(), 2u);
    EXPECT_EQ(mesh.positions()[1], (Vec3{1, 0, 0}));
    refuse(text + newline + "rubbish", ErrorCode::bad_file, 9);
  }
  // A comment is not continued, another statement is.
  EXPECT_EQ(parse("# C:\\\n" + std::string(triangle), MeshFormat::obj).vertex_count(), 3u);
  EXPECT_EQ(parse("g a \\\nb\n" + std::string(triangle), MeshFormat::obj).vertex_count(), 3u);
  EXPECT_EQ(parse("\xEF\xBB\xBF" + std::string(triangle), MeshFormat::obj).vertex_count(), 3u);
}

TEST(Obj, NumbersOfAllKinds) {
  const Mesh mesh =
      parse("v +1.5 -.5 5.\nv 1e-400 -1e-9999999999999999999999 2.5E+2\nv 4e-324 0.1 1e308\nf 1 2 3", MeshFormat::obj);
  EXPECT_EQ(mesh.positions()[0], (Vec3{1.5, -0.5, 5}));
  EXPECT_EQ(mesh.positions()[1], (Vec3{0, 0, 250}));
  EXPECT_EQ(mesh.positions()[2], (Vec3{4e-324, 0.1, 1e308}));
  const std::string tiny = "v 0." + std::string(500, '0') + "1 0 0\n" + std::string(triangle);
  EXPECT_EQ(parse(tiny, MeshFormat::obj).positions()[0].x, 0);
}

TEST(Obj, NumbersThatAreNone) {
  for (const char* bad : {"nan", "-inf", "NaN", "Infinity", "nan(ind)", "1.#INF", "-1.#IND", "1.#QNAN", "1e400",
                          "-1e99999999999999999999"})
    refuse(std::string("v 0 0 0\nv 0 0 ") + bad + "\n", ErrorCode::not_finite, 2);
  for (const char* bad : {"1,5", "x", "1e", "0x10", "--1", "+-1", "++1", "1.2.3", "1#", "\\ ", "1\\2", "\x80"})
    refuse(std::string("v 0 0 0\nv 0 0 ") + bad + "\n", ErrorCode::bad_file, 2);
  refuse("v 0 " + std::string(1000, '1') + " 0", ErrorCode::not_finite, 1);
  refuse("v 0 0\n", ErrorCode::bad_file, 1);
  refuse("v", ErrorCode::bad_file, 1);
}

TEST(Obj, BrokenCorners) {
  const std::string vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  for (const char* bad : {"1 2 x", "1 2 3///", "1 2 3/x", "1 2 3//x", "1 2 3/1/x", "1 2 3/1/1/1", "1 2 3.0",
                          "1 2 99999999999999999999", "1 2 /3", "1 2 3a"})
    refuse(vertices + "f " + bad, ErrorCode::bad_file, 4);
  for (const char* bad : {"0 1 2", "1 2 4", "1 2 4294967295", "1 2 4294967296", "1 2 4294967297",
                          "1 2 9223372036854775807", "1 2 -9223372036854775808"})
    refuse(vertices + "f " + bad, ErrorCode::index_out_of_range, 4);
  for (const char* bad : {"", "1", "1 2"}) refuse(vertices + "f " + bad, ErrorCode::bad_polygon, 4);
}

TEST(Obj, UnknownStatementsAreRefused) {
  refuse("v 0 0 0\nrubbish 1 2 3\n", ErrorCode::bad_file, 2);
  refuse("newmtl white\n", ErrorCode::bad_file, 1);
  refuse("v1 0 0\n", ErrorCode::bad_file, 1);
  refuse(std::string_view("\0\0\0", 3), ErrorCode::bad_file, 1);
  // Geometry that is no polygon must not disappear without a word.
  refuse("surf 0 1 0 1 1 2 3 4\n", ErrorCode::bad_file, 1);
  refuse("call other.obj\n", ErrorCode::bad_file, 1);
}

TEST(Obj, NothingIsAnEmptyMesh) {
  refuse("", ErrorCode::empty_mesh, 1);
  refuse("v 0 0 0\n", ErrorCode::empty_mesh, 2);
}

TEST(Obj, LinesAndPoints) {
  using Edges = std::vector<std::array<std::uint32_t, 2>>;
  const Mesh mesh =
      parse("v 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2/7 -1 4\nf 1 2 3\nl 3 -2 3\np 2 -1\nv 0 0 5\np 4\n", MeshFormat::obj);
  EXPECT_EQ(mesh.polygon_count(), 1u);
  EXPECT_EQ(mesh.loose().edges, (Edges{{0, 1}, {1, 2}, {2, 3}, {2, 1}, {1, 2}}));
  EXPECT_EQ(mesh.loose().points, (std::vector<std::uint32_t>{1, 2, 3}));
  // Without a polygon, too.
  const Mesh rod = parse("v 0 0 0\nv 1 0 0\nl 1 2\n", MeshFormat::obj);
  EXPECT_EQ(rod.polygon_count(), 0u);
  EXPECT_EQ(rod.edges().size(), 1u);
  EXPECT_EQ(parse("v 0 0 0\np 1\n", MeshFormat::obj).points().size(), 1u);
  refuse("v 0 0 0\nl 1\n", ErrorCode::bad_file, 2);
  refuse("v 0 0 0\np\n", ErrorCode::bad_file, 2);
  refuse("v 0 0 0\nl 1 x\n", ErrorCode::bad_file, 2);
  refuse("v 0 0 0\nl 1 0\n", ErrorCode::index_out_of_range, 2);
  refuse("v 0 0 0\nl 1 -2\n", ErrorCode::index_out_of_range, 2);
  refuse("v 0 0 0\n\nl 1 3\nv 0 0 1\n", ErrorCode::index_out_of_range, 3);
  refuse("v 0 0 0\np 7\n", ErrorCode::index_out_of_range, 2);
}

TEST(Obj, DegenerateAndDuplicateArePolygonsLikeOthers) {
  const Mesh mesh = parse("v 0 0 0\nv 0 0 0\nv 1 1 1\nf 1 2 3\nf 1 1 1\nf 1 2 3\n", MeshFormat::obj);
  EXPECT_EQ(mesh.polygon_count(), 3u);
}

}  // namespace
}  // namespace graze
