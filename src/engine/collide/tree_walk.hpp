// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include <graze/core/counters.hpp>

#include "body/tree_frame.hpp"
#include "core/arena.hpp"
#include "core/parallel.hpp"
#include "engine/collide/limits.hpp"

namespace graze::engine::collide {

class FanNodes;

/// Two nodes, one of each tree, whose boxes may meet.
struct NodePair {
  std::uint32_t a, b;
};

/// Pending pairs. For a query of two bodies they nearly always fit on the thread's stack.
using NodePairs = core::ArenaVector<NodePair>;

/// Receives candidate triangle pairs in traversal order; items are positions in the trees' item lists. Called once per
/// found pair, so the cost of a virtual call is negligible.
class PairReceiver {
 public:
  PairReceiver() = default;
  PairReceiver(const PairReceiver&) = delete;
  PairReceiver& operator=(const PairReceiver&) = delete;
  virtual ~PairReceiver() = default;
  /// Single precision certifies that the triangles cross.
  virtual void crossing(std::uint32_t item_a, std::uint32_t item_b) = 0;
  /// Single precision cannot decide.
  virtual void undecided(std::uint32_t item_a, std::uint32_t item_b) = 0;

  Counters counters;
  bool done = false;               ///< set when nothing can change the answer any more, or it is no longer needed
  core::Limits* limits = nullptr;  ///< checked before every node pair
  const FanNodes* fans = nullptr;  ///< for a body against itself: skip node pairs that meet only in what they share
};

/// Traverses the pairs on the stack (last first) and all pairs below them, until the receiver is done or `visits` pairs
/// have been visited. `same`: both trees are the same object, and each pair of different items is reported once.
void traverse(const body::WideTree& a, const body::WideTree& b, bool same, const body::TreeFrame& frame,
              NodePairs& stack, std::uint64_t visits, PairReceiver& receiver);

/// Replaces every pair on the stack by its child pairs; pairs of bottom nodes stay. Traversing the stack afterwards
/// gives the same pairs in the same order.
void open_all(const body::WideTree& a, const body::WideTree& b, bool same, const body::TreeFrame& frame,
              NodePairs& stack, PairReceiver& receiver);

/// A complete traversal on up to `threads` threads. `make()` constructs a receiver, which need not be movable;
/// `merge(receiver)` is called for all receivers in the order in which one thread would have reached their pairs, up to
/// the first that is done. So the result is the same for any number of threads.
///
/// A query answered within `alone` pairs is not worth a second thread. Otherwise the pending pairs are opened, level by
/// level, until there are enough to distribute. A task is a run of consecutive pairs; it is not started once an earlier
/// one is done.
template <class Make, class Merge>
void walk(const body::WideTree& a, const body::WideTree& b, bool same, const body::TreeFrame& frame, int threads,
          Make&& make, Merge&& merge) {
  constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max(), alone = 256;
  // A single thread allocates nothing on the heap: other code that uses the heap between two queries would have evicted
  // it from the caches.
  constexpr std::size_t capacity = 256;
  alignas(NodePair) std::byte space[capacity * sizeof(NodePair)];
  core::Arena on_stack(space, sizeof(space));
  NodePairs stack(&on_stack);
  stack.reserve(capacity);
  stack.push_back({0, 0});
  auto first = make();
  traverse(a, b, same, frame, stack, threads > 1 ? alone : no_limit, first);
  const std::size_t enough = 32 * static_cast<std::size_t>(threads);
  for (int level = 0; threads > 1 && level < 4 && !stack.empty() && stack.size() < enough; ++level)
    open_all(a, b, same, frame, stack, first);
  merge(first);
  if (first.done || stack.empty()) return;
  using Receiver = decltype(make());
  const std::size_t tasks = std::min(stack.size(), 16 * static_cast<std::size_t>(threads));
  std::vector<std::unique_ptr<Receiver>> parts(tasks);
  std::atomic<std::size_t> done_at{std::numeric_limits<std::size_t>::max()};
  core::parallel_for(tasks, threads, [&](std::size_t i) {
    if (done_at.load() < i) return;
    parts[i].reset(new Receiver(make()));
    // The end of the stack comes first.
    const auto from = [&](std::size_t task) {
      return static_cast<std::ptrdiff_t>(stack.size() * (tasks - task) / tasks);
    };
    NodePairs mine(stack.begin() + from(i + 1), stack.begin() + from(i));
    traverse(a, b, same, frame, mine, no_limit, *parts[i]);
    if (!parts[i]->done) return;
    for (std::size_t seen = done_at; i < seen && !done_at.compare_exchange_weak(seen, i);) {
    }
  });
  for (const auto& part : parts) {
    merge(*part);  // never null here: before a skipped task there is one that is done
    if (part->done) return;
  }
}

}  // namespace graze::engine::collide
