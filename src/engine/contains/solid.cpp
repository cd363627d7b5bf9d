// SPDX-License-Identifier: MIT
#include "engine/contains/solid.hpp"

#include <string>

#include "core/fp_guard.hpp"
#include "engine/contains/point_in_body.hpp"

namespace graze {

namespace engine::contains {

std::optional<ErrorDetail> not_solid(const body::BodyData& body, const char* label) {
  const Classification& c = body.classification();
  if (c.even) return std::nullopt;
  std::string where;
  if (!c.boundary_edges.empty())
    where = "edge " + std::to_string(index(c.boundary_edges[0].edge[0])) + " " +
            std::to_string(index(c.boundary_edges[0].edge[1])) + " is on one polygon only";
  else
    where = "an edge bounds an odd number of polygons";
  return engine::collide::unsupported("the body has no inside: " + where + " (" +
                                          std::to_string(c.boundary_edges.size()) +
                                          " boundary edges); close it, weld it, or ask without solid",
                                      std::string("body ") + label);
}

namespace {

/// One vertex of each connected component. If the surfaces are disjoint, a component is inside the other body either
/// entirely or not at all.
std::vector<std::uint32_t> representatives(const body::BodyData& body) {
  const Classification& c = body.classification();
  std::vector<std::uint32_t> first;
  for (std::uint32_t p = 0; p < body.mesh.polygon_count(); ++p)
    if (c.component_of[p] == first.size())
      first.push_back(body.mesh.polygon(PolygonId{p})[0]);  // components are numbered by their lowest polygon
  return first;
}

/// Is some component of `inner` inside `outer`? Returns a vertex that proves it.
std::optional<std::uint32_t> part_inside(const body::BodyData& outer, const body::BodyData& inner,
                                         const math::RelativePlacement& placement, Counters& counters) {
  for (const std::uint32_t v : representatives(inner))
    if (point_in_body(outer, placement, inner.mesh.positions()[v], counters) == Location::inside) return v;
  return std::nullopt;
}

}  // namespace

void add_containment(const engine::collide::CollideQuery& q, CollideResult& result) {
  if (const auto v = part_inside(q.a, q.b, q.placement, q.counters)) {
    result.contained = Containment::b_in_a;
    result.points = {q.pose_b.apply(q.b.mesh.positions()[*v]), q.pose_b.apply(q.b.mesh.positions()[*v])};
  } else {
    const math::RelativePlacement swapped(q.pose_b, q.pose_a);
    const auto w = part_inside(q.b, q.a, swapped, q.counters);
    if (!w) return;
    result.contained = Containment::a_in_b;
    result.points = {q.pose_a.apply(q.a.mesh.positions()[*w]), q.pose_a.apply(q.a.mesh.positions()[*w])};
  }
  result.status = Status::contact;
}

}  // namespace engine::contains

ContainsResult contains(const Body& body, const Pose& pose, const Vec3& point) {
  const core::FpGuard guard;
  ContainsResult result;
  if (!is_finite(point)) {
    result.error = ErrorDetail{.code = ErrorCode::not_finite,
                               .message = "the point is not finite; give three finite numbers",
                               .element = "point",
                               .id = ErrorDetail::none,
                               .file = {},
                               .line = ErrorDetail::none};
    return result;
  }
  if (auto error = engine::contains::not_solid(body.data(), "A")) {
    result.error = std::move(error);
    return result;
  }
  const math::RelativePlacement placement(pose, Pose());
  result.location = engine::contains::point_in_body(body.data(), placement, point, result.counters);
  return result;
}

}  // namespace graze
