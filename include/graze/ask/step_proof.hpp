// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <graze/core/export.hpp>
#include <graze/core/limits.hpp>
#include <graze/math/vec3.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze {

struct StepProofOptions {
  bool self = true;  ///< include pairs within a connected component, not only between components
  /// Without `self`: a body number for each polygon; only pairs with different numbers are tested. Empty: the connected
  /// components are used instead. Throws `Error` if a vertex belongs to several bodies.
  std::span<const std::uint32_t> bodies = {};
  double min_separation = 0;  ///< prove that no two features come this close; must be finite and >= 0, or `Error`
  /// Proves the time from 0 to this one, the end included. More than 0 and at most 1, or `Error`. Of a step with
  /// contacts, what `DeformResult::time.safe` says.
  double until = 1;
  // Limits: see `CancelToken`. A step is a pair of parts or of features. A limit that ends the search: no proof.
  std::uint64_t work = 0;
  std::optional<std::chrono::nanoseconds> budget = {};
  CancelToken cancel = {};
};

/// A proof that nothing touches during a step, for `graze-verify`: docs/certificates.md.
struct StepProof {
  std::string text;
  std::size_t separations = 0;  ///< pairs of parts that one direction separates
  std::size_t features = 0;     ///< feature pairs proved individually
  std::size_t patches = 0;      ///< sets of triangles that never overlap along a direction
};

/// Every vertex moves on a straight line from its start to its end. Returns a proof that during this motion no vertex
/// touches (or comes as close as the minimum separation to) a face, and no edge an edge, with which it shares no
/// vertex, and that no edge passes through such a face at the start. Returns nothing if this does not hold, or holds by
/// a margin too small for double precision to prove. Slower than `Deformable::step`, which gives the same answer
/// without a proof. Knows no `DeformFilter`: every pair counts. Throws `Error` for a mesh
/// with loose edges or points, and unless there are as many starts and ends
/// as vertices, all finite.
GRAZE_API std::optional<StepProof> prove_step(const Mesh& mesh, std::span<const Vec3> start, std::span<const Vec3> end,
                                              const StepProofOptions& options = {});

}  // namespace graze
