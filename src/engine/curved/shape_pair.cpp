// SPDX-License-Identifier: MIT
#include "engine/curved/shape_pair.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/curved/parts.hpp"
#include "engine/curved/scaling.hpp"
#include "math/relative_placement.hpp"

namespace graze::engine::curved {

ShapePair::Witness ShapePair::witness(const shape::CoreGap& gap) const {
  const Vec3& n = gap.normal;
  Witness w{gap.a + n * pair_.radius_a, gap.b - n * pair_.radius_b, n, {}};
  w.feature = shape_feature(data_a_, gap.side_a, data_b_, gap.side_b);
  return w;
}

ShapePair::Witness ShapePair::witness(const shape::Gap& gap) const {
  Witness w;
  w.feature = shape_feature(data_a_, data_b_, pair_.b, gap.simplex, pair_.exponent);
  const Vec3 core_a = gap.simplex.point_a();
  if (gap.overlap) {  // the same point of both, but for the rounding of the weights: each is on its own body
    w.a = core_a;
    w.b = gap.simplex.point_b();
    return w;
  }
  w.normal = gap.normal;
  w.a = core_a + gap.normal * pair_.radius_a;
  w.b = gap.simplex.point_b() - gap.normal * pair_.radius_b;
  return w;
}

template <class Result>
void ShapePair::add_points(const Witness& w, Result& result) const {
  result.points = {pair_.in_world(w.a), pair_.in_world(w.b)};
  if (w.normal != Vec3{}) result.normal = pair_.frame.turn(w.normal);
}

void ShapePair::report_contact(const Witness& w, bool certain, CollideResult& result) const {
  result.status = Status::contact;
  result.certain = certain;
  result.kind = certain ? ContactKind::overlap : ContactKind::touching;
  result.features.push_back(w.feature);
  add_points(w, result);
}

/// True: balls around the centres tell. Apart: a ball that contains A's core and one that contains B's are further
/// apart than the radius. Overlap: balls in the cores are nearer; `common` is in both bodies.
bool ShapePair::meet_by_balls(double radius, shape::Verdict& verdict, Vec3& common) const {
  const Vec3 from = pair_.a.centre(), between = pair_.b.centre() - from;
  const double far = math::norm(between), scale = pair_.a.scale;
  const shape::Core &core_a = *pair_.a.core, &core_b = *pair_.b.core;
  if (far > (core_a.outer() + core_b.outer()) * scale + radius + shape::rounding) {
    verdict = shape::Verdict::apart;
    return true;
  }
  const double inner_a = core_a.inner() * scale + pair_.radius_a;
  if (!(far < (core_a.inner() + core_b.inner()) * scale + radius - shape::rounding)) return false;
  verdict = shape::Verdict::overlap;
  common = far > inner_a ? from + between * (inner_a / far) : pair_.b.centre();
  return true;
}

/// An ellipsoid's is a search itself: where yes or no is asked, another one ends sooner.
bool ShapePair::closed_form(shape::CoreGap& gap) const {
  using Kind = shape::Core::Kind;
  return pair_.a.core->kind != Kind::ellipsoid && pair_.b.core->kind != Kind::ellipsoid &&
         shape::core_gap(pair_.a, pair_.b, gap);
}

void ShapePair::collide(CollideResult& result) const {
  const double radius = pair_.radius();
  shape::CoreGap closed;
  if (closed_form(closed)) {
    result.status = Status::free;
    if (closed.lower > radius + shape::rounding) return;
    return report_contact(witness(closed), closed.upper < radius - shape::rounding, result);
  }
  shape::Verdict verdict;
  Vec3 common;
  result.status = Status::free;
  if (meet_by_balls(radius, verdict, common)) {
    if (verdict == shape::Verdict::apart) return;
    const Vec3 between = pair_.b.centre() - pair_.a.centre();
    return report_contact(
        {common,
         common,
         {},
         shape_feature(data_a_, face_towards(between), data_b_, face_towards(pair_.b.to_local(-between)))},
        true, result);
  }
  const shape::Judgement j = shape::judge(pair_.a, pair_.b, radius, Vec3{});
  result.counters.iterations += static_cast<std::uint64_t>(j.gap.iterations);
  if (j.verdict != shape::Verdict::apart) report_contact(witness(j.gap), j.verdict == shape::Verdict::overlap, result);
}

void ShapePair::distance(double relative_error, DistanceResult& result) const {
  const double radius = pair_.radius();
  shape::CoreGap closed;
  if (shape::core_gap(pair_.a, pair_.b, closed)) {
    const Witness w = witness(closed);
    result.feature = w.feature;
    add_points(w, result);
    if (closed.lower - radius > shape::rounding)
      return report_gap(closed.lower - radius, closed.upper - radius, relative_error, pair_.exponent, result);
    result.status = Status::contact;
    result.certain = closed.upper < radius - shape::rounding;
    result.distance = 0;
    return;
  }
  const shape::Gap gap = shape::find_gap(pair_.a, pair_.b, Vec3{}, math::infinity, -1, 0.5 * relative_error, radius);
  result.counters.iterations += static_cast<std::uint64_t>(gap.iterations);
  const Witness w = witness(gap);
  result.feature = w.feature;
  add_points(w, result);
  if (gap.lower - radius > shape::rounding)
    return report_gap(gap.lower - radius, gap.upper - radius, relative_error, pair_.exponent, result);
  const shape::Judgement j = shape::judge(pair_.a, pair_.b, radius, gap.normal);
  result.status = j.verdict == shape::Verdict::apart ? Status::free : Status::contact;
  result.certain = j.verdict != shape::Verdict::within_rounding;
  result.distance = result.status == Status::free ? std::ldexp(std::max(gap.upper - radius, 0.0), pair_.exponent) : 0;
}

void ShapePair::within(double d, WithinResult& result) const {
  const double reach = d == 0 ? pair_.radius() : pair_.radius() + std::ldexp(d, -pair_.exponent);
  shape::Verdict verdict = shape::Verdict::overlap;
  shape::CoreGap closed;
  Vec3 common;
  if (!(reach < 8)) {  // every point of either is within this distance of every point of the other
  } else if (closed_form(closed)) {
    verdict = closed.lower > reach + shape::rounding   ? shape::Verdict::apart
              : closed.upper < reach - shape::rounding ? shape::Verdict::overlap
                                                       : shape::Verdict::within_rounding;
  } else if (!meet_by_balls(reach, verdict, common)) {
    verdict = shape::judge(pair_.a, pair_.b, reach, Vec3{}).verdict;
  }
  result.status = verdict == shape::Verdict::apart ? Status::free : Status::contact;
  result.certain = verdict != shape::Verdict::within_rounding;
}

namespace {

bool is_ball_or_capsule(const shape::Core& core) {
  return (core.kind == shape::Core::Kind::point || core.kind == shape::Core::Kind::segment) && core.in_own_place();
}

/// The direction of a capsule's axis; of a sphere any will do.
Vec3 axis_of(const shape::Core& core, const Pose& pose) {
  if (core.kind == shape::Core::Kind::point) return {0, 0, 1};
  const auto [w, x, y, z] = math::near_unit_size(pose.rotation());
  const double s = 2 / (w * w + x * x + y * y + z * z);
  return {s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)};
}

}  // namespace

// As shape/closed_forms.cpp finds the closest points of two segments, with the same reason for the lower bound; but in
// the world's frame, where nothing needs to be turned.
bool distance_of_capsules(const body::BodyData& a, const Pose& pose_a, const body::BodyData& b, const Pose& pose_b,
                          double relative_error, DistanceResult& result) {
  const shape::Core &core_a = *a.core, &core_b = *b.core;
  if (!is_ball_or_capsule(core_a) || !is_ball_or_capsule(core_b)) return false;
  const Vec3 d = pose_b.translation() - pose_a.translation();
  const double largest = std::max(core_a.reach(), math::largest(d) + core_b.reach());
  if (!(largest > 0x1p-900 && largest < 0x1p900)) return false;
  const double unit =
      power_of_two(exponent_of(largest));  // squares of lengths in this unit neither over- nor underflow
  const Vec3 u = axis_of(core_a, pose_a), v = axis_of(core_b, pose_b);
  const double half_a = core_a.half.z, half_b = core_b.half.z;
  const auto clamped = [](double x, double limit) { return std::min(std::max(x, -limit), limit); };
  const Vec3 square_to_both = cross(u, v);
  const double between = dot(u, v), along_u = dot(u, d), along_v = -dot(v, d);
  const double square = dot(square_to_both, square_to_both);
  double s = clamped(square > 0x1p-40 ? (between * along_v + along_u) / square : along_u, half_a);
  const double w = clamped(between * s + along_v, half_b);
  s = clamped(along_u + w * between, half_a);
  const Vec3 gap = (d + v * w - u * s) * (1 / unit);
  const double length = math::norm(gap), upper = length * unit, radius = core_a.radius + core_b.radius;
  if (!(upper > radius)) return false;
  const Vec3 n = gap * (1 / length);
  const double lower = dot(n, d) - std::fabs(dot(n, u)) * half_a - std::fabs(dot(n, v)) * half_b;
  // As in the scaled frame of a `PlacedPair`, in which `largest` is between 1/8 and 1/4.
  const double bound = 8 * shape::rounding * largest;
  if (!(lower - radius > bound) || !(upper - lower <= relative_error * (upper - radius) + bound)) return false;
  result.status = Status::free;
  result.distance = upper - radius;
  result.normal = n;
  result.points = {pose_a.translation() + u * s + n * core_a.radius, pose_b.translation() + v * w - n * core_b.radius};
  const FeatureRef surface{FeatureRef::Type::surface, false, {0, 0}};
  result.feature = Feature{FeatureKind::surface_surface, surface, surface};
  return true;
}

HalfSpacePair::HalfSpacePair(const body::BodyData& half_space, const Pose& pose, const body::BodyData& shape,
                             const Pose& pose_shape)
    : pose_(pose), level_(half_space.shape->rounding) {
  const math::RelativePlacement placement(pose, pose_shape);
  const shape::PlacedCore placed{shape.core.get(), placement.rotation(), placement.translation()};
  lowest_ = placed.furthest({0, 0, -1});
  lowest_.z -= shape.core->radius;
  // As for `shape::rounding`, relative to the largest coordinate.
  const double largest = placement.shift() + shape.core->reach() + level_;
  error_ = shape::rounding * largest + 64 * std::numeric_limits<double>::denorm_min();
}

template <class Result>
void HalfSpacePair::add_points(Result& result) const {
  const Vec3 foot{lowest_.x, lowest_.y, level_};
  result.points = {pose_.apply(foot), pose_.apply(lowest_)};
  result.normal = math::unit(Pose({}, pose_.rotation()).apply({0, 0, 1}));
}

void HalfSpacePair::collide(CollideResult& result) const {
  const double gap = lowest_.z - level_;
  if (gap > error_) {
    result.status = Status::free;
    return;
  }
  result.status = Status::contact;
  result.certain = gap < -error_;
  result.kind = result.certain ? ContactKind::overlap : ContactKind::touching;
  result.features.push_back(
      {FeatureKind::face_surface, {FeatureRef::Type::face, false, {0, 0}}, {FeatureRef::Type::surface, false, {0, 0}}});
  add_points(result);
}

void HalfSpacePair::distance(DistanceResult& result) const {
  const double gap = lowest_.z - level_;
  result.feature = Feature{
      FeatureKind::face_surface, {FeatureRef::Type::face, false, {0, 0}}, {FeatureRef::Type::surface, false, {0, 0}}};
  add_points(result);
  result.status = gap > error_ ? Status::free : Status::contact;
  result.certain = std::fabs(gap) > error_;
  result.distance = gap > error_ ? gap : 0;
}

void HalfSpacePair::within(double d, WithinResult& result) const {
  const double beyond = lowest_.z - level_ - d, error = error_ + 4 * math::eps * d;
  result.status = beyond > error ? Status::free : Status::contact;
  result.certain = std::fabs(beyond) > error;
}

}  // namespace graze::engine::curved
