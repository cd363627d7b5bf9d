// SPDX-License-Identifier: MIT
#include "robot/turning.hpp"

#include <array>
#include <cmath>

#include "math/quat_size.hpp"

namespace graze::robot {

namespace {

using Four = std::array<double, 4>;

double dot(const Four& a, const Four& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]; }

Four of_size_one(Four q) {
  const double size = std::sqrt(dot(q, q));
  for (double& x : q) x /= size;
  return q;
}

Four read(std::span<const double> q, std::size_t first) {
  const Quat near = math::near_unit_size({q[first + 3], q[first + 4], q[first + 5], q[first + 6]});
  return of_size_one({near.w, near.x, near.y, near.z});
}

Four sum(const Four& a, const Four& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]}; }

bool same_quaternion(std::span<const double> from, std::span<const double> to, std::size_t first) {
  return std::equal(&from[first] + 3, &from[first] + 7, &to[first] + 3);
}

}  // namespace

bool turns_are_known(const State& s, std::span<const double> from, std::span<const double> to) {
  for (const std::size_t first : s.floating)
    if (!same_quaternion(from, to, first) && std::fabs(dot(read(from, first), read(to, first))) < 1e-6) return false;
  return true;
}

// The quaternion half way between two of size one, at most a right angle apart, is their sum made one long. So halving
// leads to the time t: exactly, as t has few binary digits, or else until 64 halvings are left over, less than 2^-60 of
// the turn. Each is off by its own rounding, less than 8 eps, and by at most |error| 2 / |sum| of its ends, which is
// below 1.42 the first time and 1.09, 1.02, ... then: together less than 2 (64 * 8 + 8) eps, and a rotation is off by
// four times what its quaternion is (forward_kinematics.cpp): below 2^-40.
//
// The whole turn is twice the angle b of the quaternions, b = 2 asin(x), x = |p - q| / 2 <= 0.7072, and
// asin(x) <= x + 0.2216 x^3 there (all terms of its series are positive: the quotient grows, and is 0.2215 at the end).
void set_turns(const State& s, std::span<const double> from, std::span<const double> to, double t, double half,
               std::vector<double>& q, std::vector<double>& away) {
  for (const std::size_t first : s.floating) {
    std::fill_n(&away[first] + 3, 4, 0.0);
    if (same_quaternion(from, to, first) || t == 0 || t == 1) {
      std::copy_n((t == 1 ? &to[first] : &from[first]) + 3, 4, &q[first] + 3);
      if (same_quaternion(from, to, first) || half == 0) continue;
    }
    Four low = read(from, first), high = read(to, first);
    if (dot(low, high) < 0)
      for (double& x : high) x = -x;
    Four way = high;
    for (std::size_t i = 0; i < 4; ++i) way[i] -= low[i];
    const double x = 0.5 * std::sqrt(dot(way, way)) + 0x1p-50, turn = 4 * (x + 0.2216 * x * x * x);
    away[first + 3] = (turn * half + 0x1p-40) * slack;
    if (t == 0 || t == 1) continue;
    double a = 0, b = 1;
    Four middle = of_size_one(sum(low, high));
    for (int halvings = 0; halvings < 64 && 0.5 * (a + b) != t; ++halvings) {
      const double m = 0.5 * (a + b);
      (t < m ? b : a) = m;
      (t < m ? high : low) = middle;
      middle = of_size_one(sum(low, high));
    }
    std::copy(middle.begin(), middle.end(), &q[first] + 3);
  }
}

}  // namespace graze::robot
