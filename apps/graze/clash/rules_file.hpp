// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <graze/clash/clash.hpp>
#include <graze/clash/report.hpp>

#include "clash/units.hpp"

namespace graze::app {

/// "bolt*:nut*", or "bolt*" for bolt* and anything: pairs that are not asked.
clash::Rule parse_ignore(const std::string& text);

/// {"version": 1, "rules": [{"a": PATTERN, "b": PATTERN, "ignore": true, "clearance": L, "tolerance": L}, ...]}
std::vector<clash::Rule> read_rules(const std::string& file, const Unit& unit);

/// The clashes of a report that was written as JSON.
std::vector<clash::EarlierClash> read_earlier(const std::string& file);

}  // namespace graze::app
