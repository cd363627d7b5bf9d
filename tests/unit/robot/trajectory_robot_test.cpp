// SPDX-License-Identifier: MIT
// Robots on trajectories, against all pairs one by one, against states at many times, and against straight pieces.
#include <gtest/gtest.h>

#include <cmath>

#include <graze/robot/robot.hpp>

#include "random_budget.hpp"
#include "unit/robot/random_robot.hpp"

namespace {

using namespace graze;
using namespace graze::testing::robots;
using graze::testing::Dice;
using graze::testing::RandomBudget;

std::vector<TrajectoryPoint> random_points(Dice& dice, const Robot& robot, std::size_t count, double reach) {
  std::vector<TrajectoryPoint> points(count);
  for (std::size_t k = 0; k < count; ++k) {
    points[k].time = k ? points[k - 1].time + dice.real(0.2, 2) : dice.real(-1, 1);
    points[k].positions = k ? points[k - 1].positions : random_state(dice, robot);
    for (double& x : points[k].positions) x += k ? dice.real(-reach, reach) : 0;
    for (std::size_t i = 0; i < robot.coordinates(); ++i) {
      points[k].velocities.push_back(dice.real(-reach, reach));
      points[k].accelerations.push_back(dice.real(-reach, reach));
    }
  }
  return points;
}

Trajectory random_trajectory(Dice& dice, const Robot& robot, std::size_t points, double reach) {
  constexpr std::array kinds{Interpolation::linear, Interpolation::cubic, Interpolation::quintic};
  std::vector<Interpolation> each;
  for (std::size_t i = 0; i < robot.coordinates(); ++i) each.push_back(kinds[dice.bits() % 3]);
  if (dice.whole(0, 3)) return Trajectory::through(random_points(dice, robot, points, reach), each);
  std::vector<double> control, q = random_state(dice, robot);
  for (std::size_t k = 0; k < points + 3; ++k) {
    control.insert(control.end(), q.begin(), q.end());
    for (double& x : q) x += dice.real(-reach, reach);
  }
  return Trajectory::spline(control, robot.coordinates(), 0, 3);
}

struct Slow {
  Status status = Status::free;
  std::size_t segment = 0;
  TimeBracket time;
};

/// Segment by segment, pair by pair.
Slow ask_slowly(const Case& c, const Trajectory& trajectory) {
  const Robot& robot = c.robot;
  const RobotModel& model = robot.model();
  const auto link = [&](std::uint32_t p) { return robot.chain().find(model.pieces[p].link).value(); };
  for (std::size_t s = 0; s < trajectory.segments(); ++s) {
    Slow slow;
    const auto take = [&](const FirstContactResult& r) {
      if (r.status == Status::free) return;
      if (slow.status == Status::free || r.time.touch < slow.time.touch) slow = {r.status, s, r.time};
    };
    for (std::uint32_t i = 0; i < model.pieces.size(); ++i) {
      const RobotPiece& a = model.pieces[i];
      for (std::uint32_t j = i + 1; j < model.pieces.size(); ++j) {
        const RobotPiece& b = model.pieces[j];
        if (a.link == b.link || robot.allowed(a.link, b.link)) continue;
        const auto [ma, mb] = robot.chain().pair_motions(link(i), link(j), trajectory, s, a.pose, b.pose);
        take(first_contact(a.body, ma, b.body, mb));
      }
      for (const Obstacle& o : c.obstacles)
        take(first_contact(a.body, robot.chain().link_motion(link(i), trajectory, s, a.pose), o.body, Still{o.pose}));
    }
    if (slow.status != Status::free) return slow;
  }
  return {};
}

TEST(RobotTrajectory, RandomTrajectoriesAgainstAllPairs) {
  Dice dice(RandomBudget::seed(41));
  int contacts = 0, free = 0;
  for (RandomBudget budget(30); budget.more() && !HasFailure();) {
    const Case c = random_case(dice);
    // Slow pairs of meshes in wild motion take seconds each.
    const Trajectory trajectory = random_trajectory(dice, c.robot, 3, std::array{0.02, 0.1, 0.3}[dice.bits() % 3]);
    const Slow slow = ask_slowly(c, trajectory);
    RobotMotionOptions options;
    const RobotTrajectoryResult fast = c.robot.check_trajectory(trajectory, options);
    ASSERT_EQ(name(fast.status), name(slow.status));
    ++(slow.status == Status::free ? free : contacts);
    options.first = false;
    EXPECT_EQ(c.robot.check_trajectory(trajectory, options).status == Status::free, slow.status == Status::free);
    options.first = true;
    options.threads = 3;
    const RobotTrajectoryResult three = c.robot.check_trajectory(trajectory, options);
    EXPECT_EQ(three.status, fast.status);
    EXPECT_EQ(three.segment, fast.segment);
    EXPECT_EQ(three.pair, fast.pair);
    EXPECT_EQ(three.contact.time.safe, fast.contact.time.safe);
    if (slow.status == Status::free) {
      EXPECT_EQ(fast.when.safe, trajectory.end(trajectory.segments() - 1));
      EXPECT_TRUE(std::isnan(fast.when.touch) && std::isnan(fast.contact.time.touch));
      continue;
    }
    EXPECT_EQ(fast.segment, slow.segment);
    // Asked in other parts, by a tolerance.
    EXPECT_NEAR(fast.contact.time.touch, slow.time.touch, 1e-3);
    EXPECT_NEAR(fast.contact.time.safe, slow.time.safe, 1e-3);
    EXPECT_LE(fast.when.safe, fast.when.touch);
    EXPECT_EQ(fast.when.touch, trajectory.time(fast.segment, fast.contact.time.touch));
  }
  const int least = RandomBudget::is_whole() ? 4 : 0;
  EXPECT_GT(contacts, least);
  EXPECT_GT(free, least);
}

TEST(RobotTrajectory, SampledStatesNeverContradictIt) {
  Dice dice(RandomBudget::seed(42));
  int certified = 0;
  for (RandomBudget budget(25); budget.more() && !HasFailure();) {
    const Case c = random_case(dice);
    const Trajectory trajectory = random_trajectory(dice, c.robot, 3, 0.3);
    RobotMotionOptions options;
    options.clearance = 1e-3;
    const RobotTrajectoryResult r = c.robot.check_trajectory(trajectory, options);
    if (r.status == Status::touching_at_start) continue;
    double sampled = std::numeric_limits<double>::infinity();
    std::vector<double> q(c.robot.coordinates());
    for (std::size_t s = 0; s <= r.segment; ++s)
      for (int k = 0; k <= 60; ++k) {
        const double t = k / 60.0;
        if (r.status != Status::free && s == r.segment && t > r.contact.time.safe) break;
        trajectory.state(s, t, q);
        sampled = std::min(sampled, c.robot.distance(q).distance);
      }
    if (r.status == Status::contact) {
      EXPECT_GT(sampled, 0);
      trajectory.state(r.segment, r.contact.time.touch, q);
      EXPECT_LE(c.robot.distance(q).distance, r.contact.tolerance + 1e-12);
      EXPECT_FALSE(r.clearance);
      continue;
    }
    ASSERT_EQ(r.status, Status::free);
    if (c.robot.pairs() == 0) continue;
    ++certified;
    ASSERT_TRUE(r.clearance);
    EXPECT_LE(r.clearance->lower, sampled + 1e-12);
    EXPECT_LE(r.clearance->lower, r.clearance->upper);
    EXPECT_GE(r.clearance->lower, r.clearance->upper - 1e-3 - 1e-12);
    trajectory.state(r.clearance->segment, r.clearance->time, q);
    EXPECT_NEAR(c.robot.distance(q).distance, r.clearance->upper, 1e-9);
    const auto& [x, y] = r.clearance->points;
    EXPECT_NEAR(length(x - y), r.clearance->upper, 1e-9);
    options.threads = 2;
    const RobotTrajectoryResult again = c.robot.check_trajectory(trajectory, options);
    EXPECT_EQ(again.clearance->lower, r.clearance->lower);
    EXPECT_EQ(again.clearance->upper, r.clearance->upper);
    EXPECT_EQ(again.clearance->time, r.clearance->time);
    // Straight pieces, which are certified as well, near the polynomials.
    std::vector<double> path;
    for (std::size_t s = 0; s < trajectory.segments(); ++s)
      for (int k = s ? 1 : 0; k <= 64; ++k) {
        trajectory.state(s, k / 64.0, q);
        path.insert(path.end(), q.begin(), q.end());
      }
    if (r.clearance->lower > 5e-3) {
      EXPECT_EQ(c.robot.check_path(path).status, Status::free);
    }
  }
  EXPECT_GT(certified, RandomBudget::is_whole() ? 5 : 0);
}

/// A bar along x from 0.1 to 0.9 that turns about z, and a thin wall at an angle of one radian.
Robot bar_and_wall(JointLimits limits = {-3, 3}) {
  RobotModel model;
  model.links.push_back({"bar", "", {.type = JointType::revolute, .limits = limits}});
  model.pieces.push_back({"bar", box(0.8, 1e-6, 0.1), Pose({0.5, 0, 0})});
  Robot robot(model);
  robot.surroundings(
      {{box(0.2, 1e-6, 0.1),
        Pose(Vec3{0.5 * std::cos(1.0), 0.5 * std::sin(1.0), 0}, Quat{std::cos(0.5), 0, 0, std::sin(0.5)}), "wall"}});
  return robot;
}

TEST(RobotTrajectory, CubicAndQuinticMeetTheWallWhenTheyShould) {
  const Robot robot = bar_and_wall();
  // From rest to rest, from 0 to 2 in three seconds: half of the way is in the middle.
  const std::vector<TrajectoryPoint> points{{1, {0}, {0}, {0}}, {4, {2}, {0}, {0}}};
  for (const Interpolation kind : {Interpolation::linear, Interpolation::cubic, Interpolation::quintic}) {
    const RobotTrajectoryResult r = robot.check_trajectory(Trajectory::through(points, std::array{kind}));
    ASSERT_EQ(r.status, Status::contact);
    EXPECT_NEAR(r.when.touch, 2.5, 1e-4);
    EXPECT_LE(r.when.safe, 2.5);
    EXPECT_EQ(robot.part(r.pair->b).name, "wall");
  }
}

TEST(RobotTrajectory, ACubicThatComesBackWasAwayInBetween) {
  const Robot robot = bar_and_wall({-3, 0.9});
  // Equal positions at both ends; the velocities carry it to h |v| / 4 in between.
  const auto ask = [&](double v) {
    return robot.check_trajectory(Trajectory::through(std::vector<TrajectoryPoint>{{0, {0}, {v}}, {2, {0}, {-v}}}));
  };
  EXPECT_EQ(ask(1.7).status, Status::free);
  EXPECT_FALSE(ask(1.7).beyond_limits);
  EXPECT_EQ(ask(1.9).beyond_limits, LinkId{0});
  EXPECT_EQ(ask(1.9).status, Status::free);
  EXPECT_EQ(ask(2.1).status, Status::contact);
}

TEST(RobotTrajectory, ABodyThatFliesComesBackToo) {
  RobotModel model;
  model.links.push_back({"body", "", {.type = JointType::floating}});
  model.pieces.push_back({"body", box(0.1, 0.1, 0.1)});
  Robot robot(model);
  robot.surroundings({{box(1, 1, 0.1), Pose({0, 0, 1}), "ceiling"}});
  const std::vector<double> q{0, 0, 0, 1, 0, 0, 0};
  const auto ask = [&](double v) {
    std::vector<double> up(7, 0.0), down(7, 0.0);
    up[2] = v;
    down[2] = -v;
    RobotMotionOptions options;
    options.clearance = 1e-4;
    return robot.check_trajectory(Trajectory::through(std::vector<TrajectoryPoint>{{0, q, up}, {1, q, down}}), options);
  };
  const RobotTrajectoryResult low = ask(2);  // up to 0.5
  EXPECT_EQ(low.status, Status::free);
  ASSERT_TRUE(low.clearance);
  EXPECT_NEAR(low.clearance->upper, 0.4, 1e-3);
  EXPECT_LE(low.clearance->lower, 0.4);
  EXPECT_NEAR(low.clearance->time, 0.5, 0.05);
  EXPECT_NEAR(length(low.clearance->points[0] - low.clearance->points[1]), low.clearance->upper, 1e-9);
  EXPECT_EQ(ask(4).status, Status::contact);
}

TEST(RobotTrajectory, PaddingIsTakenOffTheClearance) {
  Robot robot = bar_and_wall();
  const Trajectory t = Trajectory::through(std::vector<TrajectoryPoint>{{0, {0}, {0}}, {1, {0.5}, {0}}});
  RobotMotionOptions options;
  options.clearance = 1e-5;
  const RobotTrajectoryResult bare = robot.check_trajectory(t, options);
  robot.padding(0.05);
  const RobotTrajectoryResult padded = robot.check_trajectory(t, options);
  ASSERT_TRUE(bare.clearance && padded.clearance);
  EXPECT_NEAR(bare.clearance->upper - padded.clearance->upper, 0.05, 2e-5);
  EXPECT_NEAR(bare.clearance->lower - padded.clearance->lower, 0.05, 2e-5);
  EXPECT_LE(padded.clearance->lower, padded.clearance->upper);
}

TEST(RobotTrajectory, WaitingWholeTurnsAndLimits) {
  const Robot robot = bar_and_wall();
  // Waits, then waits with velocities of zero.
  const auto through = [](std::vector<TrajectoryPoint> points) { return Trajectory::through(points); };
  EXPECT_EQ(robot.check_trajectory(through({{0, {0.5}}, {1, {0.5}}})).status, Status::free);
  EXPECT_EQ(robot.check_trajectory(through({{0, {0.5}, {0}, {0}}, {1, {0.5}, {0}, {0}}})).status, Status::free);
  EXPECT_EQ(robot.check_trajectory(through({{0, {1}, {0}}, {1, {1}, {0}}})).status, Status::touching_at_start);
  // Angles are no directions: from 1.5 to 1.5 + 2 pi it passes the wall, at the end.
  const RobotTrajectoryResult turn =
      robot.check_trajectory(through({{0, {1.5}, {0}}, {1, {1.5 + 2 * std::acos(-1)}, {0}}}));
  EXPECT_EQ(turn.status, Status::contact);
  EXPECT_TRUE(turn.beyond_limits);
  EXPECT_GT(turn.contact.time.touch, 0.8);
  // Exactly to a limit, and along it.
  EXPECT_FALSE(robot.check_trajectory(through({{0, {2}, {1}}, {1, {3}, {0}}})).beyond_limits);
  const std::vector<double> at_the_limit(6, 3.0);
  EXPECT_FALSE(robot.check_trajectory(Trajectory::spline(at_the_limit, 1, 0, 1)).beyond_limits);
}

TEST(RobotTrajectory, MistakesAndBudgets) {
  const Robot robot = bar_and_wall();
  const Trajectory two = Trajectory::through(std::vector<TrajectoryPoint>{{0, {0, 0}}, {1, {1, 1}}});
  const RobotTrajectoryResult wrong = robot.check_trajectory(two);
  EXPECT_EQ(wrong.status, Status::invalid_request);
  EXPECT_NE(wrong.error->text().find("1 coordinates"), std::string::npos);
  const Trajectory one = Trajectory::through(std::vector<TrajectoryPoint>{{0, {0}}, {1, {0.5}}, {2, {2}}});
  RobotMotionOptions options;
  options.clearance = 0;
  EXPECT_EQ(robot.check_trajectory(one, options).status, Status::invalid_request);
  options.clearance.reset();
  options.budget = std::chrono::nanoseconds(0);
  const RobotTrajectoryResult cut = robot.check_trajectory(one, options);
  EXPECT_EQ(cut.status, Status::undecided);
  EXPECT_EQ(cut.when.safe, 0);
}

}  // namespace
