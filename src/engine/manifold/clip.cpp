// SPDX-License-Identifier: MIT
#include "engine/manifold/clip.hpp"

#include <algorithm>
#include <cmath>

namespace graze::engine::manifold {

namespace {

double across(const Vec3& a, const Vec3& b) { return a.x * b.y - a.y * b.x; }
double flat_dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y; }

/// Where a segment is nearest to a point as seen here: 0 to 1.
double nearest_along(const Vec3& from, const Vec3& to, const Vec3& x) {
  const Vec3 d = to - from;
  const double square = flat_dot(d, d);
  return square > 0 ? std::clamp(flat_dot(d, x - from) / square, 0.0, 1.0) : 0.0;
}

/// The point of the facet over or under x. `is_a`: its higher side counts.
Vec3 point_under(const FlatFacet& f, const Vec3& x) {
  if (f.facet->plane || f.is_flat()) {
    const Vec3 from = f.at[0];
    return {x.x, x.y, from.z + f.slope.x * (x.x - from.x) + f.slope.y * (x.y - from.y)};
  }
  if (f.facet->count == 1) return f.at[0];
  const double s = nearest_along(f.at[0], f.at[1], x);
  return f.at[0] + (f.at[1] - f.at[0]) * s;
}

bool is_over(const FlatFacet& f, const Vec3& x, const Slack& slack, bool from_line) {
  if (f.facet->plane) return true;
  if (!f.is_flat()) {
    const Vec3 d = point_under(f, x) - x;
    return std::sqrt(flat_dot(d, d)) <= (from_line ? slack.line : slack.flat);
  }
  if (f.thin) {
    for (unsigned k = 0; k < f.facet->count; ++k) {
      const Vec3 from = f.at[k], to = f.corner(k + 1), d = from + (to - from) * nearest_along(from, to, x) - x;
      if (std::sqrt(flat_dot(d, d)) <= slack.flat) return true;
    }
    return false;
  }
  for (unsigned k = 0; k < f.facet->count; ++k) {
    const Vec3 from = f.at[k], e = f.corner(k + 1) - from;
    if (across(e, x - from) * f.turn < -slack.flat * std::sqrt(flat_dot(e, e))) return false;
  }
  return true;
}

/// The corners of one facet that are over the other.
void add_corners(const FlatFacet& of, const FlatFacet& over, const Slack& slack, bool of_is_a,
                 std::vector<Overlap>& out) {
  if (of.facet->plane) return;
  for (unsigned k = 0; k < of.facet->count; ++k) {
    const Corner& corner = of.facet->corners[k];
    Vec3 x = of.at[k];
    if (corner.rounded && is_over(over, of.furthest[k], slack, !of.is_flat()))
      x = of.furthest[k];
    else if (!is_over(over, x, slack, !of.is_flat()))
      continue;
    const Vec3 y = point_under(over, x);
    Overlap o;
    o.inner = corner.inner;
    o.point.a = of_is_a ? x : y;
    o.point.b = of_is_a ? y : x;
    o.point.depth = o.point.a.z - o.point.b.z;
    o.point.feature_a = of_is_a ? corner.feature : over.facet->face;
    o.point.feature_b = of_is_a ? over.facet->face : corner.feature;
    out.push_back(o);
  }
}

void add_crossings(const FlatFacet& a, const FlatFacet& b, const Slack& slack, std::vector<Overlap>& out) {
  if (a.facet->plane || b.facet->plane) return;
  for (unsigned i = 0; i < a.facet->edge_count(); ++i)
    for (unsigned j = 0; j < b.facet->edge_count(); ++j) {
      const Vec3 e = a.corner(i + 1) - a.at[i], f = b.corner(j + 1) - b.at[j], d = b.at[j] - a.at[i];
      const double e_length = std::sqrt(flat_dot(e, e)), f_length = std::sqrt(flat_dot(f, f)), area = across(e, f);
      if (!(std::fabs(area) > 1e-9 * e_length * f_length)) continue;  // parallel: the corners are the ends
      const double s = across(d, f) / area, t = across(d, e) / area;
      const double more_s = slack.flat / e_length, more_t = slack.flat / f_length;
      if (s < -more_s || s > 1 + more_s || t < -more_t || t > 1 + more_t) continue;
      Overlap o;
      o.point.a = a.at[i] + e * std::clamp(s, 0.0, 1.0);
      o.point.b = b.at[j] + f * std::clamp(t, 0.0, 1.0);
      o.point.depth = o.point.a.z - o.point.b.z;
      o.point.feature_a = a.facet->edges[i];
      o.point.feature_b = b.facet->edges[j];
      o.inner = (a.facet->inner >> i & 1U) != 0 || (b.facet->inner >> j & 1U) != 0;
      out.push_back(o);
    }
}

}  // namespace

Frame::Frame(const Vec3& direction) : n(direction) {
  const double x = std::fabs(n.x), y = std::fabs(n.y), z = std::fabs(n.z);
  const Vec3 other = x <= y && x <= z ? Vec3{1, 0, 0} : y <= z ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
  u = math::unit(cross(n, other));
  v = cross(n, u);
}

FlatFacet::FlatFacet(const Facet& f, const Frame& frame) : facet(&f) {
  for (unsigned k = 0; k < f.count; ++k) {
    at[k] = frame.from(f.corners[k].at);
    box.add(at[k]);
    if (!f.corners[k].rounded) continue;
    furthest[k] = frame.from(f.corners[k].furthest);
    box.add(furthest[k]);
  }
  if (f.plane) {
    constexpr double far = 0x1p100;
    box = {{-far, -far, -far}, {far, far, far}};
  }
  const Vec3 m = frame.from(f.normal);
  if (f.plane || f.count > 2) slope = {-m.x / m.z, -m.y / m.z, 0};
  if (f.count > 2) {
    double area = 0;
    for (unsigned k = 1; k + 1 < f.count; ++k) area += across(at[k] - at[0], at[k + 1] - at[0]);
    turn = area < 0 ? -1 : 1;
    double longest = 0;
    for (unsigned k = 0; k < f.count; ++k) {
      const Vec3 e = corner(k + 1) - at[k];
      longest = std::max(longest, flat_dot(e, e));
    }
    thin = !(std::fabs(area) > 1e-14 * longest);
  }
}

void clip(const FlatFacet& a, const FlatFacet& b, const Slack& slack, std::vector<Overlap>& out) {
  add_corners(a, b, slack, true, out);
  add_corners(b, a, slack, false, out);
  add_crossings(a, b, slack, out);
}

}  // namespace graze::engine::manifold
