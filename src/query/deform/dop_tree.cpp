// SPDX-License-Identifier: MIT
#include "query/deform/dop_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "query/deform/tree_branches.hpp"

namespace graze::query {

namespace {

void along(const Vec3& x, float* first_eight, float& ninth) {
  const double v[8] = {x.x, x.y, x.z, x.x + x.y, x.x + x.z, x.y + x.z, x.x - x.y, x.x - x.z};
  for (int k = 0; k < 8; ++k) first_eight[k] = static_cast<float>(v[k]);
  ninth = static_cast<float>(x.y - x.z);
}

void add(Dop& d, const VertexProjection& p) {
  for (int e = 0; e < 2; ++e) {
    for (int k = 0; k < 8; ++k) {
      d.lo[e][k] = std::min(d.lo[e][k], p.at[e][k]);
      d.hi[e][k] = std::max(d.hi[e][k], p.at[e][k]);
    }
    d.ninth[e] = std::min(d.ninth[e], p.ninth[e]);
    d.ninth[2 + e] = std::min(d.ninth[2 + e], -p.ninth[e]);
  }
}

void unite(const Dop& a, const Dop& b, Dop& d) {
  for (int e = 0; e < 2; ++e)
    for (int k = 0; k < 8; ++k) {
      d.lo[e][k] = std::min(a.lo[e][k], b.lo[e][k]);
      d.hi[e][k] = std::max(a.hi[e][k], b.hi[e][k]);
    }
  for (int k = 0; k < 4; ++k) d.ninth[k] = std::min(a.ninth[k], b.ninth[k]);
}

/// One volume for the whole step: both ends the same.
void sweep(Dop& d) {
  for (int k = 0; k < 8; ++k) {
    d.lo[0][k] = d.lo[1][k] = std::min(d.lo[0][k], d.lo[1][k]);
    d.hi[0][k] = d.hi[1][k] = std::max(d.hi[0][k], d.hi[1][k]);
  }
  d.ninth[0] = d.ninth[1] = std::min(d.ninth[0], d.ninth[1]);
  d.ninth[2] = d.ninth[3] = std::min(d.ninth[2], d.ninth[3]);
}

/// Least and greatest do not depend on the order in which they are found. `chunks` is what to work with.
StepExtent extent_of(const MovingVertices& at, int threads, std::vector<StepExtent>& chunks) {
  constexpr std::size_t chunk = 1 << 12;
  chunks.assign((at.start.size() + chunk - 1) / chunk, {});
  core::parallel_for(chunks.size(), threads, [&](std::size_t c) {
    StepExtent& e = chunks[c];
    for (std::size_t v = c * chunk; v < std::min(at.start.size(), (c + 1) * chunk); ++v) {
      e.box.add(at.start[v]);
      e.box.add(at.end[v]);
      const Vec3 d = at.end[v] - at.start[v];
      e.way = std::max({e.way, std::fabs(d.x), std::fabs(d.y), std::fabs(d.z)});
    }
  });
  StepExtent all;
  for (const StepExtent& e : chunks) {
    all.box.add(e.box);
    all.way = std::max(all.way, e.way);
  }
  return all;
}

}  // namespace

core::LargeVector<bvh::BoxF> sweep_boxes(const Topology& topology, const MovingVertices& at, int threads) {
  std::vector<StepExtent> chunks;
  const Box3 all = extent_of(at, threads, chunks).box;
  const Vec3 centre = all.lo * 0.5 + all.hi * 0.5;
  core::LargeVector<bvh::BoxF> boxes(topology.triangle_count());
  in_chunks(boxes.size(), threads, [&](std::size_t t) {
    Box3 b;
    for (const std::uint32_t v : topology.triangle(static_cast<std::uint32_t>(t))) {
      b.add(at.start[v] - centre);
      b.add(at.end[v] - centre);
    }
    for (int k = 0; k < 3; ++k) {
      boxes[t].lo[k] = static_cast<float>(b.lo[k]);
      boxes[t].hi[k] = static_cast<float>(b.hi[k]);
    }
  });
  return boxes;
}

void DopTree::project(const MovingVertices& at, double margin, int threads) {
  const auto [box, way] = extent_of(at, threads, chunks_);
  const Vec3 centre = (box.lo + box.hi) * 0.5;
  const double size = std::max({box.hi.x - box.lo.x, box.hi.y - box.lo.y, box.hi.z - box.lo.z});
  // A projection is at most 1.01 size (two coordinates of half of it), rounded in double and once to float: off by less
  // than 2^-23 size. The diagonal directions are sqrt 2 long, so a margin counts that much more there.
  slack_ = static_cast<float>(1.001 * (0x1p-23 * size + 0.5 * 1.4143 * margin)) + 1e-37f;
  longest_way_ = static_cast<float>(1.001 * way) + 1e-37f;
  projections_.resize(at.start.size());
  in_chunks(at.start.size(), threads, [&](std::size_t v) {
    VertexProjection& p = projections_[v];
    along(at.start[v] - centre, p.at[0], p.ninth[0]);
    along(at.end[v] - centre, p.at[1], p.ninth[1]);
  });
}

void DopTree::refit(const Topology& topology, const PatchTree& tree, const MovingVertices& at, double margin,
                    bool swept, int threads) {
  project(at, margin, threads);
  dops_.resize(tree.nodes.size());
  bottom_up(tree, threads, [&](std::uint32_t i) {
    const PatchNode& node = tree.nodes[i];
    Dop& d = dops_[i];
    if (!node.is_leaf()) return unite(dops_[node.child], dops_[node.child + 1], d);
    std::fill_n(&d.lo[0][0], 16, std::numeric_limits<float>::max());
    std::fill_n(&d.hi[0][0], 16, -std::numeric_limits<float>::max());
    std::fill_n(d.ninth, 4, std::numeric_limits<float>::max());
    for (std::uint32_t k = node.begin; k < node.end; ++k)
      for (const std::uint32_t v : topology.triangle(tree.items[k])) add(d, projections_[v]);
    if (swept) sweep(d);
  });
}

}  // namespace graze::query
