// SPDX-License-Identifier: MIT
#include <graze/query/ray.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <graze/core/error.hpp>

#include "core/fp_guard.hpp"
#include "math/placed_points.hpp"
#include "prim/edge_triangle.hpp"
#include "query/body_data.hpp"

namespace graze {

namespace {

double l1(const Vec3& v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); }

/// The segment in the tree's frame, and boxes that it cannot meet.
class Slabs {
 public:
  Slabs(const query::WideTree& tree, const math::RelativePlacement& placement, const Vec3& from, const Vec3& to)
      : from_(tree.frame.to_frame(placement.place(from))), way_(tree.frame.to_frame(placement.place(to)) - from_) {
    // The ends are off by their placement and by the change of frame. A fraction at a bound is off by a few eps
    // relative, which moves the point there by as many eps of the way's extent: 2^-46 of all numbers together is more.
    // 2^-21 covers boxes in single precision.
    const double size = 1 + l1(from_) + l1(way_);
    slack_ = std::ldexp(std::max(placement.error(from), placement.error(to)), 2 - tree.frame.exponent) +
             0x1p-46 * size + 0x1p-21;
  }

  /// The least fraction at which the segment can be in the box; above 1 if never. NaN never misses.
  double entry(const bvh::WideNode& n, int i) const {
    double enter = 0, leave = 1;
    for (int axis = 0; axis < 3; ++axis) {
      const double lo = n.low(axis, i) - slack_, hi = n.high(axis, i) + slack_;
      const double x = from_[axis], d = way_[axis];
      if (d == 0) {
        if (x < lo || x > hi) return 2;
        continue;
      }
      double t0 = (lo - x) / d, t1 = (hi - x) / d;
      if (t0 > t1) std::swap(t0, t1);
      if (t0 > enter) enter = t0;
      if (t1 < leave) leave = t1;
    }
    return enter > leave ? 2 : enter;
  }

 private:
  Vec3 from_, way_;
  double slack_;
};

/// About where, in [0, 1], the segment first meets a triangle that it is known to meet.
double fraction(const math::PlacedPoints& p) {
  const Vec3 f = p.approx(0), d = p.approx(1) - f;
  const Vec3 a = p.approx(2), n = cross(p.approx(3) - a, p.approx(4) - a);
  const double along = dot(n, d);
  if (along != 0) return std::clamp(dot(n, a - f) / along, 0.0, 1.0);
  // In the triangle's plane, or the triangle is none: where it comes nearest to each edge, the earliest that is as near
  // as any. It begins outside, as the caller has looked.
  double best = 1, least = INFINITY;
  for (int k = 0; k < 3; ++k) {
    const Vec3 x = p.approx(2 + k), e = p.approx(2 + (k + 1) % 3) - x;
    const Vec3 m = cross(cross(d, e), e);
    const double down = dot(m, d), s = down != 0 ? std::clamp(dot(m, x - f) / down, 0.0, 1.0) : 1.0;
    const Vec3 at = f + d * s - x;
    const double ee = dot(e, e), u = ee > 0 ? std::clamp(dot(at, e) / ee, 0.0, 1.0) : 0.0;
    const double gap = l1(at - e * u);
    if (gap < 0.5 * least || (gap < 2 * least && s < best)) best = s, least = std::min(least, gap);
  }
  return best;
}

}  // namespace

RayResult cast_ray(const Body& body, const Pose& pose, const Vec3& from, const Vec3& to) {
  const core::FpGuard guard;
  if (!is_finite(from) || !is_finite(to))
    throw Error({.code = ErrorCode::not_finite,
                 .message = "an end of the ray is not finite; give three finite numbers",
                 .element = "ray",
                 .id = ErrorDetail::none,
                 .file = {},
                 .line = ErrorDetail::none});
  RayResult result;
  const query::BodyData& data = body.data();
  const query::WideTree& tree = data.tree;
  const math::RelativePlacement placement(pose, Pose());
  const Slabs slabs(tree, placement, from, to);
  math::PlacedPoints p(placement, result.counters);
  std::vector<std::uint32_t> stack{0};
  while (!stack.empty()) {
    const bvh::WideNode& node = tree.tree.nodes[stack.back()];
    stack.pop_back();
    for (int i = 0; i < node.count; ++i) {
      ++result.counters.box_tests;
      // What begins behind the hit in hand by more than its own roundings cannot be before it.
      const double enter = slabs.entry(node, i);
      if (enter > (result.hit ? std::min(1.0, result.hit->fraction + 0x1p-20) : 1.0)) continue;
      const std::uint32_t child = node.first + static_cast<std::uint32_t>(i);
      if (!node.bottom) {
        stack.push_back(child);
        continue;
      }
      ++result.counters.ray_tests;
      const std::uint32_t triangle = tree.triangle(child);
      p.clear();
      p.add_b(from);
      p.add_b(to);
      for (std::size_t k = 0; k < 3; ++k) p.add_a(data.corner(triangle, k));
      if (prim::edge_triangle(p, {0, 1}, {2, 3, 4}) == prim::EdgeContact::none) continue;
      const bool at_once = prim::edge_triangle(p, {0, 0}, {2, 3, 4}) != prim::EdgeContact::none;
      const double s = at_once ? 0 : fraction(p);
      if (result.hit &&
          (s > result.hit->fraction || (s == result.hit->fraction && triangle > index(result.hit->triangle))))
        continue;
      const TriangleId id{triangle};
      result.hit = RayHit{s, from + (to - from) * s, id, data.mesh.polygon_of(id)};
    }
  }
  return result;
}

}  // namespace graze
