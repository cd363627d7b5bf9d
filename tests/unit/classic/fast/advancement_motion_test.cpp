// SPDX-License-Identifier: MIT
// Bounds of how far hulls rise along a direction while the body moves: none may be exceeded.
#include "classic/fast/advancement_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include <graze/classic/fast.hpp>
#include <graze/mesh/make.hpp>

#include "oracle/generators.hpp"
#include "unit/classic/fast/advancement_help.hpp"

namespace {

using namespace advancement_test;
using classic::fast::HullTree;
using classic::fast::Mover;
using classic::fast::Rises;

double top_of(const Motion& m, const HullTree& tree, const HullTree::Node& n, const Vec3& up, double t) {
  const Placement p = m.at(t);
  double top = -1e300;
  for (const Vec3& x : tree.corners(n)) top = std::max(top, dot(up, p.apply(x)));
  return top;
}

/// All bounds of one node along one direction, from t on, against how far its top really rises.
void check_node(const Motion& motion, const Mover& mover, const HullTree::Node& n, const Vec3& up, double t) {
  AllCounters counters;
  const HullTree& tree = mover.tree();
  const std::uint32_t top = tree.support(n, mover.local(up), 0, true, counters).corner;
  for (int k = 0; k <= 40; ++k) {
    const double s = (1 - t) * k / 40, rise = top_of(motion, tree, n, up, t + s) - top_of(motion, tree, n, up, t);
    for (const bool directed : {true, false}) {
      classic::fast::AdvancementOptions options;
      options.directed = directed;
      for (const Rises& rises : {mover.quick_rises(n, up, directed), mover.rises(n, up, top, options, counters)}) {
        ASSERT_GT(rises.size, 0U);
        for (std::size_t j = 0; j < rises.size; ++j) {
          const classic::fast::Rise& r = rises.bound[j];
          ASSERT_GE(r.q, 0);
          ASSERT_LE(rise, r.c + r.l * s + r.q * s * s + 1e-13) << "bound " << j << " directed " << directed;
        }
      }
    }
    for (const double available : {1e-9, 1e-3, 10.0}) {
      const classic::fast::CornerRises corners = mover.corner_rises(n, up, top, available);
      double highest = -1e300;
      for (std::size_t j = 0; j < corners.size; ++j) {
        const classic::fast::CornerRises::Group& g = corners.group[j];
        ASSERT_GE(g.acceleration, 0);
        ASSERT_GE(g.below, 0);
        highest = std::max(highest, std::min((g.speed + g.acceleration * s) * s, g.most * s) - g.below);
      }
      ASSERT_LE(rise, highest + 1e-13) << "available " << available;
    }
  }
}

void check_rises(const Motion& motion, const HullTree& tree, oracle::Random& random) {
  for (const double t : {0.0, 0.3, 0.7}) {
    Mover mover(tree, motion.path());
    mover.set_time(t, {0.1, 0.2, 0.3});
    for (std::uint32_t i = 0; i < tree.nodes().size(); i += 1 + 2 * i) {
      const Vec3 up = oracle::real_point(random);
      check_node(motion, mover, tree[i], up * (1 / length(up)), t);
    }
  }
}

TEST(AdvancementMotion, NoBoundIsExceeded) {
  const HullTree tree(make::torus({.triangles = 200}));
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    oracle::Random random(seed);
    const Pose from(oracle::real_point(random), random_turn(random)),
        to(oracle::real_point(random), random_turn(random));
    check_rises(Velocity(from, to, oracle::real_point(random)), tree, random);
    check_rises(Screw(from, to), tree, random);
    check_rises(LinearParameters(from, to), tree, random);
    check_rises(Still{from}, tree, random);
    check_rises(Velocity::from_speeds(from, oracle::real_point(random), oracle::real_point(random) * 20.0), tree,
                random);
  }
}

/// FAST eq. 5 as printed takes the corner that is fastest along n *now*. A handle that points away from the wall hardly
/// moves along n now, and then swings in.
TEST(AdvancementMotion, EquationFiveAsPrintedIsExceededByAHandleThatPointsAway) {
  const HullTree tree(make::box({.size = {1, 0.02, 0.02}}));
  // The handle reaches from the axis (z, through its end) along -x, away from the wall at +x; n = +x.
  const Vec3 n{1, 0, 0}, w{0, 0, 3.14159265358979};
  const Pose start({-0.5, 0, 0});
  const Motion motion = Velocity::from_speeds(start, {}, w, {0.5, 0, 0});
  Mover mover(tree, motion.path());
  mover.set_time(0, {});
  double printed = 0;  // max |(n x w) . r|: the speed of the fastest corner now
  for (const Vec3& x : tree.corners(tree[0]))
    printed = std::max(printed, std::fabs(mover.above_reference(cross(n, w), x)));
  const double rise = top_of(motion, tree, tree[0], n, 0.999) - top_of(motion, tree, tree[0], n, 0);
  EXPECT_LT(printed, 0.1);
  EXPECT_GT(rise, 0.9);
  oracle::Random random(1);
  check_rises(motion, tree, random);
}

TEST(AdvancementMotion, LongestStepIsTheLargestRoot) {
  const auto step = [](double gap, classic::fast::Rise a, classic::fast::Rise b, double most) {
    Rises x, y;
    x.add(a);
    y.add(b);
    return classic::fast::longest_step(gap, x, y, most);
  };
  EXPECT_NEAR(step(1, {0, 1, 0}, {0, 1, 0}, 10), 0.5, 1e-12);
  EXPECT_NEAR(step(1, {0, 0, 1}, {0, 0, 0}, 10), 1, 1e-12);
  EXPECT_NEAR(step(2, {0, -1, 1}, {0, 0, 0}, 10), 2, 1e-12);
  EXPECT_EQ(step(1, {0, -1, 0}, {0, 0.5, 0}, 10), 10);    // parting
  EXPECT_EQ(step(1, {2, -1, 0}, {0, 0.5, 0}, 10), 0);     // jumps too far at once
  EXPECT_LE(step(1, {0, 3, 0}, {0, 0, 0}, 10), 1.0 / 3);  // rounded down
  Rises none;
  EXPECT_EQ(classic::fast::longest_step(1, none, none, 1), 0);
}

}  // namespace
