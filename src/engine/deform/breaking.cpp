// SPDX-License-Identifier: MIT
// A change of connectivity between two steps (ICCD V.E.1, VI.B).
#include <algorithm>

#include "core/parallel.hpp"
#include "engine/deform/deform_data.hpp"

namespace graze {

namespace {

/// Vertices of triangles that differ before and after the change, and all triangles incident to them.
engine::deform::Touched touched_by(const engine::deform::Topology& before, const engine::deform::Topology& after) {
  engine::deform::Touched t;
  t.vertices.assign(std::max(before.vertex_count(), after.vertex_count()), false);
  const auto touch = [&](const Triangle& x) {
    for (const std::uint32_t v : x) t.vertices[v] = true;
  };
  const auto both = static_cast<std::uint32_t>(std::min(before.triangle_count(), after.triangle_count()));
  for (std::uint32_t i = 0; i < both; ++i) {
    const bool same_kind = (i < before.surface_count()) == (i < after.surface_count());
    if (same_kind && before.triangle(i) == after.triangle(i)) continue;
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
  forget_start();
  if (!tree) return;  // nothing to update before the first step
  try {
    const engine::deform::Topology before = std::move(*topology);
    const int threads = last_threads;
    // What depends on the connectivity alone takes longest. Each part uses the threads that are free.
    core::parallel_for(2, threads, [&](std::size_t part) {
      if (part == 0)
        topology.emplace(mesh, threads);
      else
        pieces = engine::deform::pieces(mesh);
    });
    const engine::deform::Touched touched = touched_by(before, *topology);
    core::parallel_for(2, threads, [&](std::size_t part) {
      if (part == 0)
        repair_tree(touched.triangles, {positions, positions}, threads);
      else
        orphans->repair(*topology, touched);
    });
    repaired.orphans_updated += orphans->updated();
  } catch (...) {  // inside a query that a limit ends, too: the next question builds them anew
    forget_structures();
    throw;
  }
}

void Deformable::Data::repair_tree(const std::vector<bool>& touched, const engine::deform::MovingVertices& at,
                                   int threads) {
  node_rules.clear();
  tree = engine::deform::repair_patch_tree(*tree, *topology, touched,
                                           engine::deform::sweep_boxes(*topology, at, threads), threads);
  topology->number_by(tree->position);
  for (const engine::deform::PatchNode& n : tree->nodes) repaired.nodes_rebuilt += !n.kept;
  for (engine::deform::PatchNode& n : tree->nodes) n.kept = false;
}

}  // namespace graze
