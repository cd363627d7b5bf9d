// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "input/body_motion.hpp"
#include "input/contact_options.hpp"

namespace graze::app {

/// A body that moves through the poses of a file, by the same kind of motion from each to the next, and one at rest.
struct PathQuestion {
  std::string file_a, file_b, path, quaternion;
  bool centred = false;  ///< the poses are those of the mean of A's vertices, equal ones counted once
  MotionKind motion = MotionKind::velocity;
  Pose pose_b;
  ContactOptions options;
};

/// Answers with the first contact of the whole path, and returns the exit status.
int answer_path(const PathQuestion& question);

}  // namespace graze::app
