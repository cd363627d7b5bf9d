// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "peers/fcl_common.hpp"
// FCL's headers must come after the check above.
#include <fcl/geometry/bvh/BVH_model.h>

#include <graze/mesh/mesh.hpp>

namespace graze::bench {

template <class Bv>
std::shared_ptr<fcl::BVHModel<Bv>> fcl_model(const Mesh& mesh) {
  std::vector<fcl::Vector3<double>> points;
  std::vector<fcl::Triangle> triangles;
  for (const Vec3& p : mesh.positions()) points.emplace_back(p.x, p.y, p.z);
  for (const Triangle& t : mesh.triangles()) triangles.emplace_back(t[0], t[1], t[2]);
  auto model = std::make_shared<fcl::BVHModel<Bv>>();
  model->beginModel(static_cast<int>(triangles.size()), static_cast<int>(points.size()));
  model->addSubModel(points, triangles);
  model->endModel();
  return model;
}

}  // namespace graze::bench
