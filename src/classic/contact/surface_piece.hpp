// SPDX-License-Identifier: MIT
#pragma once

#include <graze/core/method_counters.hpp>

#include "classic/contact/interval_scene.hpp"
#include "classic/contact/surface_data.hpp"
#include "classic/contact/surface_touch.hpp"
#include "core/limits.hpp"
#include "prim/moving/direction.hpp"

namespace graze::classic::contact {

/// One piece of a surface (A) against one triangle of a mesh (B): the interval method at a leaf (CONTACT 5). Either the
/// piece or time is halved, first half first, whichever contributes more uncertainty; the triangle is not, because it
/// is known exactly in its own frame.
///
/// With a separation the piece's hull is widened by it: a direction that has the triangle beyond the widened hull has
/// it farther than that from the piece.
class SurfacePiece {
 public:
  SurfacePiece(IntervalScene& scene, AllCounters& counters, const SurfaceSource& source,
               const std::array<Vec3, 3>& face, double separation);

  /// The first contact in [lo, hi], in the piece; time `never` if there is none: then the piece and the triangle are
  /// certified to be apart, unless the search ended early: with no `work_left`, or where nothing can be decided.
  SurfaceTouch first(const SurfaceData::Leaf& leaf, double lo, double hi, std::uint64_t& work_left);
  /// The time that such an early end reached.
  double unresolved() const { return unresolved_; }

 private:
  struct Entry {
    SurfaceCell cell;
    SurfaceHull hull;
    double lo, hi;
    std::uint64_t number = 0;
  };
  static bool later(const Entry& x, const Entry& y);
  void push(Entry e);
  enum class Verdict { apart, halve_time, halve_piece };
  struct Judged {
    Verdict verdict;
    bool near;  ///< at the start of the span it may be within the tolerance
  };
  Judged judge(const Entry& e);
  template <class Apart>
  bool apart_across(const SurfaceHull& hull, const prim::MovingFrame& frame, Apart&& apart) const;
  bool touches(const Entry& e, SurfaceTouch& touch);

  IntervalScene& scene_;
  AllCounters& counters_;
  const SurfaceSource& source_;
  std::array<Vec3, 3> face_;  // scaled, from the reference point
  double separation_;         // scaled
  std::array<prim::MovingDirection, 4> fixed_;
  double unresolved_ = SurfaceTouch::never;
  std::vector<Entry> queue_;
  std::uint64_t entries_ = 0;
  core::Steps time_{0};
};

}  // namespace graze::classic::contact
