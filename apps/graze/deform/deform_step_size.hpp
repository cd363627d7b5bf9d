// SPDX-License-Identifier: MIT
// graze deform --step-size: how far may the vertices go towards the next frame?
#pragma once

#include <CLI/App.hpp>
#include <graze/ask/deform.hpp>

#include "deform/deform_command.hpp"

namespace graze::app {

void add_step_size(CLI::App& command, StepSizeFlags& flags);

/// Refuses its flags without --step-size, and with it the options of the other questions.
void check_step_size_options(const DeformCommand& command);

/// The options of the question. `shared`: those that it has in common with the question about contacts.
StepSizeOptions step_size_options(const StepSizeFlags& flags, const DeformOptions& shared);

/// `shared`: the options that it has in common with the question about contacts. Returns the exit status.
int run_step_size(const DeformCommand& command, const DeformOptions& shared);

}  // namespace graze::app
