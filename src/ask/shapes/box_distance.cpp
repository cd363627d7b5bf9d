// SPDX-License-Identifier: MIT
#include "ask/shapes/box_distance.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "ask/shapes/box_pair.hpp"
#include "engine/curved/mesh_box.hpp"
#include "math/vectors.hpp"

namespace graze::ask {

namespace {

// The same points as those of `OwnCore` and `PlacedCore`, bit by bit, without asking what kind of core it is. So
// `shape::rounding` holds for them.

struct OwnBox {
  Vec3 half;

  Vec3 furthest(const Vec3& n) const {
    return {std::copysign(half.x, n.x), std::copysign(half.y, n.y), std::copysign(half.z, n.z)};
  }
  Vec3 centre() const { return {}; }
};

struct PlacedBox {
  OwnBox own;
  const shape::PlacedCore& place;

  Vec3 furthest(const Vec3& n) const { return math::turned(place.r, own.furthest(place.to_local(n))) + place.t; }
  Vec3 centre() const { return place.t; }
};

shape::Gap gap_of(const engine::curved::PlacedPair& pair, double relative_error) {
  const OwnBox a{pair.a.core->half * pair.a.scale}, b{pair.b.core->half * pair.b.scale};
  return shape::find_gap(a, PlacedBox{b, pair.b}, Vec3{}, math::infinity, -1, 0.25 * relative_error);
}

std::uint32_t corner_id(const Vec3& corner) {
  return (std::signbit(corner.x) ? 0u : 1u) | (std::signbit(corner.y) ? 0u : 2u) | (std::signbit(corner.z) ? 0u : 4u);
}

FeatureRef vertex(std::uint32_t v) { return {FeatureRef::Type::vertex, false, {v, v}}; }

FeatureRef face_of(const body::BodyData& box, std::uint32_t triangle) {
  const std::uint32_t polygon = index(box.mesh.polygon_of(TriangleId{triangle}));
  return {FeatureRef::Type::face, false, {polygon, polygon}};
}

}  // namespace

BoxDistance::BoxDistance(const body::BodyData& a, const Pose& pose_a, const body::BodyData& b, const Pose& pose_b,
                         double relative_error, Counters& counters)
    : a_(a),
      b_(b),
      pair_(*a.core, pose_a, *b.core, pose_b),
      gap_(gap_of(pair_, relative_error)),
      lower_(gap_.lower - shape::rounding),
      allowed_((1 + relative_error) * lower_),
      known_(!gap_.overlap && lower_ > 0 && gap_.upper + shape::rounding <= allowed_) {
  counters.iterations += static_cast<std::uint64_t>(gap_.iterations);
}

BoxDistance::Span BoxDistance::span_of_a() const {
  Span span{7, 0};
  for (int i = 0; i < gap_.simplex.size; ++i) {
    const std::uint32_t id = corner_id(gap_.simplex.a[i]);
    span.first &= id;
    span.last |= id;
  }
  return span;
}

BoxDistance::Span BoxDistance::span_of_b() const {
  Span span{7, 0};
  for (int i = 0; i < gap_.simplex.size; ++i) {
    const std::uint32_t id = corner_id(pair_.b.to_local(gap_.simplex.b[i] - pair_.b.t));
    span.first &= id;
    span.last |= id;
  }
  return span;
}

/// `p`: a point of the span, in the box's frame.
std::uint32_t BoxDistance::triangle_with(const body::BodyData& box, const Span& span, const Vec3& p) {
  if (span.is_vertex() || span.is_edge()) return triangle_at(box.mesh, span.first, span.last);
  for (std::uint32_t k = 0; k < 3; ++k)
    if (span.free_axes() == (7u ^ (1u << k)))
      return engine::curved::triangle_of_face(box.mesh, 2 * k + ((span.first >> k) & 1u), box.core->half, p);
  return 0;
}

std::uint32_t BoxDistance::triangle_of_a(const Span& span) const {
  return triangle_with(a_, span, engine::curved::scaled(gap_.simplex.point_a(), pair_.exponent));
}

std::uint32_t BoxDistance::triangle_of_b(const Span& span) const {
  const Vec3 p = pair_.b.to_local(gap_.simplex.point_b() - pair_.b.t);
  return triangle_with(b_, span, engine::curved::scaled(p, pair_.exponent));
}

// A corner of B, brought back to B's own frame, is within `shape::rounding` of where it is there.
bool BoxDistance::corners_are_certain() const {
  const auto least = [](const Vec3& v) { return std::min({v.x, v.y, v.z}); };
  return std::min(least(pair_.a.core->half), least(pair_.b.core->half)) * pair_.b.scale > 2 * shape::rounding;
}

bool BoxDistance::report(DistanceResult& result) const {
  // The number is at least the certified bound, and above it by no more than the relative error; so is the distance.
  if (!known_ || !(gap_.upper >= lower_) || !(std::abs(pair_.exponent) < 400) || !corners_are_certain()) return false;
  const Span of_a = span_of_a(), of_b = span_of_b();
  // A parallel edge or face has many closest points, of which some have a vertex in them.
  const bool edges = of_a.is_edge() && of_b.is_edge() && gap_.simplex.size == 3;
  if (!edges && !(of_a.is_vertex() && !of_b.is_whole_box()) && !(of_b.is_vertex() && !of_a.is_whole_box()))
    return false;
  const std::uint32_t triangle_a = triangle_of_a(of_a), triangle_b = triangle_of_b(of_b);
  if (of_a.is_vertex())
    result.feature = Feature{FeatureKind::vertex_face, vertex(of_a.first), face_of(b_, triangle_b)};
  else if (of_b.is_vertex())
    result.feature = Feature{FeatureKind::face_vertex, face_of(a_, triangle_a), vertex(of_b.first)};
  else
    result.feature = Feature{FeatureKind::edge_edge,
                             {FeatureRef::Type::edge, false, {of_a.first, of_a.last}},
                             {FeatureRef::Type::edge, false, {of_b.first, of_b.last}}};
  const Vec3 a = gap_.simplex.point_a(), b = gap_.simplex.point_b();
  result.status = Status::free;
  result.distance = gap_.upper * engine::curved::power_of_two(pair_.exponent);
  result.pair = {TriangleId{triangle_a}, TriangleId{triangle_b}};
  result.points = {pair_.in_world(a), pair_.in_world(b)};
  result.normal = pair_.frame.turn(gap_.simplex.direction(b - a, gap_.upper));
  return true;
}

bool BoxDistance::closest_triangles(const engine::distance::DistanceQuery& q, engine::distance::Candidate& out) const {
  if (!known_) return false;
  out.a = triangle_of_a(span_of_a());
  out.b = triangle_of_b(span_of_b());
  const auto corner_a = [&](std::size_t k) { return a_.corner(out.a, k); };
  const auto corner_b = [&](std::size_t k) { return q.placement.place(b_.corner(out.b, k)); };
  out.closest =
      prim::closest_triangle_triangle({corner_a(0), corner_a(1), corner_a(2)}, {corner_b(0), corner_b(1), corner_b(2)});
  out.rounded = std::sqrt(out.closest.squared);
  out.lower = std::ldexp(lower_, pair_.exponent);
  out.upper = std::ldexp(gap_.upper + shape::rounding, pair_.exponent);
  // The points are of these triangles, up to rounding: as far apart as they should be, or other triangles hold them.
  return out.rounded >= out.lower && out.rounded <= std::ldexp(allowed_, pair_.exponent);
}

}  // namespace graze::ask
