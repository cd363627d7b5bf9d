// SPDX-License-Identifier: MIT
// The cost of a tighter tolerance and of more triangles.
#include <fmt/core.h>

#include <cmath>

#include "rows/rigid/rigid.hpp"

namespace graze::bench {
namespace {

constexpr double kAllowed = 1.3;  // 1e-8 over 1e-3
constexpr double kTolerances[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};

/// The same flights with every tolerance, interleaved.
void tighten(Context& context, const NamedMesh& shape) {
  const Body body(shape.mesh);
  FlightTask task{"tolerance", {}, body, body, {}, kTolerances[0]};
  task.name = fmt::format("{} against itself, pi/3 about X and Y, {} flights", shape.name, context.poses);
  task.flights = crossing_flights(body, body, {context.poses, kTolerances[0], true, 43}, finding(context, task.name));
  std::vector<Entrant> entrants;
  for (const double tolerance : kTolerances) {
    entrants.push_back({fmt::format("best_first {:.0e}", tolerance),
                        [tolerance](FirstContactOptions& o) { o.tolerance = tolerance; }});
  }
  const auto outcomes = fly_all(context, task, entrants);
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    Line line = flight_line(task, outcomes[k]);
    line.ratio = time_ratio(outcomes[k], outcomes[0]);
    if (k + 1 == outcomes.size()) {
      line.target = kAllowed;
      if (line.verdict == Verdict::none) line.verdict = judge_ratio(*line.ratio, kAllowed);
    }
    append_note(line, fmt::format("over 1e-03; {}; {:.1f} steps of triangle pairs a flight", hits(outcomes[k]),
                                  static_cast<double>(outcomes[k].cost().motion_steps) /
                                      static_cast<double>(outcomes[k].costs.size())));
    context.table.add(std::move(line));
  }
}

}  // namespace

void row_rigid_tolerance(Context& context) {
  tighten(context, bunny(context.data));
  tighten(context, knot(11520));
}

void row_rigid_growth(Context& context) {
  std::optional<FlightOutcome> first;
  double first_size = 0;
  for (const std::size_t triangles : {1000u, 3000u, 10000u, 30000u, 100000u}) {
    const NamedMesh shape = knot(triangles);
    const Body body(shape.mesh);
    FlightTask task{"growth", "torus knots against themselves, pi/3 about X and Y", body, body, {}, 1e-4};
    task.flights =
        crossing_flights(body, body, {context.poses, task.tolerance, true, 44}, finding(context, shape.name));
    FlightOutcome outcome = fly_all(context, task, {entrant("best_first")}).front();
    outcome.name = shape.name;
    if (!first) {
      first = outcome;
      first_size = static_cast<double>(shape.mesh.triangle_count());
    }
    Line line = flight_line(task, outcome);
    line.ratio = time_ratio(outcome, *first);
    append_note(line, fmt::format("over the smallest, with {:.0f} times the triangles; {:.0f} pairs from the queue",
                                  static_cast<double>(shape.mesh.triangle_count()) / first_size,
                                  iterations(outcome, "best_first")));
    context.table.add(std::move(line));
  }
}

}  // namespace graze::bench
