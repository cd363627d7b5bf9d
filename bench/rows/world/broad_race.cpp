// SPDX-License-Identifier: MIT
#include "rows/world/broad_race.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace graze::bench {
namespace {

/// The boxes in a given frame.
std::vector<Box3> boxes_at(const BoxFlight& flight, std::size_t frame) {
  std::vector<Box3> boxes;
  for (std::size_t i = 0; i < flight.start.size(); ++i)
    boxes.push_back(flight.box(i, i < flight.movers ? flight.frames[frame][i] : flight.start[i]));
  return boxes;
}

/// Finds the pairs by a sweep along x in plain double precision, independent of the library.
std::vector<BoxPair> true_pairs(const std::vector<Box3>& boxes, std::size_t movers) {
  std::vector<std::uint32_t> order(boxes.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return boxes[a].lo.x < boxes[b].lo.x; });
  std::vector<BoxPair> pairs;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Box3& box = boxes[order[i]];
    for (std::size_t j = i + 1; j < order.size() && boxes[order[j]].lo.x <= box.hi.x; ++j) {
      const std::uint32_t a = std::min(order[i], order[j]), b = std::max(order[i], order[j]);
      if (a < movers && box.overlaps(boxes[order[j]])) pairs.push_back({a, b});
    }
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

/// Does a runner's list agree, after sorting it and, if the runner reports such pairs, removing pairs whose boxes are
/// apart?
bool agrees(BroadRunner& runner, const std::vector<Box3>& boxes, const std::vector<BoxPair>& truth,
            std::size_t movers) {
  std::vector<BoxPair> found = runner.found();
  std::erase_if(found, [&](const BoxPair& p) {
    return p.a >= movers || (runner.reports_more() && !boxes[p.a].overlaps(boxes[p.b]));
  });
  std::sort(found.begin(), found.end());
  return found == truth;
}

}  // namespace

BroadRace race(Context& context, const std::string& task, const BoxFlight& flight,
               std::vector<std::unique_ptr<BroadRunner>> runners, bool only_moved) {
  BroadRace result;
  result.runners = std::move(runners);
  const std::size_t count = result.runners.size(), frames = flight.frames.size();
  result.right.assign(count, true);
  context.progress.begin(task + ": comparing pairs");
  const std::size_t movers = only_moved ? flight.movers : flight.start.size();
  // The first quarter of the flight is checked, the rest is timed, once: data structures that defer work would look
  // better than they are if the best of several passes counted.
  const std::size_t looked_at = frames / 4 + 1;
  for (std::size_t f = 0; f < looked_at; ++f) {
    for (auto& runner : result.runners) runner->frame(f);
    if (f % (looked_at / 3 + 1) != 0 && f + 1 != looked_at) continue;
    const std::vector<Box3> boxes = boxes_at(flight, f);
    const std::vector<BoxPair> truth = true_pairs(boxes, movers);
    for (std::size_t r = 0; r < count; ++r) {
      if (!agrees(*result.runners[r], boxes, truth, movers)) result.right[r] = false;
    }
  }
  for (auto& runner : result.runners) result.pairs.push_back(runner->found().size());
  std::vector<Contestant> contestants;
  for (std::size_t r = 0; r < count; ++r) {
    contestants.push_back({result.runners[r]->name(), [&, r](std::size_t i) {
                             return static_cast<double>(result.runners[r]->frame(looked_at + i));
                           }});
  }
  context.progress.begin(task + ": timing");
  const std::size_t block = std::clamp<std::size_t>(2000 / std::max<std::size_t>(flight.movers, 1), 1, 20);
  result.timings =
      time_interleaved(contestants, {.queries = frames - looked_at, .block = block, .passes = 1}, context.progress);
  context.progress.clear();
  return result;
}

Line race_line(const std::string& row, const std::string& task, const BroadRace& race, std::size_t runner) {
  const BroadRunner& r = *race.runners[runner];
  Line line{row, task, r.name(), race.timings[runner], {}, {}, Verdict::none, {}};
  line.note = fmt::format("{} pairs{}", race.pairs[runner], r.reports_more() ? ", of widened boxes" : "");
  if (r.bytes() > 0) line.note += fmt::format("; {:.0f} kB", static_cast<double>(r.bytes()) / 1e3);
  if (!race.right[runner]) {
    line.verdict = Verdict::wrong;
    line.note += "; not the pairs that plain comparison finds";
  }
  return line;
}

}  // namespace graze::bench
