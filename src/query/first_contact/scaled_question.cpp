// SPDX-License-Identifier: MIT
#include "query/first_contact/scaled_question.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "motion/path.hpp"
#include "motion/scaled.hpp"

namespace graze::query {

namespace {

constexpr double largest_double = std::numeric_limits<double>::max();

/// No number is 2^e or more; more than any double where one overflowed.
int exponent_of(double x) {
  if (!std::isfinite(x)) return 1026;
  int e = 0;
  std::frexp(x, &e);
  return x == 0 ? -1074 : e;
}
int exponent_of(const Vec3& v) { return std::max({exponent_of(v.x), exponent_of(v.y), exponent_of(v.z)}); }

/// Of all numbers that would be scaled: these must stay doubles.
int largest_exponent(const Body& body, const motion::Path& path) {
  const Box3& box = body.mesh().box();
  int e = std::max({exponent_of(box.lo), exponent_of(box.hi), exponent_of(path.reference())});
  for (const double t : {0.0, 1.0}) e = std::max(e, exponent_of(path.placement(t).t));
  return path.kinematic() ? std::max(e, exponent_of(path.bounds().speed)) : e;
}

/// Of the lengths that matter: the bodies' sizes, speeds, and distance. Places far from the origin cancel.
int near_exponent(const Body& body, const motion::Path& path) {
  const Box3& box = body.mesh().box();
  const int e = std::max(exponent_of(box.lo - path.reference()), exponent_of(box.hi - path.reference()));
  return path.kinematic() ? std::max(e, exponent_of(path.bounds().speed)) : e;
}
int near_exponent(const Body& a, const motion::Path& motion_a, const Body& b, const motion::Path& motion_b) {
  int e = std::max(near_exponent(a, motion_a), near_exponent(b, motion_b));
  for (const double t : {0.0, 1.0}) e = std::max(e, exponent_of(motion_a.placement(t).t - motion_b.placement(t).t));
  return e;
}

/// The same polygons. They are clipped into triangles anew, by exact tests that do not know the size.
Body scaled(const Body& body, int exponent, int threads) {
  const auto positions = body.mesh().positions();
  std::vector<Vec3> moved;
  moved.reserve(positions.size());
  for (const Vec3& x : positions) moved.push_back(motion::scaled(x, exponent));
  return Body(Mesh(std::move(moved), body.mesh().polygons()), {.threads = threads});
}

bool same_triangles(const Mesh& a, const Mesh& b) { return std::ranges::equal(a.triangles(), b.triangles()); }

/// For bounds: not below (above) the real value.
double up(double x, int exponent) {
  const double s = std::ldexp(x, exponent);
  return std::ldexp(s, -exponent) >= x ? s : next_up(s);
}
double down(double x, int exponent) {
  const double s = std::ldexp(x, exponent);
  return std::ldexp(s, -exponent) <= x ? s : next_down(s);
}
/// A place in a world of doubles.
Vec3 place(const Vec3& v, int exponent) {
  const auto in_range = [&](double x) { return std::clamp(std::ldexp(x, exponent), -largest_double, largest_double); };
  return {in_range(v.x), in_range(v.y), in_range(v.z)};
}

}  // namespace

std::optional<ScaledQuestion> scaled_question(const Body& a, const Motion& motion_a, const Body& b,
                                              const Motion& motion_b, const FirstContactOptions& options) {
  const int largest = std::max(largest_exponent(a, motion_a.path()), largest_exponent(b, motion_b.path()));
  const int wanted = -near_exponent(a, motion_a.path(), b, motion_b.path()),
            exponent = std::min(wanted, 1000 - largest);
  if (exponent == 0 || (wanted > 0) != (exponent > 0)) return std::nullopt;
  ScaledQuestion q{.exponent = exponent,
                   .a = scaled(a, exponent, options.threads),
                   .b = scaled(b, exponent, options.threads),
                   .motion_a = motion_a.path().scaled(exponent),  // no number overflows, so none is refused
                   .motion_b = motion_b.path().scaled(exponent),
                   .options = options};
  if (!same_triangles(q.a.mesh(), a.mesh()) || !same_triangles(q.b.mesh(), b.mesh())) return std::nullopt;
  q.options.coherence = nullptr;  // it knows other bodies
  if (options.tolerance)
    q.options.tolerance =
        std::clamp(std::ldexp(*options.tolerance, exponent), std::numeric_limits<double>::denorm_min(), largest_double);
  return q;
}

void scale_back(int exponent, FirstContactResult& r) {
  const int back = -exponent;
  r.gap = std::ldexp(r.gap, back);
  r.tolerance = up(r.tolerance, back);
  if (r.points)
    for (Vec3& x : *r.points) x = place(x, back);
  for (ContactEvent& c : r.contacts) c.gap = std::ldexp(c.gap, back);
  if (r.clearance) {
    r.clearance->lower = std::max(0.0, down(r.clearance->lower, back));
    r.clearance->upper = up(r.clearance->upper, back);
  }
}

}  // namespace graze::query
