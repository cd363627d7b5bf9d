// SPDX-License-Identifier: MIT
// Zachmann 7.1: which method for which pair? All methods that certify both answers, and separating planes kept from
// frame to frame, on the smallest and on convex bodies, where the traversal of two trees should gain least.
#include <fmt/core.h>

#include <algorithm>

#include <graze/mesh/classify.hpp>
#include <graze/mesh/make.hpp>

#include "rows/world/pairs.hpp"

namespace graze::bench {
namespace {

struct Scene {
  std::string name;
  Mesh mesh;
  bool apart;  ///< false: in contact in almost every frame
};

void compare_methods(Context& context, const Scene& scene) {
  // Either close, but bouncing back when they touch; or so crowded that they always touch.
  const CageFlight flight = fly_in_cage({.meshes = {scene.mesh, scene.mesh},
                                         .side = scene.apart ? 1.2 : 0.5,
                                         .bounce = scene.apart,
                                         .frames = 10 * context.poses,
                                         .seed = 3});
  const std::string task = fmt::format("two {} of {} triangles, {}; ratio: time over that of tree", scene.name,
                                       flight.triangles / 2, scene.apart ? "near, but apart" : "in touch");
  // The question for solids (closed bodies), because `convex` answers only that.
  std::vector<PairSetting> settings;
  for (const char* method : {"tree", "brute", "box_tree"})
    settings.push_back({method, {.method = method, .solid = true}});
  if (classify(scene.mesh).convex) settings.push_back({"convex", {.method = "convex", .solid = true}});
  settings.push_back({"separating_plane, kept", {.method = "separating_plane", .solid = true}, true});
  settings.push_back({"dual, plane kept", {.method = "dual", .solid = true}, true});
  const auto outcome = ask_cage(context, task, flight, settings);
  double best = outcome[1].frame.mean;
  for (std::size_t s = 0; s < settings.size(); ++s) {
    const PairOutcome& o = outcome[s];
    std::string note = fmt::format("{} of {} frames in contact", o.contacts, o.asked);
    if (o.false_contacts + o.missed > 0) note += fmt::format("; {} undecided", o.false_contacts + o.missed);
    context.table.add(
        pair_line("methods", task, settings[s], o, o.frame.mean / outcome[0].frame.mean, std::move(note)));
    if (s > 0) best = std::min(best, o.frame.mean);
  }
  const double ratio = outcome[0].frame.mean / best;
  context.table.add({"methods", task, "tree over the best", {}, ratio, 1.2, judge_ratio(ratio, 1.2), ""});
}

}  // namespace

void row_world_methods(Context& context) {
  for (const bool apart : {true, false}) {
    compare_methods(context, {"tetrahedra", thesis_body("tetrahedron", 4), apart});
    compare_methods(context, {"boxes", make::box(), apart});
    compare_methods(context, {"spheres", thesis_body("sphere", 24), apart});
    compare_methods(context, {"spheres", thesis_body("sphere", 250), apart});
    compare_methods(context, {"cones", thesis_body("cone", 60), apart});
    compare_methods(context, {"tori", thesis_body("torus", 48), apart});
  }
}

}  // namespace graze::bench
