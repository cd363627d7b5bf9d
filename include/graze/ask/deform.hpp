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
#include <graze/ask/vertex_array.hpp>
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
  // Limits: see `CancelToken`. A step is a pair of tree nodes or of features. A question that a limit ends is
  // `undecided`; after `step` the mesh is at the new positions all the same.
  std::uint64_t work = 0;
  std::optional<std::chrono::nanoseconds> budget = {};
  CancelToken cancel = {};
  /// If set: filled with the counters that only steps have: of cullings and patches.
  MethodCounters* method_counters = nullptr;
};

/// Two features that come within the tolerance during the step, and the time when they first do. Vertex ids: for
/// vertex/face, the vertex, then those of the face; for edge/edge, those of both edges, each edge with its lower id
/// first, the edge with the lowest ids first. A loose edge from a to b (a < b) also counts as the face a, b, b, and a
/// point p as the face p, p, p: so vertices meet edges and points, too.
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

/// A loose edge and a triangle that intersect at the start, elsewhere than in a vertex or edge that they share. (Loose
/// edges and points that meet anything else there are among the contacts.)
struct EdgeCrossing {
  std::uint32_t edge = 0;  ///< the number in `Mesh::edges`
  TriangleId triangle{};
  friend bool operator==(const EdgeCrossing&, const EdgeCrossing&) = default;
};

struct DeformResult {
  /// `contact` if there is any event or start crossing. `undecided`: a limit ended the query; nothing is listed.
  Status status = Status::undecided;
  /// `safe`: nothing touches before this time, except what touches at the start. `touch`: of the first event. Free:
  /// {1, NaN}. Undecided: `touch` is NaN, and `safe` what a search for the earliest contact had certified, perhaps 0.
  TimeBracket time;
  std::vector<DeformContact> contacts;  ///< sorted by kind and vertices; only the earliest if not `all`
  std::vector<TrianglePair> crossing_at_start;
  std::vector<EdgeCrossing> edges_crossing_at_start;  ///< sorted by edge and triangle
  Counters counters;
  DeformSeconds seconds;
  std::optional<ErrorDetail> error;
};

struct StepSizeOptions {
  /// What is returned is (1 - slack) of the certified time, unless the whole step is free. From 0 to below 1. Positions
  /// that the caller interpolates are rounded: a slack keeps them away from the contact.
  double slack = 0.1;
  bool self = true;  ///< also contacts of a connected component with itself, not only between components
  std::optional<double> tolerance = {};  ///< as in `DeformOptions`
  double min_separation = 0;             ///< contact means: at most this far apart
  /// Triangles that cross at the start do not matter, and are not looked for. Only events after the start do.
  bool ignore_start_crossings = false;
  /// What is near at the start and parts does not stop the step. Features that touch at t = 0 do not count if they, and
  /// their triangles, are certified to come apart at once. Features that start within `min_separation`, but apart, must
  /// not come nearer than 7/8 of their start distance during the step; so if all of these keep their distance or part,
  /// the step is not shortened, and otherwise it is still greater than 0. False: all these give `touching_at_start`.
  bool ignore_start_if_separating = true;
  int threads = 1;
  // Limits: see `CancelToken`. A step is a pair of tree nodes or of features.
  std::uint64_t work = 0;
  std::optional<std::chrono::nanoseconds> budget = {};
  CancelToken cancel = {};
  /// If set: filled with the counters that only steps have: of cullings and patches.
  MethodCounters* method_counters = nullptr;
};

/// How far the vertices may go from their positions x0 towards x1: to x0 + `step` (x1 - x0).
struct StepSize {
  /// `free`: the whole way, `step` = 1. `contact`: `step` > 0. `touching_at_start`: 0. `undecided`: a limit ended the
  /// query; `step` is what had been certified, perhaps 0. `invalid_request`: 0.
  Status status = Status::undecided;
  double step = 0;
  /// Until `safe` no two features are in contact, except as `StepSizeOptions` says, and no triangles cross that did not
  /// cross at the start. `touch`: when `first` is within the tolerance; NaN if there is none.
  TimeBracket time;
  std::optional<DeformContact> first;  ///< the earliest contact
  /// With `touching_at_start`: two triangles that cross, or touch and are not certified to part; if any.
  std::optional<TrianglePair> crossing_at_start;
  std::optional<EdgeCrossing> edge_crossing_at_start;  ///< the same for a loose edge and a triangle
  Counters counters;
  DeformSeconds seconds;
  std::optional<ErrorDetail> error;
};

struct ProximityOptions;
struct ProximityResult;

/// A mesh whose vertices move. Keeps the connectivity, and a tree from step to step. Not thread-safe.
///
/// Loose edges and points of the mesh take part: every vertex (of triangles, loose edges and points) is tested against
/// every face, loose edge and point, and every two edges, loose or of triangles, unless they share a vertex.
///
/// A simulator's loop sets the positions and then asks, as often as it likes, what happens on straight lines from there
/// (docs/simulation.md):
///
///   mesh.set_positions(x0);
///   const StepSize s = mesh.step_size(x1);   // moves nothing
///   ... try x0 + s.step * (x1 - x0), or other steps from x0 ...
///
/// What the start alone determines is computed for the first question and kept for the next ones.
class GRAZE_API Deformable {
 public:
  /// The mesh gives the connectivity and the first positions.
  explicit Deformable(const Mesh& mesh);
  ~Deformable();
  Deformable(Deformable&&) noexcept;
  Deformable& operator=(Deformable&&) noexcept;

  /// Moves the vertices at once; nothing is asked about the way. Throws `Error` unless there are as many positions as
  /// vertices, all finite; then nothing has moved.
  void set_positions(std::span<const Vec3> positions);
  void set_positions(const VertexArray& positions);

  /// Every vertex moves on a straight line from its current position to its new position: which features come into
  /// contact during this motion? The mesh stays where it is. There must be as many positions as vertices, all finite,
  /// or else the status is `invalid_request`.
  DeformResult contacts(std::span<const Vec3> positions, const DeformOptions& options = {});
  void contacts(std::span<const Vec3> positions, const DeformOptions& options, DeformResult& result);
  void contacts(const VertexArray& positions, const DeformOptions& options, DeformResult& result);

  /// How far may the vertices go on the same straight lines before anything touches? The mesh stays where it is.
  StepSize step_size(std::span<const Vec3> positions, const StepSizeOptions& options = {});
  StepSize step_size(const VertexArray& positions, const StepSizeOptions& options = {});

  /// The same as `contacts`, and afterwards the mesh is at the new positions, except after `invalid_request`. The
  /// caller may reuse the same buffer in every step, because this object keeps the previous positions.
  DeformResult step(std::span<const Vec3> positions, const DeformOptions& options = {});
  void step(std::span<const Vec3> positions, const DeformOptions& options, DeformResult& result);
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
