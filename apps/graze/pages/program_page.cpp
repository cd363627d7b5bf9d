// SPDX-License-Identifier: MIT
#include "pages/program_page.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "../../graze-verify/options.hpp"
#include "input/choices.hpp"

namespace graze::app {
namespace {

using Takes = PageOption::Takes;

/// "N:INT in [1 - 1024]" is shown as N, "UINT" as N, "FLOAT" as X.
std::string value_name(const std::string& type) {
  const std::string name = type.substr(0, type.find(':'));
  if (name == "INT" || name == "UINT") return "N";
  return name == "FLOAT" ? "X" : name;
}

Takes kind_of(const std::string& value, const std::vector<std::string>& choices) {
  if (!choices.empty()) return Takes::choice;
  if (value == "FOLDER") return Takes::folder;
  for (const char* file : {"FILE", "MESH", "FRAME", ".json", ".csv"})
    if (value.find(file) != value.npos) return Takes::file;
  return Takes::text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// A footer is text, and lines of examples below "Examples:".
void read_footer(const std::string& footer, PageCommand& out) {
  bool examples = false;
  std::string paragraph;
  const auto end_paragraph = [&] {
    if (!paragraph.empty()) out.paragraphs.push_back(paragraph);
    paragraph.clear();
  };
  for (const std::string& line : lines_of(footer)) {
    if (examples)
      out.examples.push_back(line.substr(std::min<std::size_t>(2, line.size())));
    else if (line == "Examples:")
      examples = true;
    else if (line.empty())
      end_paragraph();
    else
      paragraph += (paragraph.empty() ? "" : " ") + line;
  }
  end_paragraph();
}

PageOption option_of(const CLI::Option& option) {
  PageOption out;
  out.help = option.get_description();
  std::replace(out.help.begin(), out.help.end(), '\n', ' ');
  out.positional = option.get_positional();
  out.required = option.get_required();
  out.repeated = option.get_items_expected_max() > 1;
  for (const std::string& name : option.get_snames()) out.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) out.names.push_back("--" + name);
  if (out.positional) out.names = {option.get_name(true, false)};
  if (option.get_items_expected_max() == 0) return out;  // a flag
  out.choices = offered(option);
  out.value = value_name(option.get_type_name());
  if (out.value == "TEXT" && !out.choices.empty()) {
    out.value.clear();
    for (const std::string& choice : out.choices) out.value += (out.value.empty() ? "" : "|") + choice;
  }
  out.takes = kind_of(out.value, out.choices);
  return out;
}

PageCommand command_page(const CLI::App& app, const std::string& name) {
  PageCommand out;
  out.name = name;
  out.summary = app.get_description();
  read_footer(app.get_footer(), out);
  for (const CLI::Option* option : app.get_options()) out.options.push_back(option_of(*option));
  return out;
}

PageOption verify_argument(const char* name) {
  PageOption out;
  out.names = {name};
  out.value = "FILE";
  out.takes = Takes::file;
  out.positional = out.required = true;
  return out;
}

}  // namespace

ProgramPage page_of_verify() {
  ProgramPage out;
  out.name = "graze-verify";
  out.program.summary = verify::summary;
  std::replace(out.program.summary.begin(), out.program.summary.end(), '\n', ' ');
  read_footer(std::string(verify::expectations_text) + "\noptions --expect, --expect-separation and so on.\n\n" +
                  verify::verdict_text,
              out.program);
  for (const char* example : verify::examples) out.program.examples.emplace_back(example);
  for (const char* name : {"FILE", "A", "B"}) out.program.options.push_back(verify_argument(name));
  out.program.options[0].help = "A certificate, as graze first-contact or graze deform writes it with --certificate";
  out.program.options[1].help = "The mesh of the first body (.obj, .off, .ply or .stl), or the frame before the step";
  out.program.options[2].help =
      "The mesh of the second body, or the frame after the step; one of several files: a.obj+b.obj";
  for (const verify::OptionRow& row : verify::option_rows) {
    PageOption option;
    option.names = {row.name};
    option.value = row.value;
    option.help = row.help;
    std::istringstream words(row.choices);
    for (std::string word; words >> word;) option.choices.push_back(word);
    option.takes = option.value.empty() ? Takes::nothing : option.choices.empty() ? Takes::text : Takes::choice;
    out.program.options.push_back(std::move(option));
  }
  return out;
}

ProgramPage page_of(const CLI::App& graze) {
  ProgramPage out;
  out.name = "graze";
  out.program = command_page(graze, "");
  for (const CLI::App* command : graze.get_subcommands({})) {
    out.commands.push_back(command_page(*command, command->get_name()));
    if (command->get_name() == "verify") out.commands.back().options = page_of_verify().program.options;
  }
  return out;
}

}  // namespace graze::app
