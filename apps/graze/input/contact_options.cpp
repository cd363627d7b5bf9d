// SPDX-License-Identifier: MIT
#include "input/contact_options.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "input/choices.hpp"
#include "input/pose_text.hpp"

namespace graze::app {
namespace {

void check_contact_method(const std::string& method) {
  if (method.empty()) return;
  std::string known;
  for (const FirstContactTraits& m : first_contact_methods()) {
    if (m.name == method) return;
    known += (known.empty() ? "" : ", ") + std::string(m.name);
  }
  refuse_option("--method", fmt::format("unknown method '{}'; choose one of {}", method, known));
}

MeshFormat read_format(JsonReader& reader) {
  const std::string text = reader.text("format", "automatic");
  for (const MeshFormat format :
       {MeshFormat::automatic, MeshFormat::obj, MeshFormat::off, MeshFormat::ply, MeshFormat::stl})
    if (graze::name(format) == text) return format;
  reader.refuse("format", fmt::format("unknown format '{}'; choose automatic, obj, off, ply or stl", text));
}

}  // namespace

void add_contact_options(CLI::App& command, ContactOptions& options) {
  add_text(command, "--tolerance", options.tolerance_text,
           "A distance: contact is reported once they are this near;\ndefault 1e-6 of the smaller body's box diagonal",
           "T");
  add_text(command, "--min-separation", options.separation_text,
           "A safety distance: contact means at most this far apart,\nfree means farther apart throughout; default 0",
           "D");
  offer(add_text(command, "--method", options.method, "How to answer; --list-methods lists them", "NAME"),
        names_in(first_contact_methods()));
  command.add_flag("--all-features", options.all_features, "Every feature pair in contact at that time");
  command.add_flag("--all-contacts", options.all_contacts, "Every contact in the whole motion, each with its time");
  command.add_flag("--clearance", options.clearance, "The least distance in the whole motion, and when");
  command.add_flag("--ignore-start-if-separating", options.ignore_start_if_separating,
                   "A contact at the start that opens at once does not count");
  command.add_flag("--solid", options.solid, "A closed body that starts inside the other is in contact, too");
  command.add_option("--work", options.work, "Limit: undecided after so many steps; reproducible (default: none)")
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max()).description(""));
  add_text(command, "--seconds", options.seconds_text, "Limit: undecided after so long (default: none)", "S");
  add_input_options(command, options.input);
  command.add_flag("--json", options.json, "Print one JSON object instead of text");
  command.add_flag("--exit-code", options.exit_code, "Exit with status 1 when contact was found");
}

void check(ContactOptions& options) {
  check_contact_method(options.method);
  if (!options.tolerance_text.empty()) options.tolerance = parse_option_number(options.tolerance_text, "--tolerance");
  if (!options.seconds_text.empty()) options.seconds = parse_option_number(options.seconds_text, "--seconds");
  if (!options.separation_text.empty())
    options.min_separation = parse_option_number(options.separation_text, "--min-separation");
  if (!(options.min_separation >= 0 && std::isfinite(options.min_separation)))
    refuse_option("--min-separation", "must be finite and not negative");
  if (options.tolerance && !(*options.tolerance > 0 && std::isfinite(*options.tolerance)))
    refuse_option("--tolerance", "must be a positive, finite distance");
  if (!(options.seconds >= 0 && std::isfinite(options.seconds)))
    refuse_option("--seconds", "must be finite and not negative; 0 means no limit");
}

FirstContactOptions library_options(const ContactOptions& options) {
  FirstContactOptions out;
  if (!options.method.empty()) out.method = options.method;
  out.tolerance = options.tolerance;
  out.min_separation = options.min_separation;
  out.all_features = options.all_features;
  out.all_contacts = options.all_contacts;
  out.clearance = options.clearance;
  out.ignore_start_if_separating = options.ignore_start_if_separating;
  out.solid = options.solid;
  out.threads = options.input.threads;
  out.work = options.work;
  if (options.seconds > 0) {
    // Longer than the clock can count is as good as no limit.
    const std::chrono::duration<double> seconds(options.seconds);
    if (seconds < std::chrono::nanoseconds::max())
      out.budget = std::chrono::duration_cast<std::chrono::nanoseconds>(seconds);
  }
  return out;
}

void add_to_json(Json& out, const ContactOptions& options) {
  out["format"] = graze::name(options.input.format);
  out["weld"] = options.input.weld;
  out["threads"] = options.input.threads;
  out["method"] = options.method.empty() ? Json() : Json(options.method);
  out["tolerance"] = options.tolerance ? Json(*options.tolerance) : Json();
  if (options.min_separation > 0) out["min_separation"] = options.min_separation;
  out["work"] = options.work;
  out["seconds"] = options.seconds;
  out["all_features"] = options.all_features;
  out["all_contacts"] = options.all_contacts;
  out["clearance"] = options.clearance;
  out["ignore_start_if_separating"] = options.ignore_start_if_separating;
  out["solid"] = options.solid;
  out["json"] = options.json;
  out["exit_code"] = options.exit_code;
}

ContactOptions read_contact_options(JsonReader& reader) {
  ContactOptions out;
  out.input.format = read_format(reader);
  out.input.weld = reader.flag("weld", false);
  const std::uint64_t threads = reader.whole_number("threads", 1);
  if (threads < 1 || threads > 1024) reader.refuse("threads", "must be between 1 and 1024");
  out.input.threads = static_cast<int>(threads);
  out.method = reader.text("method", "");
  const bool has_tolerance = reader.has("tolerance");
  const double tolerance = reader.number("tolerance", 0);
  if (has_tolerance) out.tolerance = tolerance;
  out.min_separation = reader.number("min_separation", 0);
  out.work = reader.whole_number("work", 0);
  out.seconds = reader.number("seconds", 0);
  out.all_features = reader.flag("all_features", false);
  out.all_contacts = reader.flag("all_contacts", false);
  out.clearance = reader.flag("clearance", false);
  out.ignore_start_if_separating = reader.flag("ignore_start_if_separating", false);
  out.solid = reader.flag("solid", false);
  out.json = reader.flag("json", false);
  out.exit_code = reader.flag("exit_code", false);
  return out;
}

void print_first_contact_methods() {
  const auto yes = [](bool value) { return value ? "yes" : "-"; };
  fmt::print("{:<13} {:<12} {:<12} {}\n", "method", "certificate", "own motions", "summary");
  for (const FirstContactTraits& m : first_contact_methods())
    fmt::print("{:<13} {:<12} {:<12} {}\n", m.name, yes(m.certificate), yes(m.own_motions), m.summary);
}

}  // namespace graze::app
