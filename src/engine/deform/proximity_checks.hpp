// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include <graze/ask/proximity.hpp>

namespace graze::engine::deform {

/// What is wrong with the question which features are near, if anything.
std::optional<ErrorDetail> proximity_problem(std::span<const Vec3> positions, std::size_t vertices, double distance,
                                             const ProximityOptions& options);

}  // namespace graze::engine::deform
