// SPDX-License-Identifier: MIT
// A change of connectivity between two steps (ICCD V.E.1, VI.B).
#include <algorithm>

#include "query/deform/deform_data.hpp"

namespace graze {

namespace {

/// Vertices of triangles that are not the same before and after, and all triangles at them.
query::Touched touched_by(const query::Topology& before, const query::Topology& after) {
  query::Touched t;
  t.vertices.assign(std::max(before.vertex_count(), after.vertex_count()), false);
  const auto touch = [&](const Triangle& x) {
    for (const std::uint32_t v : x) t.vertices[v] = true;
  };
  const auto both = static_cast<std::uint32_t>(std::min(before.triangle_count(), after.triangle_count()));
  for (std::uint32_t i = 0; i < both; ++i) {
    if (before.triangle(i) == after.triangle(i)) continue;
    touch(before.triangle(i));
    touch(after.triangle(i));
  }
  for (std::uint32_t i = both; i < before.triangle_count(); ++i) touch(before.triangle(i));
  for (std::uint32_t i = both; i < after.triangle_count(); ++i) touch(after.triangle(i));
  t.triangles.assign(after.triangle_count(), false);
  for (std::uint32_t i = 0; i < after.triangle_count(); ++i) {
    const auto has = [&](const Triangle& x) { return t.vertices[x[0]] || t.vertices[x[1]] || t.vertices[x[2]]; };
    t.triangles[i] = has(after.triangle(i)) || (i < both && has(before.triangle(i)));
    t.count += t.triangles[i];
  }
  return t;
}

}  // namespace

void Deformable::Data::break_into(const Mesh& next) {
  mesh = next;
  positions.assign(next.positions().begin(), next.positions().end());
  if (!tree) return;  // nothing to mend before the first step
  const query::Topology before = std::move(*topology);
  topology.emplace(mesh);
  pieces = query::pieces(mesh);
  const query::Touched touched = touched_by(before, *topology);
  orphans->mend(*topology, touched);
  mended.orphans_updated += orphans->updated();
  mend_tree(touched.triangles, {positions, positions}, 1);
}

void Deformable::Data::mend_tree(const std::vector<bool>& touched, const query::MovingVertices& at, int threads) {
  tree = query::mend_patch_tree(*tree, *topology, touched, query::sweep_boxes(*topology, at, threads), threads);
  topology->number_by(tree->position);
  for (const query::PatchNode& n : tree->nodes) mended.nodes_rebuilt += !n.kept;
  for (query::PatchNode& n : tree->nodes) n.kept = false;
}

}  // namespace graze
