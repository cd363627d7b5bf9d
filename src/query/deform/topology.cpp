// SPDX-License-Identifier: MIT
#include "query/deform/topology.hpp"

#include <algorithm>
#include <numeric>

namespace graze::query {

namespace {

bool is_first_in_triangle(const Triangle& t, std::size_t k) {
  return k == 0 || (t[k] != t[0] && (k == 1 || t[2] != t[1]));
}

}  // namespace

Topology::Topology(const Mesh& mesh) : mesh_(mesh), triangles_(mesh_.triangles()), first_(mesh.vertex_count() + 1, 0) {
  for (const Triangle& t : triangles_)
    for (std::size_t k = 0; k < 3; ++k)
      if (is_first_in_triangle(t, k)) ++first_[t[k] + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  around_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t t = 0; t < triangles_.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k)
      if (is_first_in_triangle(triangles_[t], k)) around_[next[triangles_[t][k]]++] = t;
  connect();
  set_first_bits();
  rings_.assign(vertex_count(), ~std::uint64_t{0});
}

void Topology::connect() {
  constexpr std::uint32_t unknown = 0xfffffffdu;
  across_.assign(3 * triangles_.size(), unknown);
  beyond_.resize(3 * triangles_.size());
  for (std::uint32_t t = 0; t < triangles_.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t at = 3 * std::size_t{t} + k;
      if (across_[at] != unknown) continue;
      across_[at] = beyond_[at] = find_across(t, k);
      if (!is_triangle(across_[at])) continue;
      // Seen from the other side it is the same: two triangles have the edge, and walk it in opposite directions.
      const Triangle &x = triangles_[t], &y = triangles_[across_[at]];
      const std::uint32_t to = x[k == 2 ? 0 : k + 1];
      const std::size_t l = y[0] == to ? 0 : y[1] == to ? 1 : 2, other = 3 * std::size_t{across_[at]} + l;
      beyond_[at] = y[l == 0 ? 2 : l - 1];
      across_[other] = t;
      beyond_[other] = x[k == 0 ? 2 : k - 1];
    }
}

void Topology::set_first_bits() {
  bits_.assign(triangles_.size(), 0);
  for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
    const Triangle& x = triangles_[t];
    unsigned bits = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      if (is_first_in_triangle(x, k) && around(x[k])[0] == t) bits |= 1u << k;
      bool first = across(t, k) > t;
      if (across(t, k) == irregular) {
        const EdgeVertices e = edge_of(x, k);
        for (std::size_t l = 0; l < k; ++l) first &= edge_of(x, l) != e;
        at_edge(e, [&](std::uint32_t other) { first &= other >= t; });
      }
      if (first) bits |= 8u << k;
    }
    bits_[t] = static_cast<std::uint8_t>(bits);
  }
}

void Topology::number_by(std::span<const std::uint32_t> position) {
  // Any number between 0 and 63 for a vertex is right; near ones with the same number make small sets.
  const auto number = [&](std::uint32_t v) { return position[around(v)[0]] >> 5 & 63u; };
  std::vector<std::uint64_t> own(triangles_.size());
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    own[t] = 0;
    for (const std::uint32_t v : triangles_[t]) own[t] |= std::uint64_t{1} << number(v);
  }
  for (std::uint32_t v = 0; v < vertex_count(); ++v) {
    rings_[v] = 0;
    for (const std::uint32_t t : around(v)) rings_[v] |= own[t];
  }
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
  for (const std::uint32_t i : around(e[0])) {
    if (!has_edge(triangles_[i], e)) continue;
    for (const std::uint32_t j : around(f[0]))
      if (has_edge(triangles_[j], f) && !adjacent(triangles_[i], triangles_[j])) return i == a && j == b;
  }
  return false;
}

bool Topology::all_adjacent(std::uint32_t a, std::size_t i, std::uint32_t b, std::size_t j) const {
  const std::uint32_t x = across(a, i), y = across(b, j);
  if (x != irregular && y != irregular) {
    const auto apart = [&](std::uint32_t s, std::uint32_t t) { return !adjacent(triangles_[s], triangles_[t]); };
    if (x != none && y != none && apart(x, y)) return false;  // mostly
    return !(x != none && apart(x, b)) && !(y != none && apart(a, y)) && !apart(a, b);
  }
  bool all = true;
  at_edge(edge_of(triangles_[a], i), [&](std::uint32_t s) {
    at_edge(edge_of(triangles_[b], j), [&](std::uint32_t t) { all &= adjacent(triangles_[s], triangles_[t]); });
  });
  return all;
}

std::uint32_t Topology::find_across(std::uint32_t t, std::size_t k) const {
  const Triangle& x = triangles_[t];
  const std::uint32_t from = x[k], to = x[k == 2 ? 0 : k + 1];
  if (x[0] == x[1] || x[1] == x[2] || x[2] == x[0]) return irregular;
  std::uint32_t found = none;
  for (const std::uint32_t i : around(from)) {
    const Triangle& y = triangles_[i];
    if (i == t || !has_vertex(y, to)) continue;
    const bool opposite = (y[0] == to && y[1] == from) || (y[1] == to && y[2] == from) || (y[2] == to && y[0] == from);
    const bool proper = y[0] != y[1] && y[1] != y[2] && y[2] != y[0];
    if (found != none || !opposite || !proper) return irregular;
    found = i;
  }
  return found;
}

std::size_t Topology::bytes() const {
  return (first_.size() + around_.size() + across_.size() + beyond_.size()) * sizeof(std::uint32_t) + bits_.size() +
         rings_.size() * sizeof(std::uint64_t);
}

std::vector<std::uint32_t> pieces(const Mesh& mesh) {
  std::vector<std::uint32_t> parent(mesh.vertex_count());
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](std::uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const Triangle& t : mesh.triangles())
    for (std::size_t k = 1; k < 3; ++k) {
      const std::uint32_t a = root(t[0]), b = root(t[k]);
      parent[std::max(a, b)] = std::min(a, b);
    }
  for (std::uint32_t v = 0; v < parent.size(); ++v) parent[v] = root(v);
  return parent;
}

}  // namespace graze::query
