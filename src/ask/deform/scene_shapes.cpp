// SPDX-License-Identifier: MIT
// Deforming bodies of a scene at the rigid shapes that no mesh stands for.
#include <algorithm>

#include "ask/deform/scene_data.hpp"
#include "ask/deform/shape_touch.hpp"
#include "core/limits.hpp"
#include "engine/deform/topology/topology.hpp"
#include "engine/deform/walk/parting.hpp"
#include "math/vectors.hpp"

namespace graze {

using engine::deform::PathPoints;

namespace {

/// The path of a vertex, and its degree.
PathPoints path_of(const SceneMember& m, std::uint32_t v) {
  PathPoints p{m.now[v], m.end()[v]};
  for (std::size_t k = 0; k < m.control.size(); ++k) p[k + 1] = m.control[k][v];
  return p;
}
std::size_t degree_of(const SceneMember& m) { return std::max<std::size_t>(1, m.control.size()); }

double far_of(const Box3& box) { return std::max(math::largest(box.lo), math::largest(box.hi)); }

/// `touch(separation, tolerance)`, or where what starts near may part: whether it keeps most of its distance.
template <class Touch>
std::optional<ShapeTouch> touch_of(Touch&& touch, double separation, double tolerance, bool may_part) {
  auto t = touch(separation, tolerance);
  if (t && may_part && t->time.touch == 0 && t->gap > 0) {
    const double kept = engine::deform::kept_share * t->gap;
    t = touch(kept, std::min(tolerance, kept / 16));
  }
  return t;
}

}  // namespace

/// A triangle touches a half-space only if one of its corners does.
bool DeformScene::Data::find_at_plane(std::uint32_t b, const DeformOptions& options, bool may_part,
                                      SceneResult& result) {
  const MovingPlane plane(*members[b].body, members[b].motion);
  for (std::uint32_t i = 0; i < members.size(); ++i) {
    const SceneMember& m = members[i];
    if (!m.deforming || !bodies_may(i, b)) continue;
    core::Poll poll;
    for (std::uint32_t v = 0; v < m.now.size(); ++v) {
      poll.rarely();
      const PathPoints p = path_of(m, v);
      if (!plane.is_sharp(std::span(p).first(degree_of(m) + 1), result.tolerance)) return false;
      ++result.counters.elementary_tests;
      const auto c = touch_of(
          [&](double separation, double tolerance) {
            return plane.touch(std::span(p).first(degree_of(m) + 1), separation, tolerance);
          },
          options.min_separation, result.tolerance, may_part);
      if (!c) continue;
      const DeformContact contact{ElementaryKind::vertex_face, {v, 0, 0, 0}, c->time, c->gap, c->time.touch == 0};
      result.contacts.push_back({SceneBodyId{i}, SceneBodyId{b}, contact});
    }
  }
  return true;
}

/// Triangles, loose edges and points whose paths come near the box of the shape's way, one by one.
bool DeformScene::Data::find_at_convex(std::uint32_t b, const DeformOptions& options, bool may_part,
                                       SceneResult& result) {
  std::vector<MovingConvex> convex;
  std::vector<Box3> near;
  Box3 near_any;
  const double around = (options.min_separation + result.tolerance) * (1 + 0x1p-40);
  for (const shape::Core& core : members[b].convex) {
    convex.emplace_back(core, members[b].motion);
    const Vec3 all{around, around, around};
    near.push_back({convex.back().swept_box().lo - all, convex.back().swept_box().hi + all});
    near_any.add(near.back());
  }
  for (std::uint32_t i = 0; i < members.size(); ++i) {
    const SceneMember& m = members[i];
    if (!m.deforming || !bodies_may(i, b)) continue;
    core::Poll poll;
    for (const Triangle& t : engine::deform::triangles_with_loose(*m.mesh)) {
      poll.rarely();
      std::array<PathPoints, 3> p;
      Box3 box;
      for (std::size_t k = 0; k < 3; ++k) {
        p[k] = path_of(m, t[k]);
        for (std::size_t d = 0; d <= degree_of(m); ++d) box.add(p[k][d]);
      }
      if (!box.overlaps(near_any)) continue;
      for (std::uint32_t n = 0; n < convex.size(); ++n) {
        if (!box.overlaps(near[n])) continue;
        if (!(8 * convex[n].error(far_of(box)) < result.tolerance)) return false;
        ++result.counters.elementary_tests;
        const auto c = touch_of(
            [&](double separation, double tolerance) {
              return convex[n].touch(std::span<const PathPoints, 3>(p), degree_of(m), separation, tolerance);
            },
            options.min_separation, result.tolerance, may_part);
        if (!c) continue;
        const DeformContact contact{
            ElementaryKind::vertex_face, {n, t[0], t[1], t[2]}, c->time, c->gap, c->time.touch == 0};
        result.contacts.push_back({SceneBodyId{b}, SceneBodyId{i}, contact});
      }
    }
  }
  return true;
}

bool DeformScene::Data::find_at_shapes(const DeformOptions& options, bool may_part, SceneResult& result) {
  for (std::uint32_t b = 0; b < members.size(); ++b) {
    if (members[b].deforming || members[b].mesh) continue;
    if (!(members[b].is_half_space() ? find_at_plane(b, options, may_part, result)
                                     : find_at_convex(b, options, may_part, result)))
      return false;
  }
  return true;
}

}  // namespace graze
