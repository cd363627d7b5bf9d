// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

namespace graze::app {

/// Says which values an option or argument takes, for the manual page and the shell completion. The command itself
/// checks the value, with a message of its own. Returns the option.
CLI::Option* offer(CLI::Option* option, std::vector<std::string> values);
/// The same, and CLI11 refuses any other value.
CLI::Option* offer_only(CLI::Option* option, std::vector<std::string> values);
/// Empty if `offer` was not called for it.
const std::vector<std::string>& offered(const CLI::Option& option);

/// The names of a list of methods, shapes and the like.
template <class List>
std::vector<std::string> names_in(const List& list, std::vector<std::string> names = {}) {
  for (const auto& entry : list) names.emplace_back(entry.name);
  return names;
}

}  // namespace graze::app
