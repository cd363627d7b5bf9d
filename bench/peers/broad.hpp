// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <graze/broad/broad_phase.hpp>

#include "scene/moving_boxes.hpp"

namespace graze::bench {

/// A broad phase, ours or a peer's, that follows a flight.
class BroadRunner {
 public:
  virtual ~BroadRunner() = default;
  virtual std::string name() const = 0;
  /// Moves what moves to where it is in this frame and finds the pairs; returns how many. This is what is timed.
  virtual std::size_t frame(std::size_t f) = 0;
  /// The pairs of the last frame, in any order; never timed.
  virtual std::vector<BoxPair> found() = 0;
  /// Does it report pairs of boxes that are only near each other, too?
  virtual bool reports_more() const { return false; }
  virtual std::size_t bytes() const { return 0; }
};

/// `only_moved`: asks for pairs with a body that moved. The flight must outlive the runner.
std::unique_ptr<BroadRunner> graze_broad(const BoxFlight& flight, const BroadOptions& options, bool only_moved);

// Nothing where the peer is not installed.
std::unique_ptr<BroadRunner> bullet_broad(const BoxFlight& flight);
std::unique_ptr<BroadRunner> fcl_broad(const BoxFlight& flight);

}  // namespace graze::bench
