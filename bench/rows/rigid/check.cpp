// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>

#include "rows/rigid/rigid.hpp"

namespace graze::bench {
namespace {

constexpr double kUnknown = -1, kNever = std::numeric_limits<double>::infinity();

}  // namespace

bool FlightOracle::meets(std::size_t flight, double t) const {
  const Flight& f = task_.flights[flight];
  return collide(task_.a, pose_at(f.a, t), task_.b, pose_at(f.b, t)).status == Status::contact;
}

/// The first of evenly spaced times at which the surfaces meet.
double FlightOracle::first_sample_in_contact(std::size_t flight) {
  if (known_.empty()) known_.assign(task_.flights.size(), kUnknown);
  double& first = known_[flight];
  if (first != kUnknown) return first;
  first = kNever;
  for (std::size_t i = 0; i <= samples_ && first == kNever; ++i) {
    const double t = static_cast<double>(i) / static_cast<double>(samples_);
    if (meets(flight, t)) first = t;
  }
  return first;
}

bool FlightOracle::right(std::size_t flight, const FlightAnswer& answer) {
  const double first = first_sample_in_contact(flight);
  if (answer.status == Status::undecided) return first >= answer.time.safe;
  if (answer.status == Status::free) return first == kNever;
  const Flight& f = task_.flights[flight];
  const auto pose = [&](const Motion& motion) { return pose_at(motion, answer.time.touch); };
  // Placements and distances are rounded here; the error is far below the tolerance.
  const double gap = distance(task_.a, pose(f.a), task_.b, pose(f.b)).distance;
  if (gap > answer.tolerance * (1 + 1e-6) || answer.time.touch < answer.time.safe) return false;
  if (first < answer.time.safe) return false;
  // A late answer is usually late by little: test right before it.
  for (const int k : {4, 7, 10, 14, 18}) {
    const double t = answer.time.safe * (1 - std::ldexp(1, -k));
    if (t < answer.time.safe && meets(flight, t)) return false;
  }
  return true;
}

}  // namespace graze::bench
