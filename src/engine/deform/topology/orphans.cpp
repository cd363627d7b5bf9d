// SPDX-License-Identifier: MIT
#include "engine/deform/topology/orphans.hpp"

#include <algorithm>
#include <atomic>

#include "core/limits.hpp"
#include "core/parallel.hpp"
#include "engine/deform/topology/orphan_search.hpp"

namespace graze::engine::deform {

namespace {

bool all_adjacent(const Topology& topology, std::uint32_t v, std::uint32_t face) {
  const auto around = topology.around(v);
  for (std::size_t i = around.size(); i-- > 0;)  // the first usually is, as the face was found there
    if (!adjacent(topology.triangle(around[i]), topology.triangle(face))) return false;
  return true;
}

}  // namespace

Orphans::Orphans(const Topology& topology, int threads) {
  // Each part has marks for all vertices, so their number is limited.
  constexpr std::size_t most_parts = 32, least_size = 1 << 12;
  const std::size_t vertices = topology.vertex_count(), triangles = topology.triangle_count();
  const std::size_t parts = std::clamp<std::size_t>(std::max(vertices, triangles) / least_size, 1, most_parts);
  std::vector<std::vector<Orphan>> found(parts);
  const HubTriangles hubs(topology);
  // The search stops early if and only if there are too many orphans. So whether it does is independent of the threads.
  std::atomic<std::size_t> sum{0};
  core::parallel_for(parts, threads, [&](std::size_t i) {
    OrphanSearch search(topology, hubs, found[i]);
    std::size_t counted = 0;
    core::Poll poll;
    const auto go_on = [&] {
      poll.rarely();
      const std::size_t more = found[i].size() - counted;
      counted += more;
      return (more == 0 ? sum.load() : sum += more) <= most(topology);
    };
    for (std::size_t v = i * vertices / parts; v < (i + 1) * vertices / parts && go_on(); ++v)
      search.at_vertex(static_cast<std::uint32_t>(v));
    for (std::size_t t = i * triangles / parts; t < (i + 1) * triangles / parts && go_on(); ++t)
      for (std::size_t k = 0; k < 3; ++k) search.at_edge(static_cast<std::uint32_t>(t), k);
    go_on();
  });
  too_many_ = sum > most(topology);
  for (const auto& f : found)
    if (!too_many_) all_.insert(all_.end(), f.begin(), f.end());
  // The number of pairs that `repair` would visit if everything were touched: at every vertex all pairs of different
  // triangles, pairs that share an edge only once; and each triangle with itself.
  for (std::uint32_t v = 0; v < vertices; ++v) {
    const std::size_t n = topology.around(v).size();
    updated_ += n == 0 ? 0 : n * (n - 1);
  }
  for (std::uint32_t t = 0; t < triangles; ++t) {
    ++updated_;
    for (std::size_t k = 0; k < 3; ++k) updated_ -= Topology::is_triangle(topology.across(t, k));
  }
}

/// Calls `add_with` for every triangle adjacent to `t`. The first triangles of the two features of an orphan are
/// adjacent, as all their triangles are. So every orphan is found exactly once.
void Orphans::add_of(const Topology& topology, std::uint32_t t) {
  const Triangle& x = topology.triangle(t);
  for (std::size_t k = 0; k < 3; ++k)
    for (const std::uint32_t f : topology.around(x[k])) {
      bool before = false;  // found at an earlier vertex
      for (std::size_t l = 0; l < k; ++l) before |= has_vertex(topology.triangle(f), x[l]);
      if (before) continue;
      ++updated_;
      add_with(topology, t, f);
    }
}

void Orphans::repair(const Topology& topology, const Touched& touched) {
  // A touched fan is touched as a whole, and the number of pairs visited below grows with its square.
  std::size_t to_look_at = 0;
  for (const std::uint32_t t : touched.triangles)
    for (std::size_t k = 0; k < 3; ++k) to_look_at += topology.around(topology.triangle(t)[k]).size();
  if (too_many_ || to_look_at > most(topology)) {
    *this = Orphans(topology);
    return;
  }
  const auto has_touched = [&](const Orphan& o) {
    for (const std::uint32_t v : o.vertices)
      if (touched.is_vertex[v]) return true;
    return false;
  };
  // At an untouched vertex neither the triangles nor their adjacency have changed: a pair without touched vertices is
  // an orphan now if and only if it was one before. For a pair with a touched vertex, the triangles of that feature are
  // among the touched.
  std::erase_if(all_, has_touched);
  const auto kept = static_cast<std::ptrdiff_t>(all_.size());
  updated_ = 0;
  for (const std::uint32_t t : touched.triangles) {
    add_of(topology, t);
    const Triangle& x = topology.triangle(t);
    for (std::size_t k = 0; k < 3; ++k)  // and the reverse pairs
      for (const std::uint32_t f : topology.around(x[k])) {
        bool before = touched.is_triangle[f];
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
  // An edge cannot be an orphan with any edge of `b` if its other triangle is not adjacent to `b`.
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

}  // namespace graze::engine::deform
