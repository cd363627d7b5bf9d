// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <graze/broad/broad_phase.hpp>
#include <graze/world/world.hpp>

#include "cage_scene.hpp"
#include "command.hpp"
#include "json.hpp"
#include "world_print.hpp"

namespace graze::app {
namespace {

struct CageCommand {
  CageOptions cage;
  std::uint64_t frames = 100;
  std::string broad = "automatic", mode = "serial";
  int threads = 0;  ///< 0: 1 in serial mode, else as many as the machine has
  bool json = false;
};

constexpr const char* footer =
    "Bodies of a box diagonal of 1 fly, turn and bounce in a cage whose side grows as the cube root of their number\n"
    "(Zachmann 5.4.4). The events and their hash are the same for every broad phase and number of threads.\n\n"
    "Examples:\n"
    "  graze cage --bodies 500 --frames 100\n"
    "  graze cage --bodies 500 --movers 1 --kind torus --kind chair --broad grid\n"
    "  graze cage --bodies 10000 --frames 20 --kind tetrahedron --mode parallel --json";

/// What happened in all frames together.
struct Sums {
  std::array<std::uint64_t, 3> events{};  ///< by kind
  std::uint64_t hash = 0;
  double seconds = 0;
  WorldCounters counters;

  void take(const CheckResult& r) {
    for (const WorldEvent& e : r.events) ++events[static_cast<std::size_t>(e.kind)];
    hash = event_hash(r.events, hash);
    seconds += r.seconds;
    counters += r.counters;
  }
};

int threads_of(const CageCommand& c) {
  if (c.threads > 0) return c.threads;
  return c.mode == "serial" ? 1 : static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 1024u));
}

Sums run_in_line(const CageCommand& command, CageScene& scene, BroadCounters& broad, std::string& method) {
  World world({.broad = command.broad, .threads = threads_of(command)});
  std::vector<BodyId> ids;
  for (std::size_t i = 0; i < scene.size(); ++i) ids.push_back(world.add(scene.body(i), scene.pose(i)));
  Sums sums;
  CheckResult result;
  for (std::uint64_t frame = 0; frame < command.frames; ++frame) {
    world.check({}, result);
    sums.take(result);
    scene.step();
    for (std::size_t i = 0; i < scene.movers(); ++i) world.move(ids[i], scene.pose(i));
  }
  broad = world.broad_counters();
  method = world.broad_method();
  return sums;
}

int run(const CageCommand& command) {
  CageScene scene(command.cage);
  BroadCounters broad;
  std::string method;
  const Sums sums = run_in_line(command, scene, broad, method);
  const double per_frame = sums.seconds / static_cast<double>(command.frames);
  const std::uint64_t events = sums.events[0] + sums.events[1] + sums.events[2];
  if (!command.json) {
    fmt::print("{} bodies, {} of them moving, {} frames, broad phase {}\n", scene.size(), scene.movers(),
               command.frames, method);
    fmt::print("{} events: {} began, {} stay, {} ended; hash {:016x}\n", events, sums.events[0], sums.events[1],
               sums.events[2], sums.hash);
    fmt::print("{} pairs near, {} asked; {:.3f} ms a frame\n", sums.counters.near_pairs, sums.counters.asked,
               1e3 * per_frame);
    return exit_answered;
  }
  Json out = new_object();
  out["bodies"] = scene.size();
  out["movers"] = scene.movers();
  out["frames"] = command.frames;
  out["seed"] = command.cage.seed;
  out["kinds"] = command.cage.kinds;
  out["broad"] = method;
  out["mode"] = command.mode;
  out["threads"] = threads_of(command);
  out["event_count"] = events;
  for (std::size_t k = 0; k < 3; ++k) out[name(static_cast<EventKind>(k))] = sums.events[k];
  out["event_hash"] = fmt::format("{:016x}", sums.hash);
  out["seconds_per_frame"] = per_frame;
  out["counters"] = to_json(sums.counters);
  out["broad_counters"] = to_json(broad);
  print_line(out);
  return exit_answered;
}

}  // namespace

void add_cage(CLI::App& graze, int& exit_status) {
  const auto command = std::make_shared<CageCommand>();
  command->cage.kinds = {"torus"};
  CageOptions& cage = command->cage;
  CLI::App* app = graze.add_subcommand("cage", "Many bodies flying in a cage: who touches, and how long does it take?");
  app->footer(footer);
  std::vector<std::string> names;
  for (const BroadTraits& t : broad_phases()) names.emplace_back(t.name);
  app->add_option("--bodies", cage.bodies, "How many bodies")->check(CLI::Range(1, 1 << 24));
  app->add_option("--frames", command->frames, "How many frames")->check(CLI::Range(1, 1 << 30));
  app->add_option("--seed", cage.seed, "Another seed is another flight");
  app->add_option("--kind", cage.kinds, "A shape of `graze make --list`; several take turns")->type_name("SHAPE");
  app->add_option("--triangles", cage.triangles, "Of each body; default: the shape's own");
  app->add_option("--movers", cage.movers, "How many of the bodies move; default: all");
  app->add_option("--room", cage.room, "The cage's side, as a multiple of the cube root of the number of bodies")
      ->check(CLI::Range(1e-3, 1e6));
  app->add_option("--speed", cage.speed, "How far a body goes in a frame at most, along each axis")
      ->check(CLI::Range(0.0, 1.0));
  app->add_option("--broad", command->broad, "The broad phase")->check(CLI::IsMember(names));
  app->add_option("--threads", command->threads, "How many threads to use")->check(CLI::Range(1, 1024));
  app->add_option("--mode", command->mode, "serial or parallel")->check(CLI::IsMember({"serial", "parallel"}));
  app->add_flag("--json", command->json, "One JSON object");
  app->callback([command, &exit_status] { exit_status = run(*command); });
}

}  // namespace graze::app
