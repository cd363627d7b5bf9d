// SPDX-License-Identifier: MIT
// A change of connectivity between two steps (ICCD V.E.1, VI.B).
#include "core/parallel.hpp"
#include "engine/deform/deform_data.hpp"

namespace graze {

void Deformable::Data::break_into(const Mesh& next) {
  mesh = next;
  positions.assign(next.positions().begin(), next.positions().end());
  forget_start();
  if (!tree) return;  // nothing to update before the first step
  try {
    const engine::deform::Touched touched = topology->change_to(mesh);
    pieces.clear();
    const int threads = last_threads;
    core::parallel_for(2, threads, [&](std::size_t part) {
      if (part == 0)
        repair_tree(touched, {positions, positions}, threads);
      else
        orphans->repair(*topology, touched);
    });
    repaired.orphans_updated += orphans->updated();
  } catch (...) {  // inside a query that a limit ends, too: the next question builds them anew
    forget_structures();
    throw;
  }
}

void Deformable::Data::repair_tree(const engine::deform::Touched& touched, const engine::deform::MovingVertices& at,
                                   int threads) {
  node_rules.clear();
  tree = engine::deform::repair_patch_tree(*tree, *topology, touched, {*topology, at, dops.frame()}, threads);
  topology->number_touched(touched, tree->position);
  for (const engine::deform::PatchNode& n : tree->nodes) repaired.nodes_rebuilt += !n.kept;
  for (engine::deform::PatchNode& n : tree->nodes) n.kept = false;
}

}  // namespace graze
