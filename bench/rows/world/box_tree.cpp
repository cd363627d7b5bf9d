// SPDX-License-Identifier: MIT
// Zachmann 3.6.5: the box-tree against the conventional algorithm by kind and size of body, its best depth, and the
// effect of its techniques.
#include <fmt/core.h>

#include <cmath>

#include <graze/classic/zachmann.hpp>

#include "rows/world/pairs.hpp"

namespace graze::bench {
namespace {

constexpr const char* kKinds[] = {"sphere", "torus", "tetra-flake"};

/// Two bodies of the same kind that bounce off each other.
CageFlight two(std::string_view kind, std::size_t triangles, std::size_t frames) {
  const Mesh mesh = thesis_body(kind, triangles);
  return fly_in_cage({.meshes = {mesh, mesh}, .side = 0.8, .frames = frames, .seed = 17});
}

CollideOptions with(classic::zachmann::BoxTreeOptions options) {
  return {.method = "box_tree", .zachmann = classic::zachmann::Options{.box_tree = options}};
}

const std::vector<std::string_view> kWork{"box_tests", "leaf_pairs", "edge_polygon_tests"};

/// The number of triangles at which a line through the two ratios, as a function of its logarithm, reaches 1.
double crossing(double n0, double r0, double n1, double r1) {
  const double t = (1 - r0) / (r1 - r0);
  return n0 * std::pow(n1 / n0, t);
}

struct Speed {
  double triangles, ratio;
};

void add_threshold(Context& context, const std::string& kind, double paper, const std::vector<Speed>& speeds) {
  std::string words = speeds.front().ratio >= 1 ? fmt::format("below {:.0f}", speeds.front().triangles)
                                                : fmt::format("above {:.0f}", speeds.back().triangles);
  std::optional<double> at;
  for (std::size_t i = 1; i < speeds.size() && !at; ++i) {
    if (speeds[i - 1].ratio < 1 && speeds[i].ratio >= 1)
      at = crossing(speeds[i - 1].triangles, speeds[i - 1].ratio, speeds[i].triangles, speeds[i].ratio);
  }
  if (at) words = fmt::format("{:.0f}", *at);
  Line line{"boxtree",
            "from how many triangles a body on the box-tree is faster; ratio: to what is stated",
            kind,
            {},
            {},
            {},
            Verdict::none,
            fmt::format("{} triangles; stated: {}", words, paper)};
  if (at) line.ratio = *at / paper;
  context.table.add(std::move(line));
}

void against_conventional(Context& context) {
  struct Size {
    std::size_t triangles;
    std::optional<double> paper[3];  ///< by kind
  };
  const Size sizes[] = {{24, {{}, {}, {}}},  {50, {0.47, 0.9, 0.4}},  {100, {0.36, 1.58, 0.5}},
                        {250, {{}, {}, {}}}, {500, {1.18, 4.6, 1.6}}, {1000, {2.25, 200, 2.1}}};
  const double thresholds[] = {300, 60, 300};
  const std::vector<PairSetting> settings{
      {"conventional", {.method = "brute"}}, {"box_tree", {.method = "box_tree"}}, {"tree", {.method = "tree"}}};
  std::vector<std::vector<Speed>> speeds(3);
  for (std::size_t k = 0; k < 3; ++k) {
    for (const Size& size : sizes) {
      const CageFlight flight = two(kKinds[k], size.triangles, 5 * context.poses);
      const std::string task =
          fmt::format("two bodies ({}) of {} triangles bounce off each other; ratio: conventional over it", kKinds[k],
                      flight.triangles / 2);
      const auto outcome = ask_cage(context, task, flight, settings);
      for (std::size_t s = 0; s < settings.size(); ++s) {
        const double ratio = outcome[0].frame.mean / outcome[s].frame.mean;
        if (s == 1) speeds[k].push_back({static_cast<double>(flight.triangles) / 2, ratio});
        const std::string paper = s == 1 ? stated(size.paper[k]) + "; " : s == 0 ? "" : "ours, not the thesis's; ";
        context.table.add(
            pair_line("boxtree", task, settings[s], outcome[s], ratio, paper + counts_note(outcome[s], flight, kWork)));
      }
    }
  }
  for (std::size_t k = 0; k < 3; ++k) add_threshold(context, kKinds[k], thresholds[k], speeds[k]);
}

void depths(Context& context) {
  const std::vector<std::size_t> sizes =
      context.quick ? std::vector<std::size_t>{500} : std::vector<std::size_t>{100, 1000};
  for (const char* kind : kKinds) {
    for (const std::size_t size : sizes) {
      const CageFlight flight = two(kind, size, 2 * context.poses);
      const std::string task = fmt::format(
          "two bodies ({}) of {} triangles: depth of the box-tree (Figures 3.32 to 3.34); ratio: time over the "
          "default's",
          kind, flight.triangles / 2);
      std::vector<PairSetting> settings{{"default", {.method = "box_tree"}}};
      for (const int depth : {2, 4, 6, 8, 12, 40})
        settings.push_back({fmt::format("at most {} deep, 1 triangle a leaf", depth),
                            with({.build = {.max_depth = depth, .min_polygons = 1}})});
      for (const int least : {8, 32, 64, 128})
        settings.push_back(
            {fmt::format("any depth, {} triangles a leaf", least), with({.build = {.min_polygons = least}})});
      const auto outcome = ask_cage(context, task, flight, settings);
      for (std::size_t s = 0; s < settings.size(); ++s)
        context.table.add(pair_line("boxtree", task, settings[s], outcome[s],
                                    outcome[s].frame.mean / outcome[0].frame.mean,
                                    "not stated in the text; " + counts_note(outcome[s], flight, kWork)));
    }
  }
}

/// Five bodies with about 15,000 triangles in total (3.6.5), crowded: near contact is the worst case.
void ideas(Context& context) {
  CagePlan plan{.side = 1.2, .frames = std::max<std::size_t>(2, context.poses / 4), .seed = 23};
  for (const char* kind : {"sphere", "torus", "tetra-flake", "torus", "hyperboloid"})
    plan.meshes.push_back(thesis_body(kind, 3000));
  const CageFlight flight = fly_in_cage(plan);
  const std::string task =
      fmt::format("five bodies, {} triangles: ideas switched off; ratio: time over the default's", flight.triangles);
  const std::vector<PairSetting> settings{
      {"default", with({})},
      {"outside edges not flagged", with({.build = {}, .flag_outside_edges = false})},
      {"no collect phase", with({.build = {}, .collect = false})},
      {"lines computed anew", with({.build = {}, .reuse_lines = false})},
      {"axis-aligned boxes", with({.build = {}, .axis_aligned = true})},
      {"cut in the middle", with({.build = {.empty_first = false, .split_in_middle = true}})},
      {"no empty boxes first", with({.build = {.empty_first = false}})}};
  const auto outcome = ask_cage(context, task, flight, settings);
  const std::optional<double> paper[] = {1, 1.14, 1.5, {}, {}, {}, {}};
  for (std::size_t s = 0; s < settings.size(); ++s)
    context.table.add(pair_line("boxtree", task, settings[s], outcome[s], outcome[s].frame.mean / outcome[0].frame.mean,
                                stated(paper[s]) + "; " + counts_note(outcome[s], flight, kWork)));
}

}  // namespace

void row_world_box_tree(Context& context) {
  against_conventional(context);
  depths(context);
  ideas(context);
}

}  // namespace graze::bench
