// SPDX-License-Identifier: MIT
#include "ask/shapes/shape_contact.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>

#include "ask/shapes/half_space.hpp"
#include "ask/shapes/moving_distance.hpp"
#include "ask/shapes/shapes.hpp"
#include "ask/shared/first_contact_options.hpp"
#include "body/body_data.hpp"
#include "core/refusal.hpp"
#include "engine/collide/method.hpp"
#include "engine/curved/flight.hpp"
#include "engine/proof/certificate.hpp"
#include "math/vectors.hpp"

namespace graze::ask {

Pose start_pose(const Motion& motion) {
  if (const auto pose = motion.path().start()) return *pose;
  const Placement p = motion.at(0);
  return Pose::from_matrix(
      {p.r[0], p.r[1], p.r[2], p.t.x, p.r[3], p.r[4], p.r[5], p.t.y, p.r[6], p.r[7], p.r[8], p.t.z, 0, 0, 0, 1});
}

namespace {

double diagonal(const Body& body) {
  const Box3& box = body.data().mesh.box();
  return length(box.hi - box.lo);
}

/// What is not built yet for curved shapes.
std::optional<ErrorDetail> missing(const FirstContactOptions& o) {
  const auto refuse = [](const char* what, const char* instead) {
    return engine::collide::unsupported(std::string(what) + " is not available for curved shapes; " + instead,
                                        std::string("option ") + what);
  };
  if (o.method != "best_first") return refuse("method", "use best_first");
  if (o.all_contacts) return refuse("all_contacts", "ask for the first contact, and again from there");
  return std::nullopt;
}

void report_start(const CollideResult& hit, FirstContactResult& result) {
  result.status = Status::touching_at_start;
  result.time = {0, 0};
  result.gap = 0;
  result.certain = hit.certain;
  result.contained = hit.contained;
  if (!hit.pairs.empty()) result.pair = hit.pairs.front();
  result.features.assign(hit.features.begin(), hit.features.end());
  result.points = hit.points;
  result.normal = hit.normal;
}

/// The steps of a search, stated for the caller's A and B.
void write_certificate(const engine::curved::CurvedFlight& flight, const Body& a, const Body& b, bool exchanged,
                       double until, FirstContactResult& result) {
  const engine::proof::Stated stated{exchanged ? b : a, exchanged ? a : b,
                                     exchanged ? flight.motion_b : flight.motion_a,
                                     exchanged ? flight.motion_a : flight.motion_b, flight.options.min_separation};
  result.certificate = engine::proof::certificate_of_shapes(stated, flight.proof->text(until, exchanged), until);
}

/// A is a mesh or a shape, B is curved, or A is curved and B any shape but a half-space. `exchanged`: the caller's A
/// is B.
void fly(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
         const FirstContactOptions& options, bool exchanged, FirstContactResult& result) {
  CollideOptions start;
  start.solid = options.solid;
  start.all = start.all_features = options.all_features;
  const CollideResult hit = collide(a, start_pose(motion_a), b, start_pose(motion_b), start);
  result.counters += hit.counters;
  // Bodies that touch, and do not overlap by more than rounding, may be left to what they do next.
  const bool may_open = options.ignore_start_if_separating && hit.status == Status::contact && !hit.certain;
  if (hit.status == Status::contact && !may_open) return report_start(hit, result);
  if (hit.status != Status::free && !may_open) {
    result.status = hit.status;
    result.error = hit.error;
    return;
  }
  const double separation = options.min_separation;
  if (separation > 0) {
    const WithinResult near = within(separation, a, start_pose(motion_a), b, start_pose(motion_b));
    result.counters += near.counters;
    if (near.status == Status::contact) {
      report_near_start(distance(a, start_pose(motion_a), b, start_pose(motion_b)), result);
      result.certain = near.certain;
      if (a.shape()) result.pair.reset();
      return;
    }
  }
  engine::curved::CurvedFlight flight{a.data(), b.data(), motion_a.path(), motion_b.path(), options, 0};
  const double least = std::max(16 * engine::curved::flight_rounding(flight), 0x1p-44 * separation);
  const DistanceResult apart =
      distance(a, start_pose(motion_a), b, start_pose(motion_b), {.relative_error = separation > 0 ? 1e-9 : 0.01});
  result.counters += apart.counters;
  double wanted = options.tolerance.value_or(1e-6 * std::min(diagonal(a), diagonal(b)));
  const double spare = apart.distance - separation;
  if (apart.status == Status::free && 0.5 * spare < wanted) wanted = 0.5 * spare;
  flight.tolerance = result.tolerance = std::max(wanted, least);
  engine::curved::CurvedFound found;
  engine::proof::Proof proof;
  if (options.certificate && !may_open && engine::proof::can_be_stated(flight.motion_a, flight.motion_b))
    flight.proof = &proof;
  engine::curved::run_flight(flight, found);
  result.counters += found.counters;
  if (may_open && found.status == Status::contact && found.touch == 0) return report_start(hit, result);
  if (flight.proof && found.safe > 0) write_certificate(flight, a, b, exchanged, found.safe, result);
  result.status = found.status;
  result.time = {found.safe, math::not_a_number};
  result.gap = math::not_a_number;
  if (found.status != Status::contact) return;
  result.time.touch = found.touch;
  result.gap = found.gap;
  if (!a.shape()) result.pair = TrianglePair{TriangleId{found.triangle}, TriangleId{0}};
  if (found.feature) result.features.push_back(*found.feature);
  result.points = found.points;
  result.normal = found.normal;
}

}  // namespace

void first_contact_shapes(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                          const FirstContactOptions& options, FirstContactResult& result) {
  if (core::refused(result, mistake_in(options))) return;
  result.method = "best_first";
  result.time = {0, math::not_a_number};  // unless more is found
  result.gap = math::not_a_number;
  const bool half_a = a.data().is_half_space(), half_b = b.data().is_half_space();
  if (half_a && half_b) return first_contact_half_spaces(a, motion_a, b, motion_b, options, result);
  if (half_a || half_b) {
    const std::optional<Body> box = half_a ? stand_in(a, motion_a, b, motion_b, options.min_separation)
                                           : stand_in(b, motion_b, a, motion_a, options.min_separation);
    if (!box) return core::refuse(result, too_far());
    FirstContactOptions o = options;
    o.certificate = false;
    const bool curved = (half_a ? b : a).data().is_curved();
    if (curved) o.clearance = false;  // the half-space itself bounds speeds better than the box does
    // The box has no size of its own. A point has none either: then the rounding bound is the tolerance.
    if (const double wanted = 1e-6 * diagonal(half_a ? b : a); !o.tolerance && wanted > 0) o.tolerance = wanted;
    first_contact(half_a ? *box : a, motion_a, half_b ? *box : b, motion_b, o, result);
    // The face of the half-space, and nothing of the box.
    const auto hide = [&](Feature& f) { (half_a ? f.a : f.b) = {FeatureRef::Type::face, false, {0, 0}}; };
    for (Feature& f : result.features) hide(f);
    for (ContactEvent& c : result.contacts) hide(c.feature);
    if (result.pair) (half_a ? result.pair->a : result.pair->b) = TriangleId{0};
    if (options.clearance && curved) add_moving_clearance(a, motion_a, b, motion_b, options, result);
    if (options.certificate) add_shape_certificate(a, motion_a, b, motion_b, options, result);
    return;
  }
  if (auto error = missing(options)) {
    result.status = Status::invalid_request;
    result.error = std::move(error);
    return;
  }
  const bool swap = a.data().is_curved() && !b.data().shape;
  if (swap) {
    fly(b, motion_b, a, motion_a, options, true, result);
    swap_sides(result);
  } else {
    fly(a, motion_a, b, motion_b, options, false, result);
  }
  if (options.clearance) add_moving_clearance(a, motion_a, b, motion_b, options, result);
}

void add_shape_certificate(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                           const FirstContactOptions& options, FirstContactResult& result) {
  if (!(result.time.safe > 0) || !engine::proof::can_be_stated(motion_a.path(), motion_b.path())) return;
  const bool plane = a.data().is_half_space() || b.data().is_half_space();
  const bool exchanged = plane ? a.data().is_half_space() : !b.shape();
  const Body& first = exchanged ? b : a;
  const Body& second = exchanged ? a : b;
  const motion::Path& motion_first = exchanged ? motion_b.path() : motion_a.path();
  const motion::Path& motion_second = exchanged ? motion_a.path() : motion_b.path();
  if (plane && !motion_second.kinematic()) return;
  const std::optional<Body> point =
      plane ? std::optional<Body>(shape::Hull{{{0, 0, second.shape()->rounding}}}) : std::nullopt;
  engine::curved::CurvedFlight flight{
      first.data(), plane ? point->data() : second.data(), motion_first, motion_second, options, 0};
  flight.plane = plane;
  // The smallest tolerance there is, so that the steps reach beyond the time that is to be proved.
  flight.tolerance = std::max(16 * engine::curved::flight_rounding(flight), 0x1p-44 * options.min_separation);
  engine::proof::Proof proof;
  flight.proof = &proof;
  engine::curved::CurvedFound found;
  engine::curved::run_flight(flight, found);
  result.counters += found.counters;
  const double until = std::min(found.safe, result.time.safe);
  if (until < result.time.safe && result.status == Status::free) return;
  write_certificate(flight, first, second, exchanged, until, result);
}

}  // namespace graze::ask
