// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/App.hpp>

namespace graze::app {

/// The candidate that `typed` is most likely a misspelling of: one or two letters missing, added, wrong or exchanged.
/// Empty if none is that close.
std::optional<std::string> nearest_name(std::string_view typed, const std::vector<std::string>& candidates);

/// Explains an error in the arguments (without the program's name) better than CLI11 does; empty if no such error is
/// found. Here: numbers that belong in one quoted argument, such as an unquoted pose. Call before parsing, because the
/// command would take the other numbers for files.
std::optional<std::string> unquoted_numbers(const CLI::App& app, std::span<const std::string> arguments);
/// An option that does not exist, with the one that was probably meant. Call after parsing has failed.
std::optional<std::string> unknown_option(const CLI::App& app, std::span<const std::string> arguments);

}  // namespace graze::app
