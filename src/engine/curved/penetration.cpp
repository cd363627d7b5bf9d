// SPDX-License-Identifier: MIT
#include "engine/curved/penetration.hpp"

#include <algorithm>
#include <cmath>

#include "engine/curved/placed_pair.hpp"
#include "engine/curved/scaling.hpp"
#include "engine/curved/turned_pose.hpp"
#include "math/relative_placement.hpp"
#include "shape/closed_forms.hpp"
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

/// Depths and points in a frame of A whose lengths are scaled by 2^-exponent.
struct Scaled {
  double lower, upper;
  Vec3 direction, a, b;
};

void report(const Scaled& s, int exponent, const TurnedPose& pose, PenetrationResult& result) {
  result.status = Status::contact;
  result.lower = std::ldexp(std::max(s.lower - shape::rounding, 0.0), exponent);
  result.upper = std::ldexp(std::max(s.upper, 0.0) + shape::rounding, exponent);
  // Twice the rounding bound more: the direction itself is rounded when it is turned into the world.
  result.translation = pose.turn(s.direction) * std::ldexp(std::max(s.upper, 0.0) + 4 * shape::rounding, exponent);
  result.points = {pose.apply(scaled(s.a, exponent)), pose.apply(scaled(s.b, exponent))};
}

}  // namespace

namespace {

/// A box or a segment as a box; others are none.
bool box_like(const shape::Core& core) {
  using Kind = shape::Core::Kind;
  return (core.kind == Kind::box || core.kind == Kind::segment) && core.in_own_place();
}

/// The cores' distance or depth is between two bounds, along a direction. `a` and `b`: the points of the cores there.
struct CoreDepth {
  double lower, upper;  ///< of the depth: negative for cores that are apart
  Vec3 normal, a, b;
};

/// True: it is known from a closed form. Not for boxes whose cores are apart.
bool closed_depth(const PlacedPair& pair, CoreDepth& out) {
  shape::CoreGap closed;
  if (shape::core_gap(pair.a, pair.b, closed)) {
    out = {-closed.upper, -closed.lower, closed.normal, closed.a, closed.b};
    return true;
  }
  if (!box_like(*pair.a.core) || !box_like(*pair.b.core)) return false;
  const double scale = pair.a.scale;
  const shape::BoxGap boxes = shape::box_gap(pair.a.core->half * scale, pair.b.core->half * scale, pair.b.r, pair.b.t);
  const double radius = pair.radius();
  // Rounded boxes whose cores are apart along this direction may be further apart along another.
  if (radius > 0 && boxes.gap > -shape::rounding && !(boxes.gap > radius + shape::rounding)) return false;
  out = {-boxes.gap, -boxes.gap, boxes.normal, pair.a.furthest(boxes.normal), pair.b.furthest(-boxes.normal)};
  return true;
}

CoreDepth searched_depth(const PlacedPair& pair, double relative_error, Counters& counters) {
  const double radius = pair.radius();
  const auto search = [&](const Vec3& start, double relative) {
    const shape::Gap found = shape::find_gap(pair.a, pair.b, start, radius + shape::rounding, -1, relative, radius);
    counters.iterations += static_cast<std::uint64_t>(found.iterations);
    return found;
  };
  shape::Gap gap = search({}, 0.5 * relative_error);
  // It may end before it is known whether the cores themselves are apart.
  if (!gap.overlap && !(gap.lower > 2 * shape::rounding)) gap = search(gap.normal, 0);
  // Cores that are apart: along their closest direction the solids overlap by what their distance lacks to the radii.
  if (!gap.overlap && gap.lower > 2 * shape::rounding)
    return {-gap.upper, -gap.lower, gap.normal, gap.simplex.point_a(), gap.simplex.point_b()};
  const shape::Depth depth =
      shape::find_depth(shape::SupportPair(pair.a, pair.b), gap.simplex, math::infinity, -1, 0.5 * relative_error);
  counters.iterations += static_cast<std::uint64_t>(depth.iterations);
  // Cores with this distance are not apart by more than it, but perhaps by as much.
  const double lower = gap.overlap ? depth.lower : std::min(depth.lower, -gap.upper);
  return {lower, depth.upper, depth.direction, depth.a, depth.b};
}

}  // namespace

void penetrate(const shape::Core& a, const Pose& pose_a, const shape::Core& b, const Pose& pose_b,
               double relative_error, PenetrationResult& result) {
  const PlacedPair pair(a, pose_a, b, pose_b);
  const double radius = pair.radius();
  CoreDepth cores;
  if (!closed_depth(pair, cores)) cores = searched_depth(pair, relative_error, result.counters);
  const double lower = radius + cores.lower, upper = radius + cores.upper;
  if (upper < -shape::rounding) {
    result.status = Status::free;
    return;
  }
  result.certain = lower > shape::rounding;
  const Vec3& n = cores.normal;
  report({lower, upper, n, cores.a + n * pair.radius_a, cores.b - n * pair.radius_b}, pair.exponent, pair.frame,
         result);
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
  report({depth, depth, {0, 0, 1}, {lowest.x, lowest.y, surface}, lowest}, exponent, TurnedPose(pose_a), result);
}

}  // namespace graze::engine::curved
