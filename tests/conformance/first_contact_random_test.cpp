// SPDX-License-Identifier: MIT
// Random motions of small bodies by every method, against the oracle's own motion and brute-force distance.
#include "conformance/first_contact_check.hpp"
#include "conformance/first_contact_scenes.hpp"
#include "random_budget.hpp"

namespace graze {
namespace {

using namespace testing;

/// Runs `one` on many cases, each with a trace that identifies it.
template <class One>
void many(const char* what, std::uint64_t fallback, int cases, const One& one) {
  const std::uint64_t seed = RandomBudget::seed(fallback);
  oracle::Random random(seed);
  int number = 0;
  for (RandomBudget budget(cases); budget.more() && !said_enough(); ++number) {
    SCOPED_TRACE(std::string(what) + ", seed " + std::to_string(seed) + ", case " + std::to_string(number));
    one(random);
  }
}

TEST(FirstContactRandom, SmallBodiesAnyMotion) {
  many("any", 301, 240, [](oracle::Random& random) {
    const Flown flown = random_flight(random);
    check_all_methods(flown, random_tolerance(random, flown));
  });
}

TEST(FirstContactRandom, TinyAndHuge) {
  many("scale", 302, 80, [](oracle::Random& random) {
    const double size = std::array{1e-9, 1e9, 1e-60, 1e60, 1e-3, 1e3}[random() % 6];
    const Flown flown = random_flight(random, size);
    check_all_methods(flown, random_tolerance(random, flown));
  });
}

TEST(FirstContactRandom, FarFromTheOrigin) {
  many("far", 303, 60, [](oracle::Random& random) {
    const double far = random() % 2 ? 1e6 : 1e9;
    const Flown flown = random_flight(random, 1, oracle::real_point(random, far));
    check_all_methods(flown, random_tolerance(random, flown));
  });
}

/// Every finite double is in range.
TEST(FirstContactRandom, TinyAndHugeBeyondFourthPowers) {
  many("scale", 307, 60, [](oracle::Random& random) {
    const double size = std::array{1e-100, 1e100, 1e-140, 1e140}[random() % 4];
    const Flown flown = random_flight(random, size);
    check_all_methods(flown, random_tolerance(random, flown));
  });
}

/// A much larger body against a much smaller one.
TEST(FirstContactRandom, MixedSizes) {
  many("mixed", 304, 60, [](oracle::Random& random) {
    const double ratio = std::pow(10, oracle::real(random, 1, 6));
    const auto spot = [&] { return oracle::real_point(random, ratio); };
    const Mesh a = scaled(random_body(random), ratio), b = random_body(random);
    const Vec3 p = spot() * 0.1, q = spot() * 0.1, r = spot(), s = spot();
    const Flown flown(a, random_motion(random, p, q, ratio), b, random_motion(random, r, s, 1));
    check_all_methods(flown, random_tolerance(random, flown));
  });
}

/// Bullets through paper: thin plates and single triangles, fast points, segments and small boxes.
TEST(FirstContactRandom, BulletThroughPaper) {
  many("bullet", 305, 50, [](oracle::Random& random) {
    const Mesh paper = random() % 2 ? plate(1) : box({-1, -1, -1e-5}, {1, 1, 1e-5});
    const double size = std::pow(10, oracle::real(random, -6, -1));
    const Mesh bullet = random() % 3 == 0   ? point({0, 0, 0})
                        : random() % 2 == 0 ? box({-size, -size, -size}, {size, size, size})
                                            : segment({-size, -size, 0}, {size, size, 0});
    // Through a point of the paper at a known fraction of the path.
    const double share = oracle::real(random, 0.01, 0.99);
    const Vec3 target = oracle::real_point(random, 0.9),
               way = oracle::real_point(random, 1) * std::pow(10, oracle::real(random, 0, 4));
    const Vec3 through{target.x, target.y, 0}, from = through - way * share, to = through + way * (1 - share);
    const Pose p0(from, oracle::unit_quaternion(random)), p1(to, oracle::unit_quaternion(random));
    const MotionRecipe fast = random() % 2 ? MotionRecipe::velocity(p0, p1)
                                           : MotionRecipe::speeds(p0, to - from, oracle::real_point(random, 20));
    const Flown flown(bullet, fast, paper, MotionRecipe::still(Pose()));
    for (const FirstContactTraits& method : first_contact_methods()) {
      const FirstContactResult r = flown.ask(method.name, 1e-9);
      if (r.status == Status::invalid_request || std::fabs(way.z) < 1e-3) continue;
      SCOPED_TRACE(flown.truth.text() + describe(r));
      EXPECT_NE(r.status, Status::free) << "a bullet missed its paper";
      if (r.status == Status::contact) {
        EXPECT_LE(r.time.touch, share + 1e-12);
      }
    }
    check_all_methods(flown, 1e-9);
  });
}

/// The exact discrete test at sixty times finds no contact before t_touch that was missed.
TEST(FirstContactRandom, SampledByTheExactDiscreteTest) {
  many("sampled", 306, 500, [](oracle::Random& random) {
    const Flown flown = random_flight(random);
    SCOPED_TRACE(flown.truth.text());
    for (const FirstContactTraits& method : first_contact_methods()) {
      const FirstContactResult r = flown.ask(method.name, random() % 2 ? std::optional(1e-7) : std::nullopt);
      if (r.status == Status::touching_at_start || r.status == Status::invalid_request) continue;
      SCOPED_TRACE(describe(r));
      const double end = r.status == Status::free ? 1 : r.time.touch;
      for (int i = 0; i <= 60; ++i) {
        const double t = end * i / 60;
        if (t == end && end < 1) break;
        const CollideResult hit =
            collide(flown.a, flown.truth.motion(0).pose(t), flown.b, flown.truth.motion(1).pose(t));
        EXPECT_FALSE(hit.status == Status::contact && hit.kind == ContactKind::crossing) << "MISSED at " << t;
      }
    }
  });
}

}  // namespace
}  // namespace graze
