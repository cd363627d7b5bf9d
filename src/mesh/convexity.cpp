// SPDX-License-Identifier: MIT
#include "mesh/convexity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "math/dyadic.hpp"
#include "math/predicates.hpp"

namespace graze::mesh {
namespace {

bool lexicographically_less(const Point2& a, const Point2& b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }

/// A convex outline turns in one direction only, and its lexicographic direction reverses exactly twice (a star that
/// winds twice also turns in one direction only). Zachmann 4.2.2 requires only two extrema in x and in y: necessary,
/// not sufficient, see (0,0) (2,0) (2,2) (1.2,0.8).
bool is_convex_outline(std::span<const Point2> p) {
  const std::size_t n = p.size();
  int turn = 0, reversals = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Point2 &a = p[i], &b = p[(i + 1) % n], &c = p[(i + 2) % n];
    const int t = orient(a, b, c);
    if (t * turn < 0) return false;
    if (t != 0) turn = t;
    reversals += lexicographically_less(a, b) != lexicographically_less(b, c);
  }
  return turn != 0 && reversals == 2;
}

Vec3 shrunk(const Vec3& p, double scale) { return {p.x * scale, p.y * scale, p.z * scale}; }

int exact_volume_sign(const Mesh& mesh) {
  math::Dyadic sum;
  for (const Triangle& t : mesh.triangles()) {
    const math::DyadicVec3 a(mesh.positions()[t[0]]), b(mesh.positions()[t[1]]), c(mesh.positions()[t[2]]);
    sum = sum + dot(cross(a, b), c);
  }
  return sum.sign();
}

/// Four vertices that are not coplanar.
std::optional<std::array<Vec3, 4>> spanning_vertices(const Mesh& mesh) {
  const auto at = [&](std::size_t corner) { return mesh.positions()[mesh.polygons().corners[corner]]; };
  const std::size_t n = mesh.polygons().corners.size();
  const SpanningCorners base = spanning_corners({mesh.positions(), mesh.polygons().corners});
  if (!base.found) return std::nullopt;
  const auto [a, b, c] = base.corner;
  for (std::size_t d = 0; d < n; ++d) {
    if (math::orient3d(at(a), at(b), at(c), at(d)) != 0) return std::array{at(a), at(b), at(c), at(d)};
  }
  return std::nullopt;
}

class ConvexBodyTest {
 public:
  ConvexBodyTest(const Connectivity& connectivity, int sign)
      : connectivity_(connectivity), mesh_(connectivity.mesh()), sign_(sign) {}

  bool operator()() {
    const auto inner = spanning_vertices(mesh_);
    if (!inner) return false;
    inner_ = *inner;
    return edges_are_convex() && sees_every_polygon() && is_wound_once();
  }

 private:
  const Vec3& at(std::uint32_t vertex) const { return mesh_.positions()[vertex]; }

  /// -1 below the polygon's plane (on the side of a body that it bounds), 0 on it, +1 above. The polygon is planar.
  int side(std::uint32_t polygon, const Vec3& point) {
    if (polygon != plane_of_) {
      const CornerView corners{mesh_.positions(), mesh_.polygons()[polygon]};
      const auto [a, b, c] = spanning_corners(corners).corner;
      plane_ = {corners[a], corners[b], corners[c]};
      // Any three corners of a convex polygon, in order, have its orientation.
      plane_of_ = polygon;
    }
    return sign_ * math::orient3d(plane_[0], plane_[1], plane_[2], point);
  }

  bool edges_are_convex() {
    for (std::uint32_t h = 0; h < connectivity_.half_edge_count(); ++h) {
      const HalfEdgeId twin = connectivity_.twin(HalfEdgeId{h});
      // No twin: a half-edge from a vertex to itself. The dihedral angle is the same from both sides, so one is enough.
      if (twin == Connectivity::no_half_edge || index(twin) < h) continue;
      const std::uint32_t here = index(connectivity_.polygon(HalfEdgeId{h}));
      const std::uint32_t from = index(connectivity_.from(HalfEdgeId{h})), to = index(connectivity_.to(HalfEdgeId{h}));
      // The neighbour's first corner that is off the plane decides: a convex polygon lies on one side of its edge.
      for (std::uint32_t v : mesh_.polygon(connectivity_.polygon(twin))) {
        if (v == from || v == to) continue;
        const int s = side(here, at(v));
        if (s > 0) return false;
        if (s < 0) break;
      }
    }
    return true;
  }

  /// Then every interior point of the tetrahedron of the four vertices lies strictly below all planes.
  bool sees_every_polygon() {
    for (std::uint32_t p = 0; p < mesh_.polygon_count(); ++p) {
      bool below = false;
      for (const Vec3& point : inner_) {
        const int s = side(p, point);
        if (s > 0) return false;
        below = below || s < 0;
      }
      if (!below) return false;
    }
    return true;
  }

  /// Does a ray from an interior point meet the surface only once? Convex edges alone do not imply this: those of the
  /// great icosahedron (a sphere by its Euler characteristic) and of a bipyramid over a five-pointed star are convex.
  bool is_wound_once() const {
    for (const Triangle& target : mesh_.triangles()) {
      const double third = 1.0 / 3;
      const Vec3 q = shrunk(at(target[0]), third) + shrunk(at(target[1]), third) + shrunk(at(target[2]), third);
      std::size_t hits = 0;
      bool generic = true;
      for (const Triangle& t : mesh_.triangles()) {
        const int hit = cone_contains(t, q);
        if (hit == 0) generic = false;
        if (hit > 0) ++hits;
        if (!generic || hits > 1) break;
      }
      if (hits > 1) return false;
      if (generic) return hits == 1;
    }
    return false;
  }

  /// +1 if the ray from the centroid of the four vertices through q meets the triangle's interior, 0 its boundary, else
  /// -1.
  int cone_contains(const Triangle& t, const Vec3& q) const {
    int least = 1;
    for (std::size_t k = 0; k < 3; ++k) {
      least = std::min(least, sign_ * orient_from_middle(at(t[k]), at(t[(k + 1) % 3]), q));
      if (least < 0) return -1;
    }
    return least;
  }

  int orient_from_middle(const Vec3& a, const Vec3& b, const Vec3& q) const {
    Vec3 middle;
    double size = 0;
    for (const Vec3& v : inner_) {
      middle = middle + shrunk(v, 0.25);
      size = std::max({size, std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)});
    }
    const double error = 0x1p-50 * size + 0x1p-1070;
    if (const int s = math::orient3d_filter(middle, a, b, q, error)) return s;
    // All coordinates times four: the centroid is then a sum, which is exact.
    math::DyadicVec3 sum;
    for (const Vec3& v : inner_) sum = sum + math::DyadicVec3(v);
    const math::Dyadic four(4);
    return math::orient3d(sum, math::DyadicVec3(a) * four, math::DyadicVec3(b) * four, math::DyadicVec3(q) * four);
  }

  const Connectivity& connectivity_;
  const Mesh& mesh_;
  int sign_;
  std::array<Vec3, 4> inner_;
  std::array<Vec3, 3> plane_;
  std::uint32_t plane_of_ = 0xFFFFFFFF;
};

}  // namespace

bool is_convex_polygon(const CornerView& corners) {
  const SpanningCorners plane = spanning_corners(corners);
  if (!plane.found) return false;
  if (corners.size() == 3) return true;
  if (!is_planar(corners)) return false;
  const auto [a, b, c] = plane.corner;
  int axis = 2;
  while (orient(project(corners[a], axis), project(corners[b], axis), project(corners[c], axis)) == 0) --axis;
  std::vector<Point2> outline;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Point2 p = project(corners[i], axis);
    if (outline.empty() || !(outline.back() == p)) outline.push_back(p);
  }
  while (outline.size() > 1 && outline.back() == outline.front()) outline.pop_back();
  return is_convex_outline(outline);
}

// The sum of the triangles' determinants relative to a point near the body; computed exactly if the error bound does
// not decide.
int volume_sign(const Mesh& mesh) {
  const Box3& box = mesh.box();
  const Vec3 reach{std::max(std::fabs(box.lo.x), std::fabs(box.hi.x)),
                   std::max(std::fabs(box.lo.y), std::fabs(box.hi.y)),
                   std::max(std::fabs(box.lo.z), std::fabs(box.hi.z))};
  const double largest = std::max({reach.x, reach.y, reach.z});
  if (!(largest < 0x1p300 && largest > 0x1p-300)) return exact_volume_sign(mesh);
  const Vec3 origin = box.lo;
  double sum = 0, magnitude = 0;
  for (const Triangle& t : mesh.triangles()) {
    const Vec3 a = mesh.positions()[t[0]] - origin, b = mesh.positions()[t[1]] - origin,
               c = mesh.positions()[t[2]] - origin;
    sum += dot(cross(a, b), c);
    magnitude += (std::fabs(a.y * b.z) + std::fabs(a.z * b.y)) * std::fabs(c.x) +
                 (std::fabs(a.z * b.x) + std::fabs(a.x * b.z)) * std::fabs(c.y) +
                 (std::fabs(a.x * b.y) + std::fabs(a.y * b.x)) * std::fabs(c.z);
  }
  // Each term involves 3 differences, 4 roundings and 2 sums; then one sum per triangle. The last addend covers
  // underflow.
  const double count = static_cast<double>(mesh.triangle_count());
  const double bound = (16 + count) * 0x1p-52 * magnitude + count * (1 + largest) * 0x1p-1000;
  if (std::fabs(sum) > bound) return sum > 0 ? 1 : -1;
  return exact_volume_sign(mesh);
}

bool is_convex_body(const Connectivity& connectivity, int volume_sign) {
  return volume_sign != 0 && ConvexBodyTest(connectivity, volume_sign)();
}

}  // namespace graze::mesh
