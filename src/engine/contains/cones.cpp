// SPDX-License-Identifier: MIT
#include "engine/contains/cones.hpp"

#include <algorithm>
#include <cmath>

#include "core/limits.hpp"

namespace graze::engine::contains {

using math::Dyadic;
using math::DyadicVec3;

namespace {

bool is_zero(const DyadicVec3& v) { return v.x.is_zero() && v.y.is_zero() && v.z.is_zero(); }

/// The same direction, its largest coordinate about 1: rounded to doubles.
Vec3 rounded(const DyadicVec3& v) {
  const auto magnitude = [](const Dyadic& x) { return x.sign() < 0 ? -x : x; };
  Dyadic largest = magnitude(v.x);
  for (const Dyadic& c : {magnitude(v.y), magnitude(v.z)})
    if (largest < c) largest = c;
  return {math::ratio(v.x, largest), math::ratio(v.y, largest), math::ratio(v.z, largest)};
}

void add_plane(const DyadicVec3& n, std::vector<DyadicVec3>& planes) {
  for (const DyadicVec3& m : planes)
    if (is_zero(cross(n, m))) return;
  planes.push_back(n);
}

}  // namespace

Cones::Cones(const Surroundings& a, const Surroundings& b) : a_(a), b_(b) {
  for (const DyadicVec3& n : a.normals) add_plane(n, planes_a_);
  for (const DyadicVec3& n : b.normals) add_plane(n, planes_b_);
  normals_ = planes_a_;
  for (const DyadicVec3& n : planes_b_) add_plane(n, normals_);
}

bool Cones::any(const Test& test) {
  if (normals_.size() == 1) return test(normals_[0]) || test(normals_[0] * Dyadic(-1));  // two half-spaces
  core::Poll poll;
  for (const Surroundings* s : {&a_, &b_})
    for (const DyadicVec3& e : s->edges) {
      poll();
      if (any_around(e, test)) return true;
    }
  for (const DyadicVec3& n : planes_a_)
    for (const DyadicVec3& m : planes_b_) {
      poll();
      const DyadicVec3 line = cross(n, m);
      if (is_zero(line)) continue;
      if (any_around(line, test) || any_around(line * Dyadic(-1), test)) return true;
    }
  return false;
}

std::vector<signed char> Cones::sides_of(const DyadicVec3& d) const {
  std::vector<signed char> sides;
  for (const DyadicVec3& n : normals_) sides.push_back(static_cast<signed char>(dot(n, d).sign()));
  return sides;
}

bool Cones::same_cone(const DyadicVec3& d, const DyadicVec3& e) const {
  const std::vector<signed char> sides = sides_of(d);
  return sides == sides_of(e) && std::find(sides.begin(), sides.end(), 0) == sides.end();
}

/// The planes that contain the ray divide the directions near it into sectors: one direction in each.
bool Cones::any_around(const DyadicVec3& ray, const Test& test) {
  std::vector<DyadicVec3> half;  // the half-planes, by a vector in each that is perpendicular to the ray
  for (const DyadicVec3& n : normals_)
    if (dot(n, ray).is_zero()) {
      half.push_back(cross(n, ray));
      half.push_back(half.back() * Dyadic(-1));
    }
  // By angle around the ray, from the first one on.
  const DyadicVec3 first = half.front();
  const auto behind = [&](const DyadicVec3& t) {  // the second half of the turn
    const int side = dot(cross(first, t), ray).sign();
    return side < 0 || (side == 0 && dot(first, t).sign() < 0);
  };
  std::sort(half.begin(), half.end(), [&](const DyadicVec3& s, const DyadicVec3& t) {
    const bool behind_s = behind(s), behind_t = behind(t);
    return behind_s != behind_t ? behind_t : dot(cross(s, t), ray).sign() > 0;
  });
  for (std::size_t i = 0; i < half.size(); ++i) {
    const DyadicVec3 &s = half[i], &t = half[(i + 1) % half.size()];
    // Planes are distinct, so two half-planes in turn are opposite to each other or less than half a turn apart.
    if (holds(ray, half.size() == 2 ? cross(ray, s) : s + t, test)) return true;
  }
  return false;
}

/// For the direction ray + e beside, with a small e; false if its cone was asked about before.
bool Cones::holds(const DyadicVec3& ray, const DyadicVec3& beside, const Test& test) {
  std::vector<signed char> sides;
  for (const DyadicVec3& n : normals_) {
    const int side = dot(n, ray).sign();
    sides.push_back(static_cast<signed char>(side != 0 ? side : dot(n, beside).sign()));
  }
  if (!seen_.insert(sides).second) return false;
  // Short numbers where they do.
  const Vec3 r = rounded(ray), s = rounded(beside);
  for (double e = 0x1p-6; e > 0x1p-40; e *= 0x1p-6) {
    const DyadicVec3 d(Vec3{r.x + e * s.x, r.y + e * s.y, r.z + e * s.z});
    if (sides_of(d) == sides) return test(d);
  }
  DyadicVec3 grown = ray + beside;
  for (Dyadic factor(0x1p64); sides_of(grown) != sides; factor = factor * factor) grown = ray * factor + beside;
  return test(grown);
}

}  // namespace graze::engine::contains
