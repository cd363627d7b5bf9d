// SPDX-License-Identifier: MIT
#include <graze/ask/step_proof.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include <graze/core/error.hpp>

#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/refusal.hpp"
#include "engine/deform/step_checks.hpp"
#include "engine/deform/topology/topology.hpp"
#include "engine/elementary/advancement.hpp"
#include "engine/elementary/difference.hpp"
#include "engine/proof/plane_patch.hpp"
#include "engine/proof/step_parts.hpp"
#include "engine/proof/step_text.hpp"
#include "math/predicates.hpp"

namespace graze {
namespace {

namespace deform = engine::deform;

using engine::elementary::ElementaryProofStep;
using engine::proof::FeatureKey;
using engine::proof::PlanePatch;
using engine::proof::step_directions;
using engine::proof::StepPart;
using engine::proof::StepParts;
using engine::proof::StepText;

/// The bodies between which something is proved, by vertex; empty: there are none, every triangle counts.
std::vector<std::uint32_t> bodies_by_vertex(const Mesh& mesh, const StepProofOptions& options) {
  if (options.self) return {};
  return options.bodies.empty() ? engine::deform::pieces(mesh)
                                : engine::deform::bodies_of_vertices(mesh, options.bodies);
}

class StepProver {
 public:
  StepProver(const Mesh& mesh, std::span<const Vec3> start, std::span<const Vec3> end, const StepProofOptions& options)
      : mesh_(mesh),
        whole_{start, end},
        until_(options.until),
        at_until_(positions_at(whole_, until_)),
        place_{start, at_until_.empty() ? end : at_until_},
        largest_(largest_coordinate(whole_)),
        parts_(mesh, place_, bodies_by_vertex(mesh, options)),
        patches_(mesh.triangles(), place_, at_until_.empty() ? 0 : 5 * 0x1p-53 * largest_) {
    asked_.min_separation = options.min_separation;
    for (std::size_t k = 0; k < step_directions.size(); ++k) keep_[k] = keep_along(step_directions[k]);
    // Three products with factors of at most 1 and their sum: the error is less than 9 eps of the largest coordinate,
    // on either side. Positions before the end of the step are off by 5 eps in each of the three coordinates.
    margin_ = 64 * 0x1p-53 * largest_;
    const bool named = !options.self && !options.bodies.empty();
    text_.begin(options.self ? "all"
                : named      ? "bodies"
                             : "pieces",
                named ? options.bodies : std::span<const std::uint32_t>(), options.min_separation, until_);
    text_.triangles(mesh, parts_.order());
  }

  std::optional<StepProof> run() {
    if (!parts_.order().empty()) prove_itself(0);
    if (failed_) return std::nullopt;
    return StepProof{std::move(text_).end(), separations_, proved_.size(), proved_patches_};
  }

 private:
  /// x + until (y - x), rounded; empty for 1.
  static std::vector<Vec3> positions_at(const std::array<std::span<const Vec3>, 2>& whole, double until) {
    std::vector<Vec3> at;
    if (!(until < 1)) return at;
    at.reserve(whole[0].size());
    for (std::size_t v = 0; v < whole[0].size(); ++v) at.push_back(whole[0][v] + (whole[1][v] - whole[0][v]) * until);
    return at;
  }
  static double largest_coordinate(const std::array<std::span<const Vec3>, 2>& whole) {
    double largest = 0;
    for (const auto& frame : whole)
      for (const Vec3& p : frame) largest = std::max({largest, std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)});
    return largest;
  }

  void prove_itself(std::int32_t id) {
    const StepPart& p = parts_[id];
    if (failed_ || p.size() == 1) return;
    if (parts_.one_body(p, p)) {
      text_.one_body();
      return;
    }
    if (prove_patch(parts_.triangles(p), {}, p.cone)) return;
    say_cut('P', p);
    prove_itself(p.left);
    prove_itself(p.right);
    prove_pair(p.left, p.right);
  }

  void prove_pair(std::int32_t ia, std::int32_t ib) {
    if (failed_) return;
    poll_.rarely();
    const StepPart &a = parts_[ia], &b = parts_[ib];
    if (parts_.one_body(a, b)) {
      text_.one_body();
      return;
    }
    for (std::size_t k = 0; k < step_directions.size(); ++k) {
      const double apart = margin_ + keep_[k];
      if (a.high[0][k] + apart < b.low[0][k] && a.high[1][k] + apart < b.low[1][k])
        return say_apart(step_directions[k]);
      if (b.high[0][k] + apart < a.low[0][k] && b.high[1][k] + apart < a.low[1][k])
        return say_apart(-step_directions[k]);
    }
    // Two parts that touch are apart along no direction, but may be one patch.
    const deform::ContinuousCone cone = deform::joined(a.cone, b.cone);
    if (cone.is_narrow() && patches_.touch(parts_.triangles(a), parts_.triangles(b)) &&
        prove_patch(parts_.triangles(a), parts_.triangles(b), cone))
      return;
    if (a.size() == 1 && b.size() == 1) return prove_triangles(parts_.order()[a.first], parts_.order()[b.first]);
    if (a.size() >= b.size()) {
      say_cut('A', a);
      prove_pair(a.left, ib);
      prove_pair(a.right, ib);
    } else {
      say_cut('B', b);
      prove_pair(ia, b.left);
      prove_pair(ia, b.right);
    }
  }

  /// As triangles that never overlap along a direction. That proves no distance.
  bool prove_patch(std::span<const std::uint32_t> first, std::span<const std::uint32_t> second,
                   const deform::ContinuousCone& cone) {
    if (asked_.min_separation > 0) return false;
    const std::optional<Vec3> along = patches_.direction(first, second, cone);
    if (!along) return false;
    text_.patch(*along);
    ++proved_patches_;
    return true;
  }

  /// By a separating direction of their own, or feature by feature.
  void prove_triangles(std::uint32_t ta, std::uint32_t tb) {
    const Triangle &a = mesh_.triangles()[ta], &b = mesh_.triangles()[tb];
    for (const Triangle* t : {&a, &b}) {
      const auto twice = [&](std::size_t i) { return place_[0][(*t)[i]] + place_[1][(*t)[i]]; };
      const Vec3 n = cross(twice(1) - twice(0), twice(2) - twice(0));
      const double size = std::max({std::fabs(n.x), std::fabs(n.y), std::fabs(n.z)});
      if (!(size > 0 && std::isfinite(1 / size))) continue;
      const Vec3 scaled = n * (1 / size);
      if (apart_along(scaled, a, b)) return say_apart(scaled);
      if (apart_along(-scaled, a, b)) return say_apart(-scaled);
    }
    if (pierces(a, b) || pierces(b, a)) failed_ = true;
    text_.begin_features();
    std::size_t count = 0;
    for (std::size_t i = 0; i < 3 && !failed_; ++i) {
      count += prove_feature(ElementaryKind::vertex_face, {a[i], b[0], b[1], b[2]});
      count += prove_feature(ElementaryKind::vertex_face, {b[i], a[0], a[1], a[2]});
      for (std::size_t j = 0; j < 3; ++j)
        count += prove_feature(ElementaryKind::edge_edge, {a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]});
    }
    text_.end_features(count);
  }

  /// All of a is below all of b along n, at both ends. The coordinates of n are at most 1 in magnitude.
  bool apart_along(const Vec3& n, const Triangle& a, const Triangle& b) const {
    const double apart = margin_ + keep_along(n);
    for (const auto& frame : place_) {
      const auto along = [&](std::uint32_t v) { return dot(n, frame[v]); };
      if (!(std::max({along(a[0]), along(a[1]), along(a[2])}) + apart <
            std::min({along(b[0]), along(b[1]), along(b[2])})))
        return false;
    }
    return true;
  }

  /// The distance along n (not normalised) that the minimum separation requires, rounded up by more than the rounding
  /// error.
  double keep_along(const Vec3& n) const { return asked_.min_separation * length(n) * (1 + 0x1p-40); }

  /// At the start an edge of a that shares no vertex with b passes through b.
  bool pierces(const Triangle& a, const Triangle& b) const {
    const auto at = [&](std::uint32_t v) { return place_[0][v]; };
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t p = a[i], q = a[(i + 1) % 3];
      if (std::find(b.begin(), b.end(), p) != b.end() || std::find(b.begin(), b.end(), q) != b.end()) continue;
      if (math::orient3d(at(b[0]), at(b[1]), at(b[2]), at(p)) * math::orient3d(at(b[0]), at(b[1]), at(b[2]), at(q)) >=
          0)
        continue;
      int low = 1, high = -1;
      for (std::size_t k = 0; k < 3; ++k) {
        const int side = math::orient3d(at(p), at(q), at(b[k]), at(b[(k + 1) % 3]));
        low = std::min(low, side);
        high = std::max(high, side);
      }
      if (low >= 0 || high <= 0) return true;
    }
    return false;
  }

  /// Adds the proof, unless there is nothing to prove or it was already given. Returns whether it was added.
  bool prove_feature(ElementaryKind kind, const std::array<std::uint32_t, 4>& v) {
    const bool faces = kind == ElementaryKind::vertex_face;
    for (std::size_t i = 0; i < (faces ? 1 : 2); ++i)
      for (std::size_t j = faces ? 1 : 2; j < 4; ++j)
        if (v[i] == v[j]) return false;
    FeatureKey key{faces ? 0u : 1u, v[0], v[1], v[2], v[3]};
    if (faces) {
      std::sort(key.begin() + 2, key.end());
    } else {
      std::sort(key.begin() + 1, key.begin() + 3);
      std::sort(key.begin() + 3, key.end());
      if (key[1] > key[3] || (key[1] == key[3] && key[2] > key[4])) {
        std::swap(key[1], key[3]);
        std::swap(key[2], key[4]);
      }
    }
    if (!proved_.insert(key).second) return false;
    const ElementaryQuery q{kind,
                            {whole_[0][key[1]], whole_[0][key[2]], whole_[0][key[3]], whole_[0][key[4]]},
                            {whole_[1][key[1]], whole_[1][key[2]], whole_[1][key[3]], whole_[1][key[4]]}};
    poll_();
    const engine::elementary::MovingDifference d(q);
    steps_.clear();
    ElementaryResult result;
    engine::elementary::ElementaryAdvancement::run(
        {q, asked_, std::max(1e-13 * d.size, 16 * d.rounding), d.rounding, &d, &steps_}, result);
    if (result.status != Status::free && (steps_.empty() || steps_.back().until < until_)) {
      failed_ = true;
      return false;
    }
    text_.feature(key, steps_);
    return true;
  }

  void say_apart(const Vec3& n) {
    text_.apart(n);
    ++separations_;
  }
  void say_cut(char which, const StepPart& p) { text_.cut(which, parts_[p.left].size(), parts_[p.right].size()); }

  const Mesh& mesh_;
  std::array<std::span<const Vec3>, 2> whole_;  // at both ends of the step
  double until_;
  std::vector<Vec3> at_until_;                  // if that is before the end of the step
  std::array<std::span<const Vec3>, 2> place_;  // at both ends of the proved time
  double largest_;                              // coordinate
  StepParts parts_;
  PlanePatch patches_;
  ElementaryOptions asked_;
  std::array<double, step_directions.size()> keep_{};  // by direction
  double margin_ = 0;
  StepText text_;
  std::set<FeatureKey> proved_;
  std::vector<ElementaryProofStep> steps_;
  std::size_t separations_ = 0, proved_patches_ = 0;
  bool failed_ = false;
  core::Poll poll_;
};

}  // namespace

std::optional<StepProof> prove_step(const Mesh& mesh, std::span<const Vec3> start, std::span<const Vec3> end,
                                    const StepProofOptions& options) {
  const core::FpGuard guard;
  for (const auto& place : {start, end})
    core::throw_if(engine::deform::step_positions_problem(place, mesh.vertex_count()));
  core::throw_if(engine::deform::step_options_problem({.min_separation = options.min_separation}));
  if (!(options.until > 0 && options.until <= 1))
    core::throw_if(core::problem(ErrorCode::bad_option, "until", "must be greater than 0 and at most 1"));
  if (!mesh.loose().empty())
    core::throw_if(core::problem(ErrorCode::unsupported, "mesh",
                                 "certificates are about triangles: loose edges and points have none yet"));
  core::Limits limits(options);
  std::optional<StepProof> proof;
  if (!core::run_within(limits, [&](core::Limits*) { proof = StepProver(mesh, start, end, options).run(); }))
    proof.reset();
  core::leave_if_outer_ended(limits);
  return proof;
}

}  // namespace graze
