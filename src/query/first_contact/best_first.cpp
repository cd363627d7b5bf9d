// SPDX-License-Identifier: MIT
#include "query/first_contact/best_first.hpp"

#include "query/first_contact/certificate.hpp"
#include "query/first_contact/clocks.hpp"
#include "query/first_contact/own_pair.hpp"

namespace graze::query {

void report(const Earliest& earliest, Found& found) {
  if (earliest.time <= 1) {
    found.status = Status::contact;
    found.safe = found.touch = earliest.time;
    found.triangle_a = earliest.a;
    found.triangle_b = earliest.b;
  } else {
    found.status = Status::free;
    found.safe = 1;
  }
}

void BestFirst::run(const Flight& f, Found& found) {
  if (!f.motion_a.kinematic() || !f.motion_b.kinematic()) return run_own_clocks(f, found);
  const Kinematics kinematics(f.a, f.motion_a, f.b, f.motion_b);
  const PairMotion pairs(f.a, f.b, kinematics, f.tolerance);
  Proof proof;
  Search search{f, pairs, Budget(f.options), {{0, Part::node(0), Part::node(0), 0}}, {}, {}};
  if (f.options.certificate) search.proof = &proof;
  const bool ended = run_clocks(search);
  found.counters += search.counters;
  if (ended) {
    report(search.earliest, found);
  } else {
    found.status = Status::undecided;
    found.safe = std::min(search.queue.front().time, search.earliest.limit());
  }
  if (f.options.certificate) found.certificate = write_certificate(f, proof, found.safe);
}

}  // namespace graze::query
