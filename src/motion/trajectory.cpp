// SPDX-License-Identifier: MIT
#include <graze/motion/trajectory.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <graze/core/error.hpp>

#include "core/fp_guard.hpp"
#include "core/refusal.hpp"
#include "motion/description.hpp"
#include "motion/trajectory_data.hpp"

namespace graze {

namespace {

using motion::Polynomial;
using motion::TrajectoryData;
using motion::TrajectorySegment;

[[noreturn]] void refuse_trajectory(ErrorCode code, const char* element, std::size_t number, std::string message) {
  throw Error(core::problem(code, element, std::move(message), number));
}

void check_numbers(const std::vector<double>& given, const char* what, std::size_t wanted, std::size_t point) {
  if (given.size() != wanted)
    refuse_trajectory(ErrorCode::bad_option, "waypoint", point,
                      "it has " + std::to_string(given.size()) + " " + what + ", and not " + std::to_string(wanted) +
                          "; give one for each coordinate, in the same order");
  for (const double x : given)
    if (!std::isfinite(x))
      refuse_trajectory(ErrorCode::not_finite, "waypoint", point, std::string("one of its ") + what + " is not finite");
}

void check_points(std::span<const TrajectoryPoint> points, std::span<const Interpolation> each) {
  if (points.size() < 2)
    refuse_trajectory(ErrorCode::bad_option, "waypoint", points.size(), "a trajectory has at least two waypoints");
  const std::size_t n = points[0].positions.size();
  if (n == 0) refuse_trajectory(ErrorCode::bad_option, "waypoint", 0, "it has no positions");
  if (each.size() > 1 && each.size() != n)
    throw Error(core::problem(ErrorCode::bad_option, "option each",
                              "there are " + std::to_string(each.size()) + " interpolations for " + std::to_string(n) +
                                  " coordinates; give one for each, or one for all"));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const TrajectoryPoint& p = points[i];
    check_numbers(p.positions, "positions", n, i);
    if (!p.velocities.empty()) check_numbers(p.velocities, "velocities", n, i);
    if (!p.accelerations.empty()) check_numbers(p.accelerations, "accelerations", n, i);
    if (!std::isfinite(p.time)) refuse_trajectory(ErrorCode::not_finite, "waypoint", i, "its time is not finite");
    if (i > 0 && !(points[i - 1].time < p.time))
      refuse_trajectory(ErrorCode::bad_option, "waypoint", i,
                        "its time must be later than that of the waypoint before it; leave one of the two out");
  }
}

Interpolation interpolation_of(Interpolation wanted, const TrajectoryPoint& a, const TrajectoryPoint& b,
                               std::size_t number) {
  const bool fast = !a.velocities.empty() && !b.velocities.empty();
  const bool sharp = fast && !a.accelerations.empty() && !b.accelerations.empty();
  if (wanted == Interpolation::from_data)
    return sharp ? Interpolation::quintic : fast ? Interpolation::cubic : Interpolation::linear;
  const std::size_t lacking =
      a.velocities.empty() || (wanted == Interpolation::quintic && a.accelerations.empty()) ? number : number + 1;
  if ((wanted == Interpolation::cubic && !fast) || (wanted == Interpolation::quintic && !sharp))
    refuse_trajectory(ErrorCode::bad_option, "waypoint", lacking,
                      wanted == Interpolation::cubic ? "a cubic segment needs its velocities"
                                                     : "a quintic segment needs its velocities and accelerations");
  return wanted;
}

/// With h the duration, a cubic's inner coefficients are p + h v / 3; a quintic's are p + h v / 5 and
/// p + 2 h v / 5 + h^2 a / 20, from either end.
Polynomial course_of(Interpolation kind, const TrajectoryPoint& a, const TrajectoryPoint& b, std::size_t i) {
  const Interval p(a.positions[i]), q(b.positions[i]);
  if (kind == Interpolation::linear) return Polynomial::linear(p, q);
  const Interval h = Interval(b.time) - Interval(a.time), v(a.velocities[i]), w(b.velocities[i]);
  if (kind == Interpolation::cubic)
    return Polynomial(std::array{p, p + h * v / Interval(3), q - h * w / Interval(3), q});
  const Interval five(5), twenty(20), hh = sqr(h);
  const Interval bend_a(a.accelerations[i]), bend_b(b.accelerations[i]);
  return Polynomial(std::array{p, p + h * v / five, p + Interval(2) * h * v / five + hh * bend_a / twenty,
                               q - Interval(2) * h * w / five + hh * bend_b / twenty, q - h * w / five, q});
}

/// "cubic" or "quintic", both times, and what is given at each. A linear course needs no statement of its own.
std::string statement_of(Interpolation kind, const TrajectoryPoint& a, const TrajectoryPoint& b, std::size_t i) {
  if (kind == Interpolation::linear) return {};
  std::string text = kind == Interpolation::cubic ? "cubic" : "quintic";
  motion::append(text, a.time);
  motion::append(text, b.time);
  for (const TrajectoryPoint* const p : {&a, &b}) {
    motion::append(text, p->positions[i]);
    motion::append(text, p->velocities[i]);
    if (kind == Interpolation::quintic) motion::append(text, p->accelerations[i]);
  }
  return text;
}

/// "spline", the six knots around the piece after knot j, and its four control points.
std::string spline_statement(std::span<const double> control, std::size_t coordinates, std::size_t coordinate,
                             std::span<const double> knots, std::size_t j) {
  std::string text = "spline";
  for (std::size_t k = j - 2; k <= j + 3; ++k) motion::append(text, knots[k]);
  for (std::size_t k = j - 3; k <= j; ++k) motion::append(text, control[k * coordinates + coordinate]);
  return text;
}

bool is_finite_course(const Polynomial& p) {
  return std::isfinite(p.range().lo) && std::isfinite(p.range().hi) && std::isfinite(p.fastest()) &&
         std::isfinite(p.sharpest());
}

/// The polar form of the B-spline's piece between the knots j and j + 1, at three arguments.
Interval blossom(std::span<const double> control, std::size_t coordinates, std::size_t coordinate,
                 std::span<const double> knots, std::size_t j, const std::array<double, 3>& at) {
  std::array<Interval, 4> d;
  for (std::size_t k = 0; k < 4; ++k) d[k] = control[(j - 3 + k) * coordinates + coordinate];
  for (std::size_t r = 1; r <= 3; ++r)
    for (std::size_t k = 3; k >= r; --k) {
      const Interval low(knots[j - 3 + k]), high(knots[j + 1 + k - r]), x(at[r - 1]);
      // Both weights from the knots themselves: exactly 0 or 1 at either end.
      d[k] = ((high - x) * d[k - 1] + (x - low) * d[k]) / (high - low);
    }
  return d[3];
}

void check_spline(std::span<const double> control, std::size_t coordinates, std::span<const double> knots) {
  if (coordinates == 0 || control.size() % coordinates != 0 || control.size() < 4 * coordinates)
    refuse_trajectory(ErrorCode::bad_option, "control point", coordinates ? control.size() / coordinates : 0,
                      "a cubic spline has at least four control points of " + std::to_string(coordinates) +
                          " coordinates each, of which there must be one or more");
  for (std::size_t i = 0; i < control.size(); ++i)
    if (!std::isfinite(control[i]))
      refuse_trajectory(ErrorCode::not_finite, "control point", i / coordinates,
                        "coordinate " + std::to_string(i % coordinates + 1) + " is not finite");
  const std::size_t points = control.size() / coordinates;
  if (knots.size() != points + 4)
    refuse_trajectory(ErrorCode::bad_option, "knot", knots.size(),
                      "a cubic spline of " + std::to_string(points) + " control points has " +
                          std::to_string(points + 4) + " knots, not " + std::to_string(knots.size()));
  for (std::size_t i = 0; i < knots.size(); ++i) {
    if (!std::isfinite(knots[i])) refuse_trajectory(ErrorCode::not_finite, "knot", i, "it is not finite");
    if (i > 0 && knots[i] < knots[i - 1])
      refuse_trajectory(ErrorCode::bad_option, "knot", i, "it must not be less than the one before it");
    if (i >= 4 && i + 4 < knots.size() && knots[i - 3] == knots[i] && knots[i] > knots[3])
      refuse_trajectory(ErrorCode::bad_option, "knot", i, "the fourth of the same value, where the spline would jump");
  }
  if (!(knots[3] < knots[points]))
    refuse_trajectory(ErrorCode::bad_option, "knot", points,
                      "the spline has no time: it must be later than the fourth");
}

}  // namespace

Trajectory Trajectory::through(std::span<const TrajectoryPoint> points, std::span<const Interpolation> each) {
  const core::FpGuard guard;
  check_points(points, each);
  auto data = std::make_shared<TrajectoryData>();
  data->coordinates = points[0].positions.size();
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    const TrajectoryPoint &a = points[k], &b = points[k + 1];
    TrajectorySegment& segment =
        data->segments.emplace_back(TrajectorySegment{a.time, b.time, a.positions, b.positions, {}, {}});
    for (std::size_t i = 0; i < data->coordinates; ++i) {
      const Interpolation wanted = each.empty() ? Interpolation::from_data : each[each.size() == 1 ? 0 : i];
      const Interpolation kind = interpolation_of(wanted, a, b, k);
      segment.courses.push_back(course_of(kind, a, b, i));
      segment.statements.push_back(statement_of(kind, a, b, i));
      if (!is_finite_course(segment.courses.back()))
        refuse_trajectory(ErrorCode::not_finite, "waypoint", k,
                          "between it and the next, coordinate " + std::to_string(i + 1) +
                              " gets beyond the largest double; the velocity or the acceleration is too large");
    }
  }
  return Trajectory(std::move(data));
}

Trajectory Trajectory::spline(std::span<const double> control, std::size_t coordinates, std::span<const double> knots) {
  const core::FpGuard guard;
  check_spline(control, coordinates, knots);
  auto data = std::make_shared<TrajectoryData>();
  data->coordinates = coordinates;
  for (std::size_t j = 3; j < control.size() / coordinates; ++j) {
    const double a = knots[j], b = knots[j + 1];
    if (a == b) continue;
    TrajectorySegment& segment = data->segments.emplace_back(TrajectorySegment{a, b, {}, {}, {}, {}});
    for (std::size_t i = 0; i < coordinates; ++i) {
      std::array<Interval, 4> c;
      for (std::size_t k = 0; k < 4; ++k)
        c[k] = blossom(control, coordinates, i, knots, j, {k > 0 ? b : a, k > 1 ? b : a, k > 2 ? b : a});
      segment.courses.push_back(Polynomial(c));
      segment.statements.push_back(spline_statement(control, coordinates, i, knots, j));
      if (!is_finite_course(segment.courses.back()))
        refuse_trajectory(ErrorCode::not_finite, "knot", j, "the spline gets beyond the largest double after it");
      segment.from.push_back(motion::middle(c[0]));
      segment.to.push_back(motion::middle(c[3]));
    }
  }
  return Trajectory(std::move(data));
}

Trajectory Trajectory::spline(std::span<const double> control, std::size_t coordinates, double start, double end) {
  const std::size_t points = coordinates ? control.size() / coordinates : 0;
  std::vector<double> knots(points + 4, start);
  const double spans = points > 3 ? static_cast<double>(points - 3) : 1;
  for (std::size_t i = 4; i < knots.size(); ++i)
    knots[i] = i < points ? start + static_cast<double>(i - 3) / spans * (end - start) : end;
  return spline(control, coordinates, knots);
}

std::size_t Trajectory::coordinates() const { return data_->coordinates; }
std::size_t Trajectory::segments() const { return data_->segments.size(); }

namespace {

const TrajectorySegment& segment_of(const TrajectoryData& data, std::size_t segment) {
  if (segment < data.segments.size()) return data.segments[segment];
  refuse_trajectory(ErrorCode::index_out_of_range, "segment", segment,
                    "the trajectory has " + std::to_string(data.segments.size()) + " segments");
}

}  // namespace

Trajectory motion::in_parts(const TrajectorySegment& segment, std::size_t parts) {
  auto data = std::make_shared<TrajectoryData>();
  data->coordinates = segment.courses.size();
  for (std::size_t k = 0; k < parts; ++k) {
    const double t0 = static_cast<double>(k) / static_cast<double>(parts);  // exact
    const double t1 = static_cast<double>(k + 1) / static_cast<double>(parts);
    TrajectorySegment& part = data->segments.emplace_back(TrajectorySegment{t0, t1, {}, {}, {}, {}});
    for (const Polynomial& course : segment.courses) {
      part.courses.push_back(course.constant() ? course : course.part(t0, t1));
      part.statements.emplace_back();
      part.from.push_back(middle(part.courses.back().first()));
      part.to.push_back(middle(part.courses.back().last()));
    }
  }
  return Trajectory(std::move(data));
}

double Trajectory::start(std::size_t segment) const { return segment_of(*data_, segment).start; }
double Trajectory::end(std::size_t segment) const { return segment_of(*data_, segment).end; }

double Trajectory::time(std::size_t segment, double share) const {
  const TrajectorySegment& s = segment_of(*data_, segment);
  return share >= 1 ? s.end : std::min(s.end, s.start + share * (s.end - s.start));
}

void Trajectory::state(std::size_t segment, double share, std::span<double> q) const {
  const TrajectorySegment& s = segment_of(*data_, segment);
  if (q.size() != data_->coordinates || !(share >= 0 && share <= 1))
    throw Error(core::problem(
        ErrorCode::bad_option, "state",
        "it has " + std::to_string(data_->coordinates) + " coordinates, and the share of the segment is from 0 to 1"));
  const core::FpGuard guard;
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = s.courses[i].value(share);
}

}  // namespace graze
