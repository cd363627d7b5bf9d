// SPDX-License-Identifier: MIT
#include "engine/first_contact/spans/all_contacts.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "core/counter_sum.hpp"
#include "core/parallel.hpp"
#include "engine/first_contact/spans/contact_spans.hpp"

namespace graze::engine::first_contact {

namespace {

/// The elementary pairs of one feature pair, and what was found of it.
struct FeatureTask {
  std::size_t first, last;
  std::vector<ContactEvent> events;
  std::uint64_t steps = 0;
  bool ended = false;
};

std::vector<FeatureTask> by_feature(const std::vector<ElementaryPair>& pairs) {
  std::vector<FeatureTask> tasks;
  for (std::size_t i = 0, j; i < pairs.size(); i = j) {
    for (j = i + 1; j < pairs.size() && pairs[j].feature == pairs[i].feature; ++j) {
    }
    tasks.push_back({i, j, {}, 0, false});
  }
  return tasks;
}

void forget(FirstContactResult& result) {
  FirstContactResult unknown;
  unknown.method = result.method;
  unknown.time = {result.time.safe, std::numeric_limits<double>::quiet_NaN()};
  unknown.gap = std::numeric_limits<double>::quiet_NaN();
  unknown.tolerance = result.tolerance;
  unknown.certificate = std::move(result.certificate);
  unknown.counters = result.counters;
  result = std::move(unknown);
}

bool find_all(const Flight& f, FirstContactResult& result) {
  const Stage stage(f);
  core::Steps budget(f.options.work);
  AllCounters descent;
  std::vector<NearPair> near;
  const bool found = find_near_pairs(stage, budget, descent, near);
  core::report(descent, result.counters, f.options.method_counters);
  if (!found) return false;
  const std::vector<ElementaryPair> pairs = elementary_pairs(f.a, f.b, near);
  std::vector<FeatureTask> tasks = by_feature(pairs);
  // Each feature pair may use the whole remaining budget, and so may all together. A sum that does not depend on
  // threads decides the latter.
  core::parallel_for(tasks.size(), f.options.threads, [&](std::size_t i) {
    FeatureTask& task = tasks[i];
    SpanFinder finder(stage, {pairs.data() + task.first, pairs.data() + task.last}, budget);
    task.ended = finder.run(task.events);
    task.steps = finder.steps();
  });
  result.counters.elementary_tests += pairs.size();
  bool ended = true;
  std::uint64_t work = descent.queue_pops + descent.motion_steps;
  for (const FeatureTask& task : tasks) {
    ended = ended && task.ended;
    work += task.steps;
    result.counters.motion_steps += task.steps;
    result.contacts.insert(result.contacts.end(), task.events.begin(), task.events.end());
  }
  if (f.options.work > 0 && work > f.options.work) ended = false;
  std::sort(result.contacts.begin(), result.contacts.end(), [](const ContactEvent& x, const ContactEvent& y) {
    return std::tie(x.time.touch, x.feature) < std::tie(y.time.touch, y.feature);
  });
  return ended;
}

}  // namespace

void add_all_contacts(const Flight& f, FirstContactResult& result) {
  result.contacts.clear();
  if (!find_all(f, result)) return forget(result);
  if (f.options.ignore_start_if_separating)
    std::erase_if(result.contacts,
                  [](const ContactEvent& e) { return e.time.touch == 0 && e.direction == ContactDirection::outgoing; });
}

}  // namespace graze::engine::first_contact
