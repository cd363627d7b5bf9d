// SPDX-License-Identifier: MIT
#include <ccd/ccd.h>
#include <ccd/quat.h>

#include <cmath>
#include <memory>
#include <variant>

#include "peers/shapes.hpp"

namespace graze::bench {
namespace {

using namespace shape;

/// A furthest point of each kind, as libccd's own examples write them.
struct Furthest {
  Vec3 d;  ///< in the shape's frame, of any length

  static double sign(double x, double half) { return x < 0 ? -half : half; }
  Vec3 operator()(const Sphere& s) const { return d * (s.radius / std::sqrt(dot(d, d))); }
  Vec3 operator()(const Capsule& c) const {
    Vec3 x = d * (c.radius / std::sqrt(dot(d, d)));
    x.z += sign(d.z, c.length / 2);
    return x;
  }
  Vec3 operator()(const Box& b) const {
    return {sign(d.x, b.sides.x / 2), sign(d.y, b.sides.y / 2), sign(d.z, b.sides.z / 2)};
  }
  Vec3 operator()(const Cylinder& c) const {
    const double len = std::sqrt(d.x * d.x + d.y * d.y), z = sign(d.z, c.height / 2);
    return len > 0 ? Vec3{d.x * c.radius / len, d.y * c.radius / len, z} : Vec3{0, 0, z};
  }
  Vec3 operator()(const Cone& c) const {
    const double len = std::sqrt(d.x * d.x + d.y * d.y);
    const Vec3 rim =
        len > 0 ? Vec3{d.x * c.radius / len, d.y * c.radius / len, -c.height / 2} : Vec3{0, 0, -c.height / 2};
    const Vec3 tip{0, 0, c.height / 2};
    return dot(d, rim) > dot(d, tip) ? rim : tip;
  }
  Vec3 operator()(const Ellipsoid& e) const {
    const Vec3 h{d.x * e.half_axes.x, d.y * e.half_axes.y, d.z * e.half_axes.z};
    const double len = std::sqrt(dot(h, h));
    return {h.x * e.half_axes.x / len, h.y * e.half_axes.y / len, h.z * e.half_axes.z / len};
  }
  Vec3 operator()(const HalfSpace&) const { return {}; }
  Vec3 operator()(const Hull& hull) const {
    Vec3 best = hull.points[0];
    for (const Vec3& p : hull.points)
      if (dot(d, p) > dot(d, best)) best = p;
    return best;
  }
};

struct Placed {
  explicit Placed(const Kind& k) : kind(k) {}
  Kind kind;
  ccd_quat_t rotation{}, inverse{};
  ccd_vec3_t translation{};

  void place(const Pose& pose) {
    const auto [w, x, y, z] = pose.rotation();
    ccdQuatSet(&rotation, x, y, z, w);
    ccdQuatInvert2(&inverse, &rotation);
    ccdVec3Set(&translation, pose.translation().x, pose.translation().y, pose.translation().z);
  }
  static void support(const void* self, const ccd_vec3_t* direction, ccd_vec3_t* out) {
    const auto& shape = *static_cast<const Placed*>(self);
    ccd_vec3_t local = *direction;
    ccdQuatRotVec(&local, &shape.inverse);
    const Vec3 p = std::visit(Furthest{{local.v[0], local.v[1], local.v[2]}}, shape.kind);
    ccdVec3Set(out, p.x, p.y, p.z);
    ccdQuatRotVec(out, &shape.rotation);
    ccdVec3Add(out, &shape.translation);
  }
  static void centre(const void* self, ccd_vec3_t* out) { *out = static_cast<const Placed*>(self)->translation; }
};

struct Pair {
  explicit Pair(const ShapeScene& scene) : a(scene.a.shape()->kind), b(scene.b.shape()->kind), poses(scene.poses) {
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = Placed::support;
    ccd.center1 = ccd.center2 = Placed::centre;
    ccd.max_iterations = 500;
    ccd.epa_tolerance = 1e-4;
  }
  Placed a, b;
  std::vector<PosePair> poses;
  ccd_t ccd{};

  void place(std::size_t i) {
    a.place(poses[i].a);
    b.place(poses[i].b);
  }
  double depth(std::size_t i) {
    place(i);
    ccd_real_t depth = 0;
    ccd_vec3_t direction, position;
    return ccdGJKPenetration(&a, &b, &ccd, &depth, &direction, &position) == 0 ? depth : 0.0;
  }
};

}  // namespace

std::vector<Contestant> enter_libccd_shapes(ShapeQuestion question, const ShapeScene& scene) {
  for (const Body* body : {&scene.a, &scene.b})
    if (!body->shape() || std::holds_alternative<HalfSpace>(body->shape()->kind)) return {};
  auto pair = std::make_shared<Pair>(scene);
  switch (question) {
    case ShapeQuestion::yes_no:
      return {{"libccd GJK",
               [pair](std::size_t i) {
                 pair->place(i);
                 return static_cast<double>(ccdGJKIntersect(&pair->a, &pair->b, &pair->ccd));
               }},
              {"libccd MPR", [pair](std::size_t i) {
                 pair->place(i);
                 return static_cast<double>(ccdMPRIntersect(&pair->a, &pair->b, &pair->ccd));
               }}};
    case ShapeQuestion::distance: return {};  // libccd has no distance of its own: see FCL
    case ShapeQuestion::depth: return {{"libccd EPA", [pair](std::size_t i) { return pair->depth(i); }}};
  }
  return {};
}

}  // namespace graze::bench
