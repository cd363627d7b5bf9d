// SPDX-License-Identifier: MIT
// Zachmann 5.5.2: does a grid pay off if exact tests follow?
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include <graze/broad/broad_phase.hpp>
#include <graze/mesh/make.hpp>

#include "rows/world/pairs.hpp"

namespace graze::bench {
namespace {

/// A box around the placed body: the corners of its local box, plus a margin for rounding.
Box3 placed_box(const Body& body, const Pose& pose) {
  const Box3& local = body.mesh().box();
  Box3 box;
  for (int k = 0; k < 8; ++k)
    box.add(pose.apply({(k & 1) != 0 ? local.hi.x : local.lo.x, (k & 2) != 0 ? local.hi.y : local.lo.y,
                        (k & 4) != 0 ? local.hi.z : local.lo.z}));
  const Vec3 little{1e-9, 1e-9, 1e-9};
  return {box.lo - little, box.hi + little};
}

/// Finds near pairs with a broad phase, or takes all pairs, then runs exact tests.
class Stages {
 public:
  Stages(const CageFlight& flight, const std::optional<BroadOptions>& broad, std::string_view method)
      : flight_(flight), options_{.method = method} {
    if (!broad) return;
    broad_.emplace(*broad);
    for (std::uint32_t i = 0; i < flight.bodies.size(); ++i)
      broad_->insert(i, placed_box(flight.bodies[i], flight.frames[0][i]));
    last_ = flight.frames[0];
  }

  /// Returns the number of touching pairs; `found` lists them.
  double frame(std::size_t f) {
    const std::vector<Pose>& poses = flight_.frames[f];
    found.clear();
    if (!broad_) {
      asked = flight_.pairs.size();
      for (const auto& [a, b] : flight_.pairs) ask(poses, a, b);
      return static_cast<double>(found.size());
    }
    for (std::uint32_t i = 0; i < poses.size(); ++i) {
      if (poses[i] == last_[i]) continue;
      broad_->update(i, placed_box(flight_.bodies[i], poses[i]));
      last_[i] = poses[i];
    }
    broad_->moved_pairs(near_);
    // Pairs of walls are not tested, and a body at rest is tested only if it is near a moving one.
    std::erase_if(near_, [&](const BoxPair& p) { return p.a >= flight_.flying; });
    asked = near_.size();
    for (const BoxPair& p : near_) ask(poses, p.a, p.b);
    return static_cast<double>(found.size());
  }

  std::vector<std::array<std::uint32_t, 2>> found;
  std::size_t asked = 0;

 private:
  void ask(const std::vector<Pose>& poses, std::uint32_t a, std::uint32_t b) {
    collide(flight_.bodies[a], poses[a], flight_.bodies[b], poses[b], options_, result_);
    if (result_.status == Status::contact) found.push_back({a, b});
  }

  const CageFlight& flight_;
  CollideOptions options_;
  std::optional<BroadPhase> broad_;
  std::vector<Pose> last_;
  std::vector<BoxPair> near_;
  CollideResult result_;
};

struct Variant {
  std::string name;
  std::optional<BroadOptions> broad;
  std::string_view method;
  std::string stated;
};

/// The lines of all configurations; the ratio is the time divided by that of the first.
void compare_variants(Context& context, const char* row, const std::string& task, const CageFlight& flight,
                      const std::vector<Variant>& variants) {
  std::vector<std::shared_ptr<Stages>> stages;
  std::vector<Contestant> contestants;
  for (const Variant& variant : variants) {
    auto one = std::make_shared<Stages>(flight, variant.broad, variant.method);
    stages.push_back(one);
    contestants.push_back({variant.name, [one](std::size_t f) { return one->frame(f); }});
  }
  context.progress.begin(task + ": comparing answers");
  Stages truth(flight, std::nullopt, "brute");
  std::vector<bool> wrong(variants.size(), false);
  std::vector<double> asked(variants.size(), 0);
  for (std::size_t f = 0; f < flight.frames.size(); ++f) {
    truth.frame(f);
    for (std::size_t w = 0; w < variants.size(); ++w) {
      stages[w]->frame(f);
      wrong[w] = wrong[w] || stages[w]->found != truth.found;
      asked[w] += static_cast<double>(stages[w]->asked);
    }
  }
  context.progress.begin(task + ": timing");
  const auto timings = time_interleaved(contestants, {.queries = flight.frames.size(), .passes = 2}, context.progress);
  context.progress.clear();
  for (std::size_t w = 0; w < variants.size(); ++w) {
    const double pairs = asked[w] / static_cast<double>(flight.frames.size());
    context.table.add({row,
                       task,
                       variants[w].name,
                       timings[w],
                       timings[w].mean / timings[0].mean,
                       {},
                       wrong[w] ? Verdict::wrong : Verdict::none,
                       fmt::format("{}; {:.4g} pairs a frame", variants[w].stated, pairs)});
  }
}

}  // namespace

void row_world_exact(Context& context) {
  CagePlan plan{.side = 4, .walls = true, .frames = context.quick ? 4 : context.poses, .seed = 13};
  const char* kinds[] = {"sphere", "torus", "cube-array", "tetra-flake"};
  for (std::size_t i = 0; i < 30; ++i) plan.meshes.push_back(thesis_body(kinds[i % 4], 50 + 7 * i));
  const CageFlight flight = fly_in_cage(plan);
  const double side = plan.side + 2;
  const BroadOptions grid{
      .method = "grid", .bounds = Box3{{-1, -1, -1}, {side - 1, side - 1, side - 1}}, .cell = side / 8};
  const std::string task =
      fmt::format("30 bodies in a cage with six walls, {} triangles; ratio: time over the first's", flight.triangles);
  compare_variants(context, "exact", task, flight,
                   {{"no grid, no box-trees", {}, "brute", "stated: 1, 615 pairs"},
                    {"no grid, with box-trees", {}, "box_tree", "stated: 0.9, 615 pairs"},
                    {"with grid, with box-trees", grid, "box_tree", "stated: 0.84, 155 pairs"},
                    {"with grid, no box-trees", grid, "brute", "not stated in the text"},
                    {"automatic, tree", BroadOptions{}, "tree", "not stated in the text"}});
}

void row_world_exact_one(Context& context) {
  const double side = 10;
  CagePlan plan{.side = side, .only_first = true, .frames = 5 * context.poses, .seed = 19};
  plan.meshes.push_back(make::sphere({.radius = 0.25, .triangles = 20}));
  const Mesh flake = make::tetra_flake({.size = 0.4, .levels = 1, .divisions = 2});
  plan.meshes.insert(plan.meshes.end(), 500, flake);
  const CageFlight flight = fly_in_cage(plan);
  const std::string task = fmt::format(
      "one mover of {} triangles among 500 tetra-flakes of {}, exact tests included; ratio: time over the first's",
      flight.bodies[0].mesh().triangle_count(), flake.triangle_count());
  const BroadOptions grid{.method = "grid", .bounds = Box3{{0, 0, 0}, {side, side, side}}, .cell = side / 8};
  compare_variants(context, "one", task, flight,
                   {{"without grid", BroadOptions{.method = "all_pairs"}, "box_tree", "stated: 1"},
                    {"with grid, 8 cells along an edge", grid, "box_tree", "stated: 0.2"},
                    {"without a box test, too", {}, "box_tree", "not stated in the text"},
                    {"automatic, tree", BroadOptions{}, "tree", "not stated in the text"}});
}

}  // namespace graze::bench
