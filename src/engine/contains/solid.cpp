// SPDX-License-Identifier: MIT
#include "engine/contains/solid.hpp"

#include <string>

#include "body/compound.hpp"
#include "core/limits.hpp"
#include "engine/contains/point_in_body.hpp"

namespace graze {

namespace engine::contains {

std::optional<ErrorDetail> not_solid(const body::BodyData& body, const char* label) {
  if (body.shape) return std::nullopt;  // shapes are solid, flat ones included
  if (body.surface)
    return engine::collide::unsupported("a surface given by functions has no inside; query without solid",
                                        std::string("body ") + label);
  if (body.compound) {
    const body::CompoundData& parts = *body.compound;
    const std::optional<std::uint32_t>& first = parts.first_open.get([&]() -> std::optional<std::uint32_t> {
      for (std::uint32_t i = 0; i < parts.placed.size(); ++i)
        if (not_solid(parts.placed[i].data(), label)) return i;
      return std::nullopt;
    });
    if (!first) return std::nullopt;
    auto open = not_solid(parts.placed[*first].data(), label);
    const std::string& name = parts.pieces[*first].name;
    open->element += ", piece " + std::to_string(*first) + (name.empty() ? "" : " (" + name + ")");
    return open;
  }
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
                                          " boundary edges); close it, weld it, or query without solid",
                                      std::string("body ") + label);
}

namespace {

/// One vertex of each connected component. If the surfaces are disjoint, a component is inside the other body either
/// entirely or not at all.
std::vector<std::uint32_t> representatives(const body::BodyData& body) {
  const Classification& c = body.classification();
  std::vector<std::uint32_t> first;
  // Most bodies have one component, which is found at once.
  for (std::uint32_t p = 0; first.size() < c.component_count && p < body.mesh.polygon_count(); ++p)
    if (c.component_of[p] == first.size())
      first.push_back(body.mesh.polygon(PolygonId{p})[0]);  // components are numbered by their lowest polygon
  return first;
}

/// Is some component of `inner` inside `outer`? Returns a vertex that proves it.
std::optional<std::uint32_t> part_inside(const body::BodyData& outer, const body::BodyData& inner,
                                         const math::RelativePlacement& placement, Counters& counters) {
  if (!outer.classification().even) return std::nullopt;  // a flat hull: nothing is inside
  core::Poll poll;
  for (const std::uint32_t v : representatives(inner)) {
    poll.only_time();
    if (point_in_body(outer, placement, inner.mesh.positions()[v], counters) == Location::inside) return v;
  }
  return std::nullopt;
}

}  // namespace

void add_containment(const engine::collide::CollideQuery& q, bool a_is_solid, bool b_is_solid, CollideResult& result) {
  const auto in_a = a_is_solid ? part_inside(q.a, q.b, q.placement, q.counters) : std::nullopt;
  if (const auto v = in_a) {
    result.contained = Containment::b_in_a;
    result.points = {q.pose_b.apply(q.b.mesh.positions()[*v]), q.pose_b.apply(q.b.mesh.positions()[*v])};
  } else {
    if (!b_is_solid) return;
    const math::RelativePlacement swapped(q.pose_b, q.pose_a);
    const auto w = part_inside(q.b, q.a, swapped, q.counters);
    if (!w) return;
    result.contained = Containment::a_in_b;
    result.points = {q.pose_a.apply(q.a.mesh.positions()[*w]), q.pose_a.apply(q.a.mesh.positions()[*w])};
  }
  result.status = Status::contact;
}

}  // namespace engine::contains

}  // namespace graze
