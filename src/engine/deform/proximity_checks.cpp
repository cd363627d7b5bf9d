// SPDX-License-Identifier: MIT
#include "engine/deform/proximity_checks.hpp"

#include <cmath>

#include "core/refusal.hpp"
#include "engine/deform/step_checks.hpp"

namespace graze::engine::deform {

std::optional<ErrorDetail> proximity_problem(std::span<const Vec3> positions, std::size_t vertices, double distance,
                                             const ProximityOptions& options) {
  if (!(distance >= 0 && std::isfinite(distance)))
    return core::bad_option("distance", "the distance must be finite, 0 or more");
  if (auto problem = step_positions_problem(positions, vertices)) return problem;
  if (!options.rest.empty()) {
    if (auto problem = step_positions_problem(options.rest, vertices)) return problem;
    if (!(options.mollifier >= 0 && std::isfinite(options.mollifier)))
      return core::bad_option("mollifier", "the factor must be finite, 0 or more");
  }
  return core::bad_threads(options.threads);
}

}  // namespace graze::engine::deform
