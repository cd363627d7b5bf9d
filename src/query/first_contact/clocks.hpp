// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "query/first_contact/budget.hpp"
#include "query/first_contact/method.hpp"
#include "query/first_contact/pair_motion.hpp"
#include "query/first_contact/proof.hpp"

namespace graze::query {

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
  std::uint32_t proof;  ///< where its proof goes on; 0 if none is kept

  /// For a heap whose top is the earliest.
  friend bool operator<(const Clock& x, const Clock& y) {
    if (x.time != y.time) return x.time > y.time;
    return x.a.code != y.a.code ? x.a.code > y.a.code : x.b.code > y.b.code;
  }
};

/// Clocks that wait, the earliest first out. Most of them are never taken out, because a contact ends the search before
/// their time: only the early ones are kept in order, the others lie in a heap of the other kind.
class ClockQueue {
 public:
  bool empty() const { return early_.empty() && late_.empty(); }
  std::size_t size() const { return early_.size() + late_.size(); }
  /// Not if empty.
  double earliest() {
    if (early_.empty()) refill();
    return early_.front().time;
  }
  Clock pop() {
    if (early_.empty()) refill();
    std::pop_heap(early_.begin(), early_.end());
    const Clock c = early_.back();
    early_.pop_back();
    return c;
  }
  void push(const Clock& c) {
    if (!(c.time <= until_)) return late_.push_back(c);
    early_.push_back(c);
    std::push_heap(early_.begin(), early_.end());
  }
  /// All of them, the earliest last; none is left.
  std::vector<Clock> take_all() {
    early_.insert(early_.end(), late_.begin(), late_.end());
    late_.clear();
    std::sort(early_.begin(), early_.end());
    return std::exchange(early_, {});
  }

 private:
  /// The earliest few of the late ones.
  void refill() {
    const auto few =
        static_cast<std::ptrdiff_t>(std::min(late_.size() - 1, std::max<std::size_t>(8, late_.size() / 8)));
    // The earliest come last, so that they can be taken off.
    std::nth_element(late_.begin(), late_.end() - 1 - few, late_.end());
    const auto first = late_.end() - 1 - few;
    until_ = first->time;
    early_.assign(first, late_.end());
    late_.erase(first, late_.end());
    std::make_heap(early_.begin(), early_.end());
  }

  std::vector<Clock> early_, late_;  ///< a heap; in no order, none earlier than `until_`
  double until_ = -1;
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
  double upper = std::numeric_limits<double>::infinity(), time = 0;
  double floor = std::numeric_limits<double>::infinity();  ///< certified where doubles did not see `share` of it

  void offer(double distance, double t) {
    if (!(distance < upper)) return;
    upper = distance;
    time = t;
  }
  double kept() const { return share * upper; }
  double lower() const { return std::max(0.0, std::min(kept(), floor)); }
};

/// A search in progress.
struct Search {
  const Flight& flight;
  const PairMotion& pairs;
  Budget budget;
  ClockQueue queue;
  Earliest earliest = {};
  Counters counters = {};
  Proof* proof = nullptr;
  LeastDistance* least = nullptr;         ///< asks for the least distance instead of the first contact
  std::atomic<double>* shared = nullptr;  ///< the earliest contact found by any thread
  std::size_t until = std::numeric_limits<std::size_t>::max();  ///< stop when so many clocks wait

  /// Nothing after this can change the answer; negative: nothing at all can.
  double limit() const {
    const double own = earliest.limit();
    // A start within the tolerance is looked into by first_contact.cpp, whichever pair shows it.
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

/// Takes clocks off the queue, earliest first, until none is left before the earliest contact, or `until` wait. False:
/// a budget ran out.
bool run_clocks(Search& search);

}  // namespace graze::query
