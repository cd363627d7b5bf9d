// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <memory_resource>
#include <vector>

#include <graze/core/counters.hpp>

#include "core/parallel.hpp"
#include "query/collide/limits.hpp"
#include "query/tree_frame.hpp"

namespace graze::query {

class StarCones;

/// Two nodes, one of each tree, whose boxes may meet.
struct NodePair {
  std::uint32_t a, b;
};

/// Those that wait. A query of two bodies hardly ever has so many that they do not fit on the stack of its thread.
using NodePairs = std::pmr::vector<NodePair>;

/// Receives candidate triangle pairs in the traversal's order; items are positions in the trees' item lists. Called
/// once a pair found, so virtual costs nothing here.
class PairReceiver {
 public:
  PairReceiver() = default;
  PairReceiver(const PairReceiver&) = delete;
  PairReceiver& operator=(const PairReceiver&) = delete;
  virtual ~PairReceiver() = default;
  /// Certified by single precision: the triangles cross.
  virtual void crossing(std::uint32_t item_a, std::uint32_t item_b) = 0;
  /// Single precision cannot tell.
  virtual void undecided(std::uint32_t item_a, std::uint32_t item_b) = 0;

  Counters counters;
  bool done = false;                 ///< set when nothing more can change the answer, or nobody wants it any more
  CollideLimits* limits = nullptr;   ///< asked before every pair of nodes
  const StarCones* stars = nullptr;  ///< of a body against itself: leave pairs of nodes that only share a vertex
};

/// Walks the pairs on the stack (last first) and all below them, until the receiver is done or it has looked at
/// `visits` pairs. `same`: both are one tree, and each pair of different items is to come once.
void traverse(const WideTree& a, const WideTree& b, bool same, const TreeFrame& frame, NodePairs& stack,
              std::uint64_t visits, PairReceiver& receiver);

/// Puts in the place of every pair on the stack what it opens to; bottom nodes stay. Walked afterwards, the stack gives
/// the same pairs in the same order.
void open_all(const WideTree& a, const WideTree& b, bool same, const TreeFrame& frame, NodePairs& stack,
              PairReceiver& receiver);

/// A whole traversal on up to `threads` threads. `make()` makes a receiver, which need not be movable;
/// `merge(receiver)` is called for all of them in the order in which one thread would have come to their pairs, up to
/// the first that is done. So the result is the same for any number of threads.
///
/// A question that is answered within `alone` pairs is not worth a second thread. What waits then is opened, level by
/// level, until there is enough to share out. A task, some pairs that follow each other, is not begun once an earlier
/// one is done.
template <class Make, class Merge>
void walk(const WideTree& a, const WideTree& b, bool same, const TreeFrame& frame, int threads, Make&& make,
          Merge&& merge) {
  constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max(), alone = 256;
  // One thread asks nothing of the heap: what other libraries and the program do there between two queries would have
  // pushed it out of the caches.
  constexpr std::size_t room = 256;
  alignas(NodePair) std::byte space[room * sizeof(NodePair)];
  std::pmr::monotonic_buffer_resource on_stack(space, sizeof(space));
  NodePairs stack(&on_stack);
  stack.reserve(room);
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
    merge(*part);  // never null here: a skipped task has one before it that is done
    if (part->done) return;
  }
}

}  // namespace graze::query
