// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <limits>

#include <graze/core/counters.hpp>

#include "prim/moving_edge_edge.hpp"
#include "prim/moving_vertex_face.hpp"
#include "query/first_contact/interval_scene.hpp"

namespace graze::query {

/// Two triangles of a flight: the fifteen elementary tests of CONTACT 4.2.
///
/// The first contact of the pair is defined without regard to how it is searched for: in the tree of halved intervals
/// under [0, 1], first half first, the first time t that starts an interval no wider than the feature pair's threshold
/// (eq. 11), which the test cannot exclude, and at which the triangles are within the tolerance. So any search that
/// leaves out only times at which the triangles are further apart than the tolerance finds the same bits.
class IntervalPair {
 public:
  static constexpr double never = std::numeric_limits<double>::infinity();

  /// `work`: bisections that the whole query may take.
  IntervalPair(IntervalScene& scene, Counters& counters, std::uint64_t work, const std::array<Vec3, 3>& a,
               const std::array<Vec3, 3>& b);

  /// Before t the pair is known to be apart or opening: nothing there counts as contact.
  void ignore_before(double t) { ignored_ = t; }

  /// Does the pair start within the tolerance? If not, is it certainly apart at 0?
  enum class Start { near, apart, unknown };
  Start start();

  /// The first contact in [lo, hi], searched for from `root_lo`, `root_hi`, an interval of the tree; `never` if there
  /// is none, and then the elementary tests have excluded all of [lo, hi] or it holds no time within the tolerance.
  double first(double root_lo, double root_hi, double lo, double hi);

  /// The earliest time at which an interval could neither be excluded nor accepted down to the resolution of time (only
  /// for a caller's own motions whose bounds do not get better with shorter spans), or with the work allowed.
  double unresolved() const { return unresolved_; }

 private:
  struct Search {
    double root_lo, root_hi, lo, hi;
  };
  template <class MayMeet>
  double first_root(const Search& search, double threshold, MayMeet&& may_meet);
  bool within_tolerance(double t);
  double threshold(double speed) const;

  IntervalScene& scene_;
  Counters& counters_;
  std::uint64_t work_;
  std::array<Vec3, 3> a_, b_;
  std::array<double, 3> speed_a_, speed_b_, edge_b_;
  prim::MovingVertexFace face_a_, face_b_;
  double unresolved_ = never, ignored_ = 0;
  // The last distance asked for: many features have their last intervals in common.
  double last_time_ = -1;
  bool last_within_ = false;
};

}  // namespace graze::query
