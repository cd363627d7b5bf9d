// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <graze/core/export.hpp>
#include <graze/core/ids.hpp>
#include <graze/math/box3.hpp>
#include <graze/math/vec3.hpp>

namespace graze {

/// Polygons as one flat list of corners: polygon i has the corners [first[i], first[i + 1]).
struct PolygonList {
  std::vector<std::uint32_t> corners;
  std::vector<std::uint32_t> first{0};

  void add(std::span<const std::uint32_t> polygon) {
    corners.insert(corners.end(), polygon.begin(), polygon.end());
    first.push_back(static_cast<std::uint32_t>(corners.size()));
  }
  std::size_t size() const { return first.size() - 1; }
  std::span<const std::uint32_t> operator[](std::size_t i) const {
    return {corners.data() + first[i], corners.data() + first[i + 1]};
  }
};

/// Three vertex indices, in the orientation of the polygon they came from.
using Triangle = std::array<std::uint32_t, 3>;

/// Polygons in, triangles out; immutable and cheap to copy (copies share the data).
///
/// Vertices and polygons keep the order and the ids they were given. Degenerate, duplicate and unused elements are
/// kept: they are not errors. Each polygon is triangulated by deterministic ear clipping in the plane of its best-fit
/// normal; one that cannot be clipped (it crosses itself) is fanned from its first corner and `was_fanned`.
class GRAZE_API Mesh {
 public:
  /// Throws `Error`: not_finite (vertex), index_out_of_range, bad_polygon (polygon), empty_mesh, too_large.
  Mesh(std::vector<Vec3> positions, PolygonList polygons);
  Mesh(std::vector<Vec3> positions, std::span<const Triangle> triangles);

  std::span<const Vec3> positions() const;
  std::size_t vertex_count() const { return positions().size(); }
  std::size_t polygon_count() const;
  std::size_t triangle_count() const { return triangles().size(); }

  std::span<const std::uint32_t> polygon(PolygonId id) const;
  const PolygonList& polygons() const;
  std::span<const Triangle> triangles() const;
  /// The polygon that a triangle is part of.
  PolygonId polygon_of(TriangleId id) const;
  /// The triangles of a polygon: ids [first, last).
  std::array<std::uint32_t, 2> triangles_of(PolygonId id) const;
  /// Is edge k (corner k to corner k + 1) of the triangle a diagonal of its polygon, and not one of its edges?
  bool is_diagonal(TriangleId id, int k) const;
  bool was_fanned(PolygonId id) const;
  /// Do all corners lie in one plane, exactly? (Triangles and degenerate polygons do.)
  bool is_planar(PolygonId id) const;
  /// The exact box of the vertices that polygons use.
  const Box3& box() const;

  struct Data;

 private:
  std::shared_ptr<const Data> data_;
};

}  // namespace graze
