// SPDX-License-Identifier: MIT
#include "query/deform/dop_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <graze/math/box3.hpp>

#include "query/deform/chunks.hpp"

namespace graze::query {

namespace {

void along(const Vec3& x, float* out) {
  const double v[dop_directions] = {x.x, x.y, x.z, x.x + x.y, x.x + x.z, x.y + x.z, x.x - x.y, x.x - x.z, x.y - x.z};
  for (int k = 0; k < dop_directions; ++k) out[k] = static_cast<float>(v[k]);
}

Box3 box_of(const MovingVertices& at) {
  Box3 box;
  for (const Vec3& x : at.start) box.add(x);
  for (const Vec3& x : at.end) box.add(x);
  return box;
}

}  // namespace

std::vector<bvh::BoxF> sweep_boxes(const Topology& topology, const MovingVertices& at, int threads) {
  const Box3 all = box_of(at);
  const Vec3 centre = all.lo * 0.5 + all.hi * 0.5;
  std::vector<bvh::BoxF> boxes(topology.triangle_count());
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
  const Box3 box = box_of(at);
  const Vec3 centre = (box.lo + box.hi) * 0.5;
  const double size = std::max({box.hi.x - box.lo.x, box.hi.y - box.lo.y, box.hi.z - box.lo.z});
  // A projection is at most 1.01 size (two coordinates of half of it), rounded in double and once to float: off by less
  // than 2^-23 size. The diagonal directions are sqrt 2 long, so a margin counts that much more there.
  slack_ = static_cast<float>(1.001 * (0x1p-23 * size + 0.5 * 1.4143 * margin)) + 1e-37f;
  projections_.resize(at.start.size() * 2 * dop_directions + 8);
  in_chunks(at.start.size(), threads, [&](std::size_t v) {
    float* p = projections_.data() + v * 2 * dop_directions;
    along(at.start[v] - centre, p);
    along(at.end[v] - centre, p + dop_directions);
  });
}

void DopTree::refit(const Topology& topology, const PatchTree& tree, const MovingVertices& at, double margin,
                    bool swept, int threads) {
  project(at, margin, threads);
  dops_.resize(tree.nodes.size());
  const auto leaf = [&](std::size_t i) {
    const PatchNode& node = tree.nodes[i];
    Dop& d = dops_[i];
    std::fill_n(&d.lo[0][0], 2 * dop_directions, std::numeric_limits<float>::max());
    std::fill_n(&d.hi[0][0], 2 * dop_directions, -std::numeric_limits<float>::max());
    for (std::uint32_t k = node.begin; k < node.end; ++k)
      for (const std::uint32_t v : topology.triangle(tree.items[k])) {
        const float* p = projections(v, 0);  // both ends, one after the other, as in the bounds
        for (int a = 0; a < 2 * dop_directions; ++a) {
          (&d.lo[0][0])[a] = std::min((&d.lo[0][0])[a], p[a]);
          (&d.hi[0][0])[a] = std::max((&d.hi[0][0])[a], p[a]);
        }
      }
    if (!swept) return;
    // One volume for the whole step: both ends the same.
    for (int a = 0; a < dop_directions; ++a) {
      d.lo[0][a] = d.lo[1][a] = std::min(d.lo[0][a], d.lo[1][a]);
      d.hi[0][a] = d.hi[1][a] = std::max(d.hi[0][a], d.hi[1][a]);
    }
  };
  in_chunks(tree.nodes.size(), threads, [&](std::size_t i) {
    if (tree.nodes[i].is_leaf()) leaf(i);
  });
  // Children stand after their parents.
  for (std::size_t i = tree.nodes.size(); i-- > 0;) {
    const PatchNode& node = tree.nodes[i];
    if (node.is_leaf()) continue;
    const Dop &l = dops_[node.child], &r = dops_[node.child + 1];
    Dop& d = dops_[i];
    for (int a = 0; a < 2 * dop_directions; ++a) {
      (&d.lo[0][0])[a] = std::min((&l.lo[0][0])[a], (&r.lo[0][0])[a]);
      (&d.hi[0][0])[a] = std::max((&l.hi[0][0])[a], (&r.hi[0][0])[a]);
    }
  }
}

}  // namespace graze::query
