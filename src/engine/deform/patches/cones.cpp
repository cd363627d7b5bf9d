// SPDX-License-Identifier: MIT
#include "engine/deform/patches/cones.hpp"

#include <cmath>

#include "engine/deform/tree/tree_branches.hpp"

namespace graze::engine::deform {

namespace {

/// The direction of a control normal with an error of at most `error`, as a ball.
ContinuousCone direction(const Vec3& n, double error) {
  const double l = length(n);
  ContinuousCone c;
  // Below 1e-140 squares lose precision. A length that is not finite fails this test as well.
  if (!(l > 1e-140) || !(l < 1e140) || !(error < 0.125 * l)) return c;
  const double inverse = 1 / l;
  c.centre[0] = static_cast<float>(n.x * inverse);
  c.centre[1] = static_cast<float>(n.y * inverse);
  c.centre[2] = static_cast<float>(n.z * inverse);
  // An error of `error` in a vector changes its direction by less than 2 error / l. The rounding error of each float is
  // 2^-24, that of doubles is much smaller.
  c.radius = static_cast<float>(2 * error * inverse) + 1e-6f;
  return c;
}

}  // namespace

ContinuousCone joined(const ContinuousCone& a, const ContinuousCone& b) {
  if (!(a.radius < 2 && b.radius < 2)) return {};
  const float x = b.centre[0] - a.centre[0], y = b.centre[1] - a.centre[1], z = b.centre[2] - a.centre[2];
  const float d = std::sqrt(x * x + y * y + z * z);
  // One ball contains the other. The sums are rounded, hence the 1e-6.
  if (d + b.radius + 1e-6f <= a.radius) return a;
  if (d + a.radius + 1e-6f <= b.radius) return b;
  ContinuousCone c;
  c.radius = 0.5f * (d + a.radius + b.radius);
  const float s = d > 0 ? std::min(1.0f, std::max(0.0f, (c.radius - a.radius) / d)) : 0;
  c.centre[0] = a.centre[0] + s * x;
  c.centre[1] = a.centre[1] + s * y;
  c.centre[2] = a.centre[2] + s * z;
  // Coordinates are at most 2 in magnitude: fewer than 20 rounding errors of 2^-24 of at most 4, in centre and radius
  // together.
  c.radius = c.radius + 5e-6f;
  return c;
}

ContinuousCone cone_of(const Vec3 (&start)[3], const Vec3 (&end)[3]) {
  const Vec3 u0 = start[1] - start[0], v0 = start[2] - start[0], u1 = end[1] - end[0], v1 = end[2] - end[0];
  // With unit roundoff 2^-53: a difference has an error of one unit of itself, a component of a cross product of at
  // most 4 units of |u| |v|, the whole vector of less than 8, and the middle control normal, a sum of two, of less than
  // 20. All products of lengths are at most this one (for the middle control normal even the sum of its two, by Cauchy
  // and Schwarz).
  const double u2 = dot(u0, u0) + dot(u1, u1), v2 = dot(v0, v0) + dot(v1, v1);
  if (!(u2 > 1e-280 && v2 > 1e-280)) return {};  // squares lose precision
  const double lengths = std::sqrt(u2 * v2);
  const double error = 20 * 0x1p-53 * lengths;
  const ContinuousCone a = direction(cross(u0, v0), error), b = direction(cross(u1, v1), error);
  // (n0 + n1 - (u1 - u0) x (v1 - v0)) / 2 = (u0 x v1 + u1 x v0) / 2
  const ContinuousCone m = direction(cross(u0, v1) + cross(u1, v0), error);
  return joined(joined(a, b), m);
}

void refit_cones(const Topology& topology, const PatchTree& tree, const MovingVertices& at, int threads,
                 std::vector<ContinuousCone>& cones) {
  cones.resize(tree.nodes.size());
  bottom_up(tree, threads, [&](std::uint32_t i) {
    const PatchNode& n = tree.nodes[i];
    if (!n.is_leaf()) {
      cones[i] = joined(cones[n.child], cones[n.child + 1]);
      return;
    }
    for (std::uint32_t k = n.begin; k < n.end; ++k) {
      const Triangle& t = topology.triangle(tree.items[k]);
      const Vec3 start[3] = {at.start[t[0]], at.start[t[1]], at.start[t[2]]};
      const Vec3 end[3] = {at.end[t[0]], at.end[t[1]], at.end[t[2]]};
      const ContinuousCone c = cone_of(start, end);
      cones[i] = k == n.begin ? c : joined(cones[i], c);
    }
  });
}

}  // namespace graze::engine::deform
