// SPDX-License-Identifier: MIT
#include "engine/curved/shape_pair.hpp"

#include <algorithm>
#include <cmath>

#include "engine/curved/parts.hpp"
#include "engine/curved/scaling.hpp"
#include "math/relative_placement.hpp"

namespace graze::engine::curved {

ShapePair::ShapePair(const body::BodyData& a, const Pose& pose_a, const body::BodyData& b, const Pose& pose_b)
    : data_a_(a), data_b_(b), pose_a_(pose_a), exponent_(0), core_a_(*a.core), core_b_(*b.core) {
  const math::RelativePlacement placement(pose_a, pose_b);
  exponent_ = exponent_of(std::max(core_a_.reach(), math::largest(placement.translation()) + core_b_.reach())) + 2;
  core_a_.scale(-exponent_);
  core_b_.scale(-exponent_);
  placed_a_.core = &core_a_;
  placed_b_ = {&core_b_, placement.rotation(), scaled(placement.translation(), -exponent_)};
}

Feature ShapePair::feature(const shape::Gap& gap) const {
  return shape_feature(data_a_, placed_a_, data_b_, placed_b_, gap.simplex, exponent_);
}

template <class Result>
void ShapePair::add_points(const shape::Gap& gap, Result& result) const {
  const Vec3 n = gap.normal;
  const Vec3 core_a = gap.simplex.point_a();
  const Vec3 a = gap.overlap ? core_a : core_a + n * core_a_.radius;
  const Vec3 b = gap.overlap ? core_a : gap.simplex.point_b() - n * core_b_.radius;
  result.points = {pose_a_.apply(scaled(a, exponent_)), pose_a_.apply(scaled(b, exponent_))};
  if (!gap.overlap && n != Vec3{}) result.normal = math::unit(Pose({}, pose_a_.rotation()).apply(n));
}

void ShapePair::collide(CollideResult& result) const {
  const shape::Judgement j = shape::judge(placed_a_, placed_b_, radius(), Vec3{});
  result.counters.iterations += static_cast<std::uint64_t>(j.gap.iterations);
  if (j.verdict == shape::Verdict::apart) {
    result.status = Status::free;
    return;
  }
  result.status = Status::contact;
  result.certain = j.verdict == shape::Verdict::overlap;
  result.kind = result.certain ? ContactKind::overlap : ContactKind::touching;
  result.features.push_back(feature(j.gap));
  add_points(j.gap, result);
}

void ShapePair::distance(double relative_error, DistanceResult& result) const {
  const shape::Gap gap =
      shape::find_gap(placed_a_, placed_b_, Vec3{}, math::infinity, -1, radius() > 0 ? 0 : 0.5 * relative_error);
  result.counters.iterations += static_cast<std::uint64_t>(gap.iterations);
  result.feature = feature(gap);
  add_points(gap, result);
  if (gap.lower - radius() > shape::rounding)
    return report_gap(gap.lower - radius(), gap.upper - radius(), relative_error, exponent_, result);
  const shape::Judgement j = shape::judge(placed_a_, placed_b_, radius(), gap.normal);
  result.status = j.verdict == shape::Verdict::apart ? Status::free : Status::contact;
  result.certain = j.verdict != shape::Verdict::within_rounding;
  result.distance = result.status == Status::free ? std::ldexp(std::max(gap.upper - radius(), 0.0), exponent_) : 0;
}

void ShapePair::within(double d, WithinResult& result) const {
  const double reach = radius() + std::ldexp(d, -exponent_);
  const bool all = !(reach < 8);  // every point of either is within this distance of every point of the other
  const shape::Verdict verdict =
      all ? shape::Verdict::overlap : shape::judge(placed_a_, placed_b_, reach, Vec3{}).verdict;
  result.status = verdict == shape::Verdict::apart ? Status::free : Status::contact;
  result.certain = verdict != shape::Verdict::within_rounding;
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
  error_ = shape::rounding * largest;
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
