// SPDX-License-Identifier: MIT
#include "oracle/shape_checks.hpp"

#include <algorithm>
#include <limits>
#include <sstream>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>
#include <graze/ask/first_contact.hpp>

#include "oracle/checker.hpp"
#include "oracle/shape_support.hpp"

namespace graze::oracle {

namespace {

/// The world's origin may be far away, so that A's is taken for it: a difference of doubles loses nothing that counts.
struct PlacedShapes {
  const shape::Shape &a, &b;
  WidePose pose_a, pose_b;

  PlacedShapes(const shape::Shape& x, const Pose& pose_x, const shape::Shape& y, const Pose& pose_y)
      : a(x), b(y), pose_a(pose_x), pose_b(pose_y) {
    pose_b.shift = pose_b.shift - pose_a.shift;
    pose_a.shift = {};
  }

  Wide along(const WideVec& n) const { return gap_along(a, pose_a, b, pose_b, n); }

  /// An upper bound of the largest distance of any point from A's origin.
  Wide size() const {
    const auto reach = [](const shape::Shape& s) {
      const Box3 box = shape::bounds(s);
      Wide most = 0;
      for (int k = 0; k < 3; ++k) most += std::max(std::fabs(box.lo[k]), std::fabs(box.hi[k]));
      return most;
    };
    return std::max(reach(a), wide_length(pose_b.shift - pose_a.shift) + reach(b));
  }

  /// The largest gap along any direction that a slow search for the nearest points finds (Frank and Wolfe): each step
  /// goes straight towards the point of the difference that is furthest against the present one.
  Wide largest_gap() const {
    Wide most = -std::numeric_limits<Wide>::infinity();
    WideVec v = pose_b.shift - pose_a.shift;
    if (!(wide_length(v) > 0)) v = {1, 0, 0};
    v = furthest_point(b, pose_b, Wide(-1) * v) - furthest_point(a, pose_a, v);
    for (int i = 0; i < 300 && wide_length(v) > 0; ++i) {
      most = std::max(most, along(v));
      const WideVec to = furthest_point(b, pose_b, Wide(-1) * v) - furthest_point(a, pose_a, v), step = to - v;
      const Wide square = wide_dot(step, step);
      if (!(square > 0)) break;
      const Wide share = std::clamp<Wide>(-wide_dot(v, step) / square, 0, 1);
      if (!(share > 0)) break;
      v = v + share * step;
    }
    return most;
  }
};

class Problems {
 public:
  template <class... Part>
  void require(bool holds, const Part&... parts) {
    if (holds) return;
    text_.precision(17);
    text_ << (text_.str().empty() ? "" : "; ");
    (text_ << ... << parts);
  }
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
};

void check_distance(const PlacedShapes& s, const DistanceResult& d, bool curved, Wide bound, Problems& problems) {
  if (d.status != Status::free || !(d.distance > 16 * bound)) return;
  problems.require(d.normal.has_value(), "free without a normal");
  // Points of polyhedra are rounded, which tilts the direction between them.
  const Wide tilt = curved ? 0 : 0x1p-48L * s.size() * s.size() / d.distance;
  const Wide slack = bound + tilt + 1e-9L * d.distance;  // the relative error that the question allows
  if (d.normal)
    problems.require(s.along(wide(*d.normal)) >= d.distance - slack, "along the normal they are only ",
                     s.along(wide(*d.normal)), " apart, not ", d.distance);
  // Along the normal the points are as far apart as the bodies. Where on a flat or round surface they are is less
  // certain: along it, their distance changes with the square.
  if (!d.normal) return;
  const WideVec between = wide(d.points[1]) - wide(d.points[0]);
  const Wide places = wide_length(wide(d.points[0])) + wide_length(wide(d.points[1]));
  const Wide apart = wide_dot(between, wide(*d.normal)), most = wide_length(between);
  problems.require(std::fabs(apart - d.distance) <= slack + 0x1p-48L * places, "its points are ", apart,
                   " apart along the normal, not ", d.distance);
  problems.require(most <= d.distance + slack + 0x1p-18L * s.size() + 0x1p-48L * places, "its points are ", most,
                   " apart, not ", d.distance);
}

}  // namespace

std::string problem_of_shapes(const shape::Shape& a, const Pose& pose_a, const shape::Shape& b, const Pose& pose_b) {
  const PlacedShapes s(a, pose_a, b, pose_b), back(b, pose_b, a, pose_a);
  const Wide size = std::max(s.size(), back.size());
  if (!(size < 0x1p1000L)) return {};
  const bool curved = !shape::is_polyhedral(a) || !shape::is_polyhedral(b);
  const Wide bound = (curved ? 0x1p-35L : 0x1p-45L) * size;
  const Body body_a(a), body_b(b);
  Problems problems;
  const CollideResult hit = collide(body_a, pose_a, body_b, pose_b), hit_back = collide(body_b, pose_b, body_a, pose_a);
  const DistanceResult d = distance(body_a, pose_a, body_b, pose_b), d_back = distance(body_b, pose_b, body_a, pose_a);
  problems.require(hit.status == Status::free || hit.status == Status::contact,
                   "collide: ", hit.error ? hit.error->message : name(hit.status));
  if (hit.certain && hit_back.certain)
    problems.require(hit.status == hit_back.status, "exchanged, collide says ", name(hit_back.status));
  if (hit.certain && d.certain) problems.require(hit.status == d.status, "distance says ", name(d.status));
  problems.require(std::fabs(Wide(d.distance) - d_back.distance) <= 2 * bound + 2e-9L * d.distance,
                   "exchanged, the distance is ", d_back.distance, ", not ", d.distance);
  if (!curved) problems.require(hit.certain && d.certain && hit_back.certain, "polyhedra are not certain");
  const Wide gap = s.largest_gap();
  if (hit.status == Status::contact)
    problems.require(gap <= bound, "they are ", gap, " apart, but in contact");
  else
    problems.require(hit.certain, "free, but not certain");
  check_distance(s, d, curved, bound, problems);
  check_distance(back, d_back, curved, bound, problems);
  if (d.status == Status::free && d.distance > 16 * bound) {
    problems.require(within(0.9 * d.distance, body_a, pose_a, body_b, pose_b).status == Status::free,
                     "within 0.9 of the distance");
    problems.require(within(1.1 * d.distance, body_b, pose_b, body_a, pose_a).status == Status::contact,
                     "not within 1.1 of the distance");
  }
  return problems.text();
}

std::string problem_of_flight(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                              double separation, int& proofs) {
  FirstContactOptions options;
  options.certificate = true;
  options.min_separation = separation;
  options.work = 2000;
  const FirstContactResult r = first_contact(a, motion_a, b, motion_b, options);
  Problems problems;
  if (r.status == Status::invalid_request) return {};
  problems.require(r.time.safe >= 0 && r.time.safe <= 1, "safe before ", r.time.safe);
  if (r.certificate) {
    ++proofs;
    problems.require(r.certificate->until <= r.time.safe, "a proof until ", r.certificate->until);
    const std::string why = rejection(*r.certificate, a, b);
    problems.require(why.empty(), "the proof is rejected: ", why);
  }
  if (r.status != Status::contact) return problems.text();
  problems.require(r.time.touch >= r.time.safe && r.time.touch <= 1, "touches at ", r.time.touch);
  problems.require(r.gap <= separation + 1.0001 * r.tolerance, "a gap of ", r.gap, ", more than the tolerance ",
                   r.tolerance);
  return problems.text();
}

}  // namespace graze::oracle
