// SPDX-License-Identifier: MIT
#include "engine/curved/penetration.hpp"

#include <algorithm>
#include <cmath>

#include "engine/curved/scaling.hpp"
#include "math/relative_placement.hpp"
#include "shape/placed_core.hpp"
#include "shape/verdict.hpp"

namespace graze::engine::curved {

const shape::Core* convex_core(const body::BodyData& body) {
  if (body.compound) return nullptr;
  if (body.shape) return body.core.get();
  const Classification& c = body.classification();
  return c.convex ? &body.part<HullCore>().core : nullptr;
}

const shape::Core& hull_core(const body::BodyData& body) {
  return body.shape ? *body.core : body.part<HullCore>().core;
}

namespace {

Vec3 in_world(const Pose& pose, const Vec3& direction) {
  return math::unit(Pose({}, pose.rotation()).apply(direction));
}

/// Depths and points in a frame of A whose lengths are scaled by 2^-exponent.
struct Scaled {
  double lower, upper;
  Vec3 direction, a, b;
};

void report(const Scaled& s, int exponent, const Pose& pose_a, PenetrationResult& result) {
  result.status = Status::contact;
  result.lower = std::ldexp(std::max(s.lower - shape::rounding, 0.0), exponent);
  result.upper = std::ldexp(std::max(s.upper, 0.0) + shape::rounding, exponent);
  // Twice the rounding bound more: the direction itself is rounded when it is turned into the world.
  result.translation =
      in_world(pose_a, s.direction) * std::ldexp(std::max(s.upper, 0.0) + 4 * shape::rounding, exponent);
  result.points = {pose_a.apply(scaled(s.a, exponent)), pose_a.apply(scaled(s.b, exponent))};
}

}  // namespace

void penetrate(const shape::Core& a, const Pose& pose_a, const shape::Core& b, const Pose& pose_b,
               double relative_error, PenetrationResult& result) {
  shape::Core core_a = a, core_b = b;
  const math::RelativePlacement placement(pose_a, pose_b);
  const int exponent = exponent_of(std::max(a.reach(), math::largest(placement.translation()) + b.reach())) + 2;
  core_a.scale(-exponent);
  core_b.scale(-exponent);
  shape::PlacedCore placed_a, placed_b;
  placed_a.core = &core_a;
  placed_b = {&core_b, placement.rotation(), scaled(placement.translation(), -exponent)};
  const double radius = core_a.radius + core_b.radius;
  const shape::Judgement j = shape::judge(placed_a, placed_b, radius, Vec3{});
  result.counters.iterations += static_cast<std::uint64_t>(j.gap.iterations);
  if (j.verdict == shape::Verdict::apart) {
    result.status = Status::free;
    return;
  }
  result.certain = j.verdict == shape::Verdict::overlap;
  // Cores that are apart: along their closest direction the solids overlap by what their distance lacks to the radii.
  const shape::Gap gap = shape::find_gap(placed_a, placed_b, j.gap.normal, math::infinity, -1, 0);
  if (!gap.overlap && gap.lower > 2 * shape::rounding) {
    const Vec3 n = gap.normal;
    report({radius - gap.upper, radius - gap.lower, n, gap.simplex.point_a() + n * core_a.radius,
            gap.simplex.point_b() - n * core_b.radius},
           exponent, pose_a, result);
    return;
  }
  const shape::Depth depth =
      shape::find_depth(shape::SupportPair(placed_a, placed_b), gap.simplex, math::infinity, -1, 0.5 * relative_error);
  result.counters.iterations += static_cast<std::uint64_t>(depth.iterations);
  const Vec3 n = depth.direction;
  report({radius + depth.lower, radius + depth.upper, n, depth.a + n * core_a.radius, depth.b - n * core_b.radius},
         exponent, pose_a, result);
}

void penetrate_half_space(double level, const Pose& pose_a, const shape::Core& b, const Pose& pose_b,
                          PenetrationResult& result) {
  const math::RelativePlacement placement(pose_a, pose_b);
  shape::Core core = b;
  const int exponent = exponent_of(std::max(level, math::largest(placement.translation()) + b.reach())) + 2;
  core.scale(-exponent);
  const shape::PlacedCore placed{&core, placement.rotation(), scaled(placement.translation(), -exponent)};
  Vec3 lowest = placed.furthest({0, 0, -1});
  lowest.z -= core.radius;
  const double surface = std::ldexp(level, -exponent), depth = surface - lowest.z;
  if (depth < -shape::rounding) {
    result.status = Status::free;
    return;
  }
  result.certain = depth > shape::rounding;
  report({depth, depth, {0, 0, 1}, {lowest.x, lowest.y, surface}, lowest}, exponent, pose_a, result);
}

}  // namespace graze::engine::curved
