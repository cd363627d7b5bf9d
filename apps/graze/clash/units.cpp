// SPDX-License-Identifier: MIT
#include "clash/units.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "input/pose_text.hpp"
#include "input/query_options.hpp"

namespace graze::app {
namespace {

const std::array<Unit, 5> known_units{{{"m", 10000}, {"cm", 100}, {"mm", 10}, {"in", 254}, {"ft", 3048}}};

}  // namespace

std::vector<std::string> unit_names() {
  std::vector<std::string> out;
  for (const Unit& unit : known_units) out.push_back(unit.name);
  return out;
}

Unit parse_unit(const std::string& text, const std::string& option) {
  for (const Unit& unit : known_units)
    if (unit.name == text) return unit;
  refuse_option(option, fmt::format("'{}' is no unit; choose one of {}", text, fmt::join(unit_names(), ", ")));
}

double parse_length(const std::string& text, const Unit& unit, const std::string& option) {
  std::size_t end = text.size();
  while (end > 0 && std::isalpha(static_cast<unsigned char>(text[end - 1]))) --end;
  const std::string suffix = text.substr(end);
  std::string number = text.substr(0, end);
  while (!number.empty() && number.back() == ' ') number.pop_back();
  const auto value = parse_number(number);
  if (!value || !(*value >= 0) || !std::isfinite(*value))
    refuse_option(option, fmt::format("'{}' is no length; write a number that is not negative, with a unit of its own "
                                      "if you like: 0.02, 20mm",
                                      text));
  if (suffix.empty() || suffix == unit.name) return *value;
  return *value * parse_unit(suffix, option).tenths_of_mm / unit.tenths_of_mm;
}

}  // namespace graze::app
