// SPDX-License-Identifier: MIT
#include <ccd/ccd.h>
#include <ccd/quat.h>

#include <memory>

#include "peers/peers.hpp"

namespace graze::bench {
namespace {

/// A convex body for libccd, with the support function that a good caller would write: hill climbing over the hull's
/// edges, starting at the vertex of the last call. Small bodies are searched linearly, as in FCL.
class Hull {
 public:
  explicit Hull(const Mesh& mesh) : points_(mesh.positions().begin(), mesh.positions().end()) {
    std::vector<std::vector<std::uint32_t>> neighbours(points_.size());
    for (const Triangle& t : mesh.triangles()) {
      for (int k = 0; k < 3; ++k) neighbours[t[k]].push_back(t[(k + 1) % 3]);
    }
    for (const auto& list : neighbours) {
      first_.push_back(static_cast<std::uint32_t>(neighbours_.size()));
      neighbours_.insert(neighbours_.end(), list.begin(), list.end());
    }
    first_.push_back(static_cast<std::uint32_t>(neighbours_.size()));
  }

  void place(const Pose& pose) {
    const auto [w, x, y, z] = pose.rotation();
    ccdQuatSet(&rotation_, x, y, z, w);
    ccdQuatInvert2(&inverse_, &rotation_);
    ccdVec3Set(&translation_, pose.translation().x, pose.translation().y, pose.translation().z);
  }

  static void support(const void* self, const ccd_vec3_t* direction, ccd_vec3_t* out) {
    const auto& hull = *static_cast<const Hull*>(self);
    ccd_vec3_t local = *direction;
    ccdQuatRotVec(&local, &hull.inverse_);
    const Vec3 d{local.v[0], local.v[1], local.v[2]};
    const Vec3 p = hull.points_[hull.points_.size() <= kSmall ? hull.search(d) : hull.climb(d)];
    ccdVec3Set(out, p.x, p.y, p.z);
    ccdQuatRotVec(out, &hull.rotation_);
    ccdVec3Add(out, &hull.translation_);
  }
  static void centre(const void* self, ccd_vec3_t* out) { *out = static_cast<const Hull*>(self)->translation_; }

 private:
  static constexpr std::size_t kSmall = 32;

  std::size_t search(const Vec3& d) const {
    std::size_t best = 0;
    double most = dot(points_[0], d);
    for (std::size_t i = 1; i < points_.size(); ++i) {
      const double value = dot(points_[i], d);
      if (value > most) most = value, best = i;
    }
    return best;
  }
  std::size_t climb(const Vec3& d) const {
    double most = dot(points_[last_], d);
    for (bool higher = true; higher;) {
      higher = false;
      const std::uint32_t from = last_;
      for (std::uint32_t k = first_[from]; k < first_[from + 1]; ++k) {
        const double value = dot(points_[neighbours_[k]], d);
        if (value > most) most = value, last_ = neighbours_[k], higher = true;
      }
    }
    return last_;
  }

  std::vector<Vec3> points_;
  std::vector<std::uint32_t> first_, neighbours_;
  mutable std::uint32_t last_ = 0;
  ccd_quat_t rotation_{}, inverse_{};
  ccd_vec3_t translation_{};
};

struct Bodies {
  explicit Bodies(const Scene& scene) : a(scene.a), b(scene.b), poses(scene.poses) {
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = Hull::support;
    ccd.center1 = ccd.center2 = Hull::centre;
    ccd.max_iterations = 500;
  }
  Hull a, b;
  std::vector<PosePair> poses;
  ccd_t ccd{};

  void place(std::size_t i) {
    a.place(poses[i].a);
    b.place(poses[i].b);
  }
};

}  // namespace

std::vector<Contestant> enter_libccd(Question question, const Scene& scene) {
  if (question != Question::convex_yes_no) return {};  // libccd has no distance of its own: see "FCL, libccd"
  auto bodies = std::make_shared<Bodies>(scene);
  return {{"libccd GJK",
           [bodies](std::size_t i) {
             bodies->place(i);
             return static_cast<double>(ccdGJKIntersect(&bodies->a, &bodies->b, &bodies->ccd));
           }},
          {"libccd MPR", [bodies](std::size_t i) {
             bodies->place(i);
             return static_cast<double>(ccdMPRIntersect(&bodies->a, &bodies->b, &bodies->ccd));
           }}};
}

}  // namespace graze::bench
