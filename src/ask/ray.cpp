// SPDX-License-Identifier: MIT
#include <graze/ask/contains.hpp>
#include <graze/ask/ray.hpp>

#include "ask/compound/compound.hpp"
#include "ask/surfaces/surfaces.hpp"
#include "core/fp_guard.hpp"
#include "core/refusal.hpp"
#include "engine/curved/point.hpp"
#include "engine/ray/ray.hpp"

namespace graze {

const char* name(RayHits hits) {
  switch (hits) {
    case RayHits::first: return "first";
    case RayHits::any: return "any";
    default: return "all";
  }
}

namespace {

/// Keeps the buffer of the list.
void clear_ray(RayResult& result) {
  std::vector<RayHit> all = std::move(result.all);
  all.clear();
  result = RayResult{};
  result.all = std::move(all);
}

RayHit start_inside(const Vec3& from) {
  RayHit hit;
  hit.point = from;
  return hit;
}

}  // namespace

void cast_ray(const Body& body, const Pose& pose, const Vec3& from, const Vec3& to, const RayOptions& options,
              RayResult& result) {
  const core::FpGuard guard;
  clear_ray(result);
  if (!is_finite(from) || !is_finite(to))
    return core::refuse(result, core::problem(ErrorCode::not_finite, "ray",
                                              "an end of the ray is not finite; give three finite numbers"));
  if (ask::is_compound(body)) return ask::cast_ray_compound(body, pose, from, to, options.hits, result);
  if (body.surface()) {
    ask::cast_ray_surface(body, pose, from, to, options, result);
    return;
  }
  // A shape is solid: a ray that starts inside one meets it there.
  if (!body.has_mesh())
    result.hit = engine::curved::cast(body.data(), pose, from, to, result.certain);
  else if (body.shape() && contains(body, pose, from).location == Location::inside)
    result.hit = start_inside(from);
  else
    engine::ray::cast(body.data(), pose, from, to, options.hits, result);
  if (options.hits == RayHits::all && result.hit && result.all.empty()) result.all.push_back(*result.hit);
  result.status = result.hit ? Status::contact : Status::free;
}

void cast_ray(const Body& body, const Pose& pose, const Vec3& from, const Vec3& to, RayResult& result) {
  cast_ray(body, pose, from, to, {}, result);
}

RayResult cast_ray(const Body& body, const Pose& pose, const Vec3& from, const Vec3& to, const RayOptions& options) {
  RayResult result;
  cast_ray(body, pose, from, to, options, result);
  return result;
}

}  // namespace graze
