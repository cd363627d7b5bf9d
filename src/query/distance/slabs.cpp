// SPDX-License-Identifier: MIT
#include "query/distance/slabs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace graze::query {

namespace {

struct Normal {
  float x = 0, y = 0, z = 0;
};

/// Of triangle i of a bottom node.
Normal area_normal(const WideTree& t, const bvh::WideNode& node, std::uint32_t i) {
  const auto c = [&](int corner, int axis) { return t.row(node, corner, axis)[i]; };
  const float ux = c(1, 0) - c(0, 0), uy = c(1, 1) - c(0, 1), uz = c(1, 2) - c(0, 2);
  const float vx = c(2, 0) - c(0, 0), vy = c(2, 1) - c(0, 1), vz = c(2, 2) - c(0, 2);
  return {uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx};
}

}  // namespace

Slabs::Slabs(const WideTree& t) : index_(t.tree.nodes.size(), 0) {
  const auto& nodes = t.tree.nodes;
  const auto n = static_cast<std::uint32_t>(nodes.size());
  std::vector<Normal> normals(n);
  std::vector<std::uint32_t> parent(n, 0), slot(n, 0);
  for (std::uint32_t i = 0; i < n; ++i) {
    if (nodes[i].bottom) continue;
    index_[i] = static_cast<std::uint32_t>(slabs_.size());
    slabs_.emplace_back();
    for (std::uint32_t k = 0; k < nodes[i].count; ++k) {
      parent[nodes[i].first + k] = i;
      slot[nodes[i].first + k] = k;
    }
  }
  for (std::uint32_t i = n; i-- > 0;) {  // children stand after their parents
    Normal sum = normals[i];
    for (std::uint32_t k = 0; nodes[i].bottom && k < nodes[i].count; ++k) {
      const Normal a = area_normal(t, nodes[i], k);
      sum = {sum.x + a.x, sum.y + a.y, sum.z + a.z};
    }
    if (i > 0) {
      Normal& up = normals[parent[i]];
      up = {up.x + sum.x, up.y + sum.y, up.z + sum.z};
    }
    // Any direction is valid; one of about unit length keeps the bounds in range. Closed or degenerate patches may have none.
    const float len = std::sqrt(sum.x * sum.x + sum.y * sum.y + sum.z * sum.z);
    normals[i] = len > 1e-30f ? Normal{sum.x / len, sum.y / len, sum.z / len} : Normal{1, 0, 0};
    if (i == 0) break;
    SlabNode& s = slabs_[index_[parent[i]]];
    const std::uint32_t k = slot[i];
    s.m[0][k] = normals[i].x;
    s.m[1][k] = normals[i].y;
    s.m[2][k] = normals[i].z;
    s.lo[k] = std::numeric_limits<float>::infinity();
    s.hi[k] = -s.lo[k];
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    if (!nodes[i].bottom) continue;
    for (std::uint32_t at = i; at != 0; at = parent[at]) {
      SlabNode& s = slabs_[index_[parent[at]]];
      const std::uint32_t k = slot[at];
      const float mx = s.m[0][k], my = s.m[1][k], mz = s.m[2][k];
      const float base = mx * nodes[i].origin[0] + my * nodes[i].origin[1] + mz * nodes[i].origin[2];
      float lo = s.lo[k], hi = s.hi[k];
      for (int corner = 0; corner < 3; ++corner) {
        const float *x = t.row(nodes[i], corner, 0), *y = t.row(nodes[i], corner, 1), *z = t.row(nodes[i], corner, 2);
        for (std::uint32_t c = 0; c < nodes[i].count; ++c) {
          const float v = base + mx * x[c] + my * y[c] + mz * z[c];
          lo = std::min(lo, v);
          hi = std::max(hi, v);
        }
      }
      s.lo[k] = lo;
      s.hi[k] = hi;
    }
  }
  // Rounding of the products and sums above, of numbers up to 1.01: below 16 u. The corners' own error is the frame's business.
  for (SlabNode& s : slabs_)
    for (int k = 0; k < 8; ++k) {
      s.lo[k] -= 16 * 0x1p-24f;
      s.hi[k] += 16 * 0x1p-24f;
    }
}

}  // namespace graze::query
