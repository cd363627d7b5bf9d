// SPDX-License-Identifier: MIT
#include "oracle/exact_oracle.hpp"

#include <algorithm>
#include <stdexcept>

namespace graze::oracle {
namespace {

/// The points x with normal . x >= offset.
struct HalfSpace {
  Point normal;
  Rational offset;
  Rational height(const Point& x) const { return dot(normal, x) - offset; }
};

bool is_zero(const Point& v) { return v.x.is_zero() && v.y.is_zero() && v.z.is_zero(); }

bool collinear(const Point& a, const Point& b, const Point& c) { return is_zero(cross(b - a, c - a)); }

HalfSpace through(const Point& point, const Point& normal) { return {normal, dot(normal, point)}; }

void add_both_sides(std::vector<HalfSpace>& list, const Point& point, const Point& normal) {
  list.push_back(through(point, normal));
  list.push_back(through(point, Rational(-1) * normal));
}

std::vector<HalfSpace> half_spaces_of_point(const Point& p) {
  std::vector<HalfSpace> list;
  add_both_sides(list, p, {1, 0, 0});
  add_both_sides(list, p, {0, 1, 0});
  add_both_sides(list, p, {0, 0, 1});
  return list;
}

/// x is on the line iff (x - p) x d = 0, whose three components are d's cross products with the axes; and
/// between the ends iff it is beyond p and before q along d.
std::vector<HalfSpace> half_spaces_of_segment(const Point& p, const Point& q) {
  const Point d = q - p;
  std::vector<HalfSpace> list;
  for (const Point& axis : {Point{1, 0, 0}, Point{0, 1, 0}, Point{0, 0, 1}}) add_both_sides(list, p, cross(d, axis));
  list.push_back(through(p, d));
  list.push_back(through(q, Rational(-1) * d));
  return list;
}

std::vector<HalfSpace> half_spaces_of_polygon(const std::vector<Point>& corners) {
  const Point normal = cross(corners[1] - corners[0], corners[2] - corners[0]);
  std::vector<HalfSpace> list;
  add_both_sides(list, corners[0], normal);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Point& p = corners[i];
    const Point& q = corners[(i + 1) % corners.size()];
    list.push_back(through(p, cross(normal, q - p)));  // points inwards, for either orientation of the polygon
  }
  return list;
}

std::vector<HalfSpace> half_spaces_of(const ConvexSet& set) {
  if (set.dimension() == 0) return half_spaces_of_point(set.corners[0]);
  if (set.dimension() == 1) return half_spaces_of_segment(set.corners[0], set.corners[1]);
  return half_spaces_of_polygon(set.corners);
}

/// The corners at or above the plane, and the points where edges cross it strictly. New points lie strictly inside
/// edges, so corners stay distinct and no three of them become collinear.
ConvexSet clip(const ConvexSet& set, const HalfSpace& half_space) {
  const auto& corners = set.corners;
  const std::size_t edges = corners.size() > 2 ? corners.size() : corners.size() - 1;  // a segment has one
  ConvexSet kept;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Rational here = half_space.height(corners[i]);
    if (here.sign() >= 0) kept.corners.push_back(corners[i]);
    if (i >= edges) continue;
    const Point& next = corners[(i + 1) % corners.size()];
    const Rational there = half_space.height(next);
    if (here.sign() * there.sign() < 0)
      kept.corners.push_back(corners[i] + Rational(here / (here - there)) * (next - corners[i]));
  }
  return kept;
}

}  // namespace

int ConvexSet::dimension() const { return std::min(static_cast<int>(corners.size()), 3) - 1; }

ConvexSet hull(std::span<const Point> up_to_three) {
  if (up_to_three.size() > 3) throw std::logic_error("oracle::hull: at most three points");
  ConvexSet set;
  for (const Point& p : up_to_three)
    if (std::find(set.corners.begin(), set.corners.end(), p) == set.corners.end()) set.corners.push_back(p);
  if (set.corners.size() < 3 || !collinear(set.corners[0], set.corners[1], set.corners[2])) return set;
  const Point along = set.corners[1] - set.corners[0];
  const auto [least, most] =
      std::minmax_element(set.corners.begin(), set.corners.end(),
                          [&](const Point& p, const Point& q) { return dot(along, p) < dot(along, q); });
  return {{*least, *most}};
}

ConvexSet intersect(const ConvexSet& a, const ConvexSet& b) {
  if (b.corners.empty()) return b;
  ConvexSet common = a;
  for (const HalfSpace& half_space : half_spaces_of(b)) {
    if (common.corners.empty()) break;
    common = clip(common, half_space);
  }
  return common;
}

bool degenerate(const Triangle& t) { return collinear(t[0], t[1], t[2]); }

TriangleAnswer intersect(const Triangle& a, const Triangle& b) {
  TriangleAnswer answer;
  const ConvexSet common = intersect(hull(a), hull(b));
  answer.dimension = common.dimension();
  answer.contact = answer.dimension >= 0;
  answer.vertices = common.corners;
  if (!answer.contact) return answer;  // a crossing edge would have given a common point
  for (std::size_t i = 0; i < 3; ++i) {
    answer.edge_of_a_crosses[i] = segment_crosses_triangle(a[i], a[(i + 1) % 3], b);
    answer.edge_of_b_crosses[i] = segment_crosses_triangle(b[i], b[(i + 1) % 3], a);
    if (answer.edge_of_a_crosses[i] || answer.edge_of_b_crosses[i]) answer.crossing = true;
  }
  return answer;
}

bool shares_more_than(const Triangle& a, const std::array<std::uint32_t, 3>& ids_a, const Triangle& b,
                      const std::array<std::uint32_t, 3>& ids_b) {
  auto sorted_a = ids_a, sorted_b = ids_b;
  std::sort(sorted_a.begin(), sorted_a.end());
  std::sort(sorted_b.begin(), sorted_b.end());
  if (sorted_a == sorted_b) return true;
  std::vector<std::uint32_t> shared_ids;
  std::vector<Point> shared_points;
  for (std::size_t i = 0; i < 3; ++i) {
    const bool in_b = std::find(ids_b.begin(), ids_b.end(), ids_a[i]) != ids_b.end();
    const bool seen = std::find(shared_ids.begin(), shared_ids.end(), ids_a[i]) != shared_ids.end();
    if (!in_b || seen) continue;
    shared_ids.push_back(ids_a[i]);
    shared_points.push_back(a[i]);
  }
  // Both sets are convex, so one lies in the other if and only if its corners do. If no vertex is shared, every corner
  // of the common set is outside.
  const ConvexSet shared = hull(shared_points);
  const ConvexSet common = intersect(hull(a), hull(b));
  return std::any_of(common.corners.begin(), common.corners.end(),
                     [&](const Point& p) { return intersect(ConvexSet{{p}}, shared).corners.empty(); });
}

bool point_in_triangle(const Point& p, const Triangle& closed) {
  return !intersect(ConvexSet{{p}}, hull(closed)).corners.empty();
}

bool point_in_polygon(const Point& p, std::span<const Triangle> triangulation) {
  return std::any_of(triangulation.begin(), triangulation.end(),
                     [&](const Triangle& t) { return point_in_triangle(p, t); });
}

bool segments_meet(const Point& a0, const Point& a1, const Point& b0, const Point& b1) {
  const std::array<Point, 2> a{a0, a1}, b{b0, b1};
  return !intersect(hull(a), hull(b)).corners.empty();
}

bool segment_meets_triangle(const Point& p, const Point& q, const Triangle& t) {
  const std::array<Point, 2> segment{p, q};
  return !intersect(hull(segment), hull(t)).corners.empty();
}

bool segment_crosses_triangle(const Point& p, const Point& q, const Triangle& t) {
  const Point normal = cross(t[1] - t[0], t[2] - t[0]);
  if (is_zero(normal)) return false;
  const Rational height_p = dot(normal, p - t[0]), height_q = dot(normal, q - t[0]);
  if (height_p.sign() * height_q.sign() >= 0) return false;
  const Point x = p + Rational(height_p / (height_p - height_q)) * (q - p);
  for (std::size_t i = 0; i < 3; ++i) {
    const Point inwards = cross(normal, t[(i + 1) % 3] - t[i]);
    if (dot(inwards, x - t[i]).sign() <= 0) return false;
  }
  return true;
}

}  // namespace graze::oracle
