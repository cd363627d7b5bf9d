// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>

#include "peers/fcl_common.hpp"
#include "peers/fcl_model.hpp"
// FCL's headers must come after the check above.
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

namespace graze::bench {
namespace {

template <class Bv>
struct Bodies {
  explicit Bodies(const Scene& scene)
      : a(fcl_model<Bv>(scene.a)),
        // One model for both, as for graze: two copies would not share the caches.
        b(&scene.a.positions()[0] == &scene.b.positions()[0] ? a : fcl_model<Bv>(scene.b)),
        poses(fcl_poses(scene.poses)) {}

  std::shared_ptr<fcl::BVHModel<Bv>> a, b;
  FclPoses poses;
  fcl::CollisionRequest<double> request;
  fcl::CollisionResult<double> result;

  double collide(std::size_t i) {
    result.clear();
    return static_cast<double>(fcl::collide(a.get(), poses[i].first, b.get(), poses[i].second, request, result));
  }
  double distance(std::size_t i) {
    fcl::DistanceRequest<double> question(true);
    fcl::DistanceResult<double> answer;
    return fcl::distance(a.get(), poses[i].first, b.get(), poses[i].second, question, answer);
  }
  std::vector<IdPair> pairs(std::size_t i) {
    collide(i);
    std::vector<IdPair> out;
    for (std::size_t k = 0; k < result.numContacts(); ++k) {
      const auto& contact = result.getContact(k);
      out.emplace_back(contact.b1, contact.b2);
    }
    std::sort(out.begin(), out.end());
    return out;
  }
};

template <class Bv>
Contestant collider(std::string name, const Scene& scene, std::size_t max_contacts) {
  auto bodies = std::make_shared<Bodies<Bv>>(scene);
  bodies->request.num_max_contacts = max_contacts;
  return {std::move(name), [bodies](std::size_t i) { return bodies->collide(i); },
          [bodies](std::size_t i) { return bodies->pairs(i); }};
}

template <class Bv>
Contestant measurer(std::string name, const Scene& scene) {
  auto bodies = std::make_shared<Bodies<Bv>>(scene);
  return {std::move(name), [bodies](std::size_t i) { return bodies->distance(i); }};
}

template <class Bv>
Contestant builder(std::string name, const Mesh& mesh) {
  return {std::move(name), [mesh](std::size_t) {
            const auto model = fcl_model<Bv>(mesh);
            // Not memUsage(): despite its name it returns a status.
            return static_cast<double>(sizeof(fcl::BVNode<Bv>) * model->getNumBVs() +
                                       sizeof(fcl::Triangle) * model->num_tris +
                                       sizeof(fcl::Vector3<double>) * model->num_vertices);
          }};
}

}  // namespace

std::vector<Contestant> enter_fcl_mesh(Question question, const Scene& scene) {
  using fcl::OBB, fcl::OBBRSS, fcl::RSS;
  switch (question) {
    case Question::yes_no:
      return {collider<OBB<double>>("FCL OBB", scene, 1), collider<OBBRSS<double>>("FCL OBBRSS", scene, 1)};
    case Question::all_pairs:
      return {collider<OBB<double>>("FCL OBB", scene, 1 << 30), collider<OBBRSS<double>>("FCL OBBRSS", scene, 1 << 30)};
    case Question::distance:
      return {measurer<RSS<double>>("FCL RSS", scene), measurer<OBBRSS<double>>("FCL OBBRSS", scene)};
    case Question::build:
      return {builder<OBB<double>>("FCL OBB", scene.a), builder<OBBRSS<double>>("FCL OBBRSS", scene.a)};
    default: return {};
  }
}

Meets fcl_meets(const Mesh& a, const Mesh& b) {
  auto bodies = std::make_shared<Bodies<fcl::OBB<double>>>(Scene{a, b, {}});
  return [bodies](const PosePair& pose) {
    bodies->poses.assign(1, {fcl_pose(pose.a), fcl_pose(pose.b)});
    return bodies->collide(0) > 0;
  };
}

}  // namespace graze::bench
