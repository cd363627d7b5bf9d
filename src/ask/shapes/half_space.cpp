// SPDX-License-Identifier: MIT
#include "ask/shapes/half_space.hpp"

#include <algorithm>
#include <cmath>

#include "body/body_data.hpp"
#include "body/shape_mesh.hpp"
#include "core/refusal.hpp"
#include "math/nearest_ratio.hpp"
#include "math/relative_placement.hpp"
#include "math/vectors.hpp"

namespace graze::ask {

namespace {

/// Of points of the body from its origin.
double farthest(const Body& body) {
  const Box3& box = body.box();
  return 3 * std::max(math::largest(box.lo), math::largest(box.hi));
}

/// For points that are at most this far from the half-space's origin.
std::optional<Body> stand_in(const Body& half_space, double distance) {
  const double level = half_space.data().shape->rounding;
  const double far = (distance + level) * (1 + 0x1p-40);
  if (!(far <= 0x1p1020)) return std::nullopt;
  int e = 0;
  std::frexp(std::max(far, 0x1p-1000), &e);
  const double reach = std::ldexp(1.0, e + 2);
  const Mesh mesh = body::box_mesh({{-reach, -reach, -reach}, {reach, reach, level}});
  auto data = std::make_shared<body::BodyData>(mesh, 1);
  data->shape = std::make_shared<const shape::Shape>(shape::Hull{{mesh.positions().begin(), mesh.positions().end()}});
  data->core = std::make_shared<const shape::Core>(*data->shape);
  return Body(std::move(data));
}

}  // namespace

std::optional<Body> stand_in(const Body& half_space, const Pose& pose, const Body& other, const Pose& pose_other) {
  return stand_in(half_space, math::RelativePlacement(pose, pose_other).shift() + farthest(other));
}

double reach_from(const Motion& motion, const Body& other, const Motion& motion_other) {
  const IntervalPlacement a = motion.over(0, 1), b = motion_other.over(0, 1);
  double shift = 0;
  for (std::size_t k = 0; k < 3; ++k) shift += (b.t[k] - a.t[k]).magnitude();
  return (shift + farthest(other)) * (1 + 0x1p-40);
}

std::optional<Body> stand_in(const Body& half_space, const Motion& motion, const Body& other,
                             const Motion& motion_other, double separation) {
  return stand_in(half_space, reach_from(motion, other, motion_other) + separation);
}

ErrorDetail too_far() {
  return core::problem(ErrorCode::bad_option, "body",
                       "it is too far from the half-space, or too large, for numbers to hold; scale the scene");
}

HalfSpaceGap half_space_gap(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b) {
  const math::RelativePlacement placement(pose_a, pose_b);
  const math::DyadicVec3 foot = placement.exact_b({0, 0, b.data().shape->rounding});
  const math::DyadicVec3 below = placement.exact_b({}), above = placement.exact_b({0, 0, 1});
  // B's normal in A's frame, times the scale: antiparallel to z if it is -scale along z.
  const math::Dyadic x = above.x - below.x, y = above.y - below.y, z = above.z - below.z;
  if (!x.is_zero() || !y.is_zero() || z.sign() >= 0) return {};
  const math::Dyadic top = placement.exact_a({0, 0, a.data().shape->rounding}).z;
  const math::Dyadic gap = foot.z - top;
  HalfSpaceGap result;
  result.parallel = true;
  result.apart = gap.sign() > 0;
  result.touch = gap.is_zero();
  if (result.apart) result.distance = math::nearest_ratio(gap, placement.scale());
  if (gap.sign() < 0) result.distance = -math::nearest_ratio(top - foot.z, placement.scale());
  return result;
}

}  // namespace graze::ask
