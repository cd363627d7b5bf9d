// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include <graze/core/export.hpp>

namespace graze {

/// A point or direction in space; metres, right-handed.
struct Vec3 {
  double x = 0, y = 0, z = 0;

  constexpr double& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  constexpr double operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};

constexpr Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
constexpr Vec3 operator*(const Vec3& a, double s) { return {a.x * s, a.y * s, a.z * s}; }
constexpr Vec3 operator*(double s, const Vec3& a) { return a * s; }
constexpr double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// Within 5 * 2^-53 of its size of the true length; NaN if a coordinate is not finite. Not `std::hypot`, whose last
/// bits differ between standard libraries.
inline double length(const Vec3& a) {
  const double x = std::fabs(a.x), y = std::fabs(a.y), z = std::fabs(a.z);
  const double most = x < y ? (y < z ? z : y) : (x < z ? z : x);
  if (most == 0) return x + y + z;  // zero, or NaN
  return most * std::sqrt(x / most * (x / most) + y / most * (y / most) + z / most * (z / most));
}
inline bool is_finite(const Vec3& a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

}  // namespace graze
