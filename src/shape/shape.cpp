// SPDX-License-Identifier: MIT
#include <graze/shape/shape.hpp>

#include <cmath>
#include <limits>

#include <graze/core/error.hpp>

namespace graze::shape {

namespace {

[[noreturn]] void invalid(ErrorCode code, std::string message, std::uint64_t id = ErrorDetail::none) {
  throw Error({.code = code,
               .message = std::move(message),
               .element = id == ErrorDetail::none ? "shape" : "point",
               .id = id,
               .file = {},
               .line = ErrorDetail::none});
}

void check_length(double length, const char* what) {
  if (!std::isfinite(length)) invalid(ErrorCode::not_finite, std::string(what) + " is not finite");
  if (length < 0) invalid(ErrorCode::bad_option, std::string(what) + " is negative; give a length of 0 or more");
}

struct Check {
  void operator()(const Sphere& s) const { check_length(s.radius, "the radius"); }
  void operator()(const Capsule& c) const {
    check_length(c.radius, "the radius");
    check_length(c.length, "the length of the segment");
  }
  void operator()(const Box& b) const {
    for (int k = 0; k < 3; ++k) check_length(b.sides[k], "a side of the box");
  }
  void operator()(const Cylinder& c) const {
    check_length(c.radius, "the radius");
    check_length(c.height, "the height");
  }
  void operator()(const Cone& c) const {
    check_length(c.radius, "the radius");
    check_length(c.height, "the height");
  }
  void operator()(const Ellipsoid& e) const {
    for (int k = 0; k < 3; ++k) check_length(e.half_axes[k], "a half axis");
  }
  void operator()(const HalfSpace&) const {}
  void operator()(const Hull& h) const {
    if (h.points.empty()) invalid(ErrorCode::empty_mesh, "a hull needs at least one point");
    for (std::size_t i = 0; i < h.points.size(); ++i)
      if (!is_finite(h.points[i])) invalid(ErrorCode::not_finite, "the point is not finite", i);
  }
};

struct HalfExtents {
  Vec3 operator()(const Sphere& s) const { return {s.radius, s.radius, s.radius}; }
  Vec3 operator()(const Capsule& c) const { return {c.radius, c.radius, c.radius + 0.5 * c.length}; }
  Vec3 operator()(const Box& b) const { return b.sides * 0.5; }
  Vec3 operator()(const Cylinder& c) const { return {c.radius, c.radius, 0.5 * c.height}; }
  Vec3 operator()(const Cone& c) const { return {c.radius, c.radius, 0.5 * c.height}; }
  Vec3 operator()(const Ellipsoid& e) const { return e.half_axes; }
  Vec3 operator()(const HalfSpace&) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return {infinity, infinity, infinity};
  }
  Vec3 operator()(const Hull&) const { return {}; }
};

double up(double x) { return std::nextafter(x, std::numeric_limits<double>::infinity()); }

}  // namespace

Shape rounded(const Shape& shape, double radius) { return {shape.kind, shape.rounding + radius}; }

bool is_polyhedral(const Shape& shape) {
  if (std::holds_alternative<HalfSpace>(shape.kind)) return true;
  if (shape.rounding != 0) return false;
  return std::holds_alternative<Box>(shape.kind) || std::holds_alternative<Hull>(shape.kind);
}

void check(const Shape& shape) {
  check_length(shape.rounding, "the radius of the rounding");
  std::visit(Check{}, shape.kind);
  const Box3 box = bounds(shape);
  if (!std::holds_alternative<HalfSpace>(shape.kind) && !(is_finite(box.lo) && is_finite(box.hi)))
    invalid(ErrorCode::bad_option, "the shape reaches beyond the largest number; scale the scene");
}

Box3 bounds(const Shape& shape) {
  Box3 box;
  if (const auto* hull = std::get_if<Hull>(&shape.kind)) {
    for (const Vec3& p : hull->points) box.add(p);
  } else {
    const Vec3 half = std::visit(HalfExtents{}, shape.kind);
    box.lo = -half;
    box.hi = half;
    if (std::holds_alternative<HalfSpace>(shape.kind)) box.hi.z = 0;
  }
  // Half of a length and a length itself are exact; a capsule's sum and the rounding are rounded once each.
  const bool sums = shape.rounding != 0 || std::holds_alternative<Capsule>(shape.kind);
  for (int k = 0; sums && k < 3; ++k) {
    box.lo[k] = -up(up(-box.lo[k]) + shape.rounding);
    box.hi[k] = up(up(box.hi[k]) + shape.rounding);
  }
  return box;
}

std::string_view kind_name(const Shape& shape) {
  static constexpr std::string_view names[] = {"sphere", "capsule",   "box",       "cylinder",
                                               "cone",   "ellipsoid", "halfspace", "hull"};
  return names[shape.kind.index()];
}

}  // namespace graze::shape
