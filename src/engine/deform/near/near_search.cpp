// SPDX-License-Identifier: MIT
#include "engine/deform/near/near_search.hpp"

#include <algorithm>

#include "core/chunks.hpp"

namespace graze::engine::deform {

/// By kind, `nearly_parallel` and vertices: in buckets by the group and the first vertex, which are small.
void NearSearch::merge(const Question& q) {
  const std::size_t vertices = q.positions.size(), buckets = 8 * vertices;
  const auto bucket = [&](const NamedPair& p) { return p.group() * vertices + p.vertices[0]; };
  std::size_t count = 0;
  first_.assign(buckets + 2, 0);
  for (std::size_t lane = 0; lane < walk_.lanes(); ++lane) {
    count += walk_.found(lane).size();
    for (const NamedPair& p : walk_.found(lane)) ++first_[bucket(p) + 2];
  }
  for (std::size_t i = 2; i < first_.size(); ++i) first_[i] += first_[i - 1];
  sorted_.resize(count);
  for (std::size_t lane = 0; lane < walk_.lanes(); ++lane)
    for (const NamedPair& p : walk_.found(lane)) sorted_[first_[bucket(p) + 1]++] = p;
  core::in_chunks(buckets, q.threads, [&](std::size_t i) {  // entry i of `first_` is now the start of bucket i
    const auto begin = sorted_.begin() + first_[i], end = sorted_.begin() + first_[i + 1];
    if (end - begin > 1)
      std::sort(begin, end, [](const NamedPair& x, const NamedPair& y) { return x.vertices < y.vertices; });
  });
  distinct_.clear();
  for (std::uint32_t i = 0; i < sorted_.size(); ++i)
    if (i == 0 || !sorted_[i].same_parts(sorted_[i - 1])) distinct_.push_back(i);
}

void NearSearch::measure(const Question& q, std::vector<ProximityPair>& pairs) {
  pairs.resize(distinct_.size());
  core::in_chunks(pairs.size(), q.threads, [&](std::size_t i) {
    const std::uint32_t begin = distinct_[i],
                        end = i + 1 < distinct_.size() ? distinct_[i + 1] : static_cast<std::uint32_t>(sorted_.size());
    const NamedPair& name = sorted_[begin];
    ProximityPair& p = pairs[i];
    p.kind = name.kind;
    p.nearly_parallel = name.nearly_parallel;
    p.closest = name.closest;
    p.vertices = name.vertices;
    p.edge_edge = 0;
    for (std::uint32_t k = begin; k < end; ++k) p.edge_edge += sorted_[k].of_edges;
    p.vertex_face = end - begin - p.edge_edge;
    const PlacedParts at = placed(name, boxes_.points());
    const Measured m = deform::measure(at.parts, boxes_.unit());
    p.distance = m.distance;
    p.weights = {};
    for (std::size_t k = 0; k < 4; ++k)
      if (p.closest >> at.at[k] & 1) p.weights[at.at[k]] = m.weights[k];
  });
}

void NearSearch::find(const Question& q, ProximityResult& result) {
  boxes_.refit(q.topology, q.tree, q.positions, q.distance, q.threads);
  result.counters.nodes_refitted += q.tree.nodes.size();
  walk_.run({q.topology, q.tree, boxes_, q.pieces, q.positions, q.options, q.rules}, q.threads);
  walk_.add_counters(result.counters);
  merge(q);
  measure(q, result.pairs);
}

std::size_t NearSearch::bytes() const {
  return boxes_.bytes() + walk_.bytes() + first_.size() * sizeof(std::uint32_t) + sorted_.size() * sizeof(NamedPair) +
         distinct_.size() * sizeof(std::uint32_t);
}

}  // namespace graze::engine::deform
