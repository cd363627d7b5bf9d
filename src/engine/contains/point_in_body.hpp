// SPDX-License-Identifier: MIT
#pragma once

#include <graze/ask/contains.hpp>

#include "body/body_data.hpp"
#include "math/relative_placement.hpp"

namespace graze::engine::contains {

/// The location of a point of body B's frame relative to body A, which must be solid; `placement` maps B to A's frame.
///
/// A ray goes up along A's z axis from the point, perturbed by infinitesimals (e, e^2) in x and y, so that it meets no
/// vertex and no edge: a zero sign is decided by the first nonzero coefficient of e. The triangles it meets above the
/// point are counted exactly; an odd number means inside (Zachmann 3.5.1, who discarded the point instead if his ray
/// was singular).
Location point_in_body(const body::BodyData& a, const math::RelativePlacement& placement, const Vec3& point_of_b,
                       Counters& counters);

}  // namespace graze::engine::contains
