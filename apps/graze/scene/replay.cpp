// SPDX-License-Identifier: MIT
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <graze/world/replay.hpp>

#include "command.hpp"
#include "questions.hpp"

namespace graze::app {
namespace {

struct ReplayCommand {
  std::string file;
  bool json = false, events = false;
};

constexpr const char* replay_footer =
    "The file is JSON: mesh files by the names given, poses, options. Paths are relative to where you are.\n\n"
    "Examples:\n"
    "  graze make box -o box.obj\n"
    "  graze first-contact box.obj box.obj --a-from \"-3 0 0 1 0 0 0\" --a-to \"3 0 0 1 0 0 1\" --dump question.json\n"
    "  graze replay question.json\n"
    "  graze replay question.json --json\n"
    "  graze cage --bodies 100 --frames 10 --record cage.txt\n"
    "  graze replay cage.txt --events";

int replay_recording(const ReplayCommand& command) {
  std::uint64_t undecided = 0;
  const ReplayResult r = replay_world(command.file, [&](const CheckResult& check) {
    undecided += check.undecided.size();
    if (command.json || !command.events) return;
    for (const WorldEvent& e : check.events)
      fmt::print("frame {}: {} {} {}\n", e.frame, name(e.kind), e.a.slot, e.b.slot);
  });
  if (command.json) {
    Json out = new_object();
    out["question"] = "world";
    out["calls"] = r.calls;
    out["checks"] = r.checks;
    out["sweeps"] = r.sweeps;
    out["questions"] = r.questions;
    out["event_count"] = r.events;
    out["event_hash"] = fmt::format("{:016x}", r.event_hash);
    out["undecided"] = undecided;
    out["different_lines"] = r.different;
    print_line(out);
  } else {
    fmt::print("{} calls, {} checks, {} sweeps, {} other questions, {} events; hash {:016x}\n", r.calls, r.checks,
               r.sweeps, r.questions, r.events, r.event_hash);
    fmt::print("{}\n", r.different.empty() ? "every answer is as recorded"
                                           : fmt::format("{} answers differ, the first at line {}", r.different.size(),
                                                         r.different[0]));
  }
  return r.different.empty() ? exit_answered : exit_undecided;
}

int run(const ReplayCommand& command) {
  if (is_recording(command.file)) return replay_recording(command);
  JsonReader reader = JsonReader::open(command.file);
  reader.check_version();
  const std::string question = reader.text("question");
  if (question == "first-contact") return replay_first_contact(reader, command.json);
  if (question == "chain") return replay_chain(reader, command.json);
  reader.refuse("question", fmt::format("unknown question '{}'; known are first-contact and chain", question));
}

}  // namespace

void add_replay(CLI::App& graze, int& exit_status) {
  const auto command = std::make_shared<ReplayCommand>();
  CLI::App* app = graze.add_subcommand(
      "replay", "Answer a question again that --dump wrote to a file, or run a recording of a world again");
  app->footer(replay_footer);
  app->add_option("FILE", command->file, "What --dump or --record wrote")->type_name("FILE")->required();
  app->add_flag("--events", command->events, "Of a world's recording: print every event");
  app->add_flag("--json", command->json, "Print JSON even if the question did not ask for it");
  app->callback([command, &exit_status] { exit_status = run(*command); });
}

}  // namespace graze::app
