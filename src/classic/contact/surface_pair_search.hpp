// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <graze/classic/contact.hpp>
#include <graze/core/method_counters.hpp>

#include "classic/contact/interval_scene.hpp"
#include "classic/contact/surface_data.hpp"
#include "classic/contact/surface_touch.hpp"

namespace graze::classic::contact {

/// The hulls of a surface's cells. A table of fixed size, in which a new cell replaces an old one: the same cell meets
/// many cells of the other surface, in many spans of time.
class SurfaceHulls {
 public:
  explicit SurfaceHulls(const SurfaceSource& source) : source_(source), table_(1u << 12) {}
  /// Null: the cell certainly contains no point of the surface. Valid until the next call.
  const SurfaceHull* operator()(const SurfaceCell& cell);
  const SurfaceSource& source() const { return source_; }

 private:
  struct Known {
    SurfaceCell cell;
    SurfaceHull hull;
    bool is_known = false, holds = false;
  };
  const SurfaceSource& source_;
  std::vector<Known> table_;
};

/// The first contact of two moving surfaces (CONTACT 5): first pairs of nodes of their trees, then, at two leaves,
/// pairs of pieces, of which the larger one, or the time, is halved. In B's frame: A moves, B is at rest.
///
/// The pair that starts earliest is always the next (of several the one made last), over all pairs: when it is taken,
/// every pair is certified apart at all earlier times. So a certified contact at its start is the first one, and
/// nothing later is ever looked at.
///
/// Pieces are apart: the hulls contain them, and during the whole span all points of A's hull are beyond all points of
/// B's along one direction, by more than both radii. `MovingDirection` covers the rounding of the products, the frame's
/// remainders that of the motion.
///
/// Deviations: the paper names Snyder et al.'s algorithms for the leaves. Here is no interval Newton step; pieces are
/// bounded to second order, so that near a contact of smooth surfaces about the same number of pairs remains at every
/// gap. `directional` and `current_time` have no effect.
class SurfacePairSearch {
 public:
  SurfacePairSearch(IntervalScene& scene, const SurfaceData& a, const SurfaceData& b, const IntervalOptions& interval,
                    double separation, std::uint64_t work, AllCounters& counters);

  void run();
  const SurfaceTouch& best() const { return touch_; }
  /// The earliest time at which something is not decided, if a limit ended the search or a pair cannot be decided.
  double unresolved() const { return unresolved_; }

 private:
  static constexpr std::uint32_t pieces = ~std::uint32_t{0};  ///< instead of a node: cells below the leaves
  struct Entry {
    double lo, hi;
    std::uint64_t number;
    std::uint32_t node_a, node_b;
    SurfaceCell a, b;
  };
  enum class Verdict { apart, halve_time, halve_a, halve_b };
  struct Judged {
    Verdict verdict = Verdict::apart;
    bool near = false;  ///< at the start of the span they may be within the tolerance
  };

  static bool later(const Entry& x, const Entry& y);
  void push(const Entry& e);
  void halve_time(const Entry& e);
  void visit_nodes(const Entry& e);
  void visit_pieces(const Entry& e);
  Judged judge(const Entry& e, const SurfaceHull& a, const SurfaceHull& b);
  bool fine(const SurfaceCell& cell, const SurfaceHull& hull, const SurfaceSource& source) const;
  bool touches(const Entry& e);

  IntervalScene& scene_;
  const SurfaceData &data_a_, &data_b_;
  SurfaceHulls a_, b_;
  const IntervalOptions& interval_;
  double separation_;  ///< scaled, rounded up: contact means at most this far apart; it widens A's hulls
  std::uint64_t work_;
  AllCounters& counters_;
  std::vector<Entry> queue_;
  std::uint64_t entries_ = 0;
  bool ended_ = false;
  SurfaceTouch touch_;
  double unresolved_ = SurfaceTouch::never;
};

}  // namespace graze::classic::contact
