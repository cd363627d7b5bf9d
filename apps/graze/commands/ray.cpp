// SPDX-License-Identifier: MIT
#include <memory>
#include <span>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <graze/ask/ray.hpp>

#include "command.hpp"
#include "input/batch.hpp"
#include "input/pose_text.hpp"
#include "input/query_options.hpp"
#include "output/answer.hpp"
#include "output/json.hpp"
#include "output/print.hpp"
#include "output/ray_json.hpp"

namespace graze::app {
namespace {

struct RayCommand {
  InputOptions input;
  std::string file, pose = "0 0 0 1 0 0 0", from, to, batch;
  bool all = false, any = false, json = false, exit_code = false;
};

constexpr const char* ray_footer =
    "The ray is the segment between the two points. Whether it meets the surface is decided exactly; the fraction is "
    "the\n"
    "double nearest to the true one. The normal is that of the surface: outward for shapes and for meshes whose "
    "corners\n"
    "run counter-clockwise seen from outside. Exit status: 0 answered, 2 bad usage or input.\n"
    "A shape may stand where a file may: sphere:R, capsule:R,L, box:X,Y,Z, cylinder:R,H, cone:R,H, ellipsoid:X,Y,Z,\n"
    "halfspace, hull:FILE, each rounded by a +R at the end (docs/shapes.md).\n\n"
    "Examples:\n"
    "  graze make torus --triangles 2000 -o torus.obj\n"
    "  graze ray torus.obj --from \"-3 0.1 0\" --to \"3 0.1 0\"\n"
    "  graze ray torus.obj --from \"-3 0.1 0\" --to \"3 0.1 0\" --all --json\n"
    "  graze ray sphere:1 --from \"0 0 5\" --to \"0 0 0\"\n"
    "  echo \"-3,0.1,0, 3,0.1,0\" > rays.csv\n"
    "  graze ray torus.obj --batch rays.csv";

Vec3 parse_ray_point(const std::string& text, const char* option) {
  const std::vector<double> v = parse_numbers(text, option);
  if (v.size() != 3)
    refuse_option(option,
                  fmt::format("'{}' has {} numbers; a point has three, in one quoted argument", text, v.size()));
  return {v[0], v[1], v[2]};
}

std::string ray_point_text(const Vec3& v) { return fmt::format("({:.9g}, {:.9g}, {:.9g})", v.x, v.y, v.z); }

void print_ray_hit(const RayHit& hit) {
  print_field("point", ray_point_text(hit.point));
  print_field("normal", hit.normal ? ray_point_text(*hit.normal) : "none");
  if (hit.feature.type == FeatureRef::Type::surface) return;
  print_field("triangle", fmt::format("{} of polygon {}", index(hit.triangle), index(hit.polygon)));
  print_field("weights", fmt::format("{:.9g} {:.9g} {:.9g}", hit.weights[0], hit.weights[1], hit.weights[2]));
}

void print_ray(const RayResult& result, bool all) {
  if (!result.hit) return fmt::print("free: the ray meets nothing\n");
  if (!all) {
    fmt::print("contact: at {:.9g} of the ray{}\n", result.hit->fraction,
               result.certain ? "" : ", as far as rounding can tell");
    return print_ray_hit(*result.hit);
  }
  fmt::print("contact: {} polygons\n", result.all.size());
  for (const RayHit& hit : result.all) {
    fmt::print("at {:.9g} of the ray\n", hit.fraction);
    print_ray_hit(hit);
  }
}

int run_ray(const RayCommand& command) {
  RayOptions options;
  options.hits = command.all ? RayHits::all : command.any ? RayHits::any : RayHits::first;
  const Pose pose = parse_pose(command.pose, "--pose");
  if (!command.batch.empty()) {
    const Body body = load_body(command.file, command.input);
    RayResult result;
    const RowForm form{6, "the start of the ray, then its end"};
    return run_batch(command.batch, command.exit_code, form, [&](std::span<const double> row) {
      cast_ray(body, pose, {row[0], row[1], row[2]}, {row[3], row[4], row[5]}, options, result);
      return Answer{to_json(result, command.all), result.status, result.error};
    });
  }
  if (command.from.empty()) refuse_option("--from", "where does the ray start? Three numbers in one quoted argument");
  if (command.to.empty()) refuse_option("--to", "where does the ray end? Three numbers in one quoted argument");
  const Vec3 from = parse_ray_point(command.from, "--from"), to = parse_ray_point(command.to, "--to");
  const RayResult result = cast_ray(load_body(command.file, command.input), pose, from, to, options);
  if (command.json)
    print_line(to_json(result, command.all));
  else if (result.status != Status::invalid_request)
    print_ray(result, command.all);
  return exit_status_of(result.status, result.error, command.exit_code);
}

}  // namespace

void add_ray(CLI::App& graze, int& exit_status) {
  const auto command = std::make_shared<RayCommand>();
  CLI::App* app = graze.add_subcommand("ray", "Where does a ray meet a mesh or a shape?");
  app->footer(ray_footer);
  app->add_option("A", command->file, "The mesh, or a shape")->type_name("FILE")->required();
  add_text(*app, "--pose", command->pose, "Its pose: \"tx ty tz qw qx qy qz\", or a matrix of 16 numbers", "POSE");
  CLI::Option* from = add_text(*app, "--from", command->from, "Where the ray starts: \"x y z\"", "POINT");
  CLI::Option* to = add_text(*app, "--to", command->to, "Where it ends: \"x y z\"", "POINT");
  CLI::Option* all = app->add_flag("--all", command->all, "Every polygon that it meets, not only the first");
  app->add_flag("--any", command->any, "Whichever is found first: only whether there is a hit matters")->excludes(all);
  add_text(*app, "--batch", command->batch,
           "Answer every row of a CSV file: start and end of a ray (6 numbers, commas, optional header);\n"
           "one JSON line a row",
           "FILE.csv")
      ->excludes(from)
      ->excludes(to);
  add_input_options(*app, command->input);
  app->add_flag("--json", command->json, "Print one JSON object instead of text");
  app->add_flag("--exit-code", command->exit_code, "Exit with status 1 when the ray meets something");
  app->callback([command, &exit_status] { exit_status = run_ray(*command); });
}

}  // namespace graze::app
