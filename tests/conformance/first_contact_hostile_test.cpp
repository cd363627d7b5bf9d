// SPDX-License-Identifier: MIT
// Adversarial motions: bodies without volume, duplicated or very thin, on a lattice where edges are exactly parallel
// and faces slide, rotations close to half a turn and close to zero, about distant points, or by a million times their
// size in one step.
#include "conformance/first_contact_check.hpp"
#include "conformance/first_contact_scenes.hpp"
#include "random_budget.hpp"

namespace graze {
namespace {

using namespace testing;

double power_of_ten(oracle::Random& random, double least, double most) {
  return std::pow(10, oracle::real(random, least, most));
}

/// Not planar, by a large or a tiny amount.
Mesh crooked_quad(oracle::Random& random) {
  PolygonList f;
  f.add(std::array<std::uint32_t, 4>{0, 1, 2, 3});
  const double h = power_of_ten(random, -12, 0);
  return Mesh({{-1, -1, h}, {1, -1, -h}, {1, 1, h}, {-1, 1, -h}}, f);
}
Mesh doubled(const Mesh& mesh) {
  PolygonList f;
  for (int i = 0; i < 2; ++i)
    for (std::uint32_t p = 0; p < mesh.polygons().size(); ++p) f.add(mesh.polygon(PolygonId{p}));
  return Mesh(std::vector<Vec3>(mesh.positions().begin(), mesh.positions().end()), f);
}
Mesh hostile_body(oracle::Random& random) {
  const double thin = power_of_ten(random, -13, -1);
  switch (random() % 12) {
    case 0: return crooked_quad(random);
    case 1: return doubled(box({-1, -1, -1}, {1, 1, 1}));
    case 2: return triangle({-1, 0, 0}, {1, 0, 0}, {oracle::real(random, -1, 1), power_of_ten(random, -6, -2), 0});
    case 3: return plate(1);
    case 4: return box({-1, -1, -1}, {1, 1, 1});
    case 5: return box({-1, -1, -thin}, {1, 1, thin});
    case 6: return box({-1, -thin, -thin}, {1, thin, thin});
    case 7: return segment({-1, 0, 0}, {1, 0, 0});
    case 8: return point({0, 0, 0});
    case 9: return soup(random, oracle::whole(random, 1, 5), true);
    case 10: return triangle({-1, -1, 0}, {1, -1, 0}, {0, 1, 0});
    default: return doubled(crooked_quad(random));
  }
}

/// Multiples of one half, sometimes plus something tiny.
Vec3 lattice(oracle::Random& random) {
  Vec3 p = oracle::grid_point(random, 6) * 0.5;
  const auto tiny = [&] { return power_of_ten(random, -16, -3) * (random() % 2 ? 1 : -1); };
  if (random() % 3 == 0) p.x += tiny();
  if (random() % 3 == 0) p.z += tiny();
  return p;
}

Quat hostile_turn(oracle::Random& random, const Quat& q) {
  const double tiny = power_of_ten(random, -17, -6);
  switch (random() % 6) {
    case 0: return oracle::quarter_turn(random);
    case 1: return {q.w + tiny, q.x, q.y - tiny, q.z};
    case 2: return {-q.x + tiny, q.w, -q.z, q.y};  // nearly half a turn further
    case 3: return oracle::whole_quaternion(random);
    default: return q;
  }
}

MotionRecipe hostile_motion(oracle::Random& random) {
  const Quat q0 = random() % 2 ? Quat{} : oracle::quarter_turn(random), q1 = hostile_turn(random, q0);
  const Vec3 from = lattice(random);
  Vec3 to = random() % 4 == 0 ? from : lattice(random);
  if (random() % 6 == 0) to = from + (to - from) * power_of_ten(random, 0, 6);
  const Pose p0(from, q0), p1(to, q1);
  switch (random() % 8) {
    case 2: return MotionRecipe::velocity(p0, p1);
    case 3: return MotionRecipe::velocity(p0, p1, oracle::grid_point(random, 2) * power_of_ten(random, 0, 3));
    case 4: return MotionRecipe::screw(p0, p1);
    case 5: {
      const double turns =
          random() % 3 == 0 ? 6.283185307179586 * oracle::whole(random, 1, 5) : oracle::real(random, 0, 4);
      return MotionRecipe::speeds(p0, random() % 2 ? Vec3{} : to - from, oracle::grid_point(random, 1) * turns,
                                  random() % 2 ? Vec3{} : oracle::grid_point(random, 2));
    }
    case 6: {
      const double eighth = 0.7853981633974483;
      const Vec3 a = oracle::grid_point(random, 4) * eighth, b = oracle::grid_point(random, 4) * eighth;
      return MotionRecipe::angles({from, a.x, a.y, a.z}, {to, b.x, b.y, b.z});
    }
    case 7: return MotionRecipe::angles_of_poses(Pose(from), Pose(to, {1, 0.01, 0.25, 0.5}));
    default: return MotionRecipe::still(p0);
  }
}

Flown hostile_flight(oracle::Random& random) {
  const Mesh a = hostile_body(random), b = hostile_body(random);
  const MotionRecipe m = hostile_motion(random), n = hostile_motion(random);
  return Flown(a, m, b, n);
}

/// The rounding error of doubles as large as those of the motion: a gap is known only to within that.
Real lost(const Flown& flown) {
  const double far = std::max(length(flown.truth.recipe(0).reference), length(flown.truth.recipe(1).reference));
  return 1e-12L * (flown.truth.speed() + far + 10);
}

TEST(FirstContactHostile, EveryMethodKeepsItsPromise) {
  many_flights(401, 250, hostile_flight, [](oracle::Random& random, const Flown& flown) {
    FirstContactOptions options;
    if (random() % 3) options.tolerance = power_of_ten(random, -9, -1.5);
    options.budget =
        std::chrono::seconds(3);  // near misses of many triangles take the reference method, brute, very long
    std::optional<FlightTruth> truth;
    bool touches = false;
    for (const FirstContactTraits& method : first_contact_methods()) {
      options.method = method.name;
      const FirstContactResult r = flown.ask(options);
      if (!truth) {
        truth = flown.truth.look(r.tolerance);
        touches = r.status == Status::touching_at_start;
      }
      Complaints wrong;
      wrong.unless(r.status != Status::free || !truth->zero_at, "MISSED CONTACT");
      if (r.status == Status::contact) {
        wrong.unless(!truth->zero_at || Real(r.time.touch) <= *truth->zero_at + 1e-11L, "LATE");
        wrong.unless(flown.truth.gap(r.time.touch) <= Real(r.tolerance) + lost(flown), "the gap at t_touch is ",
                     flown.truth.gap(r.time.touch));
        for (const Feature& f : r.features)
          wrong.unless(flown.truth.gap(r.time.touch, f) <= Real(r.tolerance) + lost(flown), name(f.kind), " is apart");
      }
      if (r.status != Status::undecided)
        wrong.unless(touches == (r.status == Status::touching_at_start), "touching at start or not?");
      EXPECT_TRUE(wrong.text().empty()) << describe(r) << wrong.text();
    }
  });
}

TEST(FirstContactHostile, AllContactsAndTheClearance) {
  many_flights(402, 20, hostile_flight, [](oracle::Random& random, const Flown& flown) {
    FirstContactOptions options;
    options.tolerance = power_of_ten(random, -5, -1.5);
    options.all_features = options.all_contacts = options.clearance = true;
    options.budget = std::chrono::seconds(4);
    const FirstContactResult r = flown.ask(options);
    if (r.status == Status::undecided) return;
    const Real slack = lost(flown) + 1e-3L * r.tolerance;
    Complaints wrong;
    for (const ContactEvent& e : r.contacts) {
      const Real g = flown.truth.gap(e.time.touch, e.feature);
      wrong.unless(g <= Real(r.tolerance) + slack, "an event's features are ", g, " apart");
      wrong.unless(std::fabs(g - e.gap) <= slack, "its gap is ", e.gap, ", not ", g);
    }
    const Clearance& c = *r.clearance;
    wrong.unless(flown.truth.gap(c.time) <= c.upper + slack, "the clearance at its time is ", flown.truth.gap(c.time));
    wrong.unless(c.upper - c.lower <= 2 * r.tolerance + 1e-3 * c.upper, "the clearance is not tight");
    for (int i = 0; i <= 40; ++i) {
      const Real t = i / Real(40), gap = flown.truth.gap(t);
      wrong.unless(gap >= c.lower - slack, "at ", t, " the gap is only ", gap, ", not ", c.lower);
      if (!(gap > slack && gap < 0.49L * r.tolerance)) continue;
      wrong.unless(std::any_of(r.contacts.begin(), r.contacts.end(),
                               [&](const ContactEvent& e) { return e.time.safe <= t && t <= e.until; }),
                   "at ", t, " the gap is ", gap, ", but no contact is listed");
    }
    EXPECT_TRUE(wrong.text().empty()) << describe(r) << wrong.text().substr(0, 900);
  });
}

/// Starts that touch exactly, on a grid. If a method ignores one, the bodies must separate, and no later contact may be
/// missed; and most starts that separate must be recognised.
TEST(FirstContactHostile, IgnoredStarts) {
  const std::uint64_t seed = RandomBudget::seed(403);
  oracle::Random random(seed);
  const auto body = [&]() -> Mesh {
    switch (random() % 5) {
      case 0: return box({-1, -1, -1}, {1, 1, 1});
      case 1: return plate(1);
      case 2: return triangle({-1, -1, 0}, {1, -1, 0}, {0, 1, 0});
      case 3: return make::tetrahedron();
      default: return segment({-1, 0, 0}, {1, 0, 0});
    }
  };
  const auto motion = [&](bool moving) {
    const Pose from(oracle::grid_point(random, 2), random() % 2 ? Quat{} : oracle::quarter_turn(random));
    if (!moving) return MotionRecipe::still(from);
    const Vec3 way = random() % 2 ? oracle::grid_point(random, 2) : oracle::real_point(random, 2);
    const Pose to(from.translation() + way, oracle::unit_quaternion(random));
    switch (random() % 4) {
      case 0: return MotionRecipe::velocity(from, to);
      case 1: return MotionRecipe::screw(from, to);
      case 2: {
        const Vec3 turn = oracle::real_point(random, 3);
        return MotionRecipe::angles({from.translation(), 0, 0, 0}, {to.translation(), turn.x, turn.y, turn.z});
      }
      default: return MotionRecipe::speeds(from, way, random() % 2 ? Vec3{} : oracle::real_point(random, 3));
    }
  };
  int opening = 0, ignored = 0;
  for (RandomBudget budget(800); budget.more() && !said_enough();) {
    const Mesh a = body(), b = body();
    const MotionRecipe m = motion(true), n = motion(random() % 3 == 0);
    const Flown flown(a, m, b, n);
    FirstContactOptions options;
    options.budget = std::chrono::seconds(3);
    if (flown.ask(options).status != Status::touching_at_start) continue;
    SCOPED_TRACE("seed " + std::to_string(seed) + flown.truth.text());
    options.ignore_start_if_separating = true;
    options.method = first_contact_methods()[random() % first_contact_methods().size()].name;
    const FirstContactResult r = flown.ask(options);
    const Real early = 1e-5L;
    opening += flown.truth.gap(early) > 1e-3L * early && flown.truth.gap(early / 10) > 1e-4L * early;
    if (r.status != Status::free && !(r.status == Status::contact && r.time.touch > 0)) continue;
    ++ignored;
    Complaints wrong;
    wrong.unless(flown.truth.gap(1e-7L) > 0, "they do not part");
    for (int i = 1; i <= 60; ++i) {
      const Real t = Real(r.time.safe) * i / 60 * (1 - 1e-9L);
      if (t > 1e-9L) wrong.unless(flown.truth.gap(t) > 0, "they meet at ", t);
    }
    EXPECT_TRUE(wrong.text().empty()) << describe(r) << wrong.text();
  }
  EXPECT_GE(ignored, opening * 9 / 10) << "of " << opening;
}

}  // namespace
}  // namespace graze
