// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
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

/// The name of a part of a mesh, as the statements `o` and `g` of an OBJ file give it; either may be empty.
struct PolygonGroup {
  std::string object;
  std::string group;
  friend bool operator==(const PolygonGroup&, const PolygonGroup&) = default;
};

/// Which named part each polygon belongs to; either every polygon has one or none has.
struct PolygonGroups {
  std::vector<PolygonGroup> names;        ///< by GroupId
  std::vector<std::uint32_t> of_polygon;  ///< for each polygon an index into `names`; empty: the mesh has no groups
};

/// Edges and points that no polygon holds, by the numbers of their vertices: the segments of rods, and particles. Only
/// deforming meshes (`Deformable`, `deform_brute`) test them; for all other queries a mesh is the surface of its
/// polygons.
struct LooseParts {
  std::vector<std::array<std::uint32_t, 2>> edges;
  std::vector<std::uint32_t> points;
  bool empty() const { return edges.empty() && points.empty(); }
  friend bool operator==(const LooseParts&, const LooseParts&) = default;
};

/// Three vertex indices, in the orientation of the polygon they came from.
using Triangle = std::array<std::uint32_t, 3>;

/// A mesh of polygons and their triangulation. Immutable and cheap to copy (copies share the data).
///
/// Vertices, polygons, loose edges and points keep their order and ids from the input. Degenerate, duplicate and unused
/// elements are kept; they are not errors. Each polygon is triangulated by deterministic ear clipping in the plane of
/// its best-fit normal. A polygon that cannot be clipped (because it crosses itself) is triangulated as a fan from its
/// first corner, and `was_fanned` is true for it.
class GRAZE_API Mesh {
 public:
  /// Throws `Error`: not_finite (vertex), index_out_of_range, bad_polygon (polygon), empty_mesh, too_large; bad_option
  /// (groups that do not have one entry for each polygon, or refer to a missing name).
  Mesh(std::vector<Vec3> positions, PolygonList polygons);
  Mesh(std::vector<Vec3> positions, PolygonList polygons, PolygonGroups groups);
  Mesh(std::vector<Vec3> positions, std::span<const Triangle> triangles);
  /// With loose edges and points; with some, there need not be a polygon. A body is made of a mesh with polygons only.
  Mesh(std::vector<Vec3> positions, PolygonList polygons, PolygonGroups groups, LooseParts loose);

  /// Positions and triangles where they are, without a copy: `owner` keeps that memory until the last copy of the mesh
  /// is gone, and nobody may write to it before, because trees and answers would no longer fit it.
  static Mesh of_memory(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                        std::shared_ptr<const void> owner);

  std::span<const Vec3> positions() const;
  std::size_t vertex_count() const { return positions().size(); }
  std::size_t polygon_count() const;
  std::size_t triangle_count() const { return triangles().size(); }

  const LooseParts& loose() const;
  std::span<const std::array<std::uint32_t, 2>> edges() const { return loose().edges; }
  std::span<const std::uint32_t> points() const { return loose().points; }

  std::span<const std::uint32_t> polygon(PolygonId id) const;
  const PolygonList& polygons() const;
  std::span<const Triangle> triangles() const;
  /// The polygon that a triangle is part of.
  PolygonId polygon_of(TriangleId id) const;
  /// The triangles of a polygon: ids [first, last).
  std::array<std::uint32_t, 2> triangles_of(PolygonId id) const;
  /// True if edge k (corner k to corner k + 1) of the triangle is a diagonal of its polygon, and not one of its edges.
  bool is_diagonal(TriangleId id, int k) const;
  bool was_fanned(PolygonId id) const;
  /// True if all corners lie exactly in one plane. (Those of triangles and degenerate polygons do.)
  bool is_planar(PolygonId id) const;
  /// Named parts, as in the file; operations that keep the polygons (`weld`, `Body::deformed`) keep the groups.
  const PolygonGroups& groups() const;
  /// The part that a polygon belongs to; nothing if the mesh has no groups.
  std::optional<GroupId> group_of(PolygonId id) const;
  const PolygonGroup& group(GroupId id) const { return groups().names[index(id)]; }
  /// The exact bounding box of the vertices that polygons use.
  const Box3& box() const;

  struct Data;

 private:
  explicit Mesh(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
};

}  // namespace graze
