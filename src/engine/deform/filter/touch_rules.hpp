// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/ask/deform_filter.hpp>

#include "core/fp_environment.hpp"
#include "engine/deform/topology/orphans.hpp"

namespace graze::engine::deform {

/// A caller's filter, checked and ready to be asked.
class TouchRules {
 public:
  /// Remembers the caller's floating-point environment, so construct it before an FpGuard. Throws `Error` if the filter
  /// does not fit a mesh with so many vertices.
  TouchRules(DeformFilter filter, std::size_t vertices);

  const DeformFilter& filter() const { return filter_; }
  bool has_predicate() const { return static_cast<bool>(filter_.may_touch); }
  std::uint32_t body(std::uint32_t v) const { return filter_.bodies.empty() ? 0 : filter_.bodies[v]; }
  const DeformBody& settings(std::uint32_t body) const {
    return body < filter_.settings.size() ? filter_.settings[body] : defaults_;
  }
  bool is_fixed(std::uint32_t v) const { return !fixed_.empty() && fixed_[v] != 0; }

  /// May some vertex of the one body touch one of the other, if only bodies count?
  bool bodies_may(std::uint32_t a, std::uint32_t b) const;
  /// May two vertices touch?
  bool vertices_may(std::uint32_t v, std::uint32_t w) const;
  /// May some vertex of the one list touch some vertex of the other?
  bool any_may(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) const;
  /// The same for a vertex and a face (`first`: 1), or for two edges (2).
  bool features_may(const FourVertices& v, std::size_t first) const {
    return any_may({v.data(), first}, {v.data() + first, 4 - first});
  }

 private:
  bool predicate(std::uint32_t v, std::uint32_t w) const;

  DeformFilter filter_;
  std::vector<std::uint8_t> fixed_;                ///< by vertex; empty: none
  std::vector<std::array<std::uint32_t, 2>> off_;  ///< each with its lower body first, ascending
  DeformBody defaults_;
  core::FpEnvironment callers_;
};

}  // namespace graze::engine::deform
