// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <optional>

#include "classic/contact/surface_data.hpp"

namespace graze::classic::contact {

/// A contact that a search found.
struct SurfaceTouch {
  static constexpr double never = std::numeric_limits<double>::infinity();

  double time = never, gap = 0;
  SurfacePoint on_a;                 ///< in A's frame
  std::optional<SurfacePoint> on_b;  ///< of a surface, in B's frame
  std::uint32_t triangle = 0;        ///< of a mesh
  Vec3 point_b;                      ///< in B's frame, in the query's units
  Vec3 across;                       ///< from the point of A to that of B, in B's frame, scaled
  double doubt = 0;                  ///< an error bound of `across`
};

}  // namespace graze::classic::contact
