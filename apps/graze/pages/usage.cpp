// SPDX-License-Identifier: MIT
#include "pages/usage.hpp"

#include <algorithm>
#include <filesystem>
#include <numeric>

#include <fmt/format.h>

#include "input/pose_text.hpp"

namespace graze::app {
namespace {

/// Edit distance: the number of letters to insert, delete, replace or exchange with their neighbour.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, last(b.size() + 1), now(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    before = last;
    std::swap(last, now);
  }
  return last[b.size()];
}

/// The command that the first argument names, or else the program itself.
const CLI::App& command_of(const CLI::App& app, std::span<const std::string> arguments) {
  if (arguments.empty()) return app;
  const auto named =
      app.get_subcommands([&](const CLI::App* command) { return command->check_name(arguments.front()); });
  return named.empty() ? app : *named.front();
}

std::string full_name(const CLI::App& app, const CLI::App& command) {
  return &command == &app ? "graze" : "graze " + command.get_name();
}

/// "--name", also from "--name=value".
std::string_view option_name(std::string_view argument) { return argument.substr(0, argument.find('=')); }

/// Does the option take several numbers in one argument?
bool takes_numbers(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type == "POSE" || type == "V" || type == "POINT" || type == "\"Q...\"";
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view typed, const std::vector<std::string>& candidates) {
  const std::size_t most = typed.size() < 6 ? 1 : 2;
  std::optional<std::string> nearest;
  std::size_t least = most + 1;
  for (const std::string& name : candidates) {
    const std::size_t n = edits(typed, name);
    if (n < least) least = n, nearest = name;
  }
  return nearest;
}

std::optional<std::string> unquoted_numbers(const CLI::App& app, std::span<const std::string> arguments) {
  const CLI::App& command = command_of(app, arguments);
  const auto is_number = [&](std::size_t i) { return i < arguments.size() && parse_number(arguments[i]).has_value(); };
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (!arguments[i].starts_with("--")) continue;
    const CLI::Option* option = command.get_option_no_throw(arguments[i]);
    // A second number is accepted only if a file of that name exists.
    if (!option || !takes_numbers(*option) || !is_number(i + 1) || !is_number(i + 2)) continue;
    if (std::filesystem::exists(arguments[i + 2])) continue;
    std::string numbers;
    for (std::size_t k = i + 1; is_number(k); ++k) (numbers += numbers.empty() ? "" : " ") += arguments[k];
    return fmt::format("option {}: its numbers are one argument, so they need quotes: {} \"{}\"", arguments[i],
                       arguments[i], numbers);
  }
  return std::nullopt;
}

std::optional<std::string> unknown_option(const CLI::App& app, std::span<const std::string> arguments) {
  const CLI::App& command = command_of(app, arguments);
  std::vector<std::string> known;
  for (const CLI::App* level : {&command, &app})
    for (const CLI::Option* option : level->get_options())
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  for (const std::string& argument : arguments) {
    if (argument == "--") break;  // what follows are not options
    const std::string typed(option_name(argument));
    if (!typed.starts_with("--") || std::find(known.begin(), known.end(), typed) != known.end()) continue;
    const std::optional<std::string> meant = nearest_name(typed, known);
    return fmt::format("unknown option '{}'{}", typed, meant ? fmt::format("; did you mean {}?", *meant) : "") +
           fmt::format("\n`{} --help` shows the options and an example", full_name(app, command));
  }
  return std::nullopt;
}

}  // namespace graze::app
