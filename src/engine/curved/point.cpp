// SPDX-License-Identifier: MIT
#include "engine/curved/point.hpp"

#include <algorithm>
#include <cmath>

#include "engine/curved/scaling.hpp"
#include "engine/curved/surface_normal.hpp"
#include "math/nearest_ratio.hpp"
#include "math/relative_placement.hpp"
#include "shape/placed_core.hpp"
#include "shape/verdict.hpp"

namespace graze::engine::curved {

namespace {

struct PointCore {
  Vec3 at;
  Vec3 furthest(const Vec3&) const { return at; }
  Vec3 centre() const { return at; }
};

/// The height of a point over the half-space's surface, times the placement's scale, exactly.
math::Dyadic height(const math::RelativePlacement& placement, double level, const Vec3& point) {
  return placement.exact_b(point).z - placement.exact_a({0, 0, level}).z;
}

Vec3 between(const Vec3& from, const Vec3& to, double s) {
  return {from.x + (to.x - from.x) * s, from.y + (to.y - from.y) * s, from.z + (to.z - from.z) * s};
}

RayHit hit_at(double s, const Vec3& point) {
  RayHit hit;
  hit.fraction = s;
  hit.point = point;
  return hit;
}

/// A direction of the body's frame in the world; none if it is zero.
std::optional<Vec3> normal_in_world(const Pose& pose, const Vec3& n) {
  if (n == Vec3{}) return std::nullopt;
  return math::unit(Pose({0, 0, 0}, pose.rotation()).apply(n));
}

std::optional<RayHit> cast_half_space(const Pose& pose, double level, const Vec3& from, const Vec3& to) {
  const math::RelativePlacement placement(pose, Pose());
  const math::Dyadic start = height(placement, level, from), end = height(placement, level, to);
  if (start.sign() < 0) return hit_at(0, from);
  if (start.sign() > 0 && end.sign() > 0) return std::nullopt;  // a start on the surface is a hit, wherever it goes
  const double s = start.is_zero() ? 0 : math::nearest_ratio(start, start - end);
  RayHit hit = hit_at(s, s == 0 ? from : s == 1 ? to : between(from, to, s));
  hit.normal = normal_in_world(pose, {0, 0, 1});
  return hit;
}

/// The shape's own frame, scaled so that the ends of the segment and the shape are at most 1 in size.
struct OwnFrame {
  OwnFrame(const body::BodyData& shape, const Pose& pose, const Vec3& from, const Vec3& to) : core(*shape.core) {
    const math::RelativePlacement placement(pose, Pose());
    start = placement.place(from);
    end = placement.place(to);
    // The rounding of a placed point is relative to its distance from the shape's place, which `shift` bounds.
    const double largest = std::max({core.reach(), math::largest(start), math::largest(end), placement.shift()});
    const int exponent = exponent_of(largest) + 2;
    core.scale(-exponent);
    start = scaled(start, -exponent);
    end = scaled(end, -exponent);
    placed.core = &core;
  }
  OwnFrame(const OwnFrame&) = delete;

  shape::Core core;
  shape::PlacedCore placed;
  Vec3 start, end;
};

/// The first s in [0, 1] at which start + s d is within `radius` of the core; `reached`: the point there is. Else it is
/// as near as the steps get.
struct Approach {
  double s;
  bool reached;
};
/// None: no point of the segment is within `radius` of the core.
///
/// At s, the core is beyond a plane with the normal n at the distance `lower` from the point. So the segment is not
/// within the radius before it has travelled lower - radius along n: the next s. These s grow to the first contact; the
/// planes become tangent to it.
std::optional<Approach> advance(const OwnFrame& f, double radius) {
  const Vec3 d = f.end - f.start;
  double s = 0;
  Vec3 n;
  for (int i = 0; i < 256; ++i) {
    const PointCore point{f.start + d * s};
    const shape::Gap gap = shape::find_gap(point, f.placed, n, math::infinity, radius, 0);
    n = gap.normal;
    if (gap.upper <= radius || gap.lower <= radius) return Approach{s, gap.upper <= radius};
    const double speed = dot(d, n);
    if (speed <= 0) return std::nullopt;
    const double next = s + (gap.lower - radius) / speed;
    if (next > 1) return std::nullopt;
    if (!(next > s)) return Approach{s, false};
    s = next;
  }
  return Approach{s, false};
}

}  // namespace

Location locate(const body::BodyData& shape, const Pose& pose, const Vec3& point) {
  if (shape.is_half_space()) {
    const int sign = height(math::RelativePlacement(pose, Pose()), shape.shape->rounding, point).sign();
    return sign > 0 ? Location::outside : sign < 0 ? Location::inside : Location::on_surface;
  }
  const OwnFrame f(shape, pose, point, point);
  const shape::Verdict v = shape::judge(PointCore{f.start}, f.placed, f.core.radius, Vec3{}).verdict;
  return v == shape::Verdict::apart     ? Location::outside
         : v == shape::Verdict::overlap ? Location::inside
                                        : Location::on_surface;
}

std::optional<RayHit> cast(const body::BodyData& shape, const Pose& pose, const Vec3& from, const Vec3& to,
                           bool& certain) {
  certain = true;
  if (shape.is_half_space()) return cast_half_space(pose, shape.shape->rounding, from, to);
  const OwnFrame f(shape, pose, from, to);
  const auto outer = advance(f, f.core.radius + shape::rounding);
  if (!outer) return std::nullopt;  // the segment stays further away than the rounding bound
  // Certain if it also comes as far as the rounding bound into the shape.
  const double s = outer->s;
  if (s == 0 && locate(shape, pose, from) == Location::inside) return hit_at(0, from);
  const auto inner = f.core.radius > 2 * shape::rounding ? advance(f, f.core.radius - shape::rounding) : std::nullopt;
  certain = inner && inner->reached;
  // A core without a radius: some point behind the first contact is inside.
  for (const double share : {0x1p-20, 0x1p-10, 0x1p-5, 0.25, 0.5})
    certain = certain || locate(shape, pose, between(from, to, s + (1 - s) * share)) == Location::inside;
  const auto middle = advance(f, f.core.radius);
  const double best = middle ? std::max(s, middle->s) : s;
  RayHit hit = hit_at(best, between(from, to, best));
  hit.normal = normal_in_world(pose, surface_normal(f.core, f.start + (f.end - f.start) * best, f.end - f.start));
  return hit;
}

}  // namespace graze::engine::curved
