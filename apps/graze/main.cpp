// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <graze/core/error.hpp>

#include "command.hpp"
#include "output/answer.hpp"
#include "pages/usage.hpp"

namespace {

constexpr const char* description =
    "graze answers, for triangle meshes that stand or move: who touches, when first, where, and with which features.";
constexpr const char* footer =
    "Every command explains itself: graze COMMAND --help.\n"
    "Exit status: 0 answered, 2 bad usage or input, 3 undecided; with --exit-code 1 when contact was found.\n\n"
    "Examples:\n"
    "  graze demo\n"
    "  graze make --list";

int refuse(const std::string& message) {
  fmt::print(stderr, "graze: {}\n", message);
  return graze::app::exit_refused;
}

/// CLI11 would only report an unexpected argument.
bool is_no_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2) return true;
  if (argv[1][0] == '-') return false;
  return app.get_subcommands([&](const CLI::App* command) { return command->check_name(argv[1]); }).empty();
}

std::string unknown_command(const CLI::App& app, const std::string& typed) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (typed.empty())
    return fmt::format("which command? Choose one of {}; graze --help explains them", fmt::join(names, ", "));
  const auto meant = graze::app::nearest_name(typed, names);
  return fmt::format("unknown command '{}'; {}choose one of {}", typed,
                     meant ? fmt::format("did you mean {}? Else ", *meant) : "", fmt::join(names, ", "));
}

/// Parsing also runs the chosen command: CLI11 calls it when all its options are known.
int parse_and_run(CLI::App& app, int argc, char** argv, const int& exit_status) {
  const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  try {
    if (const auto problem = graze::app::unquoted_numbers(app, arguments)) return refuse(*problem);
    app.parse(argc, argv);
    return exit_status;
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    if (const auto problem = graze::app::unknown_option(app, arguments)) return refuse(*problem);
    const auto chosen = app.get_subcommands();
    const std::string command = chosen.empty() ? "graze" : "graze " + chosen.front()->get_name();
    return refuse(fmt::format("{}\n`{} --help` shows the options and an example", error.what(), command));
  } catch (const graze::Error& error) {
    return refuse(graze::app::message_of(error.detail()));
  } catch (const std::bad_alloc&) {
    return refuse("out of memory: use a smaller mesh or a machine with more of it");
  } catch (const std::exception& error) {
    return refuse(error.what());
  }
}

}  // namespace

void graze::app::add_questions(CLI::App& app, int& exit_status) {
  graze::app::add_info(app, exit_status);
  graze::app::add_collide(app, exit_status);
  graze::app::add_distance(app, exit_status);
  graze::app::add_penetration(app, exit_status);
  graze::app::add_manifold(app, exit_status);
  graze::app::add_clash(app, exit_status);
  graze::app::add_ray(app, exit_status);
  graze::app::add_deform(app, exit_status);
  graze::app::add_first_contact(app, exit_status);
  graze::app::add_chain(app, exit_status);
  graze::app::add_robot(app, exit_status);
  graze::app::add_cage(app, exit_status);
  graze::app::add_world(app, exit_status);
  graze::app::add_queries(app, exit_status);
  graze::app::add_replay(app, exit_status);
  graze::app::add_verify(app, exit_status);
}

void graze::app::add_commands(CLI::App& app, int& exit_status) {
  graze::app::add_questions(app, exit_status);
  graze::app::add_view(app, exit_status);
  graze::app::add_report(app, exit_status);
  graze::app::add_play(app, exit_status);
  graze::app::add_make(app, exit_status);
  graze::app::add_demo(app, exit_status);
  graze::app::add_man(app, exit_status);
  graze::app::add_completion(app, exit_status);
}

int main(int argc, char** argv) {
  CLI::App app(description, "graze");
  app.footer(footer);
  app.set_version_flag("--version", "graze " GRAZE_VERSION);
  app.require_subcommand(1);
  int exit_status = graze::app::exit_answered;
  graze::app::add_commands(app, exit_status);

  if (is_no_command(app, argc, argv)) return refuse(unknown_command(app, argc < 2 ? "" : argv[1]));
  const int result = parse_and_run(app, argc, argv, exit_status);
  // An answer that could not be written counts as not given.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    return refuse("cannot write to standard output: is the disk full or the pipe closed?");
  return result;
}
