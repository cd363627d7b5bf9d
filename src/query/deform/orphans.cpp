// SPDX-License-Identifier: MIT
#include "query/deform/orphans.hpp"

#include <algorithm>

#include "core/parallel.hpp"

namespace graze::query {

namespace {

bool all_adjacent(const Topology& topology, std::uint32_t v, std::uint32_t face) {
  const auto around = topology.around(v);
  for (std::size_t i = around.size(); i-- > 0;)  // the first mostly is: it is where the face was found
    if (!adjacent(topology.triangle(around[i]), topology.triangle(face))) return false;
  return true;
}

}  // namespace

Orphans::Orphans(const Topology& topology, int threads) {
  constexpr std::size_t chunk = 1 << 12;
  const std::size_t vertices = topology.vertex_count(), triangles = topology.triangle_count();
  std::vector<Orphans> parts((std::max(vertices, triangles) + chunk - 1) / chunk, Orphans());
  core::parallel_for(parts.size(), threads, [&](std::size_t c) {
    for (std::size_t v = c * chunk; v < std::min(vertices, (c + 1) * chunk); ++v)
      parts[c].add_with_vertex(topology, static_cast<std::uint32_t>(v));
    for (std::size_t t = c * chunk; t < std::min(triangles, (c + 1) * chunk); ++t)
      for (std::size_t k = 0; k < 3; ++k) parts[c].add_with_edge(topology, static_cast<std::uint32_t>(t), k);
  });
  for (const Orphans& p : parts) {
    all_.insert(all_.end(), p.all_.begin(), p.all_.end());
    updated_ += p.updated_;
  }
}

/// All faces that are orphans with a vertex: adjacent to the first triangle around it, and to all others.
void Orphans::add_with_vertex(const Topology& topology, std::uint32_t v) {
  const auto around = topology.around(v);
  if (around.empty()) return;
  const Triangle& x = topology.triangle(around[0]);
  for (std::size_t k = 0; k < 3; ++k) {
    if (x[k] == v) continue;
    for (const std::uint32_t f : topology.around(x[k])) {
      const Triangle& y = topology.triangle(f);
      bool before = has_vertex(y, v);  // no orphan; or met at an earlier corner
      for (std::size_t l = 0; l < k; ++l) before |= has_vertex(y, x[l]);
      if (before) continue;
      ++updated_;
      if (all_adjacent(topology, v, f)) all_.push_back({{v, y[0], y[1], y[2]}, {around[0], f}, false});
    }
  }
}

/// All edges of later triangles that are orphans with one that `t` is the first to have.
void Orphans::add_with_edge(const Topology& topology, std::uint32_t t, std::size_t k) {
  if (!(topology.first_bits(t) >> 3 >> k & 1)) return;
  const Triangle& x = topology.triangle(t);
  const EdgeVertices e = edge_of(x, k);
  const std::uint32_t p = x[k == 0 ? 2 : k - 1], q = topology.beyond(t, k);
  const bool both = Topology::is_triangle(topology.across(t, k));
  // Adjacent to both triangles of the edge: it has an end of the edge, or both corners beyond it.
  const auto touches = [&](const Triangle& y) {
    return has_vertex(y, e[0]) || has_vertex(y, e[1]) || (has_vertex(y, p) && (!both || has_vertex(y, q)));
  };
  const auto with = [&](std::uint32_t f, std::size_t l) {
    const Triangle& y = topology.triangle(f);
    const EdgeVertices g = edge_of(y, l);
    ++updated_;
    if (share_vertex(e, g) || !(topology.first_bits(f) >> 3 >> l & 1)) return;
    if (Topology::is_triangle(topology.across(f, l)) && !touches({g[0], g[1], topology.beyond(f, l)})) return;
    if (!topology.all_adjacent(t, k, f, l)) return;
    if (e < g)
      all_.push_back({{e[0], e[1], g[0], g[1]}, {t, f}, true});
    else
      all_.push_back({{g[0], g[1], e[0], e[1]}, {f, t}, true});
  };
  // Of a triangle with an end of the edge, only what is across from that end has none of it. The triangle beyond that
  // again touches both triangles of the edge only if it has an end of it, or if a corner beyond it is on what they
  // share.
  for (std::size_t i = 0; i < 2; ++i)
    for (const std::uint32_t f : topology.around(e[i])) {
      if (f <= t) continue;
      const Triangle& y = topology.triangle(f);
      const std::size_t l = y[0] == e[i] ? 1 : y[1] == e[i] ? 2 : 0;
      const std::uint32_t c = y[l], d = y[l == 2 ? 0 : l + 1], r = topology.beyond(f, l);
      // A sum instead of `&&`: six branches that nobody can foresee cost more.
      const bool far = (c == p) + (c == q) + (d == p) + (d == q) + (r == e[0]) + (r == e[1]) == 0;
      if (both && Topology::is_triangle(r) && far) continue;
      if (!(i == 1 && has_vertex(y, e[0]))) with(f, l);
    }
  for (const std::uint32_t f : topology.around(p)) {
    const Triangle& y = topology.triangle(f);
    if (f <= t || has_vertex(y, e[0]) || has_vertex(y, e[1]) || (both && !has_vertex(y, q))) continue;
    for (std::size_t l = 0; l < 3; ++l) with(f, l);
  }
}

/// Calls `add_with` for every triangle around `t`. The triangles that first have the two features of an orphan are
/// adjacent, as all of theirs are, so that every orphan is met, and met once.
void Orphans::add_of(const Topology& topology, std::uint32_t t) {
  const Triangle& x = topology.triangle(t);
  for (std::size_t k = 0; k < 3; ++k)
    for (const std::uint32_t f : topology.around(x[k])) {
      bool before = false;  // met at an earlier corner
      for (std::size_t l = 0; l < k; ++l) before |= has_vertex(topology.triangle(f), x[l]);
      if (before) continue;
      ++updated_;
      add_with(topology, t, f);
    }
}

void Orphans::mend(const Topology& topology, const Touched& touched) {
  const auto has_touched = [&](const Orphan& o) {
    for (const std::uint32_t v : o.vertices)
      if (touched.vertices[v]) return true;
    return false;
  };
  // Around a vertex that is not touched no triangle has changed, nor whom it is adjacent to: what has no touched vertex
  // is an orphan now if it was one before. What has one has its feature's triangles among the touched.
  std::erase_if(all_, has_touched);
  const auto kept = static_cast<std::ptrdiff_t>(all_.size());
  updated_ = 0;
  for (std::uint32_t t = 0; t < topology.triangle_count(); ++t) {
    if (!touched.triangles[t]) continue;
    add_of(topology, t);
    const Triangle& x = topology.triangle(t);
    for (std::size_t k = 0; k < 3; ++k)  // and seen from the other side
      for (const std::uint32_t f : topology.around(x[k])) {
        bool before = touched.triangles[f];
        for (std::size_t l = 0; l < k; ++l) before |= has_vertex(topology.triangle(f), x[l]);
        if (before) continue;
        ++updated_;
        add_with(topology, f, t);
      }
  }
  all_.erase(std::remove_if(all_.begin() + kept, all_.end(), [&](const Orphan& o) { return !has_touched(o); }),
             all_.end());
}

void Orphans::add_with(const Topology& topology, std::uint32_t t, std::uint32_t f) {
  const Triangle &x = topology.triangle(t), &y = topology.triangle(f);
  const unsigned bits = topology.first_bits(t);
  for (std::size_t k = 0; k < 3; ++k)
    if ((bits >> k & 1) && !has_vertex(y, x[k]) && all_adjacent(topology, x[k], f))
      all_.push_back({{x[k], y[0], y[1], y[2]}, {t, f}, false});
  if (f < t) return;
  // An edge whose other triangle is not adjacent to the one across is no orphan with any edge there.
  const auto open = [&](std::uint32_t a, std::uint32_t b) {
    unsigned edges = topology.first_bits(a) >> 3;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t other = topology.across(a, k);
      if ((edges >> k & 1) && Topology::is_triangle(other) && !adjacent(topology.triangle(other), topology.triangle(b)))
        edges &= ~(1u << k);
    }
    return edges;
  };
  const unsigned of_t = open(t, f), of_f = of_t == 0 ? 0 : open(f, t);
  if (of_f == 0) return;
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t l = f == t ? k + 1 : 0; (of_t >> k & 1) && l < 3; ++l) {
      const EdgeVertices e = edge_of(x, k), g = edge_of(y, l);
      if (!(of_f >> l & 1) || share_vertex(e, g) || !topology.all_adjacent(t, k, f, l)) continue;
      if (e < g)
        all_.push_back({{e[0], e[1], g[0], g[1]}, {t, f}, true});
      else
        all_.push_back({{g[0], g[1], e[0], e[1]}, {f, t}, true});
    }
}

}  // namespace graze::query
