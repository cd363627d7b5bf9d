// SPDX-License-Identifier: MIT
// Arms among 50,000 triangles: states and edges, beside FCL that is asked at samples.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include <graze/robot/many.hpp>

#include "peers/robot.hpp"
#include "rows/robot/robot.hpp"
#include "scene/arms.hpp"

namespace graze::bench {
namespace {

constexpr double kReach = 0.2, kSample = 0.01;

struct ArmScene {
  std::string name;
  Robot robot;
  std::size_t n;
  ArmQuestions questions;
  PeerTouches fcl;  ///< empty: not installed
  mutable RobotMemory memory;
  mutable std::vector<LinkPose> links;
  mutable std::vector<double> q;

  ArmScene(Context& context, Arm arm, std::size_t states, std::size_t motions)
      : name(arm.name), robot(std::move(arm.model)), n(robot.coordinates()), links(robot.chain().size()), q(n) {
    std::vector<Obstacle> obstacles = clutter(50000, 3);
    if (context.peers.empty() || std::find(context.peers.begin(), context.peers.end(), "FCL") != context.peers.end()) {
#ifdef GRAZE_BENCH_FCL
      fcl = fcl_touches(peer_arm(robot, obstacles));
#endif
    }
    // What stands on the same ground as the arm's base is no question.
    robot.surroundings(std::move(obstacles));
    questions = arm_questions(robot, states, motions, kReach, 5);
  }
  std::span<const double> state(std::size_t i) const { return std::span(questions.states).subspan(i * n, n); }
  std::span<const double> from(std::size_t i) const { return std::span(questions.from).subspan(i * n, n); }
  std::span<const double> to(std::size_t i) const { return std::span(questions.to).subspan(i * n, n); }

  bool fcl_at(std::span<const double> at) const {
    robot.chain().link_poses(at, links);
    return fcl(links);
  }
  bool graze_at(std::span<const double> at) const {
    StateOptions options;
    options.witness = false;
    options.memory = &memory;
    return robot.check(at, options).status != Status::free;
  }
  /// Asks at the end, in the middle, in the middle of the halves and so on, as OMPL does, every 0.01 radians.
  bool sampled(std::size_t i, const std::function<bool(std::span<const double>)>& touches) const {
    const int steps = static_cast<int>(std::lround(kReach / kSample));
    if (touches(to(i))) return true;
    for (int stride = 32; stride > 0; stride /= 2)
      for (int k = stride; k < steps; k += 2 * stride) {
        const double t = static_cast<double>(k) / steps;
        for (std::size_t c = 0; c < n; ++c) q[c] = from(i)[c] + t * (to(i)[c] - from(i)[c]);
        if (touches(q)) return true;
      }
    return false;
  }
  bool certified(std::size_t i) const {
    RobotFreeOptions options;
    options.memory = &memory;
    return robot.motion_free(from(i), to(i), options).status != Status::free;
  }
};

std::vector<std::unique_ptr<ArmScene>> scenes(Context& context, std::size_t states, std::size_t motions) {
  std::vector<std::unique_ptr<ArmScene>> out;
  for (Arm& arm : arms()) out.push_back(std::make_unique<ArmScene>(context, std::move(arm), states, motions));
  return out;
}

/// The timings of some of the questions, as their own lines.
void add_lines(Context& context, const std::string& row, const std::string& task,
               const std::vector<Contestant>& contestants, const std::vector<std::vector<double>>& seconds,
               const std::function<bool(std::size_t)>& take, const std::vector<double>& targets,
               const std::vector<std::string>& notes, bool wrong) {
  std::vector<Timing> timings;
  for (const std::vector<double>& all : seconds) {
    std::vector<double> some;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (take(i)) some.push_back(all[i]);
    timings.push_back(summarise(some));
  }
  for (std::size_t c = 0; c < contestants.size(); ++c) {
    Line line{row, task, contestants[c].name, timings[c], {}, {}, Verdict::none, notes[c]};
    if (c == 0 && wrong) line.verdict = Verdict::wrong;
    if (c > 0) {
      line.ratio = timings[0].mean / timings[c].mean;
      if (targets[c] > 0) {
        line.target = targets[c];
        line.verdict = judge_ratio(*line.ratio, targets[c]);
      }
    }
    context.table.add(std::move(line));
  }
}

}  // namespace

void row_robot_states(Context& context) {
  for (const auto& s : scenes(context, context.poses, 0)) {
    std::vector<Contestant> contestants{
        {"graze, certified", [&](std::size_t i) { return s->graze_at(s->state(i)) ? 1.0 : 0.0; }}};
    if (s->fcl) contestants.push_back({"FCL OBB", [&](std::size_t i) { return s->fcl_at(s->state(i)) ? 1.0 : 0.0; }});
    std::vector<bool> touch(context.poses);
    std::size_t touching = 0, differ = 0, wrong = 0;
    for (std::size_t i = 0; i < context.poses; ++i) {
      touching += touch[i] = contestants[0].ask(i) > 0;
      if (!s->fcl || contestants[1].ask(i) == contestants[0].ask(i)) continue;
      ++differ;
      wrong += s->robot.distance(s->state(i)).distance > 1e-9 || !touch[i];
    }
    const std::string task = fmt::format("{}, {} of {} states touch", s->name, touching, context.poses);
    context.progress.begin(task);
    const auto seconds = best_seconds(contestants, {.queries = context.poses}, context.progress);
    context.progress.clear();
    const std::vector<std::string> notes{"", differ ? fmt::format("differs in {}", differ) : ""};
    add_lines(
        context, "states", task, contestants, seconds, [](std::size_t) { return true; }, {0, 0.2}, notes, wrong);
    add_lines(
        context, "states", s->name + ", those that are free", contestants, seconds,
        [&](std::size_t i) { return !touch[i]; }, {0, 0}, {"", ""}, false);
    add_lines(
        context, "states", s->name + ", those that touch", contestants, seconds,
        [&](std::size_t i) { return touch[i]; }, {0, 0}, {"", ""}, false);
  }
}

void row_robot_edges(Context& context) {
  const std::size_t count = std::max<std::size_t>(20, context.poses / 2);
  for (const auto& s : scenes(context, 0, count)) {
    const auto ours = [&](std::span<const double> at) { return s->graze_at(at); };
    std::vector<Contestant> contestants{
        {"graze, certified", [&](std::size_t i) { return s->certified(i) ? 1.0 : 0.0; }},
        {"graze, every 0.01", [&](std::size_t i) { return s->sampled(i, ours) ? 1.0 : 0.0; }}};
    if (s->fcl)
      contestants.push_back({"FCL, every 0.01", [&](std::size_t i) {
                               return s->sampled(i, [&](auto at) { return s->fcl_at(at); }) ? 1.0 : 0.0;
                             }});
    std::vector<bool> touch(count);
    std::size_t touching = 0, wrong = 0;
    std::vector<std::size_t> missed(contestants.size());
    for (std::size_t i = 0; i < count; ++i) {
      touching += touch[i] = contestants[0].ask(i) > 0;
      for (std::size_t c = 1; c < contestants.size(); ++c) {
        const bool at_samples = contestants[c].ask(i) > 0;
        missed[c] += touch[i] && !at_samples;
        wrong += !touch[i] && at_samples;
      }
    }
    std::vector<std::string> notes{wrong ? fmt::format("free, and touches at a sample: {}", wrong) : ""};
    for (std::size_t c = 1; c < contestants.size(); ++c)
      notes.push_back(fmt::format("{} that touch are called free", missed[c]));
    const std::string task = fmt::format("{}, {} of {} edges of {} radians touch", s->name, touching, count, kReach);
    context.progress.begin(task);
    const auto seconds = best_seconds(contestants, {.queries = count}, context.progress);
    context.progress.clear();
    add_lines(
        context, "edges", task, contestants, seconds, [](std::size_t) { return true; }, {0, 1, 0.25}, notes, wrong > 0);
    const std::vector<std::string> none(contestants.size());
    add_lines(
        context, "edges", s->name + ", those that are free", contestants, seconds,
        [&](std::size_t i) { return !touch[i]; }, {0, 0, 0}, none, false);
    add_lines(
        context, "edges", s->name + ", those that touch", contestants, seconds, [&](std::size_t i) { return touch[i]; },
        {0, 0, 0}, none, false);
  }
}

void row_robot_threads(Context& context) {
  const std::size_t count = std::max<std::size_t>(40, context.poses);
  for (const auto& s : scenes(context, 0, count)) {
    std::vector<std::vector<RobotFreeResult>> results(2, std::vector<RobotFreeResult>(count));
    std::vector<RobotManyMemory> memories(2);
    std::vector<Contestant> contestants;
    for (const int threads : {1, 2})
      contestants.push_back(
          {fmt::format("graze, {} thread{}", threads, threads > 1 ? "s" : ""), [&, threads](std::size_t) {
             RobotManyOptions<RobotFreeOptions> options;
             options.threads = threads;
             const auto k = static_cast<std::size_t>(threads - 1);
             options.memory = &memories[k];
             return static_cast<double>(
                 motion_free_many(s->robot, s->questions.from, s->questions.to, results[k], options).free);
           }});
    const bool same = contestants[0].ask(0) == contestants[1].ask(0);
    const std::string task = fmt::format("{}, a batch of {} edges", s->name, count);
    context.progress.begin(task);
    const auto timings =
        time_interleaved(contestants, {.queries = 1, .passes = 7, .wall_clock = true}, context.progress);
    context.progress.clear();
    const double ratio = timings[1].mean / timings[0].mean;
    context.table.add({"threads", task, contestants[0].name, timings[0], {}, {}, Verdict::none, ""});
    context.table.add({"threads", task, contestants[1].name, timings[1], ratio, 1 / 1.8,
                       same ? judge_ratio(ratio, 1 / 1.8) : Verdict::wrong, "two threads' time over one's"});
  }
}

}  // namespace graze::bench
