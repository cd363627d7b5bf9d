// SPDX-License-Identifier: MIT
#include "engine/first_contact/witness.hpp"

#include <algorithm>
#include <cmath>

#include "body/features.hpp"
#include "body/node_box.hpp"
#include "core/limits.hpp"
#include "engine/first_contact/pair/pair_motion.hpp"
#include "math/vectors.hpp"
#include "prim/closest/closest.hpp"

namespace graze::engine::first_contact {

namespace {

/// A placement relative to a point, so that bodies far from the origin of the world lose no precision relative to each
/// other.
Placement seen_from(Placement p, const Vec3& origin) {
  p.t = p.t - origin;
  return p;
}

struct Placed {
  Placement a, b;
  Vec3 origin;
};
Placed placed_at(const Flight& f, double t) {
  if (f.motion_a.kinematic() && f.motion_b.kinematic()) {
    const Vec3 origin = f.motion_b.at(0).o;
    const auto from = [&](const motion::Path& path) {
      const motion::Instant i = path.at(t, origin);
      Placement p{i.r, {}};
      p.t = i.o - p.apply(path.reference());
      return p;
    };
    return {from(f.motion_a), from(f.motion_b), origin};
  }
  const Placement a = f.motion_a.placement(t), b = f.motion_b.placement(t);
  return {seen_from(a, b.t), seen_from(b, b.t), b.t};
}

std::array<Vec3, 3> corners(const body::BodyData& body, const Placement& p, std::uint32_t triangle) {
  return {p.apply(body.corner(triangle, 0)), p.apply(body.corner(triangle, 1)), p.apply(body.corner(triangle, 2))};
}

/// Every vertex/face and edge/edge pair of two triangles within the tolerance.
void add_features(const Flight& f, const std::array<Vec3, 3>& a, std::uint32_t ta, const std::array<Vec3, 3>& b,
                  std::uint32_t tb, std::vector<Feature>& out) {
  using prim::Part;
  const auto near = [&](const Vec3& x, const Vec3& y) { return length(x - y) <= f.tolerance + f.rounding; };
  constexpr Part vertex[3] = {Part::vertex0, Part::vertex1, Part::vertex2};
  constexpr Part edge[3] = {Part::edge0, Part::edge1, Part::edge2};
  const auto add = [&](Part pa, Part pb) {
    // A diagonal of a planar polygon is not an edge: the vertices and true edges of its triangles are sufficient.
    if (const auto feature = body::closest_feature(f.a.mesh, ta, pa, f.b.mesh, tb, pb)) out.push_back(*feature);
  };
  for (std::size_t k = 0; k < 3; ++k) {
    if (near(a[k], prim::closest_point_triangle_any_size(a[k], b).point)) add(vertex[k], Part::face);
    if (near(b[k], prim::closest_point_triangle_any_size(b[k], a).point)) add(Part::face, vertex[k]);
    for (std::size_t j = 0; j < 3; ++j) {
      const prim::SegmentPair s =
          prim::closest_segment_segment_any_size({a[k], a[(k + 1) % 3]}, {b[j], b[(j + 1) % 3]});
      if (near(s.a, s.b)) add(edge[k], edge[j]);
    }
  }
}

}  // namespace

Vec3 velocity_of(const motion::Path& path, double t, const Vec3& point) {
  if (path.kinematic()) {
    const motion::Instant i = path.at(t);
    return i.v + cross(i.w, point - i.o);
  }
  // A caller's own motion: how its local point moves around t.
  const double t0 = std::max(0.0, t - 0x1p-20), t1 = std::min(1.0, t + 0x1p-20);
  const Placement now = path.placement(t);
  const Vec3 d = point - now.t;
  const Vec3 local{now.r[0] * d.x + now.r[3] * d.y + now.r[6] * d.z, now.r[1] * d.x + now.r[4] * d.y + now.r[7] * d.z,
                   now.r[2] * d.x + now.r[5] * d.y + now.r[8] * d.z};
  return (path.placement(t1).apply(local) - path.placement(t0).apply(local)) * (1 / (t1 - t0));
}

double closing_speed(const Flight& f, double t, const Vec3& on_a, const Vec3& on_b, const Vec3& n) {
  return dot(n, velocity_of(f.motion_a, t, on_a) - velocity_of(f.motion_b, t, on_b));
}

ContactDirection direction_of(const Flight& f, double t, const Vec3& on_a, const Vec3& on_b, const Vec3& n) {
  return direction_of(f.motion_a, f.motion_b, t, on_a, on_b, n);
}

ContactDirection direction_of(const motion::Path& a, const motion::Path& b, double t, const Vec3& on_a,
                              const Vec3& on_b, const Vec3& n) {
  const Vec3 va = velocity_of(a, t, on_a), vb = velocity_of(b, t, on_b);
  const double closing = dot(n, va - vb);
  // The normal has the relative error of the gap: rounding over tolerance, at most 1/16, usually far less.
  const double noise = 1e-9 * (length(va) + length(vb));
  if (closing > noise) return ContactDirection::incoming;
  return closing < -noise ? ContactDirection::outgoing : ContactDirection::sliding;
}

void visit_near_pairs(const Flight& f, double t, double distance,
                      const std::function<void(std::uint32_t, std::uint32_t)>& visit) {
  const Placed at = placed_at(f, t);
  struct Ball {
    Vec3 c;
    double r;
  };
  // Boxes are treated as balls: this query is small and runs once.
  const auto ball = [](const body::BodyData& body, const Placement& p, const bvh::WideNode& n, int slot) {
    const body::NodeBox box = body::node_box(body.tree, n, slot);
    return Ball{p.apply(box.centre), box.radius};
  };
  std::vector<std::pair<std::uint32_t, std::uint32_t>> stack{{0, 0}};
  core::Poll poll;
  while (!stack.empty()) {
    poll.only_time();
    const auto [a, b] = stack.back();
    stack.pop_back();
    const bvh::WideNode &na = f.a.tree.tree.nodes[a], &nb = f.b.tree.tree.nodes[b];
    const bool both = na.bottom && nb.bottom, open_a = both || !na.bottom, open_b = both || !nb.bottom;
    for (int i = open_a ? 0 : -1; i < (open_a ? na.count : 0); ++i) {
      const Ball x = ball(f.a, at.a, na, i);
      for (int j = open_b ? 0 : -1; j < (open_b ? nb.count : 0); ++j) {
        const Ball y = ball(f.b, at.b, nb, j);
        const double reach = x.r + y.r + distance + f.rounding;
        const Vec3 d = y.c - x.c;
        if (!(dot(d, d) <= reach * reach * (1 + 0x1p-40))) continue;
        const auto ui = static_cast<std::uint32_t>(i), uj = static_cast<std::uint32_t>(j);
        if (both)
          visit(f.a.tree.triangle(na.first + ui), f.b.tree.triangle(nb.first + uj));
        else
          stack.push_back({open_a ? na.first + ui : a, open_b ? nb.first + uj : b});
      }
    }
  }
}

void add_witness(const Flight& f, const Found& found, FirstContactResult& result) {
  const double t = found.touch;
  const Placed at = placed_at(f, t);
  const std::array<Vec3, 3> a = corners(f.a, at.a, found.triangle_a), b = corners(f.b, at.b, found.triangle_b);
  prim::ClosestPair c = prim::closest_triangle_triangle(a, b);
  if (distance_of(c) + f.rounding > f.tolerance) best_separation({a, b, {}, {}}, c);  // corrects c
  body::ClosestFeature nearest{found.triangle_a, found.triangle_b, c, {}};
  if (const auto feature =
          body::closest_feature(f.a.mesh, found.triangle_a, c.part_a, f.b.mesh, found.triangle_b, c.part_b)) {
    nearest.feature = *feature;
  } else {  // inside a face: the polygons are at least as near at a vertex or at two edges
    nearest = closest_feature_of_polygons(
        f.a, found.triangle_a, [&](std::uint32_t x) { return corners(f.a, at.a, x); }, f.b, found.triangle_b,
        [&](std::uint32_t x) { return corners(f.b, at.b, x); });
    c = nearest.closest;
  }
  result.pair = TrianglePair{TriangleId{nearest.triangle_a}, TriangleId{nearest.triangle_b}};
  result.gap = distance_of(c);
  result.points = {c.a + at.origin, c.b + at.origin};
  result.features = {nearest.feature};
  if (result.gap > 4 * f.rounding) {
    result.normal = math::unit(c.b - c.a);
    result.direction = direction_of(f, t, (*result.points)[0], (*result.points)[1], *result.normal);
  }
  if (!f.options.all_features) return;
  visit_near_pairs(f, t, f.tolerance, [&](std::uint32_t ta, std::uint32_t tb) {
    add_features(f, corners(f.a, at.a, ta), ta, corners(f.b, at.b, tb), tb, result.features);
  });
  std::sort(result.features.begin(), result.features.end());
  result.features.erase(std::unique(result.features.begin(), result.features.end()), result.features.end());
}

}  // namespace graze::engine::first_contact
