// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/limits.hpp"
#include "engine/first_contact/pair/method.hpp"

namespace graze::engine::first_contact {

/// A ball in a body's own coordinates.
struct LocalBall {
  Vec3 centre;
  double radius;
};

/// Certified steps for user-defined motions, of which only placements and `travel` are known.
class OwnPairs {
 public:
  explicit OwnPairs(const Flight& flight) : f_(flight) {}

  /// Both bodies at t: midpoints of the interval placements, relative to B's position, and the error of a point at most
  /// `far` from the origin of its body.
  struct Moment {
    Placement a, b;
    double error;
  };
  Moment at(double t) const;

  /// The end of a step from t, at most 1, during which two balls that are `apart` along n (unit, from A to B; the
  /// tolerance to keep is already subtracted) cannot meet; t itself if none is found; infinity if it reaches 1.
  double step(double t, const Vec3& n, double apart, const LocalBall& a, const LocalBall& b) const;

  /// As PairMotion::solve.
  std::optional<double> solve(std::uint32_t ta, std::uint32_t tb, double until, core::Steps& budget,
                              AllCounters& counters) const;
  /// One step of two triangles from t, keeping `target` apart: its end (infinity: to the end), or t if they are not
  /// that far apart or nothing is certified. `distance` is theirs at t.
  double advance(double t, std::uint32_t ta, std::uint32_t tb, double target, double& distance, double& error) const;

  LocalBall ball_a(std::uint32_t triangle) const;
  LocalBall ball_b(std::uint32_t triangle) const;

 private:
  const Flight& f_;
};

/// Best-first search over balls around the nodes, for such motions.
void run_own_clocks(const Flight& flight, Found& found);

struct LeastDistance;
/// The same for the least distance of bodies that do not touch; false if the budget ran out.
bool run_own_clearance(const Flight& flight, LeastDistance& least, AllCounters& counters);

}  // namespace graze::engine::first_contact
