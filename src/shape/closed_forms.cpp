// SPDX-License-Identifier: MIT
#include "shape/closed_forms.hpp"

#include <algorithm>
#include <cmath>

namespace graze::shape {

namespace {

double clamped(double x, double limit) { return std::min(std::max(x, -limit), limit); }

/// Shorter lengths than this are as good as 0: their squares would not be accurate, and rounding errors are far larger.
constexpr double shortest_length = 0x1p-500;

/// The point outside a solid, or on its surface where `otherwise` is a normal.
void outside(const Vec3& point, const Vec3& foot, const Vec3& otherwise, PointGap& out) {
  const Vec3 d = point - foot;
  out.gap = math::norm(d);
  out.foot = foot;
  out.normal = out.gap > shortest_length ? d * (1 / out.gap) : otherwise;
}

void from_point(const Vec3& p, PointGap& out) { outside(p, {}, {1, 0, 0}, out); }

void from_segment(double half, const Vec3& p, PointGap& out) { outside(p, {0, 0, clamped(p.z, half)}, {1, 0, 0}, out); }

void from_box(const Vec3& half, const Vec3& p, PointGap& out) {
  out.side = {};
  bool inside = true;
  double least = math::infinity;
  int nearest = 0;
  Vec3 foot = p;
  for (int k = 0; k < 3; ++k) {
    const double beyond = std::fabs(p[k]) - half[k];
    if (beyond > 0) {
      inside = false;
      out.side[k] = p[k] < 0 ? -1 : 1;
      foot[k] = std::copysign(half[k], p[k]);
    } else if (-beyond < least) {
      least = -beyond;
      nearest = k;
    }
  }
  if (!inside) return outside(p, foot, {1, 0, 0}, out);
  // Inside, the ball around the point that touches the nearest face touches no other first.
  out.gap = -least;
  out.normal = {};
  out.normal[nearest] = out.side[nearest] = p[nearest] < 0 ? -1 : 1;
  foot[nearest] = std::copysign(half[nearest], p[nearest]);
  out.foot = foot;
}

/// A solid of revolution is asked in the half plane (rho, z) through the point: `radial` is its unit direction in
/// space.
struct HalfPlane {
  explicit HalfPlane(const Vec3& p) : rho(std::sqrt(p.x * p.x + p.y * p.y)), z(p.z) {
    if (rho > shortest_length) radial = {p.x / rho, p.y / rho, 0};
  }
  Vec3 at(double r, double height) const { return {radial.x * r, radial.y * r, height}; }

  double rho, z;
  Vec3 radial{1, 0, 0};
};

void from_cylinder(double radius, double half, const Vec3& p, PointGap& out) {
  const HalfPlane plane(p);
  const double beside = plane.rho - radius, above = std::fabs(p.z) - half;
  if (beside > 0 || above > 0) {
    const double r = std::min(plane.rho, radius);
    const Vec3 foot = beside > 0 ? plane.at(r, clamped(p.z, half)) : Vec3{p.x, p.y, clamped(p.z, half)};
    return outside(p, foot, plane.radial, out);
  }
  out.gap = std::max(beside, above);
  if (beside > above) {
    out.normal = plane.radial;
    out.foot = plane.at(radius, p.z);
  } else {
    out.normal = {0, 0, p.z < 0 ? -1.0 : 1.0};
    out.foot = {p.x, p.y, std::copysign(half, p.z)};
  }
}

/// Tip at z = half, base at z = -half.
void from_cone(double radius, double half, const Vec3& p, PointGap& out) {
  const HalfPlane plane(p);
  const double side = std::sqrt(radius * radius + 4 * half * half);
  if (!(side > shortest_length)) return from_point(p, out);
  // Unit vectors in the half plane: outward from the side, and along it from the tip to the rim.
  const double nr = 2 * half / side, nz = radius / side, ar = nz, az = -nr;
  const double beyond = nr * plane.rho + nz * (plane.z - half), below = -half - plane.z;
  const auto normal = [&] { return Vec3{nr * plane.radial.x, nr * plane.radial.y, nz}; };
  // The last two matter only to cones without a height or a radius.
  if (beyond <= 0 && below <= 0 && plane.rho <= radius && plane.z <= half) {
    out.gap = std::max(beyond, below);
    if (beyond > below) {
      out.normal = normal();
      out.foot = plane.at(plane.rho - beyond * nr, plane.z - beyond * nz);
    } else {
      out.normal = {0, 0, -1};
      out.foot = {p.x, p.y, -half};
    }
    return;
  }
  // The nearest of the base and the side, each a segment in the half plane.
  const double base_r = std::min(plane.rho, radius);
  const double along = std::clamp(ar * plane.rho + az * (plane.z - half), 0.0, side);
  const double side_r = along * ar, side_z = half + along * az;
  const double to_base = (plane.rho - base_r) * (plane.rho - base_r) + below * below;
  const double to_side = (plane.rho - side_r) * (plane.rho - side_r) + (plane.z - side_z) * (plane.z - side_z);
  if (to_base < to_side)
    outside(p, plane.at(base_r, -half), {0, 0, -1}, out);
  else
    outside(p, plane.at(side_r, side_z), normal(), out);
}

/// An ellipsoid and a point, by Newton's method (Eberly 2013); everything is then bounded from what was found.
///
/// With s_i = a_i^2, the nearest point of the surface is x_i = s_i p_i / (t + s_i) for the root t > -min s_i of
/// F(t) = sum (a_i p_i / (t + s_i))^2 - 1. F is convex and falls, so from the left of the root the steps do not pass
/// it.
///
/// Outside, any unit direction n gives a lower bound n p - |(a_i n_i)|, and any point of the surface an upper one.
/// Inside it is the depth that the direction bounds from above. A lower bound of it, for any t in (-min s_i, 0): the
/// least value over all y of |y - p|^2 + t (sum y_i^2 / s_i - 1), a convex function that is the squared distance for
/// every y of the surface. That is -t (1 - sum p_i^2 / (t + s_i)). A sum t + s_i is exact where it cancels, else
/// accurate to eps; so the bracket is accurate to 16 eps, and so is the bound's root times the largest a_i^2 / min a_i.
bool from_ellipsoid(const Vec3& half, const Vec3& p, CoreGap& out) {
  double s[3], least = math::infinity, t = -math::infinity;
  for (int i = 0; i < 3; ++i) {
    if (!(half[i] > 0x1p-20)) return false;  // flat or nearly: the search copes
    s[i] = half[i] * half[i];
    least = std::min(least, s[i]);
    t = std::max(t, half[i] * std::fabs(p[i]) - s[i]);
  }
  Vec3 x;
  const auto foot = [&](int i) { return p[i] == 0 ? 0 : s[i] * p[i] / (t + s[i]); };
  if (!(t > -least * (1 - 0x1p-30))) {
    // The point is where several points of the surface are as near, or almost: next to a centre line.
    t = -least;
    double sum = 0;
    int lowest = 0;
    for (int i = 0; i < 3; ++i) {
      if (s[i] == least) {
        if (p[i] != 0) return false;
        lowest = i;
      } else {
        x[i] = foot(i);
        sum += x[i] * x[i] / s[i];
      }
    }
    if (sum > 1) return false;
    x[lowest] = half[lowest] * std::sqrt(1 - sum);
  } else {
    for (int step = 0; step < 40; ++step) {
      double f = -1, slope = 0;
      for (int i = 0; i < 3; ++i) {
        const double d = t + s[i], u = half[i] * p[i] / d;
        f += u * u;
        slope += u * u / d;
      }
      const double next = t + 0.5 * f / slope;
      if (!(f > 0x1p-50) || !(next > t)) break;
      t = next;
    }
    for (int i = 0; i < 3; ++i) x[i] = foot(i);
  }
  // On the surface, and its normal there.
  double size = 0, bracket = 1;
  Vec3 n;
  for (int i = 0; i < 3; ++i) {
    size += x[i] * x[i] / s[i];
    n[i] = x[i] / s[i];
    if (p[i] != 0) bracket -= p[i] * p[i] / (t + s[i]);
  }
  if (!(size > 0)) return false;
  x = x * (1 / std::sqrt(size));
  n = n * (1 / math::norm(n));
  const double plane = dot(n, p) - math::norm({half.x * n.x, half.y * n.y, half.z * n.z});
  if (t >= 0) {
    out.lower = plane;
    out.upper = math::norm(p - x);
  } else {
    out.lower = plane;
    out.upper = -std::sqrt(std::max(-t * (bracket - 0x1p-49), 0.0));
  }
  out.normal = n;
  out.a = x;
  out.b = p;
  return out.upper - out.lower <= 0x1p-44;
}

/// The closest points of two segments through 0 and t, along z and u, found by clamping (Ericson 2005, 5.1.9). The
/// direction between them then gives the lower bound, so nothing depends on how well they were found.
bool segment_gap(double half_a, double half_b, const Vec3& u, const Vec3& t, CoreGap& out) {
  const double b = u.z, f = -dot(u, t), square = u.x * u.x + u.y * u.y;
  double s = square > 0x1p-40 ? clamped((b * f + t.z) / square, half_a) : clamped(t.z, half_a);
  const double w = clamped(b * s + f, half_b);
  s = clamped(t.z + w * b, half_a);
  out.a = {0, 0, s};
  out.b = t + u * w;
  const Vec3 d = out.b - out.a;
  out.upper = math::norm(d);
  if (out.upper > 0x1p-30) {
    out.normal = d * (1 / out.upper);
  } else {  // they cross, or nearly: what is square to both
    if (!(square > 0x1p-40)) return false;
    out.normal = Vec3{-u.y, u.x, 0} * (1 / std::sqrt(square));
    if (dot(out.normal, t) < 0) out.normal = -out.normal;
  }
  const Vec3& n = out.normal;
  out.lower = dot(n, t) - std::fabs(n.z) * half_a - std::fabs(dot(n, u)) * half_b;
  return out.upper - out.lower <= 0x1p-46;
}

}  // namespace

bool point_gap(const Core& core, double scale, const Vec3& point, PointGap& out) {
  const Vec3 half = core.half * scale;
  switch (core.kind) {
    case Core::Kind::point: from_point(point, out); return true;
    case Core::Kind::segment: from_segment(half.z, point, out); return true;
    case Core::Kind::box: from_box(half, point, out); return true;
    case Core::Kind::cylinder: from_cylinder(half.x, half.z, point, out); return true;
    case Core::Kind::cone: from_cone(half.x, half.z, point, out); return true;
    case Core::Kind::ellipsoid:
    case Core::Kind::points: break;
  }
  return false;
}

bool core_gap(const OwnCore& a, const PlacedCore& b, CoreGap& out) {
  if (!a.core->in_own_place() || !b.core->in_own_place()) return false;
  out.side_a = out.side_b = {};
  if (b.core->kind == Core::Kind::point && a.core->kind == Core::Kind::ellipsoid)
    return from_ellipsoid(a.core->half * a.scale, b.t, out);
  if (a.core->kind == Core::Kind::point && b.core->kind == Core::Kind::ellipsoid) {
    if (!from_ellipsoid(b.core->half * b.scale, b.to_local(-b.t), out)) return false;
    out.b = math::turned(b.r, out.a) + b.t;
    out.a = {};
    out.normal = -math::turned(b.r, out.normal);
    return true;
  }
  PointGap found;
  if (b.core->kind == Core::Kind::point) {
    if (!point_gap(*a.core, a.scale, b.t, found)) return false;
    out = {found.gap, found.gap, found.normal, found.foot, b.t, found.side, {}};
    return true;
  }
  if (a.core->kind == Core::Kind::point) {
    if (!point_gap(*b.core, b.scale, b.to_local(-b.t), found)) return false;
    out = {found.gap, found.gap, -math::turned(b.r, found.normal), {}, math::turned(b.r, found.foot) + b.t,
           {},        found.side};
    return true;
  }
  if (a.core->kind == Core::Kind::segment && b.core->kind == Core::Kind::segment) {
    return segment_gap(a.core->half.z * a.scale, b.core->half.z * b.scale, {b.r[2], b.r[5], b.r[8]}, b.t, out);
  }
  return false;
}

// Reason that -gap is the depth of boxes that overlap. Let B be the box of the rounded numbers: its edges are r's
// columns. The difference B - A is a polytope whose facets are square to a face of A, to a face of B or to an edge of
// each. So the least reach of B - A along these directions is the distance from the origin to its surface. A direction
// that is square to two edges has r's entries as its coordinates, without rounding; reaches along it are sums of
// products of numbers as small as its length, so that dividing by this costs a few eps, however nearly parallel the
// edges are. If they are parallel there is no such facet. The columns are square to each other, and of length one, up
// to 128 eps; taking them for the normals of B's faces costs 256 eps. What lies between r and the exact rotation is as
// in `rounding`.
BoxGap box_gap(const Vec3& half_a, const Vec3& half_b, const std::array<double, 9>& r, const Vec3& t) {
  BoxGap best{-math::infinity, {}};
  const auto row = [&](int i) {
    return Vec3{r[static_cast<std::size_t>(3 * i)], r[static_cast<std::size_t>(3 * i + 1)],
                r[static_cast<std::size_t>(3 * i + 2)]};
  };
  const auto reach_of = [](const Vec3& half, const Vec3& n) {
    return half.x * std::fabs(n.x) + half.y * std::fabs(n.y) + half.z * std::fabs(n.z);
  };
  for (int i = 0; i < 3; ++i) {
    const double gap = std::fabs(t[i]) - half_a[i] - reach_of(half_b, row(i));
    if (!(gap > best.gap)) continue;
    best = {gap, {}};
    best.normal[i] = t[i] < 0 ? -1 : 1;
  }
  Vec3 columns[3];
  for (int j = 0; j < 3; ++j) {
    columns[j] = {r[static_cast<std::size_t>(j)], r[static_cast<std::size_t>(3 + j)],
                  r[static_cast<std::size_t>(6 + j)]};
    const double along = dot(columns[j], t);
    const double gap = std::fabs(along) - half_b[j] - reach_of(half_a, columns[j]);
    if (gap > best.gap) best = {gap, along < 0 ? -columns[j] : columns[j]};
  }
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) {
      if (half_a[i] == 0 || half_b[j] == 0) continue;  // not an edge
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
      const double n1 = -columns[j][i2], n2 = columns[j][i1];  // of the product of A's axis i and B's j
      const double square = n1 * n1 + n2 * n2;
      if (!(square > 0x1p-200)) continue;  // parallel; entries that small are products of roundings
      const double along = n1 * t[i1] + n2 * t[i2];
      double reach = half_a[i1] * std::fabs(n1) + half_a[i2] * std::fabs(n2);
      for (int k = 0; k < 3; ++k)
        if (k != j) reach += half_b[k] * std::fabs(n1 * columns[k][i1] + n2 * columns[k][i2]);
      const double numerator = std::fabs(along) - reach;
      // Squares with their signs: most directions lose without a root.
      if (numerator * std::fabs(numerator) <= best.gap * std::fabs(best.gap) * square) continue;
      const double len = std::sqrt(square), gap = numerator / len;
      if (!(gap > best.gap)) continue;
      Vec3 n;
      n[i1] = n1 / len;
      n[i2] = n2 / len;
      best = {gap, along < 0 ? -n : n};
    }
  return best;
}

}  // namespace graze::shape
