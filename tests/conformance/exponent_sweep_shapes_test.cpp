// SPDX-License-Identifier: MIT
// Shapes with the magnitude of every length chosen independently: radii, sides, places, speeds, separations. Answers
// are compared with support functions in long double, and proofs with the independent checker.
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "conformance/exponent_sweep.hpp"
#include "oracle/shape_checks.hpp"
#include "oracle/shape_support.hpp"

namespace graze {
namespace {

using oracle::operator*;
using oracle::operator+;
using oracle::operator-;
using testing::Exponents;
using testing::power;
using testing::RandomBudget;

/// A shape whose lengths are each 2^e, or 0.
shape::Shape any_shape(oracle::Random& random, Exponents& e, std::ostringstream& text) {
  const auto length = [&] { return random() % 12 == 0 ? 0.0 : power(e.next()); };
  const auto made = [&]() -> shape::Shape {
    switch (random() % 7) {
      case 0: return shape::Sphere{length()};
      case 1: return shape::Capsule{length(), length()};
      case 2: return shape::Box{{length(), length(), length()}};
      case 3: return shape::Cylinder{length(), length()};
      case 4: return shape::Cone{length(), length()};
      case 5: return shape::Ellipsoid{{length(), length(), length()}};
      default: {
        shape::Hull hull;
        for (int i = 0; i < 5; ++i) hull.points.push_back(testing::direction(random) * length());
        return hull;
      }
    }
  };
  shape::Shape shape = made();
  if (random() % 3 == 0) shape.rounding = length();
  if (const auto* hull = std::get_if<shape::Hull>(&shape.kind)) {
    text << "hull:";
    for (const Vec3& p : hull->points) text << p.x << ' ' << p.y << ' ' << p.z << ", ";
    text << "+" << shape.rounding << ", ";
  } else {
    text << shape::to_text(shape) << ", ";
  }
  return shape;
}

struct ShapeScene {
  shape::Shape a, b;
  Pose pose_a, pose_b;
};

/// B is placed beside A along some direction: apart, touching or overlapping by any amount.
ShapeScene any_shape_scene(oracle::Random& random, Exponents& e, std::ostringstream& text) {
  shape::Shape a = any_shape(random, e, text), b = any_shape(random, e, text);
  const Pose pose_a(testing::direction(random) * power(e.next()), testing::quaternion(random, 0));
  const Quat turn = testing::quaternion(random, random() % 4 ? 0 : oracle::whole(random, -300, 300));
  const oracle::WideVec n = oracle::wide(testing::direction(random));
  const oracle::WideVec on_a = oracle::furthest_point(a, oracle::WidePose(pose_a), n);
  const oracle::WideVec on_b = oracle::furthest_point(b, oracle::WidePose(Pose({}, turn)), oracle::Wide(-1) * n);
  const int gap = e.next();
  const double apart = random() % 3 == 0 ? 0 : (random() % 2 ? 1 : -1) * power(gap);
  text << "apart " << apart;
  const Pose pose_b(oracle::narrow(on_a - on_b + oracle::Wide(apart) * n), turn);
  for (const Pose* p : {&pose_a, &pose_b}) {
    const Vec3& t = p->translation();
    const Quat& q = p->rotation();
    text << ", at " << t.x << ' ' << t.y << ' ' << t.z << ' ' << q.w << ' ' << q.x << ' ' << q.y << ' ' << q.z;
  }
  return {std::move(a), std::move(b), pose_a, pose_b};
}

TEST(ExponentSweep, ShapesAtAnyMagnitude) {
  const std::uint64_t seed = RandomBudget::seed(1401);
  SCOPED_TRACE("seed " + std::to_string(seed));
  oracle::Random random(seed);
  RandomBudget budget(3000);
  for (int i = 0; budget.more(); ++i) {
    std::ostringstream text;
    text.precision(17);
    Exponents e(random, 900);  // twice a length, and squares of a pose's entries, stay finite
    try {
      const ShapeScene s = any_shape_scene(random, e, text);
      SCOPED_TRACE(std::to_string(i) + ": " + text.str());
      EXPECT_EQ(oracle::problem_of_shapes(s.a, s.pose_a, s.b, s.pose_b), "");
    } catch (const Error&) {
      continue;  // a length that is not finite
    }
    if (HasFailure() && !std::getenv("GRAZE_SWEEP_ALL")) return;
  }
}

TEST(ExponentSweep, FlightsOfShapesAtAnyMagnitude) {
  const std::uint64_t seed = RandomBudget::seed(1402);
  SCOPED_TRACE("seed " + std::to_string(seed));
  oracle::Random random(seed);
  RandomBudget budget(400);
  int proofs = 0;
  for (int i = 0; budget.more(); ++i) {
    std::ostringstream text;
    text.precision(17);
    Exponents e(random, 900);
    try {
      const ShapeScene s = any_shape_scene(random, e, text);
      const Vec3 way = testing::direction(random) * power(e.next());
      const Vec3 turn = testing::direction(random) * power(e.alone(6)),
                 arm = testing::direction(random) * power(e.next());
      const double separation = random() % 3 ? 0 : power(e.next());
      text << ", way " << way.x << ' ' << way.y << ' ' << way.z << ", keeps " << separation;
      SCOPED_TRACE(std::to_string(i) + ": " + text.str());
      const Motion motion =
          random() % 2 ? Motion(Velocity::from_speeds(s.pose_a, way, turn, arm))
                       : Motion(Velocity(s.pose_a, Pose(s.pose_a.translation() + way, testing::quaternion(random, 0))));
      EXPECT_EQ(oracle::problem_of_flight(Body(s.a), motion, Body(s.b), Still{s.pose_b}, separation, proofs), "");
    } catch (const Error&) {
      continue;
    }
    if (HasFailure() && !std::getenv("GRAZE_SWEEP_ALL")) return;
  }
  EXPECT_GT(proofs, RandomBudget::is_whole() ? 50 : 2);
}

}  // namespace
}  // namespace graze
