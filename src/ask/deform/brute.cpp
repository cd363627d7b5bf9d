// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <vector>

#include <graze/ask/collide.hpp>
#include <graze/ask/deform_brute.hpp>
#include <graze/ask/deform_filter.hpp>

#include "core/clock.hpp"
#include "core/counter_sum.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/refusal.hpp"
#include "engine/deform/filter/touch_rules.hpp"
#include "engine/deform/step_checks.hpp"
#include "engine/deform/walk/feature_tests.hpp"

namespace graze {

namespace {

using FourVertices = std::array<std::uint32_t, 4>;
using Edge = std::array<std::uint32_t, 2>;
using engine::deform::TouchRules;
constexpr std::uint32_t nobody = 0xFFFFFFFF;

using core::now;

/// The triangles; then loose edges and points, as faces all of whose corners are on the edge or at the point.
std::vector<Triangle> faces_of(const Mesh& mesh) {
  std::vector<Triangle> faces(mesh.triangles().begin(), mesh.triangles().end());
  for (const auto& [a, b] : mesh.edges()) faces.push_back({std::min(a, b), std::max(a, b), std::max(a, b)});
  for (const std::uint32_t p : mesh.points()) faces.push_back({p, p, p});
  return faces;
}

/// The connected component of each vertex that a face uses; `nobody` for the others.
std::vector<std::uint32_t> pieces_of(const Mesh& mesh, std::span<const Triangle> faces) {
  const std::vector<std::uint32_t> component = vertex_bodies(mesh);
  std::vector<std::uint32_t> piece(mesh.vertex_count(), nobody);
  for (const Triangle& t : faces)
    for (const std::uint32_t v : t) piece[v] = component[v];
  return piece;
}

bool is_corner(const Triangle& t, std::uint32_t v) { return v == t[0] || v == t[1] || v == t[2]; }

std::vector<Edge> edges_of(const Mesh& mesh) {
  std::vector<Edge> edges;
  for (const Triangle& t : mesh.triangles())
    for (std::size_t k = 0; k < 3; ++k)
      edges.push_back({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
  for (const auto& [a, b] : mesh.edges())
    if (a != b) edges.push_back({std::min(a, b), std::max(a, b)});
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

class EveryPair {
 public:
  EveryPair(const Mesh& mesh, std::span<const Vec3> from, std::span<const Vec3> to, const TouchRules* rules,
            const DeformOptions& options, DeformResult& result)
      : mesh_(mesh),
        from_(from),
        to_(to),
        rules_(rules),
        options_(options),
        result_(result),
        faces_(faces_of(mesh)),
        piece_(pieces_of(mesh, faces_)) {}

  void vertex_faces() {
    for (std::uint32_t v = 0; v < mesh_.vertex_count(); ++v) {
      if (piece_[v] == nobody) continue;
      for (const Triangle& t : faces_)
        if (v != t[0] && v != t[1] && v != t[2] && wanted(v, t[0]))
          add(ElementaryKind::vertex_face, {v, t[0], t[1], t[2]});
    }
    flush(ElementaryKind::vertex_face);
  }

  void edge_edges() {
    const std::vector<Edge> edges = edges_of(mesh_);
    for (std::size_t i = 0; i < edges.size(); ++i)
      for (std::size_t j = i + 1; j < edges.size(); ++j) {
        const Edge &a = edges[i], &b = edges[j];
        if (a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1] || !wanted(a[0], b[0])) continue;
        add(ElementaryKind::edge_edge, {a[0], a[1], b[0], b[1]});
      }
    flush(ElementaryKind::edge_edge);
  }

  void crossings() {
    const SelfCollideResult hits =
        self_collide(Body(Mesh({from_.begin(), from_.end()}, faces_)), {.method = "brute", .all = true});
    result_.counters += hits.counters;
    const auto surface = static_cast<std::uint32_t>(mesh_.triangle_count());
    for (const SelfPair& p : hits.pairs) {
      const Triangle &a = faces_[index(p.a)], &b = faces_[index(p.b)];
      if (!wanted(a[0], b[0]) || (rules_ && !rules_->any_may(a, b))) continue;
      if (index(p.b) < surface)
        result_.crossing_at_start.push_back({p.a, p.b});
      else if (index(p.a) < surface && b[0] != b[1] && !(is_corner(a, b[0]) && is_corner(a, b[1])))
        result_.edges_crossing_at_start.push_back({index(p.b) - surface, p.a});
    }
    std::sort(result_.edges_crossing_at_start.begin(), result_.edges_crossing_at_start.end(),
              [](const EdgeCrossing& x, const EdgeCrossing& y) {
                return x.edge != y.edge ? x.edge < y.edge : index(x.triangle) < index(y.triangle);
              });
  }

 private:
  bool wanted(std::uint32_t v, std::uint32_t w) const { return options_.self || piece_[v] != piece_[w]; }

  void add(ElementaryKind kind, const FourVertices& vertices) {
    poll_.rarely();
    if (rules_ && !rules_->features_may(vertices, kind == ElementaryKind::vertex_face ? 1 : 2)) return;
    pairs_.push_back(vertices);
    if (pairs_.size() == 1 << 15) flush(kind);
  }
  void flush(ElementaryKind kind) {
    queries_.resize(pairs_.size());
    answers_.resize(pairs_.size());
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      for (std::size_t k = 0; k < 4; ++k) {
        queries_[i][k] = from_[pairs_[i][k]];
        queries_[i][4 + k] = to_[pairs_[i][k]];
      }
    ElementaryOptions asked;
    asked.tolerance = options_.tolerance;
    asked.min_separation = options_.min_separation;
    asked.exact = options_.exact;
    elementary_contacts(kind, queries_, asked, options_.work > 0 ? 1 : options_.threads, answers_);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const ElementaryResult& r = answers_[i];
      result_.counters.motion_steps += r.steps;
      if (r.status == Status::free) continue;
      result_.contacts.push_back({kind, pairs_[i], r.time, r.gap, r.status == Status::touching_at_start});
    }
    result_.counters.elementary_tests += pairs_.size();
    pairs_.clear();
  }

  const Mesh& mesh_;
  std::span<const Vec3> from_, to_;
  const TouchRules* rules_;
  const DeformOptions& options_;
  DeformResult& result_;
  std::vector<Triangle> faces_;
  std::vector<std::uint32_t> piece_;
  std::vector<FourVertices> pairs_;
  std::vector<std::array<Vec3, 8>> queries_;
  std::vector<ElementaryResult> answers_;
  core::Poll poll_;
};

void ask_every_pair(const Mesh& mesh, std::span<const Vec3> from, std::span<const Vec3> to, const TouchRules* rules,
                    const DeformOptions& options, DeformResult& result) {
  const core::FpGuard guard;
  result = DeformResult{};
  core::clear(options.method_counters);
  result.time = {0, std::numeric_limits<double>::quiet_NaN()};
  if (core::refused(result, engine::deform::step_positions_problem(from, mesh.vertex_count())) ||
      core::refused(result, engine::deform::step_positions_problem(to, mesh.vertex_count())) ||
      core::refused(result, engine::deform::step_options_problem(options)))
    return;
  const double begin = core::now();
  DeformResult found;
  core::Limits limits(options);
  const bool ended = core::run_within(limits, [&](core::Limits*) {
    EveryPair every(mesh, from, to, rules, options, found);
    every.vertex_faces();
    every.edge_edges();
    const double tested = core::now();
    found.seconds.elementary = tested - begin;
    if (options.crossing_at_start) every.crossings();
    engine::deform::ContactSorter().sort(found.contacts, mesh.vertex_count(), options.threads);
    found.seconds.start = core::now() - tested;
  });
  if (ended) {
    const auto first = std::min_element(found.contacts.begin(), found.contacts.end(), engine::deform::earlier);
    found.time = {1, std::numeric_limits<double>::quiet_NaN()};
    if (first != found.contacts.end()) found.time = first->time;
    for (const DeformContact& c : found.contacts) found.time.safe = std::min(found.time.safe, c.time.safe);
    const bool crossing = !found.crossing_at_start.empty() || !found.edges_crossing_at_start.empty();
    found.status = found.contacts.empty() && !crossing ? Status::free : Status::contact;
    if (!options.all && !found.contacts.empty()) found.contacts = {DeformContact(*first)};
    result = std::move(found);
  } else {
    result.counters = found.counters;
  }
  result.seconds.total = core::now() - begin;
  core::leave_if_outer_ended(limits);
}

}  // namespace

void deform_brute(const Mesh& mesh, std::span<const Vec3> from, std::span<const Vec3> to, const DeformOptions& options,
                  DeformResult& result) {
  ask_every_pair(mesh, from, to, nullptr, options, result);
}

DeformResult deform_brute(const Mesh& mesh, std::span<const Vec3> from, std::span<const Vec3> to,
                          const DeformFilter& filter, const DeformOptions& options) {
  const TouchRules rules(filter, mesh.vertex_count());
  DeformResult result;
  ask_every_pair(mesh, from, to, &rules, options, result);
  return result;
}

DeformResult deform_brute(const Mesh& mesh, std::span<const Vec3> from, std::span<const Vec3> to,
                          const DeformOptions& options) {
  DeformResult result;
  deform_brute(mesh, from, to, options, result);
  return result;
}

}  // namespace graze
