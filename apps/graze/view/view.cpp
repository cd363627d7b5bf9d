// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <graze/core/error.hpp>

#include "command.hpp"
#include "input/query_options.hpp"
#include "input/refuse_file.hpp"
#include "output/json.hpp"
#include "pages/usage.hpp"
#include "system.hpp"
#include "view/page.hpp"
#include "view/picture.hpp"
#include "view/subjects.hpp"

namespace graze::app {
namespace {

struct ViewCommand {
  std::string what, output, png, page_template, title, size = "960x640";
  std::optional<double> time;
  bool opens = false;  ///< `view`
};

constexpr const char* what_is_shown =
    "WHAT is a question as graze itself takes it (collide A B ..., first-contact A B ..., deform FRAMES ..., chain\n"
    "ROBOT.json, robot ARM.urdf --path PATH.csv, world SCENE.json and so on), or files: meshes and shapes, frames of "
    "a\n"
    "deforming mesh (names that differ in their digits), a scene, a robot (with a table: on this path), tables (CSV); "
    "with its meshes also what a\n"
    "command printed with --json (ANSWER.json).\n"
    "The page is one file with the engine and the data inside: it needs no server and no network (docs/viewer.md).\n";

std::string footer_of(const char* examples) { return std::string(what_is_shown) + "\nExamples:\n" + examples; }

constexpr const char* view_examples =
    "  graze make torus_knot --triangles 2880 -o knot.obj\n"
    "  graze make box -o box.obj\n"
    "  graze view knot.obj box.obj --png still.png\n"
    "  graze view first-contact knot.obj box.obj --a-from \"-3 0 0 1 0 0 0\" --a-to \"3 0.5 0 0 0 1 0\" --png "
    "contact.png";
constexpr const char* report_examples =
    "  graze report first-contact knot.obj box.obj --a-to \"3 0 0 1 0 0 1\" -o report.html\n"
    "  graze report build/bench/discrete.csv -o bench.html";

PictureSize parse_size(const std::string& text) {
  PictureSize size;
  const char* end = text.data() + text.size();
  const auto [cross, first] = std::from_chars(text.data(), end, size.width);
  const bool two = first == std::errc() && cross != end && *cross == 'x';
  const auto [rest, second] = two ? std::from_chars(cross + 1, end, size.height) : std::from_chars_result{end, first};
  constexpr std::size_t most = 8192;
  if (!two || second != std::errc() || rest != end || size.width < 1 || size.height < 1 || size.width > most ||
      size.height > most)
    refuse_option("--size",
                  fmt::format("is WIDTHxHEIGHT, each from 1 to {}, such as 960x640; this is '{}'", most, text));
  return size;
}

/// The page draws the proof: it needs its text, not only the file's name.
void add_certificate(Json& answer) {
  if (!answer.contains("certificate") || !answer["certificate"].is_object()) return;
  const Json& file = answer["certificate"]["file"];
  std::ifstream in(file.is_string() ? file.get<std::string>() : std::string(), std::ios::binary);
  if (in) answer["certificate"]["text"] = std::string(std::istreambuf_iterator<char>(in), {});
}

/// Runs the question and keeps what it prints; then looks at its arguments once more for the bodies.
int ask_and_show(ViewDocument& view, const std::vector<std::string>& words) {
  CLI::App asked("graze", "graze"), named("graze", "graze");
  int exit_status = exit_answered, unused = exit_answered;
  add_questions(asked, exit_status);
  add_questions(named, unused);
  std::vector<std::string> arguments = words;
  const CLI::App* command = named.get_subcommand(words[0]);
  if (std::find(words.begin(), words.end(), "--batch") != words.end())
    refuse_option("--batch", "asks many questions; show one of them");
  if (!command->get_option_no_throw("--json"))
    refuse_option("WHAT", fmt::format("`graze {}` has no answer that could be shown", words[0]));
  const auto given = [&](const char* word) { return std::find(words.begin(), words.end(), word) != words.end(); };
  if (!given("--json")) arguments.emplace_back("--json");
  // The list of contacts is what the page is for. A scene's contacts come with all there is.
  const bool of_scene =
      std::any_of(words.begin(), words.end(), [](const auto& word) { return word.ends_with(".json"); });
  if (words[0] == "deform" && !of_scene && !given("--details") && !given("--near") && !given("--step-size") &&
      !given("--method"))
    arguments.emplace_back("--details");
  if (const auto problem = unquoted_numbers(asked, words)) refuse_option("WHAT", *problem);
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 takes them
  try {
    KeptLines kept;
    asked.parse(std::vector<std::string>(arguments));
    view.answers = std::move(kept.lines);
  } catch (const CLI::ParseError& error) {
    if (const auto problem = unknown_option(asked, words)) refuse_option("WHAT", *problem);
    refuse_option("WHAT", fmt::format("graze {}: {}", words[0], error.what()));
  }
  if (exit_status == exit_refused) return exit_status;
  for (Json& answer : view.answers) add_certificate(answer);
  // Only the options are wanted. The commands' own callbacks own what the options write to, so they must stay; an
  // exception comes before they run.
  struct OptionsAreRead {};
  for (CLI::App* each : named.get_subcommands({})) each->parse_complete_callback([] { throw OptionsAreRead(); });
  try {
    named.parse(std::move(arguments));
  } catch (const OptionsAreRead&) {
  }
  add_subjects(view, *command);
  return exit_status;
}

/// A command line that can be copied.
std::string command_text(const std::vector<std::string>& words) {
  std::string out = "graze";
  for (const std::string& word : words) {
    const bool plain = !word.empty() && word.find_first_of(" \t\n'\"\\$&|;<>()*?[]#~`!{}") == word.npos;
    out += ' ';
    if (plain) {
      out += word;
      continue;
    }
    out += '\'';
    for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    out += '\'';
  }
  return out;
}

/// What it is about, without the options.
std::string title_of(const std::vector<std::string>& words) {
  std::string out = std::filesystem::path(words[0]).filename().string();
  for (std::size_t i = 1; i < words.size() && !words[i].starts_with('-'); ++i)
    out += " " + std::filesystem::path(words[i]).filename().string();
  return out;
}

int run(const ViewCommand& command, std::vector<std::string> rest) {
  if (command.what.empty()) refuse_option("WHAT", "what is to be shown? A question, or files; --help has examples");
  if (!command.opens && command.output.empty() && command.png.empty())
    refuse_option("-o", "says where the report goes: -o OUT.html");
  const PictureSize size = parse_size(command.size);
  // A missing page should be known before a long question is asked.
  const bool wants_page = !command.output.empty() || command.png.empty();
  const std::filesystem::path page_template = wants_page ? find_page_template(command.page_template) : "";
  std::vector<std::string> words{command.what};
  words.insert(words.end(), rest.begin(), rest.end());
  ViewDocument view;
  int exit_status = exit_answered;
  CLI::App known("graze", "graze");
  add_questions(known, exit_status);
  const bool is_question = !known.get_subcommands([&](const CLI::App* c) { return c->check_name(words[0]); }).empty();
  if (is_question) {
    view.command = command_text(words);
    exit_status = ask_and_show(view, words);
    if (exit_status == exit_refused) return exit_status;
  } else {
    for (const std::string& word : words)
      if (word.size() > 1 && word[0] == '-')
        refuse_option(word, "is no option of view and report; options of a question go after its name");
    add_files(view, words);
  }
  view.title = command.title.empty() ? title_of(words) : command.title;
  if (!command.png.empty()) {
    if (view.bodies.empty()) refuse_option("--png", "tables have no picture; write a page");
    write_whole(command.png, picture_png(view, command.time.value_or(picture_time(view)), size));
    fmt::print("{}: written\n", command.png);
  }
  if (!wants_page) return exit_status;
  const std::filesystem::path output =
      command.output.empty() ? temporary_file("graze-view", ".html") : std::filesystem::path(command.output);
  write_whole(output, page_with(view, page_template));
  if (command.opens)
    show_page(output);
  else
    fmt::print("{}: written\n", output.string());
  return exit_status;
}

void add(CLI::App& graze, int& exit_status, bool opens) {
  const auto command = std::make_shared<ViewCommand>();
  command->opens = opens;
  CLI::App* app = opens ? graze.add_subcommand("view", "Look at bodies, or at a question and its answer, in a browser")
                        : graze.add_subcommand("report", "Write such a page, one file that can be mailed");
  app->footer(footer_of(opens ? view_examples : report_examples));
  app->allow_extras();
  app->add_option("WHAT", command->what, "A question with all its arguments, or files")->type_name("FILE");
  add_text(*app, "-o,--output", command->output, "Where the page goes (view: default a temporary file)", "OUT.html");
  add_text(*app, "--png", command->png, "A picture instead, drawn without a browser; with -o also", "FILE");
  app->add_option("--time", command->time, "Of the picture: 0 to 1, or a frame; default: the first contact")
      ->type_name("T");
  add_text(*app, "--size", command->size, "Of the picture: WIDTHxHEIGHT, default 960x640", "SIZE");
  add_text(*app, "--title", command->title, "The page's title", "TEXT");
  add_text(*app, "--template", command->page_template, "The viewer's page; default: where it is installed", "FILE");
  app->callback([command, app, &exit_status] { exit_status = run(*command, app->remaining()); });
}

}  // namespace

void add_view(CLI::App& graze, int& exit_status) { add(graze, exit_status, true); }
void add_report(CLI::App& graze, int& exit_status) { add(graze, exit_status, false); }

}  // namespace graze::app
