// SPDX-License-Identifier: MIT
#include "engine/manifold/convex.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/curved/penetration.hpp"
#include "shape/placed_core.hpp"
#include "shape/verdict.hpp"

namespace graze::engine::manifold {

namespace {

/// Of the depth: the error of the direction is about the root of it.
constexpr double relative_error = 1e-12;

shape::PlacedCore place_core(const shape::Core& core, const PlacedBody& body) { return {&core, body.r, body.t}; }

Meeting meet_of(const shape::Gap& gap, double radius_a, double radius_b) {
  Meeting m;
  m.normal = gap.normal;
  m.depth = radius_a + radius_b - gap.lower;
  m.a = gap.simplex.point_a() + m.normal * radius_a;
  m.b = gap.simplex.point_b() - m.normal * radius_b;
  return m;
}

}  // namespace

Meeting meet_convex(const PlacedPair& pair) {
  shape::Core core_a = *curved::convex_core(*pair.a.data), core_b = *curved::convex_core(*pair.b.data);
  core_a.scale(-pair.exponent);
  core_b.scale(-pair.exponent);
  const shape::PlacedCore a = place_core(core_a, pair.a), b = place_core(core_b, pair.b);
  const double radius = core_a.radius + core_b.radius;
  const shape::Judgement j = shape::judge(a, b, radius, Vec3{});
  const bool apart = j.verdict == shape::Verdict::apart;
  const double far = apart ? radius + pair.margin : math::infinity;
  Meeting m;
  const shape::Gap gap = shape::find_gap(a, b, j.gap.normal, far, -1, 0);
  if (apart || (!gap.overlap && gap.lower > 2 * shape::rounding)) {
    m = meet_of(gap, core_a.radius, core_b.radius);
  } else {
    const shape::Depth depth =
        shape::find_depth(shape::SupportPair(a, b), gap.simplex, math::infinity, -1, relative_error);
    m.normal = depth.direction;
    m.depth = radius + depth.upper;
    // Moved out along the normal by a little more than the depth, the two are nearest where they last touched. (The
    // points that the depth comes with are the furthest along the normal, which need not be over each other.)
    const Vec3 out = m.normal * (depth.upper + pair.size / 64);
    shape::PlacedCore outside = b;
    outside.t = b.t + out;
    const shape::Gap touch = shape::find_gap(a, outside, m.normal, math::infinity, -1, 0);
    m.a = touch.simplex.point_a() + m.normal * core_a.radius;
    m.b = touch.simplex.point_b() - out - m.normal * core_b.radius;
  }
  m.status = apart ? Status::free : Status::contact;
  m.certain = j.verdict != shape::Verdict::within_rounding;
  return m;
}

Meeting meet_half_space(const PlacedPair& pair) {
  const bool a_is_half = pair.a.data->is_half_space();
  const PlacedBody &half = a_is_half ? pair.a : pair.b, &other = a_is_half ? pair.b : pair.a;
  shape::Core core = curved::hull_core(*other.data);
  core.scale(-pair.exponent);
  const shape::PlacedCore placed = place_core(core, other);
  const Vec3 up = half.turn({0, 0, 1});
  const Vec3 surface = half.place({0, 0, half.data->shape->rounding});
  const Vec3 lowest = placed.furthest(-up) - up * core.radius;
  Meeting m;
  m.depth = dot(up, surface - lowest);
  m.normal = a_is_half ? up : -up;
  m.a = lowest + up * m.depth;
  m.b = lowest;
  if (!a_is_half) std::swap(m.a, m.b);
  m.status = m.depth < -shape::rounding ? Status::free : Status::contact;
  m.certain = std::fabs(m.depth) > shape::rounding;
  return m;
}

}  // namespace graze::engine::manifold
