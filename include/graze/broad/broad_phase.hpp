// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <graze/core/export.hpp>
#include <graze/math/box3.hpp>
#include <graze/math/vec3.hpp>

namespace graze {

/// The name of a broad phase and a one-sentence description.
struct BroadTraits {
  std::string_view name, summary;
};

/// All broad phases, `automatic` first.
GRAZE_API std::span<const BroadTraits> broad_phases();

/// Two bodies whose boxes overlap; a < b.
struct BoxPair {
  std::uint32_t a = 0, b = 0;
  friend bool operator==(const BoxPair&, const BoxPair&) = default;
  friend std::strong_ordering operator<=>(const BoxPair&, const BoxPair&) = default;
};

/// All counters of the broad phases, each with its meaning.
#define GRAZE_BROAD_COUNTERS(X)                                                                 \
  X(box_tests, "box against box tests")                                                         \
  X(pairs_reported, "pairs reported")                                                           \
  X(cells_entered, "cells of a grid or octree that took up a body")                             \
  X(cells_left, "cells of a grid or octree that let a body go")                                 \
  X(cells_kept, "cells that a moved body stayed in and that were not touched (Zachmann 5.4.3)") \
  X(cells_stabbed, "cells of a body's box that its oriented box misses (Zachmann 5.5.1)")       \
  X(updates_skipped, "moved bodies whose place in the structure did not change")                \
  X(end_swaps, "ends of boxes that changed places on an axis (sweep)")                          \
  X(leaves_moved, "leaves that left their widened box and were inserted again (tree)")          \
  X(nodes_visited, "nodes or strips visited in searches for pairs")                             \
  X(method_changes, "changes of method by `automatic`")

/// The work of a broad phase since its construction. `const` queries are not counted.
struct BroadCounters {
#define GRAZE_X(name, meaning) std::uint64_t name = 0;
  GRAZE_BROAD_COUNTERS(GRAZE_X)
#undef GRAZE_X

  BroadCounters& operator+=(const BroadCounters& other) {
#define GRAZE_X(name, meaning) name += other.name;
    GRAZE_BROAD_COUNTERS(GRAZE_X)
#undef GRAZE_X
    return *this;
  }
};

/// Calls `visit(name, meaning, value)` for every counter, in the order of the list above.
template <class Visit>
void for_each_counter(const BroadCounters& counters, Visit&& visit) {
#define GRAZE_X(name, meaning) visit(#name, meaning, counters.name);
  GRAZE_BROAD_COUNTERS(GRAZE_X)
#undef GRAZE_X
}

/// A box in any orientation: corner + r edges[0] + s edges[1] + t edges[2], with r, s and t between 0 and 1.
struct TiltedBox {
  Vec3 corner;
  std::array<Vec3, 3> edges;
};

struct BroadOptions {
  std::string_view method = "automatic";  ///< a name from `broad_phases()`
  /// The region in which bodies are expected; none: taken from the bodies. Never changes an answer: bodies outside are
  /// found as well.
  std::optional<Box3> bounds = {};
  /// `tree`: by how much boxes are enlarged on each side, as a fraction of their longest side; 0 to 10.
  double margin = 0.2;
  /// `grid`: the side of a cell; 0: chosen from the boxes.
  double cell = 0;
  /// `octree`: the maximum depth, that is, how often the universe is halved; 1 to 20, 0: chosen from the boxes.
  int depth = 0;
};

/// A cube that contains a body in any orientation: it contains all points within `radius` of `middle`, rounded outward.
/// A body that only rotates keeps its box. Throws `Error` if a number, or a side of the cube, is not finite, or if the
/// radius is negative.
GRAZE_API Box3 cube_around(const Vec3& middle, double radius);

/// Finds the pairs of bodies whose axis-aligned boxes overlap, including boxes that only touch, decided exactly for the
/// given boxes. Ids are small integers (below 2^24); memory grows with the largest id. Every method gives the same
/// answers, for any number of threads, as long as no body has a tilted box (see `tilt`, a hint that only `grid` uses).
/// `const` calls may run concurrently; all other calls must be made one at a time.
class GRAZE_API BroadPhase {
 public:
  /// Throws `Error` if the method is unknown or an option is out of its range.
  explicit BroadPhase(const BroadOptions& options = {});
  ~BroadPhase();
  BroadPhase(BroadPhase&&) noexcept;
  BroadPhase& operator=(BroadPhase&&) noexcept;

  /// Throws `Error` if the id is in use or too large, or if the box is empty or has a coordinate that is not finite.
  void insert(std::uint32_t id, const Box3& box);
  /// Marks the body as moved, even if its box is the same. Throws `Error` if there is no such body or the box is
  /// invalid.
  void update(std::uint32_t id, const Box3& box);
  /// Declares that the body is also contained in this oriented box, until its next `update`. The method `grid` then
  /// inserts it only into cells that this box meets (Zachmann 5.5.1), and omits pairs and answers that share no such
  /// cell; no pair of bodies whose tilted boxes overlap is omitted. Other methods ignore it (`automatic`: unless it has
  /// chosen `grid`). Marks the body as moved. Throws `Error` if there is no such body, or a number is not finite.
  void tilt(std::uint32_t id, const TiltedBox& box);
  /// Throws `Error` if there is no such body.
  void remove(std::uint32_t id);
  bool contains(std::uint32_t id) const noexcept;
  /// The box of an existing body.
  const Box3& box(std::uint32_t id) const;
  std::size_t size() const noexcept;

  /// All pairs, ordered by (a, b).
  void pairs(std::vector<BoxPair>& out, int threads = 1);
  /// The pairs of which one body was inserted or updated since the last call of this or of `pairs`, ordered by (a, b).
  void moved_pairs(std::vector<BoxPair>& out, int threads = 1);

  /// The bodies whose boxes overlap this one, lowest id first. Throws `Error` for an invalid box.
  void overlapping(const Box3& box, std::vector<std::uint32_t>& out) const;
  /// The bodies whose boxes meet { origin + s direction : 0 <= s <= length }, lowest id first. The result is
  /// conservative: no such body is omitted, but a box that the ray misses by a few units in the last place may be
  /// included. `length` may be infinite. Throws `Error` if a number is not finite, the direction is zero, or the length
  /// is below zero.
  void along_ray(const Vec3& origin, const Vec3& direction, double length, std::vector<std::uint32_t>& out) const;

  /// Calls `visit(id, bound)` for the bodies around a point, each at most once, in ascending order of the bound, until
  /// it returns false or there are no more. The bound is not above the distance of the point from the body's box (or
  /// from its tilted box), and not below the bound of any body before. So a search for the nearest bodies may end as
  /// soon as a bound exceeds what it has found. Returns how many boxes it compared with the point. Throws `Error` if
  /// the point is not finite.
  std::uint64_t around_point(const Vec3& point, const std::function<bool(std::uint32_t id, double bound)>& visit) const;

  /// The method in use: with `automatic`, the one currently chosen.
  std::string_view method() const noexcept;
  BroadCounters counters() const;
  /// Memory held, excluding the object itself.
  std::size_t bytes() const;
  /// With `octree`: the number of list entries of all octants at each depth, starting at the root (Zachmann 5.4.4).
  /// Empty for other methods.
  std::vector<std::uint64_t> entries_by_depth() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace graze
