// SPDX-License-Identifier: MIT
#include "engine/deform/near/near_walk.hpp"

#include <algorithm>

#include "core/chunks.hpp"
#include "core/limits.hpp"
#include "engine/deform/near/closest_parts.hpp"
#include "engine/deform/near/mollifier.hpp"

namespace graze::engine::deform {

namespace {

constexpr std::size_t slots = 256;

/// So many candidates are tested together: their list stays in the inner caches.
constexpr std::size_t portion = 1024;

}  // namespace

/// One lane's visit.
class NearVisit {
 public:
  NearVisit(const NearWalkQuestion& q, NearWalk::Lane& lane)
      : q_(q), lane_(lane), points_(q.boxes.points()), clearance_(q.boxes.clearance()) {
    lane.leaves.resize(slots);
    lane.leaf_number.assign(slots, Topology::none);
    lane.candidates.vertex_face.resize(0);
    lane.candidates.edge_edge.resize(0);
  }

  void run(const PatchPair& from) {
    std::vector<PatchPair>& stack = lane_.stack;
    stack.assign(1, from);
    while (!stack.empty()) {
      const PatchPair p = stack.back();
      stack.pop_back();
      visit(p);
    }
    finish();
  }

  /// Tests what is left. To be called at the end.
  void finish() {
    test(ElementaryKind::vertex_face, lane_.candidates.vertex_face);
    test(ElementaryKind::edge_edge, lane_.candidates.edge_edge);
  }

  void visit(const PatchPair& p) {
    poll_.rarely();
    std::vector<PatchPair>& stack = lane_.stack;
    const std::uint32_t a = q_.boxes.child(p.a), b = q_.boxes.child(p.b);  // 0: a leaf
    if (!q_.options.self && one_piece(p)) return;
    if (q_.rules && q_.rules->none_may(p.a, p.b)) return;
    if (p.a == p.b) {
      if (a == 0) return leaves(p);
      stack.push_back({a + 1, a + 1});
      stack.push_back({a, a});
      stack.push_back({a, a + 1});
      return;
    }
    ++lane_.node_pairs;
    const NodeBounds &x = q_.boxes.bounds(p.a), &y = q_.boxes.bounds(p.b);
    if (x.apart(y) || (!q_.boxes.sharp() && apart(q_.boxes.node(p.a), q_.boxes.node(p.b)))) return;
    if (a == 0 && b == 0) {
      leaves(p);
    } else if (b == 0 || (a != 0 && x.size() >= y.size())) {
      stack.push_back({a + 1, p.b});
      stack.push_back({a, p.b});
    } else {
      stack.push_back({p.a, b + 1});
      stack.push_back({p.a, b});
    }
  }

 private:
  bool apart(const NodeBox& x, const NodeBox& y) const {
    for (std::size_t k = 0; k < 3; ++k)
      if (x.lo[k] - y.hi[k] > clearance_ || y.lo[k] - x.hi[k] > clearance_) return true;
    return false;
  }
  bool one_piece(const PatchPair& p) const {
    const PatchNode &a = q_.tree.nodes[p.a], &b = q_.tree.nodes[p.b];
    return !a.several && !b.several && piece(a) == piece(b);
  }
  /// A node below the upper level is connected.
  std::uint32_t piece(const PatchNode& n) const { return q_.pieces[q_.topology.triangle(q_.tree.items[n.begin])[0]]; }

  const LeafBoxes& load(std::uint32_t node, std::uint32_t other) {
    std::size_t at = node * 0x9E3779B1u >> 24;
    if (lane_.leaf_number[at] != node && (lane_.leaf_number[at ^ 1] == node || lane_.leaf_number[at] == other)) at ^= 1;
    LeafBoxes& leaf = lane_.leaves[at];
    if (lane_.leaf_number[at] == node) return leaf;
    lane_.leaf_number[at] = node;
    const PatchNode& n = q_.tree.nodes[node];
    leaf.load(q_.topology, {q_.tree.items.data() + n.begin, n.size()}, q_.boxes.node(node), points_);
    return leaf;
  }

  void leaves(const PatchPair& p) {
    ++lane_.leaf_pairs;
    const LeafBoxes& a = load(p.a, Topology::none);
    NearCandidates& found = lane_.candidates;
    const std::size_t vertex_faces = found.vertex_face.size(), edge_edges = found.edge_edge.size();
    find_near_features(a, p.a == p.b ? a : load(p.b, p.a), clearance_, found);
    const NodeRules* const rules = q_.rules;
    if (!q_.options.self || (rules && !rules->all_may(p.a, p.b))) {
      drop_forbidden(found.vertex_face, vertex_faces, 1);
      drop_forbidden(found.edge_edge, edge_edges, 2);
    }
    if (found.vertex_face.size() >= portion) test(ElementaryKind::vertex_face, found.vertex_face);
    if (found.edge_edge.size() >= portion) test(ElementaryKind::edge_edge, found.edge_edge);
  }

  /// Of the pairs from `begin` on, whose first features have so many vertices.
  void drop_forbidden(CandidateList& list, std::size_t begin, std::size_t vertices) const {
    const auto forbidden = [&](const FourVertices& v) {
      return (!q_.options.self && q_.pieces[v[0]] == q_.pieces[v[3]]) ||
             (q_.rules && !q_.rules->rules().features_may(v, vertices));
    };
    list.resize(static_cast<std::size_t>(std::remove_if(list.begin() + begin, list.end(), forbidden) - list.begin()));
  }

  void test(ElementaryKind kind, CandidateList& list) {
    lane_.feature_pairs += list.size();
    if (kind == ElementaryKind::edge_edge) reject(list);
    for (std::size_t begin = 0; begin < list.size(); begin += PairBatch::capacity) {
      gather(list, begin);
      classify_in_lanes(kind, lane_.batch, q_.boxes.distance(), lane_.answers.data());
      for (std::size_t i = 0; i < lane_.batch.count; ++i)
        if (lane_.answers[i] != 0) keep(kind, list[begin + i], lane_.answers[i]);
    }
    list.resize(0);
  }

  /// Drops most of the pairs that are too far apart.
  void reject(CandidateList& list) {
    std::size_t kept = 0;
    for (std::size_t begin = 0; begin < list.size(); begin += PairBatch::capacity) {
      gather(list, begin);
      reject_in_lanes(lane_.batch, q_.boxes.distance(), lane_.answers.data());
      for (std::size_t i = 0; i < lane_.batch.count; ++i) {
        poll_.rarely();
        list[kept] = list[begin + i];
        kept += lane_.answers[i];
      }
    }
    list.resize(kept);
  }

  void gather(CandidateList& list, std::size_t begin) {
    PairBatch& batch = lane_.batch;
    batch.count = std::min(PairBatch::capacity, list.size() - begin);
    for (std::size_t i = 0; i < batch.count; ++i)
      for (std::size_t k = 0; k < 4; ++k) {
        const Vec3& p = points_[list[begin + i][k]];
        batch.at[3 * k][i] = p.x;
        batch.at[3 * k + 1][i] = p.y;
        batch.at[3 * k + 2][i] = p.z;
      }
  }

  void keep(ElementaryKind kind, const FourVertices& v, unsigned mask) {
    poll_.rarely();
    if (mask == uncertain) {
      ++lane_.exact_pairs;
      mask = closest_parts(kind, {points_[v[0]], points_[v[1]], points_[v[2]], points_[v[3]]}, v);
      if (!is_within(placed(named(kind, v, mask, false), points_).parts, q_.boxes.distance())) return;
    }
    const bool parallel = kind == ElementaryKind::edge_edge && !q_.options.rest.empty() &&
                          parallelism(v, q_.positions, q_.options.rest, q_.options.mollifier).nearly_parallel();
    lane_.found.push_back(named(kind, v, mask, parallel));
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
  visit.finish();
}

void NearWalk::run(const NearWalkQuestion& question, int threads) {
  used_ = static_cast<std::size_t>(threads);
  while (lanes_.size() < used_) lanes_.push_back(std::make_unique<Lane>());
  for (const auto& lane : lanes_) {
    lane->found.clear();
    lane->node_pairs = lane->leaf_pairs = lane->feature_pairs = lane->exact_pairs = 0;
  }
  if (threads == 1) {
    NearVisit(question, *lanes_[0]).run({0, 0});
    return;
  }
  cut(question);
  core::in_lanes(parts_.size(), used_,
                 [&](std::size_t lane, std::size_t i) { NearVisit(question, *lanes_[lane]).run(parts_[i]); });
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
