// SPDX-License-Identifier: MIT
// Zachmann 6.6: speed-up by threads, for many pairs, for one pair (two phases, or parts of one), and for two methods
// that race.
#include <fmt/core.h>

#include <array>
#include <thread>

#include <graze/world/world.hpp>

#include "rows/world/pairs.hpp"

namespace graze::bench {
namespace {

/// Only wall-clock time shows the gain of a second thread; other processes disturb it.
constexpr AskPlan kWall{.passes = 3, .wall_clock = true};

std::string processors() { return fmt::format("{} processors here", std::thread::hardware_concurrency()); }

/// A world whose bodies follow a recorded flight.
struct Follower {
  Follower(const CageFlight& f, const char* method, bool solid, int threads)
      : flight(f), world({.broad = "grid", .threads = threads, .solid = solid}) {
    for (std::size_t i = 0; i < f.bodies.size(); ++i) ids.push_back(world.add(f.bodies[i], f.frames[0][i]));
    for (const auto& [a, b] : f.pairs) world.set_pair(ids[a], ids[b], {.method = method});
    for (std::size_t w = f.flying; w < ids.size(); ++w) world.groups(ids[w], 2, 1);
  }
  double frame(std::size_t f) {
    for (std::size_t i = 0; i < flight.flying; ++i) world.move(ids[i], flight.frames[f][i]);
    world.check({}, result);
    return static_cast<double>(result.counters.contacts);
  }

  const CageFlight& flight;
  World world;
  std::vector<BodyId> ids;
  CheckResult result;
};

struct CoarseScene {
  const char* words;
  const char* method;
  std::vector<Mesh> meshes;
  double side;
  bool solid = false;
};

std::vector<CoarseScene> coarse_scenes() {
  const auto ten = [](std::vector<std::string_view> kinds, std::size_t triangles) {
    std::vector<Mesh> meshes;
    for (std::size_t i = 0; i < 10; ++i) meshes.push_back(thesis_body(kinds[i % kinds.size()], triangles));
    return meshes;
  };
  const std::vector<std::string_view> all{"sphere", "torus", "tetra-flake", "hyperboloid"};
  return {{"ten bodies of about 100 triangles, arbitrary", "brute", ten(all, 100), 3},
          {"ten convex bodies of about 400 triangles, convex", "convex", ten({"sphere", "cone"}, 400), 3, true},
          {"ten bodies of about 400 triangles, box-trees", "box_tree", ten(all, 400), 3},
          {"100 tetrahedra, arbitrary", "brute", std::vector<Mesh>(100, thesis_body("tetrahedron", 4)), 7}};
}

void coarse(Context& context) {
  for (const CoarseScene& scene : coarse_scenes()) {
    const CageFlight flight = fly_in_cage(
        {.meshes = scene.meshes, .side = scene.side, .walls = true, .frames = 2 * context.poses, .seed = 29});
    std::vector<std::shared_ptr<Follower>> worlds;
    std::vector<Contestant> contestants;
    for (const int threads : {1, 2, 4}) {
      worlds.push_back(std::make_shared<Follower>(flight, scene.method, scene.solid, threads));
      contestants.push_back(
          {fmt::format("{} threads", threads), [world = worlds.back()](std::size_t f) { return world->frame(f); }});
    }
    const std::string task = fmt::format("coarse: {}; ratio: speed-up over one thread", scene.words);
    context.progress.begin(task);
    std::vector<bool> wrong(contestants.size(), false);
    for (std::size_t f = 0; f < flight.frames.size(); ++f) {
      for (std::size_t c = 0; c < contestants.size(); ++c) {
        contestants[c].ask(f);
        wrong[c] = wrong[c] || worlds[c]->world.touching() != worlds[0]->world.touching();
      }
    }
    const auto timings = time_interleaved(
        contestants, {.queries = flight.frames.size(), .passes = 3, .wall_clock = true}, context.progress);
    context.progress.clear();
    for (std::size_t c = 0; c < contestants.size(); ++c)
      context.table.add({"parallel",
                         task,
                         contestants[c].name,
                         timings[c],
                         timings[0].mean / timings[c].mean,
                         {},
                         wrong[c] ? Verdict::wrong : Verdict::none,
                         fmt::format("Figure 6.3: not stated in the text; {}", processors())});
  }
}

CageFlight two(std::string_view kind, std::size_t triangles, std::size_t frames) {
  const Mesh mesh = thesis_body(kind, triangles);
  return fly_in_cage({.meshes = {mesh, mesh}, .side = 0.8, .frames = frames, .seed = 31});
}

void medium(Context& context) {
  struct Size {
    std::size_t triangles;
    std::optional<double> arbitrary, box_trees;
  };
  for (const Size& size : {Size{42, 1.15, {}}, Size{132, 1.73, {}}, Size{442, 1.76, 1.83}, Size{4000, {}, {}}}) {
    const CageFlight flight = two("sphere", size.triangles, 2 * context.poses);
    const std::string task =
        fmt::format("medium: one pair of {} triangles each; ratio: speed-up over one thread", flight.triangles / 2);
    std::vector<PairSetting> settings;
    for (const char* method : {"brute", "box_tree", "tree"})
      for (const int threads : {1, 2})
        settings.push_back({fmt::format("{}, {} thread{}", method, threads, threads > 1 ? "s" : ""),
                            {.method = method, .threads = threads}});
    const auto outcome = ask_cage(context, task, flight, settings, kWall);
    for (std::size_t s = 0; s < settings.size(); ++s) {
      const std::optional<double> paper = s == 1 ? size.arbitrary : s == 3 ? size.box_trees : std::nullopt;
      context.table.add(pair_line("parallel", task, settings[s], outcome[s],
                                  outcome[s - s % 2].frame.mean / outcome[s].frame.mean,
                                  s % 2 == 0 ? "" : stated(paper)));
    }
  }
}

/// 6.3.1: parts of one query on several threads. The thesis describes it and states no figure for one pair.
void fine(Context& context) {
  for (const std::size_t triangles : {442, 4000}) {
    const CageFlight flight = two("sphere", triangles, context.poses);
    const std::string task =
        fmt::format("fine: one solid pair of {} triangles each; ratio: speed-up over one thread", flight.triangles / 2);
    std::vector<PairSetting> settings;
    constexpr std::array<int, 3> counts{1, 2, 4};
    for (const char* method : {"convex", "box_tree", "sampling"})
      for (const int threads : counts)
        settings.push_back({fmt::format("{}, {} thread{}", method, threads, threads > 1 ? "s" : ""),
                            {.method = method, .solid = true, .threads = threads}});
    const auto outcome = ask_cage(context, task, flight, settings, kWall);
    for (std::size_t s = 0; s < settings.size(); ++s)
      context.table.add(pair_line("parallel", task, settings[s], outcome[s],
                                  outcome[s - s % counts.size()].frame.mean / outcome[s].frame.mean, processors()));
  }
}

/// The thesis runs the arbitrary algorithm and separating planes concurrently and states the speed-up over the former
/// alone; graze's `dual` uses `tree` instead.
void race_planes(Context& context, const std::string& scene, const CageFlight& flight, const std::string& paper) {
  const std::string task =
      fmt::format("dual: {}, {} triangles; ratio: speed-up over the tree alone", scene, flight.triangles);
  const std::vector<PairSetting> settings{{"tree alone", {.method = "tree"}},
                                          {"arbitrary alone", {.method = "brute"}},
                                          {"dual, 1 thread", {.method = "dual"}, true},
                                          {"dual, 2 threads", {.method = "dual", .threads = 2}, true}};
  const auto outcome = ask_cage(context, task, flight, settings, kWall);
  for (std::size_t s = 0; s < settings.size(); ++s) {
    const PairOutcome& o = outcome[s];
    std::string note;
    if (settings[s].warm)
      note = fmt::format("over arbitrary alone {:.3g} ({}); {:.0f} % of queries settled by the last plane at once",
                         outcome[1].frame.mean / o.frame.mean, paper, o.share(o.counters.plane_reused, o.asked));
    context.table.add(
        pair_line("parallel", task, settings[s], o, outcome[0].frame.mean / o.frame.mean, std::move(note)));
  }
}

void dual(Context& context) {
  struct Pair {
    const char* kind;
    double small, large;  ///< stated in the thesis
  };
  for (const Pair& pair : {Pair{"torus", 1.5, 3.5}, Pair{"hyperboloid", 2, 1.9}, Pair{"sphere", 1.75, 2.8}}) {
    for (const std::size_t triangles : {100, 1000})
      race_planes(context, fmt::format("two bodies ({})", pair.kind), two(pair.kind, triangles, 3 * context.poses),
                  stated(triangles == 100 ? pair.small : pair.large));
  }
  constexpr const char* kinds[] = {"sphere", "torus", "hyperboloid"};
  for (const auto& [triangles, paper] : {std::pair{400, 6.2 / 8.5}, std::pair{70, 66. / 83}}) {
    CagePlan plan{.side = 2.5, .frames = context.poses, .seed = 37};
    for (std::size_t i = 0; i < 10; ++i)
      plan.meshes.push_back(thesis_body(kinds[i % 3], static_cast<std::size_t>(triangles)));
    race_planes(context, "ten bodies in a cage", fly_in_cage(plan), stated(paper) + ", 80 % settled by planes");
  }
}

}  // namespace

void row_world_parallel(Context& context) {
  coarse(context);
  medium(context);
  fine(context);
  dual(context);
}

}  // namespace graze::bench
