// SPDX-License-Identifier: MIT
#include "classic/kitamura/octree_update.hpp"

#include <graze/classic/kitamura.hpp>

#include "classic/kitamura/body_pairs.hpp"
#include "classic/kitamura/cell_search.hpp"
#include "classic/kitamura/coherence.hpp"
#include "classic/kitamura/listed_face.hpp"
#include "core/counter_sum.hpp"
#include "core/limits.hpp"
#include "core/parallel.hpp"
#include "math/relative_placement.hpp"
#include "prim/box_box.hpp"

namespace graze::classic::kitamura {

namespace {

/// Contains the box: the centre is some point near its midpoint, the half sides are rounded up.
prim::BoxFrame frame_of(const Box3& box) {
  prim::BoxFrame f;
  for (int k = 0; k < 3; ++k) {
    f.centre[k] = middle(box.lo[k], box.hi[k]);
    const double half = std::max(box.hi[k] - f.centre[k], f.centre[k] - box.lo[k]);
    f.half[k] = half + half * 0x1p-52 + std::numeric_limits<double>::denorm_min();
    f.axis[k] = {};
    f.axis[k][k] = 1;
  }
  return f;
}

/// A black leaf at its body's present position: a rotated cube.
struct PlacedNode {
  prim::BoxFrame frame;
  Box3 box;      ///< axis-aligned, around it
  double error;  ///< error bound of the frame's points per coordinate, relative to the exact cube
  std::uint32_t body;
  std::uint32_t node;
  bool bounded;
};

/// Places nodes of one body. The exact position of a point x of a cell with centre c is R x + t; the frame gives R'c +
/// t' (rounded) + R'(x - c), with the rounded R', t' of `RelativePlacement`. The difference is at most that class's
/// error bound of a placed point, for the largest |x| of the cell.
class NodePlacer {
 public:
  NodePlacer(const PlacedBody& body, std::uint32_t id)
      : bounded_(body.bounded), id_(id), placement_(Pose(), body.pose) {}

  PlacedNode place(const Box3& cell, std::uint32_t node) const {
    const std::array<double, 9>& r = placement_.rotation();
    PlacedNode out{frame_of(cell), {}, 0, id_, node, bounded_};
    Vec3 furthest;
    for (int k = 0; k < 3; ++k) furthest[k] = std::max(std::fabs(cell.lo[k]), std::fabs(cell.hi[k]));
    out.error = placement_.error(furthest);
    out.frame.centre = placement_.place(out.frame.centre);
    out.frame.axis[0] = {r[0], r[3], r[6]};
    out.frame.axis[1] = {r[1], r[4], r[7]};
    out.frame.axis[2] = {r[2], r[5], r[8]};
    Box3 box;
    for (int i = 0; i < 3; ++i) {
      double reach = 0;
      for (std::size_t k = 0; k < 3; ++k)
        reach += std::fabs(r[static_cast<std::size_t>(3 * i) + k]) * out.frame.half[static_cast<int>(k)];
      box.lo[i] = out.frame.centre[i] - reach;
      box.hi[i] = out.frame.centre[i] + reach;
    }
    out.box = padded(box, out.error);  // the rounding of the sums is far below the added error
    if (!is_finite(out.box.lo) || !is_finite(out.box.hi)) out.bounded = false;
    if (!out.bounded) out.box = everywhere();
    return out;
  }

 private:
  bool bounded_;
  std::uint32_t id_;
  math::RelativePlacement placement_;
};

/// "No" is certain, by the same argument as for faces.
bool node_may_meet(const PlacedNode& node, const Box3& box) {
  if (!node.bounded) return true;
  return node.box.overlaps(box) && !prim::separate_boxes(node.frame, frame_of(padded(box, node.error))).apart();
}

/// The items of the world's octree: black nodes instead of faces.
class NodeItems {
 public:
  NodeItems(const Scene& scene, const std::vector<const StoredOctree*>& octrees, std::vector<PlacedNode> nodes)
      : scene_(scene), octrees_(octrees), nodes_(std::move(nodes)) {}

  static constexpr std::size_t least = 1;
  std::size_t size() const { return nodes_.size(); }
  std::uint32_t body(std::uint32_t i) const { return nodes_[i].body; }
  const Box3& box(std::uint32_t i) const { return nodes_[i].box; }
  bool may_meet(std::uint32_t i, const Box3& cell, AllCounters&) const { return node_may_meet(nodes_[i], cell); }

  /// Two nodes whose boxes are apart share no point; otherwise lists all pairs of their faces whose boxes overlap.
  void list(std::uint32_t i, std::uint32_t j, FacePairList& pairs) const {
    const PlacedNode &m = nodes_[i], &n = nodes_[j];
    if (!m.box.overlaps(n.box)) return;
    core::poll_once();
    core::Poll poll;
    for (const std::uint32_t a : faces(m)) {
      poll.rarely();
      const Box3 box = face_box(scene_[m.body], a);
      if (!box.overlaps(n.box)) continue;
      for (const std::uint32_t b : faces(n)) {
        if (m.body == n.body && a == b) continue;
        if (!box.overlaps(face_box(scene_[n.body], b))) continue;
        const bool swap = m.body == n.body && b < a;
        pairs.add({m.body, n.body, swap ? b : a, swap ? a : b});
      }
    }
  }

 private:
  std::span<const std::uint32_t> faces(const PlacedNode& node) const {
    const StoredOctree& octree = *octrees_[node.body];
    return octree.faces(octree.nodes()[node.node]);
  }

  const Scene& scene_;
  const std::vector<const StoredOctree*>& octrees_;
  std::vector<PlacedNode> nodes_;
};

/// The node check-list: the body's black leaves that may reach the region, found from the root down, since no node
/// below one that misses the region reaches it.
void list_nodes(const StoredOctree& octree, const NodePlacer& placer, const Box3& region, std::vector<PlacedNode>& out,
                AllCounters& counters) {
  std::vector<std::uint32_t> stack{0};
  while (!stack.empty()) {
    const std::uint32_t at = stack.back();
    stack.pop_back();
    const StoredOctree::Node& node = octree.nodes()[at];
    ++counters.octree_nodes_placed;
    const PlacedNode placed = placer.place(node.cell, at);
    if (!node_may_meet(placed, region)) continue;
    if (node.is_leaf)
      out.push_back(placed);
    else
      for (std::uint32_t i = node.count; i-- > 0;) stack.push_back(node.first + i);
  }
}

/// Builds the octrees that are not stored, have another depth, or belong to a body that has deformed.
std::vector<const StoredOctree*> prepare_octrees(const InterferenceQuery& query, InterferenceCoherence::State& state,
                                                 AllCounters& counters) {
  const std::optional<int> level = query.options.kitamura.value().octree_update.body_level;
  std::vector<const StoredOctree*> octrees(query.scene.size());
  std::vector<std::uint64_t> rebuilt(query.scene.size(), 0);
  core::parallel_for(query.scene.size(), query.options.threads, [&](std::size_t i) {
    const PlacedBody& body = query.scene[i];
    std::optional<StoredOctree>& kept = state.kept[i].octree;
    const bool rigid = body.local.data() == body.mesh.positions().data();
    if (!kept || kept->level() != level || !rigid || !state.kept[i].rigid) {
      kept.emplace(body, level);
      rebuilt[i] = kept->nodes().size();
    }
    state.kept[i].rigid = rigid;
    octrees[i] = &*kept;
  });
  for (const std::uint64_t n : rebuilt) counters.nodes_rebuilt += n;
  return octrees;
}

}  // namespace

void OctreeUpdate::run(const InterferenceQuery& query, InterferenceResult& result) {
  StageClock clock;
  InterferenceCoherence mine;
  InterferenceCoherence::State& state = (query.options.coherence ? *query.options.coherence : mine).state();
  state.prepare(query.scene);
  AllCounters counters;
  const auto octrees = prepare_octrees(query, state, counters);
  clock.add_to(result.seconds.structures);
  const auto bodies = overlapping_bodies(query.scene, true, query.options.self, counters);
  counters.overlap_regions += bodies.size();
  clock.add_to(result.seconds.bodies);
  std::vector<FacePair> pairs;
  for (const BodyPair& p : bodies) {
    const Box3 region = common(query.scene[p.a].box, query.scene[p.b].box);
    std::vector<PlacedNode> nodes;
    list_nodes(*octrees[p.a], {query.scene[p.a], p.a}, region, nodes, counters);
    if (p.a != p.b) list_nodes(*octrees[p.b], {query.scene[p.b], p.b}, region, nodes, counters);
    clock.add_to(result.seconds.check_lists);
    const CellOptions options{.self = p.a == p.b,
                              .bintree = false,
                              .level = query.options.kitamura.value().octree_update.level,
                              .threads = query.options.threads};
    const NodeItems items(query.scene, octrees, std::move(nodes));
    const FacePairList found = list_pairs_in_cells(items, region, options, counters);
    pairs.insert(pairs.end(), found.pairs().begin(), found.pairs().end());
    clock.add_to(result.seconds.cells);
  }
  core::report(counters, result.counters, query.options.method_counters);
  test_face_pairs(query.scene, pairs, query.options.threads, result);
  clock.add_to(result.seconds.faces);
}

}  // namespace graze::classic::kitamura
