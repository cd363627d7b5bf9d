// SPDX-License-Identifier: MIT
#include "engine/deform/filter/touch_rules.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/fp_guard.hpp"
#include "core/refusal.hpp"

namespace graze::engine::deform {

namespace {

[[noreturn]] void refuse_filter(const char* element, std::string message, std::uint64_t id = ErrorDetail::none) {
  throw Error(core::problem(ErrorCode::bad_option, element, std::move(message), id));
}

}  // namespace

TouchRules::TouchRules(DeformFilter filter, std::size_t vertices) : filter_(std::move(filter)) {
  if (!filter_.bodies.empty() && filter_.bodies.size() != vertices)
    refuse_filter("bodies", "a filter has one body for each vertex, or none at all: " + std::to_string(vertices) +
                                ", not " + std::to_string(filter_.bodies.size()));
  for (std::size_t i = 0; i < filter_.fixed.size(); ++i) {
    const std::uint32_t v = filter_.fixed[i];
    if (v >= vertices)
      refuse_filter("fixed",
                    "names vertex " + std::to_string(v) + ", but the mesh has " + std::to_string(vertices) +
                        " vertices, counted from 0",
                    i);
    if (fixed_.empty()) fixed_.assign(vertices, 0);
    fixed_[v] = 1;
  }
  for (std::size_t i = 0; i < filter_.off.size(); ++i) {
    const auto [a, b] = filter_.off[i];
    if (a == b) refuse_filter("off", "a body is not switched off against itself: use DeformBody::self", i);
    off_.push_back({std::min(a, b), std::max(a, b)});
  }
  std::sort(off_.begin(), off_.end());
}

bool TouchRules::bodies_may(std::uint32_t a, std::uint32_t b) const {
  const DeformBody &x = settings(a), &y = settings(b);
  if (a == b) return x.self;
  if (!(x.group & y.mask) || !(y.group & x.mask)) return false;
  return off_.empty() || !std::binary_search(off_.begin(), off_.end(), std::array{std::min(a, b), std::max(a, b)});
}

bool TouchRules::vertices_may(std::uint32_t v, std::uint32_t w) const {
  if (v == w || (is_fixed(v) && is_fixed(w))) return false;
  return bodies_may(body(v), body(w)) && (!has_predicate() || predicate(std::min(v, w), std::max(v, w)));
}

bool TouchRules::any_may(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) const {
  for (const std::uint32_t v : a)
    for (const std::uint32_t w : b)
      if (vertices_may(v, w)) return true;
  return false;
}

bool TouchRules::predicate(std::uint32_t v, std::uint32_t w) const {
  const core::FpGuard restored;  // after the call
  callers_.enter();
  return filter_.may_touch(v, w);
}

}  // namespace graze::engine::deform
