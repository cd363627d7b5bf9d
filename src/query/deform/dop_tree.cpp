// SPDX-License-Identifier: MIT
#include "query/deform/dop_tree.hpp"

#include <algorithm>
#include <cmath>

#include "bvh/box_f.hpp"
#include "core/parallel.hpp"

namespace graze::query {

namespace {

void along(const Vec3& x, float* out) {
  const double v[dop_directions] = {x.x, x.y, x.z, x.x + x.y, x.x + x.z, x.y + x.z, x.x - x.y, x.x - x.z, x.y - x.z};
  for (int k = 0; k < dop_directions; ++k) out[k] = static_cast<float>(v[k]);
}

constexpr std::size_t chunk = 1 << 12;
template <class Body>
void in_chunks(std::size_t n, int threads, Body&& body) {
  core::parallel_for((n + chunk - 1) / chunk, threads, [&](std::size_t c) {
    for (std::size_t i = c * chunk; i < std::min(n, (c + 1) * chunk); ++i) body(i);
  });
}

}  // namespace

DopTree::DopTree(const Mesh& mesh, std::span<const Vec3> start, std::span<const Vec3> end, int threads) : mesh_(mesh) {
  const std::span<const Triangle> triangles = mesh.triangles();
  Box3 box;
  for (const Vec3& x : start) box.add(x);
  const Vec3 centre = (box.lo + box.hi) * 0.5;
  std::vector<bvh::BoxF> boxes(triangles.size());
  in_chunks(triangles.size(), threads, [&](std::size_t t) {
    Box3 b;
    for (const std::uint32_t v : triangles[t]) {
      b.add(start[v] - centre);
      b.add(end[v] - centre);
    }
    for (int k = 0; k < 3; ++k) {
      boxes[t].lo[k] = static_cast<float>(b.lo[k]);
      boxes[t].hi[k] = static_cast<float>(b.hi[k]);
    }
  });
  tree_ = bvh::build(boxes, {.max_leaf_size = 2, .threads = threads});
  dops_.resize(tree_.nodes.size());
  projections_.resize(start.size() * 2 * dop_directions + 8);
}

void DopTree::project(std::span<const Vec3> start, std::span<const Vec3> end, double margin, int threads) {
  Box3 box;
  for (const Vec3& x : start) box.add(x);
  for (const Vec3& x : end) box.add(x);
  const Vec3 centre = (box.lo + box.hi) * 0.5;
  const double size = std::max({box.hi.x - box.lo.x, box.hi.y - box.lo.y, box.hi.z - box.lo.z});
  // A projection is at most 1.01 size (two coordinates of half of it), rounded in double and once to float: off by less
  // than 2^-23 size. The diagonal directions are sqrt 2 long, so a margin counts that much more there.
  slack_ = static_cast<float>(1.001 * (0x1p-23 * size + 0.5 * 1.4143 * margin)) + 1e-37f;
  in_chunks(start.size(), threads, [&](std::size_t v) {
    float* p = projections_.data() + v * 2 * dop_directions;
    along(start[v] - centre, p);
    along(end[v] - centre, p + dop_directions);
  });
}

void DopTree::refit(std::span<const Vec3> start, std::span<const Vec3> end, double margin, bool swept, int threads) {
  project(start, end, margin, threads);
  const std::span<const Triangle> triangles = mesh_.triangles();
  const auto leaf = [&](std::size_t i) {
    const bvh::Node& node = tree_.nodes[i];
    Dop& d = dops_[i];
    std::fill_n(&d.lo[0][0], 2 * dop_directions, std::numeric_limits<float>::max());
    std::fill_n(&d.hi[0][0], 2 * dop_directions, -std::numeric_limits<float>::max());
    for (std::uint32_t k = node.first; k < node.first + node.count; ++k)
      for (const std::uint32_t v : triangles[tree_.items[k]])
        for (int e = 0; e < 2; ++e) {
          const float* p = projections(v, e);
          for (int a = 0; a < dop_directions; ++a) {
            d.lo[e][a] = std::min(d.lo[e][a], p[a]);
            d.hi[e][a] = std::max(d.hi[e][a], p[a]);
          }
        }
    if (!swept) return;
    // One volume for the whole step: both ends the same.
    for (int a = 0; a < dop_directions; ++a) {
      d.lo[0][a] = d.lo[1][a] = std::min(d.lo[0][a], d.lo[1][a]);
      d.hi[0][a] = d.hi[1][a] = std::max(d.hi[0][a], d.hi[1][a]);
    }
  };
  in_chunks(tree_.nodes.size(), threads, [&](std::size_t i) {
    if (tree_.nodes[i].is_leaf()) leaf(i);
  });
  // Children stand after their parents.
  for (std::size_t i = tree_.nodes.size(); i-- > 0;) {
    const bvh::Node& node = tree_.nodes[i];
    if (node.is_leaf()) continue;
    const Dop &l = dops_[node.first], &r = dops_[node.first + 1];
    Dop& d = dops_[i];
    for (int e = 0; e < 2; ++e)
      for (int a = 0; a < dop_directions; ++a) {
        d.lo[e][a] = std::min(l.lo[e][a], r.lo[e][a]);
        d.hi[e][a] = std::max(l.hi[e][a], r.hi[e][a]);
      }
  }
}

std::size_t DopTree::bytes() const {
  return tree_.nodes.size() * (sizeof(bvh::Node) + sizeof(Dop)) + tree_.items.size() * sizeof(std::uint32_t) +
         projections_.size() * sizeof(float);
}

}  // namespace graze::query
