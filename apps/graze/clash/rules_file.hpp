// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <graze/clash/clash.hpp>
#include <graze/clash/report.hpp>

#include "clash/assembler.hpp"
#include "clash/units.hpp"

namespace graze::app {

/// "bolt*:nut*", or "bolt*" for bolt* and anything: pairs that are not asked.
clash::Rule parse_ignore(const std::string& text);

/// {"version": 1, "rules": [{"a": PATTERN, "b": PATTERN, "ignore": true, "clearance": L, "tolerance": L}, ...]}
std::vector<clash::Rule> read_rules(const std::string& file, const Unit& unit);

/// What a comparison needs of an earlier report.
struct EarlierReport {
  struct Part {
    std::string name, key;  ///< `clash::part_key`
  };
  std::vector<Part> parts;
  std::vector<clash::EarlierClash> clashes;
};

/// A report that was written as JSON.
EarlierReport read_earlier(const std::string& file);

/// What an earlier report calls the parts that could not be read now: those of the same names, and all that a file of
/// the name was split into, or that have the name with a number.
std::vector<std::string> keys_of_unread(const EarlierReport& earlier, const std::vector<UnreadPart>& unread);

}  // namespace graze::app
