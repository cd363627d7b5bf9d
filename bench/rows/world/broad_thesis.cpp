// SPDX-License-Identifier: MIT
// The thesis's experiments with octrees and grids (Zachmann 5.4.4, 5.5.2), compared with the stated results.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "rows/world/broad_race.hpp"

namespace graze::bench {
namespace {

struct Setting {
  std::string name;
  BroadOptions options;
  std::optional<double> stated_kilobytes;  ///< by the thesis
};

/// A cage of side 10 with 100 bodies of size 1; every setting's time is divided by that of the first.
void compare_settings(Context& context, const std::string& task, const BoxFlight& flight,
                      const std::vector<Setting>& settings) {
  std::vector<std::unique_ptr<BroadRunner>> runners;
  for (const Setting& setting : settings) runners.push_back(graze_broad(flight, setting.options, false));
  const BroadRace outcome = race(context, task, flight, std::move(runners), false);
  for (std::size_t r = 0; r < settings.size(); ++r) {
    Line line = race_line("cells", task, outcome, r);
    line.contestant = settings[r].name;
    line.ratio = outcome.timings[r].mean / outcome.timings[0].mean;
    if (settings[r].stated_kilobytes) line.note += fmt::format("; stated: {:.0f} kB", *settings[r].stated_kilobytes);
    context.table.add(std::move(line));
  }
}

/// The percentage of an octree's list entries at each depth below the root, averaged over frames, as text. The octree
/// is kept from frame to frame, or rebuilt for each.
std::string shares_by_depth(const BoxFlight& flight, const BroadOptions& options, bool anew) {
  std::optional<BroadPhase> broad;
  std::vector<double> sums;
  for (const std::vector<Vec3>& frame : flight.frames) {
    const bool insert = !broad || anew;
    if (insert) broad.emplace(options);
    for (std::uint32_t i = 0; i < frame.size(); ++i)
      insert ? broad->insert(i, flight.box(i, frame[i])) : broad->update(i, flight.box(i, frame[i]));
    const std::vector<std::uint64_t> entries = broad->entries_by_depth();
    sums.resize(entries.size());
    double all = 0;
    for (const std::uint64_t n : entries) all += static_cast<double>(n);
    for (std::size_t d = 0; d < entries.size(); ++d) sums[d] += 100 * static_cast<double>(entries[d]) / all;
  }
  std::string text;
  for (std::size_t d = 1; d < sums.size(); ++d)
    text += fmt::format("{}{:.3g}", d > 1 ? ", " : "", sums[d] / static_cast<double>(flight.frames.size()));
  return text;
}

/// The thesis's table of object pointers by depth, in percent.
void table_of_pointers(Context& context, const BoxFlight& flight, const Box3& cage) {
  const std::string task =
      "100 bodies of size 1 in a cage of side 10: object pointers in octants of depth 1, 2, ..., in %";
  constexpr const char* stated[] = {"0, 100", "0, 0, 100", "0, 0, 0.6, 99.4", "0, 0, 0.03, 3.5, 96.4"};
  for (int depth = 2; depth <= 5; ++depth) {
    const BroadOptions options{.method = "octree", .bounds = cage, .depth = depth};
    context.table.add(
        {"cells",
         task,
         fmt::format("octree, depth {}", depth),
         {},
         {},
         {},
         Verdict::none,
         fmt::format("{}; made anew for every frame: {}; stated: {}", shares_by_depth(flight, options, false),
                     shares_by_depth(flight, options, true), stated[depth - 2])});
  }
}

}  // namespace

void row_world_broad_cells(Context& context) {
  const std::size_t frames = 25 * context.poses;
  const BoxFlight flight = fly_boxes(
      {.bodies = 100, .movers = 100, .frames = frames, .side = 10, .least_half = 0.5, .most_half = 0.5, .seed = 3});
  const Box3 cage{{0, 0, 0}, {10, 10, 10}};
  std::vector<Setting> octrees{{"all_pairs", {.method = "all_pairs"}, {}}};
  const double octree_kilobytes[] = {8, 16, 264, 2264};
  for (int depth = 2; depth <= 5; ++depth) {
    octrees.push_back({fmt::format("octree, depth {}", depth),
                       {.method = "octree", .bounds = cage, .depth = depth},
                       octree_kilobytes[depth - 2]});
  }
  compare_settings(context, "100 bodies of size 1 in a cage of side 10: octrees", flight, octrees);
  table_of_pointers(context, flight, cage);
  std::vector<Setting> grids{{"all_pairs", {.method = "all_pairs"}, {}}};
  const double grid_kilobytes[] = {16, 16, 168, 1808, 14752};
  for (int power = 2; power <= 6; ++power) {
    const int size = 1 << power;
    grids.push_back({fmt::format("grid, {} cells along an edge", size),
                     {.method = "grid", .bounds = cage, .cell = 10.0 / size},
                     grid_kilobytes[power - 2]});
  }
  compare_settings(context, "100 bodies of size 1 in a cage of side 10: grids", flight, grids);
}

/// One moving body among 500 at rest.
void row_world_broad_one(Context& context) {
  const std::string task = "one mover among 500 that stand still: broad phase alone";
  const std::size_t frames = 50 * context.poses;
  const double side = std::cbrt(500.0);
  const BoxFlight flight = fly_boxes({.bodies = 501, .movers = 1, .frames = frames, .side = side, .seed = 5});
  std::vector<std::unique_ptr<BroadRunner>> runners;
  std::vector<std::string> names;
  const auto enter = [&](const BroadOptions& options, std::string name) {
    runners.push_back(graze_broad(flight, options, true));
    names.push_back(std::move(name));
  };
  enter({.method = "all_pairs"}, "all_pairs");
  enter({.method = "grid", .bounds = Box3{{0, 0, 0}, {side, side, side}}, .cell = side / 8},
        "grid, 8 cells along an edge");
  for (const BroadTraits& method : broad_phases()) {
    if (method.name != "all_pairs") enter({.method = method.name}, std::string(method.name));
  }
  const BroadRace outcome = race(context, task, flight, std::move(runners), true);
  for (std::size_t r = 0; r < names.size(); ++r) {
    Line line = race_line("one", task, outcome, r);
    line.contestant = names[r];
    line.ratio = outcome.timings[r].mean / outcome.timings[0].mean;
    if (r == 1) line.note += "; stated: 0.2 of the time without, exact tests included";
    context.table.add(std::move(line));
  }
  // `automatic` is not compared with the first two: one is the baseline, and one was given the cage's bounds.
  double best = std::numeric_limits<double>::infinity(), automatic = 0;
  for (std::size_t r = 2; r < names.size(); ++r) {
    const double mean = outcome.timings[r].mean;
    (names[r] == "automatic" ? automatic : best) = names[r] == "automatic" ? mean : std::min(best, mean);
  }
  Line line{"one", task, "automatic over the best", {}, automatic / best, 1.2, Verdict::none, ""};
  if (best > 0 && automatic > 0) line.verdict = judge_ratio(automatic / best, 1.2);
  context.table.add(std::move(line));
}

}  // namespace graze::bench
