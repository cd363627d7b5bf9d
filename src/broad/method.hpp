// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/broad/broad_phase.hpp>

#include "broad/bodies.hpp"
#include "broad/segment.hpp"

namespace graze::broad {

/// A broad phase. `apply` is called with all that changed before anything else is asked. Lists that it fills may be in
/// any order, each pair or body once: whoever asks sorts them.
class Method {
 public:
  virtual ~Method() = default;

  /// Each of these bodies was inserted, moved or removed since the last call; all three may have happened to it.
  virtual void apply(const Bodies& bodies, std::span<const std::uint32_t> changed) = 0;
  virtual void pairs(const Bodies& bodies, int threads, std::vector<BoxPair>& out) = 0;
  /// The pairs with a body in `moved`, of which all are there and have `Bodies::moved`. Unless overridden, one question
  /// for each of them, or all pairs and a look at each if more than `busy_share()` of all bodies moved.
  virtual void moved_pairs(const Bodies& bodies, std::span<const std::uint32_t> moved, int threads,
                           std::vector<BoxPair>& out);
  virtual void overlapping(const Bodies& bodies, const Box3& box, std::vector<std::uint32_t>& out) const = 0;
  virtual void along_ray(const Bodies& bodies, const Segment& segment, std::vector<std::uint32_t>& out) const = 0;
  virtual std::size_t bytes() const = 0;
  virtual std::vector<std::uint64_t> entries_by_depth() const { return {}; }

  BroadCounters counters;

 protected:
  /// Above this share of bodies that moved, all pairs at once cost less than a question for each.
  virtual double busy_share() const { return 1. / 3; }
  /// `along_ray` for methods that know boxes only: the segment's part in `world`, which holds all bodies, cut into
  /// pieces, and a question for the box around each.
  void along_ray_by_boxes(const Bodies& bodies, const Segment& segment, const Box3& world, int pieces,
                          std::vector<std::uint32_t>& out) const;
};

}  // namespace graze::broad
