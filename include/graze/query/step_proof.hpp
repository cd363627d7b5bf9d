// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <graze/core/export.hpp>
#include <graze/math/vec3.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze {

struct StepProofOptions {
  bool self = true;  ///< pairs within a connected piece too, not only between pieces
  /// Without `self`: a number for each polygon, and only pairs of different numbers count, not of different pieces. A
  /// vertex belongs to one of them, or `Error`. Empty: pieces.
  std::span<const std::uint32_t> bodies = {};
  double min_separation = 0;  ///< proves that nothing comes as near as this; finite, 0 or more, or `Error`
};

/// A proof that nothing touches during a step, for `graze-verify`: docs/certificates.md.
struct StepProof {
  std::string text;
  std::size_t separations = 0;  ///< pairs of parts that one direction keeps apart
  std::size_t features = 0;     ///< pairs of features proved one by one
};

/// Every vertex moves straight from its start to its end. A proof that meanwhile no vertex touches a face and no edge
/// an edge with which it shares no vertex (or comes as near as the minimum separation), and that no edge passes through
/// such a face at the start; nothing if that is not so, or holds by less than doubles can tell. Slower than
/// `Deformable::step`, which says the same without a proof. As many starts and ends as vertices, all finite, or
/// `Error`.
GRAZE_API std::optional<StepProof> prove_step(const Mesh& mesh, std::span<const Vec3> start, std::span<const Vec3> end,
                                              const StepProofOptions& options = {});

}  // namespace graze
