// SPDX-License-Identifier: MIT
#include "query/deform/step_walk.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "core/parallel.hpp"
#include "query/deform/clock.hpp"

namespace graze::query {

namespace {

/// Candidates that are asked together: their list and points stay in the nearer caches.
constexpr std::size_t portion = 2048;

/// Gaps are asked until a time that is certainly not before the contact's.
float not_before(const DeformContact& c) {
  return std::min(1.0f, std::nextafter(static_cast<float>(c.time.touch), std::numeric_limits<float>::max()));
}

}  // namespace

void StepWalk::Lane::clear() {
  candidates.clear();
  tests.clear();
  walking = asking = 0;
}

void StepWalk::Lane::ask(const StepQuestion& question) {
  const double begin = now();
  tests.ask(question.features, candidates);
  tests.counters += candidates.counters;
  candidates.clear();
  asking += now() - begin;
}

void StepWalk::Lane::run(const StepQuestion& question, std::span<const PatchPair> pairs) {
  walk.begin(pairs);
  for (bool more = true; more;) {
    const double begin = now();
    more = walk.next(question.search, portion, candidates);
    walking += now() - begin;
    if (more) ask(question);
  }
}

void StepWalk::begin(int threads) {
  while (lanes_.size() < static_cast<std::size_t>(threads)) lanes_.push_back(std::make_unique<Lane>());
  for (const auto& lane : lanes_) lane->clear();
}

void StepWalk::collect(DeformResult& result, double seconds) {
  double walking = 0, asking = 0;
  for (const auto& lane : lanes_) {
    walking += lane->walking;
    asking += lane->asking;
    result.counters += lane->tests.counters;
    result.contacts.insert(result.contacts.end(), lane->tests.contacts.begin(), lane->tests.contacts.end());
  }
  // Threads spend their time side by side: the time on the clock is shared out as theirs was.
  const double share = walking + asking > 0 ? walking / (walking + asking) : 1;
  result.seconds.traversal = share * seconds;
  result.seconds.elementary = (1 - share) * seconds;
}

void StepWalk::find_all(const StepQuestion& question, DeformResult& result) {
  const double start = now();
  begin(question.threads);
  Lane& first = *lanes_[0];
  if (question.threads == 1) {
    first.run(question, question.left.pairs);
  } else {
    parts_.cut(question.search, question.left.pairs, first.candidates);
    std::atomic<std::size_t> next{0};
    const auto threads = static_cast<std::size_t>(question.threads);
    core::parallel_for(threads, question.threads, [&](std::size_t i) {
      for (std::size_t p = next++; p < WalkParts::count; p = next++) lanes_[i]->run(question, parts_[p]);
    });
  }
  if (question.orphans) add_orphans(question.search, *question.orphans, question.left.proved, first.candidates);
  for (const auto& lane : lanes_) lane->ask(question);
  collect(result, now() - start);
}

/// In rounds of parts, each round twice as large: in a round all parts start from the earliest contact of those before,
/// and each also knows its own. So the work does not depend on the number of threads.
void StepWalk::find_earliest(const StepQuestion& question, DeformResult& result) {
  const double start = now();
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
  earliest_.resize(WalkParts::count);
  for (std::size_t done = 0; done < WalkParts::count;) {
    const std::size_t count = std::max<std::size_t>(1, done);
    const float horizon = result.contacts.empty() ? 1 : not_before(result.contacts[0]);
    std::atomic<std::size_t> next{0};
    core::parallel_for(std::min(count, lanes_.size()), question.threads, [&](std::size_t i) {
      for (std::size_t p = next++; p < count; p = next++)
        lanes_[i]->run_earliest(question, horizon, parts_[done + p], earliest_[done + p]);
    });
    for (std::size_t p = done; p < done + count; ++p) keep(earliest_[p]);
    done += count;
  }
  for (const auto& lane : lanes_) lane->tests.contacts.clear();
  collect(result, now() - start);
}

void StepWalk::Lane::run_earliest(const StepQuestion& question, float horizon, std::span<const PatchPair> pairs,
                                  std::vector<DeformContact>& earliest) {
  CandidateSearch search = question.search;
  search.horizon = horizon;
  tests.contacts.clear();
  walk.begin(pairs);
  std::size_t enough = 64;
  for (bool more = true; more; enough = std::min(2 * enough, portion)) {
    const double begin = now();
    more = walk.next(search, enough, candidates);
    walking += now() - begin;
    ask(question);
    if (!tests.contacts.empty()) search.horizon = std::min(search.horizon, not_before(tests.contacts[0]));
  }
  earliest.assign(tests.contacts.begin(), tests.contacts.end());
}

}  // namespace graze::query
