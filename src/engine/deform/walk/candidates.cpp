// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/deform/walk/candidates.cpp"
#include "core/instruction_sets.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>

#include "core/chunks.hpp"
#include "engine/deform/walk/candidates.hpp"
#include "engine/deform/walk/finder-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze::engine::deform {
namespace HWY_NAMESPACE {

void Find(const CandidateSearch& search, std::vector<PatchPair>& stack, std::size_t enough_pairs, std::size_t enough,
          LeafCache& leaves, FeatureCandidates& out) {
  if (search.horizon < 0x1p-8f && search.directions == dop_directions)
    Finder<Until::soon>(search, leaves, out).run(stack, enough_pairs, enough);
  else if (search.horizon < 1 || search.directions != dop_directions)
    Finder<Until::horizon>(search, leaves, out).run(stack, enough_pairs, enough);
  else
    Finder<Until::end>(search, leaves, out).run(stack, enough_pairs, enough);
}

void FindOrphan(const CandidateSearch& search, const Orphan& o, FeatureCandidates& out) {
  Dop a, b;
  reach(search.dops, o.vertices.data(), o.edges ? 2 : 1, a);
  reach(search.dops, o.vertices.data() + (o.edges ? 2 : 1), o.edges ? 2 : 3, b);
  if (search.feature_bounds && Apart<Until::horizon>(search)(bounds(a), bounds(b))) {
    ++out.counters.bound_culled;
    return;
  }
  if (search.rules && !search.rules->rules().features_may(o.vertices, o.edges ? 2 : 1)) return;
  ++out.counters.orphan_tests;
  (o.edges ? out.edge_edge : out.vertex_face).push_back(o.vertices);
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::engine::deform
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::engine::deform {

HWY_EXPORT(Find);
HWY_EXPORT(FindOrphan);

namespace {

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

/// Does the patch contain a triangle of each feature of the orphan?
bool holds(const ProvedPatch& patch, const CandidateSearch& s, const Orphan& o) {
  const auto inside = [&](std::uint32_t t) {
    return s.tree.position[t] >= patch.begin && s.tree.position[t] < patch.end;
  };
  if (!inside(o.triangles[1])) return false;
  const auto has = [&](const Triangle& t) {
    return has_vertex(t, o.vertices[0]) && (!o.edges || has_vertex(t, o.vertices[1]));
  };
  const auto around = s.topology.around(o.vertices[0]);
  return std::any_of(around.begin(), around.end(),
                     [&](std::uint32_t t) { return inside(t) && has(s.topology.triangle(t)); });
}

}  // namespace

void FeatureCandidates::clear() {
  vertex_face.clear();
  edge_edge.clear();
  counters = {};
}

void WalkParts::cut(const CandidateSearch& search, std::span<const PatchPair> pairs, FeatureCandidates& out) {
  constexpr std::size_t rounds = 8, most = 256, least_pairs = 8;
  const auto is_large = [&](const PatchPair& p) {
    return (std::size_t{search.tree.nodes[p.a].size()} + search.tree.nodes[p.b].size()) * most >=
           search.tree.items.size();
  };
  leaves_.forget();
  opened_.clear();
  std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(opened_), is_large);
  for (std::size_t round = 0; round < rounds; ++round) {
    next_.clear();
    for (const PatchPair& p : opened_) {
      if (!is_large(p)) {
        next_.push_back(p);
        continue;
      }
      one_.assign(1, p);
      HWY_DYNAMIC_DISPATCH(Find)(search, one_, 2, no_limit, leaves_, out);
      next_.insert(next_.end(), one_.begin(), one_.end());
    }
    opened_.swap(next_);
  }
  std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(opened_),
               [&](const PatchPair& p) { return !is_large(p); });
  count_ = std::min(most, std::bit_floor(std::max<std::size_t>(1, opened_.size() / least_pairs)));
}

std::span<const PatchPair> WalkParts::operator[](std::size_t part) const {
  const std::size_t first = part * opened_.size() / count_, last = (part + 1) * opened_.size() / count_;
  return {opened_.data() + first, last - first};
}

void find_candidates(const CandidateSearch& search, std::span<const PatchPair> pairs, int threads,
                     FeatureCandidates& out) {
  WalkParts parts;
  parts.cut(search, pairs, out);
  std::vector<FeatureCandidates> found(parts.count());
  std::vector<CandidateWalk> walks(std::min(parts.count(), static_cast<std::size_t>(threads)));
  core::in_lanes(parts.count(), walks.size(), [&](std::size_t lane, std::size_t i) {
    PairStack stack;
    begin_walk(parts[i], stack);
    walks[lane].next(search, stack, no_limit, found[i]);
  });
  for (const FeatureCandidates& f : found) {
    out.vertex_face.insert(out.vertex_face.end(), f.vertex_face.begin(), f.vertex_face.end());
    out.edge_edge.insert(out.edge_edge.end(), f.edge_edge.begin(), f.edge_edge.end());
    out.counters += f.counters;
  }
}

void begin_walk(std::span<const PatchPair> pairs, PairStack& stack) { stack.assign(pairs.rbegin(), pairs.rend()); }

bool CandidateWalk::next(const CandidateSearch& search, PairStack& stack, std::size_t enough, FeatureCandidates& out) {
  HWY_DYNAMIC_DISPATCH(Find)(search, stack, no_limit, enough, leaves_, out);
  return !stack.empty();
}

void add_orphans(const CandidateSearch& search, const Orphans& orphans, std::span<const ProvedPatch> proved,
                 FeatureCandidates& out) {
  if (!search.self) return;
  for (const Orphan& o : orphans.all()) {
    // Proved patches are disjoint and in ascending order: take the last that begins before the second feature's
    // triangle.
    const auto after = std::upper_bound(proved.begin(), proved.end(), search.tree.position[o.triangles[1]],
                                        [](std::uint32_t at, const ProvedPatch& p) { return at < p.begin; });
    if (after != proved.begin() && holds(*(after - 1), search, o)) continue;
    HWY_DYNAMIC_DISPATCH(FindOrphan)(search, o, out);
  }
}

}  // namespace graze::engine::deform
#endif
