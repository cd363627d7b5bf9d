// SPDX-License-Identifier: MIT
#include <graze/ask/convex_distance.hpp>

#include <cmath>

#include "core/fp_guard.hpp"
#include "core/refusal.hpp"
#include "engine/distance/convex_features.hpp"
#include "prim/convex/exact.hpp"
#include "prim/convex/gjk.hpp"
#include "prim/convex/nearest.hpp"

namespace graze {

namespace ask {

namespace {

using Outcome = prim::ConvexSearch::Outcome;

/// One query about two placed bodies.
struct ConvexQuery {
  const engine::distance::ConvexBodyData& a;
  const engine::distance::ConvexBodyData& b;
  const Pose& pose_a;
  const Pose& pose_b;
  prim::ConvexFrame frame;

  ConvexQuery(const ConvexBody& body_a, const Pose& pa, const ConvexBody& body_b, const Pose& pb)
      : a(body_a.data()), b(body_b.data()), pose_a(pa), pose_b(pb), frame(pa, a.points, pb, b.points) {}

  prim::ConvexSearch search(ConvexCoherence* coherence) const {
    prim::ConvexSearch s(a.points, b.points, frame);
    if (coherence) {
      const ConvexCoherence::State& last = coherence->state();
      s.start_from(last.size, last.a, last.b);
    }
    return s;
  }
  prim::ExactConvexAnswer exactly(const prim::ConvexSimplex& start, Counters& counters) const {
    const math::RelativePlacement placement(pose_a, pose_b);
    prim::ExactConvexAnswer answer = prim::exact_convex_distance(a.points, b.points, placement, start);
    ++counters.rational_decided;
    counters.iterations += answer.iterations;
    counters.support_calls += answer.support_calls;
    return answer;
  }
};

void count(const prim::ConvexSearch& search, Counters& counters) {
  counters.iterations += search.iterations;
  counters.support_calls += search.support_calls;
}

void remember(const prim::ConvexSimplex& simplex, const Vec3& axis, ConvexCoherence* coherence) {
  if (coherence) coherence->state() = {simplex.size, simplex.a, simplex.b, axis};
}

Vec3 unit(const Vec3& v) { return v * (1 / std::sqrt(dot(v, v))); }

Vec3 in_world(const ConvexQuery& q, const Vec3& stored) {
  return q.frame.in_world(stored + q.a.points.centre()) + q.pose_a.translation();
}
/// A point of A's stored frame, in the coordinates of B's mesh.
Vec3 in_b(const ConvexQuery& q, const Vec3& stored) { return q.frame.in_b(stored - q.frame.t) + q.b.points.centre(); }

/// Can double precision certify that the distance is that of the nearest points, within the requested error?
bool report_apart(const ConvexQuery& q, const prim::ConvexSearch& search, double relative_error,
                  ConvexDistanceResult& result) {
  prim::ConvexNearest nearest = prim::nearest_points(q.a.points, q.b.points, q.frame, search.simplex());
  const engine::distance::ConvexPart a{q.a, nearest.of_a, nearest.a + q.a.points.centre(), true};
  const engine::distance::ConvexPart b{q.b, nearest.of_b, in_b(q, nearest.b), true};
  use_fixed_plane(a, b, q.frame, nearest);
  const double upper = nearest.distance * (1 + 0x1p-50) + 2 * q.frame.slack;
  if (!(upper - search.lower() <= relative_error * search.lower())) return false;
  result.feature = feature_of(a, b);
  if (!result.feature) result.feature = feature_of_faces(a, b, q.frame, nearest);
  result.status = Status::free;
  result.distance = nearest.distance;
  result.points = {in_world(q, nearest.a), in_world(q, nearest.b)};
  result.normal = unit(q.frame.in_world(nearest.direction));
  return true;
}

void report_contact(const ConvexQuery& q, const prim::ConvexSearch& search, ConvexDistanceResult& result) {
  result.status = Status::contact;
  Vec3 common;
  if (search.by_balls()) {
    const double ra = q.a.points.inner_radius(), rb = q.b.points.inner_radius();
    common = q.a.points.middle() + search.direction() * (ra / (ra + rb));
  } else {
    const prim::ConvexSimplex& s = search.simplex();
    for (std::size_t i = 0; i < 4; ++i) common = common + q.a.points[s.a[i]] * s.weight[i];
  }
  result.points[0] = result.points[1] = in_world(q, common);
}

/// The answer of exact arithmetic. Its points are placed by the poses themselves, because the frame cannot represent
/// all sizes.
void report_exactly(const ConvexQuery& q, const prim::ExactConvexAnswer& answer, ConvexDistanceResult& result) {
  prim::CornerSet of_a, of_b;
  Vec3 a, b;
  for (std::size_t i = 0; i < static_cast<std::size_t>(answer.simplex.size); ++i) {
    of_a.add(answer.simplex.a[i]);
    of_b.add(answer.simplex.b[i]);
    a = a + q.a.points[answer.simplex.a[i]] * answer.simplex.weight[i];
    b = b + q.b.points[answer.simplex.b[i]] * answer.simplex.weight[i];
  }
  result.status = answer.contact ? Status::contact : Status::free;
  result.distance = answer.distance;
  const engine::distance::ConvexPart pa{q.a, of_a, a + q.a.points.centre(), false},
      pb{q.b, of_b, b + q.b.points.centre(), false};
  result.points = {q.pose_a.apply(pa.point), q.pose_b.apply(pb.point)};
  if (answer.contact) result.points[1] = result.points[0];
  result.feature = feature_of(pa, pb);
  if (!result.feature && q.frame.usable) {
    prim::ConvexNearest nearest;
    nearest.distance = answer.distance;
    result.feature = feature_of_faces(pa, pb, q.frame, nearest);
    if (result.feature) result.points = {in_world(q, nearest.a), in_world(q, nearest.b)};
  }
  if (!answer.contact) result.normal = unit(Pose({}, q.pose_a.rotation()).apply(unit(answer.direction)));
}

}  // namespace

}  // namespace ask

void convex_distance(const ConvexBody& a, const Pose& pose_a, const ConvexBody& b, const Pose& pose_b,
                     const ConvexDistanceOptions& options, ConvexDistanceResult& result) {
  const core::FpGuard guard;
  result = {};
  if (!(options.relative_error >= 1e-14 && options.relative_error < 1))
    return core::refuse(
        result, core::bad_option("relative_error", "the relative error must be at least 1e-14 and less than 1"));
  ConvexCoherence* const coherence = options.coherence;
  const ask::ConvexQuery q(a, pose_a, b, pose_b);
  prim::ConvexSearch search = q.search(coherence);
  const ask::Outcome outcome = q.frame.usable ? search.distance(options.relative_error) : ask::Outcome::open;
  ask::count(search, result.counters);
  if (outcome == ask::Outcome::contact) {
    ask::report_contact(q, search, result);
  } else if (outcome != ask::Outcome::apart || !ask::report_apart(q, search, options.relative_error, result)) {
    const prim::ExactConvexAnswer answer = q.exactly(search.simplex(), result.counters);
    ask::report_exactly(q, answer, result);
    ask::remember(answer.simplex, answer.direction, coherence);
    return;
  }
  ++result.counters.filter_decided;
  ask::remember(search.simplex(), result.status == Status::free ? search.direction() : Vec3{}, coherence);
}

ConvexDistanceResult convex_distance(const ConvexBody& a, const Pose& pose_a, const ConvexBody& b, const Pose& pose_b,
                                     const ConvexDistanceOptions& options) {
  ConvexDistanceResult result;
  convex_distance(a, pose_a, b, pose_b, options, result);
  return result;
}

void convex_collide(const ConvexBody& a, const Pose& pose_a, const ConvexBody& b, const Pose& pose_b,
                    const ConvexCollideOptions& options, ConvexCollideResult& result) {
  const core::FpGuard guard;
  result = {};
  ConvexCoherence* const coherence = options.coherence;
  const ask::ConvexQuery q(a, pose_a, b, pose_b);
  prim::ConvexSearch search = q.search(coherence);
  const ask::Outcome outcome =
      q.frame.usable ? search.collide(coherence ? coherence->state().axis : Vec3{}) : ask::Outcome::open;
  ask::count(search, result.counters);
  if (outcome == ask::Outcome::open) {
    const prim::ExactConvexAnswer answer = q.exactly(search.simplex(), result.counters);
    result.status = answer.contact ? Status::contact : Status::free;
    ask::remember(answer.simplex, answer.direction, coherence);
    return;
  }
  result.status = outcome == ask::Outcome::contact ? Status::contact : Status::free;
  ++result.counters.filter_decided;
  ask::remember(search.simplex(), result.status == Status::free ? search.direction() : Vec3{}, coherence);
}

ConvexCollideResult convex_collide(const ConvexBody& a, const Pose& pose_a, const ConvexBody& b, const Pose& pose_b,
                                   const ConvexCollideOptions& options) {
  ConvexCollideResult result;
  convex_collide(a, pose_a, b, pose_b, options, result);
  return result;
}

}  // namespace graze
