// SPDX-License-Identifier: MIT
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <graze/core/error.hpp>
#include <graze/world/concurrent.hpp>
#include <graze/world/world.hpp>

#include "command.hpp"
#include "output/json.hpp"
#include "scene/scene_actors.hpp"
#include "scene/scene_file.hpp"
#include "scene/scene_questions.hpp"
#include "scene/world_print.hpp"

namespace graze::app {
namespace {

struct WorldCommand {
  std::string file, record;
  std::optional<std::uint64_t> frames;
  bool json = false;
};

constexpr const char* world_footer =
    "The scene is JSON: bodies from files or generators, frames, motions or tracks, interest, broad phase, mode; see\n"
    "docs/world.md. Prints what began, stays and ended in each frame.\n\n"
    "A scene.json:\n"
    "  {\"version\": 1, \"bodies\": [{\"name\": \"floor\", \"make\": \"box\", \"scale\": 4},\n"
    "   {\"name\": \"ring\", \"make\": \"torus\", \"pose\": [9, 0, 0, 1, 0, 0, 0], \"motion\": {\"velocity\": [-1, 0, "
    "0]}}]}\n"
    "\nExamples:\n"
    "  graze world scene.json --frames 10";

using PieceNames = std::function<std::string(BodyId, PieceId)>;

class Output {
 public:
  Output(const Scene& scene, BodyName name_of, PieceNames piece_name_of, bool json)
      : scene_(scene), name_of_(std::move(name_of)), piece_name_of_(std::move(piece_name_of)), json_(json) {}

  /// `of_methods`: null if nobody counted them.
  void frame(const CheckResult& r, const MethodCounters* of_methods, const SweepResult* sweep,
             const SceneAnswers& answers) {
    events_ += r.events.size();
    hash_ = event_hash(r.events, hash_);
    seconds_ += r.seconds;
    counters_ += r.counters;
    if (of_methods) of_methods_ += *of_methods;
    undecided_ = undecided_ || !r.undecided.empty();
    json_ ? print_json(r, of_methods, sweep, answers) : print_text(r, sweep, answers);
  }

  int finish(std::uint64_t frames) {
    if (json_) {
      Json out = new_object();
      out["frames"] = frames;
      out["event_count"] = events_;
      out["event_hash"] = fmt::format("{:016x}", hash_);
      out["seconds_per_frame"] = frames ? seconds_ / static_cast<double>(frames) : 0;
      out["counters"] = to_json(counters_, &of_methods_);
      print_line(out);
    } else {
      fmt::print("{} frames, {} events; hash {:016x}; {:.3f} ms a frame\n", frames, events_, hash_,
                 frames ? 1e3 * seconds_ / static_cast<double>(frames) : 0);
    }
    return undecided_ ? exit_undecided : exit_answered;
  }

 private:
  void print_json(const CheckResult& r, const MethodCounters* of_methods, const SweepResult* sweep,
                  const SceneAnswers& answers) const {
    Json out = new_object();
    out["frame"] = r.frame;
    out["events"] = Json::array();
    for (const WorldEvent& e : r.events) {
      Json event = to_json(e);
      event["a"] = name_of_(e.a);
      event["b"] = name_of_(e.b);
      if (e.pieces)
        event["piece_names"] = Json::array({piece_name_of_(e.a, (*e.pieces)[0]), piece_name_of_(e.b, (*e.pieces)[1])});
      out["events"].push_back(std::move(event));
    }
    out["undecided"] = Json::array();
    for (const UndecidedPair& u : r.undecided) out["undecided"].push_back(Json::array({name_of_(u.a), name_of_(u.b)}));
    if (sweep) {
      out["sweep"] = contacts_json(sweep->contacts);
      out["triggers"] = contacts_json(sweep->triggers);
    }
    add_answers(scene_, answers, name_of_, out);
    out["counters"] = to_json(r.counters, of_methods);
    out["seconds"] = r.seconds;
    print_line(out);
  }

  Json contacts_json(const std::vector<SweepContact>& contacts) const {
    Json out = Json::array();
    for (const SweepContact& c : contacts)
      out.push_back(Json{{"a", name_of_(c.a)},
                         {"b", name_of_(c.b)},
                         {"status", name(c.contact.status)},
                         {"time", Json::array({c.contact.time.safe, c.contact.time.touch})}});
    return out;
  }

  void print_text(const CheckResult& r, const SweepResult* sweep, const SceneAnswers& answers) const {
    print_answers(scene_, answers, name_of_, r.frame);
    if (sweep)
      for (const SweepContact& c : sweep->triggers)
        if (c.contact.status == Status::contact)
          fmt::print("before frame {}: {} and {} meet on their path, at t = {:.6g}\n", r.frame, name_of_(c.a),
                     name_of_(c.b), c.contact.time.touch);
    if (sweep)
      for (const SweepContact& c : sweep->contacts)
        if (c.contact.status == Status::contact)
          fmt::print("before frame {}: {} and {} touch on their path, at t = {:.6g}\n", r.frame, name_of_(c.a),
                     name_of_(c.b), c.contact.time.touch);
    for (const WorldEvent& e : r.events)
      fmt::print("frame {}: {} and {} {}{}\n", r.frame, named(e, 0), named(e, 1), said(e.kind),
                 e.contact   ? fmt::format(" ({})", name(*e.contact))
                 : e.gap > 0 ? fmt::format(" ({:.6g} apart)", e.gap)
                             : "");
    for (const UndecidedPair& u : r.undecided)
      fmt::print("frame {}: {} and {} may touch; not decided{}\n", r.frame, name_of_(u.a), name_of_(u.b),
                 u.error ? ": " + u.error->text() : "");
  }
  /// "table" or, of a compound, "table (leg)".
  std::string named(const WorldEvent& e, std::size_t side) const {
    const BodyId id = side == 0 ? e.a : e.b;
    const std::string piece = e.pieces ? piece_name_of_(id, (*e.pieces)[side]) : std::string();
    return name_of_(id) + (piece.empty() ? "" : " (" + piece + ")");
  }
  static const char* said(EventKind kind) {
    switch (kind) {
      case EventKind::began: return "begin to touch";
      case EventKind::stays: return "still touch";
      case EventKind::ended: return "touch no more";
    }
    return "";
  }

  const Scene& scene_;
  BodyName name_of_;
  PieceNames piece_name_of_;
  bool json_;
  bool undecided_ = false;
  std::uint64_t events_ = 0, hash_ = 0;
  double seconds_ = 0;
  WorldCounters counters_;
  MethodCounters of_methods_;
};

int run_in_line(const WorldCommand& command, const Scene& scene, std::uint64_t frames) {
  World world(scene.options);
  if (!command.record.empty()) world.record(command.record);
  Actors actors(world, scene);
  Output output(
      scene, [&](BodyId id) -> const std::string& { return actors.name(id); },
      [&](BodyId id, PieceId piece) { return actors.piece_name(id, piece); }, command.json);
  for (std::uint64_t frame = 0; frame < frames; ++frame) {
    if (frame > 0) actors.step(frame - 1);
    std::optional<SweepResult> sweep;
    if (scene.sweep) sweep = world.sweep();
    if (sweep && sweep->error) throw Error(*sweep->error);
    MethodCounters of_methods;
    SceneAnswers answers;
    for (const SceneRay& r : scene.rays) answers.rays.push_back(world.ray(r.from, r.to, r.options));
    for (const SceneCast& c : scene.casts) {
      answers.casts.push_back(world.cast(c.body, Velocity(c.from, c.to)));
      if (answers.casts.back().error) throw Error(*answers.casts.back().error);
    }
    const CheckResult result = world.check({.details = scene.details, .method_counters = &of_methods});
    output.frame(result, &of_methods, sweep ? &*sweep : nullptr, answers);
  }
  return output.finish(frames);
}

int run_beside(const WorldCommand& command, const Scene& scene, std::uint64_t frames) {
  ConcurrentWorld world({.world = scene.options, .check = {.details = scene.details}, .every_frame = true});
  if (!command.record.empty()) world.record(command.record);
  Actors actors(world, scene);
  Output output(
      scene, [&](BodyId id) -> const std::string& { return actors.name(id); },
      [&](BodyId id, PieceId piece) { return actors.piece_name(id, piece); }, command.json);
  for (std::uint64_t frame = 0; frame < frames; ++frame) {
    if (frame > 0) actors.step(frame - 1);
    if (scene.sweep) world.ask_sweep();
    for (const SceneRay& r : scene.rays) world.ask_ray(r.from, r.to, r.options);
    for (const SceneCast& c : scene.casts) world.ask_cast(c.body, Velocity(c.from, c.to));
    world.post();
  }
  world.wait();
  std::vector<CheckResult> results;
  std::vector<ConcurrentAnswer> all;  // of each frame: the sweep, the rays, the casts
  world.take(results);
  world.take(all);
  std::size_t next = 0;
  const auto take = [&]() -> ConcurrentAnswer& {
    ConcurrentAnswer& answer = all.at(next++);
    if (answer.error) throw Error(*answer.error);
    return answer;
  };
  for (const CheckResult& result : results) {
    const SweepResult* sweep = scene.sweep ? &std::get<SweepResult>(take().answer) : nullptr;
    SceneAnswers answers;
    for (std::size_t i = 0; i < scene.rays.size(); ++i)
      answers.rays.push_back(std::move(std::get<std::vector<BodyHit>>(take().answer)));
    for (std::size_t i = 0; i < scene.casts.size(); ++i)
      answers.casts.push_back(std::move(std::get<CastResult>(take().answer)));
    output.frame(result, nullptr, sweep, answers);
  }
  return output.finish(frames);
}

int run(const WorldCommand& command) {
  const Scene scene = load_scene(command.file);
  const std::uint64_t frames = command.frames.value_or(scene.frames);
  return scene.mode == "concurrent" ? run_beside(command, scene, frames) : run_in_line(command, scene, frames);
}

}  // namespace

void add_world(CLI::App& graze, int& exit_status) {
  const auto command = std::make_shared<WorldCommand>();
  CLI::App* app = graze.add_subcommand("world", "Who touches in a scene of many bodies, frame by frame?");
  app->footer(world_footer);
  app->add_option("SCENE", command->file, "A scene file")->type_name("SCENE.json")->required();
  app->add_option("--frames", command->frames, "How many frames; default: as the scene says")
      ->check(CLI::Range(0, 1 << 30));
  app->add_option("--record", command->record, "Write every call to a file for `graze replay`")->type_name("FILE");
  app->add_flag("--json", command->json, "One JSON line a frame, and one at the end");
  app->callback([command, &exit_status] { exit_status = run(*command); });
}

}  // namespace graze::app
