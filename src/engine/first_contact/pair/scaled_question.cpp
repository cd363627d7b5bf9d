// SPDX-License-Identifier: MIT
#include "engine/first_contact/pair/scaled_question.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "body/body_data.hpp"
#include "motion/path.hpp"
#include "motion/scaled.hpp"

namespace graze::engine::first_contact {

namespace {

constexpr double largest_double = std::numeric_limits<double>::max();

/// |x| < 2^e; larger than for any double if x overflowed.
int exponent_of(double x) {
  if (!std::isfinite(x)) return 1026;
  int e = 0;
  std::frexp(x, &e);
  return x == 0 ? -1074 : e;
}
int exponent_of(const Vec3& v) { return std::max({exponent_of(v.x), exponent_of(v.y), exponent_of(v.z)}); }

/// Of all numbers that would be scaled: they must not overflow.
int largest_exponent(const Box3& box, const motion::Path& path) {
  int e = std::max({exponent_of(box.lo), exponent_of(box.hi), exponent_of(path.reference())});
  for (const double t : {0.0, 1.0}) e = std::max(e, exponent_of(path.placement(t).t));
  return path.kinematic() ? std::max(e, exponent_of(path.bounds().speed)) : e;
}

/// Of the relevant lengths: sizes, speeds and distance of the bodies. Positions far from the origin cancel.
int near_exponent(const Box3& box, const motion::Path& path) {
  const int e = std::max(exponent_of(box.lo - path.reference()), exponent_of(box.hi - path.reference()));
  return path.kinematic() ? std::max(e, exponent_of(path.bounds().speed)) : e;
}
int near_exponent(const Box3& a, const motion::Path& motion_a, const Box3& b, const motion::Path& motion_b) {
  int e = std::max(near_exponent(a, motion_a), near_exponent(b, motion_b));
  for (const double t : {0.0, 1.0}) e = std::max(e, exponent_of(motion_a.placement(t).t - motion_b.placement(t).t));
  return e;
}

double down(double x, int exponent) {
  const double s = std::ldexp(x, exponent);
  return std::ldexp(s, -exponent) <= x ? s : next_down(s);
}

}  // namespace

Body scaled(const Body& body, int exponent, int threads) {
  const auto positions = body.mesh().positions();
  std::vector<Vec3> moved;
  moved.reserve(positions.size());
  for (const Vec3& x : positions) moved.push_back(motion::scaled(x, exponent));
  Body result(Mesh(std::move(moved), body.mesh().polygons()), {.threads = threads});
  if (!body.shape()) return result;
  // A box or a hull stays solid; its shape is not asked for anything else.
  auto data = std::make_shared<body::BodyData>(result.mesh(), threads);
  data->shape = body.data().shape;
  return Body(std::move(data));
}

bool same_triangles(const Mesh& a, const Mesh& b) {
  const auto x = a.triangles(), y = b.triangles();
  return std::equal(x.begin(), x.end(), y.begin(), y.end());
}

double scaled_up(double x, int exponent) {
  const double s = std::ldexp(x, exponent);
  return std::ldexp(s, -exponent) >= x ? s : next_up(s);
}
Vec3 scaled_place(const Vec3& v, int exponent) {
  const auto in_range = [&](double x) { return std::clamp(std::ldexp(x, exponent), -largest_double, largest_double); };
  return {in_range(v.x), in_range(v.y), in_range(v.z)};
}

double scaled_tolerance(double tolerance, int exponent) {
  return std::clamp(std::ldexp(tolerance, exponent), std::numeric_limits<double>::denorm_min(), largest_double);
}

std::optional<int> better_exponent(const Box3& a, const motion::Path& motion_a, const Box3& b,
                                   const motion::Path& motion_b) {
  const int largest = std::max(largest_exponent(a, motion_a), largest_exponent(b, motion_b));
  const int wanted = -near_exponent(a, motion_a, b, motion_b), exponent = std::min(wanted, 1000 - largest);
  if (exponent == 0 || (wanted > 0) != (exponent > 0)) return std::nullopt;
  return exponent;
}

std::optional<ScaledQuestion> scaled_question(const Body& a, const Motion& motion_a, const Body& b,
                                              const Motion& motion_b, const FirstContactOptions& options) {
  const auto exponent = better_exponent(a.box(), motion_a.path(), b.box(), motion_b.path());
  if (!exponent) return std::nullopt;
  ScaledQuestion q{.exponent = *exponent,
                   .a = scaled(a, *exponent, options.threads),
                   .b = scaled(b, *exponent, options.threads),
                   .motion_a = motion_a.path().scaled(*exponent),  // no number overflows, so none is refused
                   .motion_b = motion_b.path().scaled(*exponent),
                   .options = options};
  if (!same_triangles(q.a.mesh(), a.mesh()) || !same_triangles(q.b.mesh(), b.mesh())) return std::nullopt;
  q.options.coherence = nullptr;  // it belongs to other bodies
  if (options.tolerance) q.options.tolerance = scaled_tolerance(*options.tolerance, *exponent);
  if (options.min_separation > 0)  // not less than asked
    q.options.min_separation = std::min(scaled_up(options.min_separation, *exponent), largest_double);
  return q;
}

void scale_back(int exponent, FirstContactResult& r) {
  const int back = -exponent;
  r.gap = std::ldexp(r.gap, back);
  r.tolerance = scaled_up(r.tolerance, back);
  if (r.points)
    for (Vec3& x : *r.points) x = scaled_place(x, back);
  for (ContactEvent& c : r.contacts) c.gap = std::ldexp(c.gap, back);
  if (r.clearance) {
    r.clearance->lower = std::max(0.0, down(r.clearance->lower, back));
    r.clearance->upper = scaled_up(r.clearance->upper, back);
  }
}

}  // namespace graze::engine::first_contact
