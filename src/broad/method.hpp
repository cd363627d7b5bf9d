// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <graze/broad/broad_phase.hpp>

#include "broad/bodies.hpp"
#include "broad/segment.hpp"

namespace graze::broad {

using VisitBody = std::function<bool(std::uint32_t id, double bound)>;

/// A broad-phase method. `apply` is called with all changes before any query. Result lists may be in any order, each
/// pair or body once: the caller sorts them.
class Method {
 public:
  virtual ~Method() = default;

  /// Each of these bodies was inserted, moved or removed since the last call, possibly all three.
  virtual void apply(const Bodies& bodies, std::span<const std::uint32_t> changed) = 0;
  virtual void pairs(const Bodies& bodies, int threads, std::vector<BoxPair>& out) = 0;
  /// The pairs with a body in `moved`. All bodies in `moved` are present and have `Bodies::moved` set. The default
  /// makes one query for each of them, or finds all pairs and filters them if more than `busy_share()` of all bodies
  /// moved.
  virtual void moved_pairs(const Bodies& bodies, std::span<const std::uint32_t> moved, int threads,
                           std::vector<BoxPair>& out);
  virtual void overlapping(const Bodies& bodies, const Box3& box, std::vector<std::uint32_t>& out) const = 0;
  virtual void along_ray(const Bodies& bodies, const Segment& segment, std::vector<std::uint32_t>& out) const = 0;
  /// `BroadPhase::around_point`. The default makes queries with growing cubes around the point.
  virtual std::uint64_t around_point(const Bodies& bodies, const Vec3& point, const VisitBody& visit) const;
  virtual std::size_t bytes() const = 0;
  virtual std::vector<std::uint64_t> entries_by_depth() const { return {}; }

  BroadCounters counters;

 protected:
  /// Above this share of moved bodies, finding all pairs at once costs less than one query for each.
  virtual double busy_share() const { return 1. / 3; }
  /// `along_ray` for methods that support box queries only: clips the segment to `world`, which contains all bodies,
  /// cuts it into pieces, and makes one query with the bounding box of each.
  void along_ray_by_boxes(const Bodies& bodies, const Segment& segment, const Box3& world, int pieces,
                          std::vector<std::uint32_t>& out) const;
};

}  // namespace graze::broad
