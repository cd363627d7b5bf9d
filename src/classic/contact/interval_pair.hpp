// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <limits>

#include <graze/core/method_counters.hpp>

#include "classic/contact/interval_scene.hpp"
#include "prim/moving/edge_edge.hpp"
#include "prim/moving/vertex_face.hpp"

namespace graze::classic::contact {

/// Two triangles of a flight: the fifteen elementary tests of CONTACT 4.2.
///
/// The first contact of the pair is defined independently of the search: in the bisection tree of [0, 1], first half
/// first, the first time t that starts an interval no wider than the feature pair's threshold (eq. 11), which the test
/// cannot exclude, and at which the triangles are within the tolerance. So every search that skips only times at which
/// the triangles are further apart than the tolerance finds the same bits.
class IntervalPair {
 public:
  static constexpr double never = std::numeric_limits<double>::infinity();

  /// `work`: the number of bisections allowed for the whole query.
  IntervalPair(IntervalScene& scene, AllCounters& counters, std::uint64_t work, const std::array<Vec3, 3>& a,
               const std::array<Vec3, 3>& b);

  /// Before t the pair is known to be apart or separating: nothing there counts as contact.
  void ignore_before(double t) { ignored_ = t; }

  /// Does the pair start within the tolerance? If not, is it certified to be apart at 0?
  enum class Start { near, apart, unknown };
  Start start();

  /// The first contact in [lo, hi], searched for from `root_lo`, `root_hi`, an interval of the bisection tree; `never`
  /// if there is none: then the elementary tests have excluded all of [lo, hi], or it contains no time within the
  /// tolerance.
  double first(double root_lo, double root_hi, double lo, double hi);

  /// The earliest time at which an interval could neither be excluded nor accepted down to the resolution of time (only
  /// for caller-defined motions whose bounds do not improve with shorter spans), or within the allowed work.
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
  AllCounters& counters_;
  std::uint64_t work_;
  std::array<Vec3, 3> a_, b_;
  std::array<double, 3> speed_a_, speed_b_, edge_b_;
  prim::MovingVertexFace face_a_, face_b_;
  double unresolved_ = never, ignored_ = 0;
  // The last distance computed: many features share their last intervals.
  double last_time_ = -1;
  bool last_within_ = false;
};

}  // namespace graze::classic::contact
