// SPDX-License-Identifier: MIT
#pragma once

#include "broad/cell_table.hpp"
#include "broad/cells.hpp"
#include "broad/method.hpp"
#include "broad/stabbing.hpp"

namespace graze::broad {

/// A uniform grid (Zachmann 5.5): every cell lists the boxes that cover it. A moved body changes only the cells in the
/// difference of its old and its new box (5.4.3), and none if both cover the same cells (5.5.2). Without bounds the
/// grid is unlimited.
class Grid : public Method {
 public:
  static constexpr BroadTraits traits{"grid", "a uniform grid of cells in a hash table, changed by box difference"};

  explicit Grid(const BroadOptions& options) : bounds_(options.bounds), wanted_side_(options.cell) {}
  void apply(const Bodies& bodies, std::span<const std::uint32_t> changed) override;
  void pairs(const Bodies& bodies, int threads, std::vector<BoxPair>& out) override;
  void overlapping(const Bodies& bodies, const Box3& box, std::vector<std::uint32_t>& out) const override;
  void along_ray(const Bodies& bodies, const Segment& segment, std::vector<std::uint32_t>& out) const override;
  std::size_t bytes() const override;

 private:
  enum class Where : std::uint8_t { nowhere, cells, tilted, large };
  /// A box that covers more cells than this is stored in a separate list, which is compared with all bodies.
  static constexpr double kMostCells = 512;

  void choose_cells(const Bodies& bodies);
  void start_anew(const Bodies& bodies);
  void put(const Bodies& bodies, std::uint32_t id);
  void take_out(std::uint32_t id);
  void move(const Bodies& bodies, std::uint32_t id);
  void change_block(std::uint32_t id, const CellRange& next);
  void change_cells(std::uint32_t id, std::vector<CellAt>& next);
  void large_pairs(const Bodies& bodies, std::vector<BoxPair>& out);
  void enter(const CellAt& at, std::uint32_t id);
  void leave(const CellAt& at, std::uint32_t id);
  bool find_place(const Bodies& bodies, std::uint32_t id, CellRange& range, std::vector<CellAt>& cells) const;
  /// Is this the first cell that a body shares with another body, or with a block? A pair is reported only from this
  /// cell.
  bool first_common(std::uint32_t a, std::uint32_t b, const std::int32_t (&at)[3]) const;
  bool first_common(std::uint32_t a, const CellRange& range, const std::int32_t (&at)[3]) const;

  std::optional<Box3> bounds_;
  double wanted_side_, side_ = 1;
  CellMap map_;
  CellTable table_;
  std::vector<CellRange> range_;             // by id
  std::vector<Where> where_;                 // by id
  std::vector<std::uint32_t> large_;         // ids
  std::vector<std::vector<CellAt>> tilted_;  // by id, sorted: the cells of tilted boxes; grows on demand
  std::size_t size_when_chosen_ = 0, size_ = 0;
  Box3 world_;  // contains all boxes
};

}  // namespace graze::broad
