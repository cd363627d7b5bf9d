// SPDX-License-Identifier: MIT
#include "body/slabs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace graze::body {

namespace {

using bvh::WideNode;

struct Range {
  float lo = std::numeric_limits<float>::infinity(), hi = -std::numeric_limits<float>::infinity();
  void add(float low, float high) {
    lo = std::min(lo, low);
    hi = std::max(hi, high);
  }
};

const float* row(std::span<const float> corners, const WideNode& node, int corner, int axis) {
  return corners.data() + 9 * std::size_t{node.first} + static_cast<std::size_t>((3 * corner + axis) * node.count);
}

/// The sum of the triangles' area-weighted normals.
void add_normals(std::span<const float> corners, const WideNode& node, float* sum) {
  const auto c = [&](int corner, int axis) { return row(corners, node, corner, axis); };
  for (std::uint32_t i = 0; i < node.count; ++i) {
    const float ux = c(1, 0)[i] - c(0, 0)[i], uy = c(1, 1)[i] - c(0, 1)[i], uz = c(1, 2)[i] - c(0, 2)[i];
    const float vx = c(2, 0)[i] - c(0, 0)[i], vy = c(2, 1)[i] - c(0, 1)[i], vz = c(2, 2)[i] - c(0, 2)[i];
    sum[0] += uy * vz - uz * vy;
    sum[1] += uz * vx - ux * vz;
    sum[2] += ux * vy - uy * vx;
  }
}

/// The range of all corners of a bottom node along m.
Range along(std::span<const float> corners, const WideNode& node, const float* m) {
  Range range;
  for (int corner = 0; corner < 3; ++corner) {
    const float *x = row(corners, node, corner, 0), *y = row(corners, node, corner, 1),
                *z = row(corners, node, corner, 2);
    for (std::uint32_t i = 0; i < node.count; ++i) {
      const float v = m[0] * x[i] + m[1] * y[i] + m[2] * z[i];
      range.add(v, v);
    }
  }
  const float base = m[0] * node.origin[0] + m[1] * node.origin[1] + m[2] * node.origin[2];
  return {base + range.lo, base + range.hi};
}

/// The range of all children of an inner node along m, each bounded by the part of its box that lies in its slab: with
/// k = m . n, m . x = k (n . x) + (m - k n) . x.
Range along(const WideNode& node, const SlabView& s, const float* m) {
  Range range;
  for (int i = 0; i < node.count; ++i) {
    float c[3], h[3], rest_c = 0, rest_h = 0, box_c = 0, box_h = 0;
    const float k = m[0] * s.m[0][i] + m[1] * s.m[1][i] + m[2] * s.m[2][i];
    for (int axis = 0; axis < 3; ++axis) {
      const float lo = node.low(axis, i), hi = node.high(axis, i), r = m[axis] - k * s.m[axis][i];
      c[axis] = 0.5f * (lo + hi);
      h[axis] = 0.5f * (hi - lo);
      rest_c += r * c[axis];
      rest_h += std::fabs(r) * h[axis];
      box_c += m[axis] * c[axis];
      box_h += std::fabs(m[axis]) * h[axis];
    }
    const float low = std::min(k * s.lo[i], k * s.hi[i]), high = std::max(k * s.lo[i], k * s.hi[i]);
    range.add(std::max(box_c - box_h, rest_c - rest_h + low), std::min(box_c + box_h, rest_c + rest_h + high));
  }
  return range;
}

}  // namespace

std::vector<float> Slabs::make(const bvh::WideTree& tree, std::span<const float> corners) {
  const std::vector<WideNode>& nodes = tree.nodes;
  constexpr std::size_t readable = 8;
  std::vector<float> rows(5 * nodes.size() + readable, 0.0f);
  const Slabs done(rows.data());
  std::vector<float> normals(3 * nodes.size(), 0.0f);
  // Children are stored after their parents, so iterating backwards processes every node's children before the node.
  for (std::size_t i = nodes.size(); i-- > 0;) {
    const WideNode& node = nodes[i];
    float* sum = normals.data() + 3 * i;
    if (node.bottom) {
      add_normals(corners, node, sum);
      continue;
    }
    for (std::uint32_t child = node.first; child < node.first + node.count; ++child) {
      float* out = rows.data() + 5 * std::size_t{node.first} + (child - node.first);
      const float* m = normals.data() + 3 * std::size_t{child};
      for (int axis = 0; axis < 3; ++axis) sum[axis] += m[axis];
      // Any direction is valid; kernels rely on unit length up to a few u. Closed or degenerate patches may have no
      // direction. Range: a normal has length at most 12 and there are fewer than 2^32, so no square overflows; a sum
      // above 1e-18 has a square above 1e-36, of which underflow loses less than 2^-148: a relative error of 2^-28.
      const float len = std::sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
      float unit[3] = {1, 0, 0};
      if (len > 1e-18f)
        for (int axis = 0; axis < 3; ++axis) unit[axis] = m[axis] / len;
      const Range range =
          nodes[child].bottom ? along(corners, nodes[child], unit) : along(nodes[child], done.of(nodes[child]), unit);
      for (int axis = 0; axis < 3; ++axis) out[axis * node.count] = unit[axis];
      // Rounding errors, for values up to 1.74 (u = 2^-24). Corners: products, sums and the base, below 16 u. Children:
      // the remainder m - k n (3 u per coordinate), the decoded box, products and sums, below 40 u; their own slabs are
      // already widened. The error of the corners themselves is covered by the frame (TreeFrame).
      const float slack = (nodes[child].bottom ? 16 : 64) * 0x1p-24f;
      out[3 * node.count] = range.lo - slack;
      out[4 * node.count] = range.hi + slack;
    }
  }
  return rows;
}

}  // namespace graze::body
