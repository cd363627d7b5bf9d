// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include <graze/core/export.hpp>
#include <graze/core/ids.hpp>

namespace graze {

/// Do the surfaces cross (an edge whose ends lie strictly on both sides of the other triangle's plane meets that
/// triangle's interior, or that of the planar polygon it is part of), or only touch (all else)?
enum class ContactKind { touching, crossing };

/// Which features meet: of A first, then of B.
enum class FeatureKind { vertex_face, face_vertex, edge_edge, edge_face, face_edge };

/// "touching", "crossing".
GRAZE_API const char* name(ContactKind kind);
/// "vf", "fv", "ee", "ef", "fe".
GRAZE_API const char* name(FeatureKind kind);

/// A vertex, an edge or a polygon by its ids in the input. An edge is its two vertices, lower id first.
struct FeatureRef {
  enum class Type : std::uint8_t { vertex, edge, face };
  Type type = Type::vertex;
  bool diagonal = false;              ///< an edge that is a triangulation's diagonal of a polygon that is not planar
  std::array<std::uint32_t, 2> id{};  ///< vertex {v, v}; edge {v0, v1}; face {polygon, polygon}
  friend auto operator<=>(const FeatureRef&, const FeatureRef&) = default;
};

struct Feature {
  FeatureKind kind = FeatureKind::vertex_face;
  FeatureRef a, b;
  friend auto operator<=>(const Feature&, const Feature&) = default;
};

/// Two triangles that share a point.
struct TrianglePair {
  TriangleId a{}, b{};
  friend auto operator<=>(const TrianglePair&, const TrianglePair&) = default;
};

}  // namespace graze
