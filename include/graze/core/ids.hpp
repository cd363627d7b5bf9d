// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <graze/core/export.hpp>

namespace graze {

/// Strong 32-bit ids, zero-based in the input's order. An STL vertex is 3 * facet + corner.
enum class VertexId : std::uint32_t {};
enum class PolygonId : std::uint32_t {};
/// Triangles are numbered polygon by polygon, in the order in which a polygon was triangulated.
enum class TriangleId : std::uint32_t {};
/// A named part of a mesh, numbered in the order in which polygons first use them.
enum class GroupId : std::uint32_t {};
/// A piece of a compound body, in the order of `Body::pieces()`.
enum class PieceId : std::uint32_t {};

constexpr std::uint32_t index(VertexId id) { return static_cast<std::uint32_t>(id); }
constexpr std::uint32_t index(PolygonId id) { return static_cast<std::uint32_t>(id); }
constexpr std::uint32_t index(TriangleId id) { return static_cast<std::uint32_t>(id); }
constexpr std::uint32_t index(GroupId id) { return static_cast<std::uint32_t>(id); }
constexpr std::uint32_t index(PieceId id) { return static_cast<std::uint32_t>(id); }

}  // namespace graze
