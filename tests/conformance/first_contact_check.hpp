// SPDX-License-Identifier: MIT
// Checks the guarantees of docs/design.md 2, "Continuous", for every answer of `first_contact`, against the oracle's
// own motion and distances (tests/oracle/motion_*).
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <iomanip>
#include <sstream>
#include <string>

#include <graze/ask/collide.hpp>
#include <graze/ask/first_contact.hpp>

#include "oracle/motion_gap.hpp"
#include "oracle/pose_generators.hpp"
#include "random_budget.hpp"

namespace graze::testing {

using oracle::FlightTruth;
using oracle::MotionRecipe;
using oracle::Real;
using oracle::RealPoint;
using oracle::TrueFlight;

/// A flight, with its bodies and motions also prepared for the library.
struct Flown {
  TrueFlight truth;
  Body a, b;
  Motion motion_a, motion_b;

  Flown(const Mesh& mesh_a, const MotionRecipe& recipe_a, const Mesh& mesh_b, const MotionRecipe& recipe_b)
      : truth(mesh_a, recipe_a, mesh_b, recipe_b),
        a(mesh_a),
        b(mesh_b),
        motion_a(recipe_a.make()),
        motion_b(recipe_b.make()) {}
  /// A search that does not terminate would block the whole test run. This limit, far more time than any of these
  /// queries needs, makes it `undecided`, which the checks reject.
  static FirstContactOptions ending(FirstContactOptions options) {
    if (options.work == 0 && !options.budget) options.budget = std::chrono::seconds(20);
    return options;
  }
  FirstContactResult ask(const FirstContactOptions& options = {}) const {
    return first_contact(a, motion_a, b, motion_b, ending(options));
  }
  FirstContactResult ask_swapped(const FirstContactOptions& options = {}) const {
    return first_contact(b, motion_b, a, motion_a, ending(options));
  }
  FirstContactResult ask(std::string_view method, std::optional<double> tolerance, std::uint64_t work = 0) const {
    FirstContactOptions options;
    options.work = work;
    options.method = method;
    options.tolerance = tolerance;
    return ask(options);
  }
};

inline std::string describe(const FirstContactResult& r) {
  std::ostringstream s;
  s << r.method << ": " << name(r.status) << " [" << std::hexfloat << r.time.safe << ", " << r.time.touch
    << std::defaultfloat << "] = [" << r.time.safe << ", " << r.time.touch << "], gap " << r.gap << ", tolerance "
    << r.tolerance << " = " << std::hexfloat << r.tolerance << std::defaultfloat << ", steps "
    << r.counters.motion_steps;
  if (r.error) s << ", error: " << r.error->text();
  return s.str();
}

/// A random test stops after enough failures.
inline bool said_enough() {
  return ::testing::UnitTest::GetInstance()->current_test_info()->result()->total_part_count() > 3;
}

/// Calls `one(random, flown)` for as many flights of `draw(random)` as the budget allows; a failure message identifies
/// the flight.
template <class Draw, class One>
void many_flights(std::uint64_t fallback, int cases, const Draw& draw, const One& one) {
  const std::uint64_t seed = RandomBudget::seed(fallback);
  oracle::Random random(seed);
  int number = 0;
  for (RandomBudget budget(cases); budget.more() && !said_enough(); ++number) {
    const Flown flown = draw(random);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", case " + std::to_string(number) + flown.truth.text());
    one(random, flown);
  }
}

/// Collects all errors of one answer and reports them together.
class Complaints {
 public:
  template <class... Part>
  void unless(bool right, const Part&... parts) {
    if (right) return;
    text_ << "\n  " << std::setprecision(17);
    (text_ << ... << parts);
  }
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
};

/// Features, points, normal and direction of a contact, at t_touch.
inline void look_at_witness(const TrueFlight& flight, const FirstContactResult& r, Complaints& wrong) {
  const Real t = r.time.touch, slack = flight.error() * 100 + 1e-12L * r.tolerance;
  // Points are rounded to doubles in world coordinates, possibly far from the origin.
  const Real rounding = 1e-14L * (oracle::length(oracle::real(flight.origin())) + flight.error() * 1e17L);
  if (!r.pair || !r.points || r.features.empty()) return wrong.unless(false, "pair, points or features are missing");
  const Real of_pair = flight.gap(t, *r.pair);
  wrong.unless(of_pair <= Real(r.tolerance) + slack, "the witness pair is ", of_pair, " apart");
  wrong.unless(std::fabs(of_pair - r.gap) <= slack + rounding, "gap is not that of the witness pair, ", of_pair);
  Real nearest = HUGE_VALL;
  for (const Feature& f : r.features) {
    const Real g = flight.gap(t, f);
    nearest = std::min(nearest, g);
    wrong.unless(g <= Real(r.tolerance) + slack, name(f.kind), " ", f.a.id[0], "/", f.b.id[0], " is ", g, " apart");
  }
  wrong.unless(nearest <= of_pair + slack + rounding, "the nearest reported feature is ", nearest, " apart");
  const RealPoint between = oracle::real((*r.points)[1]) - oracle::real((*r.points)[0]);
  wrong.unless(std::fabs(oracle::length(between) - r.gap) <= rounding, "gap is not that of the points, ",
               oracle::length(between));
  if (!r.normal) return;
  const RealPoint n = oracle::real(*r.normal);
  wrong.unless(std::fabs(oracle::length(n) - 1) < 1e-12L, "the normal is ", oracle::length(n), " long");
  if (!(r.gap > 1e5 * double(rounding))) return;
  wrong.unless(oracle::dot(n, between) > Real(r.gap) * 0.99L, "the normal does not go from A to B");
  if (!r.direction) return;
  const Real apart = oracle::dot(n, flight.closing(t, (*r.points)[0], (*r.points)[1]));
  if (apart < -1e-3L * flight.speed())
    wrong.unless(*r.direction == ContactDirection::incoming, "comes in at ", apart, " but is ", name(*r.direction));
  if (apart > 1e-3L * flight.speed())
    wrong.unless(*r.direction == ContactDirection::outgoing, "goes out at ", apart, " but is ", name(*r.direction));
}
inline void check_witness(const TrueFlight& flight, const FirstContactResult& r) {
  Complaints wrong;
  look_at_witness(flight, r, wrong);
  EXPECT_TRUE(wrong.text().empty()) << describe(r) << wrong.text();
}

/// Checks the complete contract of one answer that is not an invalid request. `truth` was computed for `r.tolerance`.
inline void check_answer(const TrueFlight& flight, const FlightTruth& truth, const FirstContactResult& r,
                         bool budget = false) {
  const Real slack = flight.error() * 100;
  Complaints wrong;
  switch (r.status) {
    case Status::free:
      wrong.unless(!truth.zero_at, "MISSED CONTACT");
      wrong.unless(r.time.safe == 1 && std::isnan(r.time.touch), "free is not {1, NaN}");
      break;
    case Status::contact:
      wrong.unless(!truth.free_beyond_doubt, "the gap always exceeds the tolerance");
      wrong.unless(0 <= r.time.safe && r.time.safe <= r.time.touch && r.time.touch <= 1, "the bracket is no bracket");
      wrong.unless(flight.gap(r.time.touch) <= Real(r.tolerance) + slack, "the gap at t_touch is ",
                   flight.gap(r.time.touch));
      wrong.unless(!truth.zero_at || Real(r.time.touch) <= *truth.zero_at + 1e-14L, "LATE");
      if (truth.looked_everywhere && r.time.safe > 0)
        wrong.unless(Real(r.time.safe) >= truth.apart_until * (1 - 1e-14L),
                     "t_safe is before the gap is within the tolerance");
      look_at_witness(flight, r, wrong);
      break;
    case Status::touching_at_start:
      wrong.unless(r.time.safe == 0 && r.time.touch == 0, "touching at start is not {0, 0}");
      wrong.unless(flight.gap(0) <= slack, "apart at the start by ", flight.gap(0));
      break;
    case Status::undecided:
      wrong.unless(budget, "undecided without a budget");
      wrong.unless(!truth.zero_at || Real(r.time.safe) <= *truth.zero_at, "t_safe is after the contact");
      break;
    case Status::invalid_request: wrong.unless(false, "invalid request"); break;
  }
  EXPECT_TRUE(wrong.text().empty()) << describe(r) << wrong.text() << "\n  truth: apart until " << truth.apart_until
                                    << ", zero at " << truth.zero_at.value_or(NAN) << ", least " << truth.least
                                    << " at " << truth.least_at;
}

inline bool same_number(double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); }
/// Compares all bits except those of the cost (counters and time).
inline void expect_same(const FirstContactResult& x, const FirstContactResult& y, const std::string& what) {
  EXPECT_TRUE(x.status == y.status && same_number(x.time.safe, y.time.safe) &&
              same_number(x.time.touch, y.time.touch) && x.tolerance == y.tolerance && same_number(x.gap, y.gap) &&
              x.pair == y.pair && x.features == y.features && x.points == y.points && x.normal == y.normal &&
              x.direction == y.direction)
      << what << "\n  " << describe(x) << "\n  " << describe(y);
}

/// Checks the contract of all methods, and their agreement: every bracket lies between the same two times, so `free`
/// from one method excludes an exact contact from another. Near misses cost the papers' methods very many steps, so
/// there they get a budget.
inline void check_all_methods(const Flown& flown, std::optional<double> tolerance, bool near_misses = false) {
  SCOPED_TRACE(flown.truth.text() + "\ntolerance " + (tolerance ? std::to_string(*tolerance) : "default"));
  std::optional<FlightTruth> truth;
  std::optional<FirstContactResult> first;
  for (const FirstContactTraits& method : first_contact_methods()) {
    const bool budget = near_misses && method.name != "best_first" && method.name != "brute";
    const FirstContactResult r = flown.ask(method.name, tolerance, budget ? 5000 : 0);
    if (r.status == Status::invalid_request) {  // a class of bodies that the method does not support
      EXPECT_TRUE(r.error && !r.error->message.empty()) << method.name;
      continue;
    }
    EXPECT_EQ(r.method, method.name);
    if (!truth) truth = near_misses ? flown.truth.subdivide(r.tolerance) : flown.truth.look(r.tolerance);
    check_answer(flown.truth, *truth, r, budget);
    if (!first) {
      first = r;
      continue;
    }
    EXPECT_EQ(r.tolerance, first->tolerance) << method.name;
    EXPECT_TRUE(r.status == Status::undecided ||
                (r.status == Status::touching_at_start) == (first->status == Status::touching_at_start))
        << method.name;
    if (first->method == "best_first" && method.name == "brute") expect_same(*first, r, "best_first and brute");
  }
}

}  // namespace graze::testing
