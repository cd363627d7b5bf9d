// SPDX-License-Identifier: MIT
#pragma once

#include "broad/cell_table.hpp"
#include "broad/cells.hpp"
#include "broad/method.hpp"

namespace graze::broad {

/// A uniform grid (Zachmann 5.5): every cell that a box covers has it in its list. A moved body changes only the cells
/// in the difference of its old and its new box (5.4.3), and none if both cover the same cells (5.5.2). Without bounds
/// the grid has no end.
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
  enum class Where : std::uint8_t { nowhere, cells, large };
  /// A box that covers more cells than this goes to a list of its own, which is compared with all.
  static constexpr double kMostCells = 512;

  void choose_cells(const Bodies& bodies);
  void start_anew(const Bodies& bodies);
  void put(const Bodies& bodies, std::uint32_t id);
  void take_out(std::uint32_t id);
  void move(const Bodies& bodies, std::uint32_t id);
  void large_pairs(const Bodies& bodies, std::vector<BoxPair>& out);

  std::optional<Box3> bounds_;
  double wanted_side_, side_ = 1;
  CellMap map_;
  CellTable table_;
  std::vector<CellRange> range_;      // by id
  std::vector<Where> where_;          // by id
  std::vector<std::uint32_t> large_;  // ids
  std::size_t size_when_chosen_ = 0, size_ = 0;
  Box3 world_;  // holds all boxes
};

}  // namespace graze::broad
