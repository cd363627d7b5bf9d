// SPDX-License-Identifier: MIT
// FCL's continuous query for meshes, through its public API.
#include <memory>

#include "peers/fcl_common.hpp"
#include "peers/fcl_model.hpp"
// FCL's headers must come after the check above.
#include <fcl/math/motion/interp_motion.h>
#include <fcl/narrowphase/continuous_collision.h>

namespace graze::bench {
namespace {

using FclMotion = fcl::InterpMotion<double>;

/// Uses the only constructor that initialises all members.
FclMotion motion(const Pose& from, const Pose& to) {
  const FclPose start = fcl_pose(from), end = fcl_pose(to);
  return FclMotion(start.linear(), start.translation(), end.linear(), end.translation(), fcl::Vector3<double>::Zero());
}

}  // namespace

PeerFirstContact fcl_first_contact(const Mesh& a, const Mesh& b, double tolerance) {
  using Bv = fcl::RSS<double>;
  const auto model_a = fcl_model<Bv>(a);
  const auto model_b = &a.positions()[0] == &b.positions()[0] ? model_a : fcl_model<Bv>(b);
  return [=](const Flight& flight) -> std::optional<double> {
    const FclMotion motion_a = motion(flight.from, flight.to), motion_b = motion(flight.rest, flight.rest);
    fcl::ContinuousCollisionRequest<double> request;
    request.ccd_solver_type = fcl::CCDC_CONSERVATIVE_ADVANCEMENT;
    request.ccd_motion_type = fcl::CCDM_LINEAR;
    request.toc_err = tolerance;
    fcl::ContinuousCollisionResult<double> result;
    fcl::continuousCollide<double>(model_a.get(), &motion_a, model_b.get(), &motion_b, request, result);
    return result.is_collide ? std::optional(result.time_of_contact) : std::nullopt;
  };
}

}  // namespace graze::bench
