// SPDX-License-Identifier: MIT
// best_first compared with FCL: with its distance query as the unit of time, and with its own continuous query.
#include <fmt/core.h>

#include <algorithm>

#include "harness/clock.hpp"
#include "rows/rigid/rigid.hpp"

namespace graze::bench {
namespace {

constexpr double kTolerance = 1e-4;
constexpr std::size_t kPublicCalls = 3;  // FCL's continuous query takes up to seconds

struct PeerScene {
  NamedMesh a, b;
  bool board, turning;
  double target;  ///< graze's time divided by that of one FCL distance query
};

/// Targets: that of the rotating bunnies is given directly. The others are target times divided by the time of FCL's
/// distance query of the same bodies on the same machine, with gaps from 0.001 to 1. With a board, FCL's distance query
/// is too slow as a unit of time; there the distance of the body from itself is used.
std::vector<PeerScene> scenes(const Context& context) {
  const NamedMesh rabbit = bunny(context.data);
  const auto knot_bodies = knots();
  const NamedMesh& largest = knot_bodies.back();
  constexpr double knot_targets[3][2] = {{0.23, 0.34}, {0.24, 0.35}, {0.27, 0.32}};
  std::vector<PeerScene> out{{rabbit, rabbit, false, false, 0.22}, {rabbit, rabbit, false, true, 0.3}};
  for (std::size_t k = 0; k < knot_bodies.size(); ++k) {
    for (const bool turning : {false, true}) {
      out.push_back({knot_bodies[k], knot_bodies[k], false, turning, knot_targets[k][turning]});
    }
  }
  for (const bool turning : {false, true}) {
    out.push_back({rabbit, board(), true, turning, turning ? 0.043 : 0.034});
    out.push_back({largest, board(), true, turning, turning ? 0.054 : 0.043});
  }
  return out;
}

/// Poses distributed evenly over the flights' time before contact: flight i at the i-th fraction of its own time.
std::vector<PosePair> poses_along(const std::vector<Flight>& flights, const FlightTask& task) {
  FirstContactOptions options;
  options.tolerance = task.tolerance;
  std::vector<PosePair> poses;
  for (std::size_t i = 0; i < flights.size(); ++i) {
    // Steps by the golden ratio: even, and unrelated to which flights hit.
    const double share = 0.618033988749895 * static_cast<double>(i + 1);
    const FirstContactResult found = first_contact(task.a, flights[i].a, task.b, flights[i].b, options);
    const double t = (share - static_cast<double>(static_cast<std::size_t>(share))) * found.time.safe;
    poses.push_back({pose_at(flights[i].a, t), pose_at(flights[i].b, t)});
  }
  return poses;
}

std::vector<Contestant> fcl_distance(const Scene& scene, const std::string& name) {
  for (const Peer& peer : peers()) {
    if (peer.name != "FCL" || !peer.enter) continue;
    auto all = peer.enter(Question::distance, scene);
    all.resize(1);  // spheres swept along rectangles: FCL's fastest for distance
    all[0].name = name;
    return all;
  }
  return {};
}

bool fcl_takes_part(const Context& context) {
  const auto all = peers();
  return std::any_of(all.begin(), all.end(), [&](const Peer& p) { return p.name == "FCL" && takes_part(context, p); });
}

/// FCL's public continuous query on the first flights that hit.
void public_call(Context& context, const FlightTask& task, const FlightOutcome& ours) {
  const PeerFirstContact ask = fcl_first_contact(task.a.mesh(), task.b.mesh(), task.tolerance);
  std::vector<double> seconds;
  std::size_t missed = 0, late = 0;
  FlightOutcome same;
  double spent = 0;
  context.progress.begin(task.name + ": FCL's continuous query");
  for (std::size_t i = 0; i < ours.answers.size() && seconds.size() < kPublicCalls && spent < context.patience; ++i) {
    if (ours.answers[i].status != Status::contact) continue;
    const double start = thread_seconds();
    const auto time = ask(task.flights[i]);
    seconds.push_back(thread_seconds() - start);
    spent += seconds.back();
    same.seconds.push_back(ours.seconds[i]);
    missed += !time;
    // Its tolerance is a time tolerance: a result later than the contact by more than that is wrong.
    late += time && *time > ours.answers[i].time.touch + task.tolerance;
  }
  context.progress.clear();
  if (seconds.empty()) return;
  FlightOutcome fcl;
  fcl.seconds = seconds;
  fcl.name = "FCL continuousCollide (RSS)";
  Line line = flight_line(task, fcl);
  line.ratio = time_ratio(same, fcl);
  line.note = fmt::format("{} flights that hit: missed {}, late {}", seconds.size(), missed, late);
  context.table.add(std::move(line));
}

std::vector<Contestant> clocks_of(Context& context, const PeerScene& scene, const FlightTask& task) {
  auto clocks = fcl_distance({scene.a.mesh, scene.b.mesh, poses_along(task.flights, task)}, "one FCL RSS distance");
  const auto poses = with_gap(context.poses, 0.001, 1, 42, meets(scene.a.mesh, scene.a.mesh), [](double) {});
  for (Contestant& one : fcl_distance({scene.a.mesh, scene.a.mesh, poses}, "one FCL RSS distance")) {
    clocks.push_back(std::move(one));
  }
  return clocks;
}

void run_scene(Context& context, const PeerScene& scene) {
  const Body a(scene.a.mesh);
  const bool same = &scene.a.mesh.positions()[0] == &scene.b.mesh.positions()[0];
  FlightTask task{"peers", {}, a, same ? a : Body(scene.b.mesh), {}, kTolerance};
  task.name = fmt::format("{} against {}, {}, {} flights", scene.a.name, same ? "itself" : scene.b.name,
                          scene.turning ? "pi/3 about X and Y" : "translation", context.poses);
  const FlightPlan plan{context.poses, kTolerance, scene.turning, 41};
  const Report report = finding(context, task.name);
  task.flights =
      scene.board ? board_flights(task.a, task.b, plan, report) : crossing_flights(task.a, task.b, plan, report);
  const bool fcl = fcl_takes_part(context);
  const std::vector<Contestant> clocks = fcl ? clocks_of(context, scene, task) : std::vector<Contestant>();
  const auto outcomes = fly_all(context, task, {entrant("best_first")}, clocks);
  Line ours = flight_line(task, outcomes[0]);
  append_note(ours, fmt::format("{}; {:.0f} pairs from the queue a flight", hits(outcomes[0]),
                                iterations(outcomes[0], "best_first")));
  context.table.add(ours);
  for (std::size_t c = 1; c < outcomes.size(); ++c) {
    Line line = flight_line(task, outcomes[c]);
    line.ratio = time_ratio(outcomes[0], outcomes[c]);
    if (c > 1 || !scene.board) {
      line.target = scene.target;
      if (ours.verdict != Verdict::wrong) line.verdict = judge_ratio(*line.ratio, scene.target);
    }
    line.note = c == 1 ? "at poses along the flights" : "body to itself, gaps from 0.001 to 1";
    context.table.add(std::move(line));
  }
  if (fcl && !context.quick) public_call(context, task, outcomes[0]);
}

}  // namespace

void row_rigid_peers(Context& context) {
  for (const PeerScene& scene : scenes(context)) run_scene(context, scene);
}

}  // namespace graze::bench
