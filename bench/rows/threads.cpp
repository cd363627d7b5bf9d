// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <stdexcept>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>
#include <graze/body/body.hpp>
#include <graze/mesh/make.hpp>

#include "rows/rows.hpp"
#include "scene/meshes.hpp"

namespace graze::bench {
namespace {

constexpr double kAllowed = 0.9;  // two threads over one: faster by more than noise

/// The same query with one thread and with two: the answers must be equal, the second should be faster.
void one_or_two(Context& context, const std::string& task, std::size_t queries,
                const std::function<double(std::size_t, int)>& ask) {
  std::vector<Contestant> contestants;
  for (const int threads : {1, 2}) {
    contestants.push_back({fmt::format("graze, {} thread{}", threads, threads > 1 ? "s" : ""),
                           [=](std::size_t i) { return ask(i, threads); }});
  }
  bool same = true;
  for (std::size_t i = 0; i < queries; ++i) same = same && contestants[0].ask(i) == contestants[1].ask(i);
  context.progress.begin(task);
  const auto timings = time_interleaved(contestants, {.queries = queries, .wall_clock = true}, context.progress);
  context.progress.clear();
  context.table.add({"threads", task, contestants[0].name, timings[0], {}, {}, Verdict::none, ""});
  const double ratio = timings[1].mean / timings[0].mean;
  context.table.add({"threads", task, contestants[1].name, timings[1], ratio, kAllowed,
                     same ? judge_ratio(ratio, kAllowed) : Verdict::wrong,
                     same ? "two threads' time over one's" : "other answers than with one thread"});
}

/// An expensive "no", and an expensive distance: one sphere inside another that is 0.1 % larger, so that the gap is the
/// same everywhere.
void nested_spheres(Context& context, std::size_t count) {
  const std::size_t triangles = context.quick ? 5000 : 70000;
  const Body inner(make::sphere({.radius = 1, .triangles = triangles})),
      outer(make::sphere({.radius = 1.001, .triangles = triangles}));
  const auto poses = random_poses(count, 0.0, 1e-4, 9);
  const std::string scene =
      fmt::format("a sphere of {} triangles in one 0.1 % larger, {} poses", inner.mesh().triangle_count(), count);
  one_or_two(context, "yes or no: " + scene, count, [&](std::size_t i, int threads) {
    CollideOptions options;
    options.threads = threads;
    return collide(inner, poses[i].a, outer, poses[i].b, options).status == Status::contact ? 1.0 : 0.0;
  });
  one_or_two(context, "distance: " + scene, count, [&](std::size_t i, int threads) {
    DistanceOptions options;
    options.threads = threads;
    return distance(inner, poses[i].a, outer, poses[i].b, options).distance;
  });
}

}  // namespace

void row_threads(Context& context) {
  const NamedMesh body = bunny(context.data);
  const Body graze_body(body.mesh);
  const std::size_t count = std::max<std::size_t>(1, context.poses / 20);
  nested_spheres(context, std::max<std::size_t>(1, count / 5));
  const auto deep = random_poses(count, 0.0, 0.2, 7);
  one_or_two(context, fmt::format("all pairs of {}, {} poses deep in each other", body.name, count), count,
             [&](std::size_t i, int threads) {
               CollideOptions options;
               options.all = true;
               options.threads = threads;
               return static_cast<double>(collide(graze_body, deep[i].a, graze_body, deep[i].b, options).pairs.size());
             });
  const NamedMesh big = context.quick ? body : huge();
  one_or_two(context, fmt::format("tree of {}", big.name), 1, [&](std::size_t, int threads) {
    return static_cast<double>(Body(big.mesh, {.threads = threads}).tree_bytes());
  });
}

}  // namespace graze::bench
