// SPDX-License-Identifier: MIT
// ICCD's breaking bodies, timed while they break: each frame cuts them further, and then they move on.
#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include <graze/ask/deform.hpp>

#include "harness/clock.hpp"
#include "rows/deform/deform.hpp"
#include "scene/breaking_scenes.hpp"

namespace graze::bench {
namespace {

DeformOptions all_cullings() {
  DeformOptions o;
  o.crossing_at_start = false;
  return o;
}
/// The paper's base, which builds its hierarchy anew where the connectivity changes.
DeformOptions base() {
  DeformOptions o = all_cullings();
  o.both_ends = o.patches = o.representatives = o.orphans = o.feature_bounds = false;
  return o;
}

/// Means over the frames, in seconds.
struct Sums {
  double replace = 0, step = 0, build = 0, base = 0;
  std::size_t contacts = 0, touched = 0, triangles = 0;
  bool same = true;
};

bool same_contacts(const DeformResult& a, const DeformResult& b) {
  return std::equal(a.contacts.begin(), a.contacts.end(), b.contacts.begin(), b.contacts.end(),
                    [](const DeformContact& x, const DeformContact& y) {
                      return x.kind == y.kind && x.vertices == y.vertices && x.time.touch == y.time.touch;
                    });
}

/// `frames` breaks, each followed by a step. With `check`, exact answers are compared with those of a fresh start, and
/// nothing is timed.
Sums run(Context& context, BreakingScene scene, std::size_t frames, int threads, bool with_base, bool check) {
  Sums sums;
  Deformable kept(scene.mesh());
  DeformOptions options = all_cullings();
  options.threads = threads;
  options.exact = check;
  DeformResult r, of_fresh;
  const auto now = threads == 1 ? thread_seconds : wall_seconds;
  const auto timed = [&](double& sum, const auto& work) {
    const double begin = now();
    work();
    sum += now() - begin;
  };
  kept.step(scene.next(), options, r);
  scene.advance();
  for (std::size_t f = 0; f < frames; ++f) {
    context.progress.show(static_cast<double>(f) / static_cast<double>(frames));
    sums.touched += scene.break_further();
    const Mesh mesh = scene.mesh();
    sums.triangles += mesh.triangle_count();
    timed(sums.replace, [&] { kept.replace(mesh); });
    const std::vector<Vec3> next = scene.next();
    timed(sums.step, [&] { kept.step(next, options, r); });
    sums.contacts += r.contacts.size();
    Deformable fresh(mesh);
    if (check) {
      fresh.step(next, options, of_fresh);
      sums.same = sums.same && same_contacts(r, of_fresh);
    } else {  // the first question of a mesh at rest builds it, the second one does not
      double first = 0, second = 0;
      timed(first, [&] { fresh.step(mesh.positions(), options, of_fresh); });
      timed(second, [&] { fresh.step(mesh.positions(), options, of_fresh); });
      sums.build += first - second;
    }
    if (with_base && !check) {
      DeformOptions plain = base();
      plain.threads = threads;
      Deformable anew(mesh);
      timed(sums.base, [&] { anew.step(next, plain, of_fresh); });
    }
    scene.advance();
  }
  return sums;
}

void measure(Context& context, const BreakingScene& scene, const std::string& name, std::size_t frames,
             double paper_speedup, double paper_ms, std::optional<double> of_build) {
  context.progress.begin(name);
  const bool same = run(context, scene, std::min<std::size_t>(frames, 3), 1, false, true).same;
  const Sums one = run(context, scene, frames, 1, true, false), two = run(context, scene, frames, 2, false, false);
  context.progress.clear();
  const auto n = static_cast<double>(frames);
  const std::string task = fmt::format("{}, {} triangles", name, one.triangles / frames);
  const double touched = static_cast<double>(one.touched) / static_cast<double>(one.triangles);
  const auto add = [&](const char* what, double seconds, double ratio, std::optional<double> wanted, bool at_least,
                       std::string note) {
    Verdict verdict = Verdict::none;
    if (wanted) verdict = at_least ? (ratio >= *wanted ? Verdict::pass : Verdict::miss) : judge_ratio(ratio, *wanted);
    if (!same) verdict = Verdict::wrong;
    context.table.add(
        {"breaking", task, what, Timing{seconds, seconds, seconds}, ratio, wanted, verdict, std::move(note)});
  };
  const double frame = (one.replace + one.step) / n;
  add("a frame: the break and the step; base / ours", frame, one.base / n / frame, paper_speedup, true,
      fmt::format("{} contacts; the paper {} times, {} ms", one.contacts / frames, paper_speedup, paper_ms));
  add("the break, of a full build", one.replace / n, one.replace / one.build, of_build, false,
      fmt::format("{:.1f} % of the triangles touched", 100 * touched));
  add("the break, two threads of one", two.replace / n, two.replace / one.replace, std::nullopt, false, "");
  add("the step, two threads of one", two.step / n, two.step / one.step, std::nullopt, false, "");
}

}  // namespace

void row_deform_breaking(Context& context) {
  const bool quick = context.quick;
  measure(context, breaking_letters(5000), "letters that break in a bowl", quick ? 4 : 12, 12.6, 9.4, std::nullopt);
  measure(context, breaking_statue(quick ? 25000 : 253000), "a body that breaks under another", quick ? 3 : 8, 21.4,
          878, 0.35);
}

}  // namespace graze::bench
