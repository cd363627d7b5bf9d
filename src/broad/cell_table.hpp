// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace graze::broad {

/// The cells of a grid that contain bodies, found by their coordinates: a hash table, so that no bounds have to be
/// declared and empty space costs nothing.
class CellTable {
 public:
  /// Coordinates are between -2^20 and 2^20 - 1.
  static constexpr std::int32_t kLeast = -(1 << 20), kMost = (1 << 20) - 1;

  struct Cell {
    std::int32_t at[3];
    std::vector<std::uint32_t> bodies;
  };

  const std::vector<Cell>& cells() const { return cells_; }
  const Cell* find(std::int32_t x, std::int32_t y, std::int32_t z) const;
  void add(std::int32_t x, std::int32_t y, std::int32_t z, std::uint32_t body);
  void remove(std::int32_t x, std::int32_t y, std::int32_t z, std::uint32_t body);
  /// Removes empty cells if there are many, so that moving bodies do not make the memory grow.
  void tidy();
  void clear();
  std::size_t bytes() const;

 private:
  /// The index in slots_ where the cell is, or would be inserted.
  std::size_t slot(std::int32_t x, std::int32_t y, std::int32_t z) const;
  void rehash(std::size_t slots);

  std::vector<Cell> cells_;
  std::vector<std::uint32_t> slots_ =
      std::vector<std::uint32_t>(64, 0);  // 0: free; else one more than the cell's index
  std::size_t empty_ = 0;                 // cells without bodies
};

}  // namespace graze::broad
