// SPDX-License-Identifier: MIT
#pragma once

#include <graze/body/contact.hpp>
#include <graze/core/counters.hpp>

#include "body/body_data.hpp"
#include "math/relative_placement.hpp"

namespace graze::engine::curved {

/// A mesh and a box (a shape that is not rounded), as far as doubles can tell.
struct MeshBoxAnswer {
  enum class Kind {
    apart,     ///< certainly: no triangle of the mesh shares a point with the solid
    crossing,  ///< an edge of `triangle` seems to pass through a face of the box, in `face_triangle`
    unknown
  };
  Kind kind = Kind::unknown;
  std::uint32_t triangle = 0, face_triangle = 0;
};

/// One traversal of the mesh's tree: cheaper than asking the box's triangles too. `placement` places the box in the
/// mesh's frame.
MeshBoxAnswer look_at_box(const body::BodyData& mesh, const body::BodyData& box,
                          const math::RelativePlacement& placement, Counters& counters);

/// Where the segment from p to q enters a box around the origin: its face, as in body/shape_mesh.cpp, and how far along
/// the segment; rounded. False: nowhere, or p is inside.
bool enters_box(const Vec3& half, const Vec3& p, const Vec3& q, std::uint32_t& face, double& at);

/// Of the two triangles of a box's face, the one that holds a point.
std::uint32_t triangle_of_face(const Mesh& box, std::uint32_t face, const Vec3& half, const Vec3& p);

}  // namespace graze::engine::curved
