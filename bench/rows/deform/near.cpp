// SPDX-License-Identifier: MIT
// Every pair of features within a distance at an instant: warm, with one thread and with two; answers compared with the
// oracle on a small scene.
#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <vector>

#include <graze/ask/proximity.hpp>

#include "harness/clock.hpp"
#include "rows/deform/deform.hpp"
#include "scene/iccd_scenes.hpp"

namespace graze::bench {
namespace {

/// The longest side of the box.
double size_of(const Mesh& mesh) {
  Box3 box;
  for (const Vec3& p : mesh.positions()) box.add(p);
  return std::max({box.hi.x - box.lo.x, box.hi.y - box.lo.y, box.hi.z - box.lo.z});
}

bool same(const ProximityResult& a, const ProximityResult& b) {
  return std::equal(a.pairs.begin(), a.pairs.end(), b.pairs.begin(), b.pairs.end(),
                    [](const ProximityPair& x, const ProximityPair& y) {
                      return x.kind == y.kind && x.vertices == y.vertices && x.vertex_face == y.vertex_face &&
                             x.edge_edge == y.edge_edge;
                    });
}

double best_of(int passes, double (*clock)(), Deformable& mesh, double d, const ProximityOptions& options,
               ProximityResult& result) {
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i < passes; ++i) {
    const double begin = clock();
    mesh.near(mesh.positions(), d, options, result);
    least = std::min(least, clock() - begin);
  }
  return least;
}

}  // namespace

void row_deform_near(Context& context) {
  const Mesh small = folding_cloth(200).mesh;
  const bool right =
      same(Deformable(small).near(0.01 * size_of(small)), near_brute(small, small.positions(), 0.01 * size_of(small)));
  std::vector<DeformScene> scenes;
  if (auto scene = recorded_step("cloth-ball")) scenes.push_back(std::move(*scene));
  scenes.push_back(folding_cloth(context.quick ? 20000 : 92000));
  for (const DeformScene& scene : scenes) {
    const double d = 1e-3 * size_of(scene.mesh);
    const int passes = context.quick ? 3 : 9;
    Deformable mesh(scene.mesh);
    ProximityOptions options;
    ProximityResult one, two;
    best_of(2, wall_seconds, mesh, d, options, one);
    const double seconds = best_of(passes, thread_seconds, mesh, d, options, one);
    const double alone = best_of(passes, wall_seconds, mesh, d, options, one);
    options.threads = 2;
    const double together = best_of(passes, wall_seconds, mesh, d, options, two);
    const bool agrees = right && same(one, two);
    std::optional<double> ratio, target;  // a time is wanted of the recorded scene only
    if (scene.name == "cloth-ball") ratio = seconds / 0.060, target = 1.0;
    const Verdict judged = ratio ? judge_ratio(*ratio, *target) : Verdict::none;
    context.table.add(
        {"near", scene.name, "within 1e-3 of the size, warm", Timing{seconds, seconds, seconds}, ratio, target,
         agrees ? judged : Verdict::wrong,
         fmt::format("cloth-ball: of 60 ms; {} pairs; {} pairs of features tested, {} of leaves, {} of nodes",
                     one.pairs.size(), one.counters.elementary_tests, one.counters.leaf_pairs,
                     one.counters.node_pairs)});
    context.table.add({"near", scene.name, "two threads, of one", Timing{together, together, together},
                       together / alone, 0.55, agrees ? judge_ratio(together / alone, 0.55) : Verdict::wrong,
                       fmt::format("{:.1f} ms with one", 1e3 * alone)});
  }
}

}  // namespace graze::bench
