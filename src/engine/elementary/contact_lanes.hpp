// SPDX-License-Identifier: MIT
#pragma once

#include "engine/elementary/filter.hpp"

namespace graze::engine::elementary {

/// `which` contains the indices of `count` queries that the filter did not prove free. Answers those that are plain
/// contacts (a vertex that lands inside a face, or edges that cross inside both), several per instruction. Result k
/// belongs to query which[k]; `left` receives the k of the others, ascending, and the function returns their number.
/// This is one step of `advancement`: up to just before the four points are coplanar.
std::size_t find_plain_contacts(ElementaryKind kind, std::span<const std::array<Vec3, 8>> queries,
                                const FilterBounds& asked, const std::uint16_t* which, std::size_t count,
                                ElementaryResult* results, std::uint16_t* left);

}  // namespace graze::engine::elementary
