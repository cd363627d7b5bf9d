// SPDX-License-Identifier: MIT
#pragma once

#include "deform/deform_command.hpp"

#include <graze/ask/deform.hpp>

namespace graze::app {

/// Is this the one scene file that is asked about, instead of frames?
bool is_deform_scene(const DeformCommand& command);

/// `graze deform SCENE.json`: who touches on the way from each frame of a scene to the next. `shared`: the options that
/// it has in common with steps between files. Returns the exit status.
int run_deform_scene(const DeformCommand& command, const DeformOptions& shared);

}  // namespace graze::app
