// SPDX-License-Identifier: MIT
#include "shape/core.hpp"

#include <algorithm>
#include <cmath>

#include "math/vectors.hpp"

namespace graze::shape {

namespace {

/// The point of the circle of this radius around the z axis that is furthest along n; its z is 0.
Vec3 on_circle(double radius, const Vec3& n) {
  const double len = std::sqrt(n.x * n.x + n.y * n.y);
  if (!(len > 0)) return {radius, 0, 0};  // n is along the axis (or nearly: what is lost is below the rounding bound)
  return {radius * (n.x / len), radius * (n.y / len), 0};
}

Vec3 on_ellipsoid(const Vec3& half, const Vec3& n) {
  // x_i = a_i^2 n_i / |(a_i n_i)|, scaled so that no square overflows or vanishes.
  const Vec3 stretched = math::of_size_one({half.x * n.x, half.y * n.y, half.z * n.z});
  const double len = math::norm(stretched);
  if (!(len > 0)) return {};
  return {half.x * (stretched.x / len), half.y * (stretched.y / len), half.z * (stretched.z / len)};
}

struct MakeCore {
  Core& core;

  void operator()(const Sphere& s) const { core.radius = s.radius; }
  void operator()(const Capsule& c) const {
    core.kind = Core::Kind::segment;
    core.half = {0, 0, 0.5 * c.length};
    core.radius = c.radius;
  }
  void operator()(const Box& b) const {
    core.kind = Core::Kind::box;
    core.half = b.sides * 0.5;
  }
  void operator()(const Cylinder& c) const {
    core.kind = Core::Kind::cylinder;
    core.half = {c.radius, c.radius, 0.5 * c.height};
  }
  void operator()(const Cone& c) const {
    core.kind = Core::Kind::cone;
    core.half = {c.radius, c.radius, 0.5 * c.height};
  }
  void operator()(const Ellipsoid& e) const {
    core.kind = Core::Kind::ellipsoid;
    core.half = e.half_axes;
  }
  void operator()(const HalfSpace&) const {}
  void operator()(const Hull& h) const {
    core.kind = Core::Kind::points;
    core.points = h.points;
  }
};

}  // namespace

Core::Core(const Shape& shape) {
  std::visit(MakeCore{*this}, shape.kind);
  radius += shape.rounding;  // one rounding, of 2^-53, which the rounding bound of the questions covers
}

void Core::scale(int exponent) {
  const auto times = [&](double x) { return std::ldexp(x, exponent); };
  half = {times(half.x), times(half.y), times(half.z)};
  radius = times(radius);
  shift_ = {times(shift_.x), times(shift_.y), times(shift_.z)};
  for (Vec3& p : points) p = {times(p.x), times(p.y), times(p.z)};
}

void Core::place(const Pose& pose) {
  placed_ = true;
  const Pose turn({}, pose.rotation());
  const Vec3 columns[3] = {turn.apply({1, 0, 0}), turn.apply({0, 1, 0}), turn.apply({0, 0, 1})};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) turn_[3 * i + j] = columns[j][static_cast<int>(i)];
  shift_ = pose.translation();
}

Vec3 Core::furthest(const Vec3& n) const {
  if (!placed_) return furthest_of_own(n);
  const Vec3 own{turn_[0] * n.x + turn_[3] * n.y + turn_[6] * n.z, turn_[1] * n.x + turn_[4] * n.y + turn_[7] * n.z,
                 turn_[2] * n.x + turn_[5] * n.y + turn_[8] * n.z};
  return at_place(furthest_of_own(own));
}

Vec3 Core::at_place(const Vec3& own) const { return placed_ ? math::turned(turn_, own) + shift_ : own; }

Vec3 Core::furthest_of_own(const Vec3& n) const {
  switch (kind) {
    case Kind::point: return {};
    case Kind::segment: return {0, 0, n.z < 0 ? -half.z : half.z};
    case Kind::box: return {n.x < 0 ? -half.x : half.x, n.y < 0 ? -half.y : half.y, n.z < 0 ? -half.z : half.z};
    case Kind::cylinder: {
      Vec3 x = on_circle(half.x, n);
      x.z = n.z < 0 ? -half.z : half.z;
      return x;
    }
    case Kind::cone: {
      Vec3 x = on_circle(half.x, n);
      x.z = -half.z;
      return n.x * x.x + n.y * x.y + n.z * x.z > n.z * half.z ? x : Vec3{0, 0, half.z};
    }
    case Kind::ellipsoid: return on_ellipsoid(half, n);
    case Kind::points: break;
  }
  const Vec3* best = points.data();
  double most = dot(n, *best);
  for (const Vec3& p : points)
    if (const double d = dot(n, p); d > most) most = d, best = &p;
  return *best;
}

double Core::reach() const {
  double far = length(half);
  for (const Vec3& p : points) far = std::max(far, length(p));
  return (far + length(shift_)) * (1 + 0x1p-50) + radius;
}

}  // namespace graze::shape
