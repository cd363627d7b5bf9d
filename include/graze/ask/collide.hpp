// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <graze/body/body.hpp>
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

namespace graze {

namespace classic::zachmann {
struct Options;
}

/// Which questions a method can answer, and which of its answers are certified.
struct MethodTraits {
  std::string_view name;        ///< the name used with `--method`
  std::string_view summary;     ///< a one-line description
  bool free_certain = true;     ///< an answer `free` is certified
  bool contact_certain = true;  ///< an answer `contact` is certified
  bool witness = true;          ///< a contact comes with triangles and features
  bool all_pairs = true;        ///< can list all intersecting triangle pairs
  bool solid_only = false;      ///< answers the solid question only
  bool surface = true;          ///< answers the surface question (solid = false)
};

/// All methods of `collide`, in the order of the type list. The default of `CollideOptions` is `tree`.
GRAZE_API std::span<const MethodTraits> collide_methods();

/// Coherence data that a caller keeps between queries of one pair of bodies. Passing none is always correct, only
/// slower.
class GRAZE_API CollideCoherence {
 public:
  CollideCoherence();
  ~CollideCoherence();
  CollideCoherence(CollideCoherence&&) noexcept;
  CollideCoherence& operator=(CollideCoherence&&) noexcept;
  struct State;
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

struct CollideOptions {
  std::string_view method = "tree";  ///< a name from `collide_methods()`
  bool all = false;                  ///< list all intersecting triangle pairs, not only the first
  bool all_features = false;         ///< with `all`: list the features of all pairs, not only of the first
  bool solid = false;  ///< a closed body inside another also counts as contact; `invalid_request` if one is not closed
  int threads = 1;
  // Limits: see `CancelToken`. A step is a test of two boxes or of two triangles.
  std::uint64_t work = 0;
  std::optional<std::chrono::nanoseconds> budget = {};
  CancelToken cancel = {};
  CollideCoherence* coherence = nullptr;
  /// If set: filled with the method's own counters.
  MethodCounters* method_counters = nullptr;
  /// For `brute` and the methods of Zachmann's thesis: `graze/classic/zachmann.hpp`.
  MethodOptions<classic::zachmann::Options> zachmann = {};
};

/// One body is entirely inside the other and their surfaces do not meet. Reported only with `solid`.
enum class Containment { none, a_in_b, b_in_a };

/// Two pieces in contact, and how many entries of `pairs` and `features` are theirs.
struct PieceContact {
  PieceId a{}, b{};  ///< 0 of a body that is no compound
  std::size_t pairs = 0, features = 0;
};

/// Reusable: once its buffers are large enough, a query into it allocates no memory.
struct CollideResult {
  Status status = Status::undecided;
  std::string_view method;  ///< the method that answered
  /// For the whole surfaces: `crossing` if any pair crosses. None without contact or witness.
  std::optional<ContactKind> kind;
  /// False only with a curved shape: gap and depth are both below the rounding bound of `shape/shape.hpp`, so the
  /// answer is `contact` of kind `touching`, but they may be apart by less than that bound.
  bool certain = true;
  Containment contained = Containment::none;
  std::vector<TrianglePair> pairs;  ///< the first witness pair found, or with `all` all pairs, sorted
  /// Features in contact in the first pair's polygons, or in all pairs if `all_features`; sorted.
  std::vector<Feature> features;
  std::optional<std::array<Vec3, 2>> points;  ///< the witness: a point on A and one on B, in world coordinates, rounded
  std::optional<Vec3> normal;                 ///< unit, from A to B; none where surfaces cross or it is undefined
  /// Only for `separating_plane`, when undecided: the vertices of A and of B that reach furthest through its last
  /// plane.
  std::optional<std::array<VertexId, 2>> deepest;
  Counters counters;
  double seconds = 0;                ///< 0 for two shapes: reading the clock would take much of the time
  std::optional<ErrorDetail> error;  ///< with `invalid_request`
  /// In contact, if one of the bodies is a compound: the pieces of the witness, 0 of a body that is none. Ids in pairs
  /// and features are those of the pieces. The witness is of the first pieces that cross, or else of the first of which
  /// one contains the other, or else of the first that touch.
  std::optional<std::array<PieceId, 2>> pieces;
  /// With `all`, if one of the bodies is a compound: all pieces in contact, sorted. `pairs` and `features` then hold
  /// those of the first, of the second and so on, each sorted.
  std::vector<PieceContact> piece_contacts;
};

/// Do the surfaces of two placed bodies share a point? The answer is exact: `contact` if and only if they do in real
/// arithmetic.
///
/// The witness is the first crossing pair in the method's fixed order, or the first touching pair if none crosses; it
/// is the same for any number of threads and any instruction set. `undecided`: a limit ended the query, or a one-sided
/// method reached its uncertain side; the result then holds no partial answer.
GRAZE_API CollideResult collide(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                                const CollideOptions& options = {});
/// The same, writing into a result that is reused.
GRAZE_API void collide(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                       const CollideOptions& options, CollideResult& result);

/// How two triangles of one mesh are adjacent.
enum class Neighbourhood { apart, shared_vertex, shared_edge, same_face };

struct SelfCollideOptions {
  std::string_view method = "tree";  ///< "tree" or "brute"
  bool all = false;
  int threads = 1;
  // Limits: see `CancelToken`. A step is a test of two boxes or of two triangles.
  std::uint64_t work = 0;
  std::optional<std::chrono::nanoseconds> budget = {};
  CancelToken cancel = {};
};
struct SelfPair {
  TriangleId a{}, b{};
  Neighbourhood neighbourhood = Neighbourhood::apart;
  friend std::strong_ordering operator<=>(const SelfPair&, const SelfPair&) = default;
};
struct SelfCollideResult {
  Status status = Status::undecided;
  std::optional<ContactKind> kind;
  std::vector<SelfPair> pairs;           ///< the first pair found, or with `all` all pairs, sorted; a < b
  std::array<std::uint64_t, 4> count{};  ///< number of pairs by neighbourhood; only with `all`
  /// The features that meet in the first pair, except the vertices that its triangles share (unless they share all);
  /// sorted.
  std::vector<Feature> features;
  std::optional<Vec3> point;  ///< a point that the first pair's triangles have in common, rounded
  Counters counters;
  double seconds = 0;
  std::optional<ErrorDetail> error;
};

/// Does a mesh intersect itself? Neighbours (triangles that share vertices, by index) count only if they meet outside
/// the shared vertex or edge. Triangles with the same three vertices are a separate class and always count.
GRAZE_API SelfCollideResult self_collide(const Body& body, const SelfCollideOptions& options = {});
/// The same, writing into a result that is reused.
GRAZE_API void self_collide(const Body& body, const SelfCollideOptions& options, SelfCollideResult& result);

}  // namespace graze
