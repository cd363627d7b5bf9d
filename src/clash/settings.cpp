// SPDX-License-Identifier: MIT
#include "clash/settings.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/refusal.hpp"

namespace graze::clash {

namespace {

void check_length(double value, const std::string& option) {
  if (!(value >= 0) || !std::isfinite(value))
    core::throw_if(core::bad_option(option, "a length must be finite and not negative"));
}

bool fits(const std::string& pattern, const Part& part) {
  if (!pattern.empty() && pattern[0] == '@') return matches(std::string_view(pattern).substr(1), part.group);
  if (matches(pattern, part.name)) return true;
  if (pattern.find('/') != std::string::npos) return false;
  for (std::string_view rest = part.name; rest.find('/') != std::string_view::npos;) {
    const std::size_t slash = rest.find('/');
    if (matches(pattern, rest.substr(0, slash))) return true;
    rest.remove_prefix(slash + 1);
    if (rest.find('/') == std::string_view::npos && matches(pattern, rest)) return true;
  }
  return false;
}

}  // namespace

Settings::Settings(const Assembly& assembly, const Options& options) {
  check_length(options.clearance, "clearance");
  check_length(options.tolerance, "tolerance");
  for (std::size_t i = 0; i < options.rules.size(); ++i) {
    const Rule& rule = options.rules[i];
    const std::string which = "rules, rule " + std::to_string(i);
    if (rule.a.empty() || rule.b.empty())
      core::throw_if(core::bad_option(which, "a pattern is empty; write * for any part"));
    const double clearance = rule.clearance.value_or(options.clearance),
                 tolerance = rule.tolerance.value_or(options.tolerance);
    check_length(clearance, which + ", clearance");
    check_length(tolerance, which + ", tolerance");
    rules_.push_back({rule.ignore, clearance, tolerance});
  }
  rules_.push_back({false, options.clearance, options.tolerance});
  for (const PairSettings& s : rules_)
    if (!s.ignore) most_clearance_ = std::max(most_clearance_, s.clearance);

  words_ = (options.rules.size() + 63) / 64;
  bits_.assign(assembly.parts.size() * words_ * 2, 0);
  for (std::size_t p = 0; p < assembly.parts.size() && words_ > 0; ++p) {
    std::uint64_t* const first = &bits_[p * words_ * 2];
    for (std::size_t r = 0; r < options.rules.size(); ++r) {
      const std::uint64_t bit = std::uint64_t{1} << (r % 64);
      if (fits(options.rules[r].a, assembly.parts[p])) first[r / 64] |= bit;
      if (fits(options.rules[r].b, assembly.parts[p])) first[words_ + r / 64] |= bit;
    }
  }
  if (options.within_groups) return;
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  for (const Part& part : assembly.parts)
    groups_.push_back(numbers.try_emplace(part.group, static_cast<std::uint32_t>(numbers.size())).first->second);
}

PairSettings Settings::of(std::uint32_t a, std::uint32_t b) const {
  if (!groups_.empty() && groups_[a] == groups_[b]) return {.ignore = true};
  for (std::size_t w = 0; w < words_; ++w) {
    const std::uint64_t *const of_a = &bits_[a * words_ * 2 + w], *const of_b = &bits_[b * words_ * 2 + w];
    const std::uint64_t both = (of_a[0] & of_b[words_]) | (of_b[0] & of_a[words_]);
    if (both) return rules_[w * 64 + static_cast<std::size_t>(std::countr_zero(both))];
  }
  return rules_.back();
}

}  // namespace graze::clash
