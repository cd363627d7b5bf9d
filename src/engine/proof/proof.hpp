// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <graze/math/vec3.hpp>

#include "bvh/wide_tree.hpp"
#include "engine/proof/frame.hpp"

namespace graze::engine::proof {

/// The steps of a search as a tree: each is a separation in time, or a split of one of the two parts. Written out in
/// prefix order it is the cover that docs/certificates.md describes. Step 0 is the root.
class Proof {
 public:
  Proof() { steps_.push_back({}); }

  /// The pair of step `at` is apart along n until t; returns the step that continues from there. A direction that turns
  /// with a body is in that body's axes.
  std::uint32_t separate(std::uint32_t at, const Vec3& n, double until, Frame frame = Frame::world);
  /// Replaces the A (or B) part of the pair by its parts, whose numbers of triangles are `counts`; returns the first of
  /// as many consecutive steps.
  std::uint32_t split(std::uint32_t at, bool of_b, const std::vector<std::uint32_t>& counts);

  /// Splits the B part of as many consecutive steps in the same way; returns the first of all steps after that, those
  /// of the first part first.
  std::uint32_t split_each(std::uint32_t first, std::uint32_t parts, const std::vector<std::uint32_t>& counts);

  /// The text of the proof. Steps that were never continued must reach `until`. `exchanged`: of B and A.
  std::string text(double until, bool exchanged = false) const;
  /// True if a direction turns with a body.
  bool turns() const { return turns_; }

 private:
  struct Step {
    enum class Kind : std::uint8_t { open, separated, split_a, split_b } kind = Kind::open;
    Frame frame = Frame::world;
    std::uint32_t next = 0;   ///< the step that continues; for a split the first of `parts`
    std::uint32_t parts = 0;  ///< for a split: the number of parts, and the position of their counts
    std::uint32_t counts = 0;
    Vec3 n;
    double until = 0;
  };
  std::vector<Step> steps_;
  std::vector<std::uint32_t> counts_;
  bool turns_ = false;
};

/// The number of items below each node.
std::vector<std::uint32_t> items_below(const bvh::WideTreeView& tree);

}  // namespace graze::engine::proof
