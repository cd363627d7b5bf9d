// SPDX-License-Identifier: MIT
#include <graze/ask/contains.hpp>
#include <graze/ask/ray.hpp>

#include "ask/compound.hpp"
#include "core/fp_guard.hpp"
#include "core/refusal.hpp"
#include "engine/curved/point.hpp"
#include "engine/ray/ray.hpp"

namespace graze {

void cast_ray(const Body& body, const Pose& pose, const Vec3& from, const Vec3& to, RayResult& result) {
  const core::FpGuard guard;
  result = RayResult{};
  if (!is_finite(from) || !is_finite(to))
    return core::refuse(result, core::problem(ErrorCode::not_finite, "ray",
                                              "an end of the ray is not finite; give three finite numbers"));
  if (ask::is_compound(body)) return ask::cast_ray_compound(body, pose, from, to, result);
  // A shape is solid: a ray that starts inside one meets it there.
  if (!body.has_mesh())
    result.hit = engine::curved::cast(body.data(), pose, from, to, result.certain);
  else if (body.shape() && contains(body, pose, from).location == Location::inside)
    result.hit = RayHit{0, from, {}, {}};
  else
    result.hit = engine::ray::cast(body.data(), pose, from, to, result.counters);
  result.status = result.hit ? Status::contact : Status::free;
}

RayResult cast_ray(const Body& body, const Pose& pose, const Vec3& from, const Vec3& to) {
  RayResult result;
  cast_ray(body, pose, from, to, result);
  return result;
}

}  // namespace graze
