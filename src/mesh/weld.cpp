// SPDX-License-Identifier: MIT
#include <graze/core/portability.hpp>
#include <graze/mesh/weld.hpp>

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace graze {
namespace {

constexpr std::uint32_t nobody = 0xFFFFFFFF;

std::uint64_t bits(double x) { return core::bit_cast<std::uint64_t>(x == 0 ? 0.0 : x); }  // -0 equals 0

std::uint64_t hash(const Vec3& p) {
  std::uint64_t h = 0x9E3779B97F4A7C15;
  for (std::uint64_t word : {bits(p.x), bits(p.y), bits(p.z)}) {
    h = (h ^ word) * 0xFF51AFD7ED558CCD;
    h ^= h >> 32;
  }
  return h;
}

/// For each vertex the lowest vertex at its position. Open addressing; half of the table stays free.
std::vector<std::uint32_t> lowest_at_place(std::span<const Vec3> positions) {
  const std::size_t capacity = std::bit_ceil(2 * positions.size() + 1);
  std::vector<std::uint32_t> table(capacity, nobody);
  std::vector<std::uint32_t> lowest(positions.size());
  for (std::uint32_t v = 0; v < positions.size(); ++v) {
    std::size_t slot = hash(positions[v]) & (capacity - 1);
    while (table[slot] != nobody && !(positions[table[slot]] == positions[v])) slot = (slot + 1) & (capacity - 1);
    if (table[slot] == nobody) table[slot] = v;
    lowest[v] = table[slot];
  }
  return lowest;
}

}  // namespace

Mesh weld(const Mesh& mesh) {
  const std::vector<std::uint32_t> lowest = lowest_at_place(mesh.positions());
  PolygonList polygons = mesh.polygons();
  for (std::uint32_t& v : polygons.corners) v = lowest[v];
  LooseParts loose = mesh.loose();
  for (auto& edge : loose.edges)
    for (std::uint32_t& v : edge) v = lowest[v];
  for (std::uint32_t& v : loose.points) v = lowest[v];
  return Mesh({mesh.positions().begin(), mesh.positions().end()}, std::move(polygons), mesh.groups(), std::move(loose));
}

}  // namespace graze
