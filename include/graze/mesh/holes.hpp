// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <graze/core/export.hpp>
#include <graze/math/vec3.hpp>

namespace graze {

/// A polygon with holes (Zachmann 3.2) as one list of corners for `PolygonList::add`: the outline, and from one of its
/// corners to each hole a bridge, which is traversed once in each direction. Ids are kept: no vertex is added, and all
/// triangles of the mesh belong to this one polygon.
///
/// The outline and the holes are in any orientation; the result has that of the outline. Holes lie inside the outline
/// and outside each other. They may share corners with it and with each other, but touch nowhere else. A bridge is an
/// edge of the polygon like any other, with this polygon on both sides: a mesh stays closed and manifold, and its Euler
/// characteristic is that of the surface with the hole. Decided exactly, in the projection along the largest component
/// of the outline's best-fit normal.
///
/// Throws `Error`: index_out_of_range; not_finite (vertex); bad_polygon if the outline or a hole has fewer than three
/// corners, or a hole is not inside the outline, touches it within an edge, or crosses it or another hole. Its id is
/// the position of the hole in `holes`.
GRAZE_API std::vector<std::uint32_t> join_holes(std::span<const Vec3> positions, std::span<const std::uint32_t> outline,
                                                std::span<const std::vector<std::uint32_t>> holes);

}  // namespace graze
