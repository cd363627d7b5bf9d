// SPDX-License-Identifier: MIT
// Kitamura's experiments, with bodies of the same kind and size. The paper's times were measured on a workstation of
// 1994, so only ratios can be compared.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>

#include <graze/ask/interference.hpp>
#include <graze/classic/kitamura.hpp>
#include <graze/core/method_counters.hpp>

#include "rows/deform/deform.hpp"
#include "scene/kitamura_scenes.hpp"

namespace graze::bench {
namespace {

struct Setting {
  std::string name;
  InterferenceOptions options;
  bool warm = false;  ///< keeps its data structures from cycle to cycle
};

using classic::kitamura::OctreeOptions;
InterferenceOptions with(OctreeOptions octree) { return {.kitamura = classic::kitamura::Options{.octree = octree}}; }

Setting ours() { return {"kitamura", {}}; }
/// All pairs of body boxes, one octree of level 6 for the world's cube, faces clipped.
Setting as_in_paper() {
  using K = OctreeOptions;
  return {"kitamura as in the paper",
          with({.bodies = K::BodyStage::all_pairs, .root = K::Root::world, .clip = true, .level = 6})};
}
Setting bintree() { return {"kitamura, bintree", with({.bintree = true})}; }
Setting skipped() { return {"kitamura, no body stage", with({.bodies = OctreeOptions::BodyStage::skipped})}; }
Setting refit() { return {"tree, refitted", {.method = "tree"}, true}; }
Setting update() { return {"octree_update", {.method = "octree_update"}, true}; }
Setting update_to(int level) {
  return {fmt::format("octree_update, level {}", level),
          {.method = "octree_update",
           .kitamura = classic::kitamura::Options{.octree_update = {.body_level = level, .level = level}}},
          true};
}
Setting brute() { return {"brute", {.method = "brute"}}; }

struct Asker {
  const Cycles& scene;
  Setting setting;
  std::size_t first;  ///< cycle
  InterferenceCoherence coherence = {};
  InterferenceResult result = {};
  MethodCounters of_method = {};

  double ask(std::size_t i) {
    InterferenceOptions options = setting.options;
    if (setting.warm) options.coherence = &coherence;
    options.method_counters = &of_method;
    interference(scene.cycle[first + i], options, result);
    return static_cast<double>(result.pairs.size());
  }
};

/// The time of one setting in the requested cycles, and whether its answers equal those of the first setting.
struct Measured {
  std::vector<double> seconds;
  std::vector<std::size_t> pairs;
  AllCounters counters;  ///< of the last cycle
  bool wrong = false;
  double last() const { return seconds.back(); }
  double mean() const { return std::accumulate(seconds.begin(), seconds.end(), 0.0) / double(seconds.size()); }
};

std::vector<Measured> measure(Context& context, const std::string& task, const Cycles& scene, std::size_t cycles,
                              const std::vector<Setting>& settings) {
  const std::size_t count = std::min(cycles, scene.cycle.size());
  std::vector<Contestant> contestants;
  std::vector<Measured> out(settings.size());
  std::vector<std::vector<InterferingPair>> expected(count);
  context.progress.begin(task);
  for (std::size_t s = 0; s < settings.size(); ++s) {
    auto asker = std::make_shared<Asker>(Asker{scene, settings[s], scene.cycle.size() - count});
    for (std::size_t i = 0; i < count; ++i) {
      asker->ask(i);
      out[s].pairs.push_back(asker->result.pairs.size());
      if (s == 0) expected[i] = asker->result.pairs;
      out[s].wrong = out[s].wrong || asker->result.pairs != expected[i];
    }
    out[s].counters = {asker->result.counters, asker->of_method};
    contestants.push_back({settings[s].name, [asker](std::size_t i) { return asker->ask(i); }});
  }
  const auto seconds = best_seconds(contestants, {.queries = count}, context.progress);
  for (std::size_t s = 0; s < settings.size(); ++s) out[s].seconds = seconds[s];
  context.progress.clear();
  return out;
}

Line line(const char* row, std::string task, std::string contestant, double seconds, const Measured& m, double ratio,
          std::string note) {
  Line l{row, std::move(task), std::move(contestant), Timing{seconds, seconds, seconds}, ratio,
         {},  Verdict::none,   std::move(note)};
  if (m.wrong) l.verdict = Verdict::wrong;
  return l;
}

std::string cost(const AllCounters& c) {
  return fmt::format("{} regions, {} listed, {} cells, {} face/cell, {} repeats, {} pairs tested", c.overlap_regions,
                     c.check_list_faces, c.octree_cells, c.octree_face_tests, c.octree_repeats, c.triangle_tests);
}

}  // namespace

void row_kitamura_spheres(Context& context) {
  constexpr const char* task =
      "two spheres of so many faces, the cycle in which they touch; ratio: to the same with 168";
  struct Size {
    std::size_t faces;
    double paper_ms;  ///< 0: only shown in a figure
  };
  const Size sizes[] = {{8, 0},    {10, 0},  {24, 0},  {48, 0},   {54, 0},  {80, 0},   {120, 0},
                        {168, 11}, {224, 0}, {360, 0}, {528, 16}, {728, 0}, {960, 24}, {3968, 70}};
  std::vector<Line> lines;
  std::map<std::string, double> base;  // by setting
  std::vector<std::string> setting_of;
  for (const Size& size : sizes) {
    const Cycles scene = approaching_spheres(size.faces);
    const std::size_t faces = scene.cycle[0][0].mesh.triangle_count();
    std::vector<Setting> settings{ours(), as_in_paper(), bintree(), skipped(), refit(), update()};
    if (faces <= 528) settings.push_back(brute());
    const auto measured = measure(context, fmt::format("spheres of {} faces", faces), scene, 1, settings);
    for (std::size_t s = 0; s < settings.size(); ++s) {
      if (faces == 168) base[settings[s].name] = measured[s].last();
      // All methods if the paper states a time, else only the paper's and graze's.
      if (size.paper_ms == 0 && s > 1) break;
      std::string note = cost(measured[s].counters);
      if (size.paper_ms > 0 && s < 2)
        note = fmt::format("paper: {} ms, {:.2f}; {}", size.paper_ms, size.paper_ms / 11, note);
      const std::string name = fmt::format("{} faces: {}", faces, settings[s].name);
      lines.push_back(line("spheres", task, name, measured[s].last(), measured[s], 0, note));
      setting_of.push_back(settings[s].name);
    }
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines[i].ratio = lines[i].timing->mean / base[setting_of[i]];
    context.table.add(lines[i]);
  }
}

void row_kitamura_many(Context& context) {
  const auto add = [&](const char* task, const std::string& name, double base, double seconds, const Measured& m,
                       std::string note) {
    context.table.add(line("crowd", task, name, seconds, m, seconds / base, note + cost(m.counters)));
  };
  const std::vector<Setting> settings{ours(), as_in_paper(), refit()};
  const Cycles two = crowd("shuttle", 528, 2, true), fifteen = crowd("shuttle", 528, 15, false);
  const auto few = measure(context, "2 shuttles", two, 1, settings);
  const auto many = measure(context, "15 shuttles", fifteen, 1, settings);
  for (std::size_t s = 0; s < settings.size(); ++s) {
    constexpr const char* task = "15 shuttles of 528 faces against 2, last cycle; ratio: to 2";
    add(task, "2 shuttles: " + settings[s].name, few[s].last(), few[s].last(), few[s], "paper: 16 ms, 1; ");
    add(task, "15 shuttles: " + settings[s].name, few[s].last(), many[s].last(), many[s], "paper: 31 ms, 1.94; ");
  }
  double base = 0;
  const std::pair<std::size_t, double> counts[] = {{10, 16}, {20, 21}, {30, 22}, {40, 41}};
  for (const auto& [count, paper] : counts) {
    const Cycles scene = crowd("sphere", 528, count, false);
    const auto measured = measure(context, fmt::format("{} spheres", count), scene, 1, {ours(), refit()});
    if (count == 10) base = measured[0].last();
    add("so many spheres of 528 faces, last cycle; ratio: to 10", fmt::format("{} spheres: kitamura", count), base,
        measured[0].last(), measured[0], fmt::format("paper: {} ms, {:.2f}; ", paper, paper / 16));
    if (context.quick && count == 20) break;
  }
}

void row_kitamura_deforming(Context& context) {
  constexpr const char* task = "head, shuttle, deforming ball and two deforming hands; mean of a cycle";
  const Cycles scene = interactive(10 * context.poses);
  const std::vector<Setting> settings{ours(), as_in_paper(), bintree(), refit(), update()};
  const auto measured = measure(context, task, scene, scene.cycle.size(), settings);
  for (std::size_t s = 0; s < settings.size(); ++s) {
    const Measured& m = measured[s];
    double apart = 0, contact = 0;
    std::size_t contacts = 0;
    for (std::size_t i = 0; i < m.seconds.size(); ++i) {
      (m.pairs[i] > 0 ? contact : apart) += m.seconds[i];
      contacts += m.pairs[i] > 0;
    }
    const auto mean = [](double sum, std::size_t n) { return n == 0 ? 0 : 1e3 * sum / static_cast<double>(n); };
    const std::string note =
        fmt::format("{} cycles: {:.3f} ms in the {} with contact, {:.3f} ms in the others{}", m.seconds.size(),
                    mean(contact, contacts), contacts, mean(apart, m.seconds.size() - contacts),
                    s < 2 ? "; paper: 11.5 ms, without contact rarely more than 5" : "");
    Line l = line("deforming", task, settings[s].name, m.mean(), m, m.mean() / measured[0].mean(), note);
    l.timing = summarise(m.seconds);
    context.table.add(l);
  }
}

void row_kitamura_update(Context& context) {
  constexpr const char* task = "sphere, shuttle, chair and head, last cycle; ratio: to the proposed method";
  const Cycles scene = update_scene();
  std::vector<Setting> settings{ours(), as_in_paper(), update(), update_to(5), update_to(6), refit()};
  if (context.quick) settings.erase(settings.begin() + 4);
  const auto measured = measure(context, task, scene, 1, settings);
  for (std::size_t s = 0; s < settings.size(); ++s) {
    const bool octree = settings[s].options.method == "octree_update";
    std::string note =
        octree ? fmt::format("paper: 161 ms to 11, 16; to ours as in the paper {:.2f}; {} nodes placed, ",
                             measured[s].last() / measured[1].last(), measured[s].counters.octree_nodes_placed)
               : "";
    context.table.add(line("update", task, settings[s].name, measured[s].last(), measured[s],
                           measured[s].last() / measured[0].last(), note + cost(measured[s].counters)));
  }
}

}  // namespace graze::bench
