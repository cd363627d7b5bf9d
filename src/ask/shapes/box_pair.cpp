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

}  // namespace graze::ask
