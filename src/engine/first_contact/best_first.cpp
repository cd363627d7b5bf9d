// SPDX-License-Identifier: MIT
#include "engine/first_contact/best_first.hpp"

#include <atomic>
#include <optional>

#include "core/parallel.hpp"
#include "engine/first_contact/certificate.hpp"
#include "engine/first_contact/clocks/clocks.hpp"
#include "engine/first_contact/own_pair.hpp"
#include "engine/first_contact/pair/coherence.hpp"

namespace graze::engine::first_contact {

void report(const Earliest& earliest, Found& found) {
  if (earliest.time <= 1) {
    found.status = Status::contact;
    found.safe = found.touch = earliest.time;
    found.triangle_a = earliest.a;
    found.triangle_b = earliest.b;
  } else {
    found.status = Status::free;
    found.safe = 1;
  }
}

namespace {

constexpr Clock whole{0, {0}, {0}, 0};

/// Memory that a search leaves to the next one of the same pair. It cannot change an answer.
struct BestFirstMemory : FirstContactMemory {
  std::vector<ClockQueue::Entry> queue;
  std::vector<Clock> now;
};

BestFirstMemory* memory_of(const Flight& f) {
  if (!f.options.coherence) return nullptr;
  auto& kept = f.options.coherence->state().best_first;
  if (!kept) kept = std::make_unique<BestFirstMemory>();
  return static_cast<BestFirstMemory*>(kept.get());
}

/// Gives a search the buffers of the last one, and takes them back.
class LentMemory {
 public:
  LentMemory(BestFirstMemory* memory, Search& search) : memory_(memory), search_(search) {
    if (!memory_) return;
    search_.queue.take_memory(std::move(memory_->queue));
    search_.now = std::move(memory_->now);
    search_.now.clear();
  }
  ~LentMemory() {
    if (!memory_) return;
    memory_->queue = search_.queue.give_memory();
    memory_->now = std::move(search_.now);
  }
  LentMemory(const LentMemory&) = delete;
  LentMemory& operator=(const LentMemory&) = delete;

 private:
  BestFirstMemory* memory_;
  Search& search_;
};

/// One thread processes the first clocks; then each thread gets a share of the rest. All threads stop at the earliest
/// contact that any has found. The contact of a pair does not depend on the thread or the order, so the least is the
/// same.
bool run_in_parallel(Search& search) {
  const int threads = search.flight.options.threads;
  search.until = 32 * static_cast<std::size_t>(threads);
  if (!run_clocks(search)) return false;
  if (search.queue.empty() || search.queue.earliest() > search.limit()) return true;
  std::atomic<double> shared{search.limit()};
  std::vector<Search> parts;
  for (int i = 0; i < threads; ++i) {
    parts.push_back({.flight = search.flight, .pairs = search.pairs, .budget = search.budget, .queue = {}});
    parts.back().earliest = search.earliest;
    parts.back().shared = &shared;
  }
  const std::vector<Clock> waiting = search.queue.take_all();
  for (std::size_t i = 0; i < waiting.size(); ++i) parts[i % parts.size()].queue.push(waiting[waiting.size() - 1 - i]);
  std::vector<char> ended(parts.size());
  core::parallel_for(parts.size(), threads, [&](std::size_t i) { ended[i] = run_clocks(parts[i]); });
  for (Search& part : parts) {
    search.counters += part.counters;
    search.earliest.offer(part.earliest.time, part.earliest.a, part.earliest.b);
    if (!part.queue.empty()) search.queue.push(part.queue.pop());  // of what is left, only the earliest time matters
  }
  return std::all_of(ended.begin(), ended.end(), [](char x) { return x != 0; });
}

}  // namespace

Clearance least_clearance(const Flight& f, std::span<const Clearance> seen, AllCounters& counters) {
  LeastDistance least;
  for (const Clearance& c : seen) least.offer(c.upper, c.time);
  if (!f.motion_a.kinematic() || !f.motion_b.kinematic()) {
    least.share =
        1 - 1e-3;  // steps are bounded by travelled distance, not by velocity along the direction, and so are short
    const bool ended = run_own_clearance(f, least, counters);
    return Clearance{ended ? least.lower() : 0, least.upper, least.time};
  }
  const Kinematics kinematics(f.a, f.motion_a, f.b, f.motion_b);
  const PairMotion pairs(f.a, f.b, kinematics, f.tolerance);
  least.rounding = pairs.rounding();
  Search search{.flight = f, .pairs = pairs, .budget = core::Steps(f.options.work), .queue = {}};
  const LentMemory lent(memory_of(f), search);
  search.queue.push(whole);
  search.least = &least;
  const bool ended = run_clocks(search);
  counters += search.counters;
  return Clearance{ended ? least.lower() : 0, least.upper, least.time};
}

void BestFirst::run(const Flight& f, Found& found) {
  if (!f.motion_a.kinematic() || !f.motion_b.kinematic()) return run_own_clocks(f, found);
  const Kinematics kinematics(f.a, f.motion_a, f.b, f.motion_b);
  const PairMotion pairs(f.a, f.b, kinematics, f.tolerance, f.options.ignore_start_if_separating,
                         f.options.min_separation);
  std::optional<proof::Proof> proof;
  Search search{.flight = f, .pairs = pairs, .budget = core::Steps(f.options.work), .queue = {}};
  const LentMemory lent(memory_of(f), search);
  search.queue.push(whole);
  if (f.options.certificate) search.proof = &proof.emplace();
  // A work budget counts the steps of one thread, and a certificate needs one sequential search.
  const bool alone = f.options.threads == 1 || f.options.work > 0 || f.options.certificate;
  const bool ended = alone ? run_clocks(search) : run_in_parallel(search);
  found.counters += search.counters;
  if (ended) {
    report(search.earliest, found);
  } else {
    found.status = Status::undecided;
    found.safe = search.queue.empty() ? search.limit() : std::min(search.queue.earliest(), search.limit());
  }
  if (f.options.certificate) found.certificate = write_certificate(f, *proof, found.safe);
}

}  // namespace graze::engine::first_contact
