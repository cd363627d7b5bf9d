// SPDX-License-Identifier: MIT
// Trajectories: links whose joints follow polynomials, against Hermite's and the B-spline's own formulas in 100 digits.
#include <limits>
#include <string>

#include <graze/core/error.hpp>
#include <graze/motion/chain.hpp>
#include <graze/motion/trajectory.hpp>

#include "motion/polynomial.hpp"
#include "oracle/pose_generators.hpp"
#include "random_budget.hpp"
#include "unit/motion/reference.hpp"

namespace {

using namespace graze;
using namespace graze::testing;

using Coordinate = std::function<Real(const Real&)>;  ///< of the share of a segment

/// The polynomial with these values, velocities and accelerations at times 0 and h, at time s h, by Hermite's formulas.
Coordinate real_hermite(Interpolation kind, const TrajectoryPoint& a, const TrajectoryPoint& b, std::size_t i) {
  const Real h = Real(b.time) - Real(a.time), p = a.positions[i], q = b.positions[i];
  if (kind == Interpolation::linear) return [=](const Real& s) { return p + (q - p) * s; };
  const Real v = h * Real(a.velocities[i]), w = h * Real(b.velocities[i]);
  if (kind == Interpolation::cubic)
    return [=](const Real& s) {
      const Real s2 = s * s, s3 = s2 * s;
      return (2 * s3 - 3 * s2 + 1) * p + (s3 - 2 * s2 + s) * v + (3 * s2 - 2 * s3) * q + (s3 - s2) * w;
    };
  const Real x = h * h * Real(a.accelerations[i]), y = h * h * Real(b.accelerations[i]);
  return [=](const Real& s) {
    const Real s2 = s * s, s3 = s2 * s, s4 = s3 * s, s5 = s4 * s;
    return (1 - 10 * s3 + 15 * s4 - 6 * s5) * p + (s - 6 * s3 + 8 * s4 - 3 * s5) * v +
           (s2 - 3 * s3 + 3 * s4 - s5) / 2 * x + (10 * s3 - 15 * s4 + 6 * s5) * q + (-4 * s3 + 7 * s4 - 3 * s5) * w +
           (s3 - 2 * s4 + s5) / 2 * y;
  };
}

/// The basis function by its recursion, continued from the span between the knots j and j + 1.
Real basis(std::span<const double> knots, std::size_t i, std::size_t degree, std::size_t j, const Real& x) {
  if (degree == 0) return i == j ? 1 : 0;
  const auto part = [&](std::size_t from, const Real& way, std::size_t k) {
    const Real width = Real(knots[from + degree]) - Real(knots[from]);
    return width == 0 ? Real(0) : way / width * basis(knots, k, degree - 1, j, x);
  };
  return part(i, x - Real(knots[i]), i) + part(i + 1, Real(knots[i + degree + 1]) - x, i + 1);
}

RealPlacement joint_at(const Joint& joint, std::span<const Coordinate> q, const Real& t) {
  RealPlacement moved;
  if (joint.type == JointType::fixed) return moved;
  if (joint.type == JointType::floating) {
    const auto quat = [&](const Real& s) {
      return Quat{double(q[3](s)), double(q[4](s)), double(q[5](s)), double(q[6](s))};
    };
    moved = real_velocity(Pose({}, quat(0)), Pose({}, quat(1)), {})(t);
    moved.t = {q[0](t), q[1](t), q[2](t)};
    return moved;
  }
  const RealVector axis = RealVector(joint.axis) * (1 / length(RealVector(joint.axis)));
  if (joint.type == JointType::planar) {  // about z
    moved = turn_about(axis, q[2](t));
    moved.t = {q[0](t), q[1](t), 0};
    return moved;
  }
  Real x = q[0](t);
  if (joint.mimic) x = Real(joint.mimic->factor) * x + Real(joint.mimic->offset);
  if (joint.type != JointType::prismatic) moved = turn_about(axis, x);
  if (joint.type == JointType::prismatic) moved.t = axis * x;
  if (joint.type == JointType::screw) moved.t = axis * (x * Real(joint.pitch));
  return moved;
}

RealMotion real_link(const Chain& chain, LinkId link, std::vector<Coordinate> q) {
  return [=, &chain](const Real& t) {
    RealPlacement p;
    for (std::optional<LinkId> up = link; up; up = chain.parent(*up)) {
      const Joint& joint = chain.link(*up).joint;
      const LinkId moved_by = joint.mimic ? chain.find(joint.mimic->link).value() : *up;
      const std::size_t first = chain.first_coordinate(moved_by).value_or(0), count = coordinates_of(joint.type);
      p = placed(joint.origin) * joint_at(joint, std::span(q).subspan(count ? first : 0, count), t) * p;
    }
    return p;
  };
}

Chain random_arm(Dice& dice, oracle::Random& random, int count, bool floating) {
  constexpr std::array types{JointType::revolute, JointType::continuous, JointType::prismatic, JointType::screw,
                             JointType::planar,   JointType::fixed,      JointType::floating};
  std::vector<Link> links;
  int followed = -1;
  for (int i = 0; i < count; ++i) {
    Joint joint;
    joint.type = types[static_cast<std::size_t>(dice.whole(0, floating ? 6 : 5))];
    joint.origin = dice.whole(0, 2) ? Pose(dice.point(1), oracle::unit_quaternion(random)) : Pose(dice.point(1));
    joint.axis = dice.whole(0, 1) && joint.type != JointType::planar ? dice.direction() * 3 : Vec3{0, 0, 1};
    joint.pitch = dice.real(-0.3, 0.3);
    const bool one = coordinates_of(joint.type) == 1;
    if (one && followed >= 0 && dice.whole(0, 2) == 0)
      joint.mimic = Mimic{"l" + std::to_string(followed), dice.real(-2, 2), dice.real(-1, 1)};
    else if (one)
      followed = i;
    links.push_back({"l" + std::to_string(i), i ? "l" + std::to_string(i - 1) : "", joint});
  }
  return Chain(std::move(links));
}

std::vector<bool> quaternions(const Chain& chain) {
  std::vector<bool> is(chain.coordinates());
  for (std::uint32_t i = 0; i < chain.size(); ++i)
    if (chain.link(LinkId{i}).joint.type == JointType::floating)
      for (std::size_t k = 3; k < 7; ++k) is[chain.first_coordinate(LinkId{i}).value() + k] = true;
  return is;
}

std::vector<TrajectoryPoint> random_points(Dice& dice, const Chain& chain, std::size_t count, double reach) {
  const std::vector<bool> quaternion = quaternions(chain);
  std::vector<TrajectoryPoint> points(count);
  for (std::size_t k = 0; k < count; ++k) {
    points[k].time = k == 0 ? dice.real(-1, 1) : points[k - 1].time + std::ldexp(dice.real(0.5, 1), dice.whole(-3, 2));
    for (std::size_t i = 0; i < chain.coordinates(); ++i) {
      const bool rests = quaternion[i] || dice.whole(0, 5) == 0;
      points[k].positions.push_back(k && dice.whole(0, 5) ? points[k - 1].positions[i] + dice.real(-reach, reach)
                                    : k                   ? points[k - 1].positions[i]
                                                          : dice.real(-2, 2));
      points[k].velocities.push_back(rests ? 0 : dice.real(-reach, reach));
      points[k].accelerations.push_back(rests ? 0 : dice.real(-reach, reach));
    }
  }
  return points;
}

TEST(Trajectory, RandomLinksOnPolynomials) {
  Dice dice(RandomBudget::seed(31));
  oracle::Random random(RandomBudget::seed(32));
  constexpr std::array kinds{Interpolation::linear, Interpolation::cubic, Interpolation::quintic};
  for (RandomBudget budget(40); budget.more() && !HasFailure();) {
    const int count = dice.whole(1, 9);
    const Chain chain = random_arm(dice, random, count, true);
    if (chain.coordinates() == 0) continue;
    const auto points = random_points(dice, chain, 3, std::ldexp(2.0, -dice.whole(0, 6)));
    const std::vector<bool> quaternion = quaternions(chain);
    std::vector<Interpolation> each;
    for (std::size_t i = 0; i < chain.coordinates(); ++i)
      each.push_back(quaternion[i] ? Interpolation::linear : kinds[dice.bits() % 3]);
    const Trajectory trajectory = Trajectory::through(points, each);
    const LinkId last{static_cast<std::uint32_t>(count - 1)};
    for (std::size_t s = 0; s < 2; ++s) {
      std::vector<Coordinate> q;
      for (std::size_t i = 0; i < each.size(); ++i) q.push_back(real_hermite(each[i], points[s], points[s + 1], i));
      Checker(chain.link_motion(last, trajectory, s), real_link(chain, last, q), 1, dice.bits()).all(5);
    }
  }
}

TEST(Trajectory, RandomLinksOnSplines) {
  Dice dice(RandomBudget::seed(33));
  oracle::Random random(RandomBudget::seed(34));
  for (RandomBudget budget(20); budget.more() && !HasFailure();) {
    const int count = dice.whole(1, 5);
    const Chain chain = random_arm(dice, random, count, false);
    const std::size_t n = chain.coordinates();
    if (n == 0) continue;
    const std::size_t points = static_cast<std::size_t>(dice.whole(4, 7));
    std::vector<double> control, knots{dice.real(-1, 1)};
    for (std::size_t i = 0; i < points * n; ++i) control.push_back(dice.real(-2, 2));
    while (knots.size() < points + 4)
      knots.push_back(knots.back() + (dice.whole(0, 2) && knots.size() != points ? dice.real(0, 1) : 0));
    knots[points] = std::max(knots[points], std::nextafter(knots[3], 9.0) + 0.5);
    for (std::size_t i = points + 1; i < knots.size(); ++i) knots[i] = std::max(knots[i], knots[i - 1]);
    const Trajectory trajectory = Trajectory::spline(control, n, knots);
    const LinkId last{static_cast<std::uint32_t>(count - 1)};
    std::size_t segment = 0;
    for (std::size_t j = 3; j < points; ++j) {
      if (knots[j] == knots[j + 1]) continue;
      EXPECT_EQ(trajectory.start(segment), knots[j]);
      EXPECT_EQ(trajectory.end(segment), knots[j + 1]);
      std::vector<Coordinate> q;
      for (std::size_t i = 0; i < n; ++i)
        q.push_back([=](const Real& s) {
          const Real x = Real(knots[j]) + s * (Real(knots[j + 1]) - Real(knots[j]));
          Real sum = 0;
          for (std::size_t k = j - 3; k <= j; ++k) sum += Real(control[k * n + i]) * basis(knots, k, 3, j, x);
          return sum;
        });
      Checker(chain.link_motion(last, trajectory, segment++), real_link(chain, last, q), 1, dice.bits()).all(3);
    }
    EXPECT_EQ(segment, trajectory.segments());
  }
}

TEST(Trajectory, PolynomialsAndTheirPartsEncloseTheRealOnes) {
  Dice dice(RandomBudget::seed(35));
  for (RandomBudget budget(300); budget.more() && !HasFailure();) {
    std::vector<Interval> c;
    for (int i = dice.whole(1, 6); i > 0; --i) c.push_back(dice.real(-2, 2));
    const motion::Polynomial p(c);
    const auto real = [&](const Real& t) {
      std::vector<Real> x;
      for (const Interval& k : c) x.push_back(k.lo);
      for (std::size_t n = x.size() - 1; n > 0; --n)
        for (std::size_t i = 0; i < n; ++i) x[i] = (1 - t) * x[i] + t * x[i + 1];
      return x[0];
    };
    const auto holds = [](const Interval& x, const Real& y) { return Real(x.lo) <= y && y <= Real(x.hi); };
    const Interval span = dice.span();
    const double s = dice.real(0, 1), t = dice.real(span.lo, span.hi);
    EXPECT_TRUE(holds(p.over(span), real(t)));
    EXPECT_LE(p.over(span).hi - p.over(span).lo, 64 * (span.hi - span.lo) + 1e-13);
    EXPECT_LE(double(abs(real(t) - Real(p.value(t)))), p.value_error());
    const Real h = ldexp(Real(1), -70), slope = (real(Real(t) + h) - real(Real(t) - h)) / (2 * h);
    EXPECT_LE(double(abs(slope - Real(p.slope(t)))), p.slope_error() + 1e-30);
    EXPECT_LE(double(abs(slope)), p.fastest());
    EXPECT_LE(double(abs(real(Real(t) + h) - 2 * real(t) + real(Real(t) - h)) / (h * h)), p.sharpest() * (1 + 1e-12));
    const Real in_part = Real(span.lo) + Real(s) * (Real(span.hi) - Real(span.lo));
    EXPECT_TRUE(holds(p.part(span.lo, span.hi).over(s), real(in_part)));
  }
}

TEST(Trajectory, WhatTheDataSay) {
  const std::vector<TrajectoryPoint> points{{0, {1, 2}, {0, 0}, {0, 0}}, {2, {3, 2}, {0, 0}}, {3, {4, 5}}};
  const Trajectory t = Trajectory::through(points);
  ASSERT_EQ(t.segments(), 2u);
  std::vector<double> q(2);
  t.state(0, 0.25, q);
  EXPECT_NEAR(q[0], 1 + 2 * (3 * 0.0625 - 2 * 0.015625), 1e-15);  // cubic: no accelerations at its end
  EXPECT_EQ(q[1], 2);
  t.state(1, 0.25, q);
  EXPECT_EQ(q, (std::vector<double>{3.25, 2.75}));  // linear: no velocities at its end
  EXPECT_EQ(t.time(1, 0.5), 2.5);
  EXPECT_EQ(t.time(1, 1), 3);
}

/// The place and the message of a refusal.
template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Trajectory, MistakesAreRefusedWithTheirPlace) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto through = [](std::vector<TrajectoryPoint> points, std::vector<Interpolation> each = {}) {
    return refusal([&] { Trajectory::through(points, each); });
  };
  const auto says = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  EXPECT_TRUE(says(through({}), "at least two"));
  EXPECT_TRUE(says(through({{0, {1}}, {1, {2}}, {1, {3}}}), "waypoint 2: its time must be later"));
  EXPECT_TRUE(says(through({{0, {1}}, {-1, {2}}}), "waypoint 1"));
  EXPECT_TRUE(says(through({{0, {1}}, {nan, {2}}}), "waypoint 1: its time is not finite"));
  EXPECT_TRUE(says(through({{0, {1}}, {1, {nan}}}), "waypoint 1: one of its positions"));
  EXPECT_TRUE(says(through({{0, {1, 2}}, {1, {1}}}), "waypoint 1: it has 1 positions, and not 2"));
  EXPECT_TRUE(says(through({{0, {1, 2}, {0}}, {1, {1, 2}}}), "waypoint 0: it has 1 velocities"));
  EXPECT_TRUE(says(through({{0, {1}, {0}}, {1, {1}}}, {Interpolation::cubic}), "waypoint 1: a cubic"));
  EXPECT_TRUE(says(through({{0, {1}, {0}, {0}}, {1, {1}, {0}}}, {Interpolation::quintic}), "waypoint 1: a quintic"));
  EXPECT_TRUE(says(through({{0, {1}}, {1, {1}}}, {Interpolation::linear, Interpolation::linear}), "option each"));
  EXPECT_TRUE(says(through({{0, {1}, {1e308}}, {1e3, {1}, {0}}}), "waypoint 0: between it and the next"));
  const auto spline = [](std::vector<double> control, std::vector<double> knots) {
    return refusal([&] { Trajectory::spline(control, 1, knots); });
  };
  EXPECT_TRUE(says(spline({1, 2, 3}, {0, 0, 0, 0, 1, 1, 1}), "at least four"));
  EXPECT_TRUE(says(spline({1, 2, 3, 4}, {0, 0, 0, 0, 1, 1, 1}), "8 knots, not 7"));
  EXPECT_TRUE(says(spline({1, 2, 3, nan}, {0, 0, 0, 0, 1, 1, 1, 1}), "control point 3"));
  EXPECT_TRUE(says(spline({1, 2, 3, 4}, {0, 0, 0, 0, -1, 1, 1, 1}), "knot 4"));
  EXPECT_TRUE(says(spline({1, 2, 3, 4}, {0, 0, 0, 0, 0, 1, 1, 1}), "no time"));
  EXPECT_TRUE(says(spline({1, 2, 3, 4, 5, 6, 7, 8}, {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}), "jump"));
  const Chain floating({{"body", "", {.type = JointType::floating}}}),
      arm({{"arm", "", {.type = JointType::revolute}}});
  const std::vector<double> q{0, 0, 0, 1, 0, 0, 0};
  std::vector<double> speeds(7, 0.0);
  const Trajectory rests = Trajectory::through(std::vector<TrajectoryPoint>{{0, q, speeds}, {1, q, speeds}});
  EXPECT_EQ(refusal([&] { floating.link_motion(LinkId{0}, rests, 0); }), "");
  EXPECT_TRUE(says(refusal([&] { floating.link_motion(LinkId{0}, rests, 1); }), "1 segments"));
  EXPECT_TRUE(says(refusal([&] { arm.check(rests); }), "1 coordinates"));
  speeds[4] = 0.5;
  const Trajectory turns = Trajectory::through(std::vector<TrajectoryPoint>{{0, q, speeds}, {1, q, speeds}});
  EXPECT_TRUE(says(refusal([&] { floating.check(turns); }), "must change evenly"));
  const Trajectory wild = Trajectory::through(std::vector<TrajectoryPoint>{{0, {0}, {1e7}}, {1, {0}, {0}}});
  EXPECT_TRUE(says(refusal([&] { arm.check(wild); }), "2^20"));
}

}  // namespace
