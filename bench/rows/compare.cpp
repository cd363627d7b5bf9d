// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>

#include "rows/check.hpp"
#include "rows/rows.hpp"

namespace graze::bench {
namespace {

constexpr Row kRows[] = {
    {"yes-no", "bunny against bunny within 0.01 of touching: do they meet?", row_yes_no},
    {"all-pairs", "the same poses: all meeting triangle pairs", row_all_pairs},
    {"distance", "bunny against bunny, gaps from 0.001 to 1", row_distance},
    {"knots", "distance of torus knots of three sizes", row_knots},
    {"convex", "convex bodies of 32 to 2000 vertices: distance in flight, and yes or no", row_convex},
    {"build", "time and memory of the tree", row_build},
    {"files", "reading a large mesh in every format", row_files},
    {"methods", "every method of collide against tree, the default", row_methods},
    {"degenerate", "stacked boxes against boxes in general position", row_degenerate},
    {"threads", "one thread against two, by the wall clock", row_threads},
    {"switches", "single ideas switched off, with their counters", row_switches},
};

std::optional<double> target_of(const Targets& targets, const std::string& contestant) {
  const auto found = targets.find(contestant);
  return found == targets.end() ? std::nullopt : std::optional(found->second);
}

std::string standing_note(const Standing& standing, std::size_t queries) {
  std::string note;
  if (standing.wrong > 0) note += fmt::format("wrong in {} of {}", standing.wrong, queries);
  if (standing.candidates > 0)
    note += fmt::format(
        "boxes only: {:.1f} candidates a meeting pair",
        static_cast<double>(standing.candidates) / static_cast<double>(std::max<std::size_t>(1, standing.true_pairs)));
  if (standing.unsettled > 0) note += fmt::format(" differs unsettled in {} of {}", standing.unsettled, queries);
  return note;
}

std::string joined(const std::string& a, const std::string& b) { return a.empty() || b.empty() ? a + b : a + "; " + b; }

}  // namespace

std::span<const Row> discrete_rows() { return kRows; }

bool takes_part(const Context& context, const Peer& peer) {
  const auto wanted = [&](const std::string& name) { return peer.name.starts_with(name); };
  return peer.enter && (context.peers.empty() || std::any_of(context.peers.begin(), context.peers.end(), wanted));
}

void compare(Context& context, const Comparison& comparison, const Scene& scene) {
  const bool build = comparison.question == Question::build;
  const std::size_t queries = build ? 1 : scene.poses.size();
  std::vector<Contestant> contestants = enter_graze(comparison.question, scene);
  for (const Peer& peer : peers()) {
    if (!takes_part(context, peer)) continue;
    for (Contestant& contestant : peer.enter(comparison.question, scene)) {
      contestants.push_back(std::move(contestant));
    }
  }
  context.progress.begin(comparison.task + ": comparing answers");
  const auto standings = check_answers(comparison.question, scene, contestants, queries, context.progress);
  context.progress.begin(comparison.task + ": timing");
  const auto timings = time_interleaved(contestants, {.queries = queries, .block = comparison.block}, context.progress);
  context.progress.clear();
  const bool ours_wrong = standings[0].wrong + standings[0].unsettled > 0;
  for (std::size_t c = 0; c < contestants.size(); ++c) {
    Line line{comparison.row,
              comparison.task,
              contestants[c].name,
              timings[c],
              {},
              {},
              Verdict::none,
              standing_note(standings[c], queries)};
    if (build) {
      const double bytes = contestants[c].ask(0) / static_cast<double>(scene.a.triangle_count());
      if (bytes > 0) line.note = fmt::format("{:.1f} bytes a triangle", bytes);
    }
    if (c == 0) {
      line.note = joined(line.note, comparison.note);
      if (ours_wrong) line.verdict = Verdict::wrong;
    } else {
      line.ratio = timings[0].mean / timings[c].mean;
      line.target = target_of(comparison.targets, contestants[c].name);
      // A contestant with wrong answers never passes, however fast it is.
      if (line.target && !ours_wrong) line.verdict = judge_ratio(*line.ratio, *line.target);
    }
    context.table.add(std::move(line));
  }
}

}  // namespace graze::bench
