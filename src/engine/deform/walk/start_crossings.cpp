// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/deform/walk/start_crossings.cpp"
#include "core/instruction_sets.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <atomic>
#include <limits>

#include "core/limits.hpp"
#include "core/parallel.hpp"
#include "engine/collide/self_pair.hpp"
#include "engine/deform/walk/apart-inl.hpp"
#include "engine/deform/walk/start_crossings.hpp"
#include "math/vectors.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze::engine::deform {
namespace HWY_NAMESPACE {

namespace {

/// All of b is strictly on one side of the plane of a. With U, V, W the largest coordinates of differences, a component
/// of the normal is at most 2 U V with an error of less than 8 eps of U V; a product with a difference has an error of
/// less than 64 eps of U V W (eps = 2^-53). Products that underflow lose up to 2^-1075 each: six of them times W, and
/// three more.
bool beyond_plane(const Vec3& a0, const Vec3& a1, const Vec3& a2, const Vec3& b0, const Vec3& b1, const Vec3& b2) {
  const Vec3 u = a1 - a0, v = a2 - a0, n = cross(u, v);
  const Vec3 w[3] = {b0 - a0, b1 - a0, b2 - a0};
  const double x = dot(n, w[0]), y = dot(n, w[1]), z = dot(n, w[2]);
  const double far = std::max({math::largest(w[0]), math::largest(w[1]), math::largest(w[2])});
  const double error = 0x1p-46 * math::largest(u) * math::largest(v) * far + 0x1p-1070 * (far + 1);
  return (x > error && y > error && z > error) || (x < -error && y < -error && z < -error);
}

/// Uses the bounds at the start alone: a horizon of 0.
class StartWalk {
 public:
  StartWalk(const CandidateSearch& s, std::span<const Vec3> positions, StartCrossings::Lane& lane)
      : s_(s), positions_(positions), lane_(lane), apart_(s), points_(here_, lane.counters) {}

  /// Runs until the stack is empty, or has `enough` entries.
  void run(std::size_t enough) {
    std::vector<PatchPair>& stack = lane_.stack;
    core::Poll poll;
    while (!stack.empty() && stack.size() < enough) {
      poll.rarely();
      const PatchPair p = stack.back();
      stack.pop_back();
      if (p.a == p.b)
        itself(p.a);
      else
        pair(p);
    }
  }

 private:
  void itself(std::uint32_t i) {
    const PatchNode& n = s_.tree.nodes[i];
    if (!s_.self && !n.several) return;  // the node is connected
    if (s_.rules && s_.rules->none_may(i, i)) return;
    if (!n.is_leaf()) {
      lane_.stack.push_back({n.child, n.child + 1});
      lane_.stack.push_back({n.child + 1, n.child + 1});
      lane_.stack.push_back({n.child, n.child});
      return;
    }
    const StartCrossings::Lane::LeafBounds& own = load(i, Topology::none);
    for (std::uint32_t k = 1; k < n.size(); ++k)
      for (std::uint32_t l = 0; l < k; ++l) triangles(n.begin + l, own.triangles[l], n.begin + k, own.triangles[k]);
  }

  void pair(const PatchPair& p) {
    if (s_.rules && s_.rules->none_may(p.a, p.b)) return;
    ++lane_.counters.node_pairs;
    const PatchNode &na = s_.tree.nodes[p.a], &nb = s_.tree.nodes[p.b];
    const Dop &x = s_.dops.nodes()[p.a], &y = s_.dops.nodes()[p.b];
    if (apart_(bounds(x), bounds(y))) return;
    if (s_.fans && s_.fans->apart_at_start(p.a, p.b)) return;
    if (na.is_leaf() && nb.is_leaf()) {
      leaves(p);
    } else if (nb.is_leaf() || (!na.is_leaf() && na.size() >= nb.size())) {
      lane_.stack.push_back({na.child + 1, p.b});
      lane_.stack.push_back({na.child, p.b});
    } else {
      lane_.stack.push_back({p.a, nb.child + 1});
      lane_.stack.push_back({p.a, nb.child});
    }
  }

  /// The bounds of a leaf's triangles, in a slot different from that of `other`.
  const StartCrossings::Lane::LeafBounds& load(std::uint32_t node, std::uint32_t other) {
    std::size_t at = node * 0x9E3779B1u >> 26;
    if (lane_.nodes[at] != node && (lane_.nodes[at ^ 1] == node || lane_.nodes[at] == other)) at ^= 1;
    StartCrossings::Lane::LeafBounds& leaf = lane_.bounds[at];
    if (lane_.nodes[at] == node) return leaf;
    lane_.nodes[at] = node;
    const PatchNode& n = s_.tree.nodes[node];
    for (std::uint32_t k = n.begin; k < n.end; ++k)
      reach(s_.dops, s_.topology.triangle(s_.tree.items[k]).data(), 3, leaf.triangles[k - n.begin]);
    return leaf;
  }

  void leaves(const PatchPair& p) {
    const PatchNode &na = s_.tree.nodes[p.a], &nb = s_.tree.nodes[p.b];
    const Dop &around_a = s_.dops.nodes()[p.a], &around_b = s_.dops.nodes()[p.b];
    const StartCrossings::Lane::LeafBounds& a = load(p.a, Topology::none);
    const StartCrossings::Lane::LeafBounds& b = load(p.b, p.a);
    std::uint32_t near_b[patch_leaf_size], count = 0;
    for (std::uint32_t l = 0; l < nb.size(); ++l) {
      near_b[count] = l;
      count += !apart_(bounds(around_a), bounds(b.triangles[l]));
    }
    if (count == 0) return;
    for (std::uint32_t k = 0; k < na.size(); ++k) {
      if (apart_(bounds(a.triangles[k]), bounds(around_b))) continue;
      for (std::uint32_t i = 0; i < count; ++i)
        triangles(na.begin + k, a.triangles[k], nb.begin + near_b[i], b.triangles[near_b[i]]);
    }
  }

  void triangles(std::uint32_t k, const Dop& of_k, std::uint32_t l, const Dop& of_l) {
    ++lane_.counters.leaf_pairs;
    if (apart_(bounds(of_k), bounds(of_l))) return;
    const std::uint32_t t = std::min(s_.tree.items[k], s_.tree.items[l]);
    const std::uint32_t u = std::max(s_.tree.items[k], s_.tree.items[l]);
    const Triangle &x = s_.topology.triangle(t), &y = s_.topology.triangle(u);
    if (!s_.self && s_.pieces[x[0]] == s_.pieces[y[0]]) return;
    // Of loose edges those that pass through a triangle: all else that meets is an elementary contact.
    const bool loose = u >= s_.topology.surface_count();
    if (loose && (t >= s_.topology.surface_count() || s_.topology.edges_of(u) == 0)) return;
    if (loose && has_vertex(x, y[0]) && has_vertex(x, y[1])) return;  // an edge of the triangle
    if (s_.rules && !s_.rules->rules().any_may(x, y)) return;
    ++lane_.counters.triangle_tests;
    const auto at = [&](const Triangle& f, std::size_t i) -> const Vec3& { return positions_[f[i]]; };
    if (!adjacent(x, y) && (beyond_plane(at(x, 0), at(x, 1), at(x, 2), at(y, 0), at(y, 1), at(y, 2)) ||
                            beyond_plane(at(y, 0), at(y, 1), at(y, 2), at(x, 0), at(x, 1), at(x, 2))))
      return;
    const auto meeting = collide::self_meeting(points_, positions_, x, y, [](std::size_t) { return 0u; });
    if (!meeting) return;
    const bool stays = meeting->neighbourhood == Neighbourhood::same_face;
    lane_.found.push_back({{TriangleId{t}, TriangleId{u}}, stays || meeting->kind == ContactKind::crossing});
  }

  const CandidateSearch& s_;
  std::span<const Vec3> positions_;
  StartCrossings::Lane& lane_;
  Apart<Until::soon> apart_;
  const math::RelativePlacement here_{Pose(), Pose()};
  math::PlacedPoints points_;
};

}  // namespace

void WalkStart(const CandidateSearch& search, std::span<const Vec3> positions, std::size_t enough,
               StartCrossings::Lane& lane) {
  StartWalk(search, positions, lane).run(enough);
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::engine::deform
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::engine::deform {

HWY_EXPORT(WalkStart);

void StartCrossings::find(const CandidateSearch& question, std::span<const Vec3> positions, int threads,
                          Counters& counters) {
  constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max(), enough = 256;
  CandidateSearch search = question;
  search.directions = dop_directions;
  search.horizon = 0;
  while (lanes_.size() < static_cast<std::size_t>(threads)) lanes_.push_back(std::make_unique<Lane>());
  for (const auto& lane : lanes_) {
    lane->nodes.fill(Topology::none);
    lane->found.clear();
    lane->counters = {};
  }
  Lane& first = *lanes_[0];
  first.stack.assign(1, {0, 0});
  if (threads == 1) {
    HWY_DYNAMIC_DISPATCH(WalkStart)(search, positions, no_limit, first);
  } else {
    // Expands pairs in order, the oldest first, until there are enough to share among threads.
    parts_.assign(1, {0, 0});
    for (std::size_t next = 0; next < parts_.size() && parts_.size() - next < enough; ++next) {
      first.stack.assign(1, parts_[next]);
      HWY_DYNAMIC_DISPATCH(WalkStart)(search, positions, 2, first);
      parts_[next] = {0, 0};
      parts_.insert(parts_.end(), first.stack.begin(), first.stack.end());
      first.stack.clear();
    }
    std::atomic<std::size_t> next{0};
    core::parallel_for(static_cast<std::size_t>(threads), threads, [&](std::size_t i) {
      for (std::size_t p = next++; p < parts_.size(); p = next++) {
        if (parts_[p].a == 0) continue;  // already expanded
        lanes_[i]->stack.assign(1, parts_[p]);
        HWY_DYNAMIC_DISPATCH(WalkStart)(search, positions, no_limit, *lanes_[i]);
      }
    });
  }
  all_.clear();
  for (const auto& lane : lanes_) {
    counters += lane->counters;
    all_.insert(all_.end(), lane->found.begin(), lane->found.end());
  }
  std::sort(all_.begin(), all_.end(),
            [](const Lane::Meeting& x, const Lane::Meeting& y) { return x.triangles < y.triangles; });
  clear();
  for (const Lane::Meeting& m : all_) {
    pairs.push_back(m.triangles);
    crossing.push_back(m.crossing);
  }
}

}  // namespace graze::engine::deform
#endif
