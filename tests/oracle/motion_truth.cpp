// SPDX-License-Identifier: MIT
#include "oracle/motion_truth.hpp"

#include <sstream>

#include <boost/math/constants/constants.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>

namespace graze::oracle {
namespace {

using Wide = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>, boost::multiprecision::et_off>;
using WidePoint = Triple<Wide>;

struct WideQuat {
  Wide w, x, y, z;
};
WideQuat unit(const Quat& q) {
  const Wide w = q.w, x = q.x, y = q.y, z = q.z, l = sqrt(Wide(w * w + x * x + y * y + z * z));
  return {w / l, x / l, y / l, z / l};
}
WideQuat product(const WideQuat& a, const WideQuat& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
Matrix<Wide> matrix(const WideQuat& q) {
  const Wide one = 1, two = 2;
  return {{one - two * (q.y * q.y + q.z * q.z), two * (q.x * q.y - q.w * q.z), two * (q.x * q.z + q.w * q.y),
           two * (q.x * q.y + q.w * q.z), one - two * (q.x * q.x + q.z * q.z), two * (q.y * q.z - q.w * q.x),
           two * (q.x * q.z - q.w * q.y), two * (q.y * q.z + q.w * q.x), one - two * (q.x * q.x + q.y * q.y)}};
}
WidePoint wide(const Vec3& v) { return {v.x, v.y, v.z}; }
Real narrow(const Wide& x) { return x.convert_to<Real>(); }
RealPoint narrow(const WidePoint& p) { return {narrow(p.x), narrow(p.y), narrow(p.z)}; }

struct AxisAngle {
  WidePoint axis{1, 0, 0};
  Wide angle = 0;
};
/// The rotation by the smaller angle from one orientation to another, in world coordinates; a half turn is about the
/// axis whose first non-zero component is positive.
AxisAngle between(const WideQuat& from, const WideQuat& to) {
  WideQuat q = product(to, {from.w, -from.x, -from.y, -from.z});
  const Wide noise = Wide("1e-80");
  const auto zero = [&](const Wide& x) { return abs(x) < noise; };
  const Wide first = !zero(q.x) ? q.x : !zero(q.y) ? q.y : q.z;
  if (zero(q.w) ? first < 0 : q.w < 0) q = {-q.w, -q.x, -q.y, -q.z};
  const Wide l = sqrt(Wide(q.x * q.x + q.y * q.y + q.z * q.z));
  if (zero(l)) return {};
  return {{q.x / l, q.y / l, q.z / l}, 2 * atan2(l, q.w)};
}

std::array<Wide, 3> roll_pitch_yaw(const Pose& pose) {
  const Matrix<Wide> m = matrix(unit(pose.rotation()));
  return {atan2(m.m[7], m.m[8]), asin(Wide(-m.m[6])), atan2(m.m[3], m.m[0])};
}
Wide shorter(Wide difference) {
  const Wide pi = boost::math::constants::pi<Wide>();
  if (difference > pi) difference -= 2 * pi;
  if (difference < -pi) difference += 2 * pi;
  return difference;
}

template <class T>
Matrix<T> about(int axis, const T& sine_, const T& cosine_, const T& one) {
  const T c = cosine_, s = sine_, o = T(0);
  if (axis == 0) return {{one, o, o, o, c, -s, o, s, c}};
  if (axis == 1) return {{c, o, s, o, one, o, -s, o, c}};
  return {{c, -s, o, s, c, o, o, o, one}};
}
template <class T>
Matrix<T> constant(const Matrix<Real>& m) {
  Matrix<T> r;
  for (std::size_t i = 0; i < 9; ++i) r.m[i] = T(m.m[i]);
  return r;
}
/// One ulp of a parameter in both directions, because intervals must contain the exact one.
Real parameter(Real x, const Real*) { return x; }
Range parameter(Real x, const Range*) { return widened(x, x); }
template <class T>
T parameter(Real x) {
  return parameter(x, static_cast<const T*>(nullptr));
}
template <class T>
Triple<T> parameter(const RealPoint& p) {
  return {parameter<T>(p.x), parameter<T>(p.y), parameter<T>(p.z)};
}
template <class T>
Matrix<T> parameter(const Matrix<Real>& p) {
  Matrix<T> m;
  for (std::size_t i = 0; i < 9; ++i) m.m[i] = parameter<T>(p.m[i]);
  return m;
}

std::string text_of(const Vec3& v) {
  std::ostringstream s;
  s << std::hexfloat << '{' << v.x << ", " << v.y << ", " << v.z << '}';
  return s.str();
}
std::string text_of(const Pose& p) {
  std::ostringstream s;
  const Quat& q = p.rotation();
  s << std::hexfloat << "Pose(" << text_of(p.translation()) << ", {" << q.w << ", " << q.x << ", " << q.y << ", " << q.z
    << "})";
  return s.str();
}
std::string text_of(const RollPitchYaw& p) {
  std::ostringstream s;
  s << std::hexfloat << "RollPitchYaw{" << text_of(p.translation) << ", " << p.roll << ", " << p.pitch << ", " << p.yaw
    << '}';
  return s.str();
}

}  // namespace

Motion MotionRecipe::make() const {
  switch (kind) {
    case Kind::still: return Still{from};
    case Kind::velocity: return Velocity(from, to, reference);
    case Kind::speeds: return Velocity::from_speeds(from, linear, angular, reference);
    case Kind::screw: return Screw(from, to);
    case Kind::angles: return LinearParameters(angles_from, angles_to);
    case Kind::angles_of_poses: return LinearParameters(from, to);
  }
  return {};
}

std::string MotionRecipe::text() const {
  switch (kind) {
    case Kind::still: return "Still{" + text_of(from) + "}";
    case Kind::velocity: return "Velocity(" + text_of(from) + ", " + text_of(to) + ", " + text_of(reference) + ")";
    case Kind::speeds:
      return "Velocity::from_speeds(" + text_of(from) + ", " + text_of(linear) + ", " + text_of(angular) + ", " +
             text_of(reference) + ")";
    case Kind::screw: return "Screw(" + text_of(from) + ", " + text_of(to) + ")";
    case Kind::angles: return "LinearParameters(" + text_of(angles_from) + ", " + text_of(angles_to) + ")";
    case Kind::angles_of_poses: return "LinearParameters(" + text_of(from) + ", " + text_of(to) + ")";
  }
  return {};
}

TrueMotion::TrueMotion(const MotionRecipe& recipe, const Vec3& origin) : origin_(origin) {
  using Kind = MotionRecipe::Kind;
  if (recipe.kind == Kind::angles || recipe.kind == Kind::angles_of_poses) {
    by_angles_ = true;
    std::array<Wide, 3> start, rate;
    WidePoint t0, t1;
    if (recipe.kind == Kind::angles) {
      const RollPitchYaw &p = recipe.angles_from, &q = recipe.angles_to;
      start = {Wide(p.roll), Wide(p.pitch), Wide(p.yaw)};
      rate = {Wide(q.roll) - start[0], Wide(q.pitch) - start[1], Wide(q.yaw) - start[2]};
      t0 = wide(p.translation), t1 = wide(q.translation);
    } else {
      start = roll_pitch_yaw(recipe.from);
      const std::array<Wide, 3> end = roll_pitch_yaw(recipe.to);
      rate = {shorter(end[0] - start[0]), end[1] - start[1], shorter(end[2] - start[2])};
      t0 = wide(recipe.from.translation()), t1 = wide(recipe.to.translation());
    }
    for (std::size_t i = 0; i < 3; ++i) rpy_[i] = narrow(start[i]), rpy_rate_[i] = narrow(rate[i]);
    base_ = narrow(t0 - wide(origin));
    steady_ = narrow(t1 - t0);
    return;
  }
  const WideQuat q0 = unit(recipe.from.rotation());
  const Matrix<Wide> r0 = matrix(q0);
  const WidePoint t0 = wide(recipe.from.translation()), reference = wide(recipe.reference);
  const WidePoint start = r0 * reference + t0;
  for (std::size_t i = 0; i < 9; ++i) start_.m[i] = narrow(r0.m[i]);
  start_quat_ = {narrow(q0.w), narrow(q0.x), narrow(q0.y), narrow(q0.z)};
  reference_ = narrow(reference);
  base_ = narrow(start - wide(origin));
  if (recipe.kind == Kind::still) return;
  AxisAngle turn;
  WidePoint travel{};
  if (recipe.kind == Kind::speeds) {
    const WidePoint w = wide(recipe.angular);
    const Wide l = sqrt(dot(w, w));
    if (l > 0) turn = {{w.x / l, w.y / l, w.z / l}, l};
    travel = wide(recipe.linear);
  } else {
    const WideQuat q1 = unit(recipe.to.rotation());
    turn = between(q0, q1);
    travel = matrix(q1) * reference + wide(recipe.to.translation()) - start;
  }
  axis_ = narrow(turn.axis);
  angle_ = narrow(turn.angle);
  if (recipe.kind != Kind::screw || turn.angle == 0) {
    steady_ = narrow(travel);
    return;
  }
  // Chasles: the origin moves to t0 + the translation along the axis + (1 - Rot)(c - t0), with c on the axis and w = c
  // - t0 normal to it. With d the travel normal to the axis, w = (d + cot(angle / 2) axis x d) / 2.
  const Wide slide = dot(travel, turn.axis);
  const WidePoint along = turn.axis * slide, d = travel - along;
  const Wide cot = cos(Wide(turn.angle / 2)) / sin(Wide(turn.angle / 2)), half = 0.5;
  const WidePoint w = (d + cross(turn.axis, d) * cot) * half;
  steady_ = narrow(along);
  out_ = narrow(w);
  side_ = narrow(cross(w, turn.axis));  // (1 - Rot(f)) w = (1 - cos f) w - sin f axis x w
}

template <class T>
Matrix<T> TrueMotion::turn(const T& t) const {
  if (by_angles_) {
    Matrix<T> m = constant<T>({{1, 0, 0, 0, 1, 0, 0, 0, 1}});
    for (int axis = 2; axis >= 0; --axis) {
      const T a = parameter<T>(rpy_[axis]) + parameter<T>(rpy_rate_[axis]) * t;
      m = m * about<T>(axis, sine(a), cosine(a), T(1));
    }
    return m;
  }
  const T f = parameter<T>(angle_) * t, half = sine(f * T(0.5));
  const Triple<T> u = parameter<T>(axis_);
  const T o = T(0);
  const Matrix<T> k{{o, -u.z, u.y, u.z, o, -u.x, -u.y, u.x, o}};
  const Matrix<T> rot = constant<T>({{1, 0, 0, 0, 1, 0, 0, 0, 1}}) + k * sine(f) + (k * k) * (T(2) * half * half);
  return rot * parameter<T>(start_);
}

template <class T>
Matrix<T> TrueMotion::turn_rate(const T& t) const {
  if (by_angles_) {
    Matrix<T> sum;
    for (int differentiated = 0; differentiated < 3; ++differentiated) {
      Matrix<T> m = constant<T>({{1, 0, 0, 0, 1, 0, 0, 0, 1}});
      for (int axis = 2; axis >= 0; --axis) {
        const T a = parameter<T>(rpy_[axis]) + parameter<T>(rpy_rate_[axis]) * t;
        m = m * (axis == differentiated ? about<T>(axis, cosine(a), -sine(a), T(0)) * parameter<T>(rpy_rate_[axis])
                                        : about<T>(axis, sine(a), cosine(a), T(1)));
      }
      sum = sum + m;
    }
    return sum;
  }
  const Triple<T> u = parameter<T>(axis_);
  const T o = T(0);
  const Matrix<T> k{{o, -u.z, u.y, u.z, o, -u.x, -u.y, u.x, o}};
  return (k * turn<T>(t)) * parameter<T>(angle_);
}

template <class T>
TruePlace<T> TrueMotion::place(const T& t) const {
  TruePlace<T> p;
  p.r = turn<T>(t);
  p.t = parameter<T>(base_) + parameter<T>(steady_) * t - p.r * parameter<T>(reference_);
  if (by_angles_) return p;
  const T f = parameter<T>(angle_) * t, half = sine(f * T(0.5));
  p.t = p.t + parameter<T>(side_) * sine(f) + parameter<T>(out_) * (T(2) * half * half);
  return p;
}

template <class T>
TruePlace<T> TrueMotion::derivative(const T& t) const {
  TruePlace<T> p;
  p.r = turn_rate<T>(t);
  p.t = parameter<T>(steady_) - p.r * parameter<T>(reference_);
  if (by_angles_) return p;
  const T w = parameter<T>(angle_), f = w * t;
  p.t = p.t + parameter<T>(side_) * (w * cosine(f)) + parameter<T>(out_) * (w * sine(f));
  return p;
}

template TruePlace<Real> TrueMotion::place(const Real&) const;
template TruePlace<Range> TrueMotion::place(const Range&) const;
template TruePlace<Real> TrueMotion::derivative(const Real&) const;
template TruePlace<Range> TrueMotion::derivative(const Range&) const;

Pose TrueMotion::pose(double t) const {
  const auto times = [](const std::array<Real, 4>& a, const std::array<Real, 4>& b) {
    return std::array<Real, 4>{
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
  };
  std::array<Real, 4> q{1, 0, 0, 0};
  if (by_angles_) {
    for (int axis = 2; axis >= 0; --axis) {
      const Real h = (rpy_[axis] + rpy_rate_[axis] * t) / 2;
      std::array<Real, 4> turn{std::cos(h), 0, 0, 0};
      turn[static_cast<std::size_t>(axis) + 1] = std::sin(h);
      q = times(q, turn);
    }
  } else {
    const Real h = angle_ * t / 2, s = std::sin(h);
    q = times({std::cos(h), s * axis_.x, s * axis_.y, s * axis_.z}, start_quat_);
  }
  const RealPoint p = at(t).t;
  return Pose({double(p.x + origin_.x), double(p.y + origin_.y), double(p.z + origin_.z)},
              {double(q[0]), double(q[1]), double(q[2]), double(q[3])});
}

Real TrueMotion::turning_speed(const RealPoint& centre, Real radius) const {
  const Real reach = length(centre - reference_) + radius;
  const Real w =
      by_angles_ ? std::fabs(rpy_rate_[0]) + std::fabs(rpy_rate_[1]) + std::fabs(rpy_rate_[2]) : std::fabs(angle_);
  return w * (reach + length(out_)) * (1 + 1e-15L);
}

}  // namespace graze::oracle
