// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <tuple>

#include <graze/ask/collide.hpp>

#include "ask/deform/scene_data.hpp"
#include "core/limits.hpp"
#include "core/refusal.hpp"
#include "engine/deform/step_checks.hpp"
#include "engine/deform/walk/parting.hpp"
#include "math/vectors.hpp"

namespace graze {

using math::largest;

std::size_t DeformScene::Data::place(std::uint32_t vertex) const {
  const auto after = std::upper_bound(order.begin(), order.end(), vertex,
                                      [&](std::uint32_t v, std::uint32_t i) { return v < members[i].vertex; });
  return static_cast<std::size_t>(after - order.begin() - 1);
}

/// Everything is checked before anything is changed, so that the call can be repeated.
std::optional<ErrorDetail> DeformScene::Data::problem(const DeformOptions& options) const {
  for (std::size_t i = 0; i < members.size(); ++i) {
    const SceneMember& m = members[i];
    if (m.deforming) continue;
    const motion::Path& path = m.motion.path();
    const auto bad = [&](const char* message) { return core::problem(ErrorCode::bad_option, "motion", message, i); };
    if (!path.kinematic()) return bad("a caller's own motion has no bounds on its derivatives");
  }
  return engine::deform::step_options_problem(options);
}

/// In how many parts the step is asked; 0: too many.
std::uint64_t DeformScene::Data::parts(bool with_rigid_bodies, double tolerance) const {
  // Measured: with smaller bends and shorter parts, the elementary queries take less time, and the tree more.
  double edges = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < soft_count; ++i) {
    const SceneMember& m = members[order[i]];
    for (const Triangle& t : m.mesh->triangles()) edges += length(m.now[t[0]] - m.now[t[1]]);
    for (const auto& [a, b] : m.mesh->edges()) edges += length(m.now[a] - m.now[b]);
    count += m.mesh->triangle_count() + m.mesh->edges().size();
  }
  const double bend = std::max(edges / (128 * std::max(static_cast<double>(count), 1.0)), tolerance);
  std::uint64_t most = 1;
  for (std::size_t i = 0; i < (with_rigid_bodies ? order.size() : soft_count); ++i) {
    const SceneMember& m = members[order[i]];
    std::uint64_t n = 1;
    if (!m.deforming) {
      if (asleep[i]) continue;
      n = engine::deform::parts_for({m.mesh->positions(), m.motion.path(), far[i]}, tolerance / 64, bend);
      if (n == 0) return 0;
    } else if (m.is_curved()) {
      n = engine::deform::parts_for(m.now, m.control, bend);
    }
    most = std::max(most, n);
  }
  return most;
}

/// A contact in the numbers of the bodies.
void DeformScene::Data::add(const DeformContact& c, SceneResult& result) const {
  const std::size_t second = c.kind == ElementaryKind::edge_edge ? 2 : 1;
  SceneContact s{SceneBodyId{order[place(c.vertices[0])]}, SceneBodyId{order[place(c.vertices[second])]}, c};
  for (std::size_t k = 0; k < 4; ++k) s.contact.vertices[k] -= members[index(k < second ? s.a : s.b)].vertex;
  if (c.kind == ElementaryKind::edge_edge && s.b < s.a) {
    std::swap(s.a, s.b);
    std::swap(s.contact.vertices[0], s.contact.vertices[2]);
    std::swap(s.contact.vertices[1], s.contact.vertices[3]);
  }
  result.contacts.push_back(s);
}

void DeformScene::Data::search(bool with_rigid_bodies, std::uint64_t parts, double until, const DeformOptions& options,
                               bool may_part, double tolerance, AllCounters& counters) {
  const std::size_t bodies = with_rigid_bodies ? order.size() : soft_count;
  std::vector<engine::deform::PathBody> all(bodies);
  for (std::size_t i = 0; i < bodies; ++i) {
    const SceneMember& m = members[order[i]];
    all[i].begin = m.vertex;
    all[i].end = m.vertex + static_cast<std::uint32_t>(m.mesh->vertex_count());
    all[i].group = m.deforming ? 0 : 1;
    all[i].radius = m.radius;
    all[i].core = m.core;
    all[i].asleep = asleep[i];
  }
  engine::deform::PathWalk& walk = with_rigid_bodies ? *with_rigid : *among_soft;
  found.clear();
  // Of the deforming bodies among themselves, what `self` excludes: it must not end the search for the earliest.
  const std::vector<std::uint32_t> pieces =
      !with_rigid_bodies && !options.self ? engine::deform::pieces(soft->mesh()) : std::vector<std::uint32_t>();
  const auto counts = [&](const DeformContact& c) {
    const std::size_t second = c.kind == ElementaryKind::edge_edge ? 2 : 1;
    return pieces.empty() || pieces[c.vertices[0]] != pieces[c.vertices[second]];
  };
  for (std::uint64_t part = 0; part < parts; ++part) {
    const double n = static_cast<double>(parts), t0 = until * (static_cast<double>(part) / n),
                 t1 = part + 1 == parts ? until : until * (static_cast<double>(part + 1) / n);
    paths.clear(all, all.back().end);
    for (std::size_t i = 0; i < bodies; ++i) {
      const SceneMember& m = members[order[i]];
      if (asleep[i])
        engine::deform::put_aside(now[0], i, paths);
      else if (!m.deforming)
        engine::deform::add_rigid({m.mesh->positions(), m.motion.path(), far[i]}, t0, t1, i, paths);
      else if (m.is_curved())
        engine::deform::add_polynomials(m.now, m.control, t0, t1, i, paths);
      else
        engine::deform::add_straight(m.now, m.end(), t0, t1, i, paths);
    }
    walk.find({paths, t0, t1, tolerance, options.min_separation, options.both_ends, options.directions, options.threads,
               may_part},
              found, counters);
    if (!options.all && std::any_of(found.begin(), found.end(), counts)) break;
  }
  std::erase_if(found, [&](const DeformContact& c) { return !counts(c); });
}

double DeformScene::Data::measure(const DeformOptions& options) {
  Box3 all;
  std::vector<Box3> boxes(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const SceneMember& m = members[order[i]];
    if (m.deforming) {
      for (const Vec3& x : m.now) boxes[i].add(x);
      for (const std::vector<Vec3>& points : m.control)
        for (const Vec3& x : points) boxes[i].add(x);
    } else {
      boxes[i] = engine::deform::swept_box({m.mesh->positions(), m.motion.path(), far[i]});
      for (const double t : {0.0, 1.0})
        for (const Vec3& x : m.mesh->positions()) all.add(m.motion.at(t).apply(x));
    }
    if (m.deforming) all.add(boxes[i]);
  }
  for (const SceneMember& m : members)
    if (!m.deforming && !m.mesh && !m.is_half_space())
      for (const double t : {0.0, 1.0})
        for (unsigned corner = 0; corner < 8; ++corner) {
          const Box3& b = m.body->data().box();
          all.add(m.motion.at(t).apply(
              {corner & 1 ? b.hi.x : b.lo.x, corner & 2 ? b.hi.y : b.lo.y, corner & 4 ? b.hi.z : b.lo.z}));
        }
  const double size = largest(all.hi - all.lo);
  asleep.assign(order.size(), false);
  for (std::size_t i = soft_count; i < order.size(); ++i) {
    const double around =
        (members[order[i]].radius + options.min_separation + options.tolerance.value_or(1e-6 * size)) * (1 + 0x1p-40) +
        0x1p-40 * (largest(all.lo) + largest(all.hi));
    const Vec3 margin{around, around, around};
    const Box3 near{boxes[i].lo - margin, boxes[i].hi + margin};
    asleep[i] = std::none_of(boxes.begin(), boxes.begin() + static_cast<std::ptrdiff_t>(soft_count),
                             [&](const Box3& b) { return b.overlaps(near); });
  }
  return size;
}

namespace {

ErrorDetail too_coarse() {
  return core::problem(
      ErrorCode::bad_option, "motion",
      "a body turns too far, or is too far away, for this tolerance: ask for shorter steps or a larger tolerance");
}

}  // namespace

std::optional<ErrorDetail> DeformScene::Data::ask_all(const DeformOptions& options, const StepSizeOptions* step_size,
                                                      SceneResult& result, AllCounters& counters) {
  build();
  last_threads = options.threads;
  gather();
  if (soft_count == 0) return std::nullopt;
  const double size = measure(options);
  result.tolerance = options.tolerance.value_or(1e-6 * size);
  const bool rigid =
      std::find(asleep.begin() + static_cast<std::ptrdiff_t>(soft_count), asleep.end(), false) != asleep.end();
  const bool curved = any_curved();
  const std::uint64_t with_rigid_parts = rigid ? parts(true, result.tolerance) : 1;
  double error = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const SceneMember& m = members[order[i]];
    if (!m.deforming && !asleep[i])
      error = std::max(error, engine::deform::placing_error({m.mesh->positions(), m.motion.path(), far[i]}));
  }
  if (rigid && (with_rigid_parts == 0 || !(256 * error < result.tolerance))) return too_coarse();
  const bool may_part = step_size && step_size->ignore_start_if_separating;
  const std::uint64_t curved_parts = curved ? parts(false, result.tolerance) : 1;
  /// Certifies what may be certified quickly, for a question that a limit ends: as in `StepWalk::find_earliest`.
  const auto certify = [&](double until) {
    if (!core::current_limits()) return;
    DeformOptions earliest = options;
    earliest.all = false;
    double safe = until;
    const auto look = [&](bool with_rigid_bodies, std::uint64_t whole) {
      const double count = std::ceil(static_cast<double>(whole) * until);
      search(with_rigid_bodies, static_cast<std::uint64_t>(count), until, earliest, may_part, result.tolerance,
             counters);
      for (const DeformContact& c : found) safe = std::min(safe, c.time.safe);
    };
    if (rigid) look(true, with_rigid_parts);
    if (curved) look(false, curved_parts);
    certified.paths = rigid || curved ? safe : 1;
  };
  if (!find_at_shapes(options, may_part, result)) return too_coarse();
  certified.shapes = 1;
  for (const SceneContact& c : result.contacts) certified.shapes = std::min(certified.shapes, c.contact.time.safe);
  if (options.crossing_at_start) find_crossings(options, result);
  certify(0x1p-6);
  soft->set_positions(now);
  if (step_size && !curved)
    ask_soft_step_size(*step_size, result, counters);
  else if (!curved || options.crossing_at_start)
    ask_soft(options, result, counters);
  certified.straight = curved ? 1 : result.time.safe;
  certify(0x1p-3);
  const auto find = [&](bool with_rigid_bodies, std::uint64_t whole) {
    search(with_rigid_bodies, whole, 1, options, may_part, result.tolerance, counters);
    for (const DeformContact& c : found) add(c, result);
  };
  if (rigid) find(true, with_rigid_parts);
  if (curved) find(false, curved_parts);
  return std::nullopt;
}

void DeformScene::Data::ask(const DeformOptions& options, const StepSizeOptions* step_size, SceneResult& result) {
  DeformOptions asked = options;
  if (options.work > 0) asked.threads = 1;  // work is counted by one thread
  asked.budget.reset();
  asked.cancel = {};
  result.time = {1, math::not_a_number};
  certified = {};
  core::Limits limits(options);
  AllCounters counters;
  std::optional<ErrorDetail> refusal;
  const bool ended =
      core::run_within(limits, [&](core::Limits*) { refusal = ask_all(asked, step_size, result, counters); });
  if (core::refused(result, std::move(refusal))) return;
  core::report(counters, result.counters, options.method_counters);
  if (!ended) {
    result.status = Status::undecided;
    result.time = {std::min({certified.paths, certified.straight, certified.shapes}), math::not_a_number};
    if (step_size && !(result.crossing_at_start.empty() && result.edges_crossing_at_start.empty()))
      result.time.safe = 0;
    result.contacts.clear();
    result.crossing_at_start.clear();
    result.edges_crossing_at_start.clear();
    return core::leave_if_outer_ended(limits);
  }
  const auto name = [](const SceneContact& c) { return std::tuple(c.a, c.b, c.contact.kind, c.contact.vertices); };
  std::sort(result.contacts.begin(), result.contacts.end(),
            [&](const SceneContact& x, const SceneContact& y) { return name(x) < name(y); });
  const auto key = [](const SceneCrossing& c) { return std::tuple(c.a, c.b, c.triangles.a, c.triangles.b); };
  std::sort(result.crossing_at_start.begin(), result.crossing_at_start.end(),
            [&](const SceneCrossing& x, const SceneCrossing& y) { return key(x) < key(y); });
  const auto edge_key = [](const SceneEdgeCrossing& c) {
    return std::tuple(c.a, c.b, c.crossing.edge, c.crossing.triangle);
  };
  std::sort(result.edges_crossing_at_start.begin(), result.edges_crossing_at_start.end(),
            [&](const SceneEdgeCrossing& x, const SceneEdgeCrossing& y) { return edge_key(x) < edge_key(y); });
  const auto first = std::min_element(
      result.contacts.begin(), result.contacts.end(),
      [](const SceneContact& x, const SceneContact& y) { return x.contact.time.touch < y.contact.time.touch; });
  if (first != result.contacts.end()) {
    result.time.touch = first->contact.time.touch;
    for (const SceneContact& c : result.contacts) result.time.safe = std::min(result.time.safe, c.contact.time.safe);
    if (!options.all) result.contacts.assign(1, SceneContact(*first));
  }
  const bool crossing = !result.crossing_at_start.empty() || !result.edges_crossing_at_start.empty();
  result.status = result.contacts.empty() && !crossing ? Status::free : Status::contact;
}

}  // namespace graze
