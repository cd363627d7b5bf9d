// SPDX-License-Identifier: MIT
// How far parts get from where they are: against where points of theirs are at many states on the way.
#include "robot/reach.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "random_budget.hpp"
#include "robot/state.hpp"
#include "unit/robot/random_robot.hpp"

namespace graze {
namespace {

using namespace testing::robots;
using testing::RandomBudget;

/// The corners of the parts' boxes in the world, or as a link sees them.
std::vector<Vec3> corners(const robot::State& s, std::uint32_t part, const std::vector<LinkPose>& links) {
  const robot::Part& p = s.parts[part];
  std::vector<Vec3> out;
  for (int i = 0; i < 8; ++i) {
    const Vec3 x{p.centre.x + (i & 1 ? 1 : -1) * p.half.x, p.centre.y + (i & 2 ? 1 : -1) * p.half.y,
                 p.centre.z + (i & 4 ? 1 : -1) * p.half.z};
    out.push_back(links[p.link].pose.apply(p.pose.apply(x)));
  }
  return out;
}
Vec3 seen_from(const LinkPose& link, const Vec3& x) {
  const Quat q = link.pose.rotation();
  return Pose({}, {q.w, -q.x, -q.y, -q.z}).apply(x - link.pose.translation());
}

TEST(RobotReach, NoPointGetsFartherAndEvenWaysAreBoundedSharply) {
  Dice dice(RandomBudget::seed(83));
  double even_sum = 0, any_sum = 0;
  for (RandomBudget budget(150); budget.more() && !HasFailure();) {
    const bool flying = dice.whole(0, 4) == 0;
    RobotModel model = random_robot(dice, dice.whole(3, 9));
    if (flying) {
      for (Link& link : model.links)
        if (link.parent.empty()) link.parent = "base";
      model.links.insert(model.links.begin(), {"base", "", {.type = JointType::floating}});
    }
    const robot::State s(model, {});
    const std::size_t n = s.chain.coordinates();
    const double size = std::pow(10, dice.real(-4, 0));
    std::vector<double> q(n), ways(n), away(n);
    for (std::size_t i = 0; i < n; ++i) {
      q[i] = dice.real(-1.5, 1.5);
      ways[i] = flying && i >= 3 && i < 7 ? 0 : dice.whole(0, 3) ? dice.real(-size, size) : 0;
      away[i] = std::fabs(ways[i]) * (1 + 0x1p-40) + 0x1p-50 * 4;
    }
    if (flying) std::fill(away.begin() + 3, away.begin() + 7, 0.0);
    robot::Memory memory;
    Counters counters;
    robot::StateCheck check(s, q, memory, counters);
    check.place_all();
    robot::Reach any(s), even(s);
    any.set(away, memory.links, memory.placed);
    even.set(away, memory.links, memory.placed, ways);
    const std::vector<LinkPose> before = memory.links;
    std::vector<LinkPose> after(before.size());
    for (int k = -4; k <= 4; ++k) {
      std::vector<double> there = q;
      for (std::size_t i = 0; i < n; ++i) there[i] += 0.25 * k * ways[i];
      s.chain.link_poses(there, after);
      for (std::uint32_t p = 0; p < s.moving; ++p) {
        const auto x = corners(s, p, before), y = corners(s, p, after);
        const std::vector<std::uint32_t>& way = s.ways[s.parts[p].link];
        const std::uint32_t ancestor = way[static_cast<std::size_t>(dice.whole(0, static_cast<int>(way.size()) - 1))];
        for (std::size_t i = 0; i < 8; ++i) {
          const double moved = length(y[i] - x[i]);
          EXPECT_LE(moved, even.of(p, robot::no_link) + 1e-13);
          const double seen = length(seen_from(after[ancestor], y[i]) - seen_from(before[ancestor], x[i]));
          EXPECT_LE(seen, even.of(p, ancestor) + 1e-13);
        }
        EXPECT_LE(even.of(p, robot::no_link), any.of(p, robot::no_link));
        // One pair alone has the same bound.
        const robot::Pair pair{p, s.moving, robot::no_link, 0};
        EXPECT_EQ(even.alone(pair, before, memory.placed[p], {}), even.of(pair));
      }
    }
    if (size > 0.1) continue;
    for (std::uint32_t p = 0; p < s.moving; ++p) {
      const std::vector<std::uint32_t>& way = s.ways[s.parts[p].link];
      if (std::any_of(way.begin(), way.end(), [&](std::uint32_t link) {
            return coordinates_of(s.chain.link(LinkId{link}).joint.type) > 1;  // those have the first bound
          }))
        continue;
      even_sum += even.of(p, robot::no_link) / size;
      any_sum += any.of(p, robot::no_link) / size;
    }
  }
  EXPECT_LT(even_sum, 0.8 * any_sum);
}

}  // namespace
}  // namespace graze
