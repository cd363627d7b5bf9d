// SPDX-License-Identifier: MIT
#include "scene/hull.hpp"

#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "scene/poses.hpp"

namespace graze::bench {
namespace {

double volume(const std::vector<Vec3>& points, const Triangle& face, const Vec3& p) {
  const Vec3 a = points[face[0]], b = points[face[1]], c = points[face[2]];
  return dot(cross(b - a, c - a), p - a);
}

/// Replaces the faces visible from point `next` by a fan over its horizon. Double precision is sufficient for random
/// points.
void add_point(const std::vector<Vec3>& points, std::uint32_t next, std::vector<Triangle>& faces) {
  std::vector<Triangle> kept;
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> seen_edges;
  for (const Triangle& face : faces) {
    if (volume(points, face, points[next]) <= 0) {
      kept.push_back(face);
      continue;
    }
    for (int k = 0; k < 3; ++k) seen_edges[{face[k], face[(k + 1) % 3]}] = true;
  }
  for (const auto& [edge, seen] : seen_edges) {
    const bool horizon = !seen_edges.contains({edge.second, edge.first});
    if (horizon) kept.push_back({edge.first, edge.second, next});
  }
  faces = std::move(kept);
}

}  // namespace

Mesh random_convex(std::size_t vertices, std::uint64_t seed) {
  Random random(seed);
  std::vector<Vec3> points;
  while (points.size() < vertices) {
    const Vec3 d = random.direction();
    points.push_back({0.5 * d.x, 0.4 * d.y, 0.3 * d.z});
  }
  std::vector<Triangle> faces{{0, 1, 2}, {0, 2, 1}};
  if (volume(points, faces[0], points[3]) > 0) std::swap(faces[0], faces[1]);
  // Face 0 is not visible from point 3, the flipped face is: adding point 3 gives the first tetrahedron.
  for (std::uint32_t next = 3; next < points.size(); ++next) add_point(points, next, faces);
  if (faces.size() != 2 * vertices - 4) throw std::logic_error("points on an ellipsoid must all be on its hull");
  return Mesh(std::move(points), faces);
}

}  // namespace graze::bench
