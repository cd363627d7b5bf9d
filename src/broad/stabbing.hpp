// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <graze/broad/broad_phase.hpp>

#include "broad/cells.hpp"

namespace graze::broad {

using CellAt = std::array<std::int32_t, 3>;

/// The cells of `range` that a tilted box meets, in order, by stabbing (Zachmann 5.5.1): sticks of cells along the axis
/// on which the range is longest. Their ends are the points where rays through the corners of the columns enter and
/// leave the box. The thesis states that this may miss a cell, and adds the cells of the box's vertices, which still
/// misses some. The complete criterion is: the part of a convex box within a column is extreme at a corner ray, at a
/// vertex of the box, or where an edge of the box crosses a wall of the column. Therefore edges are followed through
/// the columns, too; vertices are their ends. Rounding is covered by widening columns, rays and sticks. Returns false,
/// and lists nothing, where it would not help: the box is (nearly) flat, or in outermost cells, or the list would be
/// empty.
bool stab(const CellMap& map, const CellRange& range, const TiltedBox& box, std::vector<CellAt>& cells);

}  // namespace graze::broad
