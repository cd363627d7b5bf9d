// SPDX-License-Identifier: MIT
#include <embree3/rtcore.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>

#include "peers/peers.hpp"
#include "peers/placement.hpp"

namespace graze::bench {
namespace {

/// A tree over the boxes of a mesh's triangles. Embree's `rtcCollide` supports only boxes of user geometry: it has no
/// triangle test and no poses, so a moving body must be placed vertex by vertex and its tree refitted.
class BoxTree {
 public:
  BoxTree(RTCDevice device, const Mesh& mesh) : mesh_(mesh), boxes_(mesh.triangle_count()) {
    scene_ = rtcNewScene(device);
    geometry_ = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_DYNAMIC);
    // With any other quality, a scene is rebuilt at every commit.
    rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_LOW);
    rtcSetGeometryBuildQuality(geometry_, RTC_BUILD_QUALITY_REFIT);
    rtcSetGeometryUserPrimitiveCount(geometry_, static_cast<unsigned>(boxes_.size()));
    rtcSetGeometryUserData(geometry_, this);
    rtcSetGeometryBoundsFunction(geometry_, bounds, nullptr);
    place(Placement{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {}});
    rtcCommitGeometry(geometry_);
    rtcAttachGeometry(scene_, geometry_);
    rtcCommitScene(scene_);
  }
  ~BoxTree() {
    rtcReleaseGeometry(geometry_);
    rtcReleaseScene(scene_);
  }
  BoxTree(const BoxTree&) = delete;
  BoxTree& operator=(const BoxTree&) = delete;

  void move(const Placement& placement) {
    place(placement);
    rtcCommitGeometry(geometry_);
    rtcCommitScene(scene_);
  }
  RTCScene scene() const { return scene_; }

 private:
  static float down(double x) {
    const auto f = static_cast<float>(x);
    return f < x ? f : std::nextafter(f, -std::numeric_limits<float>::infinity());
  }
  static float up(double x) { return -down(-x); }

  void place(const Placement& placement) {
    const auto& [r, t] = placement;
    placed_.clear();
    for (const Vec3& x : mesh_.positions())
      placed_.push_back({r[0][0] * x.x + r[0][1] * x.y + r[0][2] * x.z + t.x,
                         r[1][0] * x.x + r[1][1] * x.y + r[1][2] * x.z + t.y,
                         r[2][0] * x.x + r[2][1] * x.y + r[2][2] * x.z + t.z});
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      const Triangle& c = mesh_.triangles()[i];
      const Vec3 &p = placed_[c[0]], &q = placed_[c[1]], &s = placed_[c[2]];
      boxes_[i] = {
          down(std::min({p.x, q.x, s.x})), down(std::min({p.y, q.y, s.y})), down(std::min({p.z, q.z, s.z})), 0,
          up(std::max({p.x, q.x, s.x})),   up(std::max({p.y, q.y, s.y})),   up(std::max({p.z, q.z, s.z})),   0};
    }
  }
  static void bounds(const RTCBoundsFunctionArguments* asked) {
    *asked->bounds_o = static_cast<const BoxTree*>(asked->geometryUserPtr)->boxes_[asked->primID];
  }

  const Mesh& mesh_;
  RTCScene scene_ = nullptr;
  RTCGeometry geometry_ = nullptr;
  std::vector<Vec3> placed_;
  std::vector<RTCBounds> boxes_;
};

struct Bodies {
  explicit Bodies(const Scene& scene) : mesh_a(scene.a), mesh_b(scene.b) {
    if (!device) throw std::runtime_error("Embree has no device");
    a = std::make_unique<BoxTree>(device, mesh_a);
    b = std::make_unique<BoxTree>(device, mesh_b);
    for (const PosePair& pose : scene.poses) poses.push_back(seen_from_a(pose));
  }
  ~Bodies() {
    a.reset();
    b.reset();
    rtcReleaseDevice(device);
  }
  Bodies(const Bodies&) = delete;
  Bodies& operator=(const Bodies&) = delete;

  /// B's pose in A's frame, so that only one of the two has to be moved.
  static Placement seen_from_a(const PosePair& pose) {
    const Placement pa = placement(pose.a), pb = placement(pose.b);
    Placement out;
    const Vec3 d = pb.translation - pa.translation;
    const auto back = [&](std::size_t i, double x, double y, double z) {
      return pa.rotation[0][i] * x + pa.rotation[1][i] * y + pa.rotation[2][i] * z;
    };
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        out.rotation[i][j] = back(i, pb.rotation[0][j], pb.rotation[1][j], pb.rotation[2][j]);
    out.translation = {back(0, d.x, d.y, d.z), back(1, d.x, d.y, d.z), back(2, d.x, d.y, d.z)};
    return out;
  }

  void move(std::size_t i) { b->move(poses[i]); }
  double count() {
    std::size_t found = 0;
    rtcCollide(
        a->scene(), b->scene(), [](void* sum, RTCCollision*, unsigned n) { *static_cast<std::size_t*>(sum) += n; },
        &found);
    return static_cast<double>(found);
  }
  std::vector<IdPair> pairs(std::size_t i) {
    move(i);
    std::vector<IdPair> out;
    rtcCollide(
        a->scene(), b->scene(),
        [](void* list, RTCCollision* found, unsigned n) {
          for (unsigned k = 0; k < n; ++k)
            static_cast<std::vector<IdPair>*>(list)->emplace_back(found[k].primID0, found[k].primID1);
        },
        &out);
    std::sort(out.begin(), out.end());
    return out;
  }

  // One thread, as for all other libraries here; by default rtcCollide would use all.
  RTCDevice device = rtcNewDevice("threads=1");
  Mesh mesh_a, mesh_b;
  std::unique_ptr<BoxTree> a, b;
  std::vector<Placement> poses;
};

}  // namespace

std::vector<Contestant> enter_embree(Question question, const Scene& scene) {
  if (question != Question::all_pairs) return {};
  auto bodies = std::make_shared<Bodies>(scene);
  const auto pairs = [bodies](std::size_t i) { return bodies->pairs(i); };
  Contestant ready{"Embree boxes, tree ready", [bodies](std::size_t) { return bodies->count(); }, pairs};
  ready.prepare = [bodies](std::size_t i) { bodies->move(i); };
  Contestant refitted{"Embree boxes, refitted",
                      [bodies](std::size_t i) {
                        bodies->move(i);
                        return bodies->count();
                      },
                      pairs};
  ready.candidates_only = refitted.candidates_only = true;
  return {ready, refitted};
}

}  // namespace graze::bench
