// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include <graze/ask/deform.hpp>
#include <graze/ask/proximity.hpp>
#include <graze/core/export.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze::gpu {

/// Vertex positions in memory of the device: x y z of each vertex, one after the other.
struct DevicePositions {
  const double* xyz = nullptr;
  std::size_t count = 0;  ///< of vertices
};

/// A `DeformContact` as it lies in memory of the device.
struct StepContact {
  std::uint32_t kind;  ///< 0: a vertex and a face, 1: two edges
  std::uint32_t vertices[4];
  std::uint32_t at_start;  ///< 1: already touching at t = 0
  double safe, touch, gap;
};

/// The contacts of a step in memory of the device, in the order of `DeformResult::contacts`. They stay there until the
/// next question.
struct DeviceContacts {
  const StepContact* contacts = nullptr;
  std::size_t count = 0;
};

/// What the last question did, for measurements.
struct StepWork {
  std::uint64_t cluster_pairs = 0;  ///< pairs of clusters of 32 features each
  std::uint64_t candidates = 0;     ///< pairs of features whose boxes meet
  std::uint64_t near = 0;           ///< what single precision leaves of them
  std::uint64_t contacts = 0;
  std::uint64_t left_to_host = 0;  ///< pairs that the host decided
  int repeats = 0;                 ///< because a list was longer than its memory
  std::uint64_t bytes = 0;         ///< of memory on the device
};

/// `graze::Deformable` on a device: the same questions about the same steps. With `exact`, the contacts are the same
/// set as the CPU's; without it, as with `DeformOptions::patches` switched off, but for features that come within the
/// default tolerance without touching: they may be listed or not. The order is the same. A time is one at which the
/// features are within the tolerance and before which they are certified apart, as on the CPU; its last digits may
/// differ. A filter with a predicate works, too: it is asked on the host, about contacts only.
///
/// Of `DeformOptions` only `self`, `all`, `tolerance`, `min_separation`, `exact`, `crossing_at_start` and `threads` (of
/// the host, for the few pairs that it decides) count; a limit is refused (`unsupported`). Triangles that cross at the
/// start are found by the host: leave `crossing_at_start` off where that is known.
///
/// Everything is done on one stream of CUDA, the caller's or one of its own. Not thread-safe. After an `Error`, which
/// every call may throw that uses the device, the object may be destroyed only; a `graze::Deformable` is not affected.
class GRAZE_API Deformable {
 public:
  /// The mesh gives the connectivity and the first positions. `stream`: a cudaStream_t of the present device, which
  /// must live as long as this object; null: its own. Throws `Error`.
  explicit Deformable(const Mesh& mesh, void* stream = nullptr);
  ~Deformable();
  Deformable(Deformable&&) noexcept;
  Deformable& operator=(Deformable&&) noexcept;

  /// As of `graze::Deformable`. Those in memory of the device are copied on the stream, and are not looked at before
  /// the next question, which is refused if one is not finite.
  void set_positions(std::span<const Vec3> positions);
  void set_positions(DevicePositions positions);
  void set_filter(DeformFilter filter);

  /// The contacts of straight motions to these positions; nothing moves.
  DeformResult contacts(std::span<const Vec3> positions, const DeformOptions& options = {});
  DeformResult contacts(DevicePositions positions, const DeformOptions& options = {});
  /// The same, and afterwards the mesh is there.
  DeformResult step(std::span<const Vec3> positions, const DeformOptions& options = {});
  DeformResult step(DevicePositions positions, const DeformOptions& options = {});

  /// How far the vertices may go on these straight lines.
  StepSize step_size(std::span<const Vec3> positions, const StepSizeOptions& options = {});
  StepSize step_size(DevicePositions positions, const StepSizeOptions& options = {});

  /// What is near at these positions, as `graze::Deformable::near`. The host answers it: positions on the device are
  /// copied there first.
  ProximityResult near(std::span<const Vec3> positions, double distance, const ProximityOptions& options = {});
  ProximityResult near(DevicePositions positions, double distance, const ProximityOptions& options = {});

  /// For a simulator that stays on the device: puts the question on the stream and returns at once. The positions must
  /// stay as they are until `finish`. Options as above, without `crossing_at_start`, which must be false. Throws
  /// `Error` for options that would be refused.
  void begin(DevicePositions positions, const DeformOptions& options);
  /// Waits for it. Where a list was too long for its memory, the step is repeated with more; what the device could not
  /// decide, the host decides. Throws `Error` if a position is not finite.
  DeviceContacts finish();

  /// Sorts the features anew by where they are. An order that is old makes steps slower, and nothing else.
  void sort_in_space();

  const Mesh& mesh() const;
  const StepWork& work() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace graze::gpu
