// SPDX-License-Identifier: MIT
#include "engine/curved/parts.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

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

/// The vertex, edge or face of a polyhedral shape that the simplex's points of this shape span.
FeatureRef shape_side(const body::BodyData& data, const Vec3* points, int size, int exponent,
                      const shape::PlacedCore& placed) {
  if (data.is_curved()) return {FeatureRef::Type::surface, false, {0, 0}};
  // The core's furthest points are corners of the mesh, placed: find the nearest ones.
  std::vector<std::uint32_t> used;
  for (int i = 0; i < size; ++i) {
    std::uint32_t best = 0;
    double least = math::infinity;
    const Vec3 local = placed.to_local(points[i] - placed.t);
    for (std::uint32_t v = 0; v < data.mesh.vertex_count(); ++v) {
      const Vec3 d = scaled(data.mesh.positions()[v], -exponent) - local;
      if (const double s = dot(d, d); s < least) least = s, best = v;
    }
    if (std::find(used.begin(), used.end(), best) == used.end()) used.push_back(best);
  }
  std::sort(used.begin(), used.end());
  if (used.size() == 1) return {FeatureRef::Type::vertex, false, {used[0], used[0]}};
  std::uint32_t face = 0;
  for (std::uint32_t p = 0; p < data.mesh.polygon_count(); ++p) {
    const auto corners = data.mesh.polygon(PolygonId{p});
    const auto has = [&](std::uint32_t v) { return std::find(corners.begin(), corners.end(), v) != corners.end(); };
    if (!std::all_of(used.begin(), used.end(), has)) continue;
    face = p;
    if (used.size() != 2) break;
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const auto [lo, hi] = std::minmax(corners[k], corners[(k + 1) % corners.size()]);
      if (lo == used[0] && hi == used[1]) return {FeatureRef::Type::edge, false, {lo, hi}};
    }
  }
  return {FeatureRef::Type::face, false, {face, face}};
}

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
  const double unit = std::ldexp(1.0, f.exponent - exponent);
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

Feature shape_feature(const body::BodyData& a, const shape::PlacedCore& placed_a, const body::BodyData& b,
                      const shape::PlacedCore& placed_b, const shape::Simplex& simplex, int exponent) {
  const FeatureRef fa = shape_side(a, simplex.a, simplex.size, exponent, placed_a);
  const FeatureRef fb = shape_side(b, simplex.b, simplex.size, exponent, placed_b);
  return {kind_of(fa.type, fb.type), fa, fb};
}

}  // namespace graze::engine::curved
