// SPDX-License-Identifier: MIT
#include "classic/zachmann/box_tree_leaves.hpp"

#include <graze/math/interval.hpp>

namespace graze::classic::zachmann {

BoxTreeLeaves::BoxTreeLeaves(const engine::collide::CollideQuery& query, const BoxTreeFrame& frame,
                             const BoxTreeData& a, const BoxTreeData& b, CollideResult& result)
    : query_(query), frame_(frame), trees_{&a, &b}, result_(result), points_(query.placement, query.counters) {}

Box3 BoxTreeLeaves::box_of(std::size_t b, std::span<const std::uint32_t> vertices) const {
  Box3 box;
  double error = 0;
  for (const std::uint32_t v : vertices) {
    const Vec3& x = body(b).mesh.positions()[v];
    if (b == 0) {
      box.add(x);
      continue;
    }
    const Vec3 placed = query_.placement.place(x);
    // If placing overflows, nothing is known.
    constexpr double inf = std::numeric_limits<double>::infinity();
    if (!is_finite(placed)) return {{-inf, -inf, -inf}, {inf, inf, inf}};
    box.add(placed);
    error = std::max(error, query_.placement.error(x));
  }
  if (b == 0) return box;
  for (int i = 0; i < 3; ++i) {
    box.lo[i] = next_down(box.lo[i] - error);  // the sum itself is rounded
    box.hi[i] = next_up(box.hi[i] + error);
  }
  return box;
}

const BoxTreeLeaves::Item* BoxTreeLeaves::load(std::size_t b, std::uint32_t leaf) {
  Side& side = sides_[b];
  const BoxTreeData& tree = *trees_[b];
  if (side.first.empty()) side.first.assign(tree.leaves.size(), none);
  if (side.first[leaf] == none) {
    side.first[leaf] = static_cast<std::uint32_t>(side.items.size());
    for (const std::uint32_t f : tree.faces_of(tree.leaves[leaf]))
      side.items.push_back({f, box_of(b, body(b).mesh.triangles()[f])});
    for (const std::uint32_t e : tree.edges_of(tree.leaves[leaf]))
      side.items.push_back({e, box_of(b, body(b).edges().vertices[e])});
  }
  return side.items.data() + side.first[leaf];
}

/// Sound, although the point where two elements meet need not be in this leaf: then it is in another pair of leaves
/// that lists both, and there neither is dropped.
void BoxTreeLeaves::collect(std::size_t b, std::uint32_t leaf, const Box3& reach) {
  Side& side = sides_[b];
  side.near_faces.clear();
  side.near_edges.clear();
  const BoxTreeData::Leaf& l = trees_[b]->leaves[leaf];
  const Item* const faces = load(b, leaf);
  const Item* const edges = faces + (l.last_face - l.first_face);
  const Item* const end = edges + (l.last_edge - l.first_edge);
  for (const Item* f = faces; f != edges; ++f) {
    if (!query_.options.zachmann.value().box_tree.collect || f->box.overlaps(reach))
      side.near_faces.push_back(*f);
    else
      ++query_.counters.precheck_face_box;
  }
  for (const Item* e = edges; e != end; ++e) {
    if (e->box.overlaps(reach))
      side.near_edges.push_back(*e);
    else
      ++query_.counters.precheck_edge_box;
  }
}

void BoxTreeLeaves::operator()(std::uint32_t leaf_a, std::uint32_t leaf_b, const std::array<Box3, 2>& boxes) {
  collect(0, leaf_a, frame_.widened(frame_.aligned(boxes[1])));
  collect(1, leaf_b, frame_.widened(boxes[0]));
  phase(0);
  if (!done_) phase(1);
}

void BoxTreeLeaves::phase(std::size_t b) {
  for (const Item& edge : sides_[b].near_edges) {
    if (done()) return;
    for (const Item& face : sides_[1 - b].near_faces) {
      if (!edge.box.overlaps(face.box)) {
        ++query_.counters.precheck_edge_face_box;
        continue;
      }
      if (!seen_before(b, edge.id, face.id)) test(b, edge.id, face.id);
      if (done_) return;
    }
  }
}

bool BoxTreeLeaves::seen_before(std::size_t b, std::uint32_t edge, std::uint32_t face) {
  constexpr std::size_t size = 2048;
  constexpr std::uint64_t no_pair = ~std::uint64_t{0};
  std::vector<std::uint64_t>& tested = tested_[b];
  if (tested.empty()) tested.resize(size, no_pair);
  const std::uint64_t key = std::uint64_t{edge} << 32 | face;
  std::uint64_t& slot = tested[(key * 0x9e3779b97f4a7c15u) >> 53];
  if (slot == key) {
    ++query_.counters.box_tree_repeats;
    return true;
  }
  slot = key;
  return false;
}

void BoxTreeLeaves::test(std::size_t b, std::uint32_t edge, std::uint32_t face) {
  ++query_.counters.edge_polygon_tests;
  points_.clear();
  const auto add = [&](std::size_t of, std::uint32_t vertex) {
    const Vec3& x = body(of).mesh.positions()[vertex];
    if (of == 0)
      points_.add_a(x);
    else
      points_.add_b(x);
  };
  for (const std::uint32_t v : body(b).edges().vertices[edge]) add(b, v);
  for (const std::uint32_t v : body(1 - b).mesh.triangles()[face]) add(1 - b, v);
  const prim::EdgeContact contact = prim::edge_triangle(points_, {0, 1}, {2, 3, 4}, body(1 - b).inner_edges(face));
  if (contact != prim::EdgeContact::none)
    found(b, edge, face, contact == prim::EdgeContact::crossing ? ContactKind::crossing : ContactKind::touching);
}

void BoxTreeLeaves::found(std::size_t b, std::uint32_t edge, std::uint32_t face, ContactKind kind) {
  const bool all = query_.options.all;
  const bool better = !result_.kind || (kind == ContactKind::crossing && *result_.kind == ContactKind::touching);
  result_.status = Status::contact;
  if (better) result_.kind = kind;
  if (!all && !better) return;
  if (!all) result_.pairs.clear();
  for (const std::uint32_t t : body(b).edges().triangles_of(edge)) {
    result_.pairs.push_back(b == 0 ? TrianglePair{TriangleId{t}, TriangleId{face}}
                                   : TrianglePair{TriangleId{face}, TriangleId{t}});
    if (!all) break;
  }
  done_ = !all && kind == ContactKind::crossing;
}

}  // namespace graze::classic::zachmann
