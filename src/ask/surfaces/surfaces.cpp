// SPDX-License-Identifier: MIT
#include "ask/surfaces/surfaces.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ask/shapes/shape_contact.hpp"
#include "ask/shapes/shapes.hpp"
#include "ask/shared/first_contact_options.hpp"
#include "ask/surfaces/partner.hpp"
#include "body/body_data.hpp"
#include "classic/contact/surface_data.hpp"
#include "core/limits.hpp"
#include "core/refusal.hpp"
#include "engine/collide/method.hpp"
#include "math/vectors.hpp"

namespace graze::ask {

namespace {

double diagonal(const Body& body) {
  return body.data().is_half_space() ? math::infinity : length(body.box().hi - body.box().lo);
}

/// The surface first; of two surfaces A.
struct Ordered {
  Ordered(const Body& a, const Body& b) : swapped(!a.surface()), first(swapped ? b : a), second(swapped ? a : b) {}
  bool swapped;
  const Body &first, &second;
};

/// Bodies at rest, with A's surface first.
SurfaceAnswer ask_at_rest(const Ordered& sides, const Pose& pose_a, const Pose& pose_b, double separation,
                          double tolerance, std::uint64_t work, bool look_inside = true) {
  SurfaceContactOptions options;
  options.tolerance = tolerance;
  options.min_separation = separation;
  options.work = work;
  SurfaceAnswer answer;
  ask_surface(*sides.first.surface(), Still{sides.swapped ? pose_b : pose_a}, sides.second,
              Still{sides.swapped ? pose_a : pose_b}, options, answer, look_inside);
  return answer;
}

/// Of A first.
std::array<Vec3, 2> points_of(const SurfaceContactResult& r, bool swapped) {
  return swapped ? std::array{(*r.points)[1], (*r.points)[0]} : *r.points;
}

/// True: the answer is refused, or was not found.
template <class Result>
bool without_answer(const SurfaceContactResult& found, Result& result) {
  result.counters += found.counters;
  result.status = found.status;
  if (found.status == Status::invalid_request) result.error = found.error;
  return found.status == Status::invalid_request || found.status == Status::undecided;
}

constexpr FeatureRef whole_surface{FeatureRef::Type::surface, false, {0, 0}};

/// The surface first. Of a mesh the polygon, of a half-space its face.
Feature feature_of(const SurfaceContactResult& found, const Body& other) {
  if (other.has_mesh() && found.triangle) {
    const std::uint32_t polygon = index(other.mesh().polygon_of(*found.triangle));
    return {FeatureKind::surface_face, whole_surface, {FeatureRef::Type::face, false, {polygon, polygon}}};
  }
  if (other.data().is_half_space())
    return {FeatureKind::surface_face, whole_surface, {FeatureRef::Type::face, false, {0, 0}}};
  return {FeatureKind::surface_surface, whole_surface, whole_surface};
}

Feature swapped_if(bool swapped, Feature f) {
  if (!swapped) return f;
  if (f.kind == FeatureKind::surface_face) f.kind = FeatureKind::face_surface;
  std::swap(f.a, f.b);
  return f;
}

std::optional<TrianglePair> pair_of(const SurfaceContactResult& found, const Ordered& sides) {
  if (!found.triangle || !sides.second.has_mesh()) return std::nullopt;
  return sides.swapped ? TrianglePair{*found.triangle, TriangleId{0}} : TrianglePair{TriangleId{0}, *found.triangle};
}

}  // namespace

bool about_surfaces(const Body& a, const Body& b) { return a.surface() || b.surface(); }

ErrorDetail not_for_surfaces(const std::string& question) {
  return core::problem(ErrorCode::unsupported, "body",
                       question +
                           " is not answered for surfaces given by functions (SurfaceBody); ask for a mesh of "
                           "the surface");
}

std::optional<ErrorDetail> refused_for_surfaces(const char* question, const Body& a, const Body& b) {
  if (about_surfaces(a, b)) return not_for_surfaces(question);
  return std::nullopt;
}

double contact_bound(const Body& a, const Body& b) {
  const double x = diagonal(a), y = diagonal(b), least = std::min(x, y), most = std::max(x, y);
  return 1e-9 * (least > 0 ? least : std::isfinite(most) ? most : 0);
}

void collide_surfaces(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                      const CollideOptions& options, CollideResult& result) {
  const Ordered sides(a, b);
  const core::Limits* const limits = core::current_limits();
  const SurfaceAnswer answer =
      ask_at_rest(sides, pose_a, pose_b, 0, contact_bound(a, b), limits ? limits->work : options.work);
  const SurfaceContactResult& found = answer.contact;
  if (without_answer(found, result) || found.status != Status::contact) return;
  if (answer.inside) {
    result.kind = ContactKind::touching;
    result.contained = sides.swapped ? Containment::b_in_a : Containment::a_in_b;
    return;
  }
  result.kind = ContactKind::touching;
  result.certain = false;
  result.features.push_back(swapped_if(sides.swapped, feature_of(found, sides.second)));
  if (const auto pair = pair_of(found, sides)) result.pairs.push_back(*pair);
  result.points = points_of(found, sides.swapped);
}

void within_surfaces(double d, const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                     const WithinOptions& options, WithinResult& result) {
  const SurfaceAnswer answer = ask_at_rest(Ordered(a, b), pose_a, pose_b, d, contact_bound(a, b), options.work);
  if (without_answer(answer.contact, result) || result.status != Status::contact) return;
  result.certain = answer.inside || answer.contact.gap < d - answer.contact.tolerance;
}

/// Where surfaces are about equally far apart along a whole curve, the time grows like 1 / sqrt of this.
constexpr double least_error = 1e-4;

// Each question with a separation halves what is unknown: `free` is a certified lower bound, and where there is a
// contact certified points are at most the separation and the tolerance apart.
void distance_surfaces(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                       const DistanceOptions& options, DistanceResult& result) {
  const Ordered sides(a, b);
  const double bound = contact_bound(a, b), wanted = std::max(options.relative_error, least_error);
  std::uint64_t left = options.work;
  SurfaceContactResult nearest;
  const auto ask = [&](double separation, double tolerance) {
    SurfaceAnswer answer = ask_at_rest(sides, pose_a, pose_b, separation, tolerance, left, separation == 0);
    if (without_answer(answer.contact, result)) return false;
    const std::uint64_t steps = answer.contact.counters.continuous_box_tests + answer.contact.counters.elementary_tests;
    if (left > 0) left -= std::min(left - 1, steps);
    if (answer.contact.status == Status::contact) nearest = answer.contact;
    return true;
  };
  if (!ask(0, bound)) return;
  if (result.status == Status::contact) {
    result.certain = false;
    result.distance = 0;
    if (!nearest.points) {  // inside a solid
      result.certain = true;
      return;
    }
    result.points = points_of(nearest, sides.swapped);
    result.feature = swapped_if(sides.swapped, feature_of(nearest, sides.second));
    if (const auto pair = pair_of(nearest, sides)) result.pair = *pair;
    return;
  }
  double lower = bound, upper = math::infinity;
  for (double reach = 16 * bound; !(upper < math::infinity); reach *= 16) {
    if (!std::isfinite(reach)) {
      result.status = Status::undecided;
      return;
    }
    if (!ask(reach, std::max(bound, 0.01 * reach))) return;
    if (result.status == Status::contact)
      upper = reach + nearest.tolerance;
    else
      lower = reach;
  }
  while (upper - lower > 0.5 * wanted * upper) {
    const double middle = upper > 4 * lower ? std::sqrt(lower) * std::sqrt(upper) : 0.5 * lower + 0.5 * upper;
    if (!(middle > lower && middle < upper)) break;  // neighbouring doubles
    const double tolerance = 0.25 * (upper - middle);
    if (!ask(middle, tolerance)) return;
    const bool contact = result.status == Status::contact;
    if (contact && !(middle + nearest.tolerance < upper)) break;  // rounding hides the rest
    (contact ? upper : lower) = contact ? middle + nearest.tolerance : middle;
  }
  result.status = Status::free;
  result.distance = std::clamp(nearest.gap, lower, upper);  // the points are rounded
  result.points = points_of(nearest, sides.swapped);
  result.feature = swapped_if(sides.swapped, feature_of(nearest, sides.second));
  if (const auto pair = pair_of(nearest, sides)) result.pair = *pair;
  if (const Vec3 n = math::unit(result.points[1] - result.points[0]); n != Vec3{}) result.normal = n;
}

namespace {

std::optional<ErrorDetail> missing_for_surfaces(const FirstContactOptions& o) {
  const auto refuse = [](const char* what) {
    return core::problem(ErrorCode::unsupported, std::string("option ") + what,
                         std::string(what) + " is not available for surfaces given by functions (SurfaceBody)");
  };
  if (o.method != "best_first" && o.method != "interval")
    return core::problem(ErrorCode::unsupported, "option method",
                         "surfaces given by functions are answered by method interval (or the default) only");
  if (o.certificate) return refuse("certificate");
  if (o.all_contacts) return refuse("all_contacts");
  if (o.clearance) return refuse("clearance");
  if (o.ignore_start_if_separating) return refuse("ignore_start_if_separating");
  return std::nullopt;
}

void report(const SurfaceAnswer& answer, const Ordered& sides, FirstContactResult& result) {
  const SurfaceContactResult& found = answer.contact;
  result.tolerance = found.tolerance;
  result.time = found.time;
  result.gap = found.gap;
  if (without_answer(found, result) || found.status != Status::contact) return;
  if (answer.inside) {
    result.status = Status::touching_at_start;
    result.contained = sides.swapped ? Containment::b_in_a : Containment::a_in_b;
    return;
  }
  result.features.push_back(swapped_if(sides.swapped, feature_of(found, sides.second)));
  result.pair = pair_of(found, sides);
  result.points = points_of(found, sides.swapped);
  if (found.normal) result.normal = sides.swapped ? -*found.normal : *found.normal;
  result.direction = found.direction;
}

/// The surface's own normal at the certified point, to the side that `towards` points to. The two points of a ray's hit
/// are too close for theirs.
std::optional<Vec3> normal_there(const Body& body, const Pose& pose, const SurfaceContactResult& found,
                                 const Vec3& towards) {
  classic::contact::SurfacePoint point;
  point.at.patch = found.patch.value_or(0);
  point.at.box = found.where;
  for (int k = 0; k < 3; ++k) {
    const Interval& x = found.where[static_cast<std::size_t>(k)];
    point.point[k] = 0.5 * x.lo + 0.5 * x.hi;
  }
  const std::optional<Vec3> local = body.surface()->data().source->normal(point);
  if (!local) return std::nullopt;
  const Vec3 normal = math::unit(Pose({}, pose.rotation()).apply(*local));
  return dot(normal, towards) < 0 ? -normal : normal;
}

}  // namespace

void first_contact_surfaces(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                            const FirstContactOptions& options, FirstContactResult& result) {
  result.time = {0, math::not_a_number};
  result.gap = math::not_a_number;
  if (core::refused(result, mistake_in(options)) || core::refused(result, missing_for_surfaces(options))) return;
  result.method = "interval";
  if (options.solid)
    return core::refuse(result, core::problem(ErrorCode::unsupported, "option solid",
                                              "a surface given by functions has no inside; query without solid"));
  const Ordered sides(a, b);
  const Motion &of_first = sides.swapped ? motion_b : motion_a, &of_second = sides.swapped ? motion_a : motion_b;
  SurfaceContactOptions asked;
  asked.tolerance = options.tolerance;
  asked.min_separation = options.min_separation;
  asked.interval = options.interval;
  asked.work = options.work;
  asked.method_counters = options.method_counters;
  SurfaceAnswer answer;
  ask_surface(*sides.first.surface(), of_first, sides.second, of_second, asked, answer);
  const bool at_start = answer.contact.status == Status::contact && answer.contact.time.touch == 0 && !answer.inside;
  if (!at_start) return report(answer, sides, result);
  // They start within the tolerance: in contact, or so near that half their distance is the tolerance.
  const Counters before = answer.contact.counters;
  const Pose pose_a = start_pose(motion_a), pose_b = start_pose(motion_b);
  DistanceResult start;
  distance_surfaces(a, pose_a, b, pose_b, {.relative_error = 0.01, .work = options.work}, start);
  result.counters += before;
  result.counters += start.counters;
  const double spare = 0.5 * (start.distance * 0.99 - options.min_separation);
  if (start.status == Status::free && spare > contact_bound(a, b) / 4) {
    asked.tolerance = spare;
    ask_surface(*sides.first.surface(), of_first, sides.second, of_second, asked, answer);
    return report(answer, sides, result);
  }
  result.tolerance = answer.contact.tolerance;
  if (start.status == Status::undecided || start.status == Status::invalid_request) {
    result.status = start.status;
    result.error = start.error;
    return;
  }
  const std::optional<TrianglePair> pair = pair_of(answer.contact, sides);
  report_near_start(start, result);
  if (!pair) result.pair.reset();
  result.certain = false;
  if (!result.normal && answer.contact.normal)
    result.normal = sides.swapped ? -*answer.contact.normal : *answer.contact.normal;
  result.direction = answer.contact.direction;
}

void cast_ray_surface(const Body& body, const Pose& pose, const Vec3& from, const Vec3& to, const RayOptions& options,
                      RayResult& result) {
  if (options.hits == RayHits::all) return core::refuse(result, not_for_surfaces("a ray's list of all hits"));
  const Body point(Mesh({Vec3{}, Vec3{}, Vec3{}}, std::array<Triangle, 1>{Triangle{0, 1, 2}}));
  SurfaceContactOptions asked;
  asked.tolerance = contact_bound(body, point);
  SurfaceAnswer answer;
  ask_surface(*body.surface(), Still{pose}, point, Velocity(Pose(from), Pose(to)), asked, answer);
  const SurfaceContactResult& found = answer.contact;
  if (without_answer(found, result) || found.status != Status::contact) return;
  RayHit hit;
  hit.fraction = found.time.touch;
  hit.point = (*found.points)[0];
  hit.feature = whole_surface;
  hit.normal = normal_there(body, pose, found, from - to);
  result.hit = hit;
  result.certain = false;
}

}  // namespace graze::ask
