// SPDX-License-Identifier: MIT
#include "engine/deform/topology/topology.hpp"

#include <algorithm>
#include <utility>

#include "core/chunks.hpp"
#include "core/disjoint_sets.hpp"
#include "core/parallel.hpp"

namespace graze::engine::deform {

std::vector<Triangle> triangles_with_loose(const Mesh& mesh) {
  std::vector<Triangle> all(mesh.triangles().begin(), mesh.triangles().end());
  for (const auto& [a, b] : mesh.edges()) all.push_back({std::min(a, b), std::max(a, b), std::max(a, b)});
  for (const std::uint32_t p : mesh.points()) all.push_back({p, p, p});
  return all;
}

Topology::Topology(const Mesh& mesh, int threads)
    : mesh_(mesh),
      with_loose_(mesh.loose().empty() ? std::vector<Triangle>() : triangles_with_loose(mesh)),
      triangles_(mesh.loose().empty() ? mesh_.triangles() : with_loose_),
      first_(mesh.vertex_count() + 1, 0) {
  for (const Triangle& t : triangles_)
    for (std::size_t k = 0; k < 3; ++k)
      if (is_first_in_triangle(t, k)) ++first_[t[k] + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  around_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t t = 0; t < triangles_.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k)
      if (is_first_in_triangle(triangles_[t], k)) around_[next[triangles_[t][k]]++] = t;
  connect(threads);
  bits_.assign(triangles_.size(), 0);
  core::in_chunks(triangles_.size(), threads, [&](std::size_t t) { set_first_bits(static_cast<std::uint32_t>(t)); });
  numbers_.assign(vertex_count(), 0);
  rings_.assign(vertex_count(), ~std::uint64_t{0});
}

/// An edge is handled at its lower vertex: all triangles with the edge are incident to that vertex.
void Topology::connect(int threads) {
  // Edges of triangles with a repeated vertex stay irregular.
  across_.assign(3 * triangles_.size(), irregular);
  beyond_.assign(3 * triangles_.size(), irregular);
  constexpr std::size_t chunk = 1 << 12;
  core::parallel_for((vertex_count() + chunk - 1) / chunk, threads, [&](std::size_t c) {
    std::vector<EdgeEnd> ends;
    for (std::size_t v = c * chunk; v < std::min(vertex_count(), (c + 1) * chunk); ++v)
      connect_above(static_cast<std::uint32_t>(v), ends);
  });
}

void Topology::connect_above(std::uint32_t v, std::vector<EdgeEnd>& ends) {
  list_ends(v, ends);
  for (std::size_t i = 0, last = 0; i < ends.size(); i = last) {
    while (last < ends.size() && ends[last].to == ends[i].to) ++last;
    connect_at({ends.data() + i, last - i});
  }
}

/// The edges from a vertex to higher vertices, for every incident triangle: the higher vertex, the edge as 3 t + k, and
/// whether the triangle traverses it upwards. Sorted by the higher vertex.
void Topology::list_ends(std::uint32_t v, std::vector<EdgeEnd>& ends) const {
  ends.resize(2 * around(v).size());
  std::size_t n = 0;
  for (const std::uint32_t t : around(v)) {
    const Triangle& x = triangles_[t];
    const std::size_t k = corner_of(x, v), before = k == 0 ? 2 : k - 1;
    const std::uint32_t next = x[k == 2 ? 0 : k + 1], last = x[before];
    // Write both entries; an entry that is not counted is overwritten.
    ends[n] = {next, static_cast<std::uint32_t>(3 * t + k), last, true};
    n += next > v;
    ends[n] = {last, static_cast<std::uint32_t>(3 * t + before), next, false};
    n += last > v;
  }
  ends.resize(n);
  const auto lower = [](const EdgeEnd& a, const EdgeEnd& b) { return a.to < b.to; };
  constexpr std::size_t few = 32;
  if (n > few) return std::sort(ends.begin(), ends.end(), lower);
  for (std::size_t i = 1; i < n; ++i) {  // insertion sort: only a few entries
    const EdgeEnd e = ends[i];
    std::size_t j = i;
    for (; j > 0 && lower(e, ends[j - 1]); --j) ends[j] = ends[j - 1];
    ends[j] = e;
  }
}

/// Connects all triangles with one edge.
void Topology::connect_at(std::span<const EdgeEnd> ends) {
  const auto proper = [&](const EdgeEnd& e) {
    const Triangle& x = triangles_[e.side / 3];
    return x[0] != x[1] && x[1] != x[2] && x[2] != x[0];
  };
  for (const EdgeEnd& e : ends) across_[e.side] = beyond_[e.side] = irregular;
  if (ends.size() == 1 && proper(ends[0])) across_[ends[0].side] = beyond_[ends[0].side] = none;
  if (ends.size() != 2 || ends[0].leaves == ends[1].leaves || !proper(ends[0]) || !proper(ends[1])) return;
  for (std::size_t i = 0; i < 2; ++i) {
    across_[ends[i].side] = ends[1 - i].side / 3;
    beyond_[ends[i].side] = ends[1 - i].apex;
  }
}

void Topology::set_first_bits(std::uint32_t t) {
  const Triangle& x = triangles_[t];
  unsigned bits = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    if (is_first_in_triangle(x, k) && around(x[k])[0] == t) bits |= 1u << k;
    if (k >= edges_of(t)) continue;
    bool first = across(t, k) > t;
    if (across(t, k) == irregular) {
      const EdgeVertices e = edge_of(x, k);
      for (std::size_t l = 0; l < k; ++l) first &= edge_of(x, l) != e;
      const auto near = around_edge(e);
      first &= *std::find_if(near.begin(), near.end(), [&](std::uint32_t o) { return has_edge(o, e); }) == t;
    }
    if (first) bits |= 8u << k;
  }
  bits_[t] = static_cast<std::uint8_t>(bits);
}

/// Any number between 0 and 63 for a vertex is correct. Equal numbers for nearby vertices make the sets small.
std::uint8_t Topology::number_at(std::uint32_t v, std::span<const std::uint32_t> position) const {
  return around(v).empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(position[around(v)[0]] >> 5 & 63u);
}

std::uint64_t Topology::ring_of_vertex(std::uint32_t v) const {
  std::uint64_t set = 0;
  for (const std::uint32_t t : around(v))
    for (const std::uint32_t w : triangles_[t]) set |= std::uint64_t{1} << numbers_[w];
  return set;
}

void Topology::number_by(std::span<const std::uint32_t> position, int threads) {
  core::in_chunks(vertex_count(), threads,
                  [&](std::size_t v) { numbers_[v] = number_at(static_cast<std::uint32_t>(v), position); });
  core::in_chunks(vertex_count(), threads,
                  [&](std::size_t v) { rings_[v] = ring_of_vertex(static_cast<std::uint32_t>(v)); });
}

bool Topology::stands_for_vertex(std::uint32_t v, std::uint32_t t, std::uint32_t face) const {
  for (const std::uint32_t i : around(v))
    if (!adjacent(triangles_[i], triangles_[face])) return i == t;
  return false;
}

bool Topology::stand_for_edges(std::uint32_t a, std::size_t i, std::uint32_t b, std::size_t j) const {
  if (edge_of(triangles_[b], j) < edge_of(triangles_[a], i)) {
    std::swap(a, b);
    std::swap(i, j);
  }
  const std::uint32_t x = across(a, i), y = across(b, j);
  if (x == irregular || y == irregular)
    return stand_for_edges(edge_of(triangles_[a], i), a, edge_of(triangles_[b], j), b);
  const std::uint32_t at_a[2] = {std::min(a, x), std::max(a, x)}, at_b[2] = {std::min(b, y), std::max(b, y)};
  for (const std::uint32_t s : at_a)
    for (const std::uint32_t t : at_b)
      if (s != none && t != none && !adjacent(triangles_[s], triangles_[t])) return s == a && t == b;
  return false;
}

bool Topology::stand_for_edges(const EdgeVertices& e, std::uint32_t a, const EdgeVertices& f, std::uint32_t b) const {
  for (const std::uint32_t i : around_edge(e)) {
    if (!has_edge(i, e)) continue;
    for (const std::uint32_t j : around_edge(f))
      if (has_edge(j, f) && !adjacent(triangles_[i], triangles_[j])) return i == a && j == b;
  }
  return false;
}

bool Topology::all_adjacent(std::uint32_t a, std::size_t i, std::uint32_t b, std::size_t j) const {
  const std::uint32_t x = across(a, i), y = across(b, j);
  if (x != irregular && y != irregular) {
    const auto apart = [&](std::uint32_t s, std::uint32_t t) { return !adjacent(triangles_[s], triangles_[t]); };
    if (x != none && y != none && apart(x, y)) return false;  // the usual case
    return !(x != none && apart(x, b)) && !(y != none && apart(a, y)) && !apart(a, b);
  }
  bool all = true;
  at_edge(edge_of(triangles_[a], i), [&](std::uint32_t s) {
    at_edge(edge_of(triangles_[b], j), [&](std::uint32_t t) { all &= adjacent(triangles_[s], triangles_[t]); });
  });
  return all;
}

std::size_t Topology::bytes() const {
  return (first_.size() + around_.size() + across_.size() + beyond_.size()) * sizeof(std::uint32_t) + bits_.size() +
         numbers_.size() + rings_.size() * sizeof(std::uint64_t) + with_loose_.size() * sizeof(Triangle);
}

std::vector<std::uint32_t> pieces(const Mesh& mesh) {
  core::DisjointSets sets(mesh.vertex_count());
  for (const Triangle& t : mesh.triangles())
    for (std::size_t k = 1; k < 3; ++k) sets.unite(t[0], t[k]);
  for (const auto& [a, b] : mesh.edges()) sets.unite(a, b);
  return std::move(sets).roots();
}

}  // namespace graze::engine::deform
