// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <span>

#include <graze/query/elementary.hpp>

namespace graze::query {

/// Which queries are proved free at once, several queries an instruction: along the normal at half time, the line of
/// the features' middles then, or an axis, all points of the difference are further out than the tolerance (and minimum
/// separation and rounding) at both ends of the step, hence throughout, as they move linearly; or the four points never
/// come to lie in a plane (not with a minimum separation). `tolerance`: if not given, `relative` of the query's size.
/// No fused multiply-add: the same bits on every processor.
void filter_elementary(ElementaryKind kind, std::span<const std::array<Vec3, 8>> queries,
                       std::optional<double> tolerance, double relative, double min_separation, std::span<bool> free);

}  // namespace graze::query
