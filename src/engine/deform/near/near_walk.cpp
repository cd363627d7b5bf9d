// SPDX-License-Identifier: MIT
#include "engine/deform/near/near_walk.hpp"

#include <algorithm>
#include <limits>

#include "core/chunks.hpp"
#include "core/limits.hpp"
#include "engine/deform/near/closest_parts.hpp"
#include "engine/deform/near/mollifier.hpp"
#include "engine/deform/topology/orphans.hpp"
#include "math/vectors.hpp"

namespace graze::engine::deform {

namespace {

constexpr std::size_t slots = 64;

template <std::size_t N>
void add(LeafBoxes::Boxes<N>& boxes, std::span<const std::uint32_t> vertices, std::span<const Vec3> points) {
  const std::size_t at = boxes.count++;
  for (std::size_t k = 0; k < 3; ++k) {
    double lo = math::infinity, hi = -math::infinity;
    for (const std::uint32_t v : vertices) {
      const double x = points[v][static_cast<int>(k)];
      lo = std::min(lo, x);
      hi = std::max(hi, x);
    }
    boxes.lo[k][at] = lo;
    boxes.hi[k][at] = hi;
  }
  for (std::size_t k = 0; k < 3; ++k) boxes.vertices[at][k] = vertices[std::min(k, vertices.size() - 1)];
}

}  // namespace

/// One lane's visit.
class NearVisit {
 public:
  NearVisit(const NearWalkQuestion& q, NearWalk::Lane& lane)
      : q_(q), lane_(lane), points_(q.boxes.points()), clearance_(q.boxes.clearance()) {
    lane.leaves.resize(slots);
    lane.leaf_number.assign(slots, Topology::none);
  }

  void run(std::size_t enough) {
    std::vector<PatchPair>& stack = lane_.stack;
    while (!stack.empty() && stack.size() < enough) {
      const PatchPair p = stack.back();
      stack.pop_back();
      visit(p);
    }
  }

  void visit(const PatchPair& p) {
    poll_.rarely();
    std::vector<PatchPair>& stack = lane_.stack;
    const PatchNode &a = q_.tree.nodes[p.a], &b = q_.tree.nodes[p.b];
    if (!q_.options.self && !a.several && !b.several && piece(a) == piece(b)) return;
    if (p.a == p.b) {
      if (a.is_leaf()) return leaf_itself(p.a);
      stack.push_back({a.child + 1, a.child + 1});
      stack.push_back({a.child, a.child});
      stack.push_back({a.child, a.child + 1});
      return;
    }
    ++lane_.node_pairs;
    const NodeBox &x = q_.boxes.node(p.a), &y = q_.boxes.node(p.b);
    for (std::size_t k = 0; k < 3; ++k)
      if (x.lo[k] - y.hi[k] > clearance_ || y.lo[k] - x.hi[k] > clearance_) return;
    if (a.is_leaf() && b.is_leaf()) {
      leaves(p);
    } else if (b.is_leaf() || (!a.is_leaf() && size(x) >= size(y))) {
      stack.push_back({a.child + 1, p.b});
      stack.push_back({a.child, p.b});
    } else {
      stack.push_back({p.a, b.child + 1});
      stack.push_back({p.a, b.child});
    }
  }

 private:
  static double size(const NodeBox& b) { return (b.hi[0] - b.lo[0]) + (b.hi[1] - b.lo[1]) + (b.hi[2] - b.lo[2]); }
  /// A node below the upper level is connected.
  std::uint32_t piece(const PatchNode& n) const { return q_.pieces[q_.topology.triangle(q_.tree.items[n.begin])[0]]; }

  const LeafBoxes& load(std::uint32_t node, std::uint32_t other) {
    std::size_t at = node * 0x9E3779B1u >> 26;
    if (lane_.leaf_number[at] != node && (lane_.leaf_number[at ^ 1] == node || lane_.leaf_number[at] == other)) at ^= 1;
    LeafBoxes& leaf = lane_.leaves[at];
    if (lane_.leaf_number[at] == node) return leaf;
    lane_.leaf_number[at] = node;
    leaf.points.count = leaf.edges.count = leaf.faces.count = 0;
    const PatchNode& n = q_.tree.nodes[node];
    for (std::uint32_t k = n.begin; k < n.end; ++k) {
      const std::uint32_t id = q_.tree.items[k];
      Triangle t = q_.topology.triangle(id);
      const unsigned bits = q_.topology.first_bits(id);
      for (std::size_t i = 0; i < 3; ++i) {
        if (bits >> i & 1) add(leaf.points, {&t[i], 1}, points_);
        if (bits >> 3 >> i & 1) {
          const EdgeVertices e = edge_of(t, i);
          add(leaf.edges, e, points_);
        }
      }
      std::sort(t.begin(), t.end());
      add(leaf.faces, t, points_);
    }
    return leaf;
  }

  template <std::size_t N, std::size_t M>
  bool apart(const LeafBoxes::Boxes<N>& a, std::size_t i, const LeafBoxes::Boxes<M>& b, std::size_t j) const {
    for (std::size_t k = 0; k < 3; ++k)
      if (a.lo[k][i] - b.hi[k][j] > clearance_ || b.lo[k][j] - a.hi[k][i] > clearance_) return true;
    return false;
  }

  void leaves(const PatchPair& p) {
    ++lane_.leaf_pairs;
    const LeafBoxes& a = load(p.a, Topology::none);
    const LeafBoxes& b = load(p.b, p.a);
    vertex_faces(a, b);
    vertex_faces(b, a);
    for (std::size_t i = 0; i < a.edges.count; ++i)
      for (std::size_t j = 0; j < b.edges.count; ++j) edge_edge(a, i, b, j);
  }
  void leaf_itself(std::uint32_t node) {
    const LeafBoxes& a = load(node, Topology::none);
    vertex_faces(a, a);
    for (std::size_t i = 0; i < a.edges.count; ++i)
      for (std::size_t j = 0; j < i; ++j) edge_edge(a, i, a, j);
  }

  void vertex_faces(const LeafBoxes& a, const LeafBoxes& b) {
    for (std::size_t i = 0; i < a.points.count; ++i)
      for (std::size_t j = 0; j < b.faces.count; ++j) {
        if (apart(a.points, i, b.faces, j)) continue;
        const std::uint32_t v = a.points.vertices[i][0];
        const auto& f = b.faces.vertices[j];
        if (v != f[0] && v != f[1] && v != f[2]) test(ElementaryKind::vertex_face, {v, f[0], f[1], f[2]});
      }
  }
  void edge_edge(const LeafBoxes& a, std::size_t i, const LeafBoxes& b, std::size_t j) {
    if (apart(a.edges, i, b.edges, j)) return;
    const auto &x = a.edges.vertices[i], &y = b.edges.vertices[j];
    const EdgeVertices e{x[0], x[1]}, f{y[0], y[1]};
    if (share_vertex(e, f)) return;
    if (e < f)
      test(ElementaryKind::edge_edge, {e[0], e[1], f[0], f[1]});
    else
      test(ElementaryKind::edge_edge, {f[0], f[1], e[0], e[1]});
  }

  void test(ElementaryKind kind, const FourVertices& v) {
    if (!q_.options.self && q_.pieces[v[0]] == q_.pieces[v[3]]) return;
    poll_.rarely();
    ++lane_.feature_pairs;
    const std::array<Vec3, 4> p{points_[v[0]], points_[v[1]], points_[v[2]], points_[v[3]]};
    const unsigned mask = closest_parts(kind, p, v);
    const NamedPair name = named(kind, v, mask, false);
    if (!is_within(placed(name, points_).parts, q_.boxes.distance())) return;
    const bool parallel = kind == ElementaryKind::edge_edge && !q_.options.rest.empty() &&
                          parallelism(v, q_.positions, q_.options.rest, q_.options.mollifier).nearly_parallel();
    lane_.found.push_back(parallel ? named(kind, v, mask, true) : name);
  }

  const NearWalkQuestion& q_;
  NearWalk::Lane& lane_;
  const std::span<const Vec3> points_;
  const double clearance_;
  core::Poll poll_;
};

void NearWalk::cut(const NearWalkQuestion& question) {
  // Pairs of the upper nodes, whatever the number of threads.
  constexpr std::size_t enough = 256;
  Lane& lane = *lanes_[0];
  NearVisit visit(question, lane);
  parts_.assign(1, {0, 0});
  for (std::size_t round = 0; round < 16 && parts_.size() < enough && !parts_.empty(); ++round) {
    next_.clear();
    for (const PatchPair& p : parts_) {
      lane.stack.clear();
      visit.visit(p);
      next_.insert(next_.end(), lane.stack.begin(), lane.stack.end());
    }
    parts_.swap(next_);
  }
}

void NearWalk::run(const NearWalkQuestion& question, int threads) {
  used_ = static_cast<std::size_t>(threads);
  while (lanes_.size() < used_) lanes_.push_back(std::make_unique<Lane>());
  for (const auto& lane : lanes_) {
    lane->found.clear();
    lane->node_pairs = lane->leaf_pairs = lane->feature_pairs = 0;
  }
  if (threads == 1) {
    lanes_[0]->stack.assign(1, {0, 0});
    NearVisit(question, *lanes_[0]).run(std::numeric_limits<std::size_t>::max());
    return;
  }
  cut(question);
  for (std::size_t i = 0; i < used_; ++i) lanes_[i]->leaf_number.clear();
  core::in_lanes(parts_.size(), used_, [&](std::size_t lane, std::size_t i) {
    lanes_[lane]->stack.assign(1, parts_[i]);
    NearVisit(question, *lanes_[lane]).run(std::numeric_limits<std::size_t>::max());
  });
}

void NearWalk::add_counters(Counters& sum) const {
  for (const auto& lane : lanes_) {
    sum.node_pairs += lane->node_pairs;
    sum.leaf_pairs += lane->leaf_pairs;
    sum.elementary_tests += lane->feature_pairs;
  }
}

std::size_t NearWalk::bytes() const {
  std::size_t sum = 0;
  for (const auto& lane : lanes_) sum += lane->leaves.size() * sizeof(LeafBoxes);
  return sum;
}

}  // namespace graze::engine::deform
