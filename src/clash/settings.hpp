// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <graze/clash/clash.hpp>

namespace graze::clash {

/// What holds for one pair.
struct PairSettings {
  bool ignore = false;
  double clearance = 0, tolerance = 0;
};

/// Options and rules, prepared so that a pair takes a few operations for every 64 rules: the patterns are compared
/// with each part once.
class Settings {
 public:
  /// Throws `Error` (bad_option) for options or rules out of their range.
  Settings(const Assembly& assembly, const Options& options);

  PairSettings of(std::uint32_t a, std::uint32_t b) const;
  /// The largest clearance of any pair.
  double most_clearance() const { return most_clearance_; }

 private:
  std::vector<PairSettings> rules_;  ///< and, at the end, that of pairs that no rule fits
  std::size_t words_ = 0;            ///< of 64 rules
  /// For each part, one bit for each rule: matches its first pattern; and then: its second.
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint32_t> groups_;  ///< by part; equal numbers: not compared. Empty: all are
  double most_clearance_ = 0;
};

}  // namespace graze::clash
