// SPDX-License-Identifier: MIT
#pragma once

#include "broad/cells.hpp"
#include "broad/method.hpp"

namespace graze::broad {

/// An octree (Zachmann 5.4). Coordinates are converted to integers in units of the finest level's cells. A body is
/// listed in the largest octants that fill the block of cells which its box touches, and stores these octants (octant
/// lists, 5.4.2). When it moves, it leaves the octants that are no longer in its block and enters only those in the
/// difference of the new block and the old one (5.4.3). A case that the thesis does not specify: if only a part of an
/// octant is still in the block, that part is entered again. Also, the block of a large body is rounded to cells of at
/// least an eighth of its size, so that it does not consist of millions of cells.
class Octree : public Method {
 public:
  static constexpr BroadTraits traits{"octree", "an octree with lists of octants, changed by box difference"};

  explicit Octree(const BroadOptions& options) : bounds_(options.bounds), wanted_depth_(options.depth) {}
  void apply(const Bodies& bodies, std::span<const std::uint32_t> changed) override;
  void pairs(const Bodies& bodies, int threads, std::vector<BoxPair>& out) override;
  void moved_pairs(const Bodies& bodies, std::span<const std::uint32_t> moved, int threads,
                   std::vector<BoxPair>& out) override;
  void overlapping(const Bodies& bodies, const Box3& box, std::vector<std::uint32_t>& out) const override;
  void along_ray(const Bodies& bodies, const Segment& segment, std::vector<std::uint32_t>& out) const override;
  std::size_t bytes() const override;
  std::vector<std::uint64_t> entries_by_depth() const override;

 private:
  static constexpr std::uint32_t none = ~0u;

  struct Octant {
    std::int32_t at[3] = {0, 0, 0};  // its first cell
    std::int32_t level = 0;          // the side is 2^level cells
    std::uint32_t parent = none;
    std::uint32_t children = none;  // the first of eight
    std::uint32_t below = 0;        // entries in the lists of this octant and of all below it
    std::vector<std::uint32_t> bodies;
  };
  struct Place {
    CellRange block{};
    std::int32_t level = 0;  // of the cells that the block consists of
    bool there = false;
    std::vector<std::uint32_t> octants;
  };

  static CellRange range_of(const Octant& octant);
  void choose_universe(const Bodies& bodies);
  void start_anew(const Bodies& bodies);
  void put(const Bodies& bodies, std::uint32_t id);
  void take_out(std::uint32_t id);
  void move(const Bodies& bodies, std::uint32_t id);
  std::uint32_t enter(std::uint32_t octant, const CellRange& part, std::uint32_t id);
  void leave(std::uint32_t octant, std::uint32_t id);
  void split(std::uint32_t octant);
  void find_block(const Box3& box, Place& place) const;
  /// Calls `found(octant, body)` for every entry in octants of this subtree that overlap `range`.
  template <class Found>
  void visit(std::uint32_t octant, const CellRange& range, Found&& found) const;
  void find_pairs(const Bodies& bodies, std::uint32_t octant, std::vector<std::uint32_t>& above,
                  std::vector<BoxPair>& out);
  bool first_common(std::uint32_t octant, const CellRange& a, const CellRange& b) const;

  std::optional<Box3> bounds_;
  int wanted_depth_, depth_ = 1;
  CellMap map_;
  std::vector<Octant> octants_;      // the root first, then blocks of eight octants
  std::vector<std::uint32_t> free_;  // first octants of free blocks
  std::vector<Place> place_;         // by id
  std::size_t size_when_chosen_ = 0;
  Box3 world_;  // contains all boxes
};

}  // namespace graze::broad
