// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "mesh/corner_tree.hpp"
#include "mesh/plane_geometry.hpp"

namespace graze::mesh {

/// Corner indices within one polygon, in its orientation, the lowest first.
using LocalTriangle = std::array<std::uint32_t, 3>;

/// Deterministic ear clipping with exact signs. One object may be used for many polygons: it reuses its memory.
///
/// Correctness for every outline that does not cross itself, also if it touches itself (bridges to holes, repeated
/// corners): no triangle is ever emitted clockwise, so the number of triangles over a point is the outline's winding
/// number there, which is 0 or 1. The search for empty ears only keeps the clipping from getting stuck.
class EarClipper {
 public:
  /// Appends size - 2 triangles and returns true; appends nothing and returns false if the polygon crosses itself in
  /// every projection along an axis, or cannot be clipped for another reason.
  bool clip(const CornerView& corners, std::vector<LocalTriangle>& out);

 private:
  /// Which ears are allowed; the first mode that finds one is used.
  enum Mode : std::uint8_t {
    spike,         ///< no area: repeated corner, or the outline turns back on itself; clipped first, because it blocks
                   ///< all others
    empty_ear,     ///< a positive triangle without another corner inside or on it
    touching_ear,  ///< a positive triangle whose border other corners may touch from outside
    flat_corner,   ///< no area: the corner lies between its neighbours
    mode_count
  };

  bool clip_quad(const CornerView& corners, std::vector<LocalTriangle>& out) const;
  bool clip_projected(int axis, int sign, const CornerView& corners, std::vector<LocalTriangle>& out);
  int outline_sign(const NewellNormal& newell, int axis) const;
  void start();
  bool run(std::vector<LocalTriangle>& out);
  void enqueue(std::uint32_t corner);
  void enqueue_all();
  bool next_candidate(std::uint32_t& corner, Mode& mode);
  bool may_clip(std::uint32_t corner, Mode mode) const;
  bool is_spike(std::uint32_t corner) const;
  bool is_blocked(std::uint32_t corner, bool touching_allowed) const;
  bool blocks(std::uint32_t q, std::uint32_t a, std::uint32_t b, std::uint32_t c, bool touching_allowed) const;
  void remove(std::uint32_t corner);
  void update_turn(std::uint32_t corner);
  int sign_of(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    return orient(points_[a], points_[b], points_[c]);
  }

  std::vector<Point2> points_;
  OutlineCrossing outline_crosses_itself_;
  CornerTree tree_;  // enabled: corners that do not turn left, the only ones that can block an ear
  std::vector<std::uint32_t> prev_, next_;
  std::vector<std::int8_t> turn_;
  std::vector<std::uint8_t> queued_;    // bit m: is in queue m
  std::vector<std::uint8_t> deferred_;  // a neighbour was clipped: try others first, for better shapes
  std::array<std::deque<std::uint32_t>, mode_count> queue_;
  std::uint32_t left_ = 0;
};

}  // namespace graze::mesh
