// SPDX-License-Identifier: MIT
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <graze/ask/collide.hpp>

#include "command.hpp"
#include "input/choices.hpp"
#include "input/query_options.hpp"
#include "output/answer.hpp"
#include "output/json.hpp"
#include "output/print.hpp"

namespace graze::app {
namespace {

struct CollideCommand {
  QueryOptions query;
  bool all = false, solid = false, self = false, list_methods = false;
};

constexpr const char* collide_footer =
    "A triangle is named by its number, polygon by polygon in the file's order; vertices and polygons are numbered\n"
    "from 0. The normal points from A to B. Exit status: 0 answered, 2 bad usage or input, 3 undecided.\n"
    "A shape may stand where a file may: sphere:R, capsule:R,L, box:X,Y,Z, cylinder:R,H, cone:R,H, ellipsoid:X,Y,Z,\n"
    "halfspace, hull:FILE, each rounded by a +R at the end; a compound of pieces, compound:FILE.json; and a height\n"
    "field, heights:FILE (docs/shapes.md).\n\n"
    "Examples:\n"
    "  graze make torus --triangles 2000 -o torus.obj\n"
    "  graze make box -o box.ply\n"
    "  graze collide torus.obj box.ply --pose-b \"0.9 0 0 1 0 0 0\"\n"
    "  graze collide torus.obj box.ply --pose-b \"0.9 0.1 0 1 0 0.3 0\" --all --json\n"
    "  graze collide torus.obj capsule:0.2,1 --pose-b \"1 0 0 1 0 0 0\"\n"
    "  graze collide torus.obj --self\n"
    "  echo \"0,0,0,1,0,0,0, 0.9,0,0,1,0,0,0\" > poses.csv\n"
    "  graze collide torus.obj box.ply --batch poses.csv";

void print_methods() {
  const auto yes = [](bool value) { return value ? "yes" : "-"; };
  fmt::print("{:<17} {:<6} {:<8} {:<8} {:<4} {:<8} {:<6} {}\n", "method", "free", "contact", "witness", "all",
             "surface", "solid", "summary");
  for (const MethodTraits& m : collide_methods())
    fmt::print("{:<17} {:<6} {:<8} {:<8} {:<4} {:<8} {:<6} {}\n", m.name, m.free_certain ? "sure" : "-",
               m.contact_certain ? "sure" : "-", yes(m.witness), yes(m.all_pairs), yes(m.surface),
               m.solid_only ? "only" : "yes", m.summary);
}

void check_collide_method(const std::string& method) {
  if (method.empty()) return;
  std::string known;
  for (const MethodTraits& m : collide_methods()) {
    if (m.name == method) return;
    known += (known.empty() ? "" : ", ") + std::string(m.name);
  }
  if (method == "automatic")
    refuse_option("--method", fmt::format("'automatic' was always tree, which is the default: leave it out, or choose "
                                          "one of {}",
                                          known));
  refuse_option("--method", fmt::format("unknown method '{}'; choose one of {}", method, known));
}

int run_self(const CollideCommand& command) {
  const QueryOptions& query = command.query;
  SelfCollideOptions options;
  options.all = command.all;
  options.threads = query.input.threads;
  if (!query.method.empty()) options.method = query.method;
  const Body body(load(query.file_a, query.input), {.threads = query.input.threads});
  SelfCollideResult result = self_collide(body, options);
  if (result.status == Status::contact && !options.all) {  // one pair is listed, but all are counted
    options.all = true;
    const SelfCollideResult every = self_collide(body, options);
    result.count = every.count;
    result.counters += every.counters;
    result.seconds += every.seconds;
  }
  if (query.json)
    print_line(to_json(result, body.mesh()));
  else if (result.status != Status::invalid_request)
    print(result, body.mesh());
  return exit_status_of(result.status, result.error, query.exit_code);
}

int run_pair(const CollideCommand& command) {
  const QueryOptions& query = command.query;
  check_collide_method(query.method);
  const PlacedPair bodies = load_pair(query);
  CollideOptions options;
  options.all = command.all;
  options.solid = command.solid;
  options.threads = query.input.threads;
  if (!query.method.empty()) options.method = query.method;

  MethodCounters of_method;
  options.method_counters = &of_method;
  CollideResult result;
  const Question question = [&](const Pose& pose_a, const Pose& pose_b) {
    collide(bodies.a, pose_a, bodies.b, pose_b, options, result);
    return Answer{to_json(result, of_method, bodies.a, bodies.b), result.status, result.error};
  };
  return ask(query, bodies, question, [&] { print(result, of_method, bodies.a, bodies.b, command.all); });
}

int run(const CollideCommand& command) {
  if (command.list_methods) {
    print_methods();
    return exit_answered;
  }
  if (command.query.file_a.empty()) refuse_option("FILE", "a mesh file is needed: A and B, or A with --self");
  if (!command.self && command.query.file_b.empty())
    refuse_option("FILE", "a second mesh file is needed, or --self to test the first against itself");
  return command.self ? run_self(command) : run_pair(command);
}

}  // namespace

void add_collide(CLI::App& graze, int& exit_status) {
  const auto command = std::make_shared<CollideCommand>();
  CLI::App* app = graze.add_subcommand("collide", "Do two placed meshes touch, or one mesh itself? Where?");
  app->footer(collide_footer);
  const QueryOptionHandles handles = add_query_options(*app, command->query);
  offer(handles.method, names_in(collide_methods()));
  app->add_flag("--all", command->all, "List all intersecting triangle pairs, not only one as a witness");
  CLI::Option* solid =
      app->add_flag("--solid", command->solid, "A closed body wholly inside the other counts as contact too");
  app->add_flag("--self", command->self, "Test A against itself; neighbours count if they meet elsewhere")
      ->excludes(handles.file_b)
      ->excludes(handles.pose_a)
      ->excludes(handles.pose_b)
      ->excludes(handles.batch)
      ->excludes(solid);
  app->add_flag("--list-methods", command->list_methods, "List the methods and what their answers are worth");
  app->callback([command, &exit_status] { exit_status = run(*command); });
}

}  // namespace graze::app
