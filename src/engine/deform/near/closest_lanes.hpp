// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <graze/ask/elementary.hpp>

namespace graze::engine::deform {

/// The points of up to `capacity` pairs of features of one kind, coordinate by coordinate (x, y, z of the first point,
/// and so on). Answers are written in groups of lanes: there must be room for `capacity` of them.
struct PairBatch {
  static constexpr std::size_t capacity = 128;
  alignas(32) double at[12][capacity] = {};
  std::size_t count = 0;
};

/// Edges only: 0 for pairs that are certainly further apart than d, 1 for the others. Takes a quarter of the time of
/// `classify_in_lanes`, which then has fewer to look at.
void reject_in_lanes(const PairBatch& batch, double d, std::uint8_t* answers);

/// For each pair: 0: certainly further apart than d; `uncertain`: exact arithmetic must decide; otherwise certainly
/// within d, and the mask of `closest_parts`.
constexpr std::uint8_t uncertain = 0xFF;
void classify_in_lanes(ElementaryKind kind, const PairBatch& batch, double d, std::uint8_t* answers);

}  // namespace graze::engine::deform
