// SPDX-License-Identifier: MIT
#include "broad/cell_table.hpp"

#include <algorithm>

namespace graze::broad {

std::size_t CellTable::slot(std::int32_t x, std::int32_t y, std::int32_t z) const {
  const auto bits = [](std::int32_t c) { return static_cast<std::uint64_t>(c - kLeast); };
  std::uint64_t hash = bits(x) | (bits(y) << 21) | (bits(z) << 42);
  hash ^= hash >> 31;
  hash *= 0x9e3779b97f4a7c15u;
  hash ^= hash >> 29;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    if (slots_[at] == 0) return at;
    const Cell& cell = cells_[slots_[at] - 1];
    if (cell.at[0] == x && cell.at[1] == y && cell.at[2] == z) return at;
  }
}

const CellTable::Cell* CellTable::find(std::int32_t x, std::int32_t y, std::int32_t z) const {
  const std::uint32_t found = slots_[slot(x, y, z)];
  return found == 0 ? nullptr : &cells_[found - 1];
}

void CellTable::add(std::int32_t x, std::int32_t y, std::int32_t z, std::uint32_t body) {
  std::size_t at = slot(x, y, z);
  if (slots_[at] == 0) {
    if (2 * (cells_.size() + 1) > slots_.size()) {
      rehash(2 * slots_.size());
      at = slot(x, y, z);
    }
    cells_.push_back({{x, y, z}, {}});
    slots_[at] = static_cast<std::uint32_t>(cells_.size());
    ++empty_;
  }
  Cell& cell = cells_[slots_[at] - 1];
  if (cell.bodies.empty()) --empty_;
  cell.bodies.push_back(body);
}

void CellTable::remove(std::int32_t x, std::int32_t y, std::int32_t z, std::uint32_t body) {
  Cell& cell = cells_[slots_[slot(x, y, z)] - 1];
  // Searching a short list is faster than maintaining positions in it (Zachmann 5.5.2).
  *std::find(cell.bodies.begin(), cell.bodies.end(), body) = cell.bodies.back();
  cell.bodies.pop_back();
  if (cell.bodies.empty()) ++empty_;
}

void CellTable::tidy() {
  if (empty_ <= 64 || empty_ <= cells_.size() * 3 / 4) return;
  std::erase_if(cells_, [](const Cell& cell) { return cell.bodies.empty(); });
  cells_.shrink_to_fit();
  empty_ = 0;
  std::size_t slots = 64;
  while (slots < 2 * (cells_.size() + 1)) slots *= 2;
  rehash(slots);
}

void CellTable::rehash(std::size_t slots) {
  slots_.assign(slots, 0);
  slots_.shrink_to_fit();
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const auto& at = cells_[i].at;
    slots_[slot(at[0], at[1], at[2])] = static_cast<std::uint32_t>(i + 1);
  }
}

void CellTable::clear() { *this = {}; }

std::size_t CellTable::bytes() const {
  std::size_t sum = cells_.capacity() * sizeof(Cell) + slots_.capacity() * sizeof(std::uint32_t);
  for (const Cell& cell : cells_) sum += cell.bodies.capacity() * sizeof(std::uint32_t);
  return sum;
}

}  // namespace graze::broad
