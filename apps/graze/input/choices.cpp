// SPDX-License-Identifier: MIT
#include "input/choices.hpp"

#include <map>
#include <utility>

#include <CLI/CLI.hpp>

namespace graze::app {
namespace {

/// CLI11's options carry no data of a caller. They are declared once a process and stay where they are.
std::map<const CLI::Option*, std::vector<std::string>>& offers() {
  static std::map<const CLI::Option*, std::vector<std::string>> all;
  return all;
}

}  // namespace

CLI::Option* offer(CLI::Option* option, std::vector<std::string> values) {
  offers()[option] = std::move(values);
  return option;
}

CLI::Option* offer_only(CLI::Option* option, std::vector<std::string> values) {
  option->check(CLI::IsMember(values));
  return offer(option, std::move(values));
}

const std::vector<std::string>& offered(const CLI::Option& option) {
  static const std::vector<std::string> none;
  const auto found = offers().find(&option);
  return found == offers().end() ? none : found->second;
}

}  // namespace graze::app
