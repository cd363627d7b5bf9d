// SPDX-License-Identifier: MIT
// A change of connectivity: only what it touches is computed again.
#include <algorithm>

#include "engine/deform/topology/topology.hpp"

namespace graze::engine::deform {

Touched Topology::change_to(const Mesh& mesh) {
  const Mesh mesh_before = std::move(mesh_);  // keeps the triangles alive
  const std::vector<Triangle> loose_before = std::move(with_loose_);
  const std::span<const Triangle> before = triangles_;
  const std::size_t vertices_before = vertex_count(), surface_before = mesh_before.triangle_count();
  mesh_ = mesh;
  with_loose_ = mesh.loose().empty() ? std::vector<Triangle>() : triangles_with_loose(mesh);
  triangles_ = mesh.loose().empty() ? mesh_.triangles() : std::span<const Triangle>(with_loose_);
  const std::size_t count = triangles_.size(), vertices = mesh.vertex_count();

  // Which triangles differ, and whose vertices they are.
  Touched touched;
  touched.is_vertex.assign(std::max(vertices_before, vertices), false);
  const auto touch = [&](const Triangle& x) {
    for (const std::uint32_t v : x)
      if (!touched.is_vertex[v]) {
        touched.is_vertex[v] = true;
        touched.vertices.push_back(v);
      }
  };
  std::vector<bool> changed(std::max(before.size(), count), false);
  std::vector<std::uint32_t> present;  // changed triangles of the new mesh
  for (std::uint32_t i = 0; i < changed.size(); ++i) {
    const bool was = i < before.size(), is = i < count;
    const bool same_kind = (i < surface_before) == (i < surface_count());
    if (was && is && same_kind && before[i] == triangles_[i]) continue;
    changed[i] = true;
    if (was) touch(before[i]);
    if (is) touch(triangles_[i]);
    if (is) present.push_back(i);
  }
  std::sort(touched.vertices.begin(), touched.vertices.end());

  first_.resize(std::max(vertices_before, vertices) + 1, std::uint32_t{first_.back()});
  list_again(touched, changed, present);
  first_.resize(vertices + 1);
  touched.is_triangle.assign(count, false);
  for (const std::uint32_t v : touched.vertices) {
    if (v >= vertices) break;
    for (const std::uint32_t t : around(v)) {
      if (touched.is_triangle[t]) continue;
      touched.is_triangle[t] = true;
      touched.triangles.push_back(t);
    }
  }
  std::sort(touched.triangles.begin(), touched.triangles.end());

  // An edge with other triangles than before has two touched ends.
  across_.resize(3 * count);
  beyond_.resize(3 * count);
  for (const std::uint32_t t : present)
    for (std::size_t k = 0; k < 3; ++k) across_[3 * std::size_t{t} + k] = beyond_[3 * std::size_t{t} + k] = irregular;
  std::vector<EdgeEnd> ends;
  for (const std::uint32_t v : touched.vertices)
    if (v < vertices) connect_above(v, ends);
  bits_.resize(count);
  for (const std::uint32_t t : touched.triangles) set_first_bits(t);
  // Any number is correct, and so is a set with everything in it, until somebody numbers them.
  numbers_.resize(vertices, 0);
  rings_.resize(vertices, ~std::uint64_t{0});
  for (const std::uint32_t t : touched.triangles)
    for (const std::uint32_t v : triangles_[t]) rings_[v] = ~std::uint64_t{0};
  return touched;
}

/// The triangles of each vertex. Those of untouched vertices are as before.
void Topology::list_again(const Touched& touched, const std::vector<bool>& changed,
                          std::span<const std::uint32_t> present) {
  std::vector<std::array<std::uint32_t, 2>> added;  // vertex and triangle
  for (const std::uint32_t t : present) {
    const Triangle& x = triangles_[t];
    for (std::size_t k = 0; k < 3; ++k)
      if (is_first_in_triangle(x, k)) added.push_back({x[k], t});
  }
  std::sort(added.begin(), added.end());
  core::LargeVector<std::uint32_t> all;
  all.reserve(around_.size() + added.size());
  std::size_t vertex = 0, next = 0;
  const auto keep_until = [&](std::size_t v) {
    const std::uint32_t begin = first_[vertex], end = first_[v];
    const auto shift = static_cast<std::uint32_t>(all.size()) - begin;  // modulo 2^32
    all.insert(all.end(), around_.begin() + begin, around_.begin() + end);
    for (; vertex < v; ++vertex) first_[vertex] += shift;
  };
  for (const std::uint32_t v : touched.vertices) {
    keep_until(v);
    const std::uint32_t begin = first_[v], end = first_[v + 1];
    const auto start = static_cast<std::ptrdiff_t>(all.size());
    first_[v] = static_cast<std::uint32_t>(start);
    vertex = v + 1u;
    for (std::uint32_t i = begin; i < end; ++i)
      if (!changed[around_[i]]) all.push_back(around_[i]);
    const auto middle = static_cast<std::ptrdiff_t>(all.size());
    for (; next < added.size() && added[next][0] == v; ++next) all.push_back(added[next][1]);
    std::inplace_merge(all.begin() + start, all.begin() + middle, all.end());
  }
  const std::size_t vertices = first_.size() - 1;
  keep_until(vertices);
  first_[vertices] = static_cast<std::uint32_t>(all.size());
  around_.swap(all);
}

void Topology::number_touched(const Touched& touched, std::span<const std::uint32_t> position) {
  for (const std::uint32_t v : touched.vertices)
    if (v < vertex_count()) numbers_[v] = number_at(v, position);
  std::vector<bool> done(vertex_count(), false);
  for (const std::uint32_t t : touched.triangles)
    for (const std::uint32_t v : triangles_[t]) {
      if (done[v]) continue;
      done[v] = true;
      rings_[v] = ring_of_vertex(v);
    }
}

}  // namespace graze::engine::deform
