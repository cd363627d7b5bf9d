// SPDX-License-Identifier: MIT
// The rows on whole meshes: contact yes/no, all pairs, distance.
#include <fmt/core.h>

#include "rows/rows.hpp"
#include "scene/meshes.hpp"

namespace graze::bench {
namespace {

constexpr double kReach = 0.01;

Report reporter(Context& context, const std::string& task) {
  context.progress.begin(task + ": finding poses");
  return [&context](double share) { context.progress.show(share); };
}

Scene touching_bunnies(Context& context, std::string& name) {
  NamedMesh body = bunny(context.data);
  name = body.name;
  return {body.mesh, body.mesh,
          near_touching(context.poses, kReach, 1, meets(body.mesh, body.mesh), reporter(context, name))};
}

}  // namespace

void row_yes_no(Context& context) {
  std::string name;
  const Scene scene = touching_bunnies(context, name);
  compare(context,
          {.row = "yes-no",
           .task = fmt::format("{} against itself, {} poses within {} of touching", name, context.poses, kReach),
           .question = Question::yes_no,
           .targets = {{"FCL OBB", 0.21}}},
          scene);
}

void row_all_pairs(Context& context) {
  std::string name;
  const Scene scene = touching_bunnies(context, name);
  compare(context,
          {.row = "all-pairs",
           .task = fmt::format("{} against itself, {} poses within {} of touching", name, context.poses, kReach),
           .question = Question::all_pairs,
           .targets = {{"FCL OBB", 0.17}}},
          scene);
}

void row_distance(Context& context) {
  const NamedMesh body = bunny(context.data);
  const std::string task = fmt::format("{} against itself, {} gaps from 0.001 to 1", body.name, context.poses);
  const Scene scene{body.mesh, body.mesh,
                    with_gap(context.poses, 0.001, 1, 2, meets(body.mesh, body.mesh), reporter(context, task))};
  compare(context, {.row = "distance", .task = task, .question = Question::distance, .targets = {{"FCL RSS", 0.3}}},
          scene);
}

void row_knots(Context& context) {
  for (const NamedMesh& knot : knots()) {
    const std::size_t count = std::max<std::size_t>(1, context.poses / 4);
    const std::string task = fmt::format("{} against itself, {} gaps from 0.001 to 1", knot.name, count);
    const Scene scene{knot.mesh, knot.mesh,
                      with_gap(count, 0.001, 1, 3, meets(knot.mesh, knot.mesh), reporter(context, task))};
    compare(context, {.row = "knots", .task = task, .question = Question::distance, .targets = {{"FCL RSS", 0.3}}},
            scene);
  }
}

}  // namespace graze::bench
