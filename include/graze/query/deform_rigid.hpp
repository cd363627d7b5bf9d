// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <graze/core/export.hpp>
#include <graze/mesh/mesh.hpp>
#include <graze/motion/motion.hpp>
#include <graze/query/deform.hpp>

namespace graze {

/// A feature of the deforming mesh and one of a rigid body that come within the tolerance, and when first.
struct MixedContact {
  std::uint32_t body = 0;    ///< which of the rigid bodies
  bool rigid_first = false;  ///< the vertex, or the first edge, is the rigid body's
  /// As in DeformContact, each vertex by its number in the mesh that it belongs to.
  DeformContact contact;
};

/// Triangles of the deforming mesh (a) and of a rigid body (b) that meet at the start.
struct MixedCrossing {
  std::uint32_t body = 0;
  TrianglePair triangles;
};

struct MixedResult {
  Status status = Status::undecided;   ///< `contact` if there is any event or start crossing, of any kind
  TimeBracket time;                    ///< of the first event; free: {1, NaN}
  double tolerance = 0;                ///< that was used between the deforming mesh and rigid bodies
  DeformResult own;                    ///< the deforming mesh by itself
  std::vector<MixedContact> contacts;  ///< by body, kind and vertices; only the earliest of all if not `all`
  std::vector<MixedCrossing> crossing_at_start;
  Counters counters;
};

/// A deforming mesh among rigid bodies that move and turn; all of it in one call. (For rigid bodies among each other
/// there is `first_contacts`.) A body that turns carries its vertices along arcs. They are followed in pieces of the
/// step so short that the arc is within a quarter of the tolerance of its chord; by that much every chord is kept
/// further away. Hence `free` and t_safe hold for the arcs, and at t_touch the gap is within the tolerance.
class GRAZE_API DeformableAmongRigid {
 public:
  DeformableAmongRigid(const Mesh& deforming, std::span<const Mesh> rigid);
  ~DeformableAmongRigid();
  DeformableAmongRigid(DeformableAmongRigid&&) noexcept;
  DeformableAmongRigid& operator=(DeformableAmongRigid&&) noexcept;

  /// One motion for each rigid body, of the library's own kinds. Default tolerance against rigid bodies: 1e-6 of the
  /// largest extent of everything during the step. `exact` is for the deforming mesh by itself. Throws `Error`.
  MixedResult step(std::span<const Vec3> positions, std::span<const Motion> motions, const DeformOptions& options = {});

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace graze
