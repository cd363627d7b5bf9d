// SPDX-License-Identifier: MIT
// Near misses at distances of about 1e-9: above a face, past an edge, over a corner, while rotating. The oracle's
// interval subdivision gives the true answer. Bodies that touch must never be `free`; bodies that stay beyond the
// tolerance must be.
#include "conformance/first_contact_check.hpp"
#include "conformance/first_contact_scenes.hpp"
#include "random_budget.hpp"

namespace graze {
namespace {

using namespace testing;
using oracle::real_point;

struct NearMiss {
  Mesh a, b;
  MotionRecipe motion_a, motion_b;
};

Vec3 unit(const Vec3& v) { return v * (1 / length(v)); }

/// Two triangles that at t = 1/2 have a vertex at distance `miss` above a face (or two edges at that distance), and
/// move along the surfaces at that time: the gap is stationary there.
NearMiss near_miss(oracle::Random& random, double miss, double turn) {
  // At t = 1/2, in the world: normal z, the near features at the origin.
  Mesh a = triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0}), b = a;
  const auto away = [&] { return oracle::real(random, 0.2, 1); };
  const int kind = oracle::whole(random, 0, 2);
  const double lift = random() % 3 ? 0 : 0.05;  // nearly flat ones stay close for a long time
  const auto up = [&] { return lift > 0 ? lift * away() : away(); };
  if (kind == 0) {  // a vertex of A above a face of B
    a = triangle({0, 0, miss}, {away(), -away(), miss + up()}, {-away(), away(), miss + up()});
    b = triangle({-away(), -away(), 0}, {away(), -away(), 0}, {0, away(), 0});
  } else if (kind == 1) {  // an edge above an edge
    a = triangle({-away(), 0, miss}, {away(), 0, miss}, {real_point(random).x, real_point(random).y, miss + up()});
    b = triangle({0, -away(), 0}, {0, away(), 0}, {real_point(random).x, real_point(random).y, -up()});
  } else {  // a vertex above a vertex
    a = triangle({0, 0, miss}, {away(), -away(), miss + up()}, {-away(), away(), miss + up()});
    b = triangle({0, 0, 0}, {away(), away(), -up()}, {-away(), away(), -up()});
  }
  // Each body has a pose at t = 0 and velocities that bring it to its pose at 1/2. Local coordinates are the world
  // coordinates at 1/2 relative to the pose at that time, so that `from` is the pose at 1/2 moved back.
  const auto recipe = [&](double speed) {
    const Vec3 w = real_point(random, turn),
               v{oracle::real(random, -speed, speed), oracle::real(random, -speed, speed), 0};
    // Rotates about the near features, so that their velocity is v: the gap is stationary there.
    const double angle = length(w) / 2;
    const Vec3 axis = length(w) > 0 ? unit(w) : Vec3{1, 0, 0};
    const Quat back{std::cos(angle / 2), -axis.x * std::sin(angle / 2), -axis.y * std::sin(angle / 2),
                    -axis.z * std::sin(angle / 2)};
    return MotionRecipe::speeds(Pose(v * -0.5, back), v, w);
  };
  return {a, b, random() % 4 ? recipe(2) : MotionRecipe::still(Pose()),
          random() % 2 ? recipe(1) : MotionRecipe::still(Pose())};
}

TEST(FirstContactNearMiss, PassesAtOneBillionth) {
  const std::uint64_t seed = RandomBudget::seed(311);
  oracle::Random random(seed);
  int number = 0;
  for (RandomBudget budget(80); budget.more() && !said_enough(); ++number) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", case " + std::to_string(number));
    const double miss = std::array{1e-9, 1e-9, 3e-9, 1e-8, 0.0, -1e-9}[random() % 6];
    const NearMiss n = near_miss(random, miss, std::array{0.0, 0.01, 1.0, 10.0}[random() % 4]);
    const Flown flown(n.a, n.motion_a, n.b, n.motion_b);
    const double tolerance = std::array{1e-11, 5e-10, 0.99e-9, 2e-9, 1e-7}[random() % 5];
    check_all_methods(flown, tolerance, true);
  }
}

/// The same with complete bodies: a corner of one box passes another's corner, edge or face.
TEST(FirstContactNearMiss, BoxesPassAtOneBillionth) {
  const Mesh unit_box = make::box();
  for (const double miss : {1e-9, 1e-8, -1e-9})
    for (const double tolerance : {1e-11, 5e-10, 2e-9})
      for (const Vec3 way : {Vec3{4, 0, 0}, Vec3{4, 4, 0}, Vec3{0.5, 0, 0}, Vec3{-4, 1, 0}}) {
        const Vec3 middle{0.25, -0.125, 1 + miss};
        const Flown flown(unit_box, MotionRecipe::velocity(Pose(middle - way * 0.5), Pose(middle + way * 0.5)),
                          unit_box, MotionRecipe::still(Pose()));
        for (const FirstContactTraits& method : first_contact_methods()) {
          const FirstContactResult r = flown.ask(method.name, tolerance);
          if (r.status == Status::invalid_request) continue;
          SCOPED_TRACE(std::to_string(miss * 1e9) + "e-9 " + flown.truth.text() + describe(r));
          if (miss < 0) {
            EXPECT_NE(r.status, Status::free);
          } else if (miss > tolerance * 1.001) {
            EXPECT_EQ(r.status, Status::free);
          }
          EXPECT_LE(r.counters.motion_steps, 20000u);
        }
      }
}

/// A rotating box whose corner just reaches, or just misses, a plate: the corner's circle has radius sqrt(2)/2.
TEST(FirstContactNearMiss, CornerOfATurningBoxReachesAPlate) {
  const Mesh unit_box = make::box();
  const double radius = std::sqrt(0.5);
  for (const double miss : {1e-9, 3e-9, -1e-9, -1e-8})
    for (const double tolerance : {1e-11, 5e-10, 2e-9})
      for (const double turn : {2.0, 3.0, 50.0}) {
        const Mesh floor = plate(2, -radius - miss);
        const Flown flown(unit_box, MotionRecipe::speeds(Pose(), {}, {0, turn, 0}), floor, MotionRecipe::still(Pose()));
        for (const FirstContactTraits& method : first_contact_methods()) {
          const FirstContactResult r = flown.ask(method.name, tolerance);
          if (r.status == Status::invalid_request) continue;
          SCOPED_TRACE(std::to_string(miss * 1e9) + "e-9 " + flown.truth.text() + describe(r));
          if (miss < 0) {
            EXPECT_EQ(r.status, Status::contact);
          } else if (miss > r.tolerance * 1.001) {
            EXPECT_EQ(r.status, Status::free);
          }
          if (r.status == Status::contact) {  // the corner, at -45 degrees, is lowest after turning by 45 degrees
            const double lowest = std::atan(1.0) / turn;
            EXPECT_LE(r.time.touch, lowest + 1e-9);
            EXPECT_GE(r.time.safe, lowest - 3 * std::sqrt(2 * (r.tolerance + std::fabs(miss)) / radius) / turn);
            check_witness(flown.truth, r);
          }
          EXPECT_LE(r.counters.motion_steps, 200000u);
        }
      }
}

}  // namespace
}  // namespace graze
