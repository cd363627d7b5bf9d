// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include <graze/ask/surface.hpp>

#include "classic/contact/surface_data.hpp"
#include "motion/scaled.hpp"

namespace graze {

ParametricPatch::~ParametricPatch() = default;
bool ParametricPatch::derivatives(const Interval&, const Interval&, IntervalBox3&, IntervalBox3&) const {
  return false;
}
ImplicitSurface::~ImplicitSurface() = default;
bool ImplicitSurface::gradient(const IntervalBox3&, IntervalBox3&) const { return false; }

namespace {

[[noreturn]] void refuse(ErrorCode code, std::string message) {
  throw Error({.code = code, .message = std::move(message), .element = "surface", .file = {}});
}

/// One coordinate of a net of control points.
struct Net {
  int u, v;  ///< degrees
  std::vector<Interval> values;

  Interval at(int i, int j) const { return values[static_cast<std::size_t>(i * (v + 1) + j)]; }
};

/// The control values of a curve's part over [a, b] in [0, 1], by blossoming: value k is the polar form at n - k times
/// a and k times b. In interval arithmetic, so the hull of the results contains the part.
void part_of_curve(std::vector<Interval>& c, double a, double b) {
  const std::size_t n = c.size() - 1;
  std::vector<Interval> out(n + 1), work;
  for (std::size_t k = 0; k <= n; ++k) {
    work = c;
    for (std::size_t step = 0; step < n; ++step) {
      const Interval t(step < n - k ? a : b), rest = Interval(1) - t;
      for (std::size_t i = 0; i + step < n; ++i) work[i] = rest * work[i] + t * work[i + 1];
    }
    out[k] = work[0];
  }
  c = out;
}

/// The range of a net's polynomial over u, v: the hull of the control values of its part.
Interval range(const Net& net, const Interval& u, const Interval& v) {
  std::vector<Interval> row, column;
  std::vector<std::vector<Interval>> rows;
  for (int i = 0; i <= net.u; ++i) {
    row.clear();
    for (int j = 0; j <= net.v; ++j) row.push_back(net.at(i, j));
    part_of_curve(row, v.lo, v.hi);
    rows.push_back(row);
  }
  Interval all = Interval::nothing();
  for (int j = 0; j <= net.v; ++j) {
    column.clear();
    for (int i = 0; i <= net.u; ++i) column.push_back(rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
    part_of_curve(column, u.lo, u.hi);
    for (const Interval& x : column) all = hull(all, x);
  }
  return all;
}

std::string in_hexadecimal(double x) {
  char text[32];
  std::snprintf(text, sizeof text, " %a", x);
  return text;
}

class Bezier : public ParametricPatch {
 public:
  Bezier(int degree_u, int degree_v, const std::vector<Vec3>& points) {
    words_ = " " + std::to_string(degree_u) + " " + std::to_string(degree_v);
    for (const Vec3& p : points)
      for (int k = 0; k < 3; ++k) words_ += in_hexadecimal(p[k]);
    for (int k = 0; k < 3; ++k) {
      const auto i = static_cast<std::size_t>(k);
      net_[i] = {degree_u, degree_v, {}};
      for (const Vec3& p : points) net_[i].values.push_back(p[k]);
      // The derivative's control points are differences, times the degree.
      by_u_[i] = {degree_u - 1, degree_v, {}};
      by_v_[i] = {degree_u, degree_v - 1, {}};
      for (int a = 0; a <= degree_u; ++a)
        for (int b = 0; b <= degree_v; ++b) {
          const Net& n = net_[i];
          if (a < degree_u) by_u_[i].values.push_back(Interval(degree_u) * (n.at(a + 1, b) - n.at(a, b)));
          if (b < degree_v) by_v_[i].values.push_back(Interval(degree_v) * (n.at(a, b + 1) - n.at(a, b)));
        }
    }
  }
  IntervalBox3 over(const Interval& u, const Interval& v) const override { return ranges(net_, u, v); }
  bool derivatives(const Interval& u, const Interval& v, IntervalBox3& by_u, IntervalBox3& by_v) const override {
    by_u = ranges(by_u_, u, v);
    by_v = ranges(by_v_, u, v);
    return true;
  }

  const std::string& words() const { return words_; }

 private:
  using Nets = std::array<Net, 3>;
  static IntervalBox3 ranges(const Nets& nets, const Interval& u, const Interval& v) {
    return {range(nets[0], u, v), range(nets[1], u, v), range(nets[2], u, v)};
  }
  Nets net_, by_u_, by_v_;
  std::string words_;
};

/// (sqrt(x^2 + y^2) - major)^2 + z^2 - minor^2, in units of the radii's size, so that squares do not overflow or
/// underflow.
class Torus : public ImplicitSurface {
 public:
  Torus(double major, double minor) : major_(major), minor_(minor) {
    std::frexp(std::max(major, minor), &exponent_);
    // In these units the radii are at most 1; a radius so small that it loses digits is enclosed by an interval.
    ring_ = motion::scaled(Interval(major), -exponent_);
    tube_ = motion::scaled(Interval(minor), -exponent_);
  }
  Interval over(const IntervalBox3& points) const override {
    const IntervalBox3 p = in_units(points);
    const Interval from_ring = sqrt(sqr(p[0]) + sqr(p[1])) - ring_;
    return sqr(from_ring) + sqr(p[2]) - sqr(tube_);
  }
  bool gradient(const IntervalBox3& points, IntervalBox3& g) const override {
    const IntervalBox3 p = in_units(points);
    const Interval q = sqrt(sqr(p[0]) + sqr(p[1]));
    if (!(q.lo > 0)) return false;  // the gradient is undefined on the axis
    const Interval slope = Interval(2) - Interval(2) * ring_ / q;
    g = in_units({slope * p[0], slope * p[1], Interval(2) * p[2]});  // chain rule: scaled once more
    return true;
  }
  Box3 bounds() const override {
    // A little wider than the surface: where it is farthest out, a change of sign is certified by a point beyond it.
    const auto wider = [](double x) { return std::min(x * (1 + 0x1p-30), std::numeric_limits<double>::max()); };
    const double reach = next_up(wider(major_ + minor_)), high = wider(minor_);
    return {{-reach, -reach, -high}, {reach, reach, high}};
  }
  std::string words() const { return "torus" + in_hexadecimal(major_) + in_hexadecimal(minor_); }

 private:
  IntervalBox3 in_units(const IntervalBox3& p) const {
    return {motion::scaled(p[0], -exponent_), motion::scaled(p[1], -exponent_), motion::scaled(p[2], -exponent_)};
  }
  double major_, minor_;
  int exponent_ = 0;
  Interval ring_, tube_;
};

}  // namespace

std::string classic::contact::text_of(const ImplicitSurface& surface) {
  const auto* const torus = dynamic_cast<const Torus*>(&surface);
  return torus ? torus->words() : std::string();
}

std::string classic::contact::text_of(const std::vector<std::shared_ptr<const ParametricPatch>>& patches) {
  std::string out = "patches " + std::to_string(patches.size());
  for (const auto& patch : patches) {
    const auto* const bezier = dynamic_cast<const Bezier*>(patch.get());
    if (!bezier) return {};
    out += bezier->words();
  }
  return out;
}

std::shared_ptr<const ParametricPatch> bezier_patch(int degree_u, int degree_v, std::vector<Vec3> points) {
  if (degree_u < 1 || degree_v < 1 || degree_u > 16 || degree_v > 16)
    refuse(ErrorCode::bad_option, "the degrees of a Bezier patch must be between 1 and 16");
  const std::size_t wanted = static_cast<std::size_t>((degree_u + 1) * (degree_v + 1));
  if (points.size() != wanted)
    refuse(ErrorCode::bad_option, "a Bezier patch of these degrees has " + std::to_string(wanted) +
                                      " control points, not " + std::to_string(points.size()));
  for (const Vec3& p : points)
    if (!is_finite(p)) refuse(ErrorCode::not_finite, "a control point is not finite");
  return std::make_shared<Bezier>(degree_u, degree_v, points);
}

std::shared_ptr<const ImplicitSurface> torus_surface(double major, double minor) {
  if (!(major > 0 && minor > 0 && std::isfinite(major + minor)))
    refuse(ErrorCode::bad_option, "the radii of a torus must be positive and finite");
  return std::make_shared<Torus>(major, minor);
}

}  // namespace graze
