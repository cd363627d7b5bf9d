// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cfenv>
#include <cstdio>
#include <fstream>
#include <limits>
#include <random>

#include "unit/io/test_help.hpp"

namespace graze {
namespace {

using namespace io_test;
using Encoding = SaveOptions::Encoding;
namespace fs = std::filesystem;

/// Polygons of several sizes over vertices with every kind of double.
Mesh strange_mesh() {
  std::vector<Vec3> positions;
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-300, 300), mantissa(-1, 1);
  const auto number = [&] { return mantissa(random) * std::pow(10.0, exponent(random)); };
  for (int i = 0; i < 300; ++i) positions.push_back({number(), number(), number()});
  positions.push_back({0.1, -0.0, std::numeric_limits<double>::denorm_min()});
  positions.push_back({std::numeric_limits<double>::max(), std::numeric_limits<double>::min(), 1.0 / 3});
  PolygonList polygons;
  for (std::uint32_t size : {3u, 4u, 5u, 3u, 260u}) {
    std::vector<std::uint32_t> corners;
    for (std::uint32_t k = 0; k < size; ++k) corners.push_back((7 * k + size) % 302);
    polygons.add(corners);
  }
  return Mesh(std::move(positions), std::move(polygons));
}

void expect_same(const Mesh& a, const Mesh& b) {
  ASSERT_EQ(a.vertex_count(), b.vertex_count());
  for (std::size_t i = 0; i < a.vertex_count(); ++i)
    for (int k = 0; k < 3; ++k)
      EXPECT_EQ(std::bit_cast<std::uint64_t>(a.positions()[i][k]), std::bit_cast<std::uint64_t>(b.positions()[i][k]));
  EXPECT_EQ(a.polygons().corners, b.polygons().corners);
  EXPECT_EQ(a.polygons().first, b.polygons().first);
}

std::string contents(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(MeshFile, BytesAreThoseOfTheFile) {
  const TemporaryFolder folder;
  const Mesh mesh = strange_mesh();
  for (const MeshFormat format : {MeshFormat::obj, MeshFormat::off, MeshFormat::ply}) {
    const fs::path file = folder / (std::string("c.") + name(format));
    save_mesh(mesh, file);
    EXPECT_EQ(mesh_bytes(mesh, {.format = format}), contents(file));
  }
  const fs::path binary = folder / "d.ply";
  const SaveOptions options{.format = MeshFormat::ply, .encoding = Encoding::binary_big_endian};
  save_mesh(mesh, binary, options);
  EXPECT_EQ(mesh_bytes(mesh, options), contents(binary));
  EXPECT_THROW(mesh_bytes(mesh, {}), Error);
  EXPECT_THROW(mesh_bytes(mesh, {.format = MeshFormat::off, .encoding = options.encoding}), Error);
}

TEST(MeshFile, PolygonsAndDoublesRoundTrip) {
  const TemporaryFolder folder;
  const Mesh mesh = strange_mesh();
  for (const char* packing : {"", ".gz"}) {
    for (const char* extension : {"obj", "off", "ply", "OBJ"}) {
      const fs::path file = folder / (std::string("a.") + extension + packing);
      save_mesh(mesh, file);
      expect_same(load_mesh(file), mesh);
      EXPECT_EQ(contents(file).substr(0, 2) == "\x1f\x8b", *packing != 0);
    }
    for (Encoding encoding : {Encoding::binary_little_endian, Encoding::binary_big_endian}) {
      const fs::path file = folder / (std::string("b.ply") + packing);
      save_mesh(mesh, file, {.encoding = encoding});
      expect_same(load_mesh(file), mesh);
    }
  }
}

TEST(MeshFile, LooseEdgesAndPointsRoundTripOrAreRefused) {
  const TemporaryFolder folder;
  const Mesh whole = strange_mesh();
  const std::vector<Vec3> positions(whole.positions().begin(), whole.positions().end());
  for (const PolygonList& polygons : {whole.polygons(), PolygonList()}) {
    const Mesh rods(positions, polygons, {}, {{{0, 301}, {7, 7}}, {}}),
        all(positions, polygons, {}, {{{5, 4}}, {3, 3, 0}});
    for (const Mesh& mesh : {rods, all})
      for (const char* name : {"a.obj", "a.ply", "a.off", "a.stl"}) {
        const bool good = name[2] == 'o' ? name[3] == 'b' : name[2] == 'p' && mesh.points().empty();
        if (good) {
          save_mesh(mesh, folder / name);
          expect_same(load_mesh(folder / name), mesh);
          EXPECT_EQ(load_mesh(folder / name).loose(), mesh.loose());
        } else {
          EXPECT_THROW(save_mesh(mesh, folder / name), Error);
        }
      }
    for (const Encoding encoding : {Encoding::binary_little_endian, Encoding::binary_big_endian}) {
      save_mesh(rods, folder / "b.ply", {.encoding = encoding});
      EXPECT_EQ(load_mesh(folder / "b.ply").loose(), rods.loose());
    }
  }
}

TEST(MeshFile, TextStlHoldsTheTriangles) {
  const TemporaryFolder folder;
  const Mesh mesh = strange_mesh();
  save_mesh(mesh, folder / "a.stl");
  const Mesh read = load_mesh(folder / "a.stl");
  ASSERT_EQ(read.polygon_count(), mesh.triangle_count());
  for (std::size_t i = 0; i < mesh.triangle_count(); ++i)
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_EQ(read.positions()[3 * i + k], mesh.positions()[mesh.triangles()[i][k]]);
}

TEST(MeshFile, BinaryStlHoldsFloats) {
  const TemporaryFolder folder;
  const Mesh square = parse("OFF\n4 1 0\n0 0 0\n1 0 0\n1.5 1 0.1\n0 1 0\n4 0 1 2 3\n", MeshFormat::off);
  const SaveOptions binary{.encoding = Encoding::binary_little_endian};
  save_mesh(square, folder / "a.stl.gz", binary);
  const Mesh read = load_mesh(folder / "a.stl.gz");
  ASSERT_EQ(read.polygon_count(), 2u);
  for (std::size_t i = 0; i < 6; ++i) {
    const Vec3 p = square.positions()[square.triangles()[i / 3][i % 3]];
    EXPECT_EQ(read.positions()[i], (Vec3{p.x, p.y, static_cast<double>(static_cast<float>(p.z))}));
  }
  try {
    save_mesh(strange_mesh(), folder / "b.stl", binary);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.detail().code, ErrorCode::cannot_write);
    EXPECT_EQ(error.detail().element, "vertex");
    EXPECT_EQ(error.detail().file, (folder / "b.stl").string());
  }
  EXPECT_FALSE(fs::exists(folder / "b.stl"));
}

TEST(MeshFile, TheSameMeshGivesTheSameBytes) {
  const TemporaryFolder folder;
  save_mesh(strange_mesh(), folder / "a.obj.gz");
  save_mesh(strange_mesh(), folder / "b.obj.gz");
  EXPECT_EQ(contents(folder / "a.obj.gz"), contents(folder / "b.obj.gz"));
}

ErrorCode code_of_saving(const fs::path& file, const SaveOptions& options = {}) {
  try {
    save_mesh(strange_mesh(), file, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.detail().file, file.string());
    return error.detail().code;
  }
  ADD_FAILURE() << "was written";
  return {};
}

TEST(MeshFile, WhatCannotBeWrittenIsSaid) {
  const TemporaryFolder folder;
  EXPECT_EQ(code_of_saving(folder / "none/a.obj"), ErrorCode::cannot_write);
  EXPECT_EQ(code_of_saving(folder.path(), {.format = MeshFormat::obj}), ErrorCode::cannot_write);
  EXPECT_EQ(code_of_saving(folder / "a.xyz"), ErrorCode::unknown_format);
  EXPECT_EQ(code_of_saving(folder / "a.gz"), ErrorCode::unknown_format);
  EXPECT_EQ(code_of_saving(folder / "a.obj", {.encoding = Encoding::binary_little_endian}), ErrorCode::bad_option);
  EXPECT_EQ(code_of_saving(folder / "a.stl", {.encoding = Encoding::binary_big_endian}), ErrorCode::bad_option);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(MeshFile, AFullDeviceIsSaid) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  EXPECT_EQ(code_of_saving("/dev/full", {.format = MeshFormat::obj}), ErrorCode::cannot_write);
}

TEST(MeshFile, SavingReplacesTheOldFileAtOnceAndFollowsLinks) {
  const TemporaryFolder folder;
  std::ofstream(folder / "real.obj") << "old";
  fs::create_symlink(folder / "real.obj", folder / "link.obj");
  save_mesh(strange_mesh(), folder / "link.obj");
  EXPECT_TRUE(fs::is_symlink(folder / "link.obj"));
  expect_same(load_mesh(folder / "real.obj"), strange_mesh());
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 2);  // nothing else was left behind
}

ErrorCode code_of_loading(const fs::path& file, MeshFormat format = MeshFormat::automatic) {
  try {
    load_mesh(file, format);
  } catch (const Error& error) {
    EXPECT_EQ(error.detail().file, file.string());
    EXPECT_FALSE(error.detail().message.empty());
    return error.detail().code;
  }
  ADD_FAILURE() << "was read";
  return {};
}

TEST(MeshFile, WhatCannotBeReadIsSaid) {
  const TemporaryFolder folder;
  EXPECT_EQ(code_of_loading(folder / "none.obj"), ErrorCode::file_not_found);
  EXPECT_EQ(code_of_loading(folder.path(), MeshFormat::obj), ErrorCode::file_not_found);
  std::ofstream(folder / "a.txt") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  EXPECT_EQ(code_of_loading(folder / "a.txt"), ErrorCode::unknown_format);
  EXPECT_EQ(load_mesh(folder / "a.txt", MeshFormat::obj).polygon_count(), 1u);
  EXPECT_EQ(code_of_loading("/dev/null", MeshFormat::off), ErrorCode::empty_mesh);
}

TEST(MeshFile, FormatsByName) {
  EXPECT_STREQ(name(MeshFormat::automatic), "automatic");
  EXPECT_STREQ(name(MeshFormat::ply), "ply");
  const std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  EXPECT_EQ(parse(text, MeshFormat::automatic, "folder.stl/a.obj.gz").polygon_count(), 1u);
  EXPECT_THROW(parse(text, MeshFormat::automatic, "memory"), Error);
}

TEST(MeshFile, NumbersRoundToNearestWhateverTheCallerDoes) {
  const std::string text = "v 0.1 0.2 0.3\nv 1.7e-5 123456.789 9.99\nv 5e-324 2.2250738585072011e-308 1e23\nf 1 2 3\n";
  const Mesh expected = parse(text, MeshFormat::obj);
  for (int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    const Mesh mesh = parse(text, MeshFormat::obj);
    EXPECT_EQ(std::fegetround(), mode);
    std::fesetround(FE_TONEAREST);
    expect_same(mesh, expected);
  }
}

/// Every file of a folder of broken and odd files, given to every reader: it is read, or refused with a reason and a
/// place.
TEST(MeshFile, BadFilesAreReadOrRefusedByEveryReader) {
  const char* given = std::getenv("GRAZE_SHARED_DATA");
  const fs::path folder = (given ? fs::path(given) : fs::path(GRAZE_SOURCE_DIR) / "../shared/data") / "bad";
  if (!fs::is_directory(folder)) GTEST_SKIP() << folder << " is not there; set GRAZE_SHARED_DATA";
  int files = 0, read = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    ++files;
    for (MeshFormat format : {MeshFormat::obj, MeshFormat::stl, MeshFormat::ply, MeshFormat::off}) {
      try {
        read += load_mesh(entry.path(), format).polygon_count() > 0;
      } catch (const Error& error) {
        EXPECT_EQ(error.detail().file, entry.path().string());
        EXPECT_GT(error.detail().message.size(), 10u);
        EXPECT_TRUE(error.detail().line != ErrorDetail::none || !error.detail().element.empty()) << error.what();
      }
    }
  }
  EXPECT_GT(files, 50);
  EXPECT_GT(read, 10);
}

}  // namespace
}  // namespace graze
