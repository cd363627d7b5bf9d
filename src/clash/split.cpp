// SPDX-License-Identifier: MIT
#include <graze/clash/split.hpp>
#include <graze/core/portability.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/disjoint_sets.hpp"
#include "core/refusal.hpp"

namespace graze::clash {

namespace {

constexpr std::uint32_t unseen = std::numeric_limits<std::uint32_t>::max();

/// The part of each polygon, numbered by first polygons; returns how many there are.
std::uint32_t number_in_order(std::vector<std::uint32_t>& parts, std::size_t labels) {
  std::vector<std::uint32_t> number(labels, unseen);
  std::uint32_t count = 0;
  for (std::uint32_t& p : parts) {
    if (number[p] == unseen) number[p] = count++;
    p = number[p];
  }
  return count;
}

std::vector<std::uint32_t> piece_of_polygons(const Mesh& mesh) {
  core::DisjointSets sets(mesh.vertex_count());
  const PolygonList& polygons = mesh.polygons();
  for (std::size_t p = 0; p < polygons.size(); ++p)
    for (const std::uint32_t v : polygons[p]) sets.unite(polygons[p][0], v);
  std::vector<std::uint32_t> out(polygons.size());
  for (std::size_t p = 0; p < polygons.size(); ++p) out[p] = sets.root(polygons[p][0]);
  return out;
}

/// One mesh for each part; together in time proportional to the mesh.
std::vector<Mesh> submeshes(const Mesh& mesh, const std::vector<std::uint32_t>& part_of, std::uint32_t count) {
  std::vector<std::uint32_t> first(count + 1, 0), order(part_of.size());
  for (const std::uint32_t p : part_of) ++first[p + 1];
  for (std::uint32_t p = 0; p < count; ++p) first[p + 1] += first[p];
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  for (std::uint32_t i = 0; i < part_of.size(); ++i) order[next[part_of[i]]++] = i;
  std::vector<std::uint32_t> number(mesh.vertex_count(), unseen);
  std::vector<Mesh> out;
  for (std::uint32_t p = 0; p < count; ++p) {
    std::vector<std::uint32_t> vertices, corners;
    for (std::uint32_t i = first[p]; i < first[p + 1]; ++i)
      for (const std::uint32_t v : mesh.polygons()[order[i]]) vertices.push_back(v);
    const std::size_t used_corners = vertices.size();
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    std::vector<Vec3> positions;
    positions.reserve(vertices.size());
    for (std::uint32_t v = 0; v < vertices.size(); ++v) {
      number[vertices[v]] = v;
      positions.push_back(mesh.positions()[vertices[v]]);
    }
    PolygonList polygons;
    polygons.first.reserve(first[p + 1] - first[p] + 1);
    polygons.corners.reserve(used_corners);
    for (std::uint32_t i = first[p]; i < first[p + 1]; ++i) {
      corners.clear();
      for (const std::uint32_t v : mesh.polygons()[order[i]]) corners.push_back(number[v]);
      polygons.add(corners);
    }
    out.emplace_back(std::move(positions), std::move(polygons));
  }
  return out;
}

bool uses_all_vertices(const Mesh& mesh) {
  std::vector<char> used(mesh.vertex_count(), 0);
  for (const std::uint32_t v : mesh.polygons().corners) used[v] = 1;
  return std::find(used.begin(), used.end(), 0) == used.end();
}

/// The mesh without vertices that no polygon uses, and without names.
Mesh compacted(const Mesh& mesh) {
  if (uses_all_vertices(mesh)) return mesh;
  return submeshes(mesh, std::vector<std::uint32_t>(mesh.polygon_count(), 0), 1)[0];
}

std::string name_of(const std::string& name, const PolygonGroup& group) {
  std::string out = name;
  for (const std::string* text : {&group.object, &group.group})
    if (!text->empty()) out += "/" + *text;
  return out;
}

}  // namespace

std::vector<NamedMesh> split(const Mesh& mesh, const std::string& name, SplitBy by) {
  if (mesh.polygon_count() == 0)
    core::throw_if(core::problem(ErrorCode::empty_mesh, "mesh", "has no polygon, so it is no part"));
  const bool groups = by == SplitBy::group && !mesh.groups().of_polygon.empty();
  if (by == SplitBy::file || (by == SplitBy::group && !groups)) return {{name, compacted(mesh)}};
  std::vector<std::uint32_t> part_of = groups ? mesh.groups().of_polygon : piece_of_polygons(mesh);
  const std::vector<std::uint32_t> labels = part_of;
  const std::uint32_t count = number_in_order(part_of, groups ? mesh.groups().names.size() : mesh.vertex_count());
  std::vector<std::uint32_t> label_of(count);
  for (std::size_t p = part_of.size(); p-- > 0;) label_of[part_of[p]] = labels[p];
  std::vector<Mesh> meshes;
  if (count > 1)
    meshes = submeshes(mesh, part_of, count);
  else
    meshes.push_back(compacted(mesh));
  std::vector<NamedMesh> out;
  for (std::uint32_t p = 0; p < count; ++p)
    out.push_back({groups       ? name_of(name, mesh.groups().names[label_of[p]])
                   : count == 1 ? name
                                : name + "/" + std::to_string(p + 1),
                   std::move(meshes[p])});
  return out;
}

bool same_mesh(const Mesh& a, const Mesh& b) {
  const auto same_bits = [](const Vec3& p, const Vec3& q) {
    for (int k = 0; k < 3; ++k)
      if (core::bit_cast<std::uint64_t>(p[k]) != core::bit_cast<std::uint64_t>(q[k])) return false;
    return true;
  };
  return a.polygons().corners == b.polygons().corners && a.polygons().first == b.polygons().first &&
         std::equal(a.positions().begin(), a.positions().end(), b.positions().begin(), b.positions().end(), same_bits);
}

std::uint64_t hash_of(const Mesh& mesh) {
  std::uint64_t h = 0x9E3779B97F4A7C15;
  const auto add = [&](std::uint64_t x) {
    h = (h ^ x) * 0xFF51AFD7ED558CCD;
    h ^= h >> 32;
  };
  for (const Vec3& p : mesh.positions())
    for (int k = 0; k < 3; ++k) add(core::bit_cast<std::uint64_t>(p[k]));
  for (const std::uint32_t c : mesh.polygons().corners) add(c);
  for (const std::uint32_t f : mesh.polygons().first) add(f);
  return h;
}

}  // namespace graze::clash
