// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <compare>
#include <cstdint>

#include <graze/core/export.hpp>
#include <graze/core/ids.hpp>

namespace graze {

/// Whether surfaces cross or only touch. They cross if an edge whose ends lie strictly on opposite sides of the other
/// triangle's plane meets the interior of that triangle, or of the planar polygon it is part of. All other contacts are
/// touching.
///
/// `overlap`: both bodies are solid, their surfaces do not cross, and still their interiors share a point, decided
/// exactly: one is inside the other, or they touch as identical cubes do, or as a cube that is flush inside another
/// one. Of two solids, `crossing` and `overlap` mean that they share a volume, `touching` that they do not. Two curved
/// shapes, or a curved shape and a half-space, are never said to cross: they touch or overlap.
enum class ContactKind { touching, crossing, overlap };

/// Which kinds of features meet: first that of A, then that of B. The whole surface of a curved shape is one feature.
enum class FeatureKind {
  vertex_face,
  face_vertex,
  edge_edge,
  edge_face,
  face_edge,
  vertex_surface,
  edge_surface,
  face_surface,
  surface_vertex,
  surface_edge,
  surface_face,
  surface_surface
};

/// "touching", "crossing", "overlap".
GRAZE_API const char* name(ContactKind kind);
/// "vf", "fv", "ee", "ef", "fe"; with curved shapes "vs", "es", "fs", "sv", "se", "sf", "ss".
GRAZE_API const char* name(FeatureKind kind);

/// A vertex, an edge or a polygon, identified by its ids in the input. An edge is given by its two vertices, lower id
/// first.
struct FeatureRef {
  enum class Type : std::uint8_t { vertex, edge, face, surface };
  Type type = Type::vertex;
  /// The edge is a diagonal from the triangulation of a non-planar polygon.
  bool diagonal = false;
  std::array<std::uint32_t, 2> id{};  ///< vertex {v, v}; edge {v0, v1}; face {polygon, polygon}; surface {0, 0}
  friend std::strong_ordering operator<=>(const FeatureRef&, const FeatureRef&) = default;
};

struct Feature {
  FeatureKind kind = FeatureKind::vertex_face;
  FeatureRef a, b;
  friend std::strong_ordering operator<=>(const Feature&, const Feature&) = default;
};

/// Two triangles that share a point.
struct TrianglePair {
  TriangleId a{}, b{};
  friend std::strong_ordering operator<=>(const TrianglePair&, const TrianglePair&) = default;
};

}  // namespace graze
