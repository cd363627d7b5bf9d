// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <graze/query/elementary.hpp>

namespace graze::query {

/// What is asked of all queries of a batch.
struct FilterBounds {
  double min_separation = 0;
  double tolerance = 0;  ///< 0: `relative` of each query's size
  double relative = 0;
};

/// Stages can be tried in any order, the answer is the same: what one of them frees is free. Features that are known to
/// overlap along the axes are better tried along them last.
enum class BatchOrder : std::uint8_t { axes_first, axes_last };

/// How many queries are looked at together: few enough that their points stay in the nearest cache through all stages.
constexpr std::size_t batch_size = 128;

/// What the filter did not free, by number, rising.
struct FilterLeft {
  std::size_t count = 0;
  std::array<std::uint16_t, batch_size> numbers;
  /// Of these the four points are in one plane all the time: not by less than rounding, but exactly as computed.
  std::size_t flat_count = 0;
  std::array<std::uint16_t, batch_size> flat;
};

/// Which of at most `batch_size` queries are *not* proved free at once, several queries an instruction. Free is what is
/// apart along an axis, the normal at half time or the line of the middles at both ends of the step, beyond rounding
/// and the minimum separation, hence throughout, as points move linearly; or whose four points never come to lie in a
/// plane (not with a minimum separation). No fused multiply-add: the same bits on every processor.
void filter_elementary(ElementaryKind kind, std::span<const std::array<Vec3, 8>> queries, const FilterBounds& bounds,
                       BatchOrder order, FilterLeft& left);

}  // namespace graze::query
