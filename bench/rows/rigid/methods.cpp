// SPDX-License-Identifier: MIT
// FAST 6.2: its five scenarios and the hovering scene of its Figure 6, with every method side by side.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <graze/classic/fast.hpp>

#include "rows/rigid/rigid.hpp"

namespace graze::bench {
namespace {

constexpr double kThreshold = 0.001;  // "throughout all the experiments"
constexpr double kPaperIterations = 4;
constexpr std::string_view kPaperSpeedup = "FAST: 1.4 to 45.5";

/// Sizes of the bodies: those of the paper, or small ones for a quick run.
std::size_t size(const Context& context, std::size_t triangles) { return context.quick ? triangles / 20 : triangles; }

/// Tests every pair of convex pieces at every step: only feasible for few pieces.
constexpr double kMostPairs = 1e7;
constexpr const char* kAlgorithm1 = "advancement, Algorithm 1";

bool algorithm_1_takes_part(const FlightTask& task) {
  return static_cast<double>(task.a.mesh().triangle_count()) * static_cast<double>(task.b.mesh().triangle_count()) <=
         kMostPairs;
}

/// A scenario whose mean rate the paper states (captions of Figures 4, 5, 7 and 8, queries per second).
struct Rate {
  std::string scenario;
  double paper;
  double seconds = 0, flights = 0;  ///< of advancement, over all tasks of the scenario

  double ours() const { return flights / seconds; }
};

/// The paper's summary over all scenarios.
struct Summary {
  double least_ratio = INFINITY, greatest_ratio = 0;  ///< interval over advancement
  double iterations = 0, flights = 0;                 ///< of advancement
  std::vector<Rate> rates;

  void begin(std::string scenario, double paper) { rates.push_back({std::move(scenario), paper}); }
};

std::vector<Entrant> entrants(const FlightTask& task) {
  std::vector<Entrant> all{entrant("best_first"),
                           entrant("advancement"),
                           {"advancement, undirected bound (eq. 4)", [](FirstContactOptions& o) {
                              o.method = "advancement";
                              o.advancement = classic::fast::AdvancementOptions{.directed = false};
                            }}};
  if (algorithm_1_takes_part(task)) {
    all.push_back({kAlgorithm1, [](FirstContactOptions& o) {
                     o.method = "advancement";
                     o.advancement = classic::fast::AdvancementOptions{.hierarchical = false};
                   }});
  }
  all.push_back(entrant("interval"));
  return all;
}

std::string_view method_of(const std::string& name) {
  return name.starts_with("advancement") ? "advancement" : name == "interval" ? "interval" : "best_first";
}

/// One line per method, with its time divided by that of `advancement`.
void compare_methods(Context& context, const FlightTask& task, Summary& summary) {
  const auto outcomes = fly_all(context, task, entrants(task));
  const FlightOutcome& fast = outcomes[1];
  for (const FlightOutcome& outcome : outcomes) {
    Line line = flight_line(task, outcome);
    line.ratio = time_ratio(outcome, fast);
    const std::string_view method = method_of(outcome.name);
    const double rounds = iterations(outcome, method);
    if (method == "advancement") {
      const bool whole = outcome.name == method;  // the paper considers no others
      append_note(line, fmt::format("{:.1f} iterations", rounds) +
                            (whole ? fmt::format(" (FAST: {:.0f})", kPaperIterations) : std::string()));
    } else if (method == "interval") {
      append_note(line, fmt::format("over advancement ({}); {:.0f} box tests and halvings", kPaperSpeedup, rounds));
    } else {
      append_note(line, fmt::format("{:.0f} pairs from the queue; {}", rounds, hits(outcome)));
    }
    context.table.add(std::move(line));
  }
  if (!algorithm_1_takes_part(task)) {
    context.table.add(
        {task.row, task.name, kAlgorithm1, {}, {}, {}, Verdict::none, "left out: too many pairs of pieces"});
  }
  const double speedup = time_ratio(outcomes.back(), fast);
  summary.least_ratio = std::min(summary.least_ratio, speedup);
  summary.greatest_ratio = std::max(summary.greatest_ratio, speedup);
  summary.iterations += static_cast<double>(fast.cost().advancement_steps);
  summary.flights += static_cast<double>(fast.costs.size());
  if (summary.rates.empty()) return;
  summary.rates.back().seconds += std::accumulate(fast.seconds.begin(), fast.seconds.end(), 0.0);
  summary.rates.back().flights += static_cast<double>(fast.seconds.size());
}

/// Rates of different machines are not comparable, so each scenario's rate is divided by that of the first.
void compare_rates(Context& context, const std::vector<Rate>& rates) {
  for (const Rate& rate : rates) {
    Line line{
        "methods", "advancement, queries a second over those of scenario 1", rate.scenario, {}, {}, {}, Verdict::none,
        {}};
    line.ratio = rate.ours() / rates[0].ours();
    line.note = fmt::format("{:.0f} a second (FAST: {:.3g}, {:.0f} a second)", rate.ours(), rate.paper / rates[0].paper,
                            rate.paper);
    context.table.add(std::move(line));
  }
}

FlightTask task_of(std::string name, const NamedMesh& a, const NamedMesh& b) {
  const Body body(a.mesh);
  const bool same = &a.mesh.positions()[0] == &b.mesh.positions()[0];
  return {"methods", std::move(name), body, same ? body : Body(b.mesh), {}, kThreshold};
}

void crossing(Context& context, const NamedMesh& shape, std::string_view scenario, std::uint64_t seed,
              Summary& summary) {
  for (const bool turning : {false, true}) {
    FlightTask task = task_of(
        fmt::format("{}: {} against itself, {}", scenario, shape.name, turning ? "pi/3 about X and Y" : "translation"),
        shape, shape);
    task.flights =
        crossing_flights(task.a, task.b, {context.poses, kThreshold, turning, seed}, finding(context, task.name));
    compare_methods(context, task, summary);
  }
}

void fall(Context& context, const NamedMesh& shape, std::string_view scenario, std::uint64_t seed, Summary& summary) {
  FlightTask task = task_of(fmt::format("{}: {} falls on another", scenario, shape.name), shape, shape);
  task.sequence = true;
  task.flights =
      recorded_fall(task.a, task.b, {steps_of(context), kThreshold, true, seed}, finding(context, task.name));
  compare_methods(context, task, summary);
}

}  // namespace

void row_rigid_methods(Context& context) {
  Summary summary;
  const NamedMesh santa = shape("santa", size(context, 37888)), thin = board();
  FlightTask along =
      task_of(fmt::format("1: {} against a {} moved along its path", santa.name, thin.name), santa, thin);
  summary.begin("1: santa and a board", 15460);
  along.flights = board_moved_along({context.poses, kThreshold, true});
  compare_methods(context, along, summary);

  const NamedMesh rabbit = context.quick ? shape("bunny", size(context, 69664)) : bunny(context.data);
  summary.begin("2: bunnies", 125);
  crossing(context, rabbit, "2", 51, summary);
  crossing(context, shape("bunny", size(context, 69664)), "2, blob", 52, summary);
  for (const auto& [triangles, rate] : {std::pair{2880u, 1055.0}, {11520u, 449.0}, {34560u, 188.0}}) {
    const NamedMesh shape = knot(size(context, triangles));
    summary.begin("3: " + shape.name, rate);
    crossing(context, shape, "3", 53, summary);
  }
  summary.begin("4: falling bunnies", 1555);
  fall(context, shape("bunny", size(context, 26000)), "4", 54, summary);
  summary.begin("5: falling rings", 1357);
  fall(context, shape("ring", size(context, 10000)), "5", 55, summary);
  Line all{"methods", "scenarios 1 to 5", "interval over advancement", {}, {}, {}, Verdict::none, {}};
  all.note = fmt::format("{:.1f} to {:.1f} ({}); advancement: {:.1f} iterations on average (FAST: {:.0f})",
                         summary.least_ratio, summary.greatest_ratio, kPaperSpeedup,
                         summary.iterations / summary.flights, kPaperIterations);
  context.table.add(std::move(all));
  compare_rates(context, summary.rates);

  FlightTask hover = task_of(fmt::format("Figure 6: {} hovers above a {}", rabbit.name, thin.name), rabbit, thin);
  hover.flights = hovering_flights(hover.a, {context.poses, kThreshold});
  compare_methods(context, hover, summary);
}

}  // namespace graze::bench
