// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <graze/broad/broad_phase.hpp>
#include <graze/core/export.hpp>
#include <graze/math/box3.hpp>

namespace graze::gpu {

/// The pairs that `OverlappingBoxes::find` has found.
struct BoxPairsFound {
  /// In the device's memory, ordered by (a, b); valid until the next call.
  std::span<const BoxPair> on_device;
  std::size_t repeated = 0;  ///< how often a list was too short, and the work was done again with more room
  double seconds = 0;
};

/// Which of many boxes overlap: the question of `BroadPhase::pairs` asked on the device, for boxes that all move. Boxes
/// that only touch overlap. Decided exactly for the given boxes; the same pairs in the same order as on the CPU, in
/// every run. Nothing is kept from call to call but memory: with as many boxes and pairs as before nothing is
/// allocated. Not for two calls at the same time.
class GRAZE_API OverlappingBoxes {
 public:
  /// Throws `Error` (unsupported) if there is no device to use.
  OverlappingBoxes();
  ~OverlappingBoxes();
  OverlappingBoxes(OverlappingBoxes&&) noexcept;
  OverlappingBoxes& operator=(OverlappingBoxes&&) noexcept;

  /// Box i has the id i. Returns when the pairs are there. `stream`: a cudaStream_t with which the call is ordered;
  /// none: a stream of its own. Throws `Error`: not_finite or bad_option (an empty box; the message names the first one
  /// that is wrong), too_large (more than 2^26 boxes, or more pairs than 2^32), or if the device fails.
  BoxPairsFound find(std::span<const Box3> boxes, void* stream = nullptr);
  /// The same with the boxes in the memory of the device that is in use.
  BoxPairsFound find_on_device(std::span<const Box3> boxes, void* stream = nullptr);
  /// Copies the pairs of the last call.
  void download(std::vector<BoxPair>& pairs) const;
  std::size_t device_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace graze::gpu
