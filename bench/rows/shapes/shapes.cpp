// SPDX-License-Identifier: MIT
#include "rows/shapes/shapes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include <graze/mesh/make.hpp>

#include "peers/shapes.hpp"

namespace graze::bench {
namespace {

using namespace shape;

/// Twenty points of an ellipsoid, spread evenly.
Hull hull_of_twenty() {
  Hull hull;
  for (int i = 0; i < 20; ++i) {
    const double z = (2 * i + 1) / 20.0 - 1, r = std::sqrt(1 - z * z), angle = 2.399963 * i;
    hull.points.push_back({0.5 * r * std::cos(angle), 0.45 * r * std::sin(angle), 0.4 * z});
  }
  return hull;
}

/// All of about the same size, but the last, which has no end.
const std::vector<std::pair<std::string, Shape>>& kinds() {
  static const std::vector<std::pair<std::string, Shape>> all{
      {"sphere", Sphere{0.5}},          {"capsule", Capsule{0.3, 0.6}}, {"box", Box{{0.8, 0.9, 0.7}}},
      {"cylinder", Cylinder{0.4, 0.9}}, {"cone", Cone{0.5, 1}},         {"ellipsoid", Ellipsoid{{0.5, 0.4, 0.3}}},
      {"hull", hull_of_twenty()},       {"half-space", HalfSpace{}}};
  return all;
}

bool is_half_space(std::size_t kind) { return std::holds_alternative<HalfSpace>(kinds()[kind].second.kind); }

std::vector<Contestant> contestants_for(const Context& context, ShapeQuestion question, const ShapeScene& scene) {
  std::vector<Contestant> out = enter_graze_shapes(question, scene);
  const auto enter = [&](std::vector<Contestant> more) {
    for (Contestant& c : more)
      if (context.peers.empty() || std::any_of(context.peers.begin(), context.peers.end(),
                                               [&](const std::string& p) { return c.name.starts_with(p); }))
        out.push_back(std::move(c));
  };
#ifdef GRAZE_BENCH_FCL
  enter(enter_fcl_shapes(question, scene));
#endif
#ifdef GRAZE_BENCH_BULLET
  enter(enter_bullet_shapes(question, scene));
#endif
#ifdef GRAZE_BENCH_CCD
  enter(enter_libccd_shapes(question, scene));
#endif
  return out;
}

/// In how many queries a contestant's answer differs from graze's by more than `allowed`.
std::size_t differences(const std::vector<Contestant>& contestants, std::size_t c, std::size_t queries,
                        double allowed) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < queries; ++i)
    wrong += !(std::fabs(contestants[c].ask(i) - contestants[0].ask(i)) <= allowed);
  return wrong;
}

/// One question for every pair of kinds, and at the end the geometric mean of the ratios to the best peer, and the
/// worst of them (`most`: its target; none for depths).
///
/// A peer whose answers differ in more than a tenth of the queries answers another question, and is no measure: FCL's
/// depths come from portal refinement, which finds a direction that parts the shapes but not the least
/// (docs/shapes.md). Its line is printed all the same.
void compare_kinds(Context& context, const std::string& row, ShapeQuestion question, double nearest, double farthest,
                   double allowed, double target, std::optional<double> most) {
  const std::size_t queries = std::max<std::size_t>(40, context.poses);
  double sum = 0, worst = 0;
  std::string worst_pair;
  std::size_t pairs = 0, left_out = 0;
  for (std::size_t i = 0; i < kinds().size(); ++i)
    for (std::size_t j = i; j < kinds().size(); ++j) {
      if (is_half_space(i) && is_half_space(j)) continue;  // they always meet, but for parallel ones
      const ShapeScene scene{Body(kinds()[i].second), Body(kinds()[j].second),
                             random_poses(queries, nearest, farthest, 10 * i + j)};
      const std::vector<Contestant> contestants = contestants_for(context, question, scene);
      const std::string task = kinds()[i].first + ", " + kinds()[j].first;
      context.progress.begin(task);
      const auto timings = time_interleaved(contestants, {.queries = queries, .block = 20}, context.progress);
      context.progress.clear();
      double best = 0;  // the ratio to the best peer
      std::vector<Line> lines;
      std::size_t best_line = 0;
      for (std::size_t c = 0; c < contestants.size(); ++c) {
        Line line{row, task, contestants[c].name, timings[c], {}, {}, Verdict::none, {}};
        if (c > 0) {
          line.ratio = timings[0].mean / timings[c].mean;
          const std::size_t d = differences(contestants, c, queries, allowed);
          if (d > 0) line.note = fmt::format("differs in {} of {}", d, queries);
          if (contestants[c].name.starts_with("graze"))  // the same question with more in its answer
            line.ratio.reset();
          else if (10 * d > queries)
            ++left_out;
          else if (*line.ratio > best)
            best = *line.ratio, best_line = c;
        }
        lines.push_back(std::move(line));
      }
      if (best > 0 && most) {
        lines[best_line].target = most;
        lines[best_line].verdict = judge_ratio(best, *most);
      }
      for (Line& line : lines) context.table.add(std::move(line));
      if (best == 0) continue;
      sum += std::log(best);
      if (best > worst) worst = best, worst_pair = task;
      ++pairs;
    }
  if (pairs == 0) return;
  const double mean = std::exp(sum / static_cast<double>(pairs));
  context.table.add({row,
                     "all pairs: to the best peer of each",
                     "geometric mean",
                     {},
                     mean,
                     target,
                     judge_ratio(mean, target),
                     fmt::format("{} pairs; {} lines with other answers left out", pairs, left_out)});
  context.table.add({row,
                     "all pairs: to the best peer of each",
                     "the worst: " + worst_pair,
                     {},
                     worst,
                     most,
                     most ? judge_ratio(worst, *most) : Verdict::none,
                     {}});
}

void row_shape_yes_no(Context& context) {
  compare_kinds(context, "yes-no", ShapeQuestion::yes_no, 0.3, 1.5, 0, 0.8, 1.5);
}
void row_shape_distance(Context& context) {
  compare_kinds(context, "distance", ShapeQuestion::distance, 1.2, 2, 1e-3, 0.8, 1.5);
}
void row_shape_depth(Context& context) {
  compare_kinds(context, "depth", ShapeQuestion::depth, 0.05, 0.5, 1e-2, 1, {});
}

/// A mesh of 10,000 triangles against each shape.
void row_mesh_shape(Context& context) {
  const std::size_t queries = std::max<std::size_t>(20, context.poses / 5);
  for (const ShapeQuestion question : {ShapeQuestion::yes_no, ShapeQuestion::distance})
    for (const auto& [name, kind] : kinds()) {
      const ShapeScene scene{Body(make::bunny({.triangles = 10000})), Body(kind), random_poses(queries, 0.6, 1.4, 7)};
      const std::vector<Contestant> contestants = contestants_for(context, question, scene);
      const std::string task =
          fmt::format("bunny of 10,000 and {}, {}", name, question == ShapeQuestion::yes_no ? "yes or no" : "distance");
      context.progress.begin(task);
      // A yes or no takes about as long as reading the clock.
      const std::size_t block = question == ShapeQuestion::yes_no ? 10 : 1;
      const auto timings = time_interleaved(contestants, {.queries = queries, .block = block}, context.progress);
      context.progress.clear();
      for (std::size_t c = 0; c < contestants.size(); ++c) {
        Line line{"mesh", task, contestants[c].name, timings[c], {}, {}, Verdict::none, {}};
        if (c > 0 && !contestants[c].name.starts_with("graze")) {
          line.ratio = timings[0].mean / timings[c].mean;
          line.target = 0.4;
          line.verdict = judge_ratio(*line.ratio, 0.4);
          if (const std::size_t d = differences(contestants, c, queries, question == ShapeQuestion::yes_no ? 0 : 1e-3))
            line.note = fmt::format("differs in {} of {}", d, queries);
        }
        context.table.add(std::move(line));
      }
    }
}

constexpr Row kShapeRows[] = {
    {"yes-no", "do two shapes meet, for every pair of kinds", row_shape_yes_no},
    {"distance", "how far apart two shapes are", row_shape_distance},
    {"depth", "how deep two shapes overlap", row_shape_depth},
    {"mesh", "a mesh and a shape: yes or no, distance", row_mesh_shape},
    {"first-contact", "a sphere and a mesh in motion, compared with a mesh of the sphere", row_shape_first_contact},
    {"motion-free", "motions asked yes or no, compared with first_contact", row_motion_free},
    {"world", "100,000 mixed shapes, a tenth of them moving", row_shape_world},
};

}  // namespace

std::span<const Row> shape_rows() { return kShapeRows; }

}  // namespace graze::bench
