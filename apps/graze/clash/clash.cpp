// SPDX-License-Identifier: MIT
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <graze/clash/clash.hpp>
#include <graze/clash/report.hpp>

#include "clash/assembler.hpp"
#include "clash/clash_print.hpp"
#include "clash/found_files.hpp"
#include "clash/kept_assembly.hpp"
#include "clash/part_list.hpp"
#include "clash/rules_file.hpp"
#include "clash/units.hpp"
#include "command.hpp"
#include "input/choices.hpp"
#include "input/pose_text.hpp"
#include "input/query_options.hpp"
#include "output/json.hpp"
#include "output/progress.hpp"

namespace graze::app {
namespace {

struct ClashCommand {
  AssemblerOptions reading;
  std::vector<std::string> parts, ignored, outputs;
  std::string unit = "m", clearance, tolerance, rules, earlier, guids, split = "file", repeats = "geometries", memory,
              seconds;
  bool no_weld = false, no_touching = false, between_groups = false, depth = false, json = false, exit_code = false;
  std::size_t most = 1000000, show = 20;
  std::uint64_t work = 0;
};

constexpr const char* clash_footer =
    "PARTS are mesh files, folders, patterns (\"site/**/pipe*.stl\") and lists of parts (.csv, .json: docs/clash.md).\n"
    "Exit status: 0 answered, 2 bad usage or input, 3 something could not be read or answered; with --exit-code 1 "
    "when\n"
    "there are clashes.\n\n"
    "Examples:\n"
    "  graze make box -o plate.obj\n"
    "  graze make cylinder --triangles 500 -o bolt.obj\n"
    "  graze clash plate.obj bolt.obj\n"
    "  graze clash plate.obj bolt.obj --units mm --clearance 5mm -o clashes.csv -o clashes.json -o clashes.bcf\n"
    "  graze clash plate.obj bolt.obj --ignore \"bolt*:nut*\" --compare clashes.json --json";

CancelSource interrupted;

/// Ends the check in an orderly way; the second time, the program.
extern "C" void on_interrupt(int signal) {
  interrupted.cancel();
  std::signal(signal, SIG_DFL);
}

std::vector<PartEntry> find_parts(const std::vector<std::string>& arguments, const Unit& unit) {
  std::vector<PartEntry> out;
  for (const std::string& argument : arguments) {
    if (is_part_list(argument)) {
      for (PartEntry& entry : read_part_list(argument, unit)) out.push_back(std::move(entry));
      continue;
    }
    for (FoundFile& found : find_files(argument)) {
      PartEntry entry;
      entry.name = std::move(found.name);
      entry.group = std::move(found.folder);
      entry.source.file = std::move(found.file);
      out.push_back(std::move(entry));
    }
  }
  return out;
}

/// Bytes: "500M", "2G".
std::size_t parse_bytes(const std::string& text) {
  std::string number = text;
  double factor = 1;
  constexpr const char* suffixes = "kMGT";
  for (int i = 0; i < 4; ++i)
    if (!number.empty() && number.back() == suffixes[i]) {
      factor = std::pow(1024, i + 1);
      number.pop_back();
      break;
    }
  const auto value = parse_number(number);
  if (!value || !(*value * factor >= 1) || !(*value * factor < 0x1p60))
    refuse_option("--memory", fmt::format("'{}' is no amount of memory; write bytes, or 500M, 2G", text));
  return static_cast<std::size_t>(*value * factor);
}

clash::ReportFormat format_of(const std::string& file) {
  if (file.ends_with(".csv")) return clash::ReportFormat::csv;
  if (file.ends_with(".json")) return clash::ReportFormat::json;
  if (file.ends_with(".bcf") || file.ends_with(".bcfzip")) return clash::ReportFormat::bcf;
  refuse_option("--output", fmt::format("'{}' ends in none of .csv, .json, .bcf and .bcfzip", file));
}

/// Now, or the time that SOURCE_DATE_EPOCH gives, for files that shall be the same again.
std::string date_text() {
  std::time_t now = std::time(nullptr);
  if (const char* fixed = std::getenv("SOURCE_DATE_EPOCH")) now = static_cast<std::time_t>(std::atoll(fixed));
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

clash::Options check_options(const ClashCommand& command, const Unit& unit) {
  clash::Options options;
  if (!command.clearance.empty()) options.clearance = parse_length(command.clearance, unit, "--clearance");
  if (!command.tolerance.empty()) options.tolerance = parse_length(command.tolerance, unit, "--tolerance");
  for (const std::string& text : command.ignored) options.rules.push_back(parse_ignore(text));
  if (!command.rules.empty())
    for (clash::Rule& rule : read_rules(command.rules, unit)) options.rules.push_back(std::move(rule));
  options.touching = !command.no_touching;
  options.within_groups = !command.between_groups;
  options.depth = command.depth;
  options.most = command.most;
  options.work = command.work;
  options.threads = command.reading.input.threads;
  if (!command.memory.empty()) options.memory = parse_bytes(command.memory);
  if (!command.seconds.empty()) {
    const double seconds = parse_option_number(command.seconds, "--seconds");
    if (!(seconds >= 0)) refuse_option("--seconds", "must not be negative");
    options.budget = std::chrono::nanoseconds(static_cast<std::int64_t>(std::min(seconds, 1e9) * 1e9));
  }
  options.cancel = interrupted.token();
  return options;
}

/// What could not be read.
struct Unread {
  std::vector<ErrorDetail> files;
  std::vector<UnreadPart> parts;
};

clash::Assembly read_assembly(const ClashCommand& command, const Unit& unit, Unread& unread) {
  const std::vector<PartEntry> entries = find_parts(command.parts, unit);
  AssemblerOptions reading = command.reading;
  reading.input.weld = !command.no_weld;
  reading.out_of_core = !command.memory.empty();
  reading.split = command.split == "group"   ? clash::SplitBy::group
                  : command.split == "piece" ? clash::SplitBy::piece
                                             : clash::SplitBy::file;
  Assembler assembler(reading);
  {
    Progress progress(entries.size(), "files read");
    assembler.add(entries, [&] { progress.step(); });
  }
  assembler.name_parts(command.guids.empty() ? std::vector<std::pair<std::string, std::string>>{}
                                             : read_guids(command.guids));
  unread = {assembler.unread(), assembler.unread_parts()};
  return assembler.take();
}

int run_clash(const ClashCommand& command) {
  const Unit unit = parse_unit(command.unit, "--units");
  for (const std::string& file : command.outputs) format_of(file);
  clash::Options options = check_options(command, unit);
  std::optional<EarlierReport> earlier;
  if (!command.earlier.empty()) earlier = read_earlier(command.earlier);
  Unread unread;
  const clash::Assembly assembly = read_assembly(command, unit, unread);
  if (assembly.parts.empty() && !unread.files.empty()) throw Error(unread.files.front());

  std::signal(SIGINT, on_interrupt);
  std::optional<Progress> progress(std::in_place, assembly.parts.size(), "parts compared");
  options.progress = [&](const clash::Progress& at) { progress->reach(at.rows_done); };
  const clash::Result result = clash::check(assembly, options);
  progress.reset();
  std::signal(SIGINT, SIG_DFL);

  const auto repeats = command.repeats == "groups" ? clash::Repeats::groups : clash::Repeats::geometries;
  clash::Report report =
      earlier ? clash::report(assembly, result, repeats, earlier->clashes, keys_of_unread(*earlier, unread.parts))
              : clash::report(assembly, result, repeats);
  report.unit = unit.name;
  report.metres = unit.metres();
  report.clearance = options.clearance;
  report.tolerance = options.tolerance;
  report.unread = unread.files;
  if (!unread.files.empty() && report.status == Status::free)
    report.status = Status::undecided;  // what was not read may clash
  for (const std::string& file : command.outputs)
    clash::save_report(assembly, report, format_of(file), file, date_text());
  if (command.json) {
    std::string text = clash::report_bytes(assembly, report, clash::ReportFormat::json);
    if (KeptLines::keeps()) {
      kept_assembly() = assembly;
      print_line(Json::parse(text));
    } else {
      std::erase(text, '\n');  // one line; those inside texts are escaped
      fmt::print("{}\n", text);
    }
  } else {
    print(assembly, report, result, command.show);
    for (const std::string& file : command.outputs) fmt::print("  written     {}\n", file);
  }
  print_problems(assembly, report);
  if (!report.complete || !unread.files.empty()) return exit_undecided;
  return command.exit_code && !report.clashes.empty() ? exit_contact : exit_answered;
}

}  // namespace

void add_clash(CLI::App& graze, int& exit_status) {
  const auto command = std::make_shared<ClashCommand>();
  CLI::App* app = graze.add_subcommand("clash", "Which parts of an assembly clash, or are too close?");
  app->footer(clash_footer);
  app->add_option("PARTS", command->parts, "Mesh files, folders, patterns, lists of parts")
      ->type_name("FILE")
      ->required();
  app->add_option("-o,--output", command->outputs, "Write the clashes: .csv, .json or .bcf; may be given several times")
      ->type_name("FILE");
  add_text(*app, "--clearance", command->clearance, "Also pairs at most this far apart, decided exactly: 0.02, 20mm",
           "L");
  add_text(*app, "--tolerance", command->tolerance,
           "Pairs that a translation by at most this is certified to part count as touching", "L");
  offer(add_text(*app, "--units", command->unit, "The unit of all coordinates and lengths (default m)", "U"),
        unit_names());
  offer_only(app->add_option("--split", command->split,
                             "What a part is: a file (default), a group of an OBJ file, or a "
                             "connected piece"),
             {"file", "group", "piece"});
  app->add_option("--ignore", command->ignored, "Pairs not to ask, by patterns for their names: \"bolt*:nut*\"")
      ->type_name("A:B");
  add_text(*app, "--rules", command->rules, "More rules, with clearances and tolerances of their own (JSON)", "FILE");
  app->add_flag("--between-groups", command->between_groups,
                "Do not compare parts of one group (folder, file) with each other");
  app->add_flag("--no-touching", command->no_touching, "Leave out pairs that only touch");
  app->add_flag("--depth", command->depth, "Depths of the surfaces, not only of the boxes; takes longer");
  offer_only(app->add_option("--repeats", command->repeats,
                             "Clashes repeat one another between the same geometries "
                             "(default) or groups"),
             {"geometries", "groups"});
  add_text(*app, "--compare", command->earlier, "An earlier report (JSON): say what is new, still there, gone", "FILE");
  add_text(*app, "--guids", command->guids, "GUIDs of parts for BCF: a CSV file of names and GUIDs", "FILE");
  add_format(*app, command->reading.input.format, "obj, off, ply or stl, whatever the files' names say");
  app->add_flag("--no-weld", command->no_weld,
                "Do not make vertices at equal positions one: then no STL file is a solid");
  add_text(*app, "--memory", command->memory, "Keep at most this much of meshes and trees; read files again (500M, 2G)",
           "N");
  app->add_option("--most", command->most, "End after this many clashes (default 1,000,000)")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  app->add_option("--work", command->work, "Limit of a pair's steps, tests of boxes or triangles")->type_name("N");
  add_text(*app, "--seconds", command->seconds, "Limit of time", "S");
  app->add_option("--show", command->show, "How many clashes to print (default 20)")->type_name("N");
  app->add_option("--threads", command->reading.input.threads,
                  "Threads to use; answers do not depend on it (default 1)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  app->add_flag("--json", command->json, "Print the report as JSON, one line");
  app->add_flag("--exit-code", command->exit_code, "Exit status 1 if there are clashes");
  app->callback([command, &exit_status] { exit_status = run_clash(*command); });
}

}  // namespace graze::app
