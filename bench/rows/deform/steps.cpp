// SPDX-License-Identifier: MIT
// Whole steps: recorded ones compared with their target figures, with one thread and with two, and how the time grows
// with the number of triangles.
#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include <graze/ask/deform.hpp>
#include <graze/core/method_counters.hpp>

#include "harness/clock.hpp"
#include "rows/deform/deform.hpp"
#include "scene/iccd_scenes.hpp"

namespace graze::bench {
namespace {

constexpr double kNever = std::numeric_limits<double>::max();

/// One configuration: including the build or warm, every contact or the earliest, and the number of threads. Keeps the
/// fastest of several passes.
struct Variant {
  const char* name;
  bool warm, all;
  int threads;
  double seconds = kNever;
  DeformResult result = {};
  MethodCounters of_method = {};
  std::size_t bytes = 0;
};

bool same_contacts(const DeformResult& a, const DeformResult& b) {
  return std::equal(a.contacts.begin(), a.contacts.end(), b.contacts.begin(), b.contacts.end(),
                    [](const DeformContact& x, const DeformContact& y) {
                      return x.kind == y.kind && x.vertices == y.vertices && x.time.safe == y.time.safe &&
                             x.time.touch == y.time.touch && x.gap == y.gap;
                    });
}

/// One pass of one configuration. Before a warm step, the mesh steps back to its start.
void pass(const DeformScene& scene, Variant& variant, double (*clock)()) {
  DeformOptions options;
  options.crossing_at_start = false;
  options.all = variant.all;
  options.threads = variant.threads;
  DeformResult result;
  MethodCounters of_method;
  options.method_counters = &of_method;
  double begin = clock();
  Deformable d(scene.mesh);
  if (variant.warm) {
    const std::vector<Vec3> start(scene.mesh.positions().begin(), scene.mesh.positions().end());
    d.step(scene.end, options, result);
    d.step(start, options, result);
    begin = clock();
  }
  d.step(scene.end, options, result);
  const double seconds = clock() - begin;
  if (seconds >= variant.seconds) return;
  variant.seconds = seconds;
  variant.result = std::move(result);
  variant.of_method = of_method;
  variant.bytes = d.bytes();
}

/// Runs all configurations in turn, several times.
void measure(Context& context, const DeformScene& scene, std::vector<Variant>& variants, int passes,
             double (*clock)()) {
  context.progress.begin(scene.name);
  for (int i = 0; i < passes; ++i)
    for (Variant& w : variants) {
      pass(scene, w, clock);
      context.progress.show(static_cast<double>(i + 1) / passes);
    }
  context.progress.clear();
}

Timing time_of(const Variant& w) { return {w.seconds, w.seconds, w.seconds}; }

std::string stages(const DeformSeconds& s) {
  return fmt::format("build {:.0f}, refit {:.0f}, patches {:.0f}, walk {:.0f}, elementary {:.0f} ms", 1e3 * s.build,
                     1e3 * s.refit, 1e3 * s.patches, 1e3 * s.traversal, 1e3 * s.elementary);
}

/// How many pairs were tested at each level.
std::string tests(const AllCounters& c) {
  return fmt::format("{} pairs of nodes, {} of features by bounds, {} elementary queries", c.node_pairs,
                     c.representative_pairs, c.elementary_tests);
}

/// Finds all true contacts, at most 0.1 % more, and the earliest of them.
bool is_right(const DeformResult& all, const DeformResult& earliest, std::size_t truth) {
  const auto first =
      std::min_element(all.contacts.begin(), all.contacts.end(),
                       [](const DeformContact& x, const DeformContact& y) { return x.time.touch < y.time.touch; });
  return all.contacts.size() >= truth && all.contacts.size() <= truth + truth / 1000 && earliest.contacts.size() == 1 &&
         earliest.contacts[0].time.touch == first->time.touch;
}

}  // namespace

/// The recorded steps, with their target figures.
void row_deform_steps(Context& context) {
  struct Wanted {
    const char* name;
    double seconds[3];
    std::size_t contacts;  ///< number of true contacts in the lists stored with the frames; the tests verify the lists
                           ///< themselves
  };
  for (const Wanted& w :
       {Wanted{"cloth-ball", {0.35, 0.28, 0.15}, 113854}, Wanted{"armadillo-rollers", {0.1, 0.1, 0.1}, 23958}}) {
    const auto scene = recorded_step(w.name);
    if (!scene) continue;
    std::vector<Variant> variants{{"all contacts, with the build", false, true, 1},
                                  {"all contacts, warm", true, true, 1},
                                  {"earliest contact, warm", true, false, 1}};
    measure(context, *scene, variants, context.quick ? 2 : 5, thread_seconds);
    const bool right = is_right(variants[0].result, variants[2].result, w.contacts) &&
                       same_contacts(variants[0].result, variants[1].result);
    for (std::size_t i = 0; i < variants.size(); ++i) {
      const double ratio = variants[i].seconds / w.seconds[i];
      context.table.add(
          {"steps", w.name, variants[i].name, time_of(variants[i]), ratio, 1.0,
           right ? judge_ratio(ratio, 1) : Verdict::wrong,
           fmt::format("of {} ms; {} contacts; {}; {}", 1e3 * w.seconds[i], variants[i].result.contacts.size(),
                       tests({variants[i].result.counters, variants[i].of_method}),
                       stages(variants[i].result.seconds))});
    }
    const double bytes = static_cast<double>(variants[1].bytes) / static_cast<double>(scene->mesh.triangle_count());
    context.table.add({"steps", w.name, "memory kept for each triangle", std::nullopt, bytes / 250, 1.0,
                       judge_ratio(bytes / 250, 1), fmt::format("{:.0f} bytes of 250; the paper about 500", bytes)});
  }
}

/// The same steps, or a generated one if they are not available, with one thread and with two.
void row_deform_threads(Context& context) {
  constexpr double wanted = 0.55;
  std::vector<DeformScene> scenes;
  for (const char* name : {"cloth-ball", "armadillo-rollers"})
    if (auto scene = recorded_step(name)) scenes.push_back(std::move(*scene));
  if (scenes.empty()) scenes.push_back(folding_cloth(context.quick ? 20000 : 92000));
  for (const DeformScene& scene : scenes) {
    std::vector<Variant> variants;
    for (const int threads : {1, 2}) {
      variants.push_back({"all contacts, with the build", false, true, threads});
      variants.push_back({"all contacts, warm", true, true, threads});
      variants.push_back({"earliest contact, warm", true, false, threads});
    }
    measure(context, scene, variants, context.quick ? 3 : 9, wall_seconds);
    for (std::size_t i = 0; i < 3; ++i) {
      const Variant &one = variants[i], &two = variants[3 + i];
      const double ratio = two.seconds / one.seconds;
      context.table.add({"threads", scene.name, fmt::format("{}, two threads", one.name), time_of(two), ratio, wanted,
                         same_contacts(one.result, two.result) ? judge_ratio(ratio, wanted) : Verdict::wrong,
                         fmt::format("of {:.0f} ms with one; {}", 1e3 * one.seconds, stages(two.result.seconds))});
    }
  }
}

void row_deform_growth(Context& context) {
  struct Size {
    double triangles, wanted;
  };
  double first[2] = {0, 0};
  for (const Size& s : {Size{1e4, 0}, Size{1e5, 0.1}, Size{5e5, 0.45}, Size{1e6, 0.9}}) {
    if (context.quick && s.triangles > 1e5) break;
    const DeformScene scene = tightening_roll(static_cast<std::size_t>(s.triangles));
    const auto triangles = static_cast<double>(scene.mesh.triangle_count());
    std::vector<Variant> variants{{"all contacts, with the build", false, true, 1},
                                  {"all contacts, warm", true, true, 1}};
    measure(context, scene, variants, s.triangles > 1e5 ? 2 : 4, thread_seconds);
    for (std::size_t i = 0; i < variants.size(); ++i) {
      const double each = variants[i].seconds / triangles;
      if (first[i] == 0) first[i] = each;
      const std::string task = fmt::format("{}, {} triangles", scene.name, scene.mesh.triangle_count());
      context.table.add(
          {"growth", task, variants[i].name, time_of(variants[i]), each / first[i], std::nullopt, Verdict::none,
           fmt::format("{:.0f} ns a triangle, {} contacts; ratio: to the smallest, for each triangle; {}", 1e9 * each,
                       variants[i].result.contacts.size(), stages(variants[i].result.seconds))});
      if (s.wanted == 0) continue;
      const double ratio = variants[i].seconds / s.wanted;
      context.table.add({"growth", task, "over the time wanted", std::nullopt, ratio, 1.0, judge_ratio(ratio, 1),
                         fmt::format("{}: of {} ms", variants[i].name, 1e3 * s.wanted)});
    }
  }
}

}  // namespace graze::bench
