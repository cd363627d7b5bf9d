// SPDX-License-Identifier: MIT
#include <memory>

#include "peers/fcl_common.hpp"
// FCL's headers must come after the check above.
#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

namespace graze::bench {
namespace {

std::shared_ptr<fcl::Convex<double>> convex_of(const Mesh& mesh) {
  auto points = std::make_shared<std::vector<fcl::Vector3<double>>>();
  auto faces = std::make_shared<std::vector<int>>();
  for (const Vec3& p : mesh.positions()) points->emplace_back(p.x, p.y, p.z);
  for (const Triangle& t : mesh.triangles()) {
    faces->push_back(3);
    for (const auto corner : t) faces->push_back(static_cast<int>(corner));
  }
  return std::make_shared<fcl::Convex<double>>(points, static_cast<int>(mesh.triangle_count()), faces);
}

struct Bodies {
  explicit Bodies(const Scene& scene) : a(convex_of(scene.a)), b(convex_of(scene.b)), poses(fcl_poses(scene.poses)) {}

  std::shared_ptr<fcl::Convex<double>> a, b;
  FclPoses poses;

  double distance(std::size_t i) const {
    fcl::DistanceRequest<double> request(true);
    request.gjk_solver_type = fcl::GST_LIBCCD;
    fcl::DistanceResult<double> result;
    return fcl::distance(a.get(), poses[i].first, b.get(), poses[i].second, request, result);
  }
  double collide(std::size_t i) const {
    fcl::CollisionRequest<double> request;
    request.gjk_solver_type = fcl::GST_LIBCCD;
    fcl::CollisionResult<double> result;
    return fcl::collide(a.get(), poses[i].first, b.get(), poses[i].second, request, result) > 0;
  }
};

}  // namespace

std::vector<Contestant> enter_fcl_convex(Question question, const Scene& scene) {
  if (question != Question::convex_distance && question != Question::convex_yes_no) return {};
  auto bodies = std::make_shared<Bodies>(scene);
  // FCL provides the only distance query based on libccd: libccd itself has none.
  if (question == Question::convex_distance) {
    return {{"libccd through FCL", [bodies](std::size_t i) { return bodies->distance(i); }}};
  }
  return {{"libccd through FCL", [bodies](std::size_t i) { return bodies->collide(i); }}};
}

}  // namespace graze::bench
