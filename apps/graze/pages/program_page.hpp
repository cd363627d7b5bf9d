// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

namespace graze::app {

/// What a program's manual page and shell completion are made of.
struct PageOption {
  enum class Takes { nothing, text, choice, file, folder };
  std::vector<std::string> names;  ///< "-o", "--output"; of an argument without dashes its own name
  std::string value;               ///< as the help shows it: "POSE"
  std::string help;
  std::vector<std::string> choices;
  Takes takes = Takes::nothing;
  bool positional = false, required = false, repeated = false;
};

struct PageCommand {
  std::string name;  ///< empty: the program itself
  std::string summary;
  std::vector<std::string> paragraphs;
  std::vector<std::string> examples;
  std::vector<PageOption> options;
};

struct ProgramPage {
  std::string name;
  PageCommand program;
  std::vector<PageCommand> commands;  ///< empty: a program without commands
};

/// From the options that `--help` prints.
ProgramPage page_of(const CLI::App& graze);
/// From the table of graze-verify (apps/graze-verify/options.hpp).
ProgramPage page_of_verify();

/// A manual page in roff, for section 1.
std::string man_page(const ProgramPage& page);
/// Completion of both programs: for bash 4 and newer, without the package bash-completion; for zsh's compsys.
std::string bash_completion(const std::vector<ProgramPage>& pages);
std::string zsh_completion(const std::vector<ProgramPage>& pages);

}  // namespace graze::app
