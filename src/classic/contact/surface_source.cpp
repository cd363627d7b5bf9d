// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "classic/contact/surface_data.hpp"

#include "engine/first_contact/pair/kinematics.hpp"
#include "math/vectors.hpp"
#include "motion/scaled.hpp"

namespace graze::classic::contact {
namespace {

/// An upper bound of the length.
double size_above(const Vec3& v) { return engine::first_contact::length_at_any_scale(v) * (1 + 0x1p-49); }

double middle(const Interval& x) { return std::clamp(0.5 * x.lo + 0.5 * x.hi, x.lo, x.hi); }
double radius(const Interval& x) {
  const double m = middle(x), r = std::max(x.hi - m, m - x.lo);
  return r == 0 ? 0 : next_up(r);
}
Vec3 middle(const IntervalBox3& b) { return {middle(b[0]), middle(b[1]), middle(b[2])}; }
Vec3 radii(const IntervalBox3& b) { return {radius(b[0]), radius(b[1]), radius(b[2])}; }
IntervalBox3 at(const Vec3& p) { return {p.x, p.y, p.z}; }

/// None for the null vector and for vectors that are not finite.
std::optional<Vec3> unit_of(const Vec3& v) {
  const double size = engine::first_contact::length_at_any_scale(v);
  if (!(size > 0 && std::isfinite(size))) return std::nullopt;
  const Vec3 n = v * (1 / size);
  if (!is_finite(n)) return std::nullopt;
  return n;
}

void box_hull(const IntervalBox3& b, SurfaceHull& hull) {
  hull = {};
  for (int i = 0; i < 8; ++i)
    hull.add({i & 1 ? b[0].hi : b[0].lo, i & 2 ? b[1].hi : b[1].lo, i & 4 ? b[2].hi : b[2].lo});
}

std::array<SurfaceCell, 2> cut(const SurfaceCell& cell, std::size_t k) {
  SurfaceCell first = cell, second = cell;
  first.box[k].hi = second.box[k].lo = middle(cell.box[k]);
  return {first, second};
}

bool can_cut(const Interval& x) { return middle(x) > x.lo && middle(x) < x.hi; }

IntervalBox3 by_power(const IntervalBox3& b, int exponent) {
  return {motion::scaled(b[0], exponent), motion::scaled(b[1], exponent), motion::scaled(b[2], exponent)};
}

/// A patch or an implicit surface with lengths multiplied by a power of two.
class ScaledPatch : public ParametricPatch {
 public:
  ScaledPatch(std::shared_ptr<const ParametricPatch> patch, int exponent)
      : patch_(std::move(patch)), exponent_(exponent) {}
  IntervalBox3 over(const Interval& u, const Interval& v) const override {
    return by_power(patch_->over(u, v), exponent_);
  }
  bool derivatives(const Interval& u, const Interval& v, IntervalBox3& by_u, IntervalBox3& by_v) const override {
    if (!patch_->derivatives(u, v, by_u, by_v)) return false;
    by_u = by_power(by_u, exponent_);
    by_v = by_power(by_v, exponent_);
    return true;
  }

 private:
  std::shared_ptr<const ParametricPatch> patch_;
  int exponent_;
};

class ScaledSurface : public ImplicitSurface {
 public:
  ScaledSurface(std::shared_ptr<const ImplicitSurface> surface, int exponent)
      : surface_(std::move(surface)), exponent_(exponent) {}
  Interval over(const IntervalBox3& points) const override { return surface_->over(by_power(points, -exponent_)); }
  /// The gradient of f(x 2^-e) is 2^-e times that of f.
  bool gradient(const IntervalBox3& points, IntervalBox3& g) const override {
    if (!surface_->gradient(by_power(points, -exponent_), g)) return false;
    g = by_power(g, -exponent_);
    return true;
  }
  Box3 bounds() const override {
    const Box3 b = surface_->bounds();
    return {motion::scaled(b.lo, exponent_), motion::scaled(b.hi, exponent_)};
  }

 private:
  std::shared_ptr<const ImplicitSurface> surface_;
  int exponent_;
};

class Parametric : public SurfaceSource {
 public:
  explicit Parametric(std::vector<std::shared_ptr<const ParametricPatch>> patches) : patches_(std::move(patches)) {}

  std::vector<SurfaceCell> roots() const override {
    std::vector<SurfaceCell> cells;
    for (std::uint32_t i = 0; i < patches_.size(); ++i)
      cells.push_back({i, {Interval(0, 1), Interval(0, 1), Interval(0)}});
    return cells;
  }

  /// With derivatives: the mean value theorem, coordinate by coordinate, from the cell's midpoint c. P(u, v) = P(c) +
  /// P_u du + P_v dv with P_u, P_v in their inclusions; their midpoints span a parallelogram, their radii and that of
  /// P(c) form the remainder, of second order in the cell's size.
  bool enclose(const SurfaceCell& cell, SurfaceHull& hull) const override {
    const ParametricPatch& patch = *patches_[cell.patch];
    const auto& [u, v, unused] = cell.box;
    IntervalBox3 by_u, by_v;
    if (!patch.derivatives(u, v, by_u, by_v)) {
      box_hull(patch.over(u, v), hull);
      return true;
    }
    const IntervalBox3 centre = patch.over(Interval(middle(u)), Interval(middle(v)));
    const double hu = radius(u), hv = radius(v);
    const Vec3 c = middle(centre), a = middle(by_u) * hu, b = middle(by_v) * hv;
    hull = {};
    hull.add(c - a - b);
    hull.add(c - a + b);
    hull.add(c + a - b);
    hull.add(c + a + b);
    hull.flat = true;
    hull.along = {a, b};
    const double rest = size_above(radii(centre)) + size_above(radii(by_u)) * hu + size_above(radii(by_v)) * hv;
    hull.radius = (rest + 0x1p-50 * (size_above(c) + size_above(a) + size_above(b))) * (1 + 0x1p-48);
    if (!(hull.radius < std::numeric_limits<double>::max())) box_hull(patch.over(u, v), hull);
    return true;
  }

  std::array<SurfaceCell, 2> halves(const SurfaceCell& cell) const override {
    const auto& [u, v, unused] = cell.box;
    double by[2] = {radius(u), radius(v)};
    IntervalBox3 by_u, by_v;
    if (patches_[cell.patch]->derivatives(u, v, by_u, by_v)) {
      by[0] *= size_above(middle(by_u)) + size_above(radii(by_u));
      by[1] *= size_above(middle(by_v)) + size_above(radii(by_v));
    }
    if (!can_cut(u)) return cut(cell, 1);
    if (!can_cut(v)) return cut(cell, 0);
    return cut(cell, by[1] > by[0] ? 1 : 0);
  }

  std::optional<SurfacePoint> point(const SurfaceCell& cell) const override {
    return at_parameters(cell.patch, middle(cell.box[0]), middle(cell.box[1]));
  }

  /// Gauss-Newton steps from the middle of the cell, clamped to the cell. Every parameter gives a certified point, so
  /// the best of them is kept, whether the steps converge or not.
  std::optional<SurfacePoint> near(const SurfaceCell& cell, const Vec3& to) const override {
    const auto& [u_range, v_range, unused] = cell.box;
    double u = middle(u_range), v = middle(v_range);
    SurfacePoint best = at_parameters(cell.patch, u, v);
    double least = size_above(best.point - to);
    IntervalBox3 by_u, by_v;
    SurfacePoint now = best;
    for (int step = 0; step < 4; ++step) {
      if (!patches_[cell.patch]->derivatives(Interval(u), Interval(v), by_u, by_v)) break;
      const std::array<double, 2> d = least_squares(middle(by_u), middle(by_v), to - now.point);
      const double next_u = std::clamp(u + d[0], u_range.lo, u_range.hi);
      // Where u ends at the border of the cell, v is best for that u.
      const double moved = next_u - u;
      const double dv = moved == d[0] ? d[1] : along(middle(by_v), to - now.point - middle(by_u) * moved);
      const double next_v = std::clamp(v + dv, v_range.lo, v_range.hi);
      if (!(next_u != u || next_v != v) || !std::isfinite(next_u + next_v)) break;
      u = next_u;
      v = next_v;
      now = at_parameters(cell.patch, u, v);
      const double distance = size_above(now.point - to);
      if (!(distance < least)) break;
      best = now;
      least = distance;
    }
    return best;
  }

  std::optional<Vec3> normal(const SurfacePoint& p) const override {
    IntervalBox3 by_u, by_v;
    if (!patches_[p.at.patch]->derivatives(p.at.box[0], p.at.box[1], by_u, by_v)) return std::nullopt;
    return unit_of(cross(middle(by_u), middle(by_v)));
  }

  bool divisible(const SurfaceCell& cell) const override { return can_cut(cell.box[0]) || can_cut(cell.box[1]); }

  std::unique_ptr<const SurfaceSource> scaled(int exponent) const override {
    std::vector<std::shared_ptr<const ParametricPatch>> all;
    for (const auto& patch : patches_) all.push_back(std::make_shared<ScaledPatch>(patch, exponent));
    return std::make_unique<Parametric>(std::move(all));
  }

 private:
  SurfacePoint at_parameters(std::uint32_t patch, double u, double v) const {
    const IntervalBox3 p = patches_[patch]->over(Interval(u), Interval(v));
    return {middle(p), size_above(radii(p)), {patch, {Interval(u), Interval(v), Interval(0)}}};
  }
  /// The multiple of `direction` that is closest to d.
  static double along(const Vec3& direction, const Vec3& d) {
    const double squared = dot(direction, direction);
    return squared > 0 ? dot(direction, d) / squared : 0;
  }
  /// The du, dv that minimize |a du + b dv - d|; along one of them where the two are parallel.
  static std::array<double, 2> least_squares(const Vec3& a, const Vec3& b, const Vec3& d) {
    const double aa = dot(a, a), ab = dot(a, b), bb = dot(b, b), determinant = aa * bb - ab * ab;
    if (!(determinant > 0x1p-40 * aa * bb))
      return aa >= bb ? std::array{along(a, d), 0.0} : std::array{0.0, along(b, d)};
    const double da = dot(a, d), db = dot(b, d);
    return {(da * bb - db * ab) / determinant, (db * aa - da * ab) / determinant};
  }

  std::vector<std::shared_ptr<const ParametricPatch>> patches_;
};

class Implicit : public SurfaceSource {
 public:
  explicit Implicit(std::shared_ptr<const ImplicitSurface> surface) : surface_(std::move(surface)) {}

  std::vector<SurfaceCell> roots() const override {
    const Box3 b = surface_->bounds();
    return {{0, {Interval(b.lo.x, b.hi.x), Interval(b.lo.y, b.hi.y), Interval(b.lo.z, b.hi.z)}}};
  }

  /// With a gradient: 0 = f(x) = f(c) + g . (x - c) with g in its inclusion G, so along the midpoint of G the surface
  /// lies in a slab whose thickness is of second order. The hull is the part of the slab around the cell.
  bool enclose(const SurfaceCell& cell, SurfaceHull& hull) const override {
    const Interval values = surface_->over(cell.box);
    if (values.lo > 0 || values.hi < 0) return false;  // NaN proves nothing
    box_hull(cell.box, hull);
    IntervalBox3 slope;
    if (!surface_->gradient(cell.box, slope)) return true;
    const Vec3 c = middle(cell.box), h = radii(cell.box), g = middle(slope), spread = radii(slope);
    const double steep = std::sqrt(dot(g, g));
    if (!(steep > 0x1p-400) || !(steep < 0x1p400)) return true;
    const Interval value = surface_->over(at(c));
    // g' . (x - c) for g' = g / |g|, rounded: 2^-48 covers the roundings of the sums, of g' and of its length.
    const double off = (spread.x * h.x + spread.y * h.y + spread.z * h.z) / steep;
    const double slack =
        0x1p-48 * (off + std::fabs(value.lo / steep) + std::fabs(value.hi / steep) + size_above(h) + size_above(c));
    const double reach = (std::fabs(g.x) * h.x + std::fabs(g.y) * h.y + std::fabs(g.z) * h.z) / steep;
    const double lo = -value.hi / steep - off - slack, hi = -value.lo / steep + off + slack;
    if (lo > reach + slack || hi < -reach - slack) return false;
    if (!(lo > -reach || hi < reach)) return true;
    slab(c, h, g * (1 / steep), std::max(lo, -reach - slack), std::min(hi, reach + slack), slack, hull);
    return true;
  }

  std::array<SurfaceCell, 2> halves(const SurfaceCell& cell) const override {
    std::size_t widest = 0;
    for (std::size_t k = 1; k < 3; ++k)
      if (radius(cell.box[k]) > radius(cell.box[widest])) widest = k;
    return cut(cell, widest);
  }

  std::optional<SurfacePoint> point(const SurfaceCell& cell) const override {
    const auto found = certified(middle(cell.box), size_above(radii(cell.box)));
    return found ? found : by_corners(cell);
  }

  /// Newton's steps go along the gradient, so near the surface they end close to the closest point.
  std::optional<SurfacePoint> near(const SurfaceCell& cell, const Vec3& to) const override {
    const double size = size_above(radii(cell.box));
    Vec3 x = to;
    for (int step = 0; step < 2; ++step) {
      const std::optional<Newton> next = newton(x);
      // Not farther than a surface in the cell can be.
      if (!next || !(size_above(next->to - to) <= 2 * size + size_above(to - middle(cell.box)))) break;
      x = next->to;
    }
    const auto found = certified(x, size);
    return found ? found : point(cell);
  }

  std::optional<Vec3> normal(const SurfacePoint& p) const override {
    IntervalBox3 slope;
    if (!surface_->gradient(at(p.point), slope)) return std::nullopt;
    return unit_of(middle(slope));
  }

  bool divisible(const SurfaceCell& cell) const override {
    return can_cut(cell.box[0]) && can_cut(cell.box[1]) && can_cut(cell.box[2]);
  }

  std::unique_ptr<const SurfaceSource> scaled(int exponent) const override {
    return std::make_unique<Implicit>(std::make_shared<ScaledSurface>(surface_, exponent));
  }

 private:
  static void slab(const Vec3& c, const Vec3& h, const Vec3& n, double lo, double hi, double slack, SurfaceHull& hull) {
    const double x = std::fabs(n.x), y = std::fabs(n.y), z = std::fabs(n.z);
    Vec3 u = cross(n, x <= y && x <= z ? Vec3{1, 0, 0} : y <= z ? Vec3{0, 1, 0} : Vec3{0, 0, 1});
    u = u * (1 / std::sqrt(dot(u, u)));
    const Vec3 v = cross(n, u);
    const auto along = [&](const Vec3& a) {
      return std::fabs(a.x) * h.x + std::fabs(a.y) * h.y + std::fabs(a.z) * h.z;
    };
    const double hu = along(u) * (1 + 0x1p-50), hv = along(v) * (1 + 0x1p-50);
    hull = {};
    hull.flat = true;
    hull.along = {u, v};
    for (int i = 0; i < 8; ++i) hull.add(c + n * (i & 1 ? lo : hi) + u * (i & 2 ? hu : -hu) + v * (i & 4 ? hv : -hv));
    // The three vectors are orthonormal to within 2^-49, so a point of the slab has coordinates with an error of less
    // than 2^-47 of its distance from c.
    hull.radius = slack + 0x1p-45 * (size_above(h) + std::fabs(lo) + std::fabs(hi)) + 0x1p-50 * size_above(c);
  }

  /// One step of Newton's iteration along the gradient, and its unit vector; none without a gradient.
  struct Newton {
    Vec3 to, normal;
  };
  std::optional<Newton> newton(const Vec3& c) const {
    IntervalBox3 slope;
    if (!surface_->gradient(at(c), slope)) return std::nullopt;
    const Vec3 g = middle(slope);
    const double squared = dot(g, g), value = middle(surface_->over(at(c)));
    if (!(squared > 0)) return std::nullopt;
    return Newton{c - g * (value / squared), g * (1 / std::sqrt(squared))};
  }

  /// Newton's step from c, and two points beyond it, at most 2 `size` from it, between which f is certified to change
  /// sign.
  std::optional<SurfacePoint> certified(const Vec3& c, double size) const {
    const std::optional<Newton> step = newton(c);
    if (!step) return std::nullopt;
    const Vec3 &p = step->to, &n = step->normal;
    for (double d = 0x1p-40 * (size + 0x1p-10 * size_above(c)); d <= 2 * size; d *= 8) {
      const Vec3 below = p - n * d, above = p + n * d;
      if (!surface_->bounds().contains(below) || !surface_->bounds().contains(above)) break;
      if (surface_->over(at(below)).hi <= 0 && surface_->over(at(above)).lo >= 0)
        return around(p, d * (1 + 0x1p-40) + 0x1p-50 * size_above(p));
    }
    return std::nullopt;
  }

  static SurfacePoint around(const Vec3& p, double radius) {
    const Interval wide(-radius, radius);
    return {p, radius, {0, {Interval(p.x) + wide, Interval(p.y) + wide, Interval(p.z) + wide}}};
  }

  /// f changes sign between two corners of the cell: the cell contains a point of the surface.
  std::optional<SurfacePoint> by_corners(const SurfaceCell& cell) const {
    bool below = false, above = false;
    SurfaceHull corners;
    box_hull(cell.box, corners);
    for (const Vec3& p : corners.points) {
      const Interval value = surface_->over(at(p));
      below |= value.hi <= 0;
      above |= value.lo >= 0;
    }
    if (!below || !above) return std::nullopt;
    return around(middle(cell.box), size_above(radii(cell.box)));
  }

  std::shared_ptr<const ImplicitSurface> surface_;
};

}  // namespace

Vec3 SurfaceHull::centre() const {
  Vec3 sum;
  for (int i = 0; i < count; ++i) sum = sum + points[static_cast<std::size_t>(i)] * (1.0 / count);
  return sum;
}

double SurfaceHull::size() const {
  const Vec3 c = centre();
  double most = 0;
  for (int i = 0; i < count; ++i)
    most = std::max(most, engine::first_contact::length_at_any_scale(points[static_cast<std::size_t>(i)] - c));
  return most * (1 + 0x1p-50) + radius;
}

std::unique_ptr<const SurfaceSource> parametric_source(std::vector<std::shared_ptr<const ParametricPatch>> patches) {
  return std::make_unique<Parametric>(std::move(patches));
}
std::unique_ptr<const SurfaceSource> implicit_source(std::shared_ptr<const ImplicitSurface> surface) {
  return std::make_unique<Implicit>(std::move(surface));
}

}  // namespace graze::classic::contact
