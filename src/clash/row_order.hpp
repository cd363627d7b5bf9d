// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <graze/broad/broad_phase.hpp>
#include <graze/clash/clash.hpp>
#include <graze/math/box3.hpp>

namespace graze::clash {

/// The rows of a check (`Checker`), and which earlier parts are near the part of a row.
class RowOrder {
 public:
  /// Throws `Error` as `Checker` does. `clearance`: the largest of any pair.
  RowOrder(const Assembly& assembly, double clearance);

  std::uint64_t size() const { return part_of_.size(); }
  std::uint32_t part_of(std::uint64_t row) const { return part_of_[row]; }
  /// The box of a part in the world; contains it in real arithmetic.
  const Box3& box(std::uint32_t part) const { return boxes_[part]; }
  /// The parts of earlier rows whose boxes are at most the clearance away from that of this row's part. Quickest for
  /// rows one after the other.
  void earlier_near(std::uint64_t row, std::vector<std::uint32_t>& parts);
  /// No row from this one on needs the geometry.
  std::uint64_t end_of(std::uint32_t geometry) const { return end_of_[geometry]; }

 private:
  double clearance_;
  std::vector<Box3> boxes_;
  std::vector<std::uint32_t> part_of_;
  std::vector<std::uint64_t> end_of_;
  BroadPhase broad_;  ///< of the rows before `inserted_`, which are its ids
  std::uint64_t inserted_ = 0;
};

}  // namespace graze::clash
