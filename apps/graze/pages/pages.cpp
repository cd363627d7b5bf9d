// SPDX-License-Identifier: MIT
#include <cstdio>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "command.hpp"
#include "input/choices.hpp"
#include "input/query_options.hpp"
#include "pages/program_page.hpp"

namespace graze::app {
namespace {

constexpr const char* man_footer =
    "The page is made from the options that --help prints. `cmake --install` and the packages install it.\n\n"
    "Examples:\n"
    "  graze man > graze.1\n"
    "  graze man graze-verify > graze-verify.1";
constexpr const char* completion_footer =
    "The script completes commands, options, the values of options (methods, formats, shapes) and files, for graze and "
    "graze-verify.\n"
    "`cmake --install` and the packages install it. Without them: for bash, source it in ~/.bashrc; for zsh, put it as "
    "_graze into\n"
    "a folder of $fpath.\n\n"
    "Examples:\n"
    "  graze completion bash > graze.bash\n"
    "  graze completion zsh > _graze";

}  // namespace

void add_man(CLI::App& graze, int& exit_status) {
  CLI::App* app = graze.add_subcommand("man", "Print the manual page, in roff");
  app->footer(man_footer);
  const auto program = std::make_shared<std::string>("graze");
  offer_only(app->add_option("PROGRAM", *program, "Whose page; default: graze")->type_name("NAME"),
             {"graze", "graze-verify"});
  app->callback([program, &graze, &exit_status] {
    std::fputs(man_page(*program == "graze" ? page_of(graze) : page_of_verify()).c_str(), stdout);
    exit_status = exit_answered;
  });
}

void add_completion(CLI::App& graze, int& exit_status) {
  CLI::App* app = graze.add_subcommand("completion", "Print a script that makes a shell complete graze's arguments");
  app->footer(completion_footer);
  const auto shell = std::make_shared<std::string>();
  offer_only(app->add_option("SHELL", *shell, "Which shell")->type_name("NAME")->required(), {"bash", "zsh"});
  app->callback([shell, &graze, &exit_status] {
    const std::vector<ProgramPage> pages{page_of(graze), page_of_verify()};
    std::fputs((*shell == "bash" ? bash_completion(pages) : zsh_completion(pages)).c_str(), stdout);
    exit_status = exit_answered;
  });
}

}  // namespace graze::app
