// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <graze/broad/broad_phase.hpp>

#include "scene/moving_boxes.hpp"

namespace graze::bench {

/// A broad phase, of graze or a peer, that is run over the frames of a flight.
class BroadRunner {
 public:
  virtual ~BroadRunner() = default;
  virtual std::string name() const = 0;
  /// Moves the moving boxes to their positions in this frame and finds the pairs; returns their number. Only this call
  /// is timed.
  virtual std::size_t frame(std::size_t f) = 0;
  /// The pairs of the last frame, in any order; never timed.
  virtual std::vector<BoxPair> found() = 0;
  /// Does it also report pairs of boxes that are only near each other?
  virtual bool reports_more() const { return false; }
  virtual std::size_t bytes() const { return 0; }
};

/// `only_moved`: requests only pairs with a moved body. The flight must outlive the runner.
std::unique_ptr<BroadRunner> graze_broad(const BoxFlight& flight, const BroadOptions& options, bool only_moved);

// Empty if the peer is not installed.
std::unique_ptr<BroadRunner> bullet_broad(const BoxFlight& flight);
std::unique_ptr<BroadRunner> fcl_broad(const BoxFlight& flight);

}  // namespace graze::bench
