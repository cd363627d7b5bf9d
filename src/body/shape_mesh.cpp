// SPDX-License-Identifier: MIT
#include "body/shape_mesh.hpp"

#include <array>

#include "bv/convex_hull.hpp"

namespace graze::body {

namespace {

Mesh hull_mesh(const std::vector<Vec3>& points) {
  const bv::ConvexHull hull = bv::convex_hull(points);
  std::vector<Vec3> corners;
  for (const std::uint32_t i : hull.corners) corners.push_back(points[i]);
  PolygonList polygons;
  if (hull.dimension == 3)
    for (const auto& f : hull.facets) polygons.add(f);
  else if (hull.dimension == 2)
    polygons.add(hull.ring);
  else if (hull.dimension == 1)
    polygons.add(std::array<std::uint32_t, 3>{0, 1, 1});
  else
    polygons.add(std::array<std::uint32_t, 3>{0, 0, 0});
  return {std::move(corners), std::move(polygons)};
}

}  // namespace

Mesh box_mesh(const Box3& box) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i)
    corners.push_back({i & 1 ? box.hi.x : box.lo.x, i & 2 ? box.hi.y : box.lo.y, i & 4 ? box.hi.z : box.lo.z});
  PolygonList faces;
  static constexpr std::array<std::array<std::uint32_t, 4>, 6> quads{
      {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};
  for (const auto& quad : quads) faces.add(quad);
  return {std::move(corners), std::move(faces)};
}

Mesh shape_mesh(const shape::Shape& shape) {
  if (const auto* hull = std::get_if<shape::Hull>(&shape.kind); hull && shape.rounding == 0)
    return hull_mesh(hull->points);
  if (std::holds_alternative<shape::HalfSpace>(shape.kind)) return box_mesh({{-1, -1, -1}, {1, 1, 0}});
  return box_mesh(shape::bounds(shape));
}

}  // namespace graze::body
