// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <graze/ask/deform.hpp>
#include <graze/core/export.hpp>
#include <graze/math/vec3.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze {

/// Answers the question of `Deformable::step` by testing every feature pair: every vertex and face, and every two
/// edges, that share no vertex. A test oracle for small meshes: the work is quadratic in the number of triangles. Uses
/// only the options `self`, `all`, `tolerance`, `min_separation`, `exact`, `crossing_at_start`, `threads` and the
/// limits. `from` and `to` must have one finite position for each vertex.
GRAZE_API DeformResult deform_brute(const Mesh& mesh, std::span<const Vec3> from, std::span<const Vec3> to,
                                    const DeformOptions& options = {});
/// The same, writing into a result that is reused.
GRAZE_API void deform_brute(const Mesh& mesh, std::span<const Vec3> from, std::span<const Vec3> to,
                            const DeformOptions& options, DeformResult& result);

/// The same with a filter. Throws `Error` if the filter does not fit the mesh.
GRAZE_API DeformResult deform_brute(const Mesh& mesh, std::span<const Vec3> from, std::span<const Vec3> to,
                                    const DeformFilter& filter, const DeformOptions& options = {});

}  // namespace graze
