// SPDX-License-Identifier: MIT
#include "scene/meshes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <graze/io/mesh_file.hpp>
#include <graze/mesh/make.hpp>
#include <graze/mesh/weld.hpp>

namespace graze::bench {
namespace {

constexpr std::size_t kBunnyTriangles = 69451;
constexpr std::size_t kHugeTriangles = 871414;

/// Finds the bunny's file in the unpacked package; the binary file is faster to read.
std::optional<std::filesystem::path> find_bunny(const std::filesystem::path& data) {
  std::optional<std::filesystem::path> found;
  std::error_code none;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(data, none)) {
    const std::string name = entry.path().filename().string();
    if (name == "bunny.bin.stl") return entry.path();
    if (name.starts_with("bunny") && name.ends_with(".stl")) found = entry.path();
  }
  return found;
}

constexpr std::array<std::pair<std::string_view, std::size_t>, 3> kSizes{
    {{"small", 60}, {"medium", 1500}, {"large", 20000}}};

}  // namespace

Mesh normalised(const Mesh& mesh) {
  const Box3 box = mesh.box();
  const Vec3 centre = (box.lo + box.hi) * 0.5, size = box.hi - box.lo;
  const double scale = 1 / std::max({size.x, size.y, size.z});
  // Vertices that welding left unused are removed, so that no library spends time on them.
  constexpr std::uint32_t unused = UINT32_MAX;
  std::vector<std::uint32_t> renamed(mesh.vertex_count(), unused);
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles(mesh.triangles().begin(), mesh.triangles().end());
  for (Triangle& triangle : triangles) {
    for (std::uint32_t& corner : triangle) {
      if (renamed[corner] == unused) {
        renamed[corner] = static_cast<std::uint32_t>(positions.size());
        positions.push_back((mesh.positions()[corner] - centre) * scale);
      }
      corner = renamed[corner];
    }
  }
  return Mesh(std::move(positions), triangles);
}

NamedMesh bunny(const std::filesystem::path& data) {
  if (const auto file = find_bunny(data)) {
    Mesh mesh = normalised(weld(load_mesh(*file)));
    return {fmt::format("bunny ({} triangles)", mesh.triangle_count()), std::move(mesh)};
  }
  Mesh mesh = normalised(make::bunny({.triangles = kBunnyTriangles}));
  return {fmt::format("bunny-like blob ({} triangles, the bunny's file is absent)", mesh.triangle_count()),
          std::move(mesh)};
}

NamedMesh knot(std::size_t triangles) {
  Mesh mesh = normalised(make::torus_knot({.p = 2, .q = 3, .triangles = triangles}));
  return {fmt::format("torus knot ({} triangles)", mesh.triangle_count()), std::move(mesh)};
}

std::vector<NamedMesh> knots() { return {knot(2880), knot(11520), knot(34560)}; }

NamedMesh board() { return {"board (12 triangles)", make::box({.size = {3, 3, 0.01}})}; }

NamedMesh shape(std::string_view name, std::size_t triangles) {
  for (const make::Shape& one : make::shapes()) {
    if (one.name != name) continue;
    Mesh mesh = normalised(one.make(triangles));
    return {fmt::format("{} ({} triangles)", name, mesh.triangle_count()), std::move(mesh)};
  }
  throw std::invalid_argument(fmt::format("there is no shape '{}'", name));
}

NamedMesh huge() {
  Mesh mesh = normalised(make::bunny({.triangles = kHugeTriangles}));
  return {fmt::format("bunny-like blob ({} triangles)", mesh.triangle_count()), std::move(mesh)};
}

std::vector<NamedMesh> method_bodies() {
  // Created with side 1, not scaled to it: rounding would destroy the exact convexity that some methods require.
  std::vector<NamedMesh> out;
  const auto add = [&](std::string_view shape, std::string_view size, Mesh mesh) {
    out.push_back({fmt::format("{} {} ({} triangles)", size, shape, mesh.triangle_count()), std::move(mesh)});
  };
  for (const auto& [size, n] : kSizes) add("sphere", size, make::sphere({.radius = 0.5, .triangles = n}));
  for (const auto& [size, n] : kSizes) add("torus", size, make::torus({.major = 0.35, .minor = 0.15, .triangles = n}));
  for (const auto& [size, n] : kSizes) add("tetra-flake", size, make::tetra_flake({.triangles = n}));
  for (const auto& [size, n] : kSizes) add("box", size, make::box({.triangles = n}));
  return out;
}

Mesh unit_box() { return box_slab(1, 1); }

Mesh box_slab(int nx, int ny) {
  // Corner k of a box has x, y, z from bits 0, 1, 2; faces are oriented outwards.
  constexpr std::array<Triangle, 12> faces{{{0, 2, 1},
                                            {1, 2, 3},
                                            {4, 5, 6},
                                            {5, 7, 6},
                                            {0, 1, 4},
                                            {1, 5, 4},
                                            {2, 6, 3},
                                            {3, 6, 7},
                                            {0, 4, 2},
                                            {2, 4, 6},
                                            {1, 3, 5},
                                            {3, 7, 5}}};
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
  for (int x = 0; x < nx; ++x) {
    for (int y = 0; y < ny; ++y) {
      const auto base = static_cast<std::uint32_t>(positions.size());
      for (int k = 0; k < 8; ++k) positions.push_back({x - 0.5 + (k & 1), y - 0.5 + (k >> 1 & 1), (k >> 2) - 0.5});
      for (const Triangle& t : faces) triangles.push_back({base + t[0], base + t[1], base + t[2]});
    }
  }
  return Mesh(std::move(positions), triangles);
}

}  // namespace graze::bench
