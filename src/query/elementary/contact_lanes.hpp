// SPDX-License-Identifier: MIT
#pragma once

#include "query/elementary/filter.hpp"

namespace graze::query {

/// `which` has the numbers of `count` queries that the filter left: those that are plain contacts, a vertex that lands
/// inside a face or edges that cross inside both, are answered, several an instruction. Result k is of the query
/// which[k]; `left` gets the k of the others, rising, and the result says how many. One step of `advancement`: up to
/// just before the four points lie in a plane.
std::size_t find_plain_contacts(ElementaryKind kind, std::span<const std::array<Vec3, 8>> queries,
                                const FilterBounds& asked, const std::uint16_t* which, std::size_t count,
                                ElementaryResult* results, std::uint16_t* left);

}  // namespace graze::query
