// SPDX-License-Identifier: MIT
#include <graze/ask/deform.hpp>

#include <algorithm>

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
int worth_threads(const Mesh& mesh, int threads) {
  const std::size_t size = mesh.triangle_count() + mesh.edges().size() + mesh.points().size();
  return size < least_for_threads ? 1 : threads;
}

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
      orphans.emplace(*topology, threads);
    }
  });
  repaired.nodes_rebuilt += tree->nodes.size();
  repaired.orphans_updated += orphans->updated();
}

std::span<const std::uint32_t> Deformable::Data::pieces_for(bool self) {
  if (!self && pieces.empty()) pieces = engine::deform::pieces(mesh);
  return pieces;
}

void Deformable::Data::fit_rules(int threads) {
  if (rules && node_rules.empty()) node_rules.refit(*rules, *topology, *tree, threads);
}

std::optional<EdgeCrossing> Deformable::Data::loose_edge(const TrianglePair& p) const {
  const std::size_t surface = topology->surface_count();
  if (index(p.b) < surface) return std::nullopt;
  return EdgeCrossing{static_cast<std::uint32_t>(index(p.b) - surface), p.a};
}

void Deformable::Data::list_crossings(bool self, int threads, Counters& counters) {
  if (start_listed && start_self == self) return;
  start_listed = false;
  engine::deform::CandidateSearch search{*topology, *tree, dops, pieces_for(self), self, engine::deform::dop_directions,
                                         true,      true,  true};
  search.fans = fans.empty() ? nullptr : &fans;
  search.rules = rules ? &node_rules : nullptr;
  start.find(search, positions, worth_threads(mesh, threads), counters);
  start_listed = true;
  start_self = self;
}

void Deformable::Data::refit(std::span<const Vec3> next, const DeformOptions& options, DeformResult& result) {
  const double begin = core::now();
  const int threads = last_threads = worth_threads(mesh, options.threads);
  intact = false;
  prepare(next, threads);
  const double built = core::now();
  // The bounds must not cull pairs that elementary queries may report as contacts. The default tolerance of those is
  // relative to edges and motions, below the slack that the bounds have anyway (`DopTree::project`). A given tolerance
  // is added to the margin.
  const double margin = options.min_separation + options.tolerance.value_or(0);
  const engine::deform::MovingVertices at{positions, next};
  const auto refit_bounds = [&](bool same_start) {
    start_bounds = false;
    dops.refit(*topology, *tree, at, margin, !options.both_ends, threads, same_start);
    start_bounds = true;
  };
  refit_bounds(start_bounds);
  result.counters.nodes_refitted += tree->nodes.size();
  if (engine::deform::upper_level_is_worn(*tree, dops)) {
    engine::deform::Touched none;
    none.is_triangle.assign(topology->triangle_count(), false);
    repair_tree(none, at, threads);
    refit_bounds(false);
    result.counters.nodes_refitted += tree->nodes.size();
  }
  fans.refit(*topology, *tree, dops, threads);
  fit_rules(threads);
  intact = true;
  result.counters += repaired;
  repaired = {};
  result.seconds.build = built - begin;
  result.seconds.refit = core::now() - built;
}

void Deformable::Data::find(std::span<const Vec3> next, const DeformOptions& options, bool may_part,
                            DeformResult& result) {
  const double begin = core::now();
  const int threads = worth_threads(mesh, options.threads);
  const engine::deform::MovingVertices at{positions, next};
  // A patch without self-contact may still come closer to itself than a minimum separation (docs/design.md 4).
  const bool with_patches = options.self && options.patches && options.min_separation == 0;
  if (with_patches)
    engine::deform::refit_cones(*topology, *tree, at, threads, cones);
  else
    cones.clear();
  const engine::deform::NodeRules* only = rules ? &node_rules : nullptr;
  patch_walk.run({*topology, *tree, dops, cones, at, options.self, options.contour_accelerations, threads, only}, left);
  core::report(left.counters, result.counters, options.method_counters);
  result.seconds.patches = core::now() - begin;
  ElementaryOptions asked;
  asked.tolerance = options.tolerance;
  asked.min_separation = options.min_separation;
  asked.exact = options.exact;
  const bool with_orphans = options.orphans && !orphans->too_many();
  const engine::deform::StepQuestion question{
      {*topology, *tree, dops, pieces_for(options.self), options.self, options.directions, options.representatives,
       with_orphans, options.feature_bounds, 1, fans.empty() ? nullptr : &fans, only},
      left,
      with_orphans ? &*orphans : nullptr,
      {at, asked, options.all, may_part ? &*topology : nullptr},
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
  data_->forget_start();  // which crossings count has changed
}

void Deformable::Data::answer(std::span<const Vec3> next, const DeformOptions& options, DeformResult& result) {
  refit(next, options, result);
  find(next, options, false, result);
  const double tested = core::now();
  if (options.crossing_at_start) {
    list_crossings(options.self, options.threads, result.counters);
    for (const TrianglePair& p : start.pairs) {
      if (const auto edge = loose_edge(p))
        result.edges_crossing_at_start.push_back(*edge);
      else
        result.crossing_at_start.push_back(p);
    }
    std::sort(result.edges_crossing_at_start.begin(), result.edges_crossing_at_start.end(),
              [](const EdgeCrossing& x, const EdgeCrossing& y) {
                return x.edge != y.edge ? x.edge < y.edge : index(x.triangle) < index(y.triangle);
              });
  }
  sorter.sort(result.contacts, positions.size(), options.threads);
  const auto first = std::min_element(result.contacts.begin(), result.contacts.end(), engine::deform::earlier);
  result.time = {1, not_a_number};
  if (first != result.contacts.end()) result.time = {std::min(first->time.safe, walk.safe()), first->time.touch};
  const bool crossing = !result.crossing_at_start.empty() || !result.edges_crossing_at_start.empty();
  result.status = result.contacts.empty() && !crossing ? Status::free : Status::contact;
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
  forget_start();
}

void Deformable::Data::forget_start() { start_bounds = start_listed = false; }

void Deformable::Data::contacts(std::span<const Vec3> next, const DeformOptions& options, Then then,
                                DeformResult& result) {
  const auto clear = [&] {
    result.status = Status::undecided;
    result.time = {0, not_a_number};
    result.contacts.clear();
    result.crossing_at_start.clear();
    result.edges_crossing_at_start.clear();
  };
  clear();
  result.counters = {};
  core::clear(options.method_counters);
  result.seconds = {};
  result.error.reset();
  if (core::refused(result, engine::deform::step_positions_problem(next, positions.size())) ||
      core::refused(result, engine::deform::step_options_problem(options)))
    return;
  const double begin = core::now();
  DeformOptions asked = options;
  if (options.work > 0) asked.threads = 1;  // work is counted by one thread
  core::Limits limits(options);
  walk.forget();
  if (!core::run_within(limits, [&](core::Limits*) { answer(next, asked, result); })) {
    clear();
    result.time.safe = std::min(walk.certified(), walk.safe());
    if (!intact) forget_structures();  // the next question builds them anew
  }
  if (then == Then::move) {
    arrive(next);
    if (result.status == Status::free && asked.crossing_at_start && !rules) {
      // Apart at the start, and no features touched: apart here, too. (With a filter, triangles may count of which some
      // features do not.)
      start.clear();
      start_listed = true;
      start_self = asked.self;
    }
  }
  result.seconds.total = core::now() - begin;
  core::leave_if_outer_ended(limits);
}

std::span<const Vec3> Deformable::Data::read(const VertexArray& next) {
  arrived.resize(next.size());
  for (std::size_t i = 0; i < next.size(); ++i) arrived[i] = next[i];
  return arrived;
}

void Deformable::Data::arrive(std::span<const Vec3> next) {
  if (std::equal(next.begin(), next.end(), positions.begin())) return;
  forget_start();
  if (next.data() == arrived.data())
    positions.swap(arrived);
  else
    std::copy(next.begin(), next.end(), positions.begin());
}

// The guards also cover the conversion of single-precision input.

void Deformable::set_positions(std::span<const Vec3> next) {
  const core::FpGuard guard;
  core::throw_if(engine::deform::step_positions_problem(next, data_->positions.size()));
  data_->arrive(next);
}
void Deformable::set_positions(const VertexArray& next) {
  const core::FpGuard guard;
  set_positions(data_->read(next));
}

DeformResult Deformable::contacts(std::span<const Vec3> next, const DeformOptions& options) {
  DeformResult result;
  contacts(next, options, result);
  return result;
}
void Deformable::contacts(std::span<const Vec3> next, const DeformOptions& options, DeformResult& result) {
  const core::FpGuard guard;
  data_->contacts(next, options, Data::Then::stay, result);
}
void Deformable::contacts(const VertexArray& next, const DeformOptions& options, DeformResult& result) {
  const core::FpGuard guard;
  data_->contacts(data_->read(next), options, Data::Then::stay, result);
}

StepSize Deformable::step_size(std::span<const Vec3> next, const StepSizeOptions& options) {
  const core::FpGuard guard;
  StepSize result;
  data_->step_size(next, options, result);
  return result;
}
StepSize Deformable::step_size(const VertexArray& next, const StepSizeOptions& options) {
  const core::FpGuard guard;
  return step_size(data_->read(next), options);
}

DeformResult Deformable::step(std::span<const Vec3> next, const DeformOptions& options) {
  DeformResult result;
  step(next, options, result);
  return result;
}
void Deformable::step(std::span<const Vec3> next, const DeformOptions& options, DeformResult& result) {
  const core::FpGuard guard;
  data_->contacts(next, options, Data::Then::move, result);
}
void Deformable::step(const VertexArray& next, const DeformOptions& options, DeformResult& result) {
  const core::FpGuard guard;
  step(data_->read(next), options, result);
}

}  // namespace graze
