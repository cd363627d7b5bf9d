// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <graze/broad/broad_phase.hpp>
#include <graze/mesh/make.hpp>
#include <graze/world/concurrent.hpp>
#include <graze/world/world.hpp>

#include "command.hpp"
#include "demo/cage_scene.hpp"
#include "demo/cage_soak.hpp"
#include "input/choices.hpp"
#include "input/query_options.hpp"
#include "output/json.hpp"
#include "scene/world_print.hpp"

namespace graze::app {
namespace {

struct CageCommand {
  CageOptions cage;
  std::uint64_t frames = 100;
  std::string broad = "automatic", boxes = "aligned", mode = "serial";
  int threads = 0;  ///< 0: one in serial mode, else all that the machine has
  bool newest = false, soak = false, json = false;
  std::optional<std::uint64_t> every;
  std::string record;
};

constexpr const char* cage_footer =
    "Bodies of a box diagonal of 1 fly, turn and bounce in a cage whose side grows as the cube root of their number\n"
    "(Zachmann 5.4.4). The events and their hash are the same for every broad phase, number of threads and mode.\n\n"
    "Examples:\n"
    "  graze cage --bodies 500 --frames 100\n"
    "  graze cage --bodies 500 --movers 1 --kind torus --kind chair --broad grid\n"
    "  graze cage --bodies 10000 --frames 20 --kind tetrahedron --mode parallel --json\n"
    "  graze cage --bodies 1000 --mode concurrent --newest\n"
    "  graze cage --bodies 2 --kind sphere --triangles 2000 --together --mode concurrent --newest\n"
    "  graze cage --soak --bodies 200 --frames 1000 --kind box --kind torus --triangles 100";

/// Totals over all frames.
struct Sums {
  std::string broad;
  BroadCounters broad_counters;
  std::uint64_t skipped_frames = 0;
  /// Concurrent mode: seconds of every call of the application, by kind.
  std::vector<double> moves, posts, takes;
  double longest_check = 0;
  std::array<std::uint64_t, 3> events{};  ///< by kind
  std::uint64_t hash = 0;
  double seconds = 0;
  WorldCounters counters;
  MethodCounters of_methods;  ///< not of a concurrent world

  void take(const CheckResult& r) {
    for (const WorldEvent& e : r.events) ++events[static_cast<std::size_t>(e.kind)];
    hash = event_hash(r.events, hash);
    seconds += r.seconds;
    longest_check = std::max(longest_check, r.seconds);
    counters += r.counters;
  }
};

int threads_of(const CageCommand& c) {
  if (c.threads > 0) return c.threads;
  return c.mode == "serial" ? 1 : static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 1024u));
}

WorldOptions world_options(const CageCommand& c) {
  WorldOptions options{.broad = c.broad, .threads = threads_of(c)};
  for (const BroadBoxes b : {BroadBoxes::aligned, BroadBoxes::tilted, BroadBoxes::cubes})
    if (c.boxes == name(b)) options.boxes = b;
  return options;
}

Sums run_in_line(const CageCommand& command, CageScene& scene) {
  World world(world_options(command));
  if (!command.record.empty()) world.record(command.record);
  std::vector<BodyId> ids;
  for (std::size_t i = 0; i < scene.size(); ++i) ids.push_back(world.add(scene.body(i), scene.pose(i)));
  Sums sums;
  CheckResult result;
  for (std::uint64_t frame = 0; frame < command.frames; ++frame) {
    MethodCounters of_methods;
    world.check({.method_counters = &of_methods}, result);
    sums.take(result);
    sums.of_methods += of_methods;
    scene.step();
    for (std::size_t i = 0; i < scene.movers(); ++i) world.move(ids[i], scene.pose(i));
  }
  sums.broad_counters = world.broad_counters();
  sums.broad = world.broad_method();
  return sums;
}

/// The application moves everything, posts, takes the available results, and does not wait. If every frame must be
/// checked, it sometimes waits for the detector; otherwise frames would accumulate.
Sums run_beside(const CageCommand& command, CageScene& scene) {
  ConcurrentOptions options;
  options.world = world_options(command);
  options.every_frame = !command.newest;
  ConcurrentWorld world(options);
  if (!command.record.empty()) world.record(command.record);
  std::vector<BodyId> ids;
  for (std::size_t i = 0; i < scene.size(); ++i) ids.push_back(world.add(scene.body(i), scene.pose(i)));
  Sums sums;
  sums.broad = command.broad;
  std::vector<CheckResult> results;
  const auto timed = [](std::vector<double>& seconds, auto&& call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  };
  const auto take = [&] {
    for (const CheckResult& r : results) sums.take(r);
    results.clear();
  };
  for (std::uint64_t frame = 0; frame < command.frames; ++frame) {
    timed(sums.posts, [&] { world.post(); });
    timed(sums.takes, [&] { world.take(results); });
    take();
    scene.step();
    for (std::size_t i = 0; i < scene.movers(); ++i) timed(sums.moves, [&] { world.move(ids[i], scene.pose(i)); });
    if (!command.newest && world.posted() > world.checked() + 8) world.wait();
    if (command.newest) std::this_thread::sleep_for(std::chrono::milliseconds(1));  // simulates drawing
  }
  world.wait();
  world.take(results);
  take();
  sums.skipped_frames = world.skipped_frames();
  return sums;
}

int run_soak(const CageCommand& command) {
  const SoakResult r =
      soak(command.cage, world_options(command), command.frames, command.every.value_or(100), command.record);
  if (command.json) {
    Json out = new_object();
    out["frames"] = r.frames;
    out["adds"] = r.adds;
    out["removes"] = r.removes;
    out["deformations"] = r.deformations;
    out["breaks"] = r.breaks;
    out["event_count"] = r.events;
    out["event_hash"] = fmt::format("{:016x}", r.event_hash);
    out["compared"] = r.compared;
    out["difference"] = r.difference ? Json(*r.difference) : Json();
    out["bytes_early"] = r.bytes_early;
    out["bytes_end"] = r.bytes_end;
    print_line(out);
  } else {
    fmt::print("{} frames, {} adds, {} removes, {} deformations, {} breaks, {} events; hash {:016x}\n", r.frames,
               r.adds, r.removes, r.deformations, r.breaks, r.events, r.event_hash);
    fmt::print("{} frames compared with all pairs: {}\n", r.compared, r.difference.value_or("no difference"));
    fmt::print("{:.1f} MB after a tenth of the frames, {:.1f} MB at the end\n",
               1e-6 * static_cast<double>(r.bytes_early), 1e-6 * static_cast<double>(r.bytes_end));
  }
  if (!r.difference) return exit_answered;
  fmt::print(stderr, "graze: {}\n", *r.difference);
  return exit_undecided;
}

double p99(std::vector<double> seconds) {
  if (seconds.empty()) return 0;
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() * 99 / 100];
}

/// Refuses options that would have no effect: they are a misunderstanding.
void check(const CageCommand& command) {
  if (command.newest && command.mode != "concurrent")
    refuse_option("--newest", "needs --mode concurrent: otherwise every frame is checked");
  if (command.every && !command.soak) refuse_option("--every", "needs --soak, which compares");
  if (command.soak && command.mode == "concurrent") refuse_option("--mode", "a soak runs serial or parallel");
}

int run(const CageCommand& command) {
  check(command);
  if (command.soak) return run_soak(command);
  CageScene scene(command.cage);
  const bool beside = command.mode == "concurrent";
  const Sums sums = beside ? run_beside(command, scene) : run_in_line(command, scene);
  // Per checked frame: with --newest most frames are not checked.
  const std::uint64_t checked = std::max<std::uint64_t>(1, command.frames - sums.skipped_frames);
  const double per_frame = sums.seconds / static_cast<double>(checked);
  const std::uint64_t events = sums.events[0] + sums.events[1] + sums.events[2];
  if (!command.json) {
    fmt::print("{} bodies, {} of them moving, {} frames, broad phase {}\n", scene.size(), scene.movers(),
               command.frames, sums.broad);
    fmt::print("{} events: {} began, {} stay, {} ended; hash {:016x}\n", events, sums.events[0], sums.events[1],
               sums.events[2], sums.hash);
    fmt::print("{} pairs near, {} asked; {:.3f} ms a frame\n", sums.counters.near_pairs, sums.counters.asked,
               1e3 * per_frame);
    if (beside)
      fmt::print(
          "{} frames skipped; in 99 of 100 cases a move took at most {:.2f} us, a post {:.2f} us, a take {:.2f} us, "
          "beside checks of up to {:.1f} ms\n",
          sums.skipped_frames, 1e6 * p99(sums.moves), 1e6 * p99(sums.posts), 1e6 * p99(sums.takes),
          1e3 * sums.longest_check);
    return exit_answered;
  }
  Json out = new_object();
  out["bodies"] = scene.size();
  out["movers"] = scene.movers();
  out["frames"] = command.frames;
  out["seed"] = command.cage.seed;
  out["kinds"] = command.cage.kinds;
  out["broad"] = sums.broad;
  out["mode"] = command.mode;
  out["threads"] = threads_of(command);
  out["event_count"] = events;
  for (std::size_t k = 0; k < 3; ++k) out[name(static_cast<EventKind>(k))] = sums.events[k];
  out["event_hash"] = fmt::format("{:016x}", sums.hash);
  out["seconds_per_frame"] = per_frame;
  out["counters"] = to_json(sums.counters, &sums.of_methods);
  if (!beside) out["broad_counters"] = to_json(sums.broad_counters);
  if (beside) {
    out["skipped_frames"] = sums.skipped_frames;
    out["call_p99_seconds"] = std::max({p99(sums.moves), p99(sums.posts), p99(sums.takes)});
    out["move_p99_seconds"] = p99(sums.moves);
    out["post_p99_seconds"] = p99(sums.posts);
    out["take_p99_seconds"] = p99(sums.takes);
    out["longest_check_seconds"] = sums.longest_check;
  }
  print_line(out);
  return exit_answered;
}

}  // namespace

void add_cage(CLI::App& graze, int& exit_status) {
  const auto command = std::make_shared<CageCommand>();
  command->cage.kinds = {"torus"};
  CageOptions& cage = command->cage;
  CLI::App* app = graze.add_subcommand("cage", "Many bodies flying in a cage: who touches, and how long does it take?");
  app->footer(cage_footer);
  std::vector<std::string> names;
  for (const BroadTraits& t : broad_phases()) names.emplace_back(t.name);
  app->add_option("--bodies", cage.bodies, "How many bodies")->check(CLI::Range(1, 1 << 24));
  app->add_option("--frames", command->frames, "How many frames")->check(CLI::Range(1, 1 << 30));
  app->add_option("--seed", cage.seed, "Another seed is another flight");
  offer(app->add_option("--kind", cage.kinds, "A shape of `graze make --list`; several take turns")->type_name("SHAPE"),
        names_in(make::shapes()));
  app->add_option("--triangles", cage.triangles, "Of each body; default: the shape's own")
      ->check(CLI::Range(1, 1 << 24));
  app->add_option("--movers", cage.movers, "How many of the bodies move; default: all")->check(CLI::Range(0, 1 << 24));
  app->add_option("--side", cage.room, "The cage's side, as a multiple of the cube root of the number of bodies")
      ->check(CLI::Range(1e-3, 1e6));
  app->add_option("--speed", cage.speed, "How far a body goes in a frame at most, along each axis")
      ->check(CLI::Range(0.0, 1.0));
  app->add_flag("--together", cage.together, "All fly the same way, in one place: every pair is as heavy as can be");
  offer_only(app->add_option("--broad", command->broad, "The broad phase"), names);
  offer_only(app->add_option("--boxes", command->boxes,
                             "What the broad phase gets: aligned, tilted besides (for grid), or cubes"),
             {"aligned", "tilted", "cubes"});
  app->add_option("--threads", command->threads, "How many threads to use")->check(CLI::Range(1, 1024));
  offer_only(app->add_option("--mode", command->mode, "serial, parallel, or concurrent: checks beside the application"),
             {"serial", "parallel", "concurrent"});
  app->add_flag("--newest", command->newest, "With concurrent: check only the newest frame, and count those skipped");
  app->add_option("--record", command->record, "Write every call to a file for `graze replay`")->type_name("FILE");
  app->add_flag("--soak", command->soak, "Add, remove, deform and break bodies at random, and compare with all pairs");
  app->add_option("--every", command->every, "With --soak: compare every so many frames; default: 100")
      ->check(CLI::Range(1, 1 << 30));
  app->add_flag("--json", command->json, "One JSON object");
  app->callback([command, &exit_status] { exit_status = run(*command); });
}

}  // namespace graze::app
