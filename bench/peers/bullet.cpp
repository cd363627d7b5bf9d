// SPDX-License-Identifier: MIT
#include <BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>

#include <algorithm>
#include <memory>

#include "peers/peers.hpp"
#include "peers/placement.hpp"

namespace graze::bench {
namespace {

struct GImpactMesh {
  std::vector<btScalar> points;
  std::vector<int> corners;
  std::unique_ptr<btTriangleIndexVertexArray> array;
  std::unique_ptr<btGImpactMeshShape> shape;

  explicit GImpactMesh(const Mesh& mesh) {
    for (const Vec3& p : mesh.positions()) {
      for (int k = 0; k < 3; ++k) points.push_back(static_cast<btScalar>(p[k]));
    }
    for (const Triangle& t : mesh.triangles()) corners.insert(corners.end(), t.begin(), t.end());
    array = std::make_unique<btTriangleIndexVertexArray>(
        static_cast<int>(corners.size() / 3), corners.data(), 3 * static_cast<int>(sizeof(int)),
        static_cast<int>(points.size() / 3), points.data(), 3 * static_cast<int>(sizeof(btScalar)));
    shape = std::make_unique<btGImpactMeshShape>(array.get());
    shape->setMargin(0);
    shape->updateBound();
  }
  btGImpactMeshShapePart* part() const { return shape->getMeshPart(0); }
};

btTransform transform(const Pose& pose) {
  const auto [r, t] = placement(pose);
  const auto s = [](double value) { return static_cast<btScalar>(value); };
  return btTransform(btMatrix3x3(s(r[0][0]), s(r[0][1]), s(r[0][2]), s(r[1][0]), s(r[1][1]), s(r[1][2]), s(r[2][0]),
                                 s(r[2][1]), s(r[2][2])),
                     btVector3(s(t.x), s(t.y), s(t.z)));
}

struct Bodies {
  explicit Bodies(const Scene& scene) : a(scene.a), b(scene.b) {
    for (const PosePair& pose : scene.poses) poses.emplace_back(transform(pose.a), transform(pose.b));
  }
  GImpactMesh a, b;
  std::vector<std::pair<btTransform, btTransform>> poses;
  btPairSet boxes;

  /// The steps of GImpact's own algorithm for two meshes, without creating contacts from the pairs.
  template <class Visit>
  void for_each_pair(std::size_t i, Visit visit) {
    const auto& [ta, tb] = poses[i];
    boxes.resize(0);
    btGImpactBoxSet::find_collision(a.part()->getBoxSet(), ta, b.part()->getBoxSet(), tb, boxes);
    a.part()->lockChildShapes();
    b.part()->lockChildShapes();
    for (int k = 0; k < boxes.size(); ++k) {
      btPrimitiveTriangle first, second;
      a.part()->getPrimitiveTriangle(boxes[k].m_index1, first);
      b.part()->getPrimitiveTriangle(boxes[k].m_index2, second);
      first.applyTransform(ta);
      second.applyTransform(tb);
      first.buildTriPlane();
      second.buildTriPlane();
      GIM_TRIANGLE_CONTACT contact;
      if (!first.overlap_test_conservative(second)) continue;
      if (!first.find_triangle_collision_clip_method(second, contact)) continue;
      visit(boxes[k].m_index1, boxes[k].m_index2);
    }
    b.part()->unlockChildShapes();
    a.part()->unlockChildShapes();
  }
  double count(std::size_t i) {
    std::size_t found = 0;
    for_each_pair(i, [&](int, int) { ++found; });
    return static_cast<double>(found);
  }
  std::vector<IdPair> pairs(std::size_t i) {
    std::vector<IdPair> out;
    for_each_pair(i, [&](int first, int second) { out.emplace_back(first, second); });
    std::sort(out.begin(), out.end());
    return out;
  }
};

}  // namespace

std::vector<Contestant> enter_bullet(Question question, const Scene& scene) {
  if (question == Question::build) {
    return {{"Bullet GImpact (float)", [mesh = scene.a](std::size_t) {
               const GImpactMesh built(mesh);
               const auto nodes = built.part()->getBoxSet()->getNodeCount();
               return static_cast<double>(nodes) * static_cast<double>(sizeof(GIM_BVH_TREE_NODE));
             }}};
  }
  if (question != Question::all_pairs) return {};
  auto bodies = std::make_shared<Bodies>(scene);
  return {{"Bullet GImpact (float)", [bodies](std::size_t i) { return bodies->count(i); },
           [bodies](std::size_t i) { return bodies->pairs(i); }}};
}

}  // namespace graze::bench
