// SPDX-License-Identifier: MIT
// Clouds of points and voxel grids around a robot: answers are those of balls, one by one, and of cubes.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <graze/mesh/points.hpp>

#include "random_budget.hpp"
#include "unit/robot/random_robot.hpp"

namespace graze {
namespace {

using namespace testing::robots;
using testing::RandomBudget;

std::vector<Vec3> cloud(Dice& dice, int count) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) points.push_back(dice.direction() * dice.real(0.7, 1.4));
  return points;
}
std::vector<Obstacle> balls(const std::vector<Vec3>& points, double radius, const Pose& pose) {
  std::vector<Obstacle> out;
  for (const Vec3& p : points) out.push_back({Body(shape::Sphere{radius}), Pose(pose.apply(p)), "ball"});
  return out;
}

TEST(RobotPoints, AreBallsInStatesDistancesAndMotions) {
  Dice dice(RandomBudget::seed(51));
  int contacts = 0, free = 0, free_motions = 0;
  for (RandomBudget budget(8); budget.more() && !HasFailure();) {
    const RobotModel model = random_robot(dice, dice.whole(3, 6));
    Robot with_cloud(model), with_balls(model);
    const std::vector<Vec3> points = cloud(dice, 60);
    const double radius = dice.real(0.01, 0.08);
    const Pose pose({dice.real(-1, 1), 0.2, 0});  // adds to points without turning them: the balls' centres are rounded
    with_cloud.surroundings({{Body(point_mesh(points)), pose, "cloud", {}, radius}});
    with_balls.surroundings(balls(points, radius, pose));
    for (int i = 0; i < 12; ++i) {
      const std::vector<double> q = random_state(dice, with_cloud);
      const RobotDistanceResult d = with_cloud.distance(q), e = with_balls.distance(q);
      EXPECT_NEAR(d.distance, e.distance, 1e-7);
      EXPECT_LE(d.lower, e.distance + 1e-12);
      if (d.normal) {
        const Vec3 gap = d.points[1] - d.points[0];
        EXPECT_NEAR(std::sqrt(gap.x * gap.x + gap.y * gap.y + gap.z * gap.z), d.distance, 1e-7);
      }
      const Status at = with_cloud.check(q).status;
      EXPECT_EQ(at, with_balls.check(q).status);
      ++(at == Status::free ? free : contacts);
      std::vector<double> to = q;
      for (double& x : to) x += dice.real(-0.3, 0.3);
      const Status way = with_cloud.motion_free(q, to).status;
      EXPECT_EQ(way, with_balls.motion_free(q, to).status);
      EXPECT_EQ(way == Status::free, with_cloud.check_motion(q, to).status == Status::free);
      free_motions += way == Status::free;
    }
  }
  const int least = RandomBudget::is_whole() ? 10 : 0;
  EXPECT_GT(contacts, least);
  EXPECT_GT(free, least);
  EXPECT_GT(free_motions, least / 2);
}

RobotModel slider() {
  RobotModel model;
  model.links = {{"l", "", {.type = JointType::prismatic, .axis = {1, 0, 0}}}};
  model.pieces = {{"l", box(0.25, 0.25, 0.25)}};
  return model;
}

TEST(RobotPoints, TouchAtExactlyTheirRadius) {
  Robot robot(slider());
  const std::vector<Vec3> one{{1, 0, 0}};
  const std::vector<double> q{0.125};  // the box ends at 0.25
  robot.surroundings({{Body(point_mesh(one)), Pose(), "point", {}, 0.75}});
  EXPECT_EQ(robot.check(q).status, Status::contact);
  robot.surroundings({{Body(point_mesh(one)), Pose(), "point", {}, 0.754}});
  EXPECT_EQ(robot.check(std::vector<double>{0.12}).status, Status::free);
  EXPECT_EQ(robot.check(std::vector<double>{0.13}).status, Status::contact);
  robot.padding(0.01);
  EXPECT_EQ(robot.check(std::vector<double>{0.12}).status, Status::contact);
  robot.surroundings({{Body(point_mesh(one)), Pose(), "bare point"}});
  EXPECT_EQ(robot.check(std::vector<double>{0.8}).status, Status::free);
  EXPECT_EQ(robot.check(std::vector<double>{0.95}).status, Status::contact);
  for (const double bad : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(robot.surroundings({{Body(point_mesh(one)), Pose(), "point", {}, bad}}), Error);
}

VoxelGrid random_grid(Dice& dice) {
  VoxelGrid grid{5, 4, 3, {-0.7, 0.3, -0.2}, 0.15, {}};
  for (int i = 0; i < 60; ++i) grid.occupied.push_back(dice.whole(0, 3) == 0);
  grid.occupied[17] = true;
  return grid;
}

TEST(RobotPoints, VoxelsAsSurfaceAndAsCoveringBalls) {
  Dice dice(RandomBudget::seed(52));
  int touching = 0, free = 0;
  for (RandomBudget budget(20); budget.more() && !HasFailure();) {
    const VoxelGrid grid = random_grid(dice);
    const std::vector<Vec3> centres = voxel_centres(grid);
    std::vector<Obstacle> cubes;
    for (const Vec3& c : centres) cubes.push_back({box(0.15, 0.15, 0.15), Pose(c), "cube"});
    const RobotModel model = random_robot(dice, 3);
    Robot exact(model), surface(model), covered(model);
    exact.surroundings(cubes);
    surface.surroundings({{Body(voxel_mesh(grid)), Pose(), "grid"}});
    covered.surroundings({{Body(point_mesh(centres)), Pose(), "grid", {}, voxel_radius(grid)}});
    for (int i = 0; i < 20; ++i) {
      const std::vector<double> q = random_state(dice, exact);
      const Status at = exact.check(q).status;
      EXPECT_EQ(surface.check(q).status, at);  // no link is small enough to be inside
      if (covered.check(q).status == Status::free) {
        EXPECT_EQ(at, Status::free);
      }
      // They reach at most (sqrt(3) - 1) / 2 sizes beyond the cubes.
      if (exact.distance(q).distance > 0.367 * grid.size) {
        EXPECT_EQ(covered.check(q).status, Status::free);
      }
      ++(at == Status::free ? free : touching);
    }
  }
  const int least = RandomBudget::is_whole() ? 20 : 2;
  EXPECT_GT(touching, least);
  EXPECT_GT(free, least);
}

/// A link inside of a block of cubes touches no surface, but it touches the balls.
TEST(RobotPoints, TheInsideOfVoxels) {
  Robot robot(slider());
  VoxelGrid grid{20, 20, 20, {-1, -1, -1}, 0.1, std::vector<bool>(8000, true)};
  const std::vector<double> q{0.5};
  robot.surroundings({{Body(voxel_mesh(grid)), Pose(), "grid"}});
  EXPECT_EQ(robot.check(q).status, Status::free);
  robot.surroundings({{Body(point_mesh(voxel_centres(grid))), Pose(), "grid", {}, voxel_radius(grid)}});
  EXPECT_EQ(robot.check(q).status, Status::contact);
}

}  // namespace
}  // namespace graze
