// SPDX-License-Identifier: MIT
// The step size of a line search, compared with the earliest contact of the same step: both warm, from the same start.
#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include <graze/ask/deform.hpp>

#include "harness/clock.hpp"
#include "rows/deform/deform.hpp"
#include "scene/iccd_scenes.hpp"

namespace graze::bench {
namespace {

struct Times {
  double earliest = std::numeric_limits<double>::max();  ///< after a step back to the start
  double first = earliest, again = earliest;             ///< the first question from a start, and the next ones
  double with_check = earliest;                          ///< the first question, with the exact test of the start
  double limited = earliest;                             ///< with a limit that is not reached
  double safe = 0, earliest_touch = 0, touch = 0;
};

void pass(const DeformScene& scene, Deformable& mesh, Times& t) {
  const std::vector<Vec3> start(scene.mesh.positions().begin(), scene.mesh.positions().end());
  DeformOptions earliest;
  earliest.all = earliest.crossing_at_start = false;
  StepSizeOptions options;
  options.ignore_start_crossings = true;
  DeformResult result;
  const auto timed = [&](double& least, const auto& ask) {
    const double begin = thread_seconds();
    ask();
    least = std::min(least, thread_seconds() - begin);
  };
  const auto ask_step = [&] { return mesh.step_size(scene.end, options); };
  mesh.step(start, earliest, result);
  timed(t.earliest, [&] { mesh.contacts(scene.end, earliest, result); });
  t.earliest_touch = result.time.touch;
  mesh.set_positions(start);
  timed(t.first, ask_step);
  timed(t.again, [&] {
    const StepSize s = ask_step();
    t.safe = s.time.safe;
    t.touch = s.time.touch;
  });
  options.work = std::numeric_limits<std::uint64_t>::max();
  timed(t.limited, ask_step);
  options.work = 0;
  options.ignore_start_crossings = false;
  mesh.set_positions(start);
  timed(t.with_check, ask_step);
}

}  // namespace

void row_deform_step_size(Context& context) {
  std::vector<DeformScene> scenes;
  for (const char* name : {"cloth-ball", "armadillo-rollers"})
    if (auto scene = recorded_step(name)) scenes.push_back(std::move(*scene));
  if (scenes.empty()) scenes.push_back(folding_cloth(context.quick ? 20000 : 92000));
  for (const DeformScene& scene : scenes) {
    context.progress.begin(scene.name);
    Deformable mesh(scene.mesh);
    Times t;
    const int passes = context.quick ? 2 : 5;
    for (int i = 0; i < passes; ++i) {
      pass(scene, mesh, t);
      context.progress.show(static_cast<double>(i + 1) / passes);
    }
    context.progress.clear();
    const bool right = t.touch == t.earliest_touch && t.safe <= t.touch;
    const auto add = [&](const char* name, double seconds, std::optional<double> wanted) {
      const double ratio = seconds / t.earliest;
      context.table.add(
          {"step_size", scene.name, name, Timing{seconds, seconds, seconds}, ratio, wanted,
           !right   ? Verdict::wrong
           : wanted ? judge_ratio(ratio, *wanted)
                    : Verdict::none,
           fmt::format("of {:.1f} ms for the earliest contact; until t = {:.3g}", 1e3 * t.earliest, t.safe)});
    };
    add("first question from a start", t.first, 1.0);
    add("next questions from there", t.again, 1.0);
    add("first question, with the exact test of the start", t.with_check, std::nullopt);
    add("next questions, with a limit on work", t.limited, std::nullopt);
  }
}

}  // namespace graze::bench
