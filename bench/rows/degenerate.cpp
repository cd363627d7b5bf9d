// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <graze/ask/collide.hpp>
#include <graze/body/body.hpp>

#include "rows/rows.hpp"
#include "scene/meshes.hpp"

namespace graze::bench {
namespace {

constexpr double kAllowed = 3;  // allowed slowdown by degeneracy

struct Pile {
  Body body;
  std::vector<PosePair> poses;
  CollideOptions options = {};
  CollideResult result = {};

  double ask(std::size_t i) {
    collide(body, poses[i].a, body, poses[i].b, options, result);
    return static_cast<double>(result.pairs.size());
  }
};

struct Match {
  std::string task;
  bool all = false;
  bool judge_whole = true;  ///< false if the stacked scene has far more pairs to list
};

void stacked_against_general(Context& context, const Match& match, Pile general, Pile stacked) {
  stacked.options.all = general.options.all = match.all;
  const std::size_t queries = stacked.poses.size();
  Counters cost[2];
  double pairs[2] = {0, 0};
  for (std::size_t i = 0; i < queries; ++i) {
    pairs[0] += general.ask(i);
    cost[0] += general.result.counters;
    pairs[1] += stacked.ask(i);
    cost[1] += stacked.result.counters;
  }
  context.progress.begin(match.task);
  const std::vector<Contestant> contestants{{"general position", [&](std::size_t i) { return general.ask(i); }},
                                            {"stacked", [&](std::size_t i) { return stacked.ask(i); }}};
  const auto timings =
      time_interleaved(contestants, {.queries = queries, .block = queries > 100 ? 10u : 1u}, context.progress);
  context.progress.clear();
  const auto line = [&](std::string name, std::optional<Timing> timing, std::optional<double> ratio, bool judged,
                        std::string note) {
    const auto target = judged ? std::optional(kAllowed) : std::nullopt;
    const Verdict verdict = judged ? judge_ratio(*ratio, kAllowed) : Verdict::none;
    context.table.add({"degenerate", match.task, std::move(name), timing, ratio, target, verdict, std::move(note)});
  };
  const auto note = [&](int i) {
    return fmt::format("{} triangle tests, {} pairs; signs: {} by filter, {} by expansions, {} by rationals",
                       cost[i].triangle_tests, pairs[i], cost[i].filter_decided, cost[i].expansion_decided,
                       cost[i].rational_decided);
  };
  const double ratio = timings[1].mean / timings[0].mean;
  line("general position", timings[0], {}, false, note(0));
  line("stacked", timings[1], ratio, match.judge_whole, note(1));
  const double tests = static_cast<double>(cost[1].triangle_tests) / static_cast<double>(cost[0].triangle_tests);
  if (cost[0].triangle_tests > 0 && cost[1].triangle_tests > 0) {
    line("stacked, a triangle test", {}, ratio / tests, !match.judge_whole, "stacked over general");
  }
}

/// Each of n^3 unit boxes against its neighbours above, behind and to the right.
std::vector<PosePair> stack(int n) {
  std::vector<PosePair> poses;
  for (int x = 0; x < n; ++x) {
    for (int y = 0; y < n; ++y) {
      for (int z = 0; z < n; ++z) {
        const Vec3 here{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
        for (const Vec3& step : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
          poses.push_back({Pose(here), Pose(here + step)});
        }
      }
    }
  }
  return poses;
}

}  // namespace

void row_degenerate(Context& context) {
  const Body box(unit_box());
  const auto stacked = stack(context.quick ? 3 : 8);
  std::vector<PosePair> general;
  Random random(11);
  for (const PosePair& pose : stacked) {  // the same boxes with random rotations, so close that neighbours meet
    general.push_back(
        {Pose(pose.a.translation() * 0.7, random.rotation()), Pose(pose.b.translation() * 0.7, random.rotation())});
  }
  for (const bool all : {false, true}) {
    const char* question = all ? "all pairs" : "yes or no";
    stacked_against_general(context, {fmt::format("{} pairs of neighbouring boxes, {}", stacked.size(), question), all},
                            {box, general}, {box, stacked});
  }

  const int n = context.quick ? 8 : 24;
  const Body slab(box_slab(n, n));
  std::vector<PosePair> on_top, tilted;
  for (int i = 0; i < 10; ++i) {
    on_top.push_back({Pose(), Pose({static_cast<double>(i % 3), static_cast<double>(i % 2), 1})});
    // Overlapping by half the height, with a small rotation: walls cross walls.
    tilted.push_back(
        {Pose(), Pose({0.37 + i % 3, 0.21 + i % 2, 0.43}, {1, 0.001 * random.uniform(1, 2), 0.0013, 0.02})});
  }
  stacked_against_general(context,
                          {fmt::format("two slabs of {} x {} boxes as one mesh each, all pairs", n, n), true, false},
                          {slab, tilted}, {slab, on_top});
}

}  // namespace graze::bench
