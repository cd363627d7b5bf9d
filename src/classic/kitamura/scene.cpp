// SPDX-License-Identifier: MIT
#include "classic/kitamura/scene.hpp"

#include <string>

#include "core/parallel.hpp"
#include "core/refusal.hpp"
#include "math/relative_placement.hpp"

namespace graze::classic::kitamura {

namespace {

ErrorDetail wrong(ErrorCode code, std::string message, std::string element, std::uint64_t id) {
  return core::problem(code, std::move(element), std::move(message), id);
}

bool is_identity(const Pose& pose) {
  const Quat& q = pose.rotation();
  return pose.translation() == Vec3{} && q.x == 0 && q.y == 0 && q.z == 0;
}

/// The exact box of the positions that faces use.
Box3 box_of(const PlacedBody& body) {
  Box3 box;
  for (const Triangle& t : body.triangles)
    for (const std::uint32_t v : t) box.add(body.world[v]);
  return box;
}

void place(PlacedBody& body, std::vector<Vec3>& storage) {
  const math::RelativePlacement placement(Pose(), body.pose);
  storage.resize(body.local.size());
  for (std::size_t i = 0; i < storage.size(); ++i) {
    storage[i] = placement.place(body.local[i]);
    body.error = std::max(body.error, placement.error(body.local[i]));
    body.bounded = body.bounded && is_finite(storage[i]);
  }
  body.world = storage;
  body.bounded = body.bounded && body.error < std::numeric_limits<double>::infinity();
  body.box = body.bounded ? padded(box_of(body), body.error) : everywhere();
}

}  // namespace

std::optional<ErrorDetail> Scene::mistake(std::span<const InterferenceBody> bodies) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const InterferenceBody& body = bodies[i];
    if (body.mesh.polygon_count() == 0)
      return wrong(ErrorCode::empty_mesh, "a body needs a polygon; loose edges and points are not tested here", "body",
                   i);
    if (body.positions.empty()) continue;
    const std::string name = "body " + std::to_string(i);
    if (body.positions.size() != body.mesh.vertex_count())
      return wrong(ErrorCode::bad_option,
                   "there must be as many positions as the mesh has vertices: " +
                       std::to_string(body.mesh.vertex_count()) + ", not " + std::to_string(body.positions.size()),
                   "body", i);
    for (std::size_t v = 0; v < body.positions.size(); ++v)
      if (!is_finite(body.positions[v]))
        return wrong(ErrorCode::not_finite, "the coordinates of a position must be finite numbers", name + ", vertex",
                     v);
  }
  return std::nullopt;
}

Scene::Scene(std::span<const InterferenceBody> bodies, int threads) : placed_(bodies.size()) {
  bodies_.reserve(bodies.size());
  for (const InterferenceBody& body : bodies) {
    const std::span<const Vec3> local = body.positions.empty() ? body.mesh.positions() : body.positions;
    bodies_.push_back({.mesh = body.mesh,
                       .triangles = body.mesh.triangles(),
                       .local = local,
                       .world = local,
                       .pose = body.pose.value_or(Pose()),
                       .box = {}});
  }
  core::parallel_for(bodies.size(), threads, [&](std::size_t i) {
    PlacedBody& body = bodies_[i];
    if (is_identity(body.pose)) {
      body.pose = Pose();
      body.box = box_of(body);
    } else {
      place(body, placed_[i]);
    }
  });
}

}  // namespace graze::classic::kitamura
