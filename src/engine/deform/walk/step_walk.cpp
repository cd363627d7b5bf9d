// SPDX-License-Identifier: MIT
#include "engine/deform/walk/step_walk.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/chunks.hpp"
#include "core/clock.hpp"
#include "core/counter_sum.hpp"
#include "core/limits.hpp"
#include "math/vectors.hpp"

namespace graze::engine::deform {

namespace {

/// Number of candidates tested together: their list and points stay in the inner caches.
constexpr std::size_t portion = 2048;

/// Gaps are tested until a time that is certainly not before the contact:
/// a time from 0 to 1, rounded up. Times that underflow become 2^-149, and 1 stays 1.
float not_before(const DeformContact& c) {
  return std::min(1.0f, std::nextafter(static_cast<float>(c.time.touch), std::numeric_limits<float>::max()));
}

/// The times until which the search for the earliest contact is made, one after the other. Only the last one without
/// limits: several take longer.
constexpr float all_passes[] = {0x1p-6f, 0x1p-3f, 1};

/// Numbers below a power of two in bit-reversed order: the first few are already spread over the whole range.
std::size_t spread(std::size_t number, std::size_t power) {
  std::size_t turned = 0;
  for (std::size_t bit = 1; bit < power; bit *= 2) turned = 2 * turned + (number / bit & 1);
  return turned;
}

}  // namespace

void StepWalk::Lane::clear() {
  walk.begin_step();
  candidates.clear();
  tests.clear();
  walking = asking = 0;
}

void StepWalk::Lane::ask(const StepQuestion& question) {
  const double begin = core::now();
  tests.ask(question.features, candidates);
  tests.counters += candidates.counters;
  candidates.clear();
  asking += core::now() - begin;
}

void StepWalk::Lane::run(const StepQuestion& question, std::span<const PatchPair> pairs) {
  begin_walk(pairs, stack);
  core::Poll poll;
  for (bool more = true; more;) {
    poll();
    const double begin = core::now();
    more = walk.next(question.search, stack, portion, candidates);
    walking += core::now() - begin;
    if (more) ask(question);
  }
}

void StepWalk::begin(int threads) {
  while (lanes_.size() < static_cast<std::size_t>(threads)) lanes_.push_back(std::make_unique<Lane>());
  for (const auto& lane : lanes_) lane->clear();
}

void StepWalk::collect(const StepQuestion& question, DeformResult& result, double seconds) {
  double walking = 0, asking = 0;
  for (const auto& lane : lanes_) {
    walking += lane->walking;
    asking += lane->asking;
    core::report(lane->tests.counters, result.counters, question.method_counters);
    result.contacts.insert(result.contacts.end(), lane->tests.contacts.begin(), lane->tests.contacts.end());
  }
  // Threads run in parallel: the wall-clock time is divided in the ratio of their times.
  const double share = walking + asking > 0 ? walking / (walking + asking) : 1;
  result.seconds.traversal = share * seconds;
  result.seconds.elementary = (1 - share) * seconds;
}

void StepWalk::find_all(const StepQuestion& question, DeformResult& result) {
  if (core::current_limits()) certify(question, result);
  const double start = core::now();
  begin(question.threads);
  const auto threads = static_cast<std::size_t>(question.threads);
  const auto orphans = [&](Lane& lane) {
    if (question.orphans) add_orphans(question.search, *question.orphans, question.left.proved, lane.candidates);
  };
  if (threads == 1) {
    lanes_[0]->run(question, question.left.pairs);
    orphans(*lanes_[0]);
  } else {
    parts_.cut(question.search, question.left.pairs, lanes_[0]->candidates);
    core::in_lanes(parts_.count() + 1, threads, [&](std::size_t lane, std::size_t i) {
      if (i < parts_.count())
        lanes_[lane]->run(question, parts_[i]);
      else
        orphans(*lanes_[lane]);
    });
  }
  core::parallel_for(threads, question.threads, [&](std::size_t lane) { lanes_[lane]->ask(question); });
  certified_ = std::min(1.0, safe());
  collect(question, result, core::now() - start);
}

double StepWalk::safe() const {
  double safe = math::infinity;
  for (const auto& lane : lanes_) safe = std::min(safe, lane->tests.safe);
  return safe;
}

bool StepWalk::touched() const {
  return std::any_of(lanes_.begin(), lanes_.end(), [](const auto& lane) { return lane->tests.touched; });
}

/// Works in rounds of parts, each round as large as all before. In a round all parts start from the earliest contact of
/// the previous rounds, and each part also uses its own contacts. So the work does not depend on the number of threads.
/// A few candidates of parts spread over the range come first, so that a horizon is known before most of the traversal.
/// Then the parts follow in order, because neighbours use the same memory.
void StepWalk::find_earliest(const StepQuestion& question, DeformResult& result) {
  const std::span<const float> all(all_passes);
  find_earliest(question, core::current_limits() ? all : all.last(1), result);
}

void StepWalk::certify(StepQuestion question, DeformResult& result) {
  question.features.all = false;
  DeformResult first;
  find_earliest(question, std::span(all_passes).first(2), first);
  result.counters += first.counters;
}

void StepWalk::find_earliest(const StepQuestion& question, std::span<const float> passes, DeformResult& result) {
  const double start = core::now();
  certified_ = 0;
  begin(question.threads);
  const auto keep = [&](const std::vector<DeformContact>& found) {
    if (!found.empty() && (result.contacts.empty() || earlier(found[0], result.contacts[0])))
      result.contacts.assign(1, found[0]);
  };
  Lane& first = *lanes_[0];
  parts_.cut(question.search, question.left.pairs, first.candidates);
  if (question.orphans) add_orphans(question.search, *question.orphans, question.left.proved, first.candidates);
  first.ask(question);
  keep(first.tests.contacts);
  const std::size_t parts = parts_.count();
  if (earliest_.size() < parts) earliest_.resize(parts);
  const auto threads = static_cast<std::size_t>(question.threads);
  for (const float until : passes) {
    const auto horizon = [&] {
      return result.contacts.empty() ? until : std::min(until, not_before(result.contacts[0]));
    };
    for (std::size_t p = 0; p < parts; ++p) {
      begin_walk(parts_[p], earliest_[p].stack);
      earliest_[p].found.clear();
    }
    const auto run_round = [&](std::size_t count, bool probe, const auto& part) {
      core::in_lanes(count, threads, [&, last = horizon()](std::size_t lane, std::size_t i) {
        lanes_[lane]->run_earliest(question, last, earliest_[part(i)], probe);
      });
      for (std::size_t i = 0; i < count; ++i) keep(earliest_[part(i)].found);
    };
    const std::size_t probed = std::min<std::size_t>(parts, 16);
    for (std::size_t done = 0, count = 1; done < probed; done += count, count = done)
      run_round(count, true, [&](std::size_t i) { return spread(done + i, probed) * (parts / probed); });
    for (std::size_t done = 0, count = 0; done < parts; done += count) {
      count = std::min(parts - done, std::max<std::size_t>(16, done));
      run_round(count, false, [&](std::size_t i) { return done + i; });
    }
    // Every pair was asked about or is apart until the horizon, which is at least the touch of the earliest contact.
    certified_ = std::min(double{until}, safe());
    if (horizon() < until) break;
  }
  for (const auto& lane : lanes_) lane->tests.contacts.clear();
  collect(question, result, core::now() - start);
}

void StepWalk::Lane::run_earliest(const StepQuestion& question, float horizon, EarliestPart& part, bool probe) {
  CandidateSearch search = question.search;
  search.horizon = horizon;
  tests.contacts.clear();
  std::size_t enough = 32;
  for (bool more = true; more; enough = std::min(2 * enough, portion)) {
    const double begin = core::now();
    more = walk.next(search, part.stack, enough, candidates) && !probe;
    walking += core::now() - begin;
    ask(question);
    if (!tests.contacts.empty()) search.horizon = std::min(search.horizon, not_before(tests.contacts[0]));
  }
  part.found.assign(tests.contacts.begin(), tests.contacts.end());
}

}  // namespace graze::engine::deform
