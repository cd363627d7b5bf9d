// SPDX-License-Identifier: MIT
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <graze/ask/penetration.hpp>

#include "command.hpp"
#include "input/pose_text.hpp"
#include "input/query_options.hpp"
#include "output/answer.hpp"
#include "output/contact_json.hpp"
#include "output/print.hpp"

namespace graze::app {
namespace {

struct PenetrationCommand {
  QueryOptions query;
  std::string relative_error;
};

constexpr const char* penetration_footer =
    "For convex solids (shapes, each rounded by a +R at the end, and closed convex meshes) the depth is certified to "
    "be\n"
    "between the two bounds. For other meshes the translation is least locally; each connected part of the "
    "intersection\n"
    "(a patch) has one of its own. Every translation of B is certified to part the two. Exit status: 0 answered,\n"
    "2 bad usage or input, 3 undecided.\n\n"
    "Examples:\n"
    "  graze penetration sphere:1 box:2,2,2 --pose-b \"1.5 0 0 1 0 0 0\"\n"
    "  graze make torus -o ring.obj\n"
    "  graze penetration ring.obj ring.obj --pose-b \"0.3 0 0 1 0 0 0\"\n"
    "  graze penetration halfspace cylinder:0.5,1 --pose-b \"0 0 0.4 1 0 0 0\" --json";

std::string coordinates_text(const Vec3& v) { return fmt::format("({:.9g}, {:.9g}, {:.9g})", v.x, v.y, v.z); }

void print_penetration(const PenetrationResult& result) {
  if (result.status == Status::undecided) return fmt::print("undecided: no translation was verified\n");
  if (result.status != Status::contact) return fmt::print("free: no common point\n");
  fmt::print("contact: {:.9g} deep{}\n", result.upper, result.certain ? "" : ", as far as rounding can tell");
  print_field("at least", fmt::format("{:.9g}", result.lower));
  print_field("B is parted by", coordinates_text(result.translation));
  print_field("deepest of A", coordinates_text(result.points[0]));
  print_field("deepest of B", coordinates_text(result.points[1]));
  for (const PenetrationPatch& p : result.patches)
    print_field("patch", fmt::format("{} and {} triangles, parted by {}", p.triangles_a.size(), p.triangles_b.size(),
                                     coordinates_text(p.translation)));
}

int run_penetration(const PenetrationCommand& command) {
  PenetrationOptions options;
  if (!command.relative_error.empty())
    options.relative_error = parse_option_number(command.relative_error, "--relative-error");
  if (!command.query.method.empty()) refuse_option("--method", "penetration has one method only; leave it out");
  const PlacedPair bodies = load_pair(command.query);
  PenetrationResult result;
  const Question question = [&](const Pose& pose_a, const Pose& pose_b) {
    result = penetration(bodies.a, pose_a, bodies.b, pose_b, options);
    return Answer{to_json(result), result.status, result.error};
  };
  return ask(command.query, bodies, question, [&] { print_penetration(result); });
}

}  // namespace

void add_penetration(CLI::App& graze, int& exit_status) {
  const auto command = std::make_shared<PenetrationCommand>();
  CLI::App* app = graze.add_subcommand("penetration", "How deep do two bodies overlap, and what parts them?");
  app->footer(penetration_footer);
  add_query_options(*app, command->query);
  add_text(*app, "--relative-error", command->relative_error, "Of the depth; default 1e-6", "E");
  app->callback([command, &exit_status] { exit_status = run_penetration(*command); });
}

}  // namespace graze::app
