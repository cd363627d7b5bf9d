// SPDX-License-Identifier: MIT
// `graze play`: the playground's page, which scripts/web builds.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "command.hpp"
#include "input/choices.hpp"
#include "input/query_options.hpp"
#include "system.hpp"
#include "view/page.hpp"

namespace graze::app {
namespace {

struct PlayCommand {
  std::string scene, detail = "1", output, page;
};

// Those of play/playground; web/play/test compares them with the page's.
const std::vector<std::string> scenes{"bunnies", "door",   "car",     "engine", "assembly", "hands",
                                      "cage",    "potter", "buttons", "cloth",  "robot"};
const std::vector<std::string> details{"1", "0.25", "0.05"};

constexpr const char* footer =
    "Eleven applications in one page: drag a body of 70,000 triangles against another, fit a door into a car, shape a\n"
    "pot, press buttons, drag a robot (docs/playground.md). Bodies never interpenetrate: it is certified.\n"
    "The page is one file: it needs no server and no network.\n\n"
    "Examples:\n"
    "  graze play\n"
    "  graze play potter\n"
    "  graze play bunnies --detail 0.25 -o bunnies.html";

int run(const PlayCommand& command) {
  const std::filesystem::path page = find_playground(command.page);
  const bool chosen = !command.scene.empty() || command.detail != "1";
  if (!chosen && command.output.empty() && std::filesystem::is_regular_file(page)) {
    show_page(page);
    return exit_answered;
  }
  const std::string start =
      fmt::format("scene={}&detail={}", command.scene.empty() ? scenes.front() : command.scene, command.detail);
  const std::string text = playground_with(start, page);
  const std::filesystem::path output =
      command.output.empty() ? temporary_file("graze-play", ".html") : std::filesystem::path(command.output);
  write_whole(output, text);
  if (command.output.empty())
    show_page(output);
  else
    fmt::print("{}: written\n", output.string());
  return exit_answered;
}

}  // namespace

void add_play(CLI::App& graze, int& exit_status) {
  const auto command = std::make_shared<PlayCommand>();
  CLI::App* app = graze.add_subcommand("play", "Drag, sculpt and press: applications of the engine, in a browser");
  app->footer(footer);
  offer_only(app->add_option("SCENE", command->scene, "What to begin with (default bunnies)")->type_name("SCENE"),
             scenes);
  offer_only(
      app->add_option("--detail", command->detail, "The share of the triangles (default 1, all)")->type_name("D"),
      details);
  add_text(*app, "-o,--output", command->output, "Write the page there, and open nothing", "OUT.html");
  add_text(*app, "--template", command->page, "The playground's page; default: where it is installed", "FILE");
  app->callback([command, &exit_status] { exit_status = run(*command); });
}

}  // namespace graze::app
