// SPDX-License-Identifier: MIT
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <graze/core/error.hpp>

#include "command.hpp"
#include "system.hpp"

namespace graze::app {
namespace {

constexpr const char* verify_footer =
    "This executes graze-verify, a program of its own beside this one: it shares no code with what it checks, and its\n"
    "source is short enough to be read in one sitting. All arguments are passed on; `graze-verify --help` explains "
    "them.\n"
    "Exit status: 0 verified, 1 rejected, 2 bad usage or input.\n\n"
    "Examples:\n"
    "  graze make box -o box.obj\n"
    "  graze first-contact box.obj box.obj --a-from \"-3 0 0 1 0 0 0\" --a-to \"3 0 0 1 0 0 1\" --certificate "
    "proof.txt\n"
    "  graze verify proof.txt box.obj box.obj";

[[noreturn]] void refuse(const std::filesystem::path& program, const std::string& why) {
  ErrorDetail detail;
  detail.code = ErrorCode::file_not_found;
  detail.file = program.string();
  detail.message = fmt::format(
      "the checker cannot be executed ({}); it is built and installed with graze: keep the two together", why);
  throw Error(detail);
}

/// Replaces this process by the checker.
int run(std::vector<std::string> arguments) {
  std::filesystem::path program = "graze-verify";
  try {
    program = program_file().parent_path() / program;
  } catch (const std::system_error& error) {
    refuse(program, error.code().message());
  }
  refuse(program, execute(program, std::move(arguments)));
}

}  // namespace

void add_verify(CLI::App& graze, int& exit_status) {
  CLI::App* app = graze.add_subcommand("verify", "Check a certificate: verify FILE A B (executes graze-verify)");
  app->footer(verify_footer);
  app->prefix_command();
  app->callback([app, &exit_status] { exit_status = run(app->remaining()); });
}

}  // namespace graze::app
