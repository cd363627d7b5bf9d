// SPDX-License-Identifier: MIT
#include <graze/query/deform.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>

#include <graze/query/collide.hpp>

#include "core/fp_guard.hpp"
#include "query/deform/candidates.hpp"
#include "query/deform/dop_tree.hpp"
#include "query/deform/representatives.hpp"

namespace graze {

namespace {

using query::FourVertices;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

[[noreturn]] void refuse(ErrorCode code, std::string message, std::uint64_t id = ErrorDetail::none) {
  throw Error({.code = code,
               .message = std::move(message),
               .element = id == ErrorDetail::none ? "positions" : "vertex",
               .id = id,
               .file = {},
               .line = ErrorDetail::none});
}

}  // namespace

struct Deformable::Data {
  explicit Data(const Mesh& m)
      : mesh(m),
        positions(m.positions().begin(), m.positions().end()),
        representatives(query::representatives(m)),
        pieces(query::pieces(m)) {}

  Mesh mesh;
  std::vector<Vec3> positions;
  std::vector<std::uint8_t> representatives;
  std::vector<std::uint32_t> pieces;
  std::optional<query::DopTree> tree;

  // Scratch, kept from step to step.
  std::vector<std::array<Vec3, 8>> queries;
  std::vector<ElementaryResult> answers;

  void check(std::span<const Vec3> next) const {
    if (next.size() != positions.size())
      refuse(ErrorCode::bad_option, "there must be as many positions as vertices: " + std::to_string(positions.size()) +
                                        ", not " + std::to_string(next.size()));
    for (std::size_t i = 0; i < next.size(); ++i)
      if (!is_finite(next[i])) refuse(ErrorCode::not_finite, "the coordinates of a position must be finite numbers", i);
  }

  void elementary(ElementaryKind kind, const std::vector<FourVertices>& list, std::span<const Vec3> next,
                  const DeformOptions& options, DeformResult& result) {
    ElementaryOptions asked;
    asked.tolerance = options.tolerance;
    asked.min_separation = options.min_separation;
    asked.exact = options.exact;
    constexpr std::size_t batch = 1 << 15;
    for (std::size_t first = 0; first < list.size(); first += batch) {
      const std::size_t n = std::min(batch, list.size() - first);
      queries.resize(n);
      answers.resize(n);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < 4; ++k) {
          queries[i][k] = positions[list[first + i][k]];
          queries[i][4 + k] = next[list[first + i][k]];
        }
      elementary_contacts(kind, queries, asked, options.threads, answers);
      for (std::size_t i = 0; i < n; ++i) {
        const ElementaryResult& r = answers[i];
        result.counters.motion_steps += r.steps;
        if (r.status == Status::free) continue;
        result.contacts.push_back({kind, list[first + i], r.time, r.gap, r.status == Status::touching_at_start});
      }
    }
    result.counters.elementary_tests += list.size();
  }

  void find_crossings(const DeformOptions& options, DeformResult& result) const {
    SelfCollideOptions asked;
    asked.all = true;
    asked.threads = options.threads;
    const SelfCollideResult hits =
        self_collide(Body(Mesh(positions, mesh.triangles()), {.threads = options.threads}), asked);
    result.counters += hits.counters;
    for (const SelfPair& p : hits.pairs) {
      const bool same = pieces[mesh.triangles()[index(p.a)][0]] == pieces[mesh.triangles()[index(p.b)][0]];
      if (options.self || !same) result.crossing_at_start.push_back({p.a, p.b});
    }
  }
};

Deformable::Deformable(const Mesh& mesh) : data_(std::make_unique<Data>(mesh)) {}
Deformable::~Deformable() = default;
Deformable::Deformable(Deformable&&) noexcept = default;
Deformable& Deformable::operator=(Deformable&&) noexcept = default;

const Mesh& Deformable::mesh() const { return data_->mesh; }
std::span<const Vec3> Deformable::positions() const { return data_->positions; }
std::size_t Deformable::bytes() const {
  return (data_->tree ? data_->tree->bytes() : 0) + data_->positions.size() * sizeof(Vec3) +
         data_->representatives.size() + data_->pieces.size() * sizeof(std::uint32_t);
}

DeformResult Deformable::step(std::span<const Vec3> positions, const DeformOptions& options) {
  DeformResult result;
  step(positions, options, result);
  return result;
}

void Deformable::step(std::span<const Vec3> next, const DeformOptions& options, DeformResult& result) {
  const core::FpGuard guard;
  Data& d = *data_;
  d.check(next);
  if (options.directions != 3 && options.directions != query::dop_directions)
    refuse(ErrorCode::bad_option, "the bounds have 3 or 9 directions");
  if (!(options.min_separation >= 0 && std::isfinite(options.min_separation)) ||
      (options.tolerance && !(*options.tolerance > 0 && std::isfinite(*options.tolerance))))
    refuse(ErrorCode::bad_option, "tolerance and minimum separation must be finite distances, the tolerance positive");
  if (options.exact && options.min_separation > 0)
    refuse(ErrorCode::unsupported, "exact answers are about touching: ask without a minimum separation");
  result = DeformResult{};
  const double begin = now();
  if (!d.tree) d.tree.emplace(d.mesh, d.positions, next, options.threads);
  const double built = now();
  // What elementary queries may call a contact must not be cut off: their default tolerance is relative to edges and
  // motions, far below the slack of single precision that the bounds have anyway; a given one is added.
  const double margin = options.min_separation + options.tolerance.value_or(0);
  d.tree->refit(d.positions, next, margin, !options.both_ends, options.threads);
  const double refitted = now();
  const query::FeatureCandidates found =
      query::find_candidates({*d.tree, d.representatives, d.pieces, options.self, options.directions}, options.threads);
  result.counters += found.counters;
  const double walked = now();
  d.elementary(ElementaryKind::vertex_face, found.vertex_face, next, options, result);
  d.elementary(ElementaryKind::edge_edge, found.edge_edge, next, options, result);
  const double tested = now();
  if (options.crossing_at_start) d.find_crossings(options, result);
  const auto by_name = [](const DeformContact& x, const DeformContact& y) {
    return x.kind != y.kind ? x.kind < y.kind : x.vertices < y.vertices;
  };
  std::sort(result.contacts.begin(), result.contacts.end(), by_name);
  const auto first =
      std::min_element(result.contacts.begin(), result.contacts.end(),
                       [](const DeformContact& x, const DeformContact& y) { return x.time.touch < y.time.touch; });
  result.time = {1, not_a_number};
  if (first != result.contacts.end()) result.time = first->time;
  result.status = result.contacts.empty() && result.crossing_at_start.empty() ? Status::free : Status::contact;
  if (!options.all && !result.contacts.empty()) {
    const DeformContact earliest = *first;
    result.contacts.assign(1, earliest);
  }
  d.positions.assign(next.begin(), next.end());
  const double end = now();
  result.seconds = {built - begin, refitted - built, walked - refitted, tested - walked, end - tested, end - begin};
}

}  // namespace graze
