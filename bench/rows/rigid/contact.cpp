// SPDX-License-Identifier: MIT
// CONTACT: the cost of its box tests, the effect of each optimization of its section 6, a door placed in a car's shell.
#include <fmt/core.h>

#include <numeric>

#include <graze/classic/contact.hpp>
#include <graze/mesh/make.hpp>

#include "rows/rigid/rigid.hpp"

namespace graze::bench {
namespace {

using classic::contact::IntervalOptions;

constexpr double kTolerance = 0.001;

Entrant interval(std::string name, std::function<void(IntervalOptions&)> set) {
  return {std::move(name), [set = std::move(set)](FirstContactOptions& o) {
            o.method = "interval";
            IntervalOptions switches;
            set(switches);
            o.interval = switches;
          }};
}

/// Two runs over flights that need almost only box tests. Without discrete tests, all time is spent in continuous tests
/// (and the code around them). With them, each continuous test comes after two unsuccessful discrete tests, and each
/// successful discrete test was the first or second; the remaining time is theirs. The costs are derived from counters
/// and times only, without instrumenting the code.
void box_tests(Context& context) {
  const NamedMesh shape = knot(context.quick ? 2880 : 11520);
  const Body body(shape.mesh);
  FlightTask task{"contact", fmt::format("box tests: {} against itself, flights that miss", shape.name), body, body, {},
                  kTolerance};
  for (const Flight& flight :
       crossing_flights(body, body, {2 * context.poses, kTolerance, true, 71}, finding(context, task.name))) {
    const auto found = first_contact(body, flight.a, body, flight.b, {.tolerance = kTolerance});
    if (found.status == Status::free) task.flights.push_back(flight);
  }
  const auto outcomes =
      fly_all(context, task,
              {interval("continuous tests only", [](IntervalOptions& o) { o.discrete_first = false; }),
               interval("discrete tests first", [](IntervalOptions&) {})});
  const auto seconds = [](const FlightOutcome& o) { return std::accumulate(o.seconds.begin(), o.seconds.end(), 0.0); };
  const AllCounters off = outcomes[0].cost(), on = outcomes[1].cost();
  const double continuous = seconds(outcomes[0]) / static_cast<double>(off.continuous_box_tests);
  const double discrete_tests =
      2 * static_cast<double>(on.continuous_box_tests) + 1.5 * static_cast<double>(on.discrete_box_tests);
  const double discrete =
      (seconds(outcomes[1]) - continuous * static_cast<double>(on.continuous_box_tests)) / discrete_tests;
  for (std::size_t k = 0; k < 2; ++k) {
    Line line = flight_line(task, outcomes[k]);
    line.ratio = time_ratio(outcomes[k], outcomes[0]);
    const AllCounters& c = k == 0 ? off : on;
    append_note(line, fmt::format("{} continuous tests, {} saved by a discrete one, {} halvings, {} triangle pairs",
                                  c.continuous_box_tests, c.discrete_box_tests, c.time_subdivisions, c.leaf_pairs));
    context.table.add(std::move(line));
  }
  Line cost{task.row, task.name, "a continuous over a discrete test", {}, {}, {}, Verdict::none, {}};
  if (discrete > 0) cost.ratio = continuous / discrete;
  cost.note = fmt::format("{:.0f} over {:.0f} ns, from the counters and times above (CONTACT: 5)", 1e9 * continuous,
                          1e9 * discrete);
  context.table.add(std::move(cost));
}

std::vector<Entrant> optimizations() {
  return {interval("interval", [](IntervalOptions&) {}),
          interval("without discrete tests", [](IntervalOptions& o) { o.discrete_first = false; }),
          interval("without current collision time", [](IntervalOptions& o) { o.current_time = false; }),
          interval("without directional traversal", [](IntervalOptions& o) { o.directional = false; }),
          interval("with partial tests (6 of 15 axes)", [](IntervalOptions& o) { o.partial = true; }),
          interval("without coherence tables", [](IntervalOptions& o) { o.coherence_tables = false; })};
}

void switch_off(Context& context, const FlightTask& task) {
  std::vector<Entrant> entrants = optimizations();
  if (!task.sequence) entrants.pop_back();  // there is no coherence between flights that are not consecutive
  entrants.push_back(entrant("best_first"));
  const auto outcomes = fly_all(context, task, entrants);
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    const FlightOutcome& outcome = outcomes[k];
    Line line = flight_line(task, outcome);
    line.ratio = time_ratio(outcome, outcomes[0]);
    const AllCounters c = outcome.cost();
    if (k + 1 < outcomes.size()) {
      append_note(line, fmt::format("{} continuous tests, {} saved, {} edge axes, {} elementary, {} cut short, {} from "
                                    "the table",
                                    c.continuous_box_tests, c.discrete_box_tests, c.edge_axes, c.elementary_tests,
                                    c.current_time_cuts, c.table_reused));
    } else {
      append_note(line, hits(outcome));
    }
    if (outcome.name == "without coherence tables") append_note(line, "CONTACT: 1.15");
    context.table.add(std::move(line));
  }
}

}  // namespace

void row_rigid_contact(Context& context) {
  box_tests(context);

  const NamedMesh blob = shape("bunny", context.quick ? 1000 : 4000);
  const Body body(blob.mesh);
  FlightTask fast{"contact", fmt::format("{} against itself, fast, pi/3 about X and Y", blob.name), body, body, {},
                  kTolerance};
  fast.flights = crossing_flights(body, body, {context.poses, kTolerance, true, 72}, finding(context, fast.name));
  switch_off(context, fast);
  FlightTask slow{"contact", fmt::format("{} falls on another", blob.name), body, body, {}, kTolerance, true};
  slow.flights = recorded_fall(body, body, {steps_of(context), kTolerance, true, 73}, finding(context, slow.name));
  switch_off(context, slow);

  // The door is a fifth as long as the car.
  const NamedMesh car = shape("car_shell", context.quick ? 2000 : 29000);
  const Body shell(car.mesh), door(make::door({.size = 0.2, .triangles = context.quick ? 1000u : 16000u}));
  FlightTask placing{"contact", {}, door, shell, {}, kTolerance * 0.2, true};
  placing.name = fmt::format("door ({} triangles) placed in {}", door.mesh().triangle_count(), car.name);
  placing.flights =
      door_placement(door, shell, {steps_of(context), placing.tolerance, true, 74}, finding(context, placing.name));
  switch_off(context, placing);
}

}  // namespace graze::bench
