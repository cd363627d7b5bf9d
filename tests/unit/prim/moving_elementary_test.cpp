// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>

#include "oracle/generators.hpp"
#include "prim/moving/edge_edge.hpp"
#include "prim/moving/vertex_face.hpp"
#include "random_budget.hpp"

namespace graze {
namespace {

using prim::edges_may_meet;
using prim::MovingDirection;
using prim::MovingEdge;
using prim::MovingPoint;
using prim::MovingSpan;
using prim::MovingVertexFace;
using testing::RandomBudget;

TEST(MovingDirection, TheMeetingPartHoldsEveryMeeting) {
  oracle::Random random(RandomBudget::seed(51));
  for (RandomBudget budget(2000); budget.more();) {
    const MovingDirection::Course x{oracle::real(random), oracle::real(random), 0.1 * oracle::real(random, 0, 1)};
    const double lo = oracle::real(random), hi = lo + oracle::real(random, 0, 0.2);
    const MovingSpan part = MovingDirection::crossing(x, lo, hi, {});
    for (int i = 0; i <= 64; ++i) {
      const double s = -1 + i / 32.0, value = x.c + s * x.l;
      if (value + x.r >= lo && value - x.r <= hi) {
        EXPECT_LE(part.lo, s);
        EXPECT_GE(part.hi, s);
      }
    }
  }
}

TEST(MovingDirection, NumbersThatAreNoneExcludeNothing) {
  const double nan = std::nan("");
  EXPECT_FALSE(MovingDirection::crossing({nan, 1, 0}, 0, 0, {}).empty());
  EXPECT_FALSE(MovingDirection::crossing({5, 1, HUGE_VAL}, 0, 0, {}).empty());
  const MovingVertexFace face({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}});
  EXPECT_TRUE(face.may_meet({{nan, 0, 5}, {}, 0}));
  EXPECT_TRUE(face.may_meet({{0, 0, 5}, {}, HUGE_VAL}));
  EXPECT_TRUE(edges_may_meet({0, 0, 0}, {1, 0, 0}, {{{0, nan, 5}, {}, 0}, {{1, 1, 1}, {}, 0}, 0}));
}

Vec3 corner(oracle::Random& random, bool grid) {
  return grid ? oracle::grid_point(random, 2) : oracle::real_point(random, 2);
}

/// A point that is on the face at some time of the span is never excluded: on general, grid and degenerate faces.
TEST(MovingVertexFace, NeverExcludesAContact) {
  oracle::Random random(RandomBudget::seed(52));
  for (RandomBudget budget(3000); budget.more();) {
    SCOPED_TRACE("seed " + std::to_string(RandomBudget::seed(52)));
    const bool grid = oracle::whole(random, 0, 1);
    const std::array<Vec3, 3> face{corner(random, grid), corner(random, grid), corner(random, grid)};
    // Weights in quarters and times in quarters: on the grid the contact is exact.
    const int u = oracle::whole(random, 0, 4), v = oracle::whole(random, 0, 4 - u);
    const Vec3 on = face[0] * ((4 - u - v) / 4.0) + face[1] * (u / 4.0) + face[2] * (v / 4.0);
    const double s = oracle::whole(random, -4, 4) / 4.0;
    const Vec3 l = corner(random, grid);
    MovingPoint x{on - s * l, l, 0};
    if (!grid) x.r = 1e-14;
    EXPECT_TRUE(MovingVertexFace(face).may_meet(x));
    // A rest is a promise that the point may be anywhere so far off.
    x.c = x.c + Vec3{0.06, -0.06, 0.05};
    x.r = 0.1;
    EXPECT_TRUE(MovingVertexFace(face).may_meet(x));
  }
}

TEST(MovingVertexFace, ExcludesPassesBesideTheFace) {
  const MovingVertexFace face({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}});
  EXPECT_FALSE(face.may_meet({{0.2, 0.2, 1.001}, {0, 0, 1}, 1e-4}));       // stops above
  EXPECT_FALSE(face.may_meet({{0.2, -0.001, 0}, {0, 0, 1}, 1e-4}));        // passes outside an edge
  EXPECT_FALSE(face.may_meet({{-0.1, -0.1, 0}, {0.05, -0.05, 0}, 1e-4}));  // slides in the plane, beyond a corner
  EXPECT_FALSE(face.may_meet({{0.2, 0.2, 0.001}, {5, 5, 0}, 1e-4}));       // slides above it
  // The whole span passes over the face and through its plane, but not together: the inside conditions are tested where
  // the root may be, not over the whole span, nor at its middle.
  EXPECT_FALSE(face.may_meet({{0.25, 0.25, 0.9}, {1, 0, 1}, 1e-4}));
  EXPECT_TRUE(face.may_meet({{0.25, 0.25, 0.01}, {1, 0, 1}, 1e-4}));
  const MovingVertexFace needle({{{0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}}}), point({{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}});
  EXPECT_FALSE(needle.may_meet({{0.5, 0.01, 0}, {1, 0, 0}, 1e-4}));
  EXPECT_TRUE(needle.may_meet({{0.5, 0, 0}, {0, 0, 1}, 0}));
  EXPECT_FALSE(point.may_meet({{1, 1.01, 1}, {1, 0, 0}, 1e-4}));
  EXPECT_TRUE(point.may_meet({{0, 1, 1}, {1, 0, 0}, 0}));
}

TEST(MovingEdgeEdge, NeverExcludesAContact) {
  oracle::Random random(RandomBudget::seed(53));
  for (RandomBudget budget(3000); budget.more();) {
    SCOPED_TRACE("seed " + std::to_string(RandomBudget::seed(53)));
    const bool grid = oracle::whole(random, 0, 1);
    const Vec3 a = corner(random, grid), b = corner(random, grid), direction = corner(random, grid);
    const double u = oracle::whole(random, 0, 4) / 4.0, v = oracle::whole(random, 0, 4) / 4.0;
    const double s = oracle::whole(random, -4, 4) / 4.0;
    const Vec3 on = a + u * (b - a), p = on - v * direction, q = on + (1 - v) * direction;
    // The ends move differently: the edge turns and stretches.
    const Vec3 lp = corner(random, grid), lq = oracle::whole(random, 0, 1) ? lp : corner(random, grid);
    const double r = grid ? 0 : 1e-14;
    EXPECT_TRUE(edges_may_meet(a, b, MovingEdge{{p - s * lp, lp, r}, {q - s * lq, lq, r}, 2 * r}));
    // The edge may be shifted by up to r, and turned by up to `turn`.
    const Vec3 off{0.05, 0.05, -0.06};
    EXPECT_TRUE(edges_may_meet(a, b, MovingEdge{{p - s * lp + off, lp, 0.1}, {q - s * lq + off, lq, 0.1}, 0}));
  }
}

TEST(MovingEdgeEdge, ExcludesWhatPassesBeside) {
  const Vec3 a{0, 0, 0}, b{1, 0, 0};
  const auto edge = [](const Vec3& p, const Vec3& q, const Vec3& l) {
    return MovingEdge{{p, l, 1e-5}, {q, l, 1e-5}, 1e-5};
  };
  EXPECT_TRUE(edges_may_meet(a, b, edge({0.5, -1, 0}, {0.5, 1, 0}, {0, 0, 1})));
  EXPECT_FALSE(edges_may_meet(a, b, edge({0.5, -1, 1.001}, {0.5, 1, 1.001}, {0, 0, 1})));
  EXPECT_FALSE(edges_may_meet(a, b, edge({1.001, -1, 0}, {1.001, 1, 0}, {0, 0, 1})));
  EXPECT_FALSE(edges_may_meet(a, b, edge({0.5, 0.001, 0}, {0.5, 1, 0}, {0, 0, 1})));
  EXPECT_FALSE(edges_may_meet(a, b, edge({0, 0.001, 0}, {1, 0.001, 0}, {5, 0, 0})));  // parallel
  EXPECT_FALSE(edges_may_meet(a, b, edge({2, 0, 0}, {3, 0, 0}, {0.9, 0, 0})));        // in one line
  EXPECT_TRUE(edges_may_meet(a, b, edge({2, 0, 0}, {3, 0, 0}, {1, 0, 0})));
  EXPECT_FALSE(edges_may_meet(a, b, edge({0.5, 0.01, 0}, {0.5, 0.01, 0}, {0, 0, 1})));  // a point
  EXPECT_FALSE(edges_may_meet(a, a, edge({-0.5, 0.01, 0}, {0.5, 0.01, 0}, {1, 0, 0})));
}

}  // namespace
}  // namespace graze
