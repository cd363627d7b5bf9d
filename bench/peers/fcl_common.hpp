// SPDX-License-Identifier: MIT
#pragma once

// Debian's FCL is built without AVX: files that include this must be compiled with EIGEN_MAX_ALIGN_BYTES=16, or Eigen
// types differ in alignment between them and the library.
#if !defined(EIGEN_MAX_ALIGN_BYTES) || EIGEN_MAX_ALIGN_BYTES != 16
#error "compile with -DEIGEN_MAX_ALIGN_BYTES=16"
#endif

#include <fcl/common/types.h>

#include <utility>
#include <vector>

#include "peers/peers.hpp"
#include "peers/placement.hpp"

namespace graze::bench {

using FclPose = fcl::Transform3<double>;

inline FclPose fcl_pose(const Pose& pose) {
  const Placement place = placement(pose);
  FclPose out = FclPose::Identity();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) out.linear()(i, j) = place.rotation[i][j];
    out.translation()[i] = place.translation[i];
  }
  return out;
}

using FclPoses = std::vector<std::pair<FclPose, FclPose>>;

inline FclPoses fcl_poses(const std::vector<PosePair>& poses) {
  FclPoses out;
  for (const PosePair& pose : poses) out.emplace_back(fcl_pose(pose.a), fcl_pose(pose.b));
  return out;
}

}  // namespace graze::bench
