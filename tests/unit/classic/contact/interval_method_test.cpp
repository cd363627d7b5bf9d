// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <graze/classic/contact.hpp>
#include <graze/mesh/make.hpp>

#include "random_budget.hpp"
#include "soups.hpp"
#include "unit/classic/contact/interval_help.hpp"

namespace graze {
namespace {

using classic::contact::IntervalOptions;
using engine::first_contact::Found;
using testing::distance_at;
using testing::interval;
using testing::RandomBudget;
using testing::sampled;

Body triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
  return Body(Mesh({a, b, c}, std::vector<graze::Triangle>{{0, 1, 2}}));
}
Motion shift(const Vec3& from, const Vec3& to) { return Velocity(Pose(from), Pose(to)); }
Quat turn(const Vec3& axis, double angle) {
  const double s = std::sin(0.5 * angle);
  return {std::cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z};
}

void expect_contact(const Found& f, double time, double early) {
  EXPECT_EQ(f.status, Status::contact);
  EXPECT_LE(f.safe, f.touch);
  EXPECT_LE(f.touch, time);
  EXPECT_GE(f.safe, time - early);
}

TEST(IntervalMethod, BoxesThatMeetFaceToFace) {
  const Body box(make::box());
  const Found f = interval(box, shift({0, 0, 0}, {4, 0, 0}), box, Still{Pose({3, 0, 0})}, 1e-6);
  expect_contact(f, 0.5, 1e-6);
  EXPECT_GT(f.counters.continuous_box_tests, 0u);
  EXPECT_GT(f.counters.elementary_tests, 0u);
}

TEST(IntervalMethod, AThinPlateAtHighSpeed) {
  const Body plate(make::box({.size = {1, 1, 1e-6}})), ball(make::sphere({.radius = 0.5, .triangles = 168}));
  const Found f = interval(plate, shift({0, 0, -1000}, {0, 0, 1000}), ball, Still{Pose()}, 1e-6);
  expect_contact(f, 0.5 * (1000 - 0.5 - 0.5e-6) / 1000, 1e-9);
  EXPECT_EQ(interval(plate, shift({1.01, 0, -1000}, {1.01, 0, 1000}), ball, Still{Pose()}, 1e-6).status, Status::free);
}

TEST(IntervalMethod, AWheelAtAWall) {
  const Body wheel(make::box({.size = {2, 0.2, 0.2}})), wall(make::box({.size = {0.1, 10, 10}}));
  const double reach = std::sqrt(1 + 0.01);
  const auto spin = [](double turns) {
    return Velocity::from_speeds(Pose(), {}, {0, 0, turns * 2 * std::numbers::pi});
  };
  // It spins at twice the tolerance from the wall: free, however long; nearer than its reach it hits.
  const Vec3 beside{reach + 2e-6 + 0.05, 0, 0};
  EXPECT_EQ(interval(wheel, spin(3), wall, Still{Pose(beside)}, 1e-6).status, Status::free);
  // A corner at angle atan(0.1) to the x axis reaches x = 1.001 first on its way up from below.
  const double angle = std::acos(1.001 / reach) + std::atan(0.1);
  const Found f = interval(wheel, spin(0.5), wall, Still{Pose({1.001 + 0.05, 0, 0})}, 1e-6);
  const double corner = std::atan(0.1) - std::acos(1.001 / reach);  // the upper one turns away, the lower one in
  EXPECT_EQ(f.status, Status::contact);
  EXPECT_NEAR(f.touch, std::min(std::fabs(corner), angle) / std::numbers::pi, 1e-3);
}

TEST(IntervalMethod, FacesThatSlide) {
  const Body box(make::box({.size = {1, 1, 1}, .divisions = 2}));
  const double gap = 2e-6;
  EXPECT_EQ(interval(box, shift({-3, 0, 1 + gap}, {3, 0, 1 + gap}), box, Still{Pose()}, 1e-6).status, Status::free);
  const Found near = interval(box, shift({-3, 0, 1}, {3, 0, 1}), box, Still{Pose()}, 1e-6);
  expect_contact(near, 2.0 / 6, 1e-6);
  // In one plane, edge against edge.
  const Body a = triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  expect_contact(interval(a, shift({-4, 0, 0}, {4, 0, 0}), a, Still{Pose()}, 1e-6), 3.0 / 8, 1e-6);
  EXPECT_EQ(interval(a, shift({-4, 1 + gap, 0}, {4, 1 + gap, 0}), a, Still{Pose()}, 1e-6).status, Status::free);
}

TEST(IntervalMethod, StartsInTouchCrossingOrNear) {
  const Body box(make::box());
  for (const Vec3& start : {Vec3{1, 0, 0}, Vec3{0.7, 0.2, 0.1}, Vec3{1 + 5e-7, 0, 0}}) {
    const Found f = interval(box, shift(start, {5, 0, 0}), box, Still{Pose()}, 1e-6);
    EXPECT_EQ(f.status, Status::contact);
    EXPECT_EQ(f.touch, 0);
  }
  // Crossing from the start to the end, without any elementary event.
  const Body big = triangle({-5, -5, 0}, {5, -5, 0}, {0, 5, 0}),
             small = triangle({0, 0, -1}, {0.1, 0, 1}, {-0.1, 0, 1});
  const Found f = interval(small, shift({}, {0.01, 0, 0}), big, Still{Pose()}, 1e-6);
  EXPECT_EQ(f.status, Status::contact);
  EXPECT_EQ(f.touch, 0);
}

TEST(IntervalMethod, DegenerateTriangles) {
  const Body face = triangle({-1, -1, 0}, {1, -1, 0}, {0, 1, 0});
  const Body point = triangle({0, 0, 0}, {0, 0, 0}, {0, 0, 0});
  const Body segment = triangle({0, 0, 0}, {0.5, 0, 0}, {0.25, 0, 0}),
             upright = triangle({0, 0, 0}, {0, 0, 1}, {0, 0, 1});
  for (const Body* body : {&point, &segment, &upright}) {
    expect_contact(interval(*body, shift({0, 0, 2}, {0, 0, -2}), face, Still{Pose()}, 1e-6), 0.5, 1e-6);
    expect_contact(interval(face, Still{Pose()}, *body, shift({0, 0, 2}, {0, 0, -2}), 1e-6), 0.5, 1e-6);
    EXPECT_EQ(interval(*body, shift({1.2, 0, 2}, {1.2, 0, -2}), face, Still{Pose()}, 1e-6).status, Status::free);
  }
  expect_contact(interval(point, shift({1, 1, 1}, {-1, -1, -1}), point, Still{Pose()}, 1e-6), 0.5, 1e-6);
  expect_contact(interval(segment, shift({-1, 0, 0}, {1, 0, 0}), segment, Still{Pose()}, 1e-6), 0.25, 1e-6);
  expect_contact(interval(upright, shift({0.25, 1, -0.5}, {0.25, -1, -0.5}), segment, Still{Pose()}, 1e-6), 0.5, 1e-6);
  EXPECT_EQ(interval(segment, shift({-1, 1e-5, 0}, {1, 1e-5, 0}), segment, Still{Pose()}, 1e-6).status, Status::free);
}

TEST(IntervalMethod, NearMissesOfANanometre) {
  const Body box(make::box());
  const Motion turning = Velocity(Pose({-3, 0, 0}), Pose({3, 0, 0}, turn({1, 0, 0}, std::numbers::pi / 2)));
  const double reach = 0.5 * std::sqrt(2.0);  // of the turning square, upright at 45 degrees, half-way
  const Body roof(make::box({.size = {8, 8, 1}}));
  EXPECT_EQ(interval(box, turning, roof, Still{Pose({0, 0, 0.5 + reach + 1e-9})}, 1e-10).status, Status::free);
  const Found f = interval(box, turning, roof, Still{Pose({0, 0, 0.5 + reach - 1e-9})}, 1e-10);
  EXPECT_EQ(f.status, Status::contact);
  EXPECT_NEAR(f.touch, 0.5, 1e-4);
  EXPECT_LT(f.touch, 0.5);
}

TEST(IntervalMethod, AnyScaleAndFarFromTheOrigin) {
  for (const double s : {0x1p-300, 0x1p-30, 0x1p30, 0x1p300}) {
    const Body box(make::box({.size = {s, s, s}}));
    expect_contact(interval(box, shift({}, {4 * s, 0, 0}), box, Still{Pose({3 * s, 0, 0})}, 1e-6 * s), 0.5, 1e-6);
    EXPECT_EQ(interval(box, shift({}, {4 * s, 0, 0}), box, Still{Pose({3 * s, 1.1 * s, 0})}, 1e-6 * s).status,
              Status::free);
  }
  const Body box(make::box());
  const Vec3 far{1e7, -2e7, 3e6};
  expect_contact(interval(box, shift(far, far + Vec3{4, 0, 0}), box, Still{Pose(far + Vec3{3, 0, 0})}, 1e-6), 0.5,
                 1e-6);
}

struct Case {
  Body a, b;
  Motion ma, mb;
};

Case random_case(oracle::Random& random) {
  const bool grid = oracle::whole(random, 0, 2) == 0;
  const Body a(testing::soup(random, oracle::whole(random, 1, 10), grid)),
      b(testing::soup(random, oracle::whole(random, 1, 10), grid));
  const auto pose = [&](double reach) {
    if (grid && oracle::whole(random, 0, 1)) return Pose(oracle::grid_point(random, 4));
    const Vec3 at = oracle::real_point(random, reach);
    return Pose(at, oracle::whole_quaternion(random));
  };
  const auto motion = [&]() -> Motion {
    switch (oracle::whole(random, 0, 5)) {
      case 3: return LinearParameters(pose(3), pose(3));
      case 0: return Still{pose(1)};
      case 1: return Screw(pose(3), pose(3));
      case 2: return Velocity::from_speeds(pose(3), oracle::real_point(random, 4), oracle::real_point(random, 8));
      default: return Velocity(pose(3), pose(3), oracle::real_point(random));
    }
  };
  const Motion ma = motion(), mb = motion();
  return {a, b, ma, mb};
}

/// A contact that sampling sees is never called free, nor found later; before `safe` sampling sees none; at `touch` the
/// bodies are within the tolerance.
TEST(IntervalMethod, RandomSoupsAgainstSampling) {
  oracle::Random random(RandomBudget::seed(31));
  int contacts = 0, frees = 0;
  for (RandomBudget budget(250); budget.more();) {
    SCOPED_TRACE("seed " + std::to_string(RandomBudget::seed(31)) + " case " + std::to_string(contacts + frees));
    const Case c = random_case(random);
    const double tolerance = 1e-5;
    const Found f = interval(c.a, c.ma, c.b, c.mb, tolerance);
    ASSERT_NE(f.status, Status::undecided);
    const double seen = sampled(c.a, c.ma, c.b, c.mb, 100);
    if (f.status == Status::free) {
      ++frees;
      EXPECT_EQ(seen, 2);
      continue;
    }
    ++contacts;
    EXPECT_LE(f.touch, seen);
    EXPECT_LE(distance_at(c.a, c.ma, c.b, c.mb, f.touch), tolerance * (1 + 1e-9));
    if (f.safe > 0) {
      EXPECT_GE(sampled(c.a, c.ma, c.b, c.mb, 20, f.safe * (1 - 1e-9)), 1.5);
    }
  }
  EXPECT_TRUE(contacts > 30 || !testing::RandomBudget::is_whole()) << contacts;
  EXPECT_GT(frees, 30);
}

TEST(IntervalMethod, EverySwitchSameBits) {
  oracle::Random random(RandomBudget::seed(32));
  for (RandomBudget budget(25); budget.more();) {
    SCOPED_TRACE("seed " + std::to_string(RandomBudget::seed(32)));
    const Case c = random_case(random);
    const Found f = interval(c.a, c.ma, c.b, c.mb, 1e-5);
    for (unsigned bits = 0; bits < 16; ++bits) {
      FirstContactOptions o;
      o.interval = IntervalOptions{.discrete_first = (bits & 1) != 0,
                                   .current_time = (bits & 2) != 0,
                                   .directional = (bits & 4) != 0,
                                   .partial = (bits & 8) != 0,
                                   .subdivision = bits % 3 == 0   ? 0.2
                                                  : bits % 3 == 1 ? 0.05
                                                                  : 2};
      const Found g = interval(c.a, c.ma, c.b, c.mb, 1e-5, o);
      ASSERT_EQ(g.status, f.status) << bits;
      ASSERT_EQ(g.safe, f.safe) << bits;
      ASSERT_EQ(g.touch, f.touch) << bits;
      ASSERT_EQ(g.triangle_a, f.triangle_a) << bits;
      ASSERT_EQ(g.triangle_b, f.triangle_b) << bits;
    }
  }
}

TEST(IntervalMethod, EachSwitchMovesItsCounter) {
  const Body a(make::torus_knot({.triangles = 200})), b(make::torus({.triangles = 100}));
  const Motion ma = Velocity(Pose({3, 0.3, 0.2}), Pose({-3, 0.1, 0}, turn({0, 0, 1}, 1.5))), mb = Still{Pose()};
  const auto run = [&](auto change) {
    IntervalOptions switches{.discrete_first = true};
    change(switches);
    FirstContactOptions o;
    o.interval = switches;
    return interval(a, ma, b, mb, 1e-4, o);
  };
  const Found all = run([](IntervalOptions&) {});
  EXPECT_EQ(all.status, Status::contact);
  EXPECT_GT(all.counters.discrete_box_tests, 0u);
  EXPECT_GT(all.counters.current_time_cuts, 0u);
  EXPECT_GT(all.counters.edge_axes, 0u);
  EXPECT_GT(all.counters.time_subdivisions, 0u);
  EXPECT_GT(all.counters.root_bisections, 0u);
  EXPECT_EQ(run([](IntervalOptions& o) { o.discrete_first = false; }).counters.discrete_box_tests, 0u);
  EXPECT_EQ(run([](IntervalOptions& o) { o.partial = true; }).counters.edge_axes, 0u);
  const Found late = run([](IntervalOptions& o) { o.current_time = false; });
  EXPECT_EQ(late.counters.current_time_cuts, 0u);
  EXPECT_GT(late.counters.leaf_pairs, all.counters.leaf_pairs);
  EXPECT_LT(run([](IntervalOptions& o) { o.subdivision = 1e6; }).counters.time_subdivisions,
            all.counters.time_subdivisions);
  EXPECT_NE(run([](IntervalOptions& o) { o.directional = false; }).counters.node_pairs, all.counters.node_pairs);
}

/// Three hundred turns beside a wall once took three hundred times as long as one.
TEST(IntervalMethod, AWheelSpinsBesideAWall) {
  const Body wheel(make::sphere({.triangles = 300})), wall(make::box());
  const double radius = [&] {
    double r = 0;
    for (const Vec3& x : wheel.mesh().positions()) r = std::max(r, std::hypot(x.x, x.y));
    return r;
  }();
  const auto spin = [&](double gap, double drift, bool reach) {
    FirstContactOptions o;
    o.interval = IntervalOptions{.reach = reach};
    const Motion motion = Velocity::from_speeds(Pose(), {drift, 0, 0}, {0, 0, drift == 0 ? 1885.0 : 200.0});
    return interval(wheel, motion, wall, Still{Pose({0.5 + radius + gap, 0, 0})}, 1e-6, o);
  };
  const Found beside = spin(3e-6, 0, true);
  EXPECT_EQ(beside.status, Status::free);
  EXPECT_GT(beside.counters.reach_tests, 0u);
  EXPECT_EQ(beside.counters.time_subdivisions, 0u);
  EXPECT_EQ(spin(1, 0.5, true).counters.reach_tests, 1u);  // far away, and coming nearer
  for (const double drift : {0.5, -0.5}) {
    const Found with = spin(0.01, drift, true), without = spin(0.01, drift, false);
    EXPECT_EQ(with.status, drift > 0 ? Status::contact : Status::free);
    EXPECT_EQ(with.status, without.status);
    EXPECT_EQ(with.touch, without.touch);
    EXPECT_EQ(with.triangle_a, without.triangle_a);
    EXPECT_EQ(with.triangle_b, without.triangle_b);
    EXPECT_EQ(without.counters.reach_tests, 0u);
    if (drift > 0) continue;
    EXPECT_LT(with.counters.continuous_box_tests, without.counters.continuous_box_tests / 2);
  }
}

/// A rim at two tolerances from a wall: boxes reach beyond the rim, so that every pair of triangles was halved in time
/// by itself. What all corners below a node reach is known after a few tests.
TEST(IntervalMethod, AWheelNearAWallTakesAsLongAsOneFarAway) {
  const Body wheel(make::cylinder({.radius = 1, .height = 0.2, .triangles = 512})),
      wall(make::box({.size = {1, 8, 8}}));
  const auto turn = [&](double gap) {
    return interval(wheel, Velocity::from_speeds(Pose(), {}, {0, 0, 6}), wall, Still{Pose({1.5 + gap, 0, 0})}, 1e-6);
  };
  const auto work = [](const Found& f) {
    return f.counters.continuous_box_tests + f.counters.reach_tests + f.counters.root_bisections;
  };
  const Found far = turn(0.1);
  EXPECT_EQ(far.status, Status::free);
  for (const double gap : {1e-2, 1e-4, 2e-6}) {
    const Found near = turn(gap);
    EXPECT_EQ(near.status, Status::free) << gap;
    EXPECT_LT(work(near), 3 * work(far)) << gap;  // were 30 times as many
  }
}

/// Random bodies, both turning many times and drifting: reach leaves nothing out.
TEST(IntervalMethod, ReachChangesNoAnswer) {
  std::mt19937_64 random(RandomBudget::seed(33));
  std::uniform_real_distribution<double> any(-1, 1);
  const auto vector = [&](double size) { return Vec3{size * any(random), size * any(random), size * any(random)}; };
  int contacts = 0, freed = 0;
  for (RandomBudget budget(12); budget.more();) {
    SCOPED_TRACE("seed " + std::to_string(RandomBudget::seed(33)));
    const Body a(make::torus_knot({.triangles = 60})), b(make::box());
    const Motion ma = Velocity::from_speeds(Pose(vector(0.3)), vector(1), vector(60));
    const Motion mb = Velocity::from_speeds(Pose(vector(0.3) + Vec3{3.2, 0, 0}), vector(1), vector(60));
    FirstContactOptions o;
    const Found with = interval(a, ma, b, mb, 1e-4, o);
    o.interval = IntervalOptions{.reach = false};
    const Found without = interval(a, ma, b, mb, 1e-4, o);
    ASSERT_EQ(with.status, without.status);
    ASSERT_EQ(with.touch, without.touch);
    ASSERT_EQ(with.triangle_a, without.triangle_a);
    ASSERT_EQ(with.triangle_b, without.triangle_b);
    contacts += with.status == Status::contact;
    freed += with.status == Status::free;
  }
  EXPECT_GT(contacts + freed, 0);
}

TEST(IntervalMethod, CoherenceTablesSaveTestsAndChangeNothing) {
  const Body a(make::torus_knot({.triangles = 500})), b(make::torus({.triangles = 300}));
  FirstContactCoherence coherence;
  FirstContactOptions o;
  o.coherence = &coherence;
  std::uint64_t with = 0, without = 0, reused = 0;
  for (int i = 0; i < 6; ++i) {
    const double y = 0.3 + 0.01 * i;
    const Motion ma = Velocity(Pose({3, y, 0.2}), Pose({-3, y, 0}, turn({0, 0, 1}, 1.5))), mb = Still{Pose()};
    const Found f = interval(a, ma, b, mb, 1e-4, o), g = interval(a, ma, b, mb, 1e-4);
    EXPECT_EQ(f.status, g.status);
    EXPECT_EQ(f.touch, g.touch);
    EXPECT_EQ(f.triangle_a, g.triangle_a);
    EXPECT_EQ(f.triangle_b, g.triangle_b);
    with += f.counters.continuous_box_tests + f.counters.discrete_box_tests;
    without += g.counters.continuous_box_tests + g.counters.discrete_box_tests;
    reused += f.counters.table_reused;
  }
  EXPECT_GT(reused, 0u);
  EXPECT_LT(with, without);
  // A table of other bodies does no harm.
  const Body box(make::box());
  expect_contact(interval(box, shift({0, 0, 0}, {4, 0, 0}), box, Still{Pose({3, 0, 0})}, 1e-6, o), 0.5, 1e-6);
}

/// A caller's motion that says no more than the interface asks for.
class Wrapped : public OwnMotion {
 public:
  explicit Wrapped(Motion m, double blur = 0) : motion_(std::move(m)), blur_(blur) {}
  Placement at(double t) const override { return motion_.at(t); }
  IntervalPlacement over(double t0, double t1) const override {
    IntervalPlacement p = motion_.over(t0, t1);
    for (Interval& x : p.t) x = x + Interval(-blur_, blur_);
    return p;
  }
  double travel(const Vec3& n, const Vec3& c, double r, double t0, double t1) const override {
    return motion_.travel(n, c, r, t0, t1) + 2 * blur_ * length(n);
  }

 private:
  Motion motion_;
  double blur_;
};

TEST(IntervalMethod, ACallersOwnMotion) {
  oracle::Random random(RandomBudget::seed(33));
  for (RandomBudget budget(12); budget.more();) {
    SCOPED_TRACE("seed " + std::to_string(RandomBudget::seed(33)));
    const Case c = random_case(random);
    const Motion own(std::make_shared<Wrapped>(c.ma));
    const double tolerance = 1e-3;
    const Found f = interval(c.a, own, c.b, c.mb, tolerance), g = interval(c.a, c.ma, c.b, c.mb, 1e-9);
    ASSERT_NE(f.status, Status::undecided);
    if (g.status == Status::contact) {
      ASSERT_EQ(f.status, Status::contact);
      EXPECT_LE(f.touch, g.touch + 1e-7);
    }
    if (f.status == Status::contact) {
      EXPECT_LE(distance_at(c.a, c.ma, c.b, c.mb, f.touch), tolerance * (1 + 1e-9));
    }
  }
}

TEST(IntervalMethod, BoundsThatGetNoBetterEndUndecidedAndSoon) {
  const Body box(make::box());
  const Motion vague(std::make_shared<Wrapped>(shift({0, 0, 0}, {4, 0, 0}), 0.25));
  const FirstContactOptions o;
  const Motion still = Still{Pose({3, 0, 0})};
  const engine::first_contact::Flight flight{box.data(), box.data(), vague.path(), still.path(), o, 1e-6, 1e-12};
  Found f;
  classic::contact::IntervalMethod::run(flight, f);
  EXPECT_EQ(f.status, Status::undecided);
  EXPECT_LT(f.safe, 0.5);
  EXPECT_GT(f.safe, 0.3);
}

TEST(IntervalMethod, BudgetsEndUndecidedBeforeTheContact) {
  const Body a(make::torus_knot({.triangles = 500})), b(make::torus({.triangles = 300}));
  const Motion ma = Velocity(Pose({3, 0.3, 0.2}), Pose({-3, 0.1, 0}, turn({0, 0, 1}, 1.5))), mb = Still{Pose()};
  const Found whole = interval(a, ma, b, mb, 1e-4);
  for (const std::uint64_t work : {1, 10, 100}) {
    FirstContactOptions o;
    o.work = work;
    const Found f = interval(a, ma, b, mb, 1e-4, o);
    EXPECT_EQ(f.status, Status::undecided);
    EXPECT_LE(f.safe, whole.safe);
  }
}

TEST(IntervalMethod, RefusesASubdivisionConstantThatMeansNothing) {
  const Body box(make::box());
  const Motion still = Still{};
  for (const double k : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    FirstContactOptions o;
    o.interval = IntervalOptions{.subdivision = k};
    const engine::first_contact::Flight flight{box.data(), box.data(), still.path(), still.path(), o, 1e-6, 1e-12};
    EXPECT_TRUE(classic::contact::IntervalMethod::refuses(flight).has_value());
  }
}

}  // namespace
}  // namespace graze
