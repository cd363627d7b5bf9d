// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <graze/ask/deform.hpp>
#include <graze/core/export.hpp>
#include <graze/mesh/mesh.hpp>
#include <graze/motion/motion.hpp>

namespace graze {

/// A feature of the deforming mesh and one of a rigid body that come within the tolerance, and the time when they first
/// do.
struct MixedContact {
  std::uint32_t body = 0;    ///< index of the rigid body
  bool rigid_first = false;  ///< the vertex, or the first edge, is the rigid body's
  /// As in DeformContact; each vertex is given by its number in its own mesh.
  DeformContact contact;
};

/// Triangles of the deforming mesh (a) and of a rigid body (b) that meet at the start.
struct MixedCrossing {
  std::uint32_t body = 0;
  TrianglePair triangles;
};

struct MixedResult {
  /// `contact` if there is any event or start crossing, of any kind. `undecided`: a limit ended the query; nothing is
  /// listed.
  Status status = Status::undecided;
  TimeBracket time;                    ///< of the first event; free: {1, NaN}; undecided: {0, NaN}
  double tolerance = 0;                ///< the value used between the deforming mesh and rigid bodies
  DeformResult own;                    ///< contacts of the deforming mesh with itself: status, time and lists
  std::vector<MixedContact> contacts;  ///< sorted by body, kind and vertices; only the earliest of all if not `all`
  std::vector<MixedCrossing> crossing_at_start;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`
  Counters counters;
};

/// The former form of a `DeformScene` with one deforming mesh, to which it passes everything on; kept until 1.0. New
/// code uses `DeformScene` (graze/ask/deform_scene.hpp), which also takes several deforming bodies and shapes, and asks
/// without moving.
class GRAZE_API DeformableAmongRigid {
 public:
  DeformableAmongRigid(const Mesh& deforming, std::span<const Mesh> rigid);
  ~DeformableAmongRigid();
  DeformableAmongRigid(DeformableAmongRigid&&) noexcept;
  DeformableAmongRigid& operator=(DeformableAmongRigid&&) noexcept;

  /// One motion for each rigid body. Default tolerance against rigid bodies: 1e-6 of the largest extent of all meshes
  /// at both ends of the step. Afterwards the mesh is at the new positions, except after `invalid_request`.
  MixedResult step(std::span<const Vec3> positions, std::span<const Motion> motions, const DeformOptions& options = {});
  /// The same, writing into a result that is reused.
  void step(std::span<const Vec3> positions, std::span<const Motion> motions, const DeformOptions& options,
            MixedResult& result);

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace graze
