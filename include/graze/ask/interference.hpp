// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <graze/body/contact.hpp>
#include <graze/core/counters.hpp>
#include <graze/core/error.hpp>
#include <graze/core/export.hpp>
#include <graze/core/ids.hpp>
#include <graze/core/limits.hpp>
#include <graze/core/method_options.hpp>
#include <graze/core/status.hpp>
#include <graze/math/pose.hpp>
#include <graze/math/vec3.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze {

namespace classic::kitamura {
struct Options;
}

/// A body in its current state: the faces of a mesh, with the mesh's own positions or others.
struct InterferenceBody {
  Mesh mesh;  ///< the faces; cheap to copy
  /// Current positions, one for each vertex of the mesh; empty: the mesh's own. Not copied.
  std::span<const Vec3> positions = {};
  /// Places the positions in the world, exactly as for `collide`; none: they are already in world coordinates.
  std::optional<Pose> pose = {};
};

struct InterferenceTraits {
  std::string_view name;     ///< the name used with `--method`
  std::string_view summary;  ///< a one-line description
};
/// All methods of `interference`, in the order of the type list; the first is the default. All give certified answers.
GRAZE_API std::span<const InterferenceTraits> interference_methods();

/// Coherence data that a caller keeps between calls for one list of bodies: the trees of `tree`, the octrees of
/// `octree_update`. A body is recognised by its index in the list and its mesh. Passing none is always correct, only
/// slower. Not thread-safe.
class GRAZE_API InterferenceCoherence {
 public:
  InterferenceCoherence();
  ~InterferenceCoherence();
  InterferenceCoherence(InterferenceCoherence&&) noexcept;
  InterferenceCoherence& operator=(InterferenceCoherence&&) noexcept;
  struct State;
  State& state() { return *state_; }
  /// Bytes held for bodies, excluding their meshes.
  std::size_t bytes() const;

 private:
  std::unique_ptr<State> state_;
};

struct InterferenceOptions {
  std::string_view method = "kitamura";
  /// Also report pairs of faces of one body, with the rules of `self_collide`: neighbours count only if they meet
  /// outside the vertex or edge that they share.
  bool self = false;
  int threads = 1;
  // Limits: see `CancelToken`. A step is a cell, a pair of tree nodes or a pair of triangles.
  std::uint64_t work = 0;
  std::optional<std::chrono::nanoseconds> budget = {};
  CancelToken cancel = {};
  InterferenceCoherence* coherence = nullptr;
  /// If set: filled with the method's own counters.
  MethodCounters* method_counters = nullptr;
  /// For `kitamura` and `octree_update`: `graze/classic/kitamura.hpp`.
  MethodOptions<classic::kitamura::Options> kitamura = {};
};

/// A triangle of a body (given by the body's index in the list), and the polygon that it is part of.
struct InterferingFace {
  std::uint32_t body = 0;
  TriangleId triangle{};
  PolygonId polygon{};
  friend std::strong_ordering operator<=>(const InterferingFace&, const InterferingFace&) = default;
};

struct InterferingPair {
  InterferingFace a, b;
  ContactKind kind = ContactKind::touching;
  friend bool operator==(const InterferingPair&, const InterferingPair&) = default;
};

/// Time spent in each stage, in seconds: placing the bodies, structures kept between calls, overlap regions,
/// check-lists, the octree (or tree), face pairs.
struct InterferenceSeconds {
  double placing = 0, structures = 0, bodies = 0, check_lists = 0, cells = 0, faces = 0, total = 0;
};

/// Reusable.
struct InterferenceResult {
  /// `contact`: some pair shares a point. `free`: certified for the current positions only, not for any other time.
  /// `undecided`: a limit ended the query; no pair is listed.
  Status status = Status::undecided;
  std::string_view method;
  /// All pairs of triangles that share a point, ordered by bodies, then triangles. In each pair, a's body is before
  /// b's; within one body, a's triangle is before b's.
  std::vector<InterferingPair> pairs;
  Counters counters;
  InterferenceSeconds seconds;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`
};

/// Which faces of any number of bodies interfere now? Two faces interfere if and only if they share a point in real
/// arithmetic. Bodies may have deformed in any way since the last call. The answer is bitwise identical for any number
/// of threads.
GRAZE_API InterferenceResult interference(std::span<const InterferenceBody> bodies,
                                          const InterferenceOptions& options = {});
/// The same, writing into a result that is reused.
GRAZE_API void interference(std::span<const InterferenceBody> bodies, const InterferenceOptions& options,
                            InterferenceResult& result);

}  // namespace graze
