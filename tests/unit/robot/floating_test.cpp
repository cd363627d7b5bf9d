// SPDX-License-Identifier: MIT
// Robots whose base flies and turns, against all pairs one by one and against placements at many times.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <graze/robot/robot.hpp>

#include "random_budget.hpp"
#include "unit/robot/random_robot.hpp"

namespace {

using namespace graze;
using namespace graze::testing::robots;
using graze::testing::Dice;
using graze::testing::RandomBudget;

/// A random robot on a link that flies.
Case random_flying_case(Dice& dice) {
  RobotModel model = random_robot(dice, dice.whole(2, 5));
  for (Link& link : model.links)
    if (link.parent.empty()) link.parent = "base";
  const Joint joint{.type = JointType::floating, .origin = Pose(dice.point(0.2), {1, dice.real(-1, 1), 0, 0})};
  model.links.insert(model.links.begin(), {"base", "", joint});
  model.pieces.push_back({"base", box(0.3, 0.2, 0.1), Pose(dice.point(0.1))});
  Case c{Robot(model), {}};
  for (int i = 0; i < 4; ++i)
    c.obstacles.push_back({dice.whole(0, 1) ? box(0.3, 0.4, 0.2) : Body(ball(0.2)),
                           Pose(dice.direction() * dice.real(0.6, 3)), "o" + std::to_string(i)});
  c.robot.surroundings(c.obstacles);
  return c;
}

std::vector<double> random_flying_state(Dice& dice, const Robot& robot) {
  std::vector<double> q = random_state(dice, robot);
  for (int i = 3; i < 7; ++i) q[static_cast<std::size_t>(i)] = dice.real(-1, 1);
  return q;
}

/// All pairs along a segment: `ask(body, motion, body, motion)`.
template <class Ask>
void each_pair(const Case& c, const Trajectory& trajectory, const Ask& ask) {
  const RobotModel& model = c.robot.model();
  const Chain& chain = c.robot.chain();
  const auto link = [&](std::uint32_t p) { return chain.find(model.pieces[p].link).value(); };
  for (std::uint32_t i = 0; i < model.pieces.size(); ++i) {
    const RobotPiece& a = model.pieces[i];
    for (std::uint32_t j = i + 1; j < model.pieces.size(); ++j) {
      const RobotPiece& b = model.pieces[j];
      if (a.link == b.link || c.robot.allowed(a.link, b.link)) continue;
      const auto [ma, mb] = chain.pair_motions(link(i), link(j), trajectory, 0, a.pose, b.pose);
      ask(a.body, ma, b.body, mb);
    }
    for (const Obstacle& o : c.obstacles)
      ask(a.body, chain.link_motion(link(i), trajectory, 0, a.pose), o.body, Motion(Still{o.pose}));
  }
}

Pose pose_at(const Motion& motion, double t) {
  const Placement m = motion.at(t);
  return Pose::from_matrix(
      {m.r[0], m.r[1], m.r[2], m.t.x, m.r[3], m.r[4], m.r[5], m.t.y, m.r[6], m.r[7], m.r[8], m.t.z, 0, 0, 0, 1});
}

TEST(RobotFloating, MotionsAgainstAllPairsAndSamples) {
  Dice dice(RandomBudget::seed(71));
  int free = 0, contacts = 0;
  std::uint64_t searched = 0, pairs = 0;
  for (RandomBudget budget(40); budget.more() && !HasFailure();) {
    const Case c = random_flying_case(dice);
    const std::vector<double> from = random_flying_state(dice, c.robot);
    std::vector<double> to = from;
    const double reach = std::array{0.05, 0.2, 0.6}[dice.bits() % 3];
    for (double& x : to) x += dice.real(-reach, reach);
    if (dice.whole(0, 4) == 0)
      for (int i = 3; i < 7; ++i) to[static_cast<std::size_t>(i)] *= -1;  // the same rotation, or nearly
    const Trajectory straight = Trajectory::through(std::array{TrajectoryPoint{0, from}, TrajectoryPoint{1, to}});
    bool touches = false;
    each_pair(c, straight, [&](const Body& a, const Motion& ma, const Body& b, const Motion& mb) {
      touches = touches || first_contact(a, ma, b, mb).status != Status::free;
    });
    EXPECT_EQ(c.robot.motion_free(from, to).status == Status::free, !touches);
    RobotMotionOptions options;
    options.clearance = 1e-3;
    const RobotTrajectoryResult result = c.robot.check_trajectory(straight, options);
    EXPECT_EQ(result.status == Status::free, !touches);
    EXPECT_EQ(c.robot.check_motion(from, to).status == Status::free, !touches);
    ++(touches ? contacts : free);
    if (touches) continue;
    searched += result.pairs;
    pairs += c.robot.pairs();
    ASSERT_TRUE(result.clearance);
    double least = std::numeric_limits<double>::infinity();
    each_pair(c, straight, [&](const Body& a, const Motion& ma, const Body& b, const Motion& mb) {
      for (int k = 0; k <= 40; ++k)
        least = std::min(least, distance(a, pose_at(ma, k / 40.0), b, pose_at(mb, k / 40.0)).distance);
    });
    EXPECT_LE(result.clearance->lower, least + 1e-9);
    EXPECT_LE(result.clearance->upper - result.clearance->lower, 1e-3 + 1e-12);
  }
  EXPECT_GT(free, RandomBudget::is_whole() ? 8 : 1);
  EXPECT_GT(contacts, RandomBudget::is_whole() ? 3 : 0);
  EXPECT_LT(searched * 10, pairs) << "single states certify nearly all";
}

/// Near half a turn rounding may decide which way it goes: the search for the first contact knows, states do not.
TEST(RobotFloating, HalfTurns) {
  RobotModel model;
  model.links.push_back({"bar", "", {.type = JointType::floating}});
  model.pieces.push_back({"bar", box(2, 0.1, 0.1), {}});
  Robot robot(model);
  robot.surroundings(
      {{box(0.1, 0.1, 0.1), Pose({0, 0.7, 0}), "above"}, {box(0.1, 0.1, 0.1), Pose({0, -0.7, 0}), "below"}});
  const std::vector<double> from{0, 0, 0, 1, 0, 0, 0};
  for (const double w : {0.0, 1e-9, -1e-9, 1e-3}) {
    const std::vector<double> to{0, 0, 0, w, 0, 0, 1};
    EXPECT_EQ(robot.motion_free(from, to).status, Status::contact);
    EXPECT_EQ(robot.check_motion(from, to).status, Status::contact);
    const std::vector<double> over{0, 0, 0, w, 1, 0, 0};  // about its own axis
    EXPECT_EQ(robot.motion_free(from, over).status, Status::free);
    EXPECT_EQ(robot.check_motion(from, over).status, Status::free);
  }
}

}  // namespace
