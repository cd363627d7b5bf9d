// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <graze/core/export.hpp>
#include <graze/math/vec3.hpp>
#include <graze/mesh/mesh.hpp>
#include <graze/query/deform.hpp>

namespace graze {

/// The question of `Deformable::step`, asked of every pair of features by itself: every vertex and face, every two
/// edges that share no vertex. The oracle, for small meshes: the work grows with the square of the triangles. Of the
/// options `self`, `all`, `tolerance`, `min_separation`, `exact`, `crossing_at_start` and `threads` count.
/// `from` and `to`: one position for each vertex, all finite, or `Error`.
GRAZE_API DeformResult deform_brute(const Mesh& mesh, std::span<const Vec3> from, std::span<const Vec3> to,
                                    const DeformOptions& options = {});

}  // namespace graze
