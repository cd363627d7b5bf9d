// SPDX-License-Identifier: MIT
// graze deform --step-size: how far may the vertices go towards the next frame?
#pragma once

#include <string>

#include <CLI/App.hpp>
#include <graze/ask/deform.hpp>

namespace graze::app {

/// As given on the command line.
struct StepSizeFlags {
  bool on = false, ignore_crossings = false, count_starts = false;
  std::string slack;
};
void add_step_size(CLI::App& command, StepSizeFlags& flags);

/// The question, from what it shares with the other ones. Refuses flags without --step-size.
StepSizeOptions step_size_options(const StepSizeFlags& flags, const DeformOptions& shared);

void print(const StepSize& step, const MethodCounters& of_method, bool json);

}  // namespace graze::app
