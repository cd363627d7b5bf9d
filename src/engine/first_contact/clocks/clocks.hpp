// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

#include "core/flat_map.hpp"
#include "engine/first_contact/pair/method.hpp"
#include "engine/first_contact/pair/pair_motion.hpp"
#include "engine/proof/proof.hpp"

namespace graze::engine::first_contact {

/// A node of a tree, or one triangle of a bottom node.
struct Part {
  std::uint32_t code;

  static Part node(std::uint32_t n) { return {n << 4}; }
  static Part triangle(std::uint32_t bottom, std::uint32_t slot) { return {bottom << 4 | slot << 1 | 1}; }
  bool is_triangle() const { return code & 1; }
  std::uint32_t node_index() const { return code >> 4; }
  std::uint32_t slot() const { return code >> 1 & 7; }
};

/// A pair of parts that is certified to stay more than the tolerance apart before `time`.
struct Clock {
  double time;
  Part a, b;
  std::uint32_t proof;  ///< where its proof continues; 0 if none is kept
};

/// A priority queue of clocks, the earliest first. The order of equal times is unspecified but deterministic. A heap
/// with four children per entry: most clocks are late and stay where they are inserted, and removal descends few
/// levels. Four entries are one cache line. The first entries are stored in the queue itself.
class ClockQueue {
 public:
  struct Entry {
    double time = never;
    Part a{}, b{};
  };

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  /// The queue must not be empty.
  double earliest() const { return heap()[0].time; }
  std::pair<Part, Part> earliest_pair() const { return {heap()[0].a, heap()[0].b}; }
  void push(const Clock& c) {
    if (size_ + 4 > capacity()) grow();
    Entry* const heap = this->heap();
    std::size_t at = size_++;
    for (std::size_t above; at > 0 && c.time < heap[above = (at - 1) / 4].time; at = above) heap[at] = heap[above];
    heap[at] = {c.time, c.a, c.b};
    if (c.proof != 0) proofs_.set(key(c.a, c.b), c.proof);
  }
  Clock pop() {
    Entry* const heap = this->heap();
    Clock first{heap[0].time, heap[0].a, heap[0].b, 0};
    const Entry last = heap[--size_];
    heap[size_].time = never;  // entries behind the last are never the earliest of four
    std::size_t at = 0;
    for (std::size_t below = 1; below < size_; below = 4 * at + 1) {
      const std::size_t x = below + (heap[below + 1].time < heap[below].time),
                        y = below + 2 + (heap[below + 3].time < heap[below + 2].time),
                        least = heap[y].time < heap[x].time ? y : x;
      if (!(heap[least].time < last.time)) break;
      heap[at] = heap[least];
      at = least;
    }
    if (size_ > 0) heap[at] = last;
    if (!proofs_.empty()) first.proof = proofs_.take(key(first.a, first.b));
    return first;
  }
  void clear() {
    std::fill_n(heap(), size_, Entry{});  // entries behind the last are never the earliest of four
    size_ = 0;
  }
  /// Removes and returns all clocks, the earliest last.
  std::vector<Clock> take_all() {
    std::vector<Clock> all;
    while (!empty()) all.push_back(pop());
    std::reverse(all.begin(), all.end());
    return all;
  }
  /// Takes over the buffer of an earlier queue, and gives it back.
  void take_memory(std::vector<Entry>&& memory) {
    memory.clear();
    more_ = std::move(memory);
  }
  std::vector<Entry>&& give_memory() { return std::move(more_); }

 private:
  static constexpr double never = std::numeric_limits<double>::infinity();

  /// A pair of parts is in the queue at most once: every pair of triangles is below exactly one pair in the queue.
  static std::uint64_t key(Part a, Part b) { return std::uint64_t{a.code} << 32 | b.code; }
  Entry* heap() { return more_.empty() ? few_.data() : more_.data(); }
  const Entry* heap() const { return more_.empty() ? few_.data() : more_.data(); }
  std::size_t capacity() const { return more_.empty() ? few_.size() : more_.size(); }
  void grow() {
    const bool first = more_.empty();
    more_.resize(2 * capacity());
    if (first) std::copy(few_.begin(), few_.end(), more_.begin());
  }

  std::array<Entry, 128> few_;
  std::vector<Entry> more_;  ///< all entries, once there are many; a few more than there are clocks
  std::size_t size_ = 0;
  core::FlatMap proofs_;  ///< of the clocks in the queue, if proofs are kept
};

/// The earliest contact found: the least (time, triangle of A, triangle of B).
struct Earliest {
  double time = std::numeric_limits<double>::infinity();
  std::uint32_t a = 0, b = 0;

  /// Nothing after this can change the answer.
  double limit() const { return std::min(time, 1.0); }
  void offer(double t, std::uint32_t ta, std::uint32_t tb) {
    if (std::tuple(t, ta, tb) < std::tuple(time, a, b)) *this = {t, ta, tb};
  }
};

/// The least distance found so far; the search for it certifies distances of at least `share` of it.
struct LeastDistance {
  double share = 1 - 1e-5;
  double rounding = 0;  ///< of positions; offered values exceed the distance by as much
  double upper = std::numeric_limits<double>::infinity(), time = 0;
  double floor =
      std::numeric_limits<double>::infinity();  ///< certified where double precision could not prove `share` of it

  void offer(double distance, double t) {
    if (!(distance < upper)) return;
    upper = distance;
    time = t;
  }
  /// Clocks know distances to within the rounding error bound. Where that is not small compared with the 1e-5, part of
  /// it is given up, so that steps at the least distance can still advance.
  double kept() const { return share * upper - 4 * rounding; }
  double lower() const { return std::max(0.0, std::min(kept(), floor)); }
};

/// A search in progress.
struct Search {
  const Flight& flight;
  const PairMotion& pairs;
  core::Steps budget;
  ClockQueue queue;
  std::vector<Clock> now =
      {};  ///< clocks that did not advance when they were made: they are processed first and bypass the queue
  Earliest earliest = {};
  AllCounters counters = {};
  proof::Proof* proof = nullptr;
  LeastDistance* least = nullptr;         ///< search for the least distance instead of the first contact
  std::atomic<double>* shared = nullptr;  ///< the earliest contact found by any thread
  std::size_t until = std::numeric_limits<std::size_t>::max();  ///< stop when there are this many clocks

  /// Nothing after this can change the answer; negative: nothing at all can.
  double limit() const {
    const double own = earliest.limit();
    // first_contact.cpp examines a start within the tolerance, whichever pair has it.
    if (own == 0) return -1;
    return shared ? std::min(own, shared->load(std::memory_order_relaxed)) : own;
  }
  void offer(double t, std::uint32_t ta, std::uint32_t tb) {
    earliest.offer(t, ta, tb);
    if (!shared) return;
    for (double seen = shared->load(); t < seen && !shared->compare_exchange_weak(seen, t);) {
    }
  }
  /// The distance that clocks keep.
  double kept() const { return (least ? least->kept() : pairs.tolerance()) + pairs.rounding(); }
};

/// `contact` at the earliest, or `free`.
void report(const Earliest& earliest, Found& found);

/// Processes clocks, earliest first, until none is left before the earliest contact, or `until` are waiting. False:
/// a budget ran out.
bool run_clocks(Search& search);

}  // namespace graze::engine::first_contact
