// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <graze/core/counters.hpp>
#include <graze/core/error.hpp>
#include <graze/core/export.hpp>
#include <graze/core/ids.hpp>
#include <graze/core/status.hpp>
#include <graze/math/pose.hpp>
#include <graze/math/vec3.hpp>
#include <graze/mesh/mesh.hpp>
#include <graze/query/contact.hpp>

namespace graze {

/// A body as it is now: a mesh's faces, with the mesh's own positions or others.
struct InterferenceBody {
  Mesh mesh;  ///< the faces; cheap to copy
  /// Where the vertices are now, one for each vertex of the mesh; none: the mesh's own. Read, not copied.
  std::span<const Vec3> positions = {};
  /// Places the positions in the world, exactly as for `collide`; none: they are in the world already.
  std::optional<Pose> pose = {};
};

struct InterferenceTraits {
  std::string_view name;     ///< as in `--method`
  std::string_view summary;  ///< one line for people
};
/// All methods of `interference`, in the order of the type list; the first is the default. All are certain.
GRAZE_API std::span<const InterferenceTraits> interference_methods();

/// Kitamura's ideas, each by itself; none changes an answer (docs/methods/kitamura.md).
struct KitamuraOptions {
  /// How bodies are compared with each other: every pair of boxes (3.3), a tree over the boxes (2.2.4, better than
  /// quadratic), or not at all, so that all faces go into the octree (2.2.4).
  enum class BodyStage { all_pairs, tree, skipped };
  BodyStage bodies = BodyStage::tree;
  /// What the octree's root is: the world, a cube around all bodies, with all check-lists together (3.5); or each
  /// overlap region for itself, with the faces of its two bodies only. A skipped body stage has no regions: the world.
  enum class Root { world, region };
  Root root = Root::region;
  /// Faces are tested against boxes by clipping, exactly (3.7), and not by the quicker directions that separate them.
  bool clip = false;
  bool bintree = false;  ///< halve cells across their longest side (7), instead of cutting them into eight
  /// Cells are cut so often, 0 to 12 times (a bintree's: three times as often); none: until cutting does not pay. Where
  /// faces lie on each other, each level means four times as many cells.
  std::optional<int> level = {};
};

/// How the octrees of `octree_update` are made (Kitamura 5.2), and the one in the world.
struct OctreeUpdateOptions {
  /// Depth of the bodies' own octrees, 0 to 8; none: until few faces are left in a node.
  std::optional<int> body_level = {};
  std::optional<int> level = {};  ///< of the world's, as for Kitamura
};

/// What a caller remembers from call to call for one list of bodies: the trees of `tree`, the octrees of
/// `octree_update`. A body is known again by its place in the list and its mesh. Passing none is always right, only
/// slower. Not shared between threads.
class GRAZE_API InterferenceCoherence {
 public:
  InterferenceCoherence();
  ~InterferenceCoherence();
  InterferenceCoherence(InterferenceCoherence&&) noexcept;
  InterferenceCoherence& operator=(InterferenceCoherence&&) noexcept;
  struct State;
  State& state() { return *state_; }
  /// Bytes held for bodies, without their meshes.
  std::size_t bytes() const;

 private:
  std::unique_ptr<State> state_;
};

struct InterferenceOptions {
  std::string_view method = "kitamura";
  /// Also pairs of faces of one body, as `self_collide` counts them: neighbours only where they meet outside the vertex
  /// or edge that they share.
  bool self = false;
  int threads = 1;
  InterferenceCoherence* coherence = nullptr;
  KitamuraOptions kitamura = {};
  OctreeUpdateOptions octree_update = {};
};

/// A triangle of a body, by the body's place in the list, and the polygon that it is part of.
struct InterferingFace {
  std::uint32_t body = 0;
  TriangleId triangle{};
  PolygonId polygon{};
  friend auto operator<=>(const InterferingFace&, const InterferingFace&) = default;
};

struct InterferingPair {
  InterferingFace a, b;
  ContactKind kind = ContactKind::touching;
  friend bool operator==(const InterferingPair&, const InterferingPair&) = default;
};

/// Where the time went, in seconds: placing the bodies, structures kept from call to call, overlap regions,
/// check-lists, the octree (or tree), face pairs.
struct InterferenceSeconds {
  double placing = 0, structures = 0, bodies = 0, check_lists = 0, cells = 0, faces = 0, total = 0;
};

/// Reusable.
struct InterferenceResult {
  /// `contact`: some pair shares a point. `free`: certified, now; nothing is said about any other instant.
  Status status = Status::undecided;
  std::string_view method;
  /// Every pair of triangles that share a point, ordered by bodies, then triangles; a's body before b's, or in one body
  /// a's triangle before b's.
  std::vector<InterferingPair> pairs;
  Counters counters;
  InterferenceSeconds seconds;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`
};

/// Which faces of any number of bodies interfere now? Yes if and only if they share a point, in real numbers. Bodies
/// may have deformed in any way since the last call. The same bits for any number of threads.
GRAZE_API InterferenceResult interference(std::span<const InterferenceBody> bodies,
                                          const InterferenceOptions& options = {});
/// The same, into a result that is used again.
GRAZE_API void interference(std::span<const InterferenceBody> bodies, const InterferenceOptions& options,
                            InterferenceResult& result);

}  // namespace graze
