// SPDX-License-Identifier: MIT
#include <graze/ask/proximity.hpp>

#include "core/clock.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/refusal.hpp"
#include "engine/deform/deform_data.hpp"
#include "engine/deform/proximity_checks.hpp"

namespace graze {

namespace {

/// For a mesh with fewer triangles, each stage is shorter than the time to wake other threads.
constexpr std::size_t least_for_near_threads = 2048;

}  // namespace

ProximityResult Deformable::near(std::span<const Vec3> positions, double distance) {
  ProximityResult result;
  near(positions, distance, {}, result);
  return result;
}

ProximityResult Deformable::near(double distance) { return near(data_->positions, distance); }

void Deformable::near(std::span<const Vec3> positions, double distance, const ProximityOptions& options,
                      ProximityResult& result) {
  const core::FpGuard guard;
  Data& d = *data_;
  result.status = Status::undecided;
  result.pairs.clear();
  result.counters = {};
  result.seconds = 0;
  result.error.reset();
  if (core::refused(result, engine::deform::proximity_problem(positions, d.positions.size(), distance, options)))
    return;
  const double begin = core::now();
  const bool one =
      options.work > 0 || d.mesh.triangle_count() < least_for_near_threads;  // work is counted by one thread
  const int threads = one ? 1 : options.threads;
  core::Limits limits(options);
  const bool ended = core::run_within(limits, [&](core::Limits*) {
    d.intact = false;
    d.prepare(positions, threads);
    d.fit_rules(threads);
    d.intact = true;
    d.near.find({*d.topology, *d.tree, d.pieces_for(options.self), positions, distance, options, threads,
                 d.rules ? &d.node_rules : nullptr},
                result);
    result.status = result.pairs.empty() ? Status::free : Status::contact;
  });
  if (!ended) {
    result.status = Status::undecided;
    result.pairs.clear();
    if (!d.intact) d.forget_structures();  // the next query builds them anew
  }
  result.seconds = core::now() - begin;
  core::leave_if_outer_ended(limits);
}

}  // namespace graze
