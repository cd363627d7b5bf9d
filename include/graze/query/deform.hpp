// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <graze/core/counters.hpp>
#include <graze/core/error.hpp>
#include <graze/core/export.hpp>
#include <graze/core/status.hpp>
#include <graze/mesh/mesh.hpp>
#include <graze/query/contact.hpp>
#include <graze/query/elementary.hpp>

namespace graze {

struct DeformOptions {
  bool self = true;  ///< contacts of a connected piece with itself too, not only between pieces
  bool all = true;   ///< every contact of the step, or only the earliest
  /// As for `elementary_contact`; by default relative to each elementary query's own size.
  std::optional<double> tolerance = {};
  double min_separation = 0;
  bool exact = false;  ///< what is within the tolerance is settled by exact arithmetic; no minimum separation
  bool crossing_at_start = true;  ///< also list the triangles that meet at the start, by the exact discrete test
  bool both_ends = true;          ///< bounds at both ends of the step; false: swept over it, as ICCD has them
  int directions = 9;             ///< of the bounds: 9 (18-DOPs) or 3 (boxes)
  /// ICCD's cullings, each by itself. Under `exact` no combination changes the answer; without it, a patch proved free
  /// of contact with itself may hold features that come within the tolerance and never touch.
  bool patches = true;                ///< continuous normal cones and contours (IV); not with a minimum separation
  bool representatives = true;        ///< each pair of features from one pair of triangles only (V.B)
  bool orphans = true;                ///< adjacent triangles are left to the orphan set (V.D)
  bool feature_bounds = true;         ///< pairs of features apart by their own bounds are not tested (DESIGN 4)
  bool contour_accelerations = true;  ///< of the contour test (IV.C): bounds, projections and failures handed down
  int threads = 1;
};

/// Two features that come within the tolerance during the step, and when first. Vertices by their ids: of a vertex and
/// then the face's; of both edges', each with its lower id first, the edge of the lowest ids first.
struct DeformContact {
  ElementaryKind kind = ElementaryKind::vertex_face;
  std::array<std::uint32_t, 4> vertices{};
  TimeBracket time;
  double gap = 0;
  bool at_start = false;  ///< touching at t = 0 already
};

/// Where the time went, in seconds.
struct DeformSeconds {
  double build = 0, refit = 0, patches = 0, traversal = 0, elementary = 0, start = 0, total = 0;
};

struct DeformResult {
  Status status = Status::undecided;    ///< `contact` if there is any event or start crossing
  TimeBracket time;                     ///< of the first event; free: {1, NaN}
  std::vector<DeformContact> contacts;  ///< sorted by kind and vertices; only the earliest if not `all`
  std::vector<TrianglePair> crossing_at_start;
  Counters counters;
  DeformSeconds seconds;
  std::optional<ErrorDetail> error;
};

/// Vertices as they lie in a caller's memory: three coordinates each, in single or double precision, `stride` bytes
/// apart. What is in between is not looked at.
class GRAZE_API VertexArray {
 public:
  VertexArray(const double* first, std::size_t count, std::size_t stride = 3 * sizeof(double));
  VertexArray(const float* first, std::size_t count, std::size_t stride = 3 * sizeof(float));

  std::size_t size() const { return count_; }
  Vec3 operator[](std::size_t i) const;

 private:
  const unsigned char* first_;
  std::size_t count_, stride_;
  bool single_;
};

/// A mesh whose vertices move: its connectivity is kept, and a tree from step to step. Not shared between threads.
class GRAZE_API Deformable {
 public:
  /// The mesh gives the connectivity and the first positions.
  explicit Deformable(const Mesh& mesh);
  ~Deformable();
  Deformable(Deformable&&) noexcept;
  Deformable& operator=(Deformable&&) noexcept;

  /// Every vertex moves straight from where it is to its new position: which features come into contact on the way?
  /// Afterwards the new positions are where the mesh is. As many positions as vertices, all finite, or `Error`.
  DeformResult step(std::span<const Vec3> positions, const DeformOptions& options = {});
  void step(std::span<const Vec3> positions, const DeformOptions& options, DeformResult& result);
  /// The same from the caller's memory, which may be the same place in every step: where the vertices were is known.
  void step(const VertexArray& positions, const DeformOptions& options, DeformResult& result);

  /// Between two steps the mesh has broken, been cut or otherwise changed its connectivity: from now on it is this one,
  /// its vertices where it has them. Triangles keep their numbers as far as they are the same ones (at the end some may
  /// be new or gone), vertices theirs as far as they are used by the same ones. Only what has changed is worked over:
  /// `nodes_rebuilt` and `orphans_updated` among the counters of the next step say how much.
  void replace(const Mesh& mesh);

  const Mesh& mesh() const;
  std::span<const Vec3> positions() const;
  /// Bytes held from step to step, without the mesh as it was given and without lists as long as a step's contacts.
  std::size_t bytes() const;
  /// How many orphans there are (ICCD V.D); 0 before the first step, and where there are so many (in open fans around
  /// one vertex they grow with the square of its triangles) that adjacent triangles are walked like others instead.
  std::size_t orphan_count() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace graze
