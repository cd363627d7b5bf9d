// SPDX-License-Identifier: MIT
#include "rotation.hpp"

#include <cmath>

namespace graze::play {
namespace {

Quat product(const Quat& a, const Quat& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

Quat unit(const Quat& q) {
  const double most = std::fmax(std::fmax(std::fabs(q.w), std::fabs(q.x)), std::fmax(std::fabs(q.y), std::fabs(q.z)));
  const double w = q.w / most, x = q.x / most, y = q.y / most, z = q.z / most;
  const double s = std::sqrt(w * w + x * x + y * y + z * z);
  return {w / s, x / s, y / s, z / s};
}

}  // namespace

Pose moved(const Pose& pose, const Vec3& centre, const Vec3& linear, const Vec3& angular, double time) {
  const double speed = length(angular), half = speed * time / 2;
  const double along = speed > 0 ? std::sin(half) / speed : 0;
  const Quat turn{std::cos(half), angular.x * along, angular.y * along, angular.z * along};
  const Quat q = speed > 0 ? unit(product(turn, unit(pose.rotation()))) : pose.rotation();
  const Vec3 end = pose.apply(centre) + linear * time;
  return Pose(end - Pose({}, q).apply(centre), q);
}

Vec3 turn_between(const Quat& from, const Quat& to) {
  const Quat f = unit(from);
  Quat q = product(unit(to), {f.w, -f.x, -f.y, -f.z});
  if (q.w < 0) q = {-q.w, -q.x, -q.y, -q.z};
  const Vec3 v{q.x, q.y, q.z};
  const double s = length(v);
  return s > 0 ? v * (2 * std::atan2(s, q.w) / s) : Vec3{};
}

Pose pose_of(const Placement& p) {
  return Pose::from_matrix(
      {p.r[0], p.r[1], p.r[2], p.t.x, p.r[3], p.r[4], p.r[5], p.t.y, p.r[6], p.r[7], p.r[8], p.t.z, 0, 0, 0, 1});
}

Vec3 unplaced(const Placement& p, const Vec3& point) {
  const Vec3 d = point - p.t;
  return {p.r[0] * d.x + p.r[3] * d.y + p.r[6] * d.z, p.r[1] * d.x + p.r[4] * d.y + p.r[7] * d.z,
          p.r[2] * d.x + p.r[5] * d.y + p.r[8] * d.z};
}

Symmetric turned(const Symmetric& local, const Pose& pose) {
  // R S R^T from the images of the axes.
  const Pose turn({}, pose.rotation());
  const Vec3 x = turn.apply({1, 0, 0}), y = turn.apply({0, 1, 0}), z = turn.apply({0, 0, 1});
  const auto entry = [&](int i, int j) {
    const Vec3 row{x[i], y[i], z[i]}, column{x[j], y[j], z[j]};
    return dot(row, local.times(column));
  };
  return {entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)};
}

Vec3 solve(const Symmetric& s, const Vec3& y) {
  const Vec3 a{s.xx, s.xy, s.xz}, b{s.xy, s.yy, s.yz}, c{s.xz, s.yz, s.zz};
  const double determinant = dot(a, cross(b, c));
  return {dot(y, cross(b, c)) / determinant, dot(a, cross(y, c)) / determinant, dot(a, cross(b, y)) / determinant};
}

}  // namespace graze::play
