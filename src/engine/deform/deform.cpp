// SPDX-License-Identifier: MIT
#include <graze/ask/deform.hpp>

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/clock.hpp"
#include "core/counter_sum.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/parallel.hpp"
#include "core/refusal.hpp"
#include "engine/deform/deform_data.hpp"
#include "engine/deform/step_checks.hpp"
#include "math/vectors.hpp"

namespace graze {

namespace {

using math::not_a_number;

using core::now;

/// For a mesh with fewer triangles, each stage of a step is shorter than the time to wake other threads.
constexpr std::size_t least_for_threads = 2048;
int worth_threads(const Mesh& mesh, int threads) { return mesh.triangle_count() < least_for_threads ? 1 : threads; }

}  // namespace

void Deformable::Data::prepare(std::span<const Vec3> next, int threads) {
  if (tree) return;
  topology.emplace(mesh, threads);
  // In parallel: the data that depend on the connectivity alone, and the tree.
  core::parallel_for(2, threads, [&](std::size_t part) {
    if (part == 0) {
      tree.emplace(engine::deform::build_patch_tree(
          *topology, engine::deform::sweep_boxes(*topology, {positions, next}, threads), threads));
      topology->number_by(tree->position, threads);
    } else {
      pieces = engine::deform::pieces(mesh);
      orphans.emplace(*topology, threads);
    }
  });
  repaired.nodes_rebuilt += tree->nodes.size();
  repaired.orphans_updated += orphans->updated();
}

void Deformable::Data::fit_rules(int threads) {
  if (rules && node_rules.empty()) node_rules.refit(*rules, *topology, *tree, threads);
}

void Deformable::Data::find_crossings(const DeformOptions& options, DeformResult& result) {
  engine::deform::CandidateSearch search{*topology,
                                         *tree,
                                         dops,
                                         pieces,
                                         options.self,
                                         options.directions,
                                         options.representatives,
                                         options.orphans,
                                         options.feature_bounds};
  search.fans = fans.empty() ? nullptr : &fans;
  search.rules = rules ? &node_rules : nullptr;
  start.find(search, positions, worth_threads(mesh, options.threads), result.crossing_at_start, result.counters);
}

void Deformable::Data::find(std::span<const Vec3> next, const DeformOptions& options, DeformResult& result) {
  const double begin = core::now();
  const int threads = worth_threads(mesh, options.threads);
  intact = false;
  prepare(next, threads);
  const double built = core::now();
  // The bounds must not cull pairs that elementary queries may report as contacts. The default tolerance of those is
  // relative to edges and motions, far below the single-precision slack that the bounds have anyway. A given tolerance
  // is added to the margin.
  const double margin = options.min_separation + options.tolerance.value_or(0);
  const engine::deform::MovingVertices at{positions, next};
  const auto refit = [&] { dops.refit(*topology, *tree, at, margin, !options.both_ends, threads); };
  refit();
  result.counters.nodes_refitted += tree->nodes.size();
  if (engine::deform::upper_level_is_worn(*tree, dops)) {
    repair_tree(std::vector<bool>(topology->triangle_count(), false), at, threads);
    refit();
    result.counters.nodes_refitted += tree->nodes.size();
  }
  fans.refit(*topology, *tree, dops, threads);
  fit_rules(threads);
  intact = true;
  result.counters += repaired;
  repaired = {};
  // A patch without self-contact may still come closer to itself than a minimum separation (docs/design.md 4).
  const bool with_patches = options.self && options.patches && options.min_separation == 0;
  if (with_patches)
    engine::deform::refit_cones(*topology, *tree, at, threads, cones);
  else
    cones.clear();
  const double refitted = core::now();
  const engine::deform::NodeRules* only = rules ? &node_rules : nullptr;
  patch_walk.run({*topology, *tree, dops, cones, at, options.self, options.contour_accelerations, threads, only}, left);
  core::report(left.counters, result.counters, options.method_counters);
  result.seconds.build = built - begin;
  result.seconds.refit = refitted - built;
  result.seconds.patches = core::now() - refitted;
  ElementaryOptions asked;
  asked.tolerance = options.tolerance;
  asked.min_separation = options.min_separation;
  asked.exact = options.exact;
  const bool with_orphans = options.orphans && !orphans->too_many();
  const engine::deform::StepQuestion question{
      {*topology, *tree, dops, pieces, options.self, options.directions, options.representatives, with_orphans,
       options.feature_bounds, 1, fans.empty() ? nullptr : &fans, only},
      left,
      with_orphans ? &*orphans : nullptr,
      {at, asked, options.all},
      threads,
      options.method_counters};
  if (options.all)
    walk.find_all(question, result);
  else
    walk.find_earliest(question, result);
}

Deformable::Deformable(const Mesh& mesh) : data_(std::make_unique<Data>(mesh)) {}
Deformable::~Deformable() = default;
Deformable::Deformable(Deformable&&) noexcept = default;
Deformable& Deformable::operator=(Deformable&&) noexcept = default;

const Mesh& Deformable::mesh() const { return data_->mesh; }
std::span<const Vec3> Deformable::positions() const { return data_->positions; }
std::size_t Deformable::orphan_count() const { return data_->orphans ? data_->orphans->all().size() : 0; }
std::size_t Deformable::bytes() const {
  const Data& d = *data_;
  return (d.tree ? d.topology->bytes() + d.tree->bytes() + d.orphans->bytes() : 0) + d.dops.bytes() + d.fans.bytes() +
         d.node_rules.bytes() + d.cones.size() * sizeof(engine::deform::ContinuousCone) + d.patch_walk.bytes() +
         (d.positions.size() + d.arrived.size()) * sizeof(Vec3) + d.pieces.size() * sizeof(std::uint32_t);
}

void Deformable::replace(const Mesh& mesh) {
  if (data_->rules) return replace(mesh, DeformFilter(data_->rules->filter()));
  const core::FpGuard guard;
  data_->break_into(mesh);
}

void Deformable::replace(const Mesh& mesh, DeformFilter filter) {
  engine::deform::TouchRules next(std::move(filter), mesh.vertex_count());
  const core::FpGuard guard;
  data_->break_into(mesh);
  data_->rules = std::move(next);
  data_->node_rules.clear();
}

void Deformable::set_filter(DeformFilter filter) {
  data_->rules.emplace(std::move(filter), data_->mesh.vertex_count());
  data_->node_rules.clear();
}

DeformResult Deformable::step(std::span<const Vec3> positions, const DeformOptions& options) {
  DeformResult result;
  step(positions, options, result);
  return result;
}

VertexArray::VertexArray(const double* first, std::size_t count, std::size_t stride)
    : first_(reinterpret_cast<const unsigned char*>(first)), count_(count), stride_(stride), single_(false) {}
VertexArray::VertexArray(const float* first, std::size_t count, std::size_t stride)
    : first_(reinterpret_cast<const unsigned char*>(first)), count_(count), stride_(stride), single_(true) {}

Vec3 VertexArray::operator[](std::size_t i) const {
  const unsigned char* at = first_ + i * stride_;
  if (single_) {
    float v[3];
    std::memcpy(v, at, sizeof v);
    return {v[0], v[1], v[2]};
  }
  double v[3];
  std::memcpy(v, at, sizeof v);
  return {v[0], v[1], v[2]};
}

void Deformable::step(const VertexArray& next, const DeformOptions& options, DeformResult& result) {
  const core::FpGuard guard;  // the guard also covers the conversion of single-precision input
  std::vector<Vec3>& arrived = data_->arrived;
  arrived.resize(next.size());
  for (std::size_t i = 0; i < next.size(); ++i) arrived[i] = next[i];
  step(arrived, options, result);
}

void Deformable::Data::answer(std::span<const Vec3> next, const DeformOptions& options, DeformResult& result) {
  find(next, options, result);
  const double tested = core::now();
  if (options.crossing_at_start) find_crossings(options, result);
  sorter.sort(result.contacts, positions.size(), options.threads);
  const auto first = std::min_element(result.contacts.begin(), result.contacts.end(), engine::deform::earlier);
  result.time = {1, not_a_number};
  if (first != result.contacts.end()) result.time = first->time;
  result.status = result.contacts.empty() && result.crossing_at_start.empty() ? Status::free : Status::contact;
  result.seconds.start = core::now() - tested;
}

void Deformable::Data::forget_structures() {
  topology.reset();
  tree.reset();
  orphans.reset();
  pieces.clear();
  cones.clear();
  node_rules.clear();
  repaired = {};
}

void Deformable::step(std::span<const Vec3> next, const DeformOptions& options, DeformResult& result) {
  const core::FpGuard guard;
  Data& d = *data_;
  const auto clear = [&] {
    result.status = Status::undecided;
    result.time = {0, not_a_number};
    result.contacts.clear();
    result.crossing_at_start.clear();
  };
  clear();
  result.counters = {};
  core::clear(options.method_counters);
  result.seconds = {};
  result.error.reset();
  if (core::refused(result, engine::deform::step_positions_problem(next, d.positions.size())) ||
      core::refused(result, engine::deform::step_options_problem(options)))
    return;
  const double begin = core::now();
  DeformOptions asked = options;
  if (options.work > 0) asked.threads = 1;  // work is counted by one thread
  core::Limits limits(options);
  if (!core::run_within(limits, [&](core::Limits*) { d.answer(next, asked, result); })) {
    clear();
    if (!d.intact) d.forget_structures();  // the next step builds them anew
  }
  if (next.data() == d.arrived.data())
    d.positions.swap(d.arrived);
  else
    std::copy(next.begin(), next.end(), d.positions.begin());
  result.seconds.total = core::now() - begin;
  core::leave_if_outer_ended(limits);
}

}  // namespace graze
