// SPDX-License-Identifier: MIT
#include <memory>

#include "peers/fcl_common.hpp"
// FCL's headers must come after the check above.
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/cone.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/ellipsoid.h>
#include <fcl/geometry/shape/halfspace.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include "peers/shapes.hpp"

namespace graze::bench {
namespace {

using Geometry = std::shared_ptr<fcl::CollisionGeometry<double>>;

Geometry mesh_of(const Mesh& mesh) {
  auto model = std::make_shared<fcl::BVHModel<fcl::OBBRSS<double>>>();
  std::vector<fcl::Vector3<double>> points;
  std::vector<fcl::Triangle> triangles;
  for (const Vec3& p : mesh.positions()) points.emplace_back(p.x, p.y, p.z);
  for (const Triangle& t : mesh.triangles()) triangles.emplace_back(t[0], t[1], t[2]);
  model->beginModel();
  model->addSubModel(points, triangles);
  model->endModel();
  return model;
}

Geometry convex_of(const Mesh& mesh) {
  auto points = std::make_shared<std::vector<fcl::Vector3<double>>>();
  for (const Vec3& p : mesh.positions()) points->emplace_back(p.x, p.y, p.z);
  auto faces = std::make_shared<std::vector<int>>();
  for (const Triangle& t : mesh.triangles()) {
    faces->push_back(3);
    for (const std::uint32_t v : t) faces->push_back(static_cast<int>(v));
  }
  return std::make_shared<fcl::Convex<double>>(points, static_cast<int>(mesh.triangle_count()), faces);
}

bool is_half_space(const Body& body) {
  return body.shape() && std::holds_alternative<shape::HalfSpace>(body.shape()->kind);
}

Geometry geometry_of(const Body& body) {
  if (!body.shape()) return mesh_of(body.mesh());
  using namespace shape;
  const Kind& k = body.shape()->kind;
  if (const auto* x = std::get_if<Sphere>(&k)) return std::make_shared<fcl::Sphere<double>>(x->radius);
  if (const auto* x = std::get_if<Capsule>(&k)) return std::make_shared<fcl::Capsule<double>>(x->radius, x->length);
  if (const auto* x = std::get_if<Box>(&k))
    return std::make_shared<fcl::Box<double>>(x->sides.x, x->sides.y, x->sides.z);
  if (const auto* x = std::get_if<Cylinder>(&k)) return std::make_shared<fcl::Cylinder<double>>(x->radius, x->height);
  if (const auto* x = std::get_if<Cone>(&k)) return std::make_shared<fcl::Cone<double>>(x->radius, x->height);
  if (const auto* x = std::get_if<Ellipsoid>(&k))
    return std::make_shared<fcl::Ellipsoid<double>>(x->half_axes.x, x->half_axes.y, x->half_axes.z);
  if (std::holds_alternative<HalfSpace>(k))
    return std::make_shared<fcl::Halfspace<double>>(fcl::Vector3<double>(0, 0, 1), 0.0);
  return convex_of(body.mesh());
}

struct Shapes {
  explicit Shapes(const ShapeScene& scene)
      : a(geometry_of(scene.a)), b(geometry_of(scene.b)), poses(fcl_poses(scene.poses)) {}

  Geometry a, b;
  FclPoses poses;

  double distance(std::size_t i) const {
    fcl::DistanceRequest<double> request(true);
    request.gjk_solver_type = fcl::GST_LIBCCD;
    fcl::DistanceResult<double> result;
    return std::max(0.0, fcl::distance(a.get(), poses[i].first, b.get(), poses[i].second, request, result));
  }
  double collide(std::size_t i, bool depth) const {
    fcl::CollisionRequest<double> request(1, depth);
    request.gjk_solver_type = fcl::GST_LIBCCD;
    fcl::CollisionResult<double> result;
    const bool meet = fcl::collide(a.get(), poses[i].first, b.get(), poses[i].second, request, result) > 0;
    return depth ? (meet ? result.getContact(0).penetration_depth : 0) : meet;
  }
};

}  // namespace

std::vector<Contestant> enter_fcl_shapes(ShapeQuestion question, const ShapeScene& scene) {
  const auto shapes = std::make_shared<Shapes>(scene);
  if (!shapes->a || !shapes->b) return {};
  const bool with_mesh = !scene.a.shape() || !scene.b.shape();
  switch (question) {
    case ShapeQuestion::yes_no: return {{"FCL", [shapes](std::size_t i) { return shapes->collide(i, false); }}};
    case ShapeQuestion::distance:
      if (is_half_space(scene.a) || is_half_space(scene.b)) return {};  // FCL has no such distance
      return {{"FCL", [shapes](std::size_t i) { return shapes->distance(i); }}};
    case ShapeQuestion::depth:
      if (with_mesh) return {};
      return {{"FCL (libccd)", [shapes](std::size_t i) { return shapes->collide(i, true); }}};
  }
  return {};
}

}  // namespace graze::bench
