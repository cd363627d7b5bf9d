// SPDX-License-Identifier: MIT
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <graze/ask/manifold.hpp>

#include "command.hpp"
#include "input/pose_text.hpp"
#include "input/query_options.hpp"
#include "output/answer.hpp"
#include "output/contact_json.hpp"
#include "output/print.hpp"

namespace graze::app {
namespace {

struct ManifoldCommand {
  QueryOptions query;
  std::string margin;
};

constexpr const char* manifold_footer =
    "For each connected patch of the overlap (with --margin, also of where the bodies are near): its normal, from A "
    "to\n"
    "B, and up to 4 points with depth, features and an id that is the same in every frame. A negative depth is a gap.\n"
    "Exit status: 0 answered, 2 bad usage or input, 3 undecided.\n\n"
    "Examples:\n"
    "  graze manifold halfspace box:1,1,1 --pose-b \"0 0 0.49 1 0 0 0\"\n"
    "  graze manifold halfspace capsule:0.5,2 --pose-b \"0 0 0.51 1 0 1 0\" --margin 0.02 --json";

void print_manifold(const ManifoldResult& result) {
  if (result.status == Status::undecided) return fmt::print("undecided\n");
  fmt::print("{}: {} {}{}\n", result.status == Status::contact ? "contact" : "free", result.patches.size(),
             result.patches.size() == 1 ? "patch" : "patches", result.certain ? "" : ", as far as rounding can tell");
  for (const ManifoldPatch& patch : result.patches) {
    print_field("normal", point_text(patch.normal));
    for (const ManifoldPoint& p : patch.points)
      print_field("point",
                  fmt::format("{} and {}, {:.9g} {}; {} and {}", point_text(p.points[0]), point_text(p.points[1]),
                              p.depth < 0 ? -p.depth : p.depth, p.depth < 0 ? "apart" : "deep",
                              feature_text(p.feature_a), feature_text(p.feature_b)));
  }
}

int run_manifold(const ManifoldCommand& command) {
  ManifoldOptions options;
  if (!command.margin.empty()) options.margin = parse_option_number(command.margin, "--margin");
  if (!command.query.method.empty()) refuse_option("--method", "manifold has one method only; leave it out");
  const PlacedPair bodies = load_pair(command.query);
  const bool with_pieces = !bodies.a.pieces().empty() || !bodies.b.pieces().empty();
  ManifoldResult result;
  const Question question = [&](const Pose& pose_a, const Pose& pose_b) {
    result = manifold(bodies.a, pose_a, bodies.b, pose_b, options);
    return Answer{to_json(result, with_pieces), result.status, result.error};
  };
  return ask(command.query, bodies, question, [&] { print_manifold(result); });
}

}  // namespace

void add_manifold(CLI::App& graze, int& exit_status) {
  const auto command = std::make_shared<ManifoldCommand>();
  CLI::App* app = graze.add_subcommand("manifold", "Where do two bodies press on each other? Points for a simulator.");
  app->footer(manifold_footer);
  add_query_options(*app, command->query);
  add_text(*app, "--margin", command->margin, "Also places that are apart by at most this; default 0", "D");
  app->callback([command, &exit_status] { exit_status = run_manifold(*command); });
}

}  // namespace graze::app
