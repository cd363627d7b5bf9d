// SPDX-License-Identifier: MIT
#include <graze/ask/contains.hpp>
#include <graze/ask/ray.hpp>
#include <graze/core/error.hpp>

#include "core/fp_guard.hpp"
#include "engine/curved/point.hpp"
#include "engine/ray/ray.hpp"

namespace graze {

RayResult cast_ray(const Body& body, const Pose& pose, const Vec3& from, const Vec3& to) {
  const core::FpGuard guard;
  if (!is_finite(from) || !is_finite(to))
    throw Error({.code = ErrorCode::not_finite,
                 .message = "an end of the ray is not finite; give three finite numbers",
                 .element = "ray",
                 .id = ErrorDetail::none,
                 .file = {},
                 .line = ErrorDetail::none});
  RayResult result;
  if (body.data().is_curved() || body.data().is_half_space()) {
    result.hit = engine::curved::cast(body.data(), pose, from, to, result.certain);
    return result;
  }
  // A shape is solid: a ray that starts inside one meets it there.
  if (body.shape() && contains(body, pose, from).location == Location::inside) {
    result.hit = RayHit{0, from, {}, {}};
    return result;
  }
  result.hit = engine::ray::cast(body.data(), pose, from, to, result.counters);
  return result;
}

}  // namespace graze
