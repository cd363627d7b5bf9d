// SPDX-License-Identifier: MIT
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "pages/program_page.hpp"

namespace graze::app {
namespace {

/// Text in which roff sees nothing special.
std::string roff(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool line_start = i == 0 || text[i - 1] == '\n';
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '`')
      out += "\\(ga";
    else if (c == '"')
      out += "\\(dq";
    else if (c == '\'')
      out += "\\(aq";
    else if (c == '^')
      out += "\\(ha";
    else if (c == '~')
      out += "\\(ti";
    else
      out += c;
  }
  return out;
}

std::string roff_bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string roff_italic(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

/// "graze collide [options] [A] [B]".
std::string usage_line(const std::string& program, const PageCommand& command) {
  std::string out = roff_bold(command.name.empty() ? program : program + " " + command.name) + " [options]";
  for (const PageOption& option : command.options) {
    if (!option.positional) continue;
    const std::string name = roff_italic(option.names[0]) + (option.repeated ? "..." : "");
    out += " " + (option.required ? name : "[" + name + "]");
  }
  return out;
}

std::string option_entry(const PageOption& option) {
  std::string names;
  for (const std::string& name : option.names)
    names += (names.empty() ? "" : ", ") + (option.positional ? roff_italic(name) : roff_bold(name));
  if (!option.positional && !option.value.empty()) names += " " + roff_italic(option.value);
  std::string help = option.help;
  if (option.takes == PageOption::Takes::choice && option.value.find('|') == option.value.npos)
    help += fmt::format("{}One of {}.", help.empty() ? "" : ". ", fmt::join(option.choices, ", "));
  return fmt::format(".TP\n{}\n{}\n", names, roff(help));
}

std::string option_entries(const PageCommand& command) {
  std::string out;
  for (const bool positional : {true, false})
    for (const PageOption& option : command.options)
      if (option.positional == positional) out += option_entry(option);
  return out;
}

std::string example_block(const PageCommand& command) {
  if (command.examples.empty()) return "";
  std::string out = ".PP\n.nf\n";
  for (const std::string& line : command.examples) out += "    " + roff(line) + "\n";
  return out + ".fi\n";
}

std::string paragraphs(const PageCommand& command) {
  std::string out;
  for (const std::string& text : command.paragraphs) out += ".PP\n" + roff(text) + "\n";
  return out;
}

}  // namespace

std::string man_page(const ProgramPage& page) {
  std::string upper = page.name;
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  const bool has_commands = !page.commands.empty();
  std::string out = fmt::format(".\\\" Written by `graze man {}` from the options that --help prints.\n", page.name);
  out += fmt::format(".TH {} 1 \"\" \"graze {}\" \"User Commands\"\n", roff(upper), GRAZE_VERSION);
  out +=
      fmt::format(".SH NAME\n{} \\- {}\n", roff(page.name),
                  has_commands ? "collision detection for triangle meshes" : "check a proof that bodies do not touch");
  out += ".SH SYNOPSIS\n";
  out += has_commands ? fmt::format("{} {} [options] ...\n", roff_bold(page.name), roff_italic("COMMAND"))
                      : usage_line(page.name, page.program) + "\n";
  out += ".SH DESCRIPTION\n" + roff(page.program.summary) + "\n" + paragraphs(page.program);
  out += ".SH OPTIONS\n" + option_entries(page.program);
  if (has_commands) out += ".SH COMMANDS\n";
  for (const PageCommand& command : page.commands)
    out += fmt::format(".SS {}\n{}\n.PP\n{}\n{}{}{}", roff(command.name), roff(command.summary),
                       usage_line(page.name, command), option_entries(command), paragraphs(command),
                       example_block(command));
  if (!page.program.examples.empty()) out += ".SH EXAMPLES\n" + example_block(page.program);
  out += fmt::format(".SH SEE ALSO\n.BR {} (1)\n", roff(has_commands ? "graze-verify" : "graze"));
  return out;
}

}  // namespace graze::app
