// SPDX-License-Identifier: MIT
#include "engine/first_contact/brute.hpp"

#include "engine/first_contact/clocks/clocks.hpp"
#include "engine/first_contact/own_pair.hpp"

namespace graze::engine::first_contact {

namespace {

template <class Solve>
void every_pair(const Flight& f, Found& found, Solve&& solve) {
  Earliest earliest;
  core::Steps budget(f.options.work);
  for (std::uint32_t i = 0; i < f.a.mesh.triangle_count(); ++i)
    for (std::uint32_t j = 0; j < f.b.mesh.triangle_count(); ++j) {
      const std::optional<double> touch = solve(i, j, earliest.limit(), budget);
      if (!touch) return;  // undecided: nothing is certified about the remaining pairs
      earliest.offer(*touch, i, j);
    }
  report(earliest, found);
}

}  // namespace

void BruteMotion::run(const Flight& f, Found& found) {
  if (f.motion_a.kinematic() && f.motion_b.kinematic()) {
    const Kinematics kinematics(f.a, f.motion_a, f.b, f.motion_b);
    const PairMotion pairs(f.a, f.b, kinematics, f.tolerance, f.options.ignore_start_if_separating);
    every_pair(f, found, [&](std::uint32_t i, std::uint32_t j, double until, core::Steps& budget) {
      return pairs.solve(i, j, until, budget, found.counters);
    });
  } else {
    const OwnPairs pairs(f);
    every_pair(f, found, [&](std::uint32_t i, std::uint32_t j, double until, core::Steps& budget) {
      return pairs.solve(i, j, until, budget, found.counters);
    });
  }
}

}  // namespace graze::engine::first_contact
