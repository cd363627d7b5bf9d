// SPDX-License-Identifier: MIT
// Kitamura 5.1 and 5.3: the paper's method compared with separating planes and with distances, for spheres.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <graze/ask/convex_distance.hpp>
#include <graze/ask/interference.hpp>
#include <graze/broad/broad_phase.hpp>
#include <graze/mesh/make.hpp>

#include "rows/world/pairs.hpp"
#include "scene/kitamura_scenes.hpp"

namespace graze::bench {
namespace {

using Touching = std::set<std::array<std::uint32_t, 2>>;

/// A method that decides which spheres touch, cycle by cycle.
struct Watcher {
  virtual ~Watcher() = default;
  virtual void cycle(std::size_t c) = 0;
  virtual Touching touching() const = 0;
  /// True if `touching` may include pairs that the method could not decide.
  virtual bool undecided() const { return false; }
  AllCounters cost;
  MethodCounters of_method;  ///< of one question
};

struct Faces : Watcher {
  Faces(const std::vector<std::vector<InterferenceBody>>& all, InterferenceOptions how) : cycles(all), options(how) {
    options.method_counters = &of_method;
  }
  void cycle(std::size_t c) override {
    interference(cycles[c], options, result);
    cost += AllCounters{result.counters, of_method};
  }
  Touching touching() const override {
    Touching out;
    for (const InterferingPair& p : result.pairs) out.insert({p.a.body, p.b.body});
    return out;
  }
  const std::vector<std::vector<InterferenceBody>>& cycles;
  InterferenceOptions options;
  InterferenceResult result;
};

using Poses = std::vector<std::vector<Pose>>;  ///< by cycle, by sphere

/// A plane for each pair, kept from cycle to cycle; every pair in every cycle (5.1).
struct Planes : Watcher {
  Planes(const Mesh& mesh, const Poses& all) : body(mesh), poses(all), memories(all[0].size() * all[0].size()) {}
  void cycle(std::size_t c) override {
    const std::size_t n = poses[c].size();
    maybe.clear();
    for (std::uint32_t a = 0; a < n; ++a) {
      for (std::uint32_t b = a + 1; b < n; ++b) {
        options.coherence = &memories[a * n + b];
        collide(body, poses[c][a], body, poses[c][b], options, result);
        cost += AllCounters{result.counters, of_method};
        if (result.status != Status::free) maybe.insert({a, b});
      }
    }
  }
  Touching touching() const override { return maybe; }
  bool undecided() const override { return true; }
  Body body;
  const Poses& poses;
  std::vector<CollideCoherence> memories;
  CollideOptions options{.method = "separating_plane", .solid = true, .method_counters = &of_method};
  CollideResult result;
  Touching maybe;
};

/// The paper's own construction of a plane: closest vertices (Gilbert, Johnson and Keerthi); the direction is kept.
struct Directions : Watcher {
  Directions(const Mesh& mesh, const Poses& all) : body(mesh), poses(all), memories(all[0].size() * all[0].size()) {}
  void cycle(std::size_t c) override {
    const std::size_t n = poses[c].size();
    found.clear();
    for (std::uint32_t a = 0; a < n; ++a) {
      for (std::uint32_t b = a + 1; b < n; ++b) {
        const auto answer = convex_collide(body, poses[c][a], body, poses[c][b], {.coherence = &memories[a * n + b]});
        cost += answer.counters;
        if (answer.status == Status::contact) found.insert({a, b});
      }
    }
  }
  Touching touching() const override { return found; }
  ConvexBody body;
  const Poses& poses;
  std::vector<ConvexCoherence> memories;
  Touching found;
};

/// Cubes of fixed size around the spheres, kept sorted along the axes, then distance queries that start at the closest
/// features of the last cycle (5.3).
struct Distances : Watcher {
  Distances(const Mesh& mesh, const Poses& all) : body(mesh), poses(all), cubes({.method = "sweep"}) {
    memories.resize(all[0].size() * all[0].size());
    for (const Vec3& x : mesh.positions()) radius = std::max(radius, length(x) * (1 + 1e-12));
    for (std::uint32_t i = 0; i < all[0].size(); ++i) cubes.insert(i, cube_around(all[0][i].translation(), radius));
  }
  void cycle(std::size_t c) override {
    const std::size_t n = poses[c].size();
    found.clear();
    for (std::uint32_t i = 0; i < n; ++i) cubes.update(i, cube_around(poses[c][i].translation(), radius));
    cubes.pairs(near);
    for (const auto& [a, b] : near) {
      convex_distance(body, poses[c][a], body, poses[c][b], {.coherence = &memories[a * n + b]}, result);
      cost += result.counters;
      if (result.status == Status::contact) found.insert({a, b});
    }
  }
  Touching touching() const override { return found; }
  ConvexBody body;
  const Poses& poses;
  BroadPhase cubes;
  double radius = 0;
  std::vector<ConvexCoherence> memories;
  std::vector<BoxPair> near;
  ConvexDistanceResult result;
  Touching found;
};

struct Seen {
  std::vector<double> seconds;  ///< by cycle
  std::size_t false_contacts = 0;
  bool wrong = false;
  AllCounters cost;  ///< of all cycles
};

/// Tests every pair with `brute`.
Touching touching_by_brute(const std::vector<InterferenceBody>& bodies, const Body& body) {
  Touching out;
  CollideResult result;
  for (std::uint32_t a = 0; a < bodies.size(); ++a) {
    for (std::uint32_t b = a + 1; b < bodies.size(); ++b) {
      collide(body, *bodies[a].pose, body, *bodies[b].pose, {.method = "brute"}, result);
      if (result.status == Status::contact) out.insert({a, b});
    }
  }
  return out;
}

/// All methods are compared with the first in every cycle, and the first with `brute` in every tenth and in the last
/// cycle.
std::vector<Seen> watch(Context& context, const std::string& task,
                        const std::vector<std::vector<InterferenceBody>>& all,
                        const std::vector<std::shared_ptr<Watcher>>& watchers, std::vector<bool>& contact) {
  std::vector<Seen> out(watchers.size());
  std::vector<Contestant> contestants;
  const Body body(all[0][0].mesh);
  context.progress.begin(task + ": comparing answers");
  for (std::size_t c = 0; c < all.size(); ++c) {
    for (const auto& watcher : watchers) watcher->cycle(c);
    const Touching truth = watchers[0]->touching();
    contact.push_back(!truth.empty());
    if (c % 10 == 0 || c + 1 == all.size()) out[0].wrong = out[0].wrong || touching_by_brute(all[c], body) != truth;
    for (std::size_t w = 1; w < watchers.size(); ++w) {
      const Touching answer = watchers[w]->touching();
      if (watchers[w]->undecided() && std::includes(answer.begin(), answer.end(), truth.begin(), truth.end()))
        out[w].false_contacts += answer.size() - truth.size();
      else
        out[w].wrong = out[w].wrong || answer != truth;
    }
  }
  for (std::size_t w = 0; w < watchers.size(); ++w) {
    out[w].cost = watchers[w]->cost;
    contestants.push_back({"", [one = watchers[w]](std::size_t c) {
                             one->cycle(c);
                             return 0.0;
                           }});
  }
  context.progress.begin(task + ": timing");
  const auto seconds = best_seconds(contestants, {.queries = all.size(), .passes = 2}, context.progress);
  for (std::size_t w = 0; w < watchers.size(); ++w) out[w].seconds = seconds[w];
  context.progress.clear();
  return out;
}

double mean_where(const std::vector<double>& seconds, const std::vector<bool>& wanted) {
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    if (wanted[i]) sum += seconds[i], ++count;
  }
  return count > 0 ? sum / count : 0;
}

/// Counters averaged over cycles.
std::string work_of(const Seen& seen) {
  const auto mean = [&](std::uint64_t value) {
    return static_cast<double>(value) / static_cast<double>(seen.seconds.size());
  };
  std::string note;
  const auto add = [&](const char* words, std::uint64_t value) {
    if (value > 0) note += fmt::format("{}{} {:.1f}", note.empty() ? "a cycle: " : ", ", words, mean(value));
  };
  add("faces listed", seen.cost.check_list_faces);
  add("cells", seen.cost.octree_cells);
  add("face pairs tested", seen.cost.triangle_tests);
  add("planes kept", seen.cost.plane_reused);
  add("passes over vertices", seen.cost.plane_passes);
  add("support points", seen.cost.support_calls);
  return note;
}

Line cycle_line(const char* row, const std::string& task, std::string name, const Seen& seen, double ratio,
                std::string note) {
  Line line{row, task, std::move(name), summarise(seen.seconds), ratio, {}, Verdict::none, std::move(note)};
  if (seen.wrong) line.verdict = Verdict::wrong;
  return line;
}

}  // namespace

void row_world_kitamura_planes(Context& context) {
  struct Count {
    std::size_t spheres;
    double kitamura, planes;  ///< stated in the paper, ms
  };
  for (const Count& count : {Count{10, 16, 10}, Count{20, 21, 35}, Count{30, 22, 76}, Count{40, 41, 140}}) {
    if (context.quick && count.spheres > 20) break;
    const Cycles scene = crowd("sphere", 528, count.spheres, false);
    const std::size_t cycles = scene.cycle.size();
    // The last two bodies only mark the extent of the paper's fixed world.
    Poses poses(cycles);
    for (std::size_t c = 0; c < cycles; ++c)
      for (const InterferenceBody& body : scene.cycle[c])
        if (body.pose) poses[c].push_back(*body.pose);
    std::vector<std::vector<InterferenceBody>> spheres(cycles);
    for (std::size_t c = 0; c < cycles; ++c)
      for (const InterferenceBody& body : scene.cycle[c])
        if (body.pose) spheres[c].push_back(body);
    const Mesh& mesh = spheres[0][0].mesh;
    const std::vector<std::shared_ptr<Watcher>> watchers{std::make_shared<Faces>(spheres, InterferenceOptions{}),
                                                         std::make_shared<Planes>(mesh, poses),
                                                         std::make_shared<Directions>(mesh, poses)};
    const char* names[] = {"kitamura, last cycle", "separating_plane, mean of a cycle",
                           "closest vertices, mean of a cycle"};
    std::vector<bool> contact;
    const std::string task =
        fmt::format("{} spheres of {} faces, two touch in the last of {} cycles; ratio: time over kitamura's",
                    count.spheres, mesh.triangle_count(), cycles);
    const auto seen = watch(context, task, spheres, watchers, contact);
    const double last = seen[0].seconds.back();
    for (std::size_t w = 0; w < seen.size(); ++w) {
      const double time = w == 0 ? last : mean_where(seen[w].seconds, std::vector<bool>(cycles, true));
      std::string note = w == 0 ? fmt::format("stated: 1, {} ms", count.kitamura)
                                : fmt::format("stated: {:.3g}, {} ms", count.planes / count.kitamura, count.planes);
      if (w == 0) note += fmt::format("; mean of a cycle {:.3g} ms", 1e3 * summarise(seen[0].seconds).mean);
      if (w == 1) note += fmt::format("; {} times no plane was found though one exists", seen[w].false_contacts);
      Line line = cycle_line("planes", task, names[w], seen[w], time / last, note + "; " + work_of(seen[w]));
      line.timing->mean = time;
      context.table.add(std::move(line));
    }
  }
}

void row_world_kitamura_distances(Context& context) {
  for (const std::size_t faces : {48, 80, 168, 360, 528, 728, 960}) {
    if (context.quick && faces > 168) break;
    const Mesh mesh = make::sphere({.radius = 0.5, .triangles = faces});
    // The spheres fill 5 % of the space; per cycle they move by 5 % of the radius and rotate by 10 degrees.
    const double side = std::cbrt(15 * 4.18879 * 0.125 / 0.05);
    const CageFlight flight = fly_in_cage({.meshes = std::vector<Mesh>(15, mesh),
                                           .side = side - 1,
                                           .speed = 0.025,
                                           .angle = 0.1745,
                                           .frames = 25 * context.poses,
                                           .seed = 41});
    std::vector<std::vector<InterferenceBody>> cycles;
    for (const std::vector<Pose>& poses : flight.frames) {
      cycles.emplace_back();
      for (const Pose& pose : poses) cycles.back().push_back({.mesh = mesh, .pose = pose});
    }
    const std::vector<std::shared_ptr<Watcher>> watchers{std::make_shared<Faces>(cycles, InterferenceOptions{}),
                                                         std::make_shared<Distances>(mesh, flight.frames)};
    const char* names[] = {"kitamura", "distances"};
    const std::string task = fmt::format("15 spheres of {} faces, {} cycles; ratio: time over that of distances",
                                         mesh.triangle_count(), cycles.size());
    std::vector<bool> contact;
    const auto seen = watch(context, task, cycles, watchers, contact);
    const auto touching = static_cast<std::size_t>(std::count(contact.begin(), contact.end(), true));
    const double base = summarise(seen[1].seconds).mean, base_in_touch = mean_where(seen[1].seconds, contact);
    for (std::size_t w = 0; w < seen.size(); ++w) {
      const double in_touch = mean_where(seen[w].seconds, contact);
      const std::string figure =
          w == 1 ? "" : "Figure 18: not stated in the text (with contact: faster than distances); ";
      context.table.add(cycle_line("distances", task, fmt::format("{}, all cycles", names[w]), seen[w],
                                   summarise(seen[w].seconds).mean / base, figure + work_of(seen[w])));
      Line line = cycle_line("distances", task, fmt::format("{}, cycles with contact", names[w]), seen[w],
                             base_in_touch > 0 ? in_touch / base_in_touch : 0, fmt::format("{} cycles", touching));
      line.timing = Timing{in_touch, in_touch, in_touch};
      context.table.add(std::move(line));
    }
  }
}

}  // namespace graze::bench
