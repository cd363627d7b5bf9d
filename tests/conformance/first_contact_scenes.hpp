// SPDX-License-Identifier: MIT
// Small bodies and motions for the tests of `first_contact`.
#pragma once

#include <graze/mesh/make.hpp>

#include "conformance/first_contact_check.hpp"
#include "soups.hpp"

namespace graze::testing {

inline Mesh triangle(const Vec3& p, const Vec3& q, const Vec3& r) {
  return Mesh(std::vector<Vec3>{p, q, r}, std::vector<Triangle>{{0, 1, 2}});
}
/// Degenerate: three times the same vertex.
inline Mesh point(const Vec3& p) { return Mesh(std::vector<Vec3>{p}, std::vector<Triangle>{{0, 0, 0}}); }
inline Mesh segment(const Vec3& p, const Vec3& q) {
  return Mesh(std::vector<Vec3>{p, q}, std::vector<Triangle>{{0, 1, 1}});
}
/// One quad in the plane z = height.
inline Mesh plate(double half, double height = 0) {
  PolygonList f;
  f.add(std::array<std::uint32_t, 4>{0, 1, 2, 3});
  return Mesh({{-half, -half, height}, {half, -half, height}, {half, half, height}, {-half, half, height}}, f);
}
inline Mesh scaled(const Mesh& mesh, double factor, const Vec3& shift = {}) {
  std::vector<Vec3> p;
  for (const Vec3& v : mesh.positions()) p.push_back(v * factor + shift);
  return Mesh(p, mesh.polygons());
}

/// About unit size.
inline Mesh random_body(oracle::Random& random) {
  using oracle::real_point;
  switch (random() % 10) {
    case 0: return triangle(real_point(random), real_point(random), real_point(random));
    case 1: return soup(random, oracle::whole(random, 1, 6), false);
    case 2: return scaled(soup(random, oracle::whole(random, 1, 6), true), 0.5);
    case 3: return make::box();
    case 4: return make::tetrahedron();
    case 5: return make::sphere({.radius = 0.6, .meridians = 6, .bands = 4});
    case 6: return box({-1, -1, -0.001}, {1, 1, 0.001});      // a plate
    case 7: return box({-1, -0.02, -0.02}, {1, 0.02, 0.02});  // a rod
    case 8: return random() % 2 ? point(real_point(random)) : segment(real_point(random), real_point(random));
    default: return plate(1);
  }
}

inline Quat small_turn(oracle::Random& random, double size) {
  const Vec3 v = oracle::real_point(random, size);
  return {1, v.x, v.y, v.z};
}

/// From about `from` to about `to`, with small or large rotations, as every kind of motion.
inline MotionRecipe random_motion(oracle::Random& random, const Vec3& from, const Vec3& to, double size) {
  const Quat q0 = random() % 3 ? oracle::unit_quaternion(random) : oracle::random_pose(random).rotation();
  Quat q1 = q0;
  switch (random() % 4) {
    case 0: break;
    case 1: {  // a small rotation
      const Quat d = small_turn(random, std::pow(10, oracle::real(random, -12, -1)));
      q1 = {d.w * q0.w - d.x * q0.x - d.y * q0.y - d.z * q0.z, d.w * q0.x + d.x * q0.w + d.y * q0.z - d.z * q0.y,
            d.w * q0.y - d.x * q0.z + d.y * q0.w + d.z * q0.x, d.w * q0.z + d.x * q0.y - d.y * q0.x + d.z * q0.w};
      break;
    }
    default: q1 = oracle::unit_quaternion(random);
  }
  const Pose p0(from, q0), p1(to, q1);
  switch (random() % 7) {
    case 0: return MotionRecipe::still(random() % 2 ? p0 : p1);
    case 1: return MotionRecipe::velocity(p0, p1);
    case 2: return MotionRecipe::velocity(p0, p1, oracle::real_point(random, 2 * size));
    case 3: return MotionRecipe::screw(p0, p1);
    case 4: {
      const Vec3 w = oracle::real_point(random, std::pow(10, oracle::real(random, -3, 1.3)));
      return MotionRecipe::speeds(p0, to - from, w, oracle::real_point(random, size));
    }
    case 5: {
      const Vec3 a = oracle::real_point(random, 3), b = oracle::real_point(random, 5);
      return MotionRecipe::angles({from, a.x, a.y, a.z}, {to, b.x, b.y, b.z});
    }
    default:
      return MotionRecipe::angles_of_poses(Pose(from, oracle::unit_quaternion(random)),
                                           Pose(to, oracle::unit_quaternion(random)));
  }
}

/// Two bodies of about `size` that pass each other, at `centre`; about half of them meet.
inline Flown random_flight(oracle::Random& random, double size = 1, const Vec3& centre = {}) {
  const auto spot = [&](double reach) { return centre + oracle::real_point(random, reach * size); };
  const double reach = random() % 4 ? 2 : 6;
  const Mesh a = scaled(random_body(random), size), b = scaled(random_body(random), size);
  const Vec3 a0 = spot(reach), a1 = spot(reach), b0 = spot(reach), b1 = spot(reach);
  return Flown(a, random_motion(random, a0, a1, size), b, random_motion(random, b0, b1, size));
}

inline double diagonal(const Mesh& mesh) { return length(mesh.box().hi - mesh.box().lo); }

/// The default, or from 1e-2 to 1e-12 of the smaller body.
inline std::optional<double> random_tolerance(oracle::Random& random, const Flown& flown) {
  if (random() % 4 == 0) return std::nullopt;
  const double size = std::min(diagonal(flown.a.mesh()), diagonal(flown.b.mesh()));
  return std::pow(10, oracle::real(random, -12, -2)) * (size > 0 ? size : 1);
}

}  // namespace graze::testing
