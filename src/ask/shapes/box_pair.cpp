// SPDX-License-Identifier: MIT
#include "ask/shapes/box_pair.hpp"

#include <algorithm>
#include <cmath>

#include "engine/curved/mesh_box.hpp"
#include "engine/curved/placed_pair.hpp"
#include "engine/curved/scaling.hpp"
#include "math/placed_points.hpp"
#include "math/vectors.hpp"
#include "prim/triangle_triangle.hpp"
#include "shape/closed_forms.hpp"
#include "shape/gap.hpp"

namespace graze::ask {

namespace {

bool is_plain_box_body(const body::BodyData& data) {
  return data.shape && data.core && !data.compound && data.core->kind == shape::Core::Kind::box &&
         data.core->in_own_place() && data.core->radius == 0;
}

/// The first triangle of a box's mesh with these vertices: one or two of an edge.
std::uint32_t triangle_at(const Mesh& mesh, std::uint32_t v, std::uint32_t w) {
  const auto triangles = mesh.triangles();
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    const auto has = [&](std::uint32_t x) {
      return triangles[t][0] == x || triangles[t][1] == x || triangles[t][2] == x;
    };
    if (has(v) && has(w)) return t;
  }
  return 0;
}

/// The triangle that holds a point of a box's surface. `corners`: corners that span its vertex, edge or face, as signs.
std::uint32_t triangle_with(const body::BodyData& box, const Vec3* corners, int size, const Vec3& p) {
  std::uint32_t low = 7, high = 0;
  for (int i = 0; i < size; ++i) {
    std::uint32_t id = 0;
    for (int k = 0; k < 3; ++k)
      if (!std::signbit(corners[i][k])) id |= 1u << k;
    low &= id;
    high |= id;
  }
  const std::uint32_t free = low ^ high;  // axes along which the point is between two faces
  if ((free & (free - 1)) == 0) return triangle_at(box.mesh, low, high);
  for (std::uint32_t k = 0; k < 3; ++k)
    if (free == (7u ^ (1u << k)))
      return engine::curved::triangle_of_face(box.mesh, 2 * k + ((low >> k) & 1u), box.core->half, p);
  return 0;
}

struct Piercing {
  std::uint32_t face_triangle, edge_triangle;
};

/// An edge of `other`, whose corners are given in the frame of `box`, that enters it.
std::optional<Piercing> edge_into(const body::BodyData& box, const body::BodyData& other, const Vec3* corners) {
  const Vec3& half = box.core->half;
  for (std::uint32_t v = 0; v < 8; ++v)
    for (std::uint32_t k = 0; k < 3; ++k) {
      const std::uint32_t w = v ^ (1u << k);  // every edge in both directions: one end may be inside
      std::uint32_t face;
      double at;
      if (!engine::curved::enters_box(half, corners[v], corners[w], face, at)) continue;
      const Vec3 x = corners[v] + (corners[w] - corners[v]) * at;
      return Piercing{engine::curved::triangle_of_face(box.mesh, face, half, x),
                      triangle_at(other.mesh, std::min(v, w), std::max(v, w))};
    }
  return std::nullopt;
}

}  // namespace

std::optional<QuickMeshBox> quick_mesh_box(const body::BodyData& a, const Pose& pose_a, const body::BodyData& b,
                                           const Pose& pose_b, const math::RelativePlacement& placement,
                                           Counters& counters) {
  const auto is_mesh = [](const body::BodyData& data) { return !data.shape && !data.compound; };
  const bool box_b = is_mesh(a) && is_plain_box_body(b);
  if (!box_b && !(is_mesh(b) && is_plain_box_body(a))) return std::nullopt;
  using engine::curved::look_at_box;
  using Kind = engine::curved::MeshBoxAnswer::Kind;
  const auto found = box_b ? look_at_box(a, b, placement, counters)
                           : look_at_box(b, a, math::RelativePlacement(pose_b, pose_a), counters);
  if (found.kind == Kind::unknown) return std::nullopt;
  const TriangleId of_mesh{found.triangle}, of_box{found.face_triangle};
  return QuickMeshBox{found.kind == Kind::apart, box_b ? TrianglePair{of_mesh, of_box} : TrianglePair{of_box, of_mesh}};
}

bool triangles_cross(const body::BodyData& a, const body::BodyData& b, const math::RelativePlacement& placement,
                     const TrianglePair& pair, Counters& counters) {
  math::PlacedPoints points(placement, counters);
  ++counters.triangle_tests;
  for (std::size_t k = 0; k < 3; ++k) points.add_a(a.corner(index(pair.a), k));
  for (std::size_t k = 0; k < 3; ++k) points.add_b(b.corner(index(pair.b), k));
  return prim::triangle_triangle(points, a.inner_edges(index(pair.a)), b.inner_edges(index(pair.b))) ==
         prim::TriangleContact::crossing;
}

bool plain_boxes(const body::BodyData& a, const body::BodyData& b) {
  return is_plain_box_body(a) && is_plain_box_body(b);
}

std::optional<bool> boxes_apart(const body::BodyData& a, const Pose& pose_a, const body::BodyData& b,
                                const Pose& pose_b, double d) {
  const engine::curved::PlacedPair pair(*a.core, pose_a, *b.core, pose_b);
  const double scale = pair.a.scale;
  const double gap = shape::box_gap(pair.a.core->half * scale, pair.b.core->half * scale, pair.b.r, pair.b.t).gap;
  if (!std::isfinite(gap)) return std::nullopt;
  const double asked = d == 0 ? 0 : std::ldexp(d, -pair.exponent);
  if (gap > asked + shape::rounding * (1 + asked)) return true;
  if (gap < -shape::rounding) return false;
  return std::nullopt;
}

std::optional<TrianglePair> piercing_pair(const body::BodyData& a, const body::BodyData& b,
                                          const math::RelativePlacement& placement) {
  Vec3 corners[8];
  for (std::uint32_t v = 0; v < 8; ++v) corners[v] = placement.place(b.mesh.positions()[v]);
  if (const auto found = edge_into(a, b, corners))
    return TrianglePair{TriangleId{found->face_triangle}, TriangleId{found->edge_triangle}};
  const shape::PlacedCore into_b{nullptr, placement.rotation(), placement.translation()};
  for (std::uint32_t v = 0; v < 8; ++v) corners[v] = into_b.to_local(a.mesh.positions()[v] - into_b.t);
  if (const auto found = edge_into(b, a, corners))
    return TrianglePair{TriangleId{found->edge_triangle}, TriangleId{found->face_triangle}};
  return std::nullopt;
}

bool closest_triangles(const engine::distance::DistanceQuery& q, double relative_error, Counters& counters,
                       engine::distance::Candidate& out) {
  const engine::curved::PlacedPair pair(*q.a.core, q.pose_a, *q.b.core, q.pose_b);
  const shape::Gap gap = shape::find_gap(pair.a, pair.b, Vec3{}, math::infinity, -1, 0.25 * relative_error);
  counters.iterations += static_cast<std::uint64_t>(gap.iterations);
  const double lower = gap.lower - shape::rounding, allowed = (1 + relative_error) * lower;
  if (gap.overlap || !(lower > 0) || !(gap.upper + shape::rounding <= allowed)) return false;
  Vec3 own_b[4];
  for (int i = 0; i < gap.simplex.size; ++i) own_b[i] = pair.b.to_local(gap.simplex.b[i] - pair.b.t);
  const Vec3 point_a = engine::curved::scaled(gap.simplex.point_a(), pair.exponent);
  const Vec3 point_b = engine::curved::scaled(pair.b.to_local(gap.simplex.point_b() - pair.b.t), pair.exponent);
  out.a = triangle_with(q.a, gap.simplex.a, gap.simplex.size, point_a);
  out.b = triangle_with(q.b, own_b, gap.simplex.size, point_b);
  const auto corner_a = [&](std::size_t k) { return q.a.corner(out.a, k); };
  const auto corner_b = [&](std::size_t k) { return q.placement.place(q.b.corner(out.b, k)); };
  out.closest =
      prim::closest_triangle_triangle({corner_a(0), corner_a(1), corner_a(2)}, {corner_b(0), corner_b(1), corner_b(2)});
  out.rounded = std::sqrt(out.closest.squared);
  out.lower = std::ldexp(lower, pair.exponent);
  out.upper = std::ldexp(gap.upper + shape::rounding, pair.exponent);
  // The points are of these triangles, up to rounding: as far apart as they should be, or other triangles hold them.
  return out.rounded >= out.lower && out.rounded <= std::ldexp(allowed, pair.exponent);
}

}  // namespace graze::ask
