// SPDX-License-Identifier: MIT
// FAST's techniques, switched off one at a time, with the counters that show their effect.
#include <fmt/core.h>

#include <graze/classic/fast.hpp>

#include "rows/rigid/rigid.hpp"

namespace graze::bench {
namespace {

using classic::fast::AdvancementOptions;

Entrant without(std::string_view idea, bool AdvancementOptions::*which) {
  return {fmt::format("without {}", idea), [which](FirstContactOptions& o) {
            o.method = "advancement";
            AdvancementOptions switches;
            if (which) switches.*which = false;
            o.advancement = switches;
          }};
}

void switch_off(Context& context, const FlightTask& task) {
  std::vector<Entrant> entrants{without("nothing", nullptr), without("front (5.1)", &AdvancementOptions::front),
                                without("warm start (3.3)", &AdvancementOptions::warm_start),
                                without("look-up table (4.2)", &AdvancementOptions::lookup_table),
                                without("direction (eq. 5)", &AdvancementOptions::directed)};
  entrants[0].name = "advancement";
  const auto outcomes = fly_all(context, task, entrants);
  for (const FlightOutcome& outcome : outcomes) {
    Line line = flight_line(task, outcome);
    line.ratio = time_ratio(outcome, outcomes[0]);
    const AllCounters cost = outcome.cost();
    const auto each = [&](std::uint64_t total) {
      return static_cast<double>(total) / static_cast<double>(outcome.costs.size());
    };
    append_note(line, fmt::format("{:.1f} steps, {:.0f} hull distances, {:.0f} front pairs taken over, {:.0f} support "
                                  "calls, {:.0f} climbing steps",
                                  each(cost.advancement_steps), each(cost.hull_distances), each(cost.front_reused),
                                  each(cost.support_calls), each(cost.hill_climb_steps)));
    context.table.add(std::move(line));
  }
}

}  // namespace

void row_rigid_switches(Context& context) {
  constexpr double tolerance = 0.001;
  const NamedMesh ring = knot(context.quick ? 1000 : 2880), blob = shape("bunny", context.quick ? 1300 : 26000);
  const Body knot_body(ring.mesh), blob_body(blob.mesh);
  FlightTask flights{
      "switches", fmt::format("{} against itself, pi/3 about X and Y", ring.name), knot_body, knot_body, {}, tolerance};
  flights.flights =
      crossing_flights(knot_body, knot_body, {context.poses, tolerance, true, 61}, finding(context, flights.name));
  switch_off(context, flights);
  FlightTask fall{"switches", fmt::format("{} falls on another", blob.name), blob_body, blob_body, {}, tolerance, true};
  fall.flights =
      recorded_fall(blob_body, blob_body, {steps_of(context), tolerance, true, 62}, finding(context, fall.name));
  switch_off(context, fall);
}

}  // namespace graze::bench
