// SPDX-License-Identifier: MIT
#include <ode/ode.h>

#include <memory>

#include "peers/peers.hpp"

namespace graze::bench {
namespace {

struct OdeMesh {
  std::vector<dReal> points;
  std::vector<dTriIndex> corners;
  dTriMeshDataID data = dGeomTriMeshDataCreate();
  dGeomID geom = nullptr;

  explicit OdeMesh(const Mesh& mesh) {
    for (const Vec3& p : mesh.positions()) {
      for (int k = 0; k < 3; ++k) points.push_back(static_cast<dReal>(p[k]));
    }
    for (const Triangle& t : mesh.triangles()) corners.insert(corners.end(), t.begin(), t.end());
    const auto build = sizeof(dReal) == sizeof(double) ? dGeomTriMeshDataBuildDouble : dGeomTriMeshDataBuildSingle;
    build(data, points.data(), 3 * sizeof(dReal), static_cast<int>(points.size() / 3), corners.data(),
          static_cast<int>(corners.size()), 3 * sizeof(dTriIndex));
    geom = dCreateTriMesh(nullptr, data, nullptr, nullptr, nullptr);
    dGeomTriMeshEnableTC(geom, dTriMeshClass, 0);  // no cache: the other libraries have none either
  }
  ~OdeMesh() {
    dGeomDestroy(geom);
    dGeomTriMeshDataDestroy(data);
  }
  OdeMesh(const OdeMesh&) = delete;
  OdeMesh& operator=(const OdeMesh&) = delete;

  void place(const Pose& pose) const {
    const auto [w, x, y, z] = pose.rotation();
    const dQuaternion q{static_cast<dReal>(w), static_cast<dReal>(x), static_cast<dReal>(y), static_cast<dReal>(z)};
    const Vec3 t = pose.translation();
    dGeomSetPosition(geom, static_cast<dReal>(t.x), static_cast<dReal>(t.y), static_cast<dReal>(t.z));
    dGeomSetQuaternion(geom, q);
  }
};

struct Bodies {
  explicit Bodies(const Scene& scene) : a(scene.a), b(scene.b), poses(scene.poses) {}
  OdeMesh a, b;
  std::vector<PosePair> poses;
  dContactGeom contact{};

  double collide(std::size_t i) {
    a.place(poses[i].a);
    b.place(poses[i].b);
    return dCollide(a.geom, b.geom, 1 | static_cast<int>(CONTACTS_UNIMPORTANT), &contact, sizeof(contact));
  }
  std::vector<IdPair> pairs(std::size_t i) {
    if (collide(i) == 0) return {};
    return {{static_cast<std::uint32_t>(contact.side1), static_cast<std::uint32_t>(contact.side2)}};
  }
};

void start_library() {
  static const int started = [] {
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateFlagCollisionData);
    return 1;
  }();
  static_cast<void>(started);
}

}  // namespace

std::vector<Contestant> enter_ode(Question question, const Scene& scene) {
  start_library();
  if (question == Question::build) {
    return {{"ODE", [mesh = scene.a](std::size_t) {
               const OdeMesh built(mesh);
               return 0.0;
             }}};
  }
  if (question != Question::yes_no) return {};  // its contacts are not a list of intersecting pairs
  auto bodies = std::make_shared<Bodies>(scene);
  return {{"ODE (float)", [bodies](std::size_t i) { return bodies->collide(i); },
           [bodies](std::size_t i) { return bodies->pairs(i); }}};
}

}  // namespace graze::bench
