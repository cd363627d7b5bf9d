// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <graze/core/method_counters.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze::classic::fast {

/// A tree of convex hulls (FAST 3.3): over the convex pieces of the surface as in the paper, and below each piece down
/// to single triangles, so that a search ends at triangles and not at the hulls of pieces, which contain more than the
/// surface.
///
/// The corners of a hull are vertices of the mesh, chosen with exact signs: each node's hull contains every vertex of
/// its triangles exactly, and nothing needs to be inflated.
class HullTree {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  struct Node {
    std::uint32_t first;   ///< its left child (the right one is first + 1); leaf: its triangle
    std::uint32_t corner;  ///< its hull's corners are [corner, corner + count) of `corners()` and `vertices()`
    std::uint32_t count;
    std::uint32_t lowest;        ///< lowest id of the triangles below
    std::uint32_t climb = none;  ///< index of its climbing data; `none`: it has few corners, or is flat
    Vec3 centre;                 ///< of a ball that contains all its corners ...
    double radius = 0;           ///< ... and the ball's radius, rounded up
    bool leaf = false;
    bool whole = false;  ///< a convex piece or part of one
  };

  explicit HullTree(const Mesh& mesh);

  /// Parents before children; node 0 is the root.
  std::span<const Node> nodes() const { return nodes_; }
  const Node& operator[](std::uint32_t i) const { return nodes_[i]; }
  /// The node of each convex piece.
  std::span<const std::uint32_t> pieces() const { return pieces_; }
  /// Local coordinates of a node's corners, and their ids in the mesh.
  std::span<const Vec3> corners(const Node& n) const { return {corners_.data() + n.corner, n.count}; }
  std::span<const std::uint32_t> vertices(const Node& n) const { return {vertices_.data() + n.corner, n.count}; }
  /// A corner (a position in `corners(n)`) furthest along d, up to rounding: d . (x - corner) <= |d| slack for every
  /// point x of the hull.
  struct Support {
    std::uint32_t corner;
    double slack;
  };
  /// Scans if there are few corners, otherwise climbs from neighbour to neighbour (FAST 4.2), from the direction table
  /// or from `hint`, whichever is higher; any hint is valid.
  Support support(const Node& n, const Vec3& d, std::uint32_t hint, bool table, AllCounters& counters) const;

  std::size_t bytes() const;

 private:
  /// Hulls with more corners than this are climbed.
  static constexpr std::uint32_t scan_limit = 32;
  static constexpr std::uint32_t table_side = 8;

  struct Climb {
    std::uint32_t link;   ///< corner k's neighbours: [links_[link + k], links_[link + k + 1]) of `neighbours_`
    std::uint32_t slack;  ///< into `slacks_`, one per corner
    std::uint32_t table;  ///< into `tables_`
  };
  friend class HullTreeBuilder;

  std::uint32_t scan(const Node& n, const Vec3& d) const;
  std::uint32_t climb(const Node& n, const Vec3& d, std::uint32_t start, AllCounters& counters) const;
  double climbing_slack(const Node& n, std::uint32_t corner) const;
  std::span<const std::uint32_t> around(const Node& n, std::uint32_t corner) const {
    const std::uint32_t* link = links_.data() + climbs_[n.climb].link + corner;
    return {neighbours_.data() + link[0], neighbours_.data() + link[1]};
  }
  static std::size_t cell(const Vec3& d);

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> pieces_;
  std::vector<Vec3> corners_;
  std::vector<std::uint32_t> vertices_;
  std::vector<Climb> climbs_;
  std::vector<std::uint32_t> links_, neighbours_, tables_;
  std::vector<double> slacks_;
};

}  // namespace graze::classic::fast
