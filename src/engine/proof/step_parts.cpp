// SPDX-License-Identifier: MIT
#include "engine/proof/step_parts.hpp"

#include <algorithm>
#include <utility>

#include "core/limits.hpp"
#include "engine/deform/topology/topology.hpp"
#include "engine/deform/tree/dop_tree.hpp"

namespace graze::engine::proof {

StepParts::StepParts(const Mesh& mesh, std::array<std::span<const Vec3>, 2> positions,
                     std::vector<std::uint32_t> body_of_vertex)
    : mesh_(mesh), place_(positions), body_of_vertex_(std::move(body_of_vertex)) {
  const deform::Topology topology(mesh);
  const auto boxes = deform::sweep_boxes(topology, {place_[0], place_[1]}, 1);
  const deform::PatchTree tree = deform::build_patch_tree(topology, boxes, 1);
  order_.assign(tree.items.begin(), tree.items.end());
  if (!order_.empty()) build(tree, tree.nodes[0]);
}

std::int32_t StepParts::build(const deform::PatchTree& tree, const deform::PatchNode& node) {
  if (node.is_leaf()) return build(node.begin, node.end);
  core::poll_once();
  const auto id = static_cast<std::int32_t>(parts_.size());
  parts_.emplace_back();
  const std::int32_t left = build(tree, tree.nodes[node.child]);
  return join(id, left, build(tree, tree.nodes[node.child + 1]));
}

std::int32_t StepParts::build(std::size_t first, std::size_t last) {
  const auto id = static_cast<std::int32_t>(parts_.size());
  parts_.emplace_back();
  if (last - first > 1) {
    const std::size_t half = first + (last - first) / 2;
    const std::int32_t left = build(first, half);
    return join(id, left, build(half, last));
  }
  const Triangle& t = mesh_.triangles()[order_[first]];
  StepPart part;
  part.first = first;
  part.last = last;
  part.body = body_of_vertex_.empty() ? several_bodies : body_of_vertex_[t[0]];
  part.cone = deform::cone_of({place_[0][t[0]], place_[0][t[1]], place_[0][t[2]]},
                              {place_[1][t[0]], place_[1][t[1]], place_[1][t[2]]});
  for (std::size_t end = 0; end < 2; ++end)
    for (std::size_t k = 0; k < step_directions.size(); ++k) {
      const auto along = [&](std::uint32_t v) { return dot(step_directions[k], place_[end][v]); };
      part.low[end][k] = std::min({along(t[0]), along(t[1]), along(t[2])});
      part.high[end][k] = std::max({along(t[0]), along(t[1]), along(t[2])});
    }
  parts_[static_cast<std::size_t>(id)] = part;
  return id;
}

std::int32_t StepParts::join(std::int32_t id, std::int32_t left, std::int32_t right) {
  const StepPart &l = (*this)[left], &r = (*this)[right];
  StepPart part;
  part.first = l.first;
  part.last = r.last;
  part.left = left;
  part.right = right;
  part.body = l.body == r.body ? l.body : several_bodies;
  part.cone = deform::joined(l.cone, r.cone);
  for (std::size_t end = 0; end < 2; ++end)
    for (std::size_t k = 0; k < step_directions.size(); ++k) {
      part.low[end][k] = std::min(l.low[end][k], r.low[end][k]);
      part.high[end][k] = std::max(l.high[end][k], r.high[end][k]);
    }
  parts_[static_cast<std::size_t>(id)] = part;
  return id;
}

}  // namespace graze::engine::proof
