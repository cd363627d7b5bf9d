// SPDX-License-Identifier: MIT
// Broad phases: graze compared with Bullet and FCL, and whether `automatic` chooses well.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "rows/world/broad_race.hpp"

namespace graze::bench {
namespace {

/// Only wrong answers of graze count; those of peers do not.
void add_line(Context& context, Line line, bool ours) {
  if (!ours && line.verdict == Verdict::wrong) line.verdict = Verdict::none;
  context.table.add(std::move(line));
}

bool wanted(const Context& context, std::string_view peer) {
  return context.peers.empty() || std::any_of(context.peers.begin(), context.peers.end(),
                                              [&](const std::string& name) { return peer.starts_with(name); });
}

/// `automatic` first, then every method that is not too slow.
std::vector<std::unique_ptr<BroadRunner>> our_runners(const BoxFlight& flight, bool only_moved) {
  std::vector<std::unique_ptr<BroadRunner>> runners;
  const std::size_t n = flight.start.size();
  for (const BroadTraits& method : broad_phases()) {
    if (method.name == "all_pairs" && n > 1000) continue;
    if (method.name == "sweep" && n > 10000) continue;
    runners.push_back(graze_broad(flight, {.method = method.name}, only_moved));
  }
  return runners;
}

/// The lines of a race: for peers, graze's time divided by theirs; for graze's methods, the time of `automatic` divided
/// by theirs.
double add_lines(Context& context, const std::string& row, const std::string& task, const BroadRace& race,
                 std::size_t ours, const std::vector<double>& targets) {
  const double mine = race.timings[0].mean;
  std::size_t best = 1;
  for (std::size_t r = 1; r < ours; ++r) {
    if (race.timings[r].mean < race.timings[best].mean) best = r;
  }
  for (std::size_t r = 0; r < race.runners.size(); ++r) {
    Line line = race_line(row, task, race, r);
    if (r > 0) line.ratio = mine / race.timings[r].mean;
    if (r == best) line.target = 1.2;  // `automatic` over the best of graze's methods
    if (r >= ours && !targets.empty()) line.target = targets[r - ours];
    if (line.target && line.verdict == Verdict::none && race.right[0])
      line.verdict = judge_ratio(*line.ratio, *line.target);
    add_line(context, std::move(line), r < ours);
  }
  return mine;
}

struct Size {
  std::size_t bodies, longer;  ///< number of frames, as a multiple of that for the largest number of bodies
  double bullet, fcl;          ///< target: graze's time divided by theirs
};

/// Compares the growth with n log n: for each larger number of bodies, the time relative to the smallest number,
/// divided by the n log n prediction.
void add_growth(Context& context, const std::vector<std::pair<double, double>>& times) {
  const auto cost = [](double n) { return n * std::log(n); };
  for (std::size_t i = 1; i < times.size(); ++i) {
    Line line{
        "broad", "growth of graze automatic", fmt::format("{:.0f} bodies", times[i].first), {}, {}, {}, Verdict::none,
        {}};
    line.ratio = times[i].second / times[0].second / (cost(times[i].first) / cost(times[0].first));
    if (i + 1 == times.size()) {
      line.target = 1;
      line.verdict = judge_ratio(*line.ratio, 1);
    }
    line.note = fmt::format("{:.0f} times as long as {:.0f} bodies; over n log n", times[i].second / times[0].second,
                            times[0].first);
    context.table.add(std::move(line));
  }
}

}  // namespace

void row_world_broad(Context& context) {
  // The targets, 0.012, 0.2, 2.5 and 30 ms, divided by the times of Bullet and FCL when the targets were set.
  constexpr Size sizes[] = {{100, 40, 0.012 / 0.029, 0.012 / 0.034},
                            {1000, 20, 0.2 / 0.5, 0.2 / 0.81},
                            {10000, 4, 2.5 / 8.7, 2.5 / 5.8},
                            {100000, 1, 30. / 355, 30. / 72}};
  std::vector<std::pair<double, double>> times;
  for (const Size& size : sizes) {
    if (context.quick && size.bodies > 10000) continue;
    const double n = static_cast<double>(size.bodies);
    const BoxFlight flight = fly_boxes({.bodies = size.bodies,
                                        .movers = size.bodies,
                                        .frames = context.poses * size.longer,
                                        .side = std::cbrt(n),
                                        .seed = size.bodies});
    const std::string task = fmt::format("{} boxes of half side 0.1 to 0.5, all moving", size.bodies);
    auto runners = our_runners(flight, false);
    const std::size_t ours = runners.size();
    std::vector<double> targets;
    const auto enter = [&](std::unique_ptr<BroadRunner> runner, double target) {
      if (!runner) return;
      runners.push_back(std::move(runner));
      targets.push_back(target);
    };
    if (wanted(context, "Bullet")) enter(bullet_broad(flight), size.bullet);
    if (wanted(context, "FCL")) enter(fcl_broad(flight), size.fcl);
    const BroadRace outcome = race(context, task, flight, std::move(runners), false);
    times.emplace_back(n, add_lines(context, "broad", task, outcome, ours, targets));
  }
  add_growth(context, times);
}

void row_world_broad_choice(Context& context) {
  struct Crowd {
    const char* words;
    std::size_t bodies, movers, longer;
    double giants;
    bool all_sizes = false, two_places = false;
  };
  constexpr Crowd crowds[] = {
      {"1,000 boxes, 10 of them moving", 1000, 10, 40, 0},
      {"1,000 boxes, 300 of them moving", 1000, 300, 20, 0},
      {"10,000 boxes, 100 of them moving", 10000, 100, 10, 0},
      {"10,000 boxes, 3,000 of them moving", 10000, 3000, 4, 0},
      {"100,000 boxes, 1,000 of them moving", 100000, 1000, 2, 0},
      {"1,000 boxes, a fiftieth ten times as large, all moving", 1000, 1000, 10, 0.02},
      {"10,000 boxes, a fiftieth ten times as large, all moving", 10000, 10000, 2, 0.02},
      {"10,000 boxes, a fiftieth ten times as large, 100 moving", 10000, 100, 10, 0.02},
      {"10,000 boxes of sizes 0.005 to 5, all moving", 10000, 10000, 2, 0, true},
      {"10,000 boxes of sizes 0.005 to 5, 100 moving", 10000, 100, 10, 0, true},
      {"10,000 boxes in two places far apart, all moving", 10000, 10000, 2, 0, false, true},
      {"10,000 boxes in two places far apart, 100 moving", 10000, 100, 10, 0, false, true},
  };
  for (const Crowd& crowd : crowds) {
    if (context.quick && crowd.bodies > 10000) continue;
    const BoxFlight flight = fly_boxes({.bodies = crowd.bodies,
                                        .movers = crowd.movers,
                                        .frames = context.poses * crowd.longer,
                                        .side = std::cbrt(static_cast<double>(crowd.bodies)),
                                        .most_half = crowd.all_sizes ? 2.5 : 0.5,
                                        .giants = crowd.giants,
                                        .all_sizes = crowd.all_sizes,
                                        .two_places = crowd.two_places,
                                        .seed = 7});
    auto runners = our_runners(flight, true);
    const std::size_t ours = runners.size();
    const BroadRace outcome = race(context, crowd.words, flight, std::move(runners), true);
    add_lines(context, "choice", crowd.words, outcome, ours, {});
  }
}

}  // namespace graze::bench
