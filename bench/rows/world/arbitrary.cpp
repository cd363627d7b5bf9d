// SPDX-License-Identifier: MIT
// Zachmann 3.2.1 and 3.2.2: the effect of the pre-checks of the edge/polygon algorithm, and of those of the
// point-in-polygon test.
#include <fmt/core.h>

#include <cmath>
#include <numbers>

#include <graze/classic/zachmann.hpp>
#include <graze/mesh/make.hpp>

#include "rows/world/pairs.hpp"
#include "scene/poses.hpp"

namespace graze::bench {
namespace {

/// Ten bodies of 120 to 1,450 triangles, with the walls about 4,121, as in 3.2.1.
CageFlight zoo(std::size_t frames) {
  const std::pair<const char*, std::size_t> kinds[] = {
      {"sphere", 120}, {"torus", 150},  {"tetra-flake", 144}, {"cube-array", 324},  {"hyperboloid", 220},
      {"cone", 260},   {"sphere", 320}, {"torus", 400},       {"tetra-flake", 576}, {"torus", 1450}};
  CagePlan plan{.side = 2.2, .walls = true, .frames = frames, .seed = 11};
  for (const auto& [kind, triangles] : kinds) plan.meshes.push_back(thesis_body(kind, triangles));
  return fly_in_cage(plan);
}

CageFlight first_frames(const CageFlight& flight, std::size_t count) {
  CageFlight part = flight;
  part.frames.resize(std::min(count, part.frames.size()));
  return part;
}

CollideOptions brute_with(classic::zachmann::BruteOptions brute) {
  return {.method = "brute", .zachmann = classic::zachmann::Options{.brute = brute}};
}

/// The fraction of edges, faces and edge/face pairs that each pre-check dropped. Every body here is closed, so it has
/// three edges for every two triangles.
std::string dropped(const CageFlight& flight, const PairOutcome& o) {
  std::uint64_t faces = 0;
  for (const auto& [a, b] : flight.pairs)
    faces += flight.bodies[a].mesh().triangle_count() + flight.bodies[b].mesh().triangle_count();
  faces *= flight.frames.size();
  const AllCounters& c = o.counters;
  return fmt::format("dropped: {:.1f} % of edges, {:.1f} % of faces, {:.2f} % of edge/face pairs; {} tests a frame",
                     o.share(c.precheck_edge_box, faces * 3 / 2), o.share(c.precheck_face_box, faces),
                     o.share(c.precheck_edge_face_box, c.precheck_edge_face_box + c.edge_polygon_tests),
                     c.edge_polygon_tests / flight.frames.size());
}

void prechecks_in_cage(Context& context) {
  const CageFlight flight = zoo(context.quick ? 1 : context.poses / 2);
  const std::string task =
      fmt::format("ten bodies in a cage with six walls, {} triangles, {} pairs a frame; ratio: speed-up",
                  flight.triangles, flight.pairs.size());
  const std::vector<PairSetting> settings{{"edge vs. object bbox", brute_with({true, false, false})},
                                          {"+ edge vs. face bbox", brute_with({true, false, true})},
                                          {"+ face collect phase", brute_with({true, true, true})},
                                          {"relaxed collect phase", {.method = "relaxed"}}};
  if (!context.quick) {
    const CageFlight short_flight = first_frames(flight, 1);
    const PairSetting none{"without any pre-check", brute_with({false, false, false})};
    const auto slow = ask_cage(context, task, short_flight, {none, settings[0]}, {.passes = 1});
    context.table.add(pair_line("prechecks", task, none, slow[0], slow[1].frame.mean / slow[0].frame.mean,
                                "stated: many seconds a frame; " + dropped(short_flight, slow[0])));
  }
  const auto outcome = ask_cage(context, task, flight, settings);
  const double paper[] = {1.0, 11.3, 10.3, 10.6};
  for (std::size_t s = 0; s < settings.size(); ++s) {
    std::string note = fmt::format("{}; {}", stated(paper[s]), dropped(flight, outcome[s]));
    if (outcome[s].missed > 0)
      note += fmt::format("; {} of {} contacts missed", outcome[s].missed, outcome[s].contacts);
    context.table.add(
        pair_line("prechecks", task, settings[s], outcome[s], outcome[0].frame.mean / outcome[s].frame.mean, note));
  }
}

/// A rotating pot of 9,944 triangles and the 16 parts of a hand, most of them near its wall (3.2.1 and 8.1).
CageFlight pot_and_hand(std::size_t frames) {
  CageFlight flight;
  flight.bodies.emplace_back(thesis_body("hyperboloid", 9944));
  flight.flying = 1;
  Random random(3);
  std::vector<Pose> parts;
  for (std::uint32_t i = 1; i <= 16; ++i) {
    flight.bodies.emplace_back(make::sphere({.radius = 0.08, .triangles = 80}));
    flight.pairs.push_back({0, i});
    const double angle = 0.12 * i, height = random.uniform(-0.2, 0.2), out = random.uniform(0.28, 0.4);
    parts.push_back(Pose({out * std::cos(angle), out * std::sin(angle), height}, random.rotation()));
  }
  for (const Body& body : flight.bodies) flight.triangles += body.mesh().triangle_count();
  for (std::size_t f = 0; f < frames; ++f) {
    std::vector<Pose> poses{Pose({}, turn({0, 0, 1}, 0.05 * static_cast<double>(f)))};
    poses.insert(poses.end(), parts.begin(), parts.end());
    flight.frames.push_back(std::move(poses));
  }
  return flight;
}

void relaxed_at_the_pot(Context& context) {
  const CageFlight flight = pot_and_hand(context.quick ? 2 : context.poses / 4);
  const std::string task =
      fmt::format("a pot and the 16 parts of a hand, {} triangles; ratio: speed-up", flight.triangles);
  const std::vector<PairSetting> settings{{"face collect phase", brute_with({true, true, true})},
                                          {"relaxed collect phase", {.method = "relaxed"}}};
  const auto outcome = ask_cage(context, task, flight, settings);
  for (std::size_t s = 0; s < settings.size(); ++s) {
    std::string note = fmt::format("stated: {}; {}", s == 0 ? "1" : "about 2", dropped(flight, outcome[s]));
    if (s == 1) note += fmt::format("; {} of {} contacts missed", outcome[s].missed, outcome[s].contacts);
    context.table.add(
        pair_line("prechecks", task, settings[s], outcome[s], outcome[0].frame.mean / outcome[s].frame.mean, note));
  }
}

}  // namespace

void row_world_prechecks(Context& context) {
  prechecks_in_cage(context);
  relaxed_at_the_pot(context);
}

void row_world_polygon(Context& context) {
  const CageFlight flight = zoo(context.quick ? 1 : context.poses / 2);
  const std::vector<PairSetting> settings{{"signs of determinants", brute_with({})},
                                          {"one shot", brute_with({.one_shot = true})}};
  const std::string task = "the zoo of `prechecks`: a point in a polygon by one ray; ratio: share of edges in %";
  const auto outcome = ask_cage(context, task, flight, settings);
  const AllCounters& c = outcome[1].counters;
  const std::uint64_t settled[] = {c.polygon_precheck_1, c.polygon_precheck_2, c.polygon_precheck_3,
                                   c.polygon_precheck_4, c.polygon_precheck_5, c.polygon_precheck_6,
                                   c.polygon_exact};
  const double paper[] = {50, 22, 26, 1, 0.00003, 0.00002, 1};
  std::uint64_t all = 0;
  for (const std::uint64_t part : settled) all += part;
  for (std::size_t i = 0; i < std::size(settled); ++i) {
    const std::string name = i == 6 ? "remaining" : fmt::format("pre-check {}", i + 1);
    context.table.add({"polygon",
                       task,
                       name,
                       {},
                       outcome[1].share(settled[i], all),
                       {},
                       Verdict::none,
                       fmt::format("stated: {} %; {} of {} edges", paper[i], settled[i], all)});
  }
  for (std::size_t s = 0; s < settings.size(); ++s) {
    context.table.add(pair_line("polygon", "the same, the whole edge/polygon test; ratio: time over one shot's",
                                settings[s], outcome[s], outcome[s].frame.mean / outcome[1].frame.mean,
                                counts_note(outcome[s], flight, {"edge_polygon_tests"})));
  }
}

}  // namespace graze::bench
