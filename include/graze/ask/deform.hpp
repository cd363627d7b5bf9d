// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <graze/ask/deform_filter.hpp>
#include <graze/ask/elementary.hpp>
#include <graze/body/contact.hpp>
#include <graze/core/counters.hpp>
#include <graze/core/error.hpp>
#include <graze/core/export.hpp>
#include <graze/core/limits.hpp>
#include <graze/core/status.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze {

struct DeformOptions {
  bool self = true;  ///< also find contacts of a connected component with itself, not only between components
  bool all = true;   ///< list every contact of the step, or only the earliest
  /// As for `elementary_contact`; the default is relative to the size of each elementary query.
  std::optional<double> tolerance = {};
  double min_separation = 0;
  /// Exact arithmetic decides all cases within the tolerance. Cannot be combined with a minimum separation.
  bool exact = false;
  bool crossing_at_start = true;  ///< also list the triangles that intersect at the start, by the exact discrete test
  bool both_ends = true;          ///< bounds at both ends of the step; false: swept over the step, as in ICCD
  int directions = 9;             ///< of the bounding volumes: 9 (18-DOPs) or 3 (boxes)
  /// The culling techniques of ICCD, each as a switch. With `exact`, no combination changes the answer. Without it, a
  /// patch that is proved free of self-contact may contain features that come within the tolerance but never touch.
  bool patches = true;          ///< continuous normal cones and contours (IV); not used with a minimum separation
  bool representatives = true;  ///< test each feature pair for one triangle pair only (V.B)
  bool orphans = true;          ///< adjacent triangles are handled by the orphan set (V.D)
  bool feature_bounds = true;   ///< skip feature pairs whose own bounds are apart (docs/design.md 4)
  /// In the contour test (IV.C): use bounds, and pass projections and failed pairs to children.
  bool contour_accelerations = true;
  int threads = 1;
  // Limits: see `CancelToken`. A step is a pair of tree nodes or of features. A step of the mesh that a limit ends is
  // `undecided`; the mesh is at the new positions all the same.
  std::uint64_t work = 0;
  std::optional<std::chrono::nanoseconds> budget = {};
  CancelToken cancel = {};
  /// If set: filled with the counters that only steps have: of cullings and patches.
  MethodCounters* method_counters = nullptr;
};

/// Two features that come within the tolerance during the step, and the time when they first do. Vertex ids: for
/// vertex/face, the vertex, then those of the face; for edge/edge, those of both edges, each edge with its lower id
/// first, the edge with the lowest ids first.
struct DeformContact {
  ElementaryKind kind = ElementaryKind::vertex_face;
  std::array<std::uint32_t, 4> vertices{};
  TimeBracket time;
  double gap = 0;
  bool at_start = false;  ///< already touching at t = 0
};

/// Time spent in each stage, in seconds.
struct DeformSeconds {
  double build = 0, refit = 0, patches = 0, traversal = 0, elementary = 0, start = 0, total = 0;
};

struct DeformResult {
  /// `contact` if there is any event or start crossing. `undecided`: a limit ended the query; nothing is listed.
  Status status = Status::undecided;
  TimeBracket time;                     ///< of the first event; free: {1, NaN}; undecided: {0, NaN}
  std::vector<DeformContact> contacts;  ///< sorted by kind and vertices; only the earliest if not `all`
  std::vector<TrianglePair> crossing_at_start;
  Counters counters;
  DeformSeconds seconds;
  std::optional<ErrorDetail> error;
};

/// A view of vertices in the caller's memory: three coordinates each, in single or double precision, `stride` bytes
/// apart. Bytes in between are not read.
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

struct ProximityOptions;
struct ProximityResult;

/// A mesh whose vertices move. Keeps the connectivity, and a tree from step to step. Not thread-safe.
class GRAZE_API Deformable {
 public:
  /// The mesh gives the connectivity and the first positions.
  explicit Deformable(const Mesh& mesh);
  ~Deformable();
  Deformable(Deformable&&) noexcept;
  Deformable& operator=(Deformable&&) noexcept;

  /// Every vertex moves on a straight line from its current position to its new position: which features come into
  /// contact during this motion? Afterwards the mesh is at the new positions, except after `invalid_request`: there
  /// must be as many positions as vertices, all finite.
  DeformResult step(std::span<const Vec3> positions, const DeformOptions& options = {});
  void step(std::span<const Vec3> positions, const DeformOptions& options, DeformResult& result);
  /// The same, reading from the caller's memory. The caller may reuse the same buffer in every step, because this
  /// object keeps the previous positions.
  void step(const VertexArray& positions, const DeformOptions& options, DeformResult& result);

  /// Every pair of features that are at most this far apart, at the given positions (one for each vertex) or the
  /// present ones: see <graze/ask/proximity.hpp>, which must be included. Moves nothing. The distance is finite and not
  /// negative; with 0, features that share a point.
  ProximityResult near(std::span<const Vec3> positions, double distance);
  ProximityResult near(double distance);
  void near(std::span<const Vec3> positions, double distance, const ProximityOptions& options, ProximityResult& result);

  /// Replaces the mesh, and with it the vertex positions, between two steps: it broke, was cut or otherwise changed its
  /// connectivity. Triangles are recognised by their numbers: a triangle that stays keeps its number (at the end of the
  /// list some may be new or gone), and a vertex keeps its number as far as the same triangles use it. Only changed
  /// parts are recomputed: the counters `nodes_rebuilt` and `orphans_updated` of the next step tell how much.
  /// A filter stays, and throws `Error` if it does not fit the new mesh: then nothing is replaced.
  void replace(const Mesh& mesh);
  /// The same with a new filter.
  void replace(const Mesh& mesh, DeformFilter filter);

  /// Who may touch whom, in all later steps. Throws `Error` if the filter does not fit the mesh; the one before stays.
  void set_filter(DeformFilter filter);

  const Mesh& mesh() const;
  std::span<const Vec3> positions() const;
  /// Bytes held from step to step, excluding the mesh as it was given and lists whose length is the number of a step's
  /// contacts.
  std::size_t bytes() const;
  /// The number of orphans (ICCD V.D). 0 before the first step, and also if there are so many that adjacent triangles
  /// are traversed like all others instead (in open fans around one vertex the number of orphans grows with the square
  /// of the number of its triangles).
  std::size_t orphan_count() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace graze
