// SPDX-License-Identifier: MIT
// What a filter leaves out costs nothing: many sheets above each other, all of them tested, or some.
#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include <graze/ask/deform.hpp>

#include "harness/clock.hpp"
#include "rows/deform/deform.hpp"
#include "scene/iccd_scenes.hpp"

namespace graze::bench {
namespace {

/// Copies of one step side by side, each a body.
DeformScene copies_of(const DeformScene& one, std::uint32_t count, std::vector<std::uint32_t>& bodies) {
  std::vector<Vec3> start;
  DeformScene all{fmt::format("{} of {}", count, one.name), one.mesh, {}};
  std::vector<Triangle> triangles;
  const Box3 box = one.mesh.box();
  const double height = 0.05 * (box.hi.z - box.lo.z);
  for (std::uint32_t k = 0; k < count; ++k) {
    const auto base = static_cast<std::uint32_t>(start.size());
    for (const Vec3& p : one.mesh.positions()) start.push_back({p.x, p.y, p.z + height * k});
    for (const Vec3& p : one.end) all.end.push_back({p.x, p.y, p.z + height * k});
    bodies.resize(start.size(), k);
    for (const Triangle& t : one.mesh.triangles()) triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
  }
  all.mesh = Mesh(std::move(start), std::span<const Triangle>(triangles));
  return all;
}

struct Variant {
  const char* name;
  DeformFilter filter;
  std::optional<double> wanted;  ///< of the time without a filter
  double seconds = std::numeric_limits<double>::max();
  std::uint64_t node_pairs = 0, tests = 0;
};

}  // namespace

void row_deform_filter(Context& context) {
  constexpr std::uint32_t count = 10;
  std::vector<std::uint32_t> bodies;
  const DeformScene scene = copies_of(tightening_roll(context.quick ? 1000 : 4000), count, bodies);
  std::vector<Variant> variants;
  const auto with = [&](const char* name, std::optional<double> wanted, bool self, std::uint32_t mask) {
    DeformFilter filter;
    filter.bodies = bodies;
    filter.settings.assign(count, {.self = self, .mask = mask});
    filter.settings[0].self = true;
    variants.push_back({name, std::move(filter), wanted});
  };
  with("everything", std::nullopt, true, ~0u);
  with("between bodies, and the first with itself", std::nullopt, false, ~0u);
  with("each with itself", std::nullopt, true, 0);
  with("only the first with itself", 0.35, false, 0);
  context.progress.begin(scene.name);
  std::vector<Deformable> meshes;
  for (const Variant& v : variants) meshes.emplace_back(scene.mesh).set_filter(v.filter);
  const int passes = context.quick ? 2 : 5;
  DeformOptions options;
  options.crossing_at_start = false;
  options.patches = false;
  for (int pass = 0; pass <= passes; ++pass)  // the first builds the tree
    for (std::size_t i = 0; i < variants.size(); ++i) {
      const double begin = thread_seconds();
      const DeformResult r = meshes[i].contacts(scene.end, options);
      if (pass > 0) variants[i].seconds = std::min(variants[i].seconds, thread_seconds() - begin);
      variants[i].node_pairs = r.counters.node_pairs;
      variants[i].tests = r.counters.elementary_tests;
    }
  context.progress.clear();
  for (const Variant& v : variants) {
    const double ratio = v.seconds / variants[0].seconds;
    context.table.add({"filter", scene.name, v.name, Timing{v.seconds, v.seconds, v.seconds}, ratio, v.wanted,
                       v.wanted ? judge_ratio(ratio, *v.wanted) : Verdict::none,
                       fmt::format("{} pairs of nodes, {} elementary queries", v.node_pairs, v.tests)});
  }
}

}  // namespace graze::bench
