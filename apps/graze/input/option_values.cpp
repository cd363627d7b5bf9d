// SPDX-License-Identifier: MIT
#include "input/option_values.hpp"

#include <CLI/CLI.hpp>

namespace graze::app {

std::vector<std::string> values_of(const CLI::App& command, const std::string& name) {
  const CLI::Option* option = command.get_option_no_throw(name);
  return option && option->count() > 0 ? option->results() : std::vector<std::string>();
}

std::string value_of(const CLI::App& command, const std::string& name) {
  const std::vector<std::string> all = values_of(command, name);
  return all.empty() ? std::string() : all.front();
}

bool was_given(const CLI::App& command, const std::string& name) {
  const CLI::Option* option = command.get_option_no_throw(name);
  return option && option->count() > 0;
}

InputOptions input_of(const CLI::App& command) {
  InputOptions input;
  const std::string format = CLI::detail::to_lower(value_of(command, "--format"));
  for (const MeshFormat known : {MeshFormat::obj, MeshFormat::off, MeshFormat::ply, MeshFormat::stl})
    if (format == name(known)) input.format = known;
  input.weld = was_given(command, "--weld");
  return input;
}

}  // namespace graze::app
