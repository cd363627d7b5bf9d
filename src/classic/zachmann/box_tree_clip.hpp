// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <graze/core/method_counters.hpp>

#include "classic/zachmann/box_tree_frame.hpp"

namespace graze::classic::zachmann {

/// The part of a line that is inside the other box; empty if lo > hi.
struct ClippedLine {
  double lo, hi;
  bool empty() const { return !(lo <= hi); }
};

/// Two boxes and the parts of their 2 x 3 x 4 edges that are inside the other one. Edge i of family f runs along axis
/// f; bit 0 of i says whether it is at the high end of the first of the other two axes, bit 1 of the second.
struct ClippedPair {
  std::array<Box3, 2> box;                 ///< each in its own frame; [0] of A
  std::array<ClippedLine[3][4], 2> line;   ///< T- and S-intervals
  std::array<std::uint16_t, 2> outside{};  ///< bit 4 f + i: the edge is permanently outside
  std::uint8_t inside = 24;                ///< edges without that flag
  std::uint8_t level[2][3] = {};           ///< how often each axis was cut; for halved trees
};

/// Are two boxes of different frames apart? Decided by clipping the edges of each against the other (Zachmann 3.6.1),
/// with the parameters reused from the level above when a box is cut.
///
/// Why empty lines prove separation: a corner v of the intersection of two convex polytopes P, Q lies inside a face F
/// of P and a face G of Q whose planes meet in v alone, so dim F + dim G <= 3 and one of them is an edge or a corner.
/// Hence boxes that meet have an edge of one that meets the other. A box inside the other is no exception: its edges
/// are not clipped at all, so they are not empty.
///
/// Why this holds with thick cut-planes: the contents of a box may extend beyond it by delta along each axis. If two
/// widened boxes meet, the cut boxes P, Q are at most h = sqrt 3 (delta_A + delta_B) apart, so P meets Q widened by h.
/// Then an edge of P meets Q widened by h, or an edge of the widened Q meets P; the corresponding edge of Q itself is
/// at most sqrt 3 h away. So it is enough to clip the edges of the unwidened boxes, which both parts of a cut box
/// share, at planes moved outward by 3 (delta_A + delta_B).
///
/// Why this holds with rounding: parameters are the edge's own coordinate (not its distance from the box's corner, so
/// nothing is ever shifted). A parameter is (v - sum) / slope, where v - sum has an error of at most `margin`
/// (BoxTreeFrame); its own error times |slope| is even smaller as long as |slope| >= 2^-30, and so every parameter is
/// moved outward by margin / |slope|. Flatter lines are treated as parallel (3.6.2): whole lines are dropped if they
/// are beyond a plane by more than margin + |slope| L.
class BoxTreeClip {
 public:
  using Pair = ClippedPair;

  struct Options {
    bool reuse, flag;
  };
  BoxTreeClip(const BoxTreeFrame& frame, const BoxTreeData& a, const BoxTreeData& b, Options options,
              AllCounters& counters);

  /// The two roots.
  bool start(Pair& pair) const;
  /// Cuts the box of one body; returns which parts may still meet the other box.
  std::array<bool, 2> split(const Pair& pair, int body, int axis, double cut, std::array<Pair, 2>& parts) const;

 private:
  /// Lines of family f of a body against the planes across axis k of the other body: computed once.
  struct Family {
    double inverse;   ///< 1 / slope
    double ratio[2];  ///< slopes of the other two own axes over this one
    double base;      ///< - offset / slope
    double widen;     ///< distance by which parameters are moved outward
    bool entering;    ///< lines enter through the low plane
    bool parallel;    ///< then `inverse` is 1, the ratios are slopes, and a "parameter" is the distance to the plane
  };

  double step(const Pair& pair, int body, int f, int k, int which) const;
  void parameters(const Pair& pair, int body, int f, int k, double at, double (&value)[4]) const;
  static void clip(ClippedLine& line, const Family& family, double value, bool high);
  void clip_all(Pair& pair) const;
  void cut_other_lines(const Pair& pair, int body, int axis, double cut, std::array<Pair, 2>& parts) const;
  void cut_own_lines(const Pair& pair, int body, int axis, double cut, std::array<Pair, 2>& parts) const;
  void new_lines(const Pair& pair, int body, int f, int axis, double cut, ClippedLine (&lines)[2]) const;
  void replace(Pair& pair, int body, int f, int i, const ClippedLine& line) const;
  void flag_if_empty(Pair& pair, int body, int f, int i) const;
  bool is_outside(const Pair& pair, int body, int f, int i) const {
    return (pair.outside[static_cast<std::size_t>(body)] >> (4 * f + i) & 1) != 0;
  }
  bool may_meet(const Pair& pair) const;

  const BoxTreeFrame& frame_;
  std::array<const BoxTreeData*, 2> trees_;
  Options options_;
  AllCounters& counters_;
  Family family_[2][3][3];  ///< [body][f][k]
  /// For halved trees: extent of the root times ratio, halved `level` times (3.6.4). [body][level][f][k][which]
  using Steps = std::array<double, 18>;
  std::array<std::vector<Steps>, 2> steps_;
};

/// The same test by boxes aligned to A's axes, computed incrementally from the level above (Figure 3.30).
class BoxTreeAligned {
 public:
  struct Pair {
    std::array<Box3, 2> box;  ///< each in its own frame
    Box3 b;                   ///< around box[1], in A's axes
  };
  explicit BoxTreeAligned(const BoxTreeFrame& frame, const BoxTreeData& a, const BoxTreeData& b)
      : frame_(frame), trees_{&a, &b} {}

  bool start(Pair& pair) const {
    pair.box = {trees_[0]->box, trees_[1]->box};
    pair.b = frame_.aligned(pair.box[1]);
    return may_meet(pair);
  }
  std::array<bool, 2> split(const Pair& pair, int body, int axis, double cut, std::array<Pair, 2>& parts) const;

 private:
  bool may_meet(const Pair& pair) const { return !frame_.usable || frame_.widened(pair.box[0]).overlaps(pair.b); }

  const BoxTreeFrame& frame_;
  std::array<const BoxTreeData*, 2> trees_;
};

}  // namespace graze::classic::zachmann
