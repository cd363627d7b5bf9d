// SPDX-License-Identifier: MIT
#include <graze/mesh/connectivity.hpp>

#include <algorithm>

namespace graze {
namespace {

/// Converts counts to offsets of the groups (a prefix sum); the last entry is the total.
void counts_to_offsets(std::vector<std::uint32_t>& counts) {
  std::uint32_t sum = 0;
  for (std::uint32_t& entry : counts) {
    const std::uint32_t count = entry;
    entry = sum;
    sum += count;
  }
}

}  // namespace

Connectivity::Connectivity(const Mesh& mesh) : mesh_(mesh) {
  const std::size_t n = corners().size();
  polygon_of_.resize(n);
  for (std::uint32_t p = 0; p < mesh_.polygon_count(); ++p) {
    const auto [first, last] = half_edges(PolygonId{p});
    std::fill(polygon_of_.begin() + first, polygon_of_.begin() + last, p);
  }
  first_of_vertex_.assign(mesh_.vertex_count() + 1, 0);
  for (std::uint32_t v : corners()) ++first_of_vertex_[v];
  counts_to_offsets(first_of_vertex_);
  by_vertex_.resize(n);
  std::vector<std::uint32_t> place = first_of_vertex_;
  for (std::uint32_t h = 0; h < n; ++h) by_vertex_[place[corners()[h]]++] = HalfEdgeId{h};
  build_edges();
  find_conflicts();
}

// Half-edges are sorted into the buckets of their lower vertex, then each (short) bucket is sorted by the higher one.
void Connectivity::build_edges() {
  struct Entry {
    std::uint32_t higher, half_edge;
    bool operator<(const Entry& o) const { return higher != o.higher ? higher < o.higher : half_edge < o.half_edge; }
  };
  const auto n = static_cast<std::uint32_t>(half_edge_count());
  const auto lower = [&](std::uint32_t h) { return std::min(index(from(HalfEdgeId{h})), index(to(HalfEdgeId{h}))); };
  const auto higher = [&](std::uint32_t h) { return std::max(index(from(HalfEdgeId{h})), index(to(HalfEdgeId{h}))); };
  std::vector<std::uint32_t> bucket(mesh_.vertex_count() + 1, 0);
  for (std::uint32_t h = 0; h < n; ++h) {
    if (lower(h) != higher(h)) ++bucket[lower(h)];
  }
  counts_to_offsets(bucket);
  std::vector<Entry> entries(bucket.back());
  std::vector<std::uint32_t> place = bucket;
  for (std::uint32_t h = 0; h < n; ++h) {
    if (lower(h) != higher(h)) entries[place[lower(h)]++] = {higher(h), h};
  }
  edge_of_.assign(n, index(no_edge));
  by_edge_.reserve(entries.size());
  first_edge_.reserve(bucket.size());
  for (std::size_t v = 0; v + 1 < bucket.size(); ++v) {
    first_edge_.push_back(static_cast<std::uint32_t>(first_of_edge_.size()));
    std::sort(entries.begin() + bucket[v], entries.begin() + bucket[v + 1]);
    for (std::uint32_t i = bucket[v]; i < bucket[v + 1]; ++i) {
      if (i == bucket[v] || entries[i].higher != entries[i - 1].higher) first_of_edge_.push_back(i);
      edge_of_[entries[i].half_edge] = static_cast<std::uint32_t>(first_of_edge_.size() - 1);
      by_edge_.push_back(HalfEdgeId{entries[i].half_edge});
    }
  }
  first_edge_.push_back(static_cast<std::uint32_t>(first_of_edge_.size()));
  first_of_edge_.push_back(static_cast<std::uint32_t>(by_edge_.size()));
}

void Connectivity::find_conflicts() {
  for (std::uint32_t e = 0; e < edge_count(); ++e) {
    const std::span<const HalfEdgeId> around = half_edges(EdgeId{e});
    const auto forward = static_cast<std::size_t>(
        std::count_if(around.begin(), around.end(), [&](HalfEdgeId h) { return is_forward(h); }));
    const std::size_t backward = around.size() - forward;
    if (std::max(forward, backward) - std::min(forward, backward) <= around.size() % 2) continue;
    const bool direction = forward > backward;
    const auto is_too_many = [&](HalfEdgeId h) { return is_forward(h) == direction; };
    const auto first = std::find_if(around.begin(), around.end(), is_too_many);
    const auto second = std::find_if(first + 1, around.end(), is_too_many);
    conflicts_.push_back({vertices(EdgeId{e}), {polygon(*first), polygon(*second)}});
  }
}

std::array<std::uint32_t, 2> Connectivity::half_edges(PolygonId p) const {
  const std::vector<std::uint32_t>& first = mesh_.polygons().first;
  return {first[index(p)], first[index(p) + 1]};
}

HalfEdgeId Connectivity::next(HalfEdgeId h) const {
  const auto [first, last] = half_edges(polygon(h));
  return HalfEdgeId{index(h) + 1 == last ? first : index(h) + 1};
}

HalfEdgeId Connectivity::previous(HalfEdgeId h) const {
  const auto [first, last] = half_edges(polygon(h));
  return HalfEdgeId{index(h) == first ? last - 1 : index(h) - 1};
}

HalfEdgeId Connectivity::twin(HalfEdgeId h) const {
  if (edge(h) == no_edge) return no_half_edge;
  const std::span<const HalfEdgeId> around = half_edges(edge(h));
  if (around.size() != 2) return no_half_edge;
  return around[0] == h ? around[1] : around[0];
}

std::array<VertexId, 2> Connectivity::vertices(EdgeId e) const {
  const HalfEdgeId h = half_edges(e)[0];
  if (is_forward(h)) return {from(h), to(h)};
  return {to(h), from(h)};
}

std::span<const HalfEdgeId> Connectivity::half_edges(EdgeId e) const {
  return {by_edge_.data() + first_of_edge_[index(e)], by_edge_.data() + first_of_edge_[index(e) + 1]};
}

EdgeId Connectivity::find(VertexId a, VertexId b) const {
  const std::uint32_t low = std::min(index(a), index(b)), high = std::max(index(a), index(b));
  std::uint32_t begin = first_edge_[low], end = first_edge_[low + 1];
  while (begin < end) {
    const std::uint32_t middle = begin + (end - begin) / 2;
    if (index(vertices(EdgeId{middle})[1]) < high) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  const bool found = begin < first_edge_[low + 1] && index(vertices(EdgeId{begin})[1]) == high;
  return found ? EdgeId{begin} : no_edge;
}

std::span<const HalfEdgeId> Connectivity::half_edges_from(VertexId v) const {
  return {by_vertex_.data() + first_of_vertex_[index(v)], by_vertex_.data() + first_of_vertex_[index(v) + 1]};
}

/// The corner at the same vertex on the other side of an edge, or `no_half_edge`.
HalfEdgeId Connectivity::step_around(HalfEdgeId corner, EdgeId across) const {
  if (across == no_edge) return no_half_edge;
  const HalfEdgeId here = edge(corner) == across ? corner : previous(corner);
  const HalfEdgeId other = twin(here);
  if (other == no_half_edge) return no_half_edge;
  return from(other) == from(corner) ? other : next(other);
}

std::vector<Connectivity::Fan> Connectivity::fans(VertexId v) const {
  const std::span<const HalfEdgeId> all = half_edges_from(v);
  std::vector<bool> seen(all.size(), false);
  const auto take = [&](HalfEdgeId h) {  // true the first time
    const auto at = static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), h) - all.begin());
    const bool fresh = !seen[at];
    seen[at] = true;
    return fresh;
  };
  std::vector<Fan> result;
  const auto walk = [&](HalfEdgeId start, EdgeId across, bool ring) {
    if (!take(start)) return;
    Fan fan{{start}, ring};
    HalfEdgeId corner = start;
    for (;;) {
      corner = step_around(corner, across);
      if (corner == no_half_edge || !take(corner)) break;
      fan.half_edges.push_back(corner);
      // After entering the corner across one of its edges, continue across the other, whatever its direction.
      across = edge(corner) == across ? edge(previous(corner)) : edge(corner);
    }
    result.push_back(std::move(fan));
  };
  const auto is_end = [&](HalfEdgeId h, EdgeId across) { return step_around(h, across) == no_half_edge; };
  for (HalfEdgeId h : all) {  // open fans start where there is no neighbour on the right
    if (is_end(h, edge(h))) walk(h, edge(previous(h)), false);
  }
  for (HalfEdgeId h : all) {  // open fans with both ends on the left: the orientation changes inside
    if (is_end(h, edge(previous(h)))) walk(h, edge(h), false);
  }
  for (HalfEdgeId h : all) walk(h, edge(previous(h)), true);
  return result;
}

}  // namespace graze
