// SPDX-License-Identifier: MIT
// Zachmann 3.4.1 and 3.5.1: convex bodies by clipping edges, closed ones by random points.
#include <fmt/core.h>

#include <graze/classic/zachmann.hpp>

#include "rows/world/pairs.hpp"

namespace graze::bench {
namespace {

/// Two bodies so crowded that they touch in almost every frame (3.4.1: of size 2 in a cage of size 1).
CageFlight crowded(std::string_view kind, std::size_t triangles, std::size_t frames) {
  const Mesh mesh = thesis_body(kind, triangles);
  return fly_in_cage({.meshes = {mesh, mesh}, .side = 0.5, .bounce = false, .frames = frames, .seed = triangles});
}

CollideOptions convex_with(classic::zachmann::ConvexOptions convex) {
  return {.method = "convex", .solid = true, .zachmann = classic::zachmann::Options{.convex = convex}};
}

void convex_prechecks(Context& context) {
  const CageFlight flight = crowded("sphere", 250, 10 * context.poses);
  const std::string task =
      fmt::format("two spheres, {} triangles, in touch in almost every frame; ratio: speed-up over one pre-check less",
                  flight.triangles);
  const std::vector<PairSetting> settings{{"none", convex_with({false, false})},
                                          {"edge vs. object bbox", convex_with({true, false})},
                                          {"+ collected faces", convex_with({true, true})}};
  const auto outcome = ask_cage(context, task, flight, settings);
  const double paper[] = {1, 1.3, 1.8};
  for (std::size_t s = 0; s < settings.size(); ++s) {
    const double before = outcome[s == 0 ? 0 : s - 1].frame.mean;
    context.table.add(pair_line(
        "convex", task, settings[s], outcome[s], before / outcome[s].frame.mean,
        fmt::format("{}; {} of {} frames in contact; {}", stated(paper[s]), outcome[s].contacts, outcome[s].asked,
                    counts_note(outcome[s], flight,
                                {"clipped_edges", "clip_steps", "precheck_edge_box", "precheck_face_box"}))));
  }
}

void convex_against_arbitrary(Context& context) {
  struct Column {
    const char* kind;
    std::size_t triangles;
    double paper;  ///< frames per second, ratio of convex to arbitrary
  };
  const Column columns[] = {{"sphere", 250, 7.4 / 6.7}, {"sphere", 120, 2.1 / 2.4}, {"sphere", 60, 2.5 / 1.1},
                            {"cone", 250, 6.2 / 7.4},   {"cone", 120, 2.3 / 2.1},   {"cone", 60, 1.1 / 0.8}};
  const std::vector<PairSetting> settings{{"arbitrary", {.method = "brute", .solid = true}},
                                          {"convex", {.method = "convex", .solid = true}}};
  for (const Column& column : columns) {
    const CageFlight flight = crowded(column.kind, column.triangles, 10 * context.poses);
    const std::string task = fmt::format("two {}s of {} triangles; ratio: frames a second over those of arbitrary",
                                         column.kind, flight.triangles / 2);
    const auto outcome = ask_cage(context, task, flight, settings);
    for (std::size_t s = 0; s < 2; ++s)
      context.table.add(pair_line("convex", task, settings[s], outcome[s],
                                  outcome[0].frame.mean / outcome[s].frame.mean,
                                  fmt::format("{}; {}", stated(s == 0 ? 1 : column.paper),
                                              counts_note(outcome[s], flight, {"edge_polygon_tests", "clip_steps"}))));
  }
}

}  // namespace

void row_world_convex(Context& context) {
  convex_prechecks(context);
  convex_against_arbitrary(context);
}

void row_world_sampling(Context& context) {
  CagePlan plan{.side = 1.6, .walls = true, .frames = 2 * context.poses, .seed = 5};
  plan.meshes = {thesis_body("sphere", 80), thesis_body("torus", 96), thesis_body("cone", 60)};
  const CageFlight flight = fly_in_cage(plan);
  const std::string task =
      fmt::format("three bodies in a cage with six walls, {} triangles; ratio: time of a frame", flight.triangles);
  const auto sampling = [](int points, bool vertices_first) {
    const classic::zachmann::SamplingOptions options{.points = points, .vertices_first = vertices_first};
    return CollideOptions{
        .method = "sampling", .solid = true, .zachmann = classic::zachmann::Options{.sampling = options}};
  };
  const std::vector<PairSetting> settings{{"100 points", sampling(100, false)},
                                          {"vertices, then 100 points", sampling(100, true)},
                                          {"1000 points", sampling(1000, false)},
                                          {"vertices, then 1000 points", sampling(1000, true)},
                                          {"vertices alone", sampling(0, true)}};
  const auto outcome = ask_cage(context, task, flight, settings);
  const std::optional<double> paper[] = {1, 17. / 12, 17. / 7, {}, {}};
  for (std::size_t s = 0; s < settings.size(); ++s) {
    const PairOutcome& o = outcome[s];
    const std::size_t by_points = outcome[4].missed - std::min(outcome[4].missed, o.missed);
    std::string note = fmt::format("{}; {} of {} contacts missed", stated(paper[s]), o.missed, o.contacts);
    if (s == 1 || s == 3)
      note += fmt::format("; found by a point and by no vertex: {:.2f} % of requests (stated: less than 1)",
                          o.share(by_points, o.asked));
    note += "; " + counts_note(o, flight, {"sampled_vertices", "sampled_points", "ray_tests"});
    context.table.add(pair_line("sampling", task, settings[s], o, o.frame.mean / outcome[0].frame.mean, note));
  }
}

}  // namespace graze::bench
