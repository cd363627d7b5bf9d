// SPDX-License-Identifier: MIT
#pragma once

#include <graze/query/contains.hpp>

#include "math/relative_placement.hpp"
#include "query/body_data.hpp"

namespace graze::query {

/// Where a point of body B's frame lies relative to body A, which must be solid; `placement` sees B from A.
///
/// A ray goes up along A's z axis from the point, moved by infinitesimals (e, e^2) in x and y, so that it meets no
/// vertex and no edge: a sign that is zero is decided by the first coefficient of e that is not. The triangles it meets
/// above the point are counted, exactly; an odd number means inside (Zachmann 3.5.1, who dismissed the point instead
/// where his ray was singular).
Location point_in_body(const BodyData& a, const math::RelativePlacement& placement, const Vec3& point_of_b,
                       Counters& counters);

}  // namespace graze::query
