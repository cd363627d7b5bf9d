// SPDX-License-Identifier: MIT
// ICCD's tables on scenes of the same kinds and sizes, compared with the figures of the paper.
#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <set>

#include <graze/ask/deform.hpp>
#include <graze/ask/deform_brute.hpp>
#include <graze/core/method_counters.hpp>

#include "harness/clock.hpp"
#include "rows/deform/deform.hpp"
#include "scene/iccd_scenes.hpp"

namespace graze::bench {
namespace {

struct Scene {
  DeformScene scene;
  double orphan_share;  ///< Table I: orphans over the elementary tests of adjacent pairs
  double speedup;       ///< Table II: over the base implementation
  double tests_ratio;   ///< Table III: elementary tests of the base over all cullings
};

struct Run {
  DeformResult result;
  MethodCounters of_method;
  double seconds = 0;  ///< thread time of a warm step
  std::size_t orphans = 0;
};

DeformOptions all_cullings() {
  DeformOptions o;
  o.crossing_at_start = false;
  return o;
}
/// The paper's base: a refitted tree of swept 18-DOPs, every pair of features of every overlapping pair of triangles.
DeformOptions base() {
  DeformOptions o = all_cullings();
  o.both_ends = o.patches = o.representatives = o.orphans = o.feature_bounds = false;
  return o;
}

/// The step forward and back, warm; the fastest of a few passes.
Run run(Context& context, const DeformScene& scene, DeformOptions options, int passes = 2) {
  context.progress.begin(scene.name);
  Run best;
  best.seconds = std::numeric_limits<double>::max();
  Deformable d(scene.mesh);
  const std::vector<Vec3> start(scene.mesh.positions().begin(), scene.mesh.positions().end());
  DeformResult r;
  MethodCounters of_method;
  options.method_counters = &of_method;
  d.step(start, options, r);
  for (int i = 0; i < passes; ++i) {
    const double begin = thread_seconds();
    d.step(scene.end, options, r);
    const double seconds = thread_seconds() - begin;
    if (seconds < best.seconds) best = {r, of_method, seconds, d.orphan_count()};
    if (i + 1 < passes) d.step(start, options, r);
  }
  context.progress.clear();
  return best;
}

Timing time_of(const Run& r) { return {r.seconds, r.seconds, r.seconds}; }

struct Adjacent {
  std::size_t pairs = 0, tests = 0;
};
/// Pairs of triangles that share a vertex; 9 tests where they share one, 4 where they share an edge (Table I).
Adjacent adjacent_pairs(const Mesh& mesh) {
  std::vector<std::vector<std::uint32_t>> around(mesh.vertex_count());
  const auto triangles = mesh.triangles();
  for (std::uint32_t t = 0; t < triangles.size(); ++t)
    for (const std::uint32_t v : triangles[t]) around[v].push_back(t);
  Adjacent a;
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    std::vector<std::uint32_t> others;
    for (const std::uint32_t v : triangles[t])
      for (const std::uint32_t o : around[v])
        if (o > t) others.push_back(o);
    std::sort(others.begin(), others.end());
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (i > 0 && others[i] == others[i - 1]) continue;
      const bool edge = i + 1 < others.size() && others[i + 1] == others[i];
      ++a.pairs;
      a.tests += edge ? 4 : 9;
    }
  }
  return a;
}

double over(double a, double b) { return b > 0 ? a / b : 0; }
double as_double(std::uint64_t n) { return static_cast<double>(n); }

void table_one(Context& context, const Scene& s, const Run& ours, const std::string& task) {
  const Adjacent adjacent = adjacent_pairs(s.scene.mesh);
  const double share = over(as_double(ours.orphans), as_double(adjacent.tests));
  const double ratio = over(share, s.orphan_share);
  context.table.add({"iccd", task, "orphan set (Table I)", std::nullopt, ratio, 1.0, judge_ratio(ratio, 1),
                     fmt::format("{} orphans of {} tests of {} adjacent pairs: {:.3f} %, the paper {:.3f} %",
                                 ours.orphans, adjacent.tests, adjacent.pairs, 100 * share, 100 * s.orphan_share)});
}

/// Elementary tests that remain after adding each culling technique in turn (Fig. 15).
void stages(Context& context, const DeformScene& scene, const Run& first, const Run& last, const std::string& task) {
  const double whole = as_double(first.of_method.feature_pairs);
  DeformOptions o = base();
  const auto add = [&](const char* name, double tests) {
    context.table.add({"iccd", task, fmt::format("left after {} (Fig. 15)", name), std::nullopt, over(tests, whole),
                       std::nullopt, Verdict::none, fmt::format("{:.0f} elementary tests", tests)});
  };
  o.patches = true;
  add("patches", as_double(run(context, scene, o, 1).of_method.feature_pairs));
  o.representatives = o.orphans = true;
  add("representatives and orphans", as_double(run(context, scene, o, 1).of_method.representative_pairs));
  add("bounds of features at both ends", as_double(last.result.counters.elementary_tests));
}

/// Checks that exact answers are the same for any culling.
bool same_exactly(Context& context, const DeformScene& scene, const DeformResult& brute_force) {
  DeformOptions ours = all_cullings(), plain = base();
  ours.exact = plain.exact = true;
  const DeformResult found = run(context, scene, ours, 1).result;
  const auto same = [&](const DeformResult& r) {
    return std::equal(found.contacts.begin(), found.contacts.end(), r.contacts.begin(), r.contacts.end(),
                      [](const DeformContact& x, const DeformContact& y) {
                        return x.kind == y.kind && x.vertices == y.vertices && x.time.touch == y.time.touch;
                      });
  };
  return same(run(context, scene, plain, 1).result) && (brute_force.contacts.empty() || same(brute_force));
}

/// Tests every feature pair individually, in scenes that are small enough.
Run brute_force(const DeformScene& scene) {
  Run r;
  if (scene.mesh.triangle_count() > 6000) return r;
  DeformOptions options = all_cullings();
  options.exact = true;
  const double begin = thread_seconds();
  r.result = deform_brute(scene.mesh, scene.mesh.positions(), scene.end, options);
  r.seconds = thread_seconds() - begin;
  return r;
}

void measure(Context& context, const Scene& s) {
  const std::string task = fmt::format("{}, {} triangles", s.scene.name, s.scene.mesh.triangle_count());
  const Run ours = run(context, s.scene, all_cullings()), plain = run(context, s.scene, base());
  const Run brute = brute_force(s.scene);
  const bool same = same_exactly(context, s.scene, brute.result);
  const double speed = over(plain.seconds, ours.seconds),
               fewer = over(as_double(plain.of_method.feature_pairs), as_double(ours.result.counters.elementary_tests));
  const auto at_least = [&](double value, double wanted) {
    return !same ? Verdict::wrong : value >= wanted ? Verdict::pass : Verdict::miss;
  };
  context.table.add(
      {"iccd", task, "all cullings", time_of(ours), std::nullopt, std::nullopt, Verdict::none,
       fmt::format("{} contacts, refit {:.0f} % of the step (the paper: tree update 5 to 10 %)",
                   ours.result.contacts.size(), 100 * over(ours.result.seconds.refit, ours.result.seconds.total))});
  if (brute.seconds > 0)
    context.table.add({"iccd", task, "brute force / ours, time", time_of(brute), over(brute.seconds, ours.seconds),
                       std::nullopt, same ? Verdict::none : Verdict::wrong,
                       fmt::format("{} elementary tests", brute.result.counters.elementary_tests)});
  context.table.add({"iccd", task, "base / ours, time (Table II)", time_of(plain), speed, s.speedup,
                     at_least(speed, s.speedup), fmt::format("the paper {} times", s.speedup)});
  context.table.add({"iccd", task, "base / ours, tests (Table III)", std::nullopt, fewer, s.tests_ratio,
                     at_least(fewer, s.tests_ratio), fmt::format("the paper {:.0f} times", s.tests_ratio)});
  table_one(context, s, ours, task);
  stages(context, s.scene, plain, ours, task);
  DeformOptions boxes = all_cullings(), slow_contours = all_cullings();
  boxes.directions = 3;
  slow_contours.contour_accelerations = false;
  const Run with_boxes = run(context, s.scene, boxes);
  context.table.add({"iccd", task, "boxes / 18-DOPs, time", time_of(with_boxes), over(with_boxes.seconds, ours.seconds),
                     std::nullopt, Verdict::none, "the paper 1.05 to 1.18"});
  const Run slow = run(context, s.scene, slow_contours);
  const double saved =
      1 - over(as_double(ours.of_method.contour_edge_tests), as_double(slow.of_method.contour_edge_tests));
  context.table.add({"iccd", task, "planar tests saved by accelerations", std::nullopt, saved, std::nullopt,
                     Verdict::none,
                     fmt::format("{} instead of {}, the stage {:.1f} ms instead of {:.1f}; the paper 0.93 of its time",
                                 ours.of_method.contour_edge_tests, slow.of_method.contour_edge_tests,
                                 1e3 * ours.result.seconds.patches, 1e3 * slow.result.seconds.patches)});
}

}  // namespace

void row_deform_iccd(Context& context) {
  // The paper's own folding cloth, if available: 4.8 K orphans.
  if (auto cloth = recorded_step("cloth-ball")) {
    const Run ours = run(context, *cloth, all_cullings(), 1);
    table_one(context, {std::move(*cloth), 0.0011, 0, 0}, ours, "the paper's cloth and ball");
  }
  const double part = context.quick ? 0.1 : 1;
  const auto size = [&](double triangles) { return static_cast<std::size_t>(part * triangles); };
  measure(context, {cloth_over_ball(size(92000)), 0.0011, 9, 7522.0 / 216});
  measure(context, {skirt(size(40000)), 0.0010, 8.8, 932.0 / 14});
  measure(context, {flamenco(size(49000)), 0.0047, 9.4, 1125.0 / 16});
  measure(context, {many_balls(size(34000)), 0.00013, 14.6, 3359.0 / 188});
  measure(context, {letters_in_bowl(size(5000)), 0.0005, 12.6, 340.0 / 8});
  measure(context, {shattered_body(size(253000), 3), 0.0047, 21.4, 16199.0 / 981});
}

}  // namespace graze::bench
