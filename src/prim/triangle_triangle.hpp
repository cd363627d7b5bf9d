// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <graze/math/vec3.hpp>

#include "math/placed_points.hpp"
#include "math/whole_points.hpp"

namespace graze::prim {

/// A part of a triangle: one of its vertices, edges (edge k joins corners k and k + 1) or its face.
enum class Part : std::uint8_t { vertex0, vertex1, vertex2, edge0, edge1, edge2, face };

constexpr bool is_vertex(Part p) { return p <= Part::vertex2; }
constexpr bool is_edge(Part p) { return p >= Part::edge0 && p <= Part::edge2; }
constexpr int corner_of(Part p) { return static_cast<int>(p); }
constexpr int edge_of(Part p) { return static_cast<int>(p) - 3; }
constexpr Part vertex_part(std::size_t k) { return static_cast<Part>(k); }
constexpr Part edge_part(std::size_t k) { return static_cast<Part>(3 + k); }
/// Edge k at parameter s: one of its ends, or its interior.
constexpr Part part_at(std::size_t k, double s) {
  return s <= 0 ? vertex_part(k) : s >= 1 ? vertex_part((k + 1) % 3) : edge_part(k);
}

enum class TriangleContact : std::uint8_t { none, touching, crossing };

/// Two parts that meet: vertex/face, face/vertex, edge/edge, edge/face or face/edge. A vertex anywhere in the closed
/// triangle is vertex/face; edge/edge means that the edges' interiors meet in one point.
struct Meeting {
  Part a, b;
  Vec3 point;  ///< in A's frame, rounded
};

struct TriangleMeetings {
  TriangleContact contact = TriangleContact::none;
  int count = 0;
  std::array<Meeting, 24> meetings;  ///< 3 + 3 vertices, 9 pairs of edges, 3 + 3 edges through faces

  /// The two ends of the intersection if the triangles are not coplanar: a segment, or one point twice (Kitamura 3.6).
  std::array<Vec3, 2> segment() const;
};

/// Do two closed triangles share a point, and do they cross: does an edge with its ends strictly on opposite sides of
/// the other triangle's plane meet that triangle's interior? Points 0, 1, 2 are A's corners, 3, 4, 5 are B's. Exact.
/// Degenerate triangles are treated as segments or points.
///
/// Two triangles share a point if and only if an edge of one meets the other: their intersection is convex and compact,
/// and an extreme point of it is a vertex of one of them, or lies on an edge of one.
///
/// Bit k of inner_a, inner_b: the triangle's edge k is a diagonal of its planar polygon. Its interior belongs to the
/// polygon's interior, so an edge of the other that passes through it crosses, whichever diagonal the triangulation
/// happened to choose.
TriangleContact triangle_triangle(math::PlacedPoints& p, unsigned inner_a = 0, unsigned inner_b = 0);

/// The same in integer coordinates.
TriangleContact triangle_triangle(math::WholePoints& p, unsigned inner_a = 0, unsigned inner_b = 0);

/// Is it certain that the triangles do not cross, though they may touch? If one lies in a closed half space of the
/// other's plane, none of its edges crosses that plane. An edge of the other could cross its interior only where that
/// interior meets the plane; but a linear function that attains its minimum inside a triangle is constant on it, so the
/// whole triangle would lie in the plane.
bool cannot_cross(math::PlacedPoints& p);
bool cannot_cross(math::WholePoints& p);

/// The same, with all contacts found; for WholePoints in their unit.
void triangle_triangle(math::PlacedPoints& p, TriangleMeetings& out, unsigned inner_a = 0, unsigned inner_b = 0);
void triangle_triangle(math::WholePoints& p, TriangleMeetings& out, unsigned inner_a = 0, unsigned inner_b = 0);

/// Does the closed triangle of points 0, 1, 2 contain point 3? Exact, also if it is degenerate.
bool holds_point(math::PlacedPoints& p);
bool holds_point(math::WholePoints& p);

}  // namespace graze::prim
