// SPDX-License-Identifier: MIT
// Which placed meshes FCL finds in collision, and how far apart it says that they are: beside what
// graze.CollisionManager answers. Reads from standard input
//   mesh VERTICES TRIANGLES, then three coordinates or three corners in each line; object MESH x y z w x y z
// and prints for each two objects i < k: i k 1|0 DISTANCE.

// Debian's FCL is built without AVX: with a different alignment of Eigen types it crashes or misses contacts.
#define EIGEN_MAX_ALIGN_BYTES 16
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

using Model = fcl::BVHModel<fcl::OBBRSSd>;

namespace {

std::shared_ptr<Model> read_mesh() {
  std::size_t vertices = 0, triangles = 0;
  std::cin >> vertices >> triangles;
  std::vector<fcl::Vector3d> points(vertices);
  std::vector<fcl::Triangle> faces;
  for (auto& p : points) std::cin >> p[0] >> p[1] >> p[2];
  for (std::size_t i = 0; i < triangles; ++i) {
    std::size_t a = 0, b = 0, c = 0;
    std::cin >> a >> b >> c;
    faces.emplace_back(a, b, c);
  }
  auto model = std::make_shared<Model>();
  model->beginModel();
  model->addSubModel(points, faces);
  model->endModel();
  return model;
}

fcl::Transform3d read_pose() {
  fcl::Vector3d t;
  double w = 1, x = 0, y = 0, z = 0;
  std::cin >> t[0] >> t[1] >> t[2] >> w >> x >> y >> z;
  fcl::Transform3d pose = fcl::Transform3d::Identity();
  pose.linear() = Eigen::Quaterniond(w, x, y, z).normalized().toRotationMatrix();
  pose.translation() = t;
  return pose;
}

}  // namespace

int main() {
  std::vector<std::shared_ptr<Model>> meshes;
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects;
  for (std::string word; std::cin >> word;) {
    if (word == "mesh") {
      meshes.push_back(read_mesh());
    } else {
      std::size_t mesh = 0;
      std::cin >> mesh;
      objects.push_back(std::make_unique<fcl::CollisionObjectd>(meshes.at(mesh), read_pose()));
    }
  }
  for (std::size_t i = 0; i < objects.size(); ++i) {
    for (std::size_t k = i + 1; k < objects.size(); ++k) {
      fcl::CollisionRequestd collision;
      fcl::CollisionResultd touching;
      fcl::collide(objects[i].get(), objects[k].get(), collision, touching);
      fcl::DistanceRequestd request;
      fcl::DistanceResultd apart;
      const double distance = fcl::distance(objects[i].get(), objects[k].get(), request, apart);
      std::printf("%zu %zu %d %.17g\n", i, k, touching.isCollision() ? 1 : 0, distance);
    }
  }
  return 0;
}
