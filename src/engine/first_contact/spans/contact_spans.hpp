// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/limits.hpp"
#include "engine/first_contact/spans/feature_pairs.hpp"

namespace graze::engine::first_contact {

/// Finds the contacts of one feature pair over all of [0, 1].
///
/// While apart, the pair steps along separating directions; each step is certified to stay more than half the tolerance
/// apart. A contact begins where a step ends within the tolerance. It lasts until the pair is certified more than *two*
/// tolerances apart: without this hysteresis, a pair that stays at the tolerance would begin and end arbitrarily often.
/// During the contact it is never more than three tolerances apart. With a separation all of these are beyond it: the
/// flight's tolerance is the separation and the tolerance.
class SpanFinder {
 public:
  /// `parts`: all elementary pairs of the feature that can come near.
  SpanFinder(const Stage& stage, std::span<const ElementaryPair> parts, core::Steps budget);

  /// Adds the contacts in the order of time. False: the budget ran out.
  bool run(std::vector<ContactEvent>& events);

  std::uint64_t steps() const { return steps_; }

 private:
  struct Part {
    LocalPoints a, b;
    double clock;  ///< certified more than half the tolerance apart before this time
  };
  /// One part at an instant.
  struct PartDistance {
    MovingPair p;
    prim::ClosestPair closest;
    double distance;
    double along;  ///< of two edges: the position of the closest point on A's, in [0, 1]
  };

  double separation() const { return f_.options.min_separation; }
  /// So many tolerances beyond the separation.
  double within(double tolerances) const { return separation() + tolerances * (f_.tolerance - separation()); }
  bool take();
  PartDistance look(const Stage::Instant& now, const Part& part) const;
  /// The next beginning of a contact; infinity if there is none.
  double next_touch();
  double end_of_span(double t);
  bool all_apart(const Stage::Instant& now, const std::vector<PartDistance>& seen, double distance) const;
  bool stays_within(double span, const std::vector<PartDistance>& from, const std::vector<PartDistance>& to) const;
  double acceleration_between(const Part& part) const;
  double speed_between(const Part& part) const;
  ContactEvent event(double t) const;
  Vec3 normal(const Stage::Instant& now, const ElementaryPair& pair, const PartDistance& near) const;

  const Stage& stage_;
  const Flight& f_;
  std::span<const ElementaryPair> pairs_;
  std::vector<Part> parts_;
  FeatureKind kind_;
  core::Steps budget_;
  bool exhausted_ = false;
  std::uint64_t steps_ = 0;
};

}  // namespace graze::engine::first_contact
