// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <graze/ask/elementary.hpp>

namespace graze::engine::elementary {

/// Parameters common to all queries of a batch.
struct FilterBounds {
  double min_separation = 0;
  double tolerance = 0;  ///< 0: `relative` of each query's size
  double relative = 0;
};

/// Stages can run in any order with the same answer: a query that one of them proves free is free. For features that
/// are known to overlap along the axes, the axes are better tried last.
enum class BatchOrder : std::uint8_t { axes_first, axes_last };

/// The number of queries processed together: few enough that their points stay in the L1 cache through all stages.
constexpr std::size_t batch_size = 128;

/// The indices of the queries that the filter did not prove free, ascending.
struct FilterLeft {
  std::size_t count = 0;
  std::array<std::uint16_t, batch_size> numbers;
  /// Queries whose four points are coplanar at all times: exactly as computed, not just within rounding.
  std::size_t flat_count = 0;
  std::array<std::uint16_t, batch_size> flat;
};

/// Finds which of at most `batch_size` queries are *not* proved free at once, several queries per instruction. A query
/// is free if the features are apart along an axis, the normal at half time or the line of the centres at both ends of
/// the step, by more than rounding and the minimum separation, hence throughout, as points move linearly; or if its
/// four points are never coplanar (not with a minimum separation). No fused multiply-add: the same bits on every
/// processor.
void filter_elementary(ElementaryKind kind, std::span<const std::array<Vec3, 8>> queries, const FilterBounds& bounds,
                       BatchOrder order, FilterLeft& left);

}  // namespace graze::engine::elementary
