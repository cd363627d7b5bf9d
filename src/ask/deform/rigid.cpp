// SPDX-License-Identifier: MIT
#include <graze/ask/deform_rigid.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include <graze/ask/collide.hpp>

#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/refusal.hpp"
#include "engine/deform/step_checks.hpp"
#include "engine/deform/walk/candidates.hpp"
#include "math/vectors.hpp"
#include "motion/path.hpp"

namespace graze {

namespace {

using math::largest;

using engine::deform::FourVertices;

ErrorDetail bad_motion(std::string message, std::uint64_t id = ErrorDetail::none) {
  return core::problem(ErrorCode::bad_option, "motion", std::move(message), id);
}

Mesh all_in_one(const Mesh& deforming, std::span<const Mesh> rigid) {
  std::vector<Vec3> positions(deforming.positions().begin(), deforming.positions().end());
  std::vector<Triangle> triangles(deforming.triangles().begin(), deforming.triangles().end());
  for (const Mesh& m : rigid) {
    const auto base = static_cast<std::uint32_t>(positions.size());
    positions.insert(positions.end(), m.positions().begin(), m.positions().end());
    for (const Triangle& t : m.triangles()) triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
  }
  return Mesh(std::move(positions), std::span<const Triangle>(triangles));
}

}  // namespace

struct DeformableAmongRigid::Data {
  Data(const Mesh& mesh, std::span<const Mesh> bodies)
      : deforming(mesh), rigid(bodies.begin(), bodies.end()), together(all_in_one(mesh, bodies)), topology(together) {
    first.push_back(static_cast<std::uint32_t>(mesh.vertex_count()));
    for (const Mesh& m : rigid) first.push_back(first.back() + static_cast<std::uint32_t>(m.vertex_count()));
    groups.assign(together.vertex_count(), 1);
    std::fill_n(groups.begin(), mesh.vertex_count(), 0u);
    for (const Mesh& m : rigid) placed.emplace_back(m);
  }

  Deformable deforming;
  std::vector<Mesh> rigid;
  std::vector<Body> placed;
  Mesh together;
  engine::deform::Topology topology;
  std::vector<std::uint32_t> first;   // first vertex of each rigid body in `together`, and the end
  std::vector<std::uint32_t> groups;  // by vertex: 0 the deforming mesh, 1 rigid
  std::optional<engine::deform::PatchTree> tree;
  engine::deform::DopTree dops;
  engine::deform::FeatureCandidates candidates;
  engine::deform::PatchWalk patch_walk;
  engine::deform::PatchesLeft left;

  // Data of the current step.
  std::vector<Vec3> start, end;
  struct Arc {
    double deviation;  ///< largest distance of a vertex from its chord over the whole step; for a part it falls with
                       ///< the square of its length
    double error;      ///< error bound of a position computed in double precision
    std::uint64_t parts;
  };
  std::vector<Arc> arcs;

  void place(std::span<const Vec3> next, std::span<const Motion> motions);
  std::optional<ErrorDetail> set_arcs(std::span<const Motion> motions, const DeformOptions& options, double& tolerance);
  std::optional<ErrorDetail> problem(std::span<const Vec3> next, std::span<const Motion> motions,
                                     const DeformOptions& options) const;
  void find_contacts(std::span<const Vec3> next, std::span<const Motion> motions, const DeformOptions& options,
                     MixedResult& result);
  void find_candidates(double margin, const DeformOptions& options);
  void ask(ElementaryKind kind, const FourVertices& v, std::span<const Motion> motions, std::span<const Vec3> next,
           const DeformOptions& options, MixedResult& result) const;
  void find_crossings(std::span<const Motion> motions, const DeformOptions& options, MixedResult& result) const;
};

void DeformableAmongRigid::Data::place(std::span<const Vec3> next, std::span<const Motion> motions) {
  start.assign(deforming.positions().begin(), deforming.positions().end());
  end.assign(next.begin(), next.end());
  for (std::size_t b = 0; b < rigid.size(); ++b) {
    const Placement p = motions[b].at(0), q = motions[b].at(1);
    for (const Vec3& x : rigid[b].positions()) {
      start.push_back(p.apply(x));
      end.push_back(q.apply(x));
    }
  }
}

/// Sets the tolerance, and for each body the number of parts that its step is divided into.
std::optional<ErrorDetail> DeformableAmongRigid::Data::set_arcs(std::span<const Motion> motions,
                                                                const DeformOptions& options, double& tolerance) {
  double size = 0;
  for (const auto& list : {&start, &end})
    for (const Vec3& x : *list) size = std::max(size, largest(x - start[0]));
  tolerance = options.tolerance.value_or(1e-6 * size);
  arcs.clear();
  for (std::size_t b = 0; b < rigid.size(); ++b) {
    const motion::Path& path = motions[b].path();
    double r = 0, far = 0;
    for (const Vec3& x : rigid[b].positions()) r = std::max(r, length(x - path.reference()));
    for (std::uint32_t v = first[b]; v < first[b + 1]; ++v) far = std::max({far, largest(start[v]), largest(end[v])});
    const motion::Bounds& m = path.bounds();
    // In a part of length h, a path with |x''| <= k is within k h^2 / 8 of its chord at the same time (the error of
    // linear interpolation).
    Arc a{1.001 * (m.acceleration + m.turn_acceleration * r) / 8,
          1.001 * (m.error + m.turn_error * r) + 0x1p-48 * (far + r + size), 1};
    const double wanted = std::sqrt(a.deviation / (tolerance / 4));
    if (!(wanted < 1e6) || !(16 * a.error < tolerance))
      return bad_motion(
          "this body turns too far in one step for this tolerance: ask for shorter steps or a larger tolerance", b);
    a.parts = static_cast<std::uint64_t>(wanted) + 1;
    arcs.push_back(a);
  }
  return std::nullopt;
}

void DeformableAmongRigid::Data::find_candidates(double margin, const DeformOptions& options) {
  const engine::deform::MovingVertices at{start, end};
  if (!tree) {
    tree.emplace(engine::deform::build_patch_tree(topology, engine::deform::sweep_boxes(topology, at, options.threads),
                                                  options.threads));
    topology.number_by(tree->position);
  }
  dops.refit(topology, *tree, at, margin, !options.both_ends, options.threads);
  const std::vector<engine::deform::ContinuousCone> no_cones;
  patch_walk.run({topology, *tree, dops, no_cones, at, false, false}, left);
  candidates.clear();
  // Groups instead of connected components: only pairs of the deforming mesh and a rigid body, which are never
  // adjacent.
  engine::deform::find_candidates({topology, *tree, dops, groups, false, options.directions, true, false, true},
                                  left.pairs, options.threads, candidates);
}

void DeformableAmongRigid::Data::ask(ElementaryKind kind, const FourVertices& v, std::span<const Motion> motions,
                                     std::span<const Vec3> next, const DeformOptions& options,
                                     MixedResult& result) const {
  const auto n = first[0];
  const bool rigid_first = v[0] >= n;
  const std::uint32_t of = rigid_first ? v[0] : v[3];
  const auto body = static_cast<std::uint32_t>(std::upper_bound(first.begin(), first.end(), of) - first.begin() - 1);
  const Arc& arc = arcs[body];
  const double parts = static_cast<double>(arc.parts);
  ElementaryOptions asked;
  asked.tolerance = result.tolerance / 4;
  asked.min_separation = options.min_separation + arc.deviation / (parts * parts) + arc.error;
  const auto at = [&](std::uint32_t vertex, double t, const Placement& p) {
    if (vertex < n) return t >= 1 ? next[vertex] : start[vertex] + (next[vertex] - start[vertex]) * t;
    return p.apply(rigid[body].positions()[vertex - first[body]]);
  };
  Placement from = motions[body].at(0);
  for (std::uint64_t part = 0; part < arc.parts; ++part) {
    const double t0 = static_cast<double>(part) / parts, t1 = static_cast<double>(part + 1) / parts;
    const Placement to = motions[body].at(t1);
    ElementaryQuery q{kind, {}, {}};
    for (std::size_t k = 0; k < 4; ++k) {
      q.start[k] = at(v[k], t0, from);
      q.end[k] = at(v[k], t1, to);
    }
    from = to;
    if (part % 64 == 63) core::poll_once();
    const ElementaryResult r = elementary_contact(q, asked);
    ++result.counters.elementary_tests;
    result.counters.motion_steps += r.steps;
    if (r.status == Status::free) continue;
    // Times within the part. t_safe is rounded down by more than the sum can be rounded up.
    const double safe = part == 0 && r.time.safe == 0 ? 0.0 : (t0 + r.time.safe / parts) * (1 - 0x1p-51);
    MixedContact c{body, rigid_first, {kind, v, {safe, std::min(1.0, t0 + r.time.touch / parts)}, r.gap, false}};
    c.contact.at_start = c.contact.time.touch == 0;
    for (std::uint32_t& x : c.contact.vertices)
      if (x >= n) x -= first[body];
    result.contacts.push_back(c);
    return;
  }
}

void DeformableAmongRigid::Data::find_crossings(std::span<const Motion> motions, const DeformOptions& options,
                                                MixedResult& result) const {
  const Body soft(Mesh(std::vector<Vec3>(start.begin(), start.begin() + first[0]), deforming.mesh().triangles()));
  CollideOptions asked;
  asked.all = true;
  asked.threads = options.threads;
  for (std::uint32_t b = 0; b < rigid.size(); ++b) {
    const std::optional<Pose> pose = motions[b].path().start();
    const CollideResult r = collide(soft, Pose(), placed[b], *pose, asked);
    result.counters += r.counters;
    for (const TrianglePair& p : r.pairs) result.crossing_at_start.push_back({b, p});
  }
}

DeformableAmongRigid::DeformableAmongRigid(const Mesh& deforming, std::span<const Mesh> rigid)
    : data_(std::make_unique<Data>(deforming, rigid)) {}
DeformableAmongRigid::~DeformableAmongRigid() = default;
DeformableAmongRigid::DeformableAmongRigid(DeformableAmongRigid&&) noexcept = default;
DeformableAmongRigid& DeformableAmongRigid::operator=(DeformableAmongRigid&&) noexcept = default;

/// Everything is checked before anything is changed, so that the call can be repeated.
std::optional<ErrorDetail> DeformableAmongRigid::Data::problem(std::span<const Vec3> next,
                                                               std::span<const Motion> motions,
                                                               const DeformOptions& options) const {
  if (motions.size() != rigid.size())
    return bad_motion("there must be one motion for each rigid body: " + std::to_string(rigid.size()) + ", not " +
                      std::to_string(motions.size()));
  for (std::size_t b = 0; b < motions.size(); ++b) {
    if (!motions[b].path().kinematic()) return bad_motion("a caller's own motion has no bound on its acceleration", b);
    if (options.crossing_at_start && !motions[b].path().start())
      return bad_motion("crossing at the start is decided for motions that start at a pose; ask without it", b);
  }
  if (auto found = engine::deform::step_positions_problem(next, deforming.positions().size())) return found;
  return engine::deform::step_options_problem(options);
}

void DeformableAmongRigid::Data::find_contacts(std::span<const Vec3> next, std::span<const Motion> motions,
                                               const DeformOptions& options, MixedResult& result) {
  double margin = 0;
  for (const Arc& a : arcs) margin = std::max(margin, a.deviation + a.error);
  try {
    find_candidates(margin + options.min_separation + result.tolerance, options);
  } catch (const core::Stopped&) {
    tree.reset();  // it may be half built
    throw;
  }
  result.counters += candidates.counters;
  core::Poll poll;
  const auto ask_all = [&](ElementaryKind kind, const std::vector<FourVertices>& list) {
    for (const FourVertices& v : list) {
      ask(kind, v, motions, next, options, result);
      poll();
    }
  };
  ask_all(ElementaryKind::vertex_face, candidates.vertex_face);
  ask_all(ElementaryKind::edge_edge, candidates.edge_edge);
  if (options.crossing_at_start) find_crossings(motions, options, result);
}

void DeformableAmongRigid::step(std::span<const Vec3> next, std::span<const Motion> motions,
                                const DeformOptions& options, MixedResult& result) {
  const core::FpGuard guard;
  Data& d = *data_;
  result = MixedResult{};
  if (core::refused(result, d.problem(next, motions, options))) return;
  d.place(next, motions);
  if (!d.rigid.empty() && core::refused(result, d.set_arcs(motions, options, result.tolerance))) return;
  DeformOptions asked = options;
  if (options.work > 0) asked.threads = 1;  // work is counted by one thread
  asked.budget.reset();
  asked.cancel = {};
  core::Limits limits(options);
  bool moved = false;
  const bool ended = core::run_within(limits, [&](core::Limits*) {
    if (!d.rigid.empty()) d.find_contacts(next, motions, asked, result);
    moved = true;
    d.deforming.step(next, asked, result.own);
  });
  if (!moved) {  // the deforming mesh gets to its new positions in any case
    const CancelSource already;
    already.cancel();
    asked.cancel = already.token();
    d.deforming.step(next, asked, result.own);
  }
  if (options.method_counters && !d.rigid.empty()) *options.method_counters += d.candidates.counters;
  if (!ended || result.own.status == Status::undecided) {
    result.status = Status::undecided;
    result.time = {0, math::not_a_number};
    result.contacts.clear();
    result.crossing_at_start.clear();
    return core::leave_if_outer_ended(limits);
  }
  const auto name = [](const MixedContact& c) {
    return std::tuple(c.body, c.contact.kind, c.rigid_first, c.contact.vertices);
  };
  std::sort(result.contacts.begin(), result.contacts.end(),
            [&](const MixedContact& x, const MixedContact& y) { return name(x) < name(y); });
  // Duplicate faces give the same contact of a vertex twice.
  const auto same = [&](const MixedContact& x, const MixedContact& y) { return name(x) == name(y); };
  result.contacts.erase(std::unique(result.contacts.begin(), result.contacts.end(), same), result.contacts.end());
  const auto first = std::min_element(
      result.contacts.begin(), result.contacts.end(),
      [](const MixedContact& x, const MixedContact& y) { return x.contact.time.touch < y.contact.time.touch; });
  result.time = result.own.time;
  if (first != result.contacts.end() && !(result.own.time.touch <= first->contact.time.touch))
    result.time = first->contact.time;
  if (!options.all && !result.contacts.empty()) result.contacts.assign(1, MixedContact(*first));
  result.status = result.own.status == Status::free && result.contacts.empty() && result.crossing_at_start.empty()
                      ? Status::free
                      : Status::contact;
}

MixedResult DeformableAmongRigid::step(std::span<const Vec3> next, std::span<const Motion> motions,
                                       const DeformOptions& options) {
  MixedResult result;
  step(next, motions, options, result);
  return result;
}

}  // namespace graze
