// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "input/query_options.hpp"

namespace graze::app {

/// What was given for an option or an argument of a command that was parsed; empty: it was not given.
std::vector<std::string> values_of(const CLI::App& command, const std::string& name);
/// The first of them.
std::string value_of(const CLI::App& command, const std::string& name);
/// True for a flag that was given.
bool was_given(const CLI::App& command, const std::string& name);

/// How the command reads meshes.
InputOptions input_of(const CLI::App& command);

}  // namespace graze::app
