// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include <graze/ask/collide.hpp>
#include <graze/body/body.hpp>

#include "harness/clock.hpp"
#include "rows/rows.hpp"
#include "scene/meshes.hpp"

namespace graze::bench {
namespace {

constexpr double kAllowed = 1.2;   // tree, the default, over the best method
constexpr double kPatience = 0.5;  // time limit in seconds of the first pass; slower methods are not timed further
// Slowdown relative to tree above which a method is timed once, not three times interleaved.
constexpr double kHopeless = 30;
constexpr double kUndecided = -1;

/// One method on one pair of equal bodies.
struct Entrant {
  Body body;
  std::shared_ptr<const std::vector<PosePair>> poses;
  CollideOptions options;
  CollideResult result = {};
  std::string refusal = {};

  double ask(std::size_t i) {
    collide(body, (*poses)[i].a, body, (*poses)[i].b, options, result);
    if (result.error) refusal = result.error->message;
    return result.status == Status::contact ? 1 : result.status == Status::free ? 0 : kUndecided;
  }
};

/// The results of a method in the pass in which answers are compared.
struct Trial {
  std::size_t asked = 0, undecided = 0, different = 0;
  double seconds = 0;  ///< per query
};

Trial try_out(Entrant& entrant, const std::vector<double>& expected) {
  Trial trial;
  const double start = thread_seconds();
  for (std::size_t i = 0; i < expected.size() && entrant.refusal.empty(); ++i) {
    const double answer = entrant.ask(i);
    ++trial.asked;
    trial.undecided += answer == kUndecided;
    trial.different += answer != kUndecided && answer != expected[i];
    if (thread_seconds() - start > kPatience) break;
  }
  trial.seconds = (thread_seconds() - start) / static_cast<double>(std::max<std::size_t>(1, trial.asked));
  return trial;
}

std::string trial_note(const Trial& trial) {
  std::string note;
  if (trial.undecided > 0) note = fmt::format("undecided in {} of {}", trial.undecided, trial.asked);
  if (trial.different > 0) note += fmt::format(" OTHER ANSWER in {} of {}", trial.different, trial.asked);
  return note;
}

struct Field {
  std::vector<std::shared_ptr<Entrant>> entrants;  // the first is tree
  std::vector<Trial> trials;
};

Field gather(const Body& body, const std::shared_ptr<const std::vector<PosePair>>& poses, bool solid) {
  Field field;
  std::vector<std::string_view> names{"tree"};
  for (const MethodTraits& traits : collide_methods()) {
    if (traits.name != "tree" && (solid || traits.surface)) names.push_back(traits.name);
  }
  std::vector<double> expected;
  for (const std::string_view name : names) {
    auto entrant = std::make_shared<Entrant>(Entrant{body, poses, {}});
    entrant->options.method = name;
    entrant->options.solid = solid;
    entrant->ask(0);  // data structures built on first use do not count as cost of the query
    if (expected.empty()) {
      for (std::size_t i = 0; i < poses->size(); ++i) expected.push_back(entrant->ask(i));
    }
    field.trials.push_back(try_out(*entrant, expected));
    field.entrants.push_back(std::move(entrant));
  }
  return field;
}

void print_field(Context& context, const std::string& task, const Field& field, std::size_t queries) {
  std::vector<Contestant> contestants;
  std::vector<std::size_t> place(field.entrants.size(), SIZE_MAX);
  for (std::size_t i = 0; i < field.entrants.size(); ++i) {
    const auto entrant = field.entrants[i];
    const bool hopeless = field.trials[i].seconds > kHopeless * field.trials[0].seconds;
    if (!entrant->refusal.empty() || hopeless) continue;
    place[i] = contestants.size();
    contestants.push_back({std::string(entrant->options.method), [entrant](std::size_t q) { return entrant->ask(q); }});
  }
  context.progress.begin(task);
  const auto timings = time_interleaved(contestants, {.queries = queries, .block = 5, .passes = 9}, context.progress);
  context.progress.clear();
  std::size_t best = 0;
  for (std::size_t i = 0; i < field.entrants.size(); ++i) {
    if (place[i] == SIZE_MAX || field.trials[i].undecided > 0) continue;
    if (timings[place[i]].mean < timings[place[best]].mean) best = i;
  }
  const double ratio = timings[0].mean / timings[place[best]].mean;
  for (std::size_t i = 0; i < field.entrants.size(); ++i) {
    const Trial& trial = field.trials[i];
    Line line{"methods",        task, std::string(field.entrants[i]->options.method), {}, {}, {}, Verdict::none,
              trial_note(trial)};
    if (trial.different > 0) line.verdict = Verdict::wrong;
    if (i == 0) {
      line.timing = timings[0];
      line.ratio = ratio;
      line.target = kAllowed;
      if (line.verdict == Verdict::none) line.verdict = judge_ratio(ratio, kAllowed);
      line.note = "tree over the best that always decides";
    } else if (place[i] != SIZE_MAX) {
      line.timing = timings[place[i]];
      line.ratio = timings[0].mean / timings[place[i]].mean;
    } else if (!field.entrants[i]->refusal.empty()) {
      line.note = "cannot: " + field.entrants[i]->refusal;
    } else {
      line.timing = Timing{trial.seconds, trial.seconds, trial.seconds};
      line.note += fmt::format(" one pass of {} queries", trial.asked);
    }
    context.table.add(std::move(line), context.every_method || i == 0 || i == best);
  }
}

}  // namespace

void row_methods(Context& context) {
  const std::size_t count = std::clamp<std::size_t>(context.poses / 10, 5, 100);
  for (const NamedMesh& shape : method_bodies()) {
    const Body body(shape.mesh);
    for (const bool near : {true, false}) {
      context.progress.begin(shape.name + ": finding poses");
      const auto poses = std::make_shared<const std::vector<PosePair>>(
          near ? near_touching(count, 0.01, 21, meets(shape.mesh, shape.mesh), [](double) {})
               : random_poses(count, 0.3, 1.5, 22));
      for (const bool solid : {false, true}) {
        const std::string task =
            fmt::format("{}, {} {}, {}", shape.name, count, near ? "poses near touching" : "random poses",
                        solid ? "solid" : "surface");
        print_field(context, task, gather(body, poses, solid), count);
      }
    }
  }
}

}  // namespace graze::bench
