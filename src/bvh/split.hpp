// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

#include "bvh/float4.hpp"
#include "bvh/tree.hpp"

namespace graze::bvh {

/// A box as the builder stores it: the low corner negated, so that a union is just two maxima, and the index of the
/// input box in the fourth lane.
struct Entry {
  Float4 negated_lo;
  Float4 hi;

  std::uint32_t index() const {
    std::uint32_t i;
    std::memcpy(&i, reinterpret_cast<const char*>(this) + 12, 4);
    return i;
  }
  void set_index(std::uint32_t i) { std::memcpy(reinterpret_cast<char*>(this) + 12, &i, 4); }
  /// Twice the centre.
  Float4 centre() const { return hi - clear_last(negated_lo); }
};

/// The union of some entries.
struct Bounds {
  Float4 negated_lo = splat(-std::numeric_limits<float>::infinity());
  Float4 hi = splat(-std::numeric_limits<float>::infinity());

  void add(const Entry& e) {
    negated_lo = max(negated_lo, clear_last(e.negated_lo));
    hi = max(hi, e.hi);
  }
  void add(const Bounds& b) {
    negated_lo = max(negated_lo, b.negated_lo);
    hi = max(hi, b.hi);
  }
  Float4 edges() const { return hi + negated_lo; }
  float area(Float4 pad) const { return half_area(edges() + pad); }
  BoxF box() const;
};

/// The input to the choice of a split: the union of the boxes and the union of their (doubled) centres.
struct Measure {
  Bounds boxes;
  Bounds centres;
};
Measure measure(std::span<const Entry> entries);

/// Splits `entries` in two and returns the size of the first part (0 < size < count). The result is written to `into`
/// (same size, no overlap); the contents of `entries` are unspecified afterwards.
std::size_t split_by_area(std::span<Entry> entries, std::span<Entry> into, const Measure& m);

/// Splits in half, whatever the boxes are: the fallback when the depth grows too large.
std::size_t split_in_half(std::span<Entry> entries, std::span<Entry> into, const Measure& m);

}  // namespace graze::bvh
