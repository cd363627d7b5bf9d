// SPDX-License-Identifier: MIT
#include "shape/core.hpp"

#include <algorithm>
#include <cmath>

#include "math/vectors.hpp"

namespace graze::shape {

namespace {

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
  measure();
}

void Core::scale(int exponent) {
  const auto times = [&](double x) { return std::ldexp(x, exponent); };
  half = {times(half.x), times(half.y), times(half.z)};
  radius = times(radius);
  shift_ = {times(shift_.x), times(shift_.y), times(shift_.z)};
  for (Vec3& p : points) p = {times(p.x), times(p.y), times(p.z)};
  measure();
}

void Core::place(const Pose& pose) {
  placed_ = true;
  const Pose turn({}, pose.rotation());
  const Vec3 columns[3] = {turn.apply({1, 0, 0}), turn.apply({0, 1, 0}), turn.apply({0, 0, 1})};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) turn_[3 * i + j] = columns[j][static_cast<int>(i)];
  shift_ = pose.translation();
  measure();
}

Vec3 Core::furthest_of_points(const Vec3& n) const {
  const Vec3* best = points.data();
  double most = dot(n, *best);
  for (const Vec3& p : points)
    if (const double d = dot(n, p); d > most) most = d, best = &p;
  return *best;
}

namespace {

/// The largest ball around the origin that is in the core. Of a cone: the distance of its side, which is less than that
/// of its base, half a height away. The hull of points may not contain the origin: no ball is known.
double inner_radius(const Core& core) {
  const Vec3& h = core.half;
  switch (core.kind) {
    case Core::Kind::point:
    case Core::Kind::segment: return 0;
    case Core::Kind::points: return -math::infinity;
    case Core::Kind::cone: {
      const double side = length({h.x, 2 * h.z, 0});
      return side > 0 ? h.z * (h.x / side) : 0;
    }
    case Core::Kind::box:
    case Core::Kind::cylinder:
    case Core::Kind::ellipsoid: break;
  }
  return std::min({h.x, h.y, h.z});
}

/// The smallest ball around the origin that contains the core.
double outer_radius(const Core& core) {
  const Vec3& h = core.half;
  if (core.kind == Core::Kind::ellipsoid) return math::largest(h);
  if (core.kind == Core::Kind::cylinder || core.kind == Core::Kind::cone) return length({h.x, h.z, 0});
  double far = length(h);
  for (const Vec3& p : core.points) far = std::max(far, length(p));
  return far;
}

}  // namespace

void Core::measure() {
  inner_ = inner_radius(*this);
  outer_ = outer_radius(*this);
  moderate_ = outer_ > 0x1p-400 && outer_ < 0x1p400;
  reach_ = (outer_ + length(shift_)) * (1 + 0x1p-50) + radius;
}

}  // namespace graze::shape
