// SPDX-License-Identifier: MIT
// Runs where the test program is linked with graze::assimp, which sets GRAZE_TEST_ASSIMP.
#include "unit/io/test_help.hpp"

#ifdef GRAZE_TEST_ASSIMP
#include <fstream>

#include <graze/io/assimp.hpp>

namespace graze {
namespace {

using namespace io_test;

TEST(Assimp, ReadsPolygons) {
  const TemporaryFolder folder;
  std::ofstream(folder / "a.obj") << "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\nf 1 2 4\n";
  const Mesh mesh = load_with_assimp(folder / "a.obj");
  EXPECT_EQ(mesh.polygon_count(), 2u);
  EXPECT_EQ(mesh.polygon(PolygonId{0}).size(), 4u);
  EXPECT_EQ(mesh.positions()[mesh.polygon(PolygonId{0})[2]], (Vec3{1, 1, 0}));
}

TEST(Assimp, PlacesMeshesAsTheSceneDoes) {
  const TemporaryFolder folder;
  std::ofstream(folder / "a.gltf")
      << R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"translation":[10,0,0],"children":[1]},)"
         R"({"mesh":0,"translation":[0,5,0]}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],)"
         R"("accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}],)"
         R"("bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":"data.bin"}]})";
  std::string data;
  for (float value : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f}) data += bytes_of(value);
  std::ofstream(folder / "data.bin", std::ios::binary) << data;
  const Mesh mesh = load_with_assimp(folder / "a.gltf");
  ASSERT_EQ(mesh.polygon_count(), 1u);
  EXPECT_EQ(mesh.positions()[1], (Vec3{11, 5, 0}));
}

TEST(Assimp, RefusesWithAReason) {
  const TemporaryFolder folder;
  std::ofstream(folder / "a.obj") << "rubbish";
  std::ofstream(folder / "a.xyz") << "rubbish";
  for (const char* name : {"a.obj", "a.xyz", "none.obj"}) {
    try {
      load_with_assimp(folder / name);
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.detail().file, (folder / name).string());
      EXPECT_FALSE(error.detail().message.empty());
    }
  }
}

}  // namespace
}  // namespace graze
#else
TEST(Assimp, IsNotBuilt) { GTEST_SKIP() << "configure with GRAZE_WITH_ASSIMP=ON"; }
#endif
