// SPDX-License-Identifier: MIT
// What a world knows from the frame before: `check` asks only about pairs of which a body moved, and `near` keeps its
// answers for the others. Beside worlds that start anew in every frame.
#include <fmt/core.h>

#include <cmath>
#include <memory>

#include <graze/mesh/make.hpp>
#include <graze/world/world.hpp>

#include "rows/world/world.hpp"

namespace graze::bench {
namespace {

constexpr double near_distance = 0.1;

/// Rings in a cube, of which every tenth moves and turns a little in each frame, a different tenth each time.
class Rings {
 public:
  Rings(std::size_t count, std::size_t coherent_pairs)
      : world_({.coherent_pairs = coherent_pairs}), side_(0.95 * std::cbrt(static_cast<double>(count))) {
    const Body ring(make::torus({.major = 0.35, .minor = 0.12, .triangles = 200}));
    for (std::size_t i = 0; i < count; ++i) ids_.push_back(world_.add(ring, pose(i, 0)));
    world_.check();
    world_.near(near_distance);
  }

  /// Moves a tenth, and reports that everything has moved if `all`.
  void move(std::size_t frame, bool all) {
    for (std::size_t i = frame % 10; i < ids_.size(); i += 10) world_.move(ids_[i], pose(i, frame));
    if (!all) return;
    for (const BodyId id : ids_) world_.move(id, world_.pose(id));
  }
  double check() {
    world_.check({}, checked_);
    counters = checked_.counters;
    return static_cast<double>(world_.touching().size());
  }
  double near() {
    world_.near(near_distance, {}, near_);
    counters = near_.counters;
    return static_cast<double>(near_.pairs.size());
  }

  WorldCounters counters;  ///< of the last question

 private:
  Pose pose(std::size_t i, std::size_t frame) const {
    const auto part = [&](double step) {
      const double x = step * (static_cast<double>(i) + 1);
      return x - std::floor(x);
    };
    const double t = 0.02 * static_cast<double>(frame);
    const Vec3 at{side_ * part(0.754877666), side_ * part(0.569840291), side_ * part(0.362760044)};
    return Pose(at + Vec3{0.3 * std::sin(t + part(0.3)), 0.3 * std::cos(t), 0.2 * std::sin(2 * t)},
                {1, part(0.61) - 0.5 + std::sin(t), part(0.37), 0.5 - part(0.83)});
  }

  World world_;
  double side_;
  std::vector<BodyId> ids_;
  CheckResult checked_;
  NearResult near_;
};

struct CoherenceWay {
  const char* name;
  bool asks_near;  ///< otherwise it checks
  bool keeps;      ///< from frame to frame
  bool checks;     ///< before `near`: what touches is then known
};

void compare_ways(Context& context, std::size_t count, bool asks_near) {
  const std::string question = asks_near ? fmt::format("near({})", near_distance) : std::string("check");
  const std::string task = fmt::format("{} rings, a tenth moves: {}; ratio: time over the first's", count, question);
  std::vector<CoherenceWay> ways{{"as it is", asks_near, true, true}, {"everything anew", asks_near, false, true}};
  if (asks_near) ways.push_back({"as it is, without a check before", true, true, false});
  std::vector<std::shared_ptr<Rings>> worlds;
  std::vector<Contestant> contestants;
  for (const CoherenceWay& way : ways) {
    const auto rings = std::make_shared<Rings>(count, way.keeps ? 4096 : 0);
    worlds.push_back(rings);
    contestants.push_back(
        {way.name, [rings, way](std::size_t) { return way.asks_near ? rings->near() : rings->check(); }});
    contestants.back().prepare = [rings, way](std::size_t frame) {
      rings->move(frame, !way.keeps);
      if (way.asks_near && way.checks) rings->check();
    };
  }
  const std::size_t frames = context.quick ? 4 : 20;
  context.progress.begin(task);
  bool same = true;
  std::vector<WorldCounters> sums(contestants.size());
  for (std::size_t f = 0; f < frames; ++f) {
    std::vector<double> answers;
    for (std::size_t c = 0; c < contestants.size(); ++c) {
      contestants[c].prepare(f);
      answers.push_back(contestants[c].ask(f));
      sums[c] += worlds[c]->counters;
    }
    for (const double answer : answers) same = same && answer == answers[0];
  }
  const auto timings = time_interleaved(contestants, {.queries = frames, .passes = 3}, context.progress);
  context.progress.clear();
  for (std::size_t c = 0; c < contestants.size(); ++c)
    context.table.add(
        {"coherence",
         task,
         contestants[c].name,
         timings[c],
         timings[c].mean / timings[0].mean,
         {},
         same ? Verdict::none : Verdict::wrong,
         fmt::format("a frame: {} pairs asked, {} kept", sums[c].asked / frames, sums[c].answers_kept / frames)});
}

}  // namespace

void row_world_coherence(Context& context) {
  for (const std::size_t count : {std::size_t{1000}, std::size_t{10000}}) {
    if (context.quick && count > 1000) continue;
    for (const bool asks_near : {false, true}) compare_ways(context, count, asks_near);
  }
}

}  // namespace graze::bench
