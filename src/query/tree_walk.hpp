// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include <graze/core/counters.hpp>

#include "core/parallel.hpp"
#include "query/collide/limits.hpp"
#include "query/tree_frame.hpp"

namespace graze::query {

/// Two nodes, one of each tree, whose boxes may meet.
struct NodePair {
  std::uint32_t a, b;
};

/// Receives candidate triangle pairs in the traversal's order; items are positions in the trees' item lists. Called
/// once a pair found, so virtual costs nothing here.
class PairReceiver {
 public:
  virtual ~PairReceiver() = default;
  /// Certified by single precision: the triangles cross.
  virtual void crossing(std::uint32_t item_a, std::uint32_t item_b) = 0;
  /// Single precision cannot tell.
  virtual void undecided(std::uint32_t item_a, std::uint32_t item_b) = 0;

  Counters counters;
  bool done = false;                ///< set when nothing more can change the answer, or nobody wants it any more
  CollideLimits* limits = nullptr;  ///< asked before every pair of nodes
};

/// Walks the pairs on the stack (last first) and all below them, until the receiver is done or `until` pairs wait on
/// the stack. `same`: both are one tree, and each pair of different items is to come once.
void traverse(const WideTree& a, const WideTree& b, bool same, const TreeFrame& frame, std::vector<NodePair>& stack,
              std::size_t until, PairReceiver& receiver);

/// A whole traversal on up to `threads` threads. `make()` makes a receiver; `merge(receiver)` is called for all of them
/// in the order in which one thread would have come to their pairs, up to the first that is done. So the result is the
/// same for any number of threads.
///
/// The walk runs until enough node pairs wait on its stack; each is then a task. A task is not begun once an earlier
/// one is done.
template <class Make, class Merge>
void walk(const WideTree& a, const WideTree& b, bool same, const TreeFrame& frame, int threads, Make&& make,
          Merge&& merge) {
  constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();
  std::vector<NodePair> stack;
  stack.reserve(256);
  stack.push_back({0, 0});
  const auto first = make();
  traverse(a, b, same, frame, stack, threads > 1 ? 64 * static_cast<std::size_t>(threads) : no_limit, *first);
  merge(*first);
  if (first->done || stack.empty()) return;
  std::reverse(stack.begin(), stack.end());
  std::vector<decltype(make())> parts(stack.size());
  std::atomic<std::size_t> done_at{no_limit};
  core::parallel_for(stack.size(), threads, [&](std::size_t i) {
    if (done_at.load() < i) return;
    parts[i] = make();
    std::vector<NodePair> mine{stack[i]};
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
