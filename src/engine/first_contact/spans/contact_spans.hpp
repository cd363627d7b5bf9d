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
/// Apart, it steps along separating directions, each step certified to stay more than half the tolerance apart; a
/// contact begins where a step ends within the tolerance. It lasts until the pair is certified more than *two*
/// tolerances apart: without that distance between beginning and end, a pair that stays at the tolerance would begin
/// and end without number. In between it is never more than three tolerances apart.
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
    double clock;  ///< more than half the tolerance apart before
  };
  /// One part at an instant.
  struct Nearness {
    MovingPair p;
    prim::ClosestPair closest;
    double distance;
    double along;  ///< of two edges: where on A's the closest point lies, in [0, 1]
  };

  bool take();
  Nearness look(const Stage::Instant& now, const Part& part) const;
  /// The next beginning of a contact; infinity if there is none.
  double next_touch();
  double end_of_span(double t);
  bool all_apart(const Stage::Instant& now, const std::vector<Nearness>& seen, double distance) const;
  bool stays_within(double span, const std::vector<Nearness>& from, const std::vector<Nearness>& to) const;
  double bend_between(const Part& part) const;
  double speed_between(const Part& part) const;
  ContactEvent event(double t) const;
  Vec3 normal(const Stage::Instant& now, const ElementaryPair& pair, const Nearness& near) const;

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
