// SPDX-License-Identifier: MIT
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "command.hpp"
#include "questions.hpp"

namespace graze::app {
namespace {

struct ReplayCommand {
  std::string file;
  bool json = false;
};

constexpr const char* footer =
    "The file is JSON: mesh files by the names given, poses, options. Paths are relative to where you are.\n\n"
    "Examples:\n"
    "  graze make box -o box.obj\n"
    "  graze first-contact box.obj box.obj --a-from \"-3 0 0 1 0 0 0\" --a-to \"3 0 0 1 0 0 1\" --dump question.json\n"
    "  graze replay question.json\n"
    "  graze replay question.json --json";

int run(const ReplayCommand& command) {
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
  CLI::App* app = graze.add_subcommand("replay", "Answer a question again that --dump wrote to a file");
  app->footer(footer);
  app->add_option("FILE", command->file, "What --dump wrote")->type_name("FILE")->required();
  app->add_flag("--json", command->json, "Print JSON even if the question did not ask for it");
  app->callback([command, &exit_status] { exit_status = run(*command); });
}

}  // namespace graze::app
