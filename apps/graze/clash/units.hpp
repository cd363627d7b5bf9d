// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace graze::app {

/// A unit of length.
struct Unit {
  std::string name = "m";
  double tenths_of_mm = 10000;  ///< a whole number, so that conversions are rounded as little as possible
  double metres() const { return tenths_of_mm / 10000; }
};

std::vector<std::string> unit_names();

/// Throws `Error` naming the option, or what else it is about.
Unit parse_unit(const std::string& text, const std::string& option);

/// A number, in the given unit, or with a unit of its own: "5mm". Not negative. Throws `Error` naming the option.
double parse_length(const std::string& text, const Unit& unit, const std::string& option);

}  // namespace graze::app
