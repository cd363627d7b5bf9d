// SPDX-License-Identifier: MIT
// Numbers, points, placement and signs of determinants.
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "oracle/exact_oracle.hpp"

namespace graze::oracle {
namespace {

/// value = mantissa * 2^exponent with an integer mantissa, also for subnormal values.
struct Binary {
  std::int64_t mantissa;
  int exponent;
};

Binary binary(double value) {
  if (!std::isfinite(value)) throw std::invalid_argument("oracle: not a finite number");
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return {static_cast<std::int64_t>(std::ldexp(fraction, 53)), exponent - 53};
}

/// value * 2^1127, which is an integer for every double (frexp's exponent is at least -1073, less 53 bits).
Integer scaled_to_whole(double value) {
  const Binary b = binary(value);
  return Integer(b.mantissa) << (b.exponent + 1127);
}

struct WholePoint {
  Integer x, y, z;
};

WholePoint whole_difference(const Vec3& a, const Vec3& b) {
  return {scaled_to_whole(a.x) - scaled_to_whole(b.x), scaled_to_whole(a.y) - scaled_to_whole(b.y),
          scaled_to_whole(a.z) - scaled_to_whole(b.z)};
}

struct ExactRotation {
  Point axis;  // the quaternion's x, y, z
  Rational w, length_squared;
};

ExactRotation exact_rotation(const Pose& pose) {
  const Quat& q = pose.rotation();
  const Rational w = exact(q.w);
  const Point axis{exact(q.x), exact(q.y), exact(q.z)};
  return {axis, w, w * w + dot(axis, axis)};
}

/// For a unit quaternion (w, u): x + 2 w (u x x) + 2 u x (u x x). Both corrections are quadratic in the entries of q,
/// hence the division by |q|^2.
Point rotate(const ExactRotation& r, const Point& x) {
  const Point once = cross(r.axis, x);
  return x + Rational(2 / r.length_squared) * (r.w * once + cross(r.axis, once));
}

}  // namespace

Rational exact(double value) {
  const Binary b = binary(value);
  const Integer mantissa(b.mantissa);
  if (b.exponent >= 0) return Rational(Integer(mantissa << b.exponent));
  return Rational(mantissa, Integer(Integer(1) << -b.exponent));
}

double to_double(const Rational& value) {
  if (value.is_zero()) return 0;
  const Integer above = abs(numerator(value)), below = denominator(value);
  // Shifted so that the quotient has 64 or 65 bits.
  const int shift = 64 + static_cast<int>(msb(below)) - static_cast<int>(msb(above));
  const Integer quotient = shift >= 0 ? Integer((above << shift) / below) : Integer(above / (below << -shift));
  const double magnitude = std::ldexp(quotient.convert_to<double>(), -shift);
  return value.sign() < 0 ? -magnitude : magnitude;
}

Point exact(const Vec3& v) { return {exact(v.x), exact(v.y), exact(v.z)}; }

Triangle exact(const std::array<Vec3, 3>& corners) { return {exact(corners[0]), exact(corners[1]), exact(corners[2])}; }

Vec3 to_double(const Point& p) { return {to_double(p.x), to_double(p.y), to_double(p.z)}; }

Point operator+(const Point& a, const Point& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Point operator-(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Point operator*(const Rational& s, const Point& a) { return {s * a.x, s * a.y, s * a.z}; }
Rational dot(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Point cross(const Point& a, const Point& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

Point place(const Pose& pose, const Vec3& local) {
  return rotate(exact_rotation(pose), exact(local)) + exact(pose.translation());
}

Triangle place(const Pose& pose, const std::array<Vec3, 3>& local) {
  return {place(pose, local[0]), place(pose, local[1]), place(pose, local[2])};
}

Point unplace(const Pose& pose, const Point& world) {
  ExactRotation back = exact_rotation(pose);
  back.w = -back.w;  // the inverse rotation; (-w, u) is the same as (w, -u)
  return rotate(back, world - exact(pose.translation()));
}

std::optional<Vec3> local_of(const Pose& pose, const Vec3& world) {
  const Point local = unplace(pose, exact(world));
  const Vec3 rounded = to_double(local);
  if (!is_finite(rounded) || exact(rounded) != local) return std::nullopt;
  return rounded;
}

int orient3d_sign(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const WholePoint p = whole_difference(b, a), q = whole_difference(c, a), r = whole_difference(d, a);
  const Integer determinant =
      (p.y * q.z - p.z * q.y) * r.x + (p.z * q.x - p.x * q.z) * r.y + (p.x * q.y - p.y * q.x) * r.z;
  return determinant.sign();
}

int orient3d_sign(const Point& a, const Point& b, const Point& c, const Point& d) {
  return dot(cross(b - a, c - a), d - a).sign();
}

int orient2d_sign(double ax, double ay, double bx, double by, double cx, double cy) {
  const WholePoint p = whole_difference({bx, by, 0}, {ax, ay, 0}), q = whole_difference({cx, cy, 0}, {ax, ay, 0});
  return Integer(p.x * q.y - p.y * q.x).sign();
}

int orient2d_sign(const Vec3& a, const Vec3& b, const Vec3& c, int dropped_axis) {
  const int i = (dropped_axis + 1) % 3, j = (dropped_axis + 2) % 3;
  return orient2d_sign(a[i], a[j], b[i], b[j], c[i], c[j]);
}

std::string describe(const Point& p) {
  const Vec3 near = to_double(p);
  std::ostringstream text;
  text.precision(17);
  text << '(' << near.x << ", " << near.y << ", " << near.z << ')';
  return text.str();
}

std::string describe(const Triangle& t) { return describe(t[0]) + ' ' + describe(t[1]) + ' ' + describe(t[2]); }

}  // namespace graze::oracle
