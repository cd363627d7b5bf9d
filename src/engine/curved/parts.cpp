// SPDX-License-Identifier: MIT
#include "engine/curved/parts.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "body/features.hpp"
#include "engine/curved/scaling.hpp"
#include "math/vectors.hpp"
#include "shape/gap.hpp"

namespace graze::engine::curved {

namespace {

FeatureKind kind_of(FeatureRef::Type a, FeatureRef::Type b) {
  using T = FeatureRef::Type;
  if (a == T::surface && b == T::surface) return FeatureKind::surface_surface;
  if (a == T::surface)
    return b == T::vertex ? FeatureKind::surface_vertex
           : b == T::edge ? FeatureKind::surface_edge
                          : FeatureKind::surface_face;
  return a == T::vertex ? FeatureKind::vertex_surface
         : a == T::edge ? FeatureKind::edge_surface
                        : FeatureKind::face_surface;
}

/// A vertex, edge or face of a box's mesh (body/shape_mesh.cpp: the bits of a corner's number tell its side on each
/// axis, and face 2 k + 1 is the upper one on axis k). Without any side it is the first face.
FeatureRef box_feature(const Vec3& side) {
  std::uint32_t low = 0, high = 0, faces = 0, last = 0;
  for (std::uint32_t k = 0; k < 3; ++k) {
    const double s = side[static_cast<int>(k)];
    if (s != 0) ++faces, last = 2 * k + (s > 0 ? 1 : 0);
    if (s > 0) low |= 1u << k;
    if (s >= 0) high |= 1u << k;
  }
  if (faces == 3) return {FeatureRef::Type::vertex, false, {low, low}};
  if (faces == 2) return {FeatureRef::Type::edge, false, {low, high}};
  return {FeatureRef::Type::face, false, {last, last}};
}

/// The sides of a box on which all its given corners are.
Vec3 common_sides(const Vec3* corners, int size) {
  Vec3 side;
  for (int k = 0; k < 3; ++k) {
    int above = 0;
    for (int i = 0; i < size; ++i) above += !std::signbit(corners[i][k]);
    side[k] = above == size ? 1 : above == 0 ? -1 : 0;
  }
  return side;
}

/// The vertex, edge or face of a polyhedral shape that some of its corners span, which are given in its own frame. Of
/// more corners than a polygon has, or of corners that no polygon has: a face.
FeatureRef corner_feature(const body::BodyData& data, const Vec3* corners, int size, int exponent) {
  std::array<std::uint32_t, 4> ids{};
  int used = 0;
  for (int i = 0; i < size; ++i) {
    std::uint32_t best = 0;
    double least = math::infinity;
    for (std::uint32_t v = 0; v < data.mesh.vertex_count(); ++v) {
      const Vec3 d = scaled(data.mesh.positions()[v], -exponent) - corners[i];
      if (const double s = dot(d, d); s < least) least = s, best = v;
    }
    auto* const end = ids.data() + used;
    if (std::find(ids.data(), end, best) == end) ids[static_cast<std::size_t>(used++)] = best;
  }
  std::sort(ids.data(), ids.data() + used);
  if (used == 1) return {FeatureRef::Type::vertex, false, {ids[0], ids[0]}};
  std::uint32_t face = 0;
  for (std::uint32_t p = 0; p < data.mesh.polygon_count(); ++p) {
    const auto polygon = data.mesh.polygon(PolygonId{p});
    const auto has = [&](std::uint32_t v) { return std::find(polygon.begin(), polygon.end(), v) != polygon.end(); };
    if (!std::all_of(ids.data(), ids.data() + used, has)) continue;
    face = p;
    if (used != 2) break;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const auto [lo, hi] = std::minmax(polygon[k], polygon[(k + 1) % polygon.size()]);
      if (lo == ids[0] && hi == ids[1]) return {FeatureRef::Type::edge, false, {lo, hi}};
    }
  }
  return {FeatureRef::Type::face, false, {face, face}};
}

bool is_plain_box(const body::BodyData& data) {
  return data.core->kind == shape::Core::Kind::box && data.core->in_own_place();
}

FeatureRef shape_side(const body::BodyData& data, const Vec3* corners, int size, int exponent) {
  return is_plain_box(data) ? box_feature(common_sides(corners, size)) : corner_feature(data, corners, size, exponent);
}

constexpr FeatureRef curved_surface{FeatureRef::Type::surface, false, {0, 0}};

/// The part of the triangle that the simplex's points of A span.
prim::Part part_of(const shape::Simplex& simplex, const shape::TriangleCore& corners) {
  bool used[3]{};
  for (int i = 0; i < simplex.size; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      if (simplex.a[i] == corners.corners[k]) {
        used[k] = true;
        break;
      }
  const int count = used[0] + used[1] + used[2];
  if (count == 1) return used[0] ? prim::Part::vertex0 : used[1] ? prim::Part::vertex1 : prim::Part::vertex2;
  if (count == 2) return !used[2] ? prim::Part::edge0 : !used[0] ? prim::Part::edge1 : prim::Part::edge2;
  return prim::Part::face;
}

}  // namespace

Ball ball_of(const shape::Core& core) {
  Ball ball;
  if (core.points.empty()) {
    ball.centre = core.at_place({});
    ball.radius = length(core.half) * (1 + 0x1p-50);
    return ball;
  }
  for (const Vec3& p : core.points) ball.centre = ball.centre + p * (1.0 / static_cast<double>(core.points.size()));
  for (const Vec3& p : core.points) ball.radius = std::max(ball.radius, length(p - ball.centre) * (1 + 0x1p-45));
  const Vec3 placed = core.at_place(ball.centre);
  if (placed != ball.centre) ball.radius += 0x1p-45 * core.reach();  // the rounding of `at_place`
  ball.centre = placed;
  return ball;
}

Ball ball_of(const body::BodyData& mesh, std::uint32_t triangle) {
  const Vec3 &p = mesh.corner(triangle, 0), &q = mesh.corner(triangle, 1), &r = mesh.corner(triangle, 2);
  const Vec3 centre = (p + q + r) * (1.0 / 3);
  return {centre, std::max({length(p - centre), length(q - centre), length(r - centre)}) * (1 + 0x1p-45)};
}

shape::TriangleCore triangle(const body::BodyData& mesh, std::uint32_t t, int exponent) {
  return {{scaled(mesh.corner(t, 0), -exponent), scaled(mesh.corner(t, 1), -exponent),
           scaled(mesh.corner(t, 2), -exponent)}};
}

shape::BoxCore child_box(const body::BodyData& mesh, const bvh::WideNode& node, int child, int exponent) {
  // Bounds in the float frame are exact up to one rounding of a number of at most 2, and the corners that they bound
  // were rounded to single precision: together less than 2^-22.
  const body::FloatFrame& f = mesh.tree.frame;
  const int power = f.exponent - exponent;
  const double unit = power > -1000 && power < 1000 ? power_of_two(power) : std::ldexp(1.0, power);
  const Vec3 centre = scaled(f.centre, -exponent);
  shape::BoxCore box;
  for (int k = 0; k < 3; ++k) {
    box.lo[k] = centre[k] + unit * (static_cast<double>(node.low(k, child)) - 0x1p-21);
    box.hi[k] = centre[k] + unit * (static_cast<double>(node.high(k, child)) + 0x1p-21);
  }
  return box;
}

void report_gap(double lower, double upper, double relative_error, int exponent, DistanceResult& result) {
  result.status = Status::free;
  result.distance = std::ldexp(upper, exponent);
  result.certain = upper - lower <= relative_error * upper + 2 * shape::rounding;
}

Feature mesh_feature(const body::BodyData& mesh, std::uint32_t triangle, const shape::Simplex& simplex,
                     const shape::TriangleCore& corners) {
  const FeatureRef of_mesh = body::feature_of_part(mesh.mesh, triangle, part_of(simplex, corners));
  const FeatureRef surface{FeatureRef::Type::surface, false, {0, 0}};
  return {kind_of(of_mesh.type, surface.type), of_mesh, surface};
}

Feature shape_feature(const body::BodyData& a, const body::BodyData& b, const shape::PlacedCore& placed_b,
                      const shape::Simplex& simplex, int exponent) {
  FeatureRef fa = curved_surface, fb = curved_surface;
  if (!a.is_curved()) fa = shape_side(a, simplex.a, simplex.size, exponent);
  if (!b.is_curved()) {
    Vec3 own[4];
    for (int i = 0; i < simplex.size; ++i) own[i] = placed_b.to_local(simplex.b[i] - placed_b.t);
    fb = shape_side(b, own, simplex.size, exponent);
  }
  return {kind_of(fa.type, fb.type), fa, fb};
}

Feature shape_feature(const body::BodyData& a, const Vec3& side_a, const body::BodyData& b, const Vec3& side_b) {
  const auto of = [](const body::BodyData& data, const Vec3& side) {
    return data.is_curved()     ? curved_surface
           : is_plain_box(data) ? box_feature(side)
                                : FeatureRef{FeatureRef::Type::face, false, {0, 0}};
  };
  const FeatureRef fa = of(a, side_a), fb = of(b, side_b);
  return {kind_of(fa.type, fb.type), fa, fb};
}

Vec3 face_towards(const Vec3& direction) {
  const double most = math::largest(direction);
  Vec3 side;
  for (int k = 0; k < 3; ++k)
    if (std::fabs(direction[k]) == most) {
      side[k] = direction[k] < 0 ? -1 : 1;
      break;
    }
  return side;
}

}  // namespace graze::engine::curved
