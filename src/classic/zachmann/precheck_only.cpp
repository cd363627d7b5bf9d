// SPDX-License-Identifier: MIT
#include "classic/zachmann/precheck_only.hpp"

#include <graze/classic/zachmann.hpp>

#include "engine/collide/placed_boxes.hpp"

namespace graze::classic::zachmann {

namespace {

/// Does any pair of an edge of one body and a face of the other pass all the pre-checks?
bool some_pair_is_left(const engine::collide::CollideQuery& q, const engine::collide::PlacedVertices& vertices,
                       bool edges_of_b, AllCounters& counters) {
  const BruteOptions& use = q.options.zachmann.value().brute;
  const body::EdgeList& edges = (edges_of_b ? q.b : q.a).edges();
  const Box3 edge_body = vertices.body_box(q, edges_of_b), face_body = vertices.body_box(q, !edges_of_b);
  std::vector<Box3> collected;
  for (const Triangle& face : (edges_of_b ? q.a : q.b).mesh.triangles()) {
    const Box3 box = vertices.box(!edges_of_b, face);
    if (use.collect_faces && !box.overlaps(edge_body))
      ++counters.precheck_face_box;
    else
      collected.push_back(box);
  }
  for (const auto& edge : edges.vertices) {
    if (engine::collide::over(q.limits, counters)) return true;
    const Box3 box = vertices.box(edges_of_b, edge);
    if (use.edge_box && !box.overlaps(face_body)) {
      ++counters.precheck_edge_box;
      continue;
    }
    for (const Box3& face : collected) {
      if (!use.edge_face_box || box.overlaps(face)) return true;
      ++counters.precheck_edge_face_box;
    }
  }
  return false;
}

}  // namespace

void PrecheckOnly::run(const engine::collide::CollideQuery& query, CollideResult& result) {
  const engine::collide::PlacedVertices vertices(query);
  const bool left = some_pair_is_left(query, vertices, false, query.counters) ||
                    some_pair_is_left(query, vertices, true, query.counters);
  result.status = left ? Status::undecided : Status::free;
}

}  // namespace graze::classic::zachmann
