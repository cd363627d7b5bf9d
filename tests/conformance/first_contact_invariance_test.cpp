// SPDX-License-Identifier: MIT
// Checks that the following do not change an answer of `first_contact`: threads, instruction set, coherence, rounding
// mode, scaling by powers of two, the order of the bodies.
#include <cfenv>

#include "conformance/first_contact_check.hpp"
#include "conformance/first_contact_scenes.hpp"
#include "instruction_sets.hpp"
#include "random_budget.hpp"

namespace graze {
namespace {

using namespace testing;

FirstContactOptions by(std::string_view method) {
  FirstContactOptions options;
  options.method = method;
  return options;
}

class FirstContactInvariance : public ::testing::Test {
 protected:
  oracle::Random random{RandomBudget::seed(331)};

  template <class One>
  void for_flights(int cases, const One& one) {
    int number = 0;
    for (RandomBudget budget(cases); budget.more() && !said_enough(); ++number) {
      const Flown flown = random_flight(random);
      SCOPED_TRACE("case " + std::to_string(number) + flown.truth.text());
      for (const FirstContactTraits& method : first_contact_methods()) one(flown, by(method.name));
    }
  }
};

/// Larger bodies, so that there is enough work for several threads and SIMD vectors.
std::vector<Flown> knots(oracle::Random& random, int count, std::size_t triangles) {
  const Mesh knot = make::torus_knot({.p = 2, .q = 3, .triangles = triangles});
  std::vector<Flown> flights;
  for (int i = 0; i < count; ++i) {
    const Pose from({4, oracle::real(random), oracle::real(random)}, oracle::unit_quaternion(random)),
        to({-4, oracle::real(random, -3, 3), oracle::real(random, -3, 3)}, oracle::unit_quaternion(random));
    flights.emplace_back(knot, i % 2 ? MotionRecipe::velocity(from, to) : MotionRecipe::screw(from, to), knot,
                         i % 3 ? MotionRecipe::still(Pose()) : MotionRecipe::speeds(Pose(), {0, 0, 1}, {0, 3, 0}));
  }
  return flights;
}

TEST_F(FirstContactInvariance, ThreadCount) {
  for (const Flown& flown : knots(random, 6, 720))
    for (const FirstContactTraits& method : first_contact_methods()) {
      if (method.name == "brute") continue;
      for (const bool all : {false, true}) {
        FirstContactOptions options = by(method.name);
        options.all_features = all;
        const FirstContactResult one = flown.ask(options);
        for (const int threads : {2, 3, 8}) {
          options.threads = threads;
          expect_same(one, flown.ask(options), "threads");
        }
      }
    }
  for_flights(40, [](const Flown& flown, FirstContactOptions options) {
    const FirstContactResult one = flown.ask(options);
    options.threads = 4;
    expect_same(one, flown.ask(options), "threads");
  });
}

TEST_F(FirstContactInvariance, InstructionSet) {
  const std::vector<Flown> large = knots(random, 3, 720);
  const auto with_less = [](const Flown& flown, const FirstContactOptions& options) {
    const FirstContactResult best = flown.ask(options);
    testing::for_lesser_instruction_sets([&] { expect_same(best, flown.ask(options), "instruction set"); });
  };
  for_flights(60, with_less);
  for (const Flown& flown : large)
    for (const FirstContactTraits& method : first_contact_methods())
      if (method.name != "brute") with_less(flown, by(method.name));
}

/// One coherence object used for a sequence of motions, each query slightly different from the last.
TEST_F(FirstContactInvariance, Coherence) {
  const auto walk = [&](const Mesh& a, const Mesh& b, int steps, double pace) {
    for (const FirstContactTraits& method : first_contact_methods()) {
      FirstContactCoherence coherence;
      Vec3 at = oracle::real_point(random, 3);
      for (int i = 0; i < steps; ++i) {
        at = at + oracle::real_point(random, pace);
        const Flown flown(a, MotionRecipe::velocity(Pose(at, {1, 0.1 * i, 0, 0}), Pose(-at, {1, 0, 0.1 * i, 0})), b,
                          MotionRecipe::speeds(Pose(), {0, 0.1, 0}, {0, 0, 1}));
        SCOPED_TRACE(flown.truth.text());
        FirstContactOptions options = by(method.name);
        const FirstContactResult without = flown.ask(options);
        options.coherence = &coherence;
        expect_same(without, flown.ask(options), "coherence");
        expect_same(without, flown.ask(options), "coherence, asked again");
      }
    }
  };
  for (int i = 0; i < 6; ++i) walk(random_body(random), random_body(random), 6, 0.2);
  walk(make::sphere({.triangles = 168}), make::tetra_flake(), 6, 0.1);
  // A coherence object with data of other bodies.
  FirstContactCoherence coherence;
  for_flights(20, [&](const Flown& flown, FirstContactOptions options) {
    const FirstContactResult without = flown.ask(options);
    options.coherence = &coherence;
    expect_same(without, flown.ask(options), "coherence of other bodies");
  });
}

TEST_F(FirstContactInvariance, CallersRoundingModeIsKeptAndDoesNotMatter) {
  for_flights(25, [](const Flown& flown, const FirstContactOptions& options) {
    const FirstContactResult expected = flown.ask(options);
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      std::fesetround(mode);
      const Motion a = flown.truth.recipe(0).make(), b = flown.truth.recipe(1).make();
      const FirstContactResult got = first_contact(flown.a, a, flown.b, b, options);
      const int kept = std::fegetround();
      std::fesetround(FE_TONEAREST);
      EXPECT_EQ(kept, mode);
      expect_same(expected, got, "rounding mode");
    }
  });
}

MotionRecipe times(MotionRecipe m, int power) {
  const auto pose = [&](const Pose& p) {
    return Pose(oracle::times_power_of_two(p.translation(), power), p.rotation());
  };
  m.from = pose(m.from), m.to = pose(m.to);
  m.linear = oracle::times_power_of_two(m.linear, power);
  m.reference = oracle::times_power_of_two(m.reference, power);
  m.angles_from.translation = oracle::times_power_of_two(m.angles_from.translation, power);
  m.angles_to.translation = oracle::times_power_of_two(m.angles_to.translation, power);
  return m;
}
Mesh times(const Mesh& mesh, int power) {
  std::vector<Vec3> p;
  for (const Vec3& v : mesh.positions()) p.push_back(oracle::times_power_of_two(v, power));
  return Mesh(p, mesh.polygons());
}

TEST_F(FirstContactInvariance, ScaledByPowersOfTwo) {
  for_flights(25, [](const Flown& flown, FirstContactOptions options) {
    options.tolerance = 1e-7;
    const FirstContactResult expected = flown.ask(options);
    for (const int power : {-150, -30, 1, 40, 150, -300, 300}) {
      const Flown scaled_flight(times(flown.a.mesh(), power), times(flown.truth.recipe(0), power),
                                times(flown.b.mesh(), power), times(flown.truth.recipe(1), power));
      options.tolerance = std::ldexp(1e-7, power);
      const FirstContactResult r = scaled_flight.ask(options);
      EXPECT_TRUE(r.status == expected.status && same_number(r.time.safe, expected.time.safe) &&
                  same_number(r.time.touch, expected.time.touch) && r.pair == expected.pair &&
                  r.features == expected.features && r.tolerance == std::ldexp(expected.tolerance, power))
          << "2^" << power << "\n  " << describe(expected) << "\n  " << describe(r);
    }
  });
}

/// The same status, and times that differ only as far as the tolerance permits.
TEST_F(FirstContactInvariance, SwappedBodies) {
  for_flights(120, [](const Flown& flown, FirstContactOptions options) {
    options.tolerance = 1e-8;
    const FirstContactResult x = flown.ask(options), y = flown.ask_swapped(options);
    if (x.status == y.status && x.status == Status::contact) {
      // Between the time when the gap is within the tolerance and the time of touching.
      EXPECT_LE(flown.truth.gap(y.time.touch), Real(y.tolerance) + flown.truth.error() * 100)
          << describe(x) << describe(y);
      EXPECT_NEAR(x.time.touch, y.time.touch, 1e-3) << describe(x) << describe(y);
      return;
    }
    EXPECT_EQ(x.status, y.status) << describe(x) << "\n  " << describe(y);
  });
}

/// A scene translated by an integer step, such that the translated numbers are exact.
TEST_F(FirstContactInvariance, ShiftedByWholeNumbers) {
  for (int i = 0; i < 60; ++i) {
    const Mesh a = make::box({.size = {2, 2, 2}}), b = make::tetrahedron({.size = 2});
    const Vec3 from = oracle::grid_point(random, 6), to = oracle::grid_point(random, 6);
    const Quat q = oracle::quarter_turn(random);
    for (const FirstContactTraits& method : first_contact_methods()) {
      std::optional<FirstContactResult> first;
      for (const double shift : {0.0, 1024.0, 1048576.0}) {
        const Vec3 s{shift, -shift, 2 * shift};
        const Flown flown(a, MotionRecipe::velocity(Pose(from + s), Pose(to + s, q)), b, MotionRecipe::still(Pose(s)));
        FirstContactOptions options = by(method.name);
        options.tolerance = 1e-6;
        const FirstContactResult r = flown.ask(options);
        if (!first) first = r;
        EXPECT_EQ(r.status, first->status) << describe(*first) << describe(r);
        if (r.status == Status::contact) {
          EXPECT_NEAR(r.time.touch, first->time.touch, 1e-4);
        }
      }
    }
  }
}

}  // namespace
}  // namespace graze
