// SPDX-License-Identifier: MIT
// Zachmann 3.4.2: how often a separating plane is not found, depending on the first plane, step width, number of
// rotations and relaxation.
#include <fmt/core.h>

#include <graze/classic/zachmann.hpp>

#include "rows/world/pairs.hpp"

namespace graze::bench {
namespace {

using classic::zachmann::SeparatingPlaneOptions;
using Start = SeparatingPlaneOptions::Start;

/// The thesis's method: no box phase, eta not relaxed unless stated otherwise.
SeparatingPlaneOptions as_in_thesis(int turns, double eta) {
  return {.start = Start::box_centres, .max_updates = turns, .eta = eta, .relaxation = 1, .box_phase = false};
}

PairSetting setting(std::string name, const SeparatingPlaneOptions& plane, bool timed = false, bool warm = false) {
  return {
      std::move(name),
      {.method = "separating_plane", .solid = true, .zachmann = classic::zachmann::Options{.separating_plane = plane}},
      warm,
      timed};
}

double error_of(const PairOutcome& o) { return o.share(o.false_contacts, o.asked); }

std::string turns_note(const PairOutcome& o) {
  const double frames = static_cast<double>(o.asked);
  return fmt::format("error {:.2f} %; turns a frame {:.1f}, passes {:.1f}", error_of(o),
                     static_cast<double>(o.counters.plane_updates) / frames,
                     static_cast<double>(o.counters.plane_passes) / frames);
}

struct Limit {
  int turns;
  double eta;  ///< the best one for this number of rotations, according to the thesis
};
constexpr Limit kLimits[] = {{10, 0.25}, {100, 0.03}, {1000, 0.007}};

void first_planes(Context& context, const CageFlight& flight) {
  const std::pair<Start, const char*> starts[] = {
      {Start::x_axis, "trivial"}, {Start::barycentres, "barycenters"}, {Start::box_centres, "bbox barycenters"}};
  const double paper[3][3] = {{24, 3.0, 0.5}, {16, 2.8, 0.37}, {15, 2.8, 0.37}};
  const std::string task = "two cones: the first plane; ratio: error of the trivial one over this one's";
  std::vector<PairSetting> settings;
  for (const auto& [start, name] : starts) {
    for (const Limit& limit : kLimits) {
      SeparatingPlaneOptions plane = as_in_thesis(limit.turns, limit.eta);
      plane.start = start;
      settings.push_back(setting(fmt::format("{}, {} turns, eta {}", name, limit.turns, limit.eta), plane, true));
    }
  }
  const auto outcome = ask_cage(context, task, flight, settings);
  for (std::size_t s = 0; s < settings.size(); ++s) {
    const double error = error_of(outcome[s]), trivial = error_of(outcome[s % 3]);
    const double stated_error = paper[s / 3][s % 3];
    std::optional<double> ratio;
    if (error > 0) ratio = trivial / error;
    context.table.add(pair_line("plane", task, settings[s], outcome[s], ratio,
                                fmt::format("stated: {:.2f}, error {} %; {}", paper[0][s % 3] / stated_error,
                                            stated_error, turns_note(outcome[s]))));
  }
}

void errors(Context& context, const CageFlight& flight, const std::string& task, const char* figure,
            const std::vector<PairSetting>& settings) {
  const auto outcome = ask_cage(context, task, flight, settings);
  for (std::size_t s = 0; s < settings.size(); ++s)
    context.table.add(pair_line("plane", task, settings[s], outcome[s], error_of(outcome[s]),
                                fmt::format("{}: not stated in the text; {}", figure, turns_note(outcome[s]))));
}

void steps_and_turns(Context& context, const CageFlight& flight) {
  std::vector<PairSetting> settings;
  for (const int turns : {10, 100, 1000})
    for (const double eta : {1.0, 0.25, 0.1, 0.03, 0.007, 0.002})
      settings.push_back(setting(fmt::format("{} turns, eta {}", turns, eta), as_in_thesis(turns, eta)));
  errors(context, flight, "two cones: step width and turns, no relaxation; ratio: error in %", "Figure 3.15", settings);
}

void relaxation(Context& context, const CageFlight& flight) {
  std::vector<PairSetting> settings;
  for (const Limit& limit : {Limit{10, 0.25}, Limit{20, 0.25}, Limit{100, 0.03}, Limit{1000, 0.007}}) {
    for (const double factor : {1.0, 0.99, 0.97, 0.95, 0.9}) {
      SeparatingPlaneOptions plane = as_in_thesis(limit.turns, limit.eta);
      plane.relaxation = factor;
      settings.push_back(setting(fmt::format("{} turns, eta {}, factor {}", limit.turns, limit.eta, factor), plane));
    }
  }
  errors(context, flight,
         "two cones: relaxation (stated: 0.97 is best, helps for 10 and 20 turns only); ratio: error in %",
         "Figure 3.16", settings);
}

/// The library's defaults, and its techniques one by one.
void defaults(Context& context, const CageFlight& flight) {
  const std::string task = "two cones: the library's own settings; ratio: time of a frame over the default's";
  const SeparatingPlaneOptions usual;
  const auto changed = [&](auto&& change) {
    SeparatingPlaneOptions plane = usual;
    change(plane);
    return plane;
  };
  using P = SeparatingPlaneOptions;
  const std::vector<PairSetting> settings{
      setting("default", usual, true),
      setting("plane of the last frame", usual, true, true),
      setting("no box phase", changed([](P& p) { p.box_phase = false; }), true),
      setting("eta by badness", changed([](P& p) { p.by_badness = true; }), true),
      setting("eta not relaxed", changed([](P& p) { p.relaxation = 1; }), true),
      setting("relaxed by 0.99", changed([](P& p) { p.relaxation = 0.99; }), true),
      setting("relaxed by 0.97", changed([](P& p) { p.relaxation = 0.97; }), true),
      setting("eta 0.25", changed([](P& p) { p.eta = 0.25; }), true),
      setting("eta 0.25, relaxed by 0.99", changed([](P& p) { p.eta = 0.25, p.relaxation = 0.99; }), true),
      setting("start: x axis", changed([](P& p) { p.start = Start::x_axis; }), true),
      setting("start: barycentres", changed([](P& p) { p.start = Start::barycentres; }), true),
      setting("100 turns", changed([](P& p) { p.max_updates = 100; }), true),
      setting("300 turns", changed([](P& p) { p.max_updates = 300; }), true)};
  const auto outcome = ask_cage(context, task, flight, settings);
  for (std::size_t s = 0; s < settings.size(); ++s) {
    const double reused = outcome[s].share(outcome[s].counters.plane_reused, outcome[s].asked);
    context.table.add(
        pair_line("plane", task, settings[s], outcome[s], outcome[s].frame.mean / outcome[0].frame.mean,
                  turns_note(outcome[s]) + (reused > 0 ? fmt::format("; {:.0f} % at once", reused) : "")));
  }
}

}  // namespace

void row_world_plane(Context& context) {
  // Two cones, 200 triangles in all: a hard case (Figure 3.13). No walls, as in the thesis.
  const Mesh cone = thesis_body("cone", 100);
  const CageFlight flight = fly_in_cage({.meshes = {cone, cone}, .side = 1.5, .frames = 50 * context.poses, .seed = 8});
  first_planes(context, flight);
  steps_and_turns(context, flight);
  relaxation(context, flight);
  defaults(context, flight);
}

}  // namespace graze::bench
