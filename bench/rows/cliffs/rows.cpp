// SPDX-License-Identifier: MIT
#include "rows/cliffs/cliffs.hpp"

#include <algorithm>

#include "harness/clock.hpp"

namespace graze::bench {
namespace {

constexpr Row kCliffRows[] = {
    {"resting", "first contact: a crate that rests on, slides along or falls onto a large floor", row_cliff_resting},
    {"near", "distance: a crate close to a large floor", row_cliff_near},
    {"needles", "first contact: a long thin body that turns beside a box", row_cliff_needles},
    {"interval", "first contact, method interval: near misses", row_cliff_interval},
    {"chains", "first contact: joints that slide a sheet or turn a ball in its socket", row_cliff_chains},
    {"robots", "an arm among many obstacles, and in a scanned room of many points", row_cliff_robots},
    {"fans", "self tests and steps of many triangles around one vertex or one edge", row_cliff_fans},
    {"deforming", "steps with a far body, strips, separations that are only just kept", row_cliff_deforming},
    {"clash", "clash checks: one large floor, parts in one place, many contacts of a pair", row_cliff_clash},
    {"turning", "scenes: a ball that turns under a cloth, against one that does not", row_cliff_turning},
    {"dual", "collide, method dual on two threads: against the slower of its two methods", row_cliff_dual},
    {"overlap", "collide of solids: identical cubes, cubes flush inside each other or side by side", row_cliff_overlap},
    {"shapes", "shapes: nearly tangent, long, thin, resting", row_cliff_shapes},
    {"compounds", "compounds of many pieces", row_cliff_compounds},
    {"penetration", "penetration of meshes: identical, touching, deep", row_cliff_penetration},
    {"worlds", "a world of crates that all rest, and of bodies that are all equally near", row_cliff_worlds},
    {"close", "collide: a crate very close to a large floor; within: balls that cross", row_cliff_close},
    {"manifold", "manifold: face to face, identical, resting, wide margins", row_cliff_manifold},
    {"margins", "a world whose bodies are all within their margins", row_cliff_margins},
    {"holes", "join_holes: an outline whose holes see few of its corners", row_cliff_holes},
};

using Ask = std::function<std::string()>;

/// Seconds of one asking, on average of `times`.
double seconds_of(const Ask& ask, std::size_t times, bool wall_clock) {
  const auto now = wall_clock ? wall_seconds : thread_seconds;
  const double start = now();
  for (std::size_t i = 0; i < times; ++i) ask();
  return (now() - start) / static_cast<double>(times);
}

/// One of the two cases while it is measured.
struct Timed {
  const Ask& ask;
  bool wall_clock;
  std::string wrong;
  std::size_t times = 1;  ///< askings a pass; 0: the first was long enough
  double best = 0;

  Timed(const Ask& question, bool wall, double a_pass) : ask(question), wall_clock(wall), wrong(question()) {
    best = seconds_of(ask, 1, wall_clock);
    if (best > 1) times = 0;
    if (best < a_pass) times = std::min<std::size_t>(10000, static_cast<std::size_t>(a_pass / (best + 1e-9)) + 1);
  }
  void pass() {
    if (times > 0) best = std::min(best, seconds_of(ask, times, wall_clock));
  }
  Timing timing() const { return {best, best, best}; }
};

}  // namespace

std::span<const Row> cliff_rows() { return kCliffRows; }

void compare_cliffs(Context& context, std::string_view row, const std::vector<Cliff>& cliffs) {
  const double a_pass = context.quick ? 0 : 5e-3;
  for (const Cliff& cliff : cliffs) {
    context.progress.begin(cliff.task);
    Timed ordinary(cliff.ordinary, cliff.wall_clock, a_pass), hard(cliff.hard, cliff.wall_clock, a_pass);
    for (std::size_t pass = 0; pass < context.poses; ++pass) {
      context.progress.show(static_cast<double>(pass) / static_cast<double>(context.poses));
      ordinary.pass();
      hard.pass();
    }
    context.progress.clear();
    const double ratio = hard.best / ordinary.best;
    const auto line = [&](const std::string& name, const Timed& timed) {
      Line l{std::string(row), cliff.task, name, timed.timing(), {}, {}, Verdict::none, timed.wrong};
      if (!timed.wrong.empty()) l.verdict = Verdict::wrong;
      return l;
    };
    context.table.add(line(cliff.ordinary_case, ordinary));
    Line l = line("hard", hard);
    l.ratio = ratio;
    l.target = cliff.wanted;
    if (l.verdict == Verdict::none) l.verdict = judge_ratio(ratio, cliff.wanted);
    context.table.add(std::move(l));
  }
}

}  // namespace graze::bench
