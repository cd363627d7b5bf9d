// SPDX-License-Identifier: MIT
#include <cmath>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <graze/ask/distance.hpp>

#include "command.hpp"
#include "input/choices.hpp"
#include "input/pose_text.hpp"
#include "input/query_options.hpp"
#include "output/answer.hpp"
#include "output/json.hpp"
#include "output/print.hpp"

namespace graze::app {
namespace {

/// Numbers are kept as text, so that they are rounded to a double only once, by graze's own parser.
struct DistanceCommand {
  QueryOptions query;
  std::string relative_error, within;
};

constexpr const char* distance_footer =
    "The distance is that of the surfaces. Exit status: 0 answered, 2 bad usage or input, 3 undecided.\n\n"
    "Examples:\n"
    "  graze make sphere --triangles 2000 -o sphere.obj\n"
    "  graze distance sphere.obj sphere.obj --pose-b \"3 0 0 1 0 0 0\"\n"
    "  graze distance sphere.obj sphere.obj --pose-b \"3 0 0 1 0 0 0\" --relative-error 1e-3 --json\n"
    "  graze distance sphere.obj sphere.obj --pose-b \"3 0 0 1 0 0 0\" --within 0.5";

int run_distance(const DistanceCommand& command) {
  const QueryOptions& query = command.query;
  DistanceOptions options;
  if (!command.relative_error.empty())
    options.relative_error = parse_option_number(command.relative_error, "--relative-error");
  options.threads = query.input.threads;
  if (!query.method.empty()) options.method = query.method;

  const PlacedPair bodies = load_pair(query);
  DistanceResult result;
  const Question question = [&](const Pose& pose_a, const Pose& pose_b) {
    distance(bodies.a, pose_a, bodies.b, pose_b, options, result);
    return Answer{to_json(result, bodies.a, bodies.b), result.status, result.error};
  };
  return ask(query, bodies, question, [&] { print(result, bodies.a, bodies.b); });
}

int run_within(const DistanceCommand& command) {
  const QueryOptions& query = command.query;
  const double d = parse_option_number(command.within, "--within");
  if (!(d >= 0) || !std::isfinite(d))
    refuse_option("--within",
                  fmt::format("'{}' is no distance; write a number that is finite and not negative", command.within));
  const PlacedPair bodies = load_pair(query);
  WithinResult result;
  const Question question = [&](const Pose& pose_a, const Pose& pose_b) {
    result = within(d, bodies.a, pose_a, bodies.b, pose_b, {.threads = query.input.threads});
    return Answer{to_json(result, d), result.status, result.error};
  };
  return ask(query, bodies, question, [&] { print(result, d); });
}

}  // namespace

void add_distance(CLI::App& graze, int& exit_status) {
  const auto command = std::make_shared<DistanceCommand>();
  CLI::App* app = graze.add_subcommand("distance", "How far apart are two placed meshes, and where are they nearest?");
  app->footer(distance_footer);
  const QueryOptionHandles handles = add_query_options(*app, command->query);
  offer(handles.method, {"tree", "brute"});
  CLI::Option* relative_error =
      add_text(*app, "--relative-error", command->relative_error, "Of the distance; default 1e-9", "E");
  add_text(*app, "--within", command->within, "Only ask: are they at most D apart? Decided exactly, and cheaper", "D")
      ->excludes(relative_error)
      ->excludes(handles.method);
  app->callback([command, &exit_status] {
    exit_status = command->within.empty() ? run_distance(*command) : run_within(*command);
  });
}

}  // namespace graze::app
