// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "course.hpp"
#include "interval.hpp"

namespace verify {

using Quat = std::array<double, 4>;
using Point = std::array<double, 3>;

/// The quaternion times a power of two, large enough that its products do not underflow and not so large that they
/// overflow.
inline Quat scaled(const double* q) {
  int exponent = 0;
  const double largest = std::max(std::max(std::abs(q[0]), std::abs(q[1])), std::max(std::abs(q[2]), std::abs(q[3])));
  if (largest == 0) throw Rejected("a quaternion that is zero");
  std::frexp(largest, &exponent);
  exponent -= Limits::max_exponent >= 16384 ? 500 : 0;
  Quat result{};
  for (std::size_t i = 0; i < 4; ++i) {
    result[i] = std::ldexp(q[i], -exponent);
    if (std::ldexp(result[i], exponent) != q[i])
      throw Rejected("a quaternion whose components differ too much in size");
  }
  return result;
}

/// R(q / |q|).
inline Mat rotation_of(const Quat& q) {
  const Interval w(q[0]), x(q[1]), y(q[2]), z(q[3]), one(1);
  const Interval s = Interval(2) / (w * w + x * x + y * y + z * z);
  return {Vec{one - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
          Vec{s * (x * y + w * z), one - s * (x * x + z * z), s * (y * z - w * x)},
          Vec{s * (x * z - w * y), s * (y * z + w * x), one - s * (x * x + y * y)}};
}

/// -1, 0 or 1.
inline int sign_of(const Interval& x) {
  if (x.lo == 0 && x.hi == 0) return 0;
  if (x.lo <= 0 && x.hi >= 0)
    throw Rejected("two poses for which the rotation by the smaller angle cannot be determined");
  return x.lo > 0 ? 1 : -1;
}

struct Turn {
  Interval angle;
  Vec axis{Interval(1), Interval(0), Interval(0)};
};

/// The rotation from p to q by the smaller angle: that of the quaternion q / p. If it is half a turn, the first
/// component of the axis that is not zero is positive.
inline Turn turn_between(const Quat& p, const Quat& q) {
  const Interval w = exact_dot(p, q);
  Vec v{exact_dot(q, {-p[1], p[0], -p[3], p[2]}), exact_dot(q, {-p[2], p[3], p[0], -p[1]}),
        exact_dot(q, {-p[3], -p[2], p[1], p[0]})};
  const std::array<int, 3> signs{sign_of(v[0]), sign_of(v[1]), sign_of(v[2])};
  int side = sign_of(w);
  for (int s : signs) side = side != 0 ? side : s;
  if (side < 0) v = Interval(-1) * v;
  for (std::size_t i = 0; i < 3; ++i) {
    if (signs[i] == 0) v[i] = Interval(0);
  }
  if (signs == std::array<int, 3>{}) return {};
  const Interval size = length(v);
  return {Interval(2) * angle_of(w.lo < 0 ? -w : w, size), {v[0] / size, v[1] / size, v[2] / size}};
}

/// A rotation by `angle` about an axis of length one (Rodrigues).
inline Mat turned(const Vec& k, const Interval& angle) {
  const auto [s, c] = sin_cos(angle);
  const Interval d = Interval(1) - c;
  return {Vec{c + d * k[0] * k[0], d * k[0] * k[1] - s * k[2], d * k[0] * k[2] + s * k[1]},
          Vec{d * k[1] * k[0] + s * k[2], c + d * k[1] * k[1], d * k[1] * k[2] - s * k[0]},
          Vec{d * k[2] * k[0] - s * k[1], d * k[2] * k[1] + s * k[0], c + d * k[2] * k[2]}};
}

inline Vec unit(std::size_t i) { return {Interval(i == 0), Interval(i == 1), Interval(i == 2)}; }

/// The kinds of motion, and how many numbers describe each; then those of the parts of a chain.
inline const std::map<std::string_view, std::size_t> motion_kinds{
    {"still", 7}, {"velocity", 17}, {"speeds", 16}, {"screw", 14}, {"linear", 12}, {"linear_poses", 14}};
inline const std::map<std::string_view, std::size_t> part_kinds{
    {"place", 7}, {"revolute", 5}, {"prismatic", 5}, {"screw", 6}};

/// The same, and joints that follow polynomials of time.
inline const std::map<std::string_view, std::size_t> course_kinds{
    {"place", 7}, {"revolute", 5}, {"prismatic", 5}, {"screw", 6}, {"cubic", 13}, {"quintic", 15}, {"spline", 17}};

/// Roll and yaw of R = Rz Ry Rx, up to whole turns, and the pitch, within a quarter turn of zero. The product of the
/// three quaternions of half angles has w - y : x + z = cos : sin of (roll + yaw) / 2, and w + y : x - z those of
/// (roll - yaw) / 2; the lengths a and b of these two pairs are as cos - sin : cos + sin of pitch / 2. If one pair is
/// zero the pitch is a quarter turn, only the other combination of roll and yaw is known, and the roll is zero.
inline Vec angles_of(const Quat& q) {
  const Interval w(q[0]), x(q[1]), y(q[2]), z(q[3]), quarter = angle_of(Interval(0), Interval(1));
  if (q[0] == q[2] && q[1] == -q[3]) return {Interval(0), quarter, -(2 * angle_around(w + y, x - z))};
  if (q[0] == -q[2] && q[1] == q[3]) return {Interval(0), -quarter, 2 * angle_around(w - y, x + z)};
  const Interval half_sum = angle_around(w - y, x + z), half_difference = angle_around(w + y, x - z);
  const Interval a = root((w - y) * (w - y) + (x + z) * (x + z)), b = root((w + y) * (w + y) + (x - z) * (x - z));
  return {half_sum + half_difference, 2 * angle_around((a + b) * (a + b), 4 * (w * y - x * z)),
          half_sum - half_difference};
}

/// The smaller difference of two angles; half a turn, to within 2^-40, in the positive direction.
inline Interval shorter_angle(const Interval& displacement) {
  const Interval half = 2 * angle_of(Interval(0), Interval(1));
  const Interval turns(std::floor(displacement.mid() / (2 * half.mid()) + 0.5L));
  const Interval shorter = displacement - turns * (2 * half);
  return shorter.mid() < 0x1p-40L - half.mid() ? shorter + 2 * half : shorter;
}

/// One part of a chain: y is mapped to R(t) y + p(t): a constant placement, or a joint that rotates about an axis and
/// slides along it, each linear in t or in a polynomial of t.
struct ChainPart {
  Mat place{Vec{1, 0, 0}, Vec{0, 1, 0}, Vec{0, 0, 1}};
  Vec shift{};
  Vec axis{Interval(1), Interval(0), Interval(0)};
  Interval angle, turn, slide, glide;
  std::optional<Course> course;  ///< none: t itself

  ChainPart(std::string_view kind, const std::vector<double>& numbers) {
    const double* const p = numbers.data();
    if (kind == "cubic" || kind == "quintic" || kind == "spline") {
      course = course_of(kind, p);
      // factor, offset, radians and units per unit, axis.
      const double* const q = p + numbers.size() - 7;
      const Interval size = length(vec(q + 4));
      axis = {q[4] / size, q[5] / size, q[6] / size};
      angle = Interval(q[2]) * q[1], turn = Interval(q[2]) * q[0];
      slide = Interval(q[3]) * q[1], glide = Interval(q[3]) * q[0];
      return;
    }
    if (kind == "place") {
      place = rotation_of(scaled(p + 3));
      shift = vec(p);
      return;
    }
    const Interval from(p[0]), displacement = Interval(p[1]) - Interval(p[0]), size = length(vec(p + 2));
    axis = {p[2] / size, p[3] / size, p[4] / size};
    const Interval pitch(kind == "prismatic" ? 1 : kind == "screw" ? p[5] : 0);
    if (kind != "prismatic") angle = from, turn = displacement;
    slide = pitch * from, glide = pitch * displacement;
  }

  Interval at(double t) const { return course ? course->at(t) : Interval(t); }
  Mat rotation(double t) const {
    return angle.magnitude() + turn.magnitude() > 0 ? turned(axis, angle + at(t) * turn) : place;
  }
  Vec offset(double t) const { return shift + (slide + at(t) * glide) * axis; }
  Real farthest() const {
    return (length(shift) + slide.magnitude() + Interval(course ? course->largest(0) : 1) * glide.magnitude()).hi;
  }
  /// Upper bounds of the speeds of turning and sliding, and of how fast these change.
  Interval turn_rate() const { return Interval(turn.magnitude()) * (course ? course->largest(1) : 1); }
  Interval glide_rate() const { return Interval(glide.magnitude()) * (course ? course->largest(1) : 1); }
  Interval turn_bend() const { return Interval(turn.magnitude()) * (course ? course->largest(2) : 0); }
  Interval glide_bend() const { return Interval(glide.magnitude()) * (course ? course->largest(2) : 0); }
};

/// The motion of a body, in one form for all kinds: a local point x is at path(t) + R(t) (x - reference).
///
/// R(t) is a rotation by t times `angle` about `axis` after `start`, or Rz Ry Rx of three angles. The path is straight,
/// start + t velocity, except for a screw whose axis misses the reference point: then it has the arc `acceleration` as
/// well. For a chain both are products of those of the base and of the parts.
class Motion {
 public:
  /// Paths are relative to `origin`, the same for both bodies, so that small bodies far from the origin of the world
  /// lose no precision. `centre` and `size` of the body select the reference point where any is valid. Both affect
  /// accuracy only.
  Motion(std::string_view kind, const std::vector<double>& numbers, const Point& origin, const Point& centre,
         double size)
      : place_(vec(numbers.data()) - vec(origin.data())) {
    const double* const p = numbers.data();
    if (kind == "linear" || kind == "linear_poses") {
      set_linear(p, kind == "linear_poses");
      return;
    }
    start_ = rotation_of(scaled(p + 3));
    reference_ = centre;
    if (kind == "velocity") reference_ = {p[14], p[15], p[16]};
    if (kind == "speeds") reference_ = {p[13], p[14], p[15]};
    path_start_ = place_ + start_ * vec(reference_.data());
    if (kind == "speeds") {
      velocity_ = vec(p + 7);
      if (p[10] != 0 || p[11] != 0 || p[12] != 0) {
        angle_ = length(vec(p + 10));
        axis_ = {p[10] / angle_, p[11] / angle_, p[12] / angle_};
      }
    } else if (kind != "still") {
      const Turn turn = turn_between(scaled(p + 3), scaled(p + 10));
      angle_ = turn.angle;
      axis_ = turn.axis;
      if (kind == "screw") set_screw(p, centre, size);
      if (kind == "velocity") velocity_ = displacement_of(p, rotation_of(scaled(p + 10)));
    }
    if (!bent_) path_speed_ = length(velocity_).hi;
    set_turning(angle_);
    local_axis_ = transposed(start_) * axis_;
  }

  /// A chain: parts from the base outward.
  Motion(const Motion& base, std::vector<ChainPart> parts, const Point& centre)
      : fixed_axis_(false), reference_(centre), base_(std::make_shared<const Motion>(base)), parts_(std::move(parts)) {
    // y is the reference point relative to each part, innermost first; these bound |y|, |y'| and |y''|. For R y + p:
    // |R'| <= turn, |R''| <= turn^2 + bend, and p moves on a straight line.
    Interval size = length(vec(centre.data())), speed, acceleration, turns, bends;
    for (std::size_t i = parts_.size(); i-- > 0;) {
      const Interval turn = parts_[i].turn_rate(), bend = parts_[i].turn_bend();
      acceleration = acceleration + (turn * turn + bend) * size + 2 * turn * speed + parts_[i].glide_bend();
      speed = speed + turn * size + parts_[i].glide_rate();
      size = size + parts_[i].farthest();
      turns = turns + turn;
      bends = bends + bend;
    }
    size = size + length(vec(base.reference().data()));
    acceleration =
        acceleration + Interval(base.turning_) * size + 2 * Interval(base.rate_) * speed + base.path_acceleration_;
    path_acceleration_ = acceleration.hi;
    path_speed_ = (speed + Interval(base.rate_) * size + base.path_speed_).hi;
    set_turning(turns + base.rate_);
    turning_ = (Interval(turning_) + bends).hi;
  }

  const Point& reference() const { return reference_; }

  Mat rotation(double t) const {
    if (base_) return placed(t).first;
    if (fixed_axis_) return angle_.hi == 0 ? start_ : turned(axis_, t * angle_) * start_;
    const Vec now = angles_ + Interval(t) * rates_;
    return turned(unit(2), now[2]) * (turned(unit(1), now[1]) * turned(unit(0), now[0]));
  }

  Vec path(double t) const {
    if (base_) return placed(t).second;
    const Vec straight = path_start_ + Interval(t) * velocity_;
    if (!bent_) return straight;
    // (1 - e^(i t a)) / (1 - e^(i a)) = e^(i (t - 1) a/2) sin(t a/2) / sin(a/2) is accurate, however small a is.
    const Interval half = Interval(0.5L) * angle_;
    const auto [s, c] = sin_cos((Interval(t) - 1) * half);
    const Interval ratio = sin_cos(t * half).sin / sin_cos(half).sin;
    return straight + ratio * (c * arc_ + s * cross(axis_, arc_));
  }

  /// The signed part of a local vector along the axis, and an upper bound of its distance from the axis (zero, and an
  /// upper bound of its length, if the axis is not fixed); then the same for a direction in the world.
  Interval along(const Vec& local) const { return fixed_axis_ ? dot(local, local_axis_) : Interval(0); }
  Real across(const Vec& local) const { return length(fixed_axis_ ? cross(local, local_axis_) : local).hi; }
  Interval world_along(const Vec& n) const { return fixed_axis_ ? dot(n, axis_) : Interval(0); }
  Real world_across(const Vec& n) const { return length(fixed_axis_ ? cross(n, axis_) : n).hi; }

  /// The second derivative of n . R(t) x is at most world_across(n) across(x) turning(), that of n . path(t) at most
  /// world_across(n) path_acceleration().
  Real turning() const { return turning_; }
  Real path_acceleration() const { return path_acceleration_; }
  /// Upper bounds of |path'| and of the angular velocity.
  Real path_speed() const { return path_speed_; }
  Real rate() const { return rate_; }

 private:
  /// From the first position of the reference point to its last.
  Vec displacement_of(const double* p, const Mat& end) const {
    return vec(p + 7) - vec(p) + end * vec(reference_.data()) - start_ * vec(reference_.data());
  }

  /// For a product of rotations R = R1 R2 ..., the derivative of each factor has a norm of at most its rate. With
  /// `rate` the sum of the rates, |R'| <= rate and |R''| <= rate^2 by the product rule, if the rates are constant.
  void set_turning(const Interval& rate) {
    rate_ = rate.hi;
    turning_ = (rate * rate).hi;
  }

  /// Translation and angles, each from its first value to its second; given as such, or by two poses.
  void set_linear(const double* p, bool poses) {
    fixed_axis_ = false;
    path_start_ = place_;
    velocity_ = vec(p + (poses ? 7 : 6)) - vec(p);
    path_speed_ = length(velocity_).hi;
    angles_ = poses ? angles_of(scaled(p + 3)) : vec(p + 3);
    rates_ = (poses ? angles_of(scaled(p + 10)) : vec(p + 9)) - angles_;
    if (poses) rates_ = {shorter_angle(rates_[0]), rates_[1], shorter_angle(rates_[2])};
    set_turning(Interval(rates_[0].magnitude()) + rates_[1].magnitude() + rates_[2].magnitude());
  }

  /// The rotation of a chain, and the position of its reference point.
  std::pair<Mat, Vec> placed(double t) const {
    Mat r = base_->rotation(t);
    Vec o = base_->path(t) - r * vec(base_->reference().data());
    for (const ChainPart& part : parts_) {
      o = o + r * part.offset(t);
      r = r * part.rotation(t);
    }
    return {r, o + r * vec(reference_.data())};
  }

  /// In the plane perpendicular to the axis, in complex numbers, the path of the reference point is
  /// d (1 - e^(i t a)) / (1 - e^(i a)), where a is the angle and d the vector from start to end; without rotation there
  /// is no arc. Its first derivative has the size |d| a / (2 sin(a/2)), its second |d| a^2 / (2 sin(a/2)). It vanishes
  /// for a point on the axis, so that one near it is the reference if the axis is near the body: then d is small, and
  /// need not be zero.
  void set_screw(const double* p, const Point& centre, double size) {
    const Mat end = rotation_of(scaled(p + 10));
    for (bool again = angle_.lo > 0x1p-10L;; again = false) {
      path_start_ = place_ + start_ * vec(reference_.data());
      const Vec displacement = displacement_of(p, end);
      bent_ = angle_.hi > 0;
      velocity_ = bent_ ? dot(displacement, axis_) * axis_ : displacement;
      if (!bent_) return;
      arc_ = displacement - velocity_;
      const auto [s, c] = sin_cos(Interval(0.5L) * angle_);
      path_acceleration_ = (length(arc_) * angle_ * angle_ / (2 * s)).hi;
      path_speed_ = (length(velocity_) + length(arc_) * angle_ / (2 * s)).hi;
      if (!again) return;
      const Vec to_axis = transposed(start_) * (Interval(0.5L) * (arc_ + c / s * cross(axis_, arc_)));
      if (!(length(to_axis).hi <= 1000 * size)) return;
      for (std::size_t i = 0; i < 3; ++i) reference_[i] = static_cast<double>(centre[i] + to_axis[i].mid());
    }
  }

  static Vec unit(std::size_t i) { return {Interval(i == 0), Interval(i == 1), Interval(i == 2)}; }

  bool fixed_axis_ = true, bent_ = false;
  Point reference_{};
  Interval angle_;
  Mat start_;
  Vec place_;  // of the local origin at t = 0
  Vec axis_ = unit(0), local_axis_, path_start_, velocity_, arc_, angles_, rates_;
  Real rate_ = 0, turning_ = 0, path_acceleration_ = 0, path_speed_ = 0;
  std::shared_ptr<const Motion> base_;  // of a chain
  std::vector<ChainPart> parts_;
};

}  // namespace verify
