// SPDX-License-Identifier: MIT
#include "engine/deform/topology/orphan_search.hpp"

#include <algorithm>
#include <limits>

namespace graze::engine::deform {

namespace {

bool all_adjacent(const Topology& topology, std::span<const std::uint32_t> around, std::uint32_t face) {
  const Triangle& y = topology.triangle(face);
  return std::all_of(around.begin(), around.end(), [&](std::uint32_t t) { return adjacent(topology.triangle(t), y); });
}

/// A triangle that contains a vertex twice marks it twice.
constexpr std::size_t most_marked = std::numeric_limits<std::uint8_t>::max() / 2;
/// Avoid iterating repeatedly over the triangles of vertices with more triangles than this.
constexpr std::size_t many_around = 32;

}  // namespace

HubTriangles::HubTriangles(const Topology& topology) {
  std::vector<bool> is_hub(topology.vertex_count());
  bool any = false;
  for (std::uint32_t v = 0; v < topology.vertex_count(); ++v)
    if (topology.around(v).size() > many) any = is_hub[v] = true;
  for (std::uint32_t t = 0; any && t < topology.triangle_count(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const EdgeVertices e = edge_of(topology.triangle(t), k);
      if (is_hub[e[0]] && is_hub[e[1]] && e[0] != e[1]) sorted_.push_back({e[0], e[1], t});
    }
  std::sort(sorted_.begin(), sorted_.end());
  sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());  // of a triangle with a vertex twice
}

std::span<const std::array<std::uint32_t, 3>> HubTriangles::at(std::uint32_t v, std::uint32_t w) const {
  using Entry = std::array<std::uint32_t, 3>;
  const Entry wanted{std::min(v, w), std::max(v, w), 0};
  const auto [first, last] =
      std::equal_range(sorted_.data(), sorted_.data() + sorted_.size(), wanted,
                       [](const Entry& a, const Entry& b) { return a[0] != b[0] ? a[0] < b[0] : a[1] < b[1]; });
  return {first, static_cast<std::size_t>(last - first)};
}

void OrphanSearch::at_vertex(std::uint32_t v) {
  const auto around = topology_.around(v);
  if (around.empty()) return;
  const bool marked = around.size() <= most_marked;
  if (!marked) return faces_of(v, around, false), plain_edges_across(v, around);
  for (const std::uint32_t t : around)
    for (const std::uint32_t w : topology_.triangle(t)) ++marks_[w];
  marks_[v] = 0;
  faces_of(v, around, true);
  plain_edges_across(v, around);
  for (const std::uint32_t t : around)
    for (const std::uint32_t w : topology_.triangle(t)) marks_[w] = 0;
}

/// Finds faces without v that share a vertex with every triangle incident to v. If the face's vertices are in m1, m2
/// and m3 of those triangles, it shares a vertex with at most m1 + m2 + m3 of them. If this is less than all, which is
/// the usual case, the face is rejected without further tests.
void OrphanSearch::faces_of(std::uint32_t v, std::span<const std::uint32_t> around, bool marked) {
  const std::uint32_t start = least_surrounded(v, around);
  const Triangle& x = topology_.triangle(start);
  for (std::size_t k = 0; k < 3; ++k) {
    if (x[k] == v) continue;
    near_faces(v, x[k], around, [&](std::uint32_t f) {
      const Triangle& y = topology_.triangle(f);
      const std::size_t met = std::size_t{marks_[y[0]]} + marks_[y[1]] + marks_[y[2]];
      if (marked && met < around.size()) return;
      bool before = has_vertex(y, v);  // not an orphan, or found at an earlier vertex
      for (std::size_t l = 0; l < k; ++l) before |= has_vertex(y, x[l]);
      if (!before && all_adjacent(topology_, around, f)) out_.push_back({{v, y[0], y[1], y[2]}, {around[0], f}, false});
    });
  }
}

/// Visits faces that contain w, once each: at least those without v that share a vertex with every triangle incident to
/// v. If w is a hub, these also contain a vertex of a triangle at v that does not contain w. If all contain w, every
/// face at w without v is an orphan.
template <class Visit>
void OrphanSearch::near_faces(std::uint32_t v, std::uint32_t w, std::span<const std::uint32_t> around,
                              Visit&& visit) const {
  const auto other = !is_hub(w) ? around.end() : std::find_if(around.begin(), around.end(), [&](std::uint32_t t) {
    return !has_vertex(topology_.triangle(t), w);
  });
  if (other == around.end()) {
    for (const std::uint32_t f : topology_.around(w)) visit(f);
    return;
  }
  const Triangle& z = topology_.triangle(*other);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto found = [&](std::uint32_t f) {
      for (std::size_t l = 0; l < k; ++l)
        if (z[l] != v && has_vertex(topology_.triangle(f), z[l])) return;  // visited before
      visit(f);
    };
    if (z[k] == v) continue;
    if (is_hub(z[k])) {
      for (const auto& entry : hubs_.at(w, z[k])) found(entry[2]);
      continue;
    }
    for (const std::uint32_t f : topology_.around(z[k]))
      if (has_vertex(topology_.triangle(f), w)) found(f);
  }
}

/// The search may start from any triangle incident to v. Avoid one with a vertex that thousands of triangles share, if
/// there is another.
std::uint32_t OrphanSearch::least_surrounded(std::uint32_t v, std::span<const std::uint32_t> around) const {
  std::uint32_t best = around[0];
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const std::uint32_t t : around) {
    std::size_t steps = 0;
    for (const std::uint32_t w : topology_.triangle(t)) steps += w == v ? 0 : topology_.around(w).size();
    if (steps < least) {
      least = steps;
      best = t;
    }
    if (least <= many_around) break;
  }
  return best;
}

/// Is there an edge between two vertices? Uses the marks, which are set for v if it has few enough triangles.
bool OrphanSearch::joined(std::uint32_t v, std::uint32_t w) const {
  if (topology_.around(v).size() <= most_marked) return marks_[w] != 0;
  if (is_hub(v) && is_hub(w)) return !hubs_.at(v, w).empty();
  const auto at_w = topology_.around(w), at_v = topology_.around(v);
  const bool less = at_w.size() < at_v.size();
  const auto list = less ? at_w : at_v;
  return std::any_of(list.begin(), list.end(),
                     [&](std::uint32_t t) { return has_vertex(topology_.triangle(t), less ? v : w); });
}

/// Let p, q be the vertices opposite edge e in its two triangles, and r, s those opposite g; both edges are plain. If
/// neither p nor q is on g and neither r nor s is on e, triangles of e and g can share only opposite vertices (p = r, p
/// = s and so on). This cannot hold for all four pairs of triangles, as p and q differ. So one edge contains an
/// opposite vertex of the other: let g = (p, x). If x = q, every triangle of one edge shares a vertex with every
/// triangle of the other. Otherwise each triangle of g must contain q or an end of e, to be adjacent to e's triangle
/// with q. They cannot both contain only q, as r and s differ. So one of them contains p and an end of e: it is the
/// neighbour across a side of e's triangle with p. The other contains p, x and q, so that p and q are joined by an
/// edge; or p, x and the other end of e, so that x is opposite both sides. If neither holds, which is the usual case,
/// there is nothing to find from p.
void OrphanSearch::plain_edges_across(std::uint32_t v, std::span<const std::uint32_t> around) {
  for (const std::uint32_t t : around) {
    const Triangle& x = topology_.triangle(t);
    const Side e{t, x[0] == v ? 1u : x[1] == v ? 2u : 0u};
    const std::uint32_t q = beyond(e);
    if (!Topology::is_triangle(q)) continue;
    const bool one_across = beyond({t, e.k == 2 ? 0 : e.k + 1}) == beyond({t, e.k == 0 ? 2 : e.k - 1});
    const bool near = joined(v, q);
    if ((!near && !one_across) || (near && q <= v) || !is_plain(e)) continue;
    from_apex(e);
    if (!near) continue;
    // p and q are joined by an edge: e is handled completely at the lower one.
    from_apex(other(e));
    for (const std::uint32_t f : around) {
      const Triangle& y = topology_.triangle(f);
      const EdgeVertices wanted{v, q};
      if (!has_vertex(y, q)) continue;
      add_plain_pair(e, {f, edge_of(y, 0) == wanted ? 0u : edge_of(y, 1) == wanted ? 1u : 2u});
      break;
    }
  }
}

/// The two edges from e's apex p to the vertices x opposite the sides of its triangle.
void OrphanSearch::from_apex(const Side& e) {
  std::uint32_t before = Topology::none;
  for (const std::size_t turn : {1, 2}) {
    const Side side{e.t, (e.k + turn) % 3};
    const std::uint32_t x = beyond(side);
    if (!Topology::is_triangle(x) || x == beyond(e) || x == before) continue;
    before = x;
    // The neighbouring triangle traverses the side in the opposite direction: from p to the end of e, or from there to
    // p; then to x.
    const Side u = other(side);
    add_plain_pair(e, {u.t, (u.k + 3 - turn) % 3});
  }
}

void OrphanSearch::at_edge(std::uint32_t t, std::size_t k) {
  if ((topology_.first_bits(t) >> 3 >> k & 1) && !is_plain({t, k})) any_edge({t, k});
}

OrphanSearch::Side OrphanSearch::other(const Side& s) const {
  const std::uint32_t o = topology_.across(s.t, s.k), to = topology_.triangle(s.t)[s.k == 2 ? 0 : s.k + 1];
  const Triangle& y = topology_.triangle(o);
  return {o, y[0] == to ? 0u : y[1] == to ? 1u : 2u};
}

OrphanSearch::Side OrphanSearch::first(const Side& s) const { return topology_.across(s.t, s.k) < s.t ? other(s) : s; }

/// The edge has two triangles with different opposite vertices, and each of their other edges has at most one more
/// triangle.
bool OrphanSearch::is_plain(const Side& s) const {
  if (!Topology::is_triangle(beyond(s)) || beyond(s) == apex(s)) return false;
  const auto sides_are = [&](const Side& e) {
    return topology_.across(e.t, e.k == 2 ? 0 : e.k + 1) != Topology::irregular &&
           topology_.across(e.t, e.k == 0 ? 2 : e.k - 1) != Topology::irregular;
  };
  return sides_are(s) && sides_are(other(s));
}

void OrphanSearch::add_plain_pair(const Side& e, const Side& g) {
  const EdgeVertices a = vertices(e), b = vertices(g);
  const std::uint32_t r = apex(g), s = beyond(g);
  if (!Topology::is_triangle(s) || share_vertex(a, b)) return;
  if (!topology_.all_adjacent(e.t, e.k, g.t, g.k) || !is_plain(g)) return;  // other edges: see `any_edge`
  const bool met_from_g = r == a[0] || r == a[1] || s == a[0] || s == a[1];
  if (!met_from_g || a < b) add_pair(first(e), first(g));
}

void OrphanSearch::add_pair(const Side& e, const Side& g) {
  const EdgeVertices a = vertices(e), b = vertices(g);
  if (a < b)
    out_.push_back({{a[0], a[1], b[0], b[1]}, {e.t, g.t}, true});
  else
    out_.push_back({{b[0], b[1], a[0], a[1]}, {g.t, e.t}, true});
}

/// Pairs an edge that is not plain with all plain edges, and with other edges of later triangles.
void OrphanSearch::any_edge(const Side& s) {
  const std::uint32_t t = s.t;
  const EdgeVertices e = vertices(s);
  const std::uint32_t p = apex(s), q = beyond(s);
  const bool both = Topology::is_triangle(q);
  const auto with = [&](std::uint32_t f, std::size_t l) {
    if (share_vertex(e, vertices({f, l})) || !(topology_.first_bits(f) >> 3 >> l & 1)) return;
    if (topology_.all_adjacent(t, s.k, f, l) && (f > t || is_plain({f, l}))) add_pair(s, {f, l});
  };
  // In a triangle with an end of the edge, only the edge opposite that end does not contain it.
  for (std::size_t i = 0; i < 2; ++i)
    for (const std::uint32_t f : topology_.around(e[i])) {
      const Triangle& y = topology_.triangle(f);
      if (f == t || (i == 1 && has_vertex(y, e[0]))) continue;
      with(f, y[0] == e[i] ? 1 : y[1] == e[i] ? 2 : 0);
    }
  // Other triangles must contain both opposite vertices.
  for (const std::uint32_t f : topology_.around(p)) {
    const Triangle& y = topology_.triangle(f);
    if (f == t || has_vertex(y, e[0]) || has_vertex(y, e[1]) || (both && !has_vertex(y, q))) continue;
    for (std::size_t l = 0; l < 3; ++l) with(f, l);
  }
}

}  // namespace graze::engine::deform
