// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <graze/ask/surface.hpp>
#include <graze/core/method_counters.hpp>

#include "contact_options.hpp"
#include "output/json.hpp"

namespace graze::app {

/// Does the text stand for a surface: `torus:R,r` or `bezier:FILE`? A file of that name comes first.
bool is_surface_text(const std::string& text);

/// `bezier:FILE`: {"patches": [{"degree": [3, 3], "points": [[x, y, z], ...]}, ...]}, the points of a patch in the
/// order of `bezier_patch`. Throws `Error`.
SurfaceBody load_surface(const std::string& text);

/// The first contact of two bodies of which at least one is a surface, whichever comes first: a mesh may be A.
struct SurfaceAnswer {
  SurfaceContactResult result;  ///< points, normal and places are those of A and B as they were given
  bool mesh_is_a = false;       ///< `triangle` is of A, and `where` and `patch` are of B
  MethodCounters of_method;
};

/// Refuses options of `first-contact` that surfaces do not have.
void check_for_surfaces(const ContactOptions& options, bool certificate);
SurfaceAnswer ask_surfaces(const std::string& a, const Motion& motion_a, const std::string& b, const Motion& motion_b,
                           const ContactOptions& options);
Json to_json(const SurfaceAnswer& answer);
void print(const SurfaceAnswer& answer);

}  // namespace graze::app
