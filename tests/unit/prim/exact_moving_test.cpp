// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>

#include "prim/moving/exact_moving.hpp"

namespace graze {
namespace {

using prim::exact_first_time;
using prim::exactly_meet;
using prim::MovingPair;
using prim::StraightPoints;

constexpr double tiny = 0x1p-60;

/// p + t d for each point.
struct Flight {
  Vec3 p, d = {0, 0, 0};
};
StraightPoints flights(const std::array<Flight, 4>& f) {
  StraightPoints r;
  for (std::size_t i = 0; i < 4; ++i) {
    r.start[i] = f[i].p;
    r.end[i] = f[i].p + f[i].d;
  }
  return r;
}

void expect_free(MovingPair pair, const StraightPoints& points) {
  EXPECT_FALSE(exactly_meet(pair, points));
  EXPECT_FALSE(exact_first_time(pair, points));
}
void expect_contact(MovingPair pair, const StraightPoints& points, double time) {
  EXPECT_TRUE(exactly_meet(pair, points));
  const auto t = exact_first_time(pair, points);
  ASSERT_TRUE(t);
  EXPECT_LE(t->hi - t->lo, 0x1p-52);
  EXPECT_NEAR(t->lo, time, 0x1p-51);
}
void expect_contact_exactly_at(MovingPair pair, const StraightPoints& points, double time) {
  const auto t = exact_first_time(pair, points);
  ASSERT_TRUE(t);
  EXPECT_EQ(*t, Interval(time));
}

constexpr Flight f0{{0, 0, 0}}, f1{{1, 0, 0}}, f2{{0, 1, 0}};

TEST(ExactMovingVertexFace, ThroughTheFaceItsEdgesAndCorners) {
  for (const Vec3 at : {Vec3{0.25, 0.25, 0}, {0.5, 0.5, 0}, {0, 0.5, 0}, {0, 0, 0}, {0, 1, 0}}) {
    expect_contact_exactly_at(MovingPair::vertex_face, flights({{{at + Vec3{0, 0, 1}, {0, 0, -2}}, f0, f1, f2}}), 0.5);
    expect_contact_exactly_at(MovingPair::vertex_face, flights({{{at, {0, 0, 1}}, f0, f1, f2}}), 0);
    expect_contact_exactly_at(MovingPair::vertex_face, flights({{{at + Vec3{0, 0, 1}, {0, 0, -1}}, f0, f1, f2}}), 1);
    expect_contact(MovingPair::vertex_face, flights({{{at + Vec3{0, 0, 1}, {0, 0, -3}}, f0, f1, f2}}), 1.0 / 3);
    expect_free(MovingPair::vertex_face, flights({{{at + Vec3{0, 0, 1}, {0, 0, -1 + 0x1p-53}}, f0, f1, f2}}));
  }
  expect_free(MovingPair::vertex_face, flights({{{{-tiny, 0.5, 1}, {0, 0, -2}}, f0, f1, f2}}));
  expect_free(MovingPair::vertex_face, flights({{{{0.5, 0.5 + 0x1p-53, 1}, {0, 0, -2}}, f0, f1, f2}}));
}

/// Heights (2t - 1)^2 and (3t - 1)^2 of one edge above the other: it comes down, touches, and leaves.
TEST(ExactMovingEdgeEdge, DoubleRoots) {
  const Flight a0{{-1, 0, 0}}, a1{{1, 0, 0}};
  const auto half = [&](double off) {
    return flights({{a0, a1, {{0, -1, 0}, {0, 0, 4}}, {{0, 1, 1 + off}, {0, 1, -8}}}});
  };
  expect_contact_exactly_at(MovingPair::edge_edge, half(0), 0.5);
  expect_free(MovingPair::edge_edge, half(0x1p-49));
  expect_contact(MovingPair::edge_edge, half(-0x1p-48), 0.5 - 0x1p-25);
  const auto third = [&](double off) {
    return flights({{a0, a1, {{0, -1, 0}, {0, 0, 9}}, {{0, 1, 1 + off}, {0, 1, -15}}}});
  };
  expect_contact(MovingPair::edge_edge, third(0), 1.0 / 3);
  expect_free(MovingPair::edge_edge, third(0x1p-48));
  expect_contact(MovingPair::edge_edge, third(-0x1p-48), (1 - 0x1p-24) / 3);
}

/// The vertex comes into the plane at sqrt(1/2), an irrational time, and then is exactly on an edge.
TEST(ExactMovingVertexFace, OnAnEdgeAtAnIrrationalTime) {
  const Flight corner{{0, 1, 1}, {0, 1, 2}};
  const double time = std::sqrt(0.5);
  const auto at = [&](double x, double dx) { return flights({{{{x, 0.5, 0}, {dx, 0, 1}}, f0, f1, corner}}); };
  expect_contact(MovingPair::vertex_face, at(0, 0), time);
  expect_free(MovingPair::vertex_face, at(-tiny, 0));
  expect_contact(MovingPair::vertex_face, at(tiny, 0), time);
  expect_contact(MovingPair::vertex_face, at(0, 1), time);
  expect_free(MovingPair::vertex_face, at(0x1p-53, 1));
  expect_contact(MovingPair::vertex_face, at(-0x1p-53, 1), time);
}

TEST(ExactMovingVertexFace, InOnePlaneForAllTime) {
  expect_contact_exactly_at(MovingPair::vertex_face, flights({{{{0.25, 0.25, 0}}, f0, f1, f2}}), 0);  // rest
  expect_free(MovingPair::vertex_face, flights({{{{0.75, 0.75, 0}}, f0, f1, f2}}));
  expect_contact_exactly_at(MovingPair::vertex_face, flights({{{{-1, 0.5, 0}, {4, 0, 0}}, f0, f1, f2}}), 0.25);
  expect_contact(MovingPair::vertex_face, flights({{{{-1, 0.5, 0}, {3, 0, 0}}, f0, f1, f2}}), 1.0 / 3);
  // Past a corner: through it, along the edge, just beside.
  expect_contact_exactly_at(MovingPair::vertex_face, flights({{{{-1, 1, 0}, {2, 0, 0}}, f0, f1, f2}}), 0.5);
  expect_contact_exactly_at(MovingPair::vertex_face, flights({{{{2, -1, 0}, {-2, 2, 0}}, f0, f1, f2}}), 0.5);
  expect_free(MovingPair::vertex_face, flights({{{{-1, 1 + 0x1p-52, 0}, {2, 0, 0}}, f0, f1, f2}}));
  // The face turns inside out through a line and back while the vertex is beside it; then on that line.
  const Flight folding{{0, 1, 0}, {0, -2, 0}};
  expect_free(MovingPair::vertex_face, flights({{{{0.75, 0.75, 0}}, f0, f1, folding}}));
  expect_contact_exactly_at(MovingPair::vertex_face, flights({{{{0.5, -0.25, 0}}, f0, f1, folding}}), 0.75);
  expect_contact_exactly_at(MovingPair::vertex_face, flights({{{{0.5, 1, 0}, {0, -2, 0}}, f0, f1, folding}}), 0.5);
  expect_free(MovingPair::vertex_face, flights({{{{1.5, 1, 0}, {0, -2, 0}}, f0, f1, folding}}));
}

TEST(ExactMovingVertexFace, DegenerateFaces) {
  const Flight on{{2, 0, 0}};
  expect_contact_exactly_at(MovingPair::vertex_face, flights({{{{1.5, 1, 0}, {0, -2, 0}}, f0, f1, on}}), 0.5);
  expect_contact(MovingPair::vertex_face, flights({{{{1.5, 1, 1}, {0, -3, -3}}, f0, f1, on}}), 1.0 / 3);
  expect_free(MovingPair::vertex_face, flights({{{{2 + 0x1p-51, 1, 0}, {0, -2, 0}}, f0, f1, on}}));
  expect_contact_exactly_at(MovingPair::vertex_face, flights({{{{2, 1, 0}, {-2, -1, 0}}, f0, f0, f0}}), 1);
  // All on one line for all time.
  expect_contact(MovingPair::vertex_face, flights({{{{3, 0, 0}, {-3, 0, 0}}, f0, f1, on}}), 1.0 / 3);
  expect_free(MovingPair::vertex_face, flights({{{{3, 0, 0}, {-1 + 0x1p-51, 0, 0}}, f0, f1, on}}));
  // Degenerate at one instant only: the vertex is on the line of the face then, between its corners or not.
  const Flight through{{0.5, 1, 0}, {0, -2, 0}};
  expect_contact_exactly_at(MovingPair::vertex_face, flights({{{{0.75, 0, 1}, {0, 0, -2}}, f0, f1, through}}), 0.5);
  expect_free(MovingPair::vertex_face, flights({{{{1.5, 0, 1}, {0, 0, -2}}, f0, f1, through}}));
}

TEST(ExactMovingEdgeEdge, ParallelCollinearAndPoints) {
  const Flight a0{{0, 0, 0}}, a1{{2, 0, 0}};
  const auto beside = [&](double x0, double x1, Vec3 d) {
    return flights({{a0, a1, {{x0, 1, 0}, d}, {{x1, 1, 0}, d}}});
  };
  expect_contact_exactly_at(MovingPair::edge_edge, beside(1, 3, {0, -2, 0}), 0.5);
  expect_contact(MovingPair::edge_edge, beside(2, 3, {0, -3, 0}), 1.0 / 3);
  expect_free(MovingPair::edge_edge, beside(2 + 0x1p-51, 3, {0, -3, 0}));
  expect_contact_exactly_at(MovingPair::edge_edge, beside(3, 4, {-2, -2, 0}), 0.5);
  expect_free(MovingPair::edge_edge, beside(1, 3, {5, 0, 0}));
  const auto in_line = [&](double x0, double x1, double d) {
    return flights({{a0, a1, {{x0, 0, 0}, {d, 0, 0}}, {{x1, 0, 0}, {d, 0, 0}}}});
  };
  expect_contact(MovingPair::edge_edge, in_line(3, 4, -3), 1.0 / 3);
  expect_free(MovingPair::edge_edge, in_line(3, 4, -1 + 0x1p-51));
  expect_contact_exactly_at(MovingPair::edge_edge, in_line(2, 4, 1), 0);
  expect_contact_exactly_at(MovingPair::edge_edge, in_line(3, 3, -2), 0.5);
  expect_contact_exactly_at(MovingPair::edge_edge, flights({{a0, a1, {{0, 0, 0}}, {{2, 0, 0}}}}), 0);
  // Four points that are points.
  expect_contact(MovingPair::edge_edge, flights({{a0, a0, {{1, 1, 1}, {-3, -3, -3}}, {{1, 1, 1}, {-3, -3, -3}}}}),
                 1.0 / 3);
}

TEST(ExactMovingLower, VertexEdgeAndVertexVertex) {
  const Flight v{{0, 0, 0}, {3, 3, 3}}, w{{1, 1, 1}}, u{{1, 1, 3}};
  expect_contact(MovingPair::vertex_vertex, flights({{v, w, w, w}}), 1.0 / 3);
  expect_free(MovingPair::vertex_vertex, flights({{v, {{1, 1, 1 + 0x1p-52}}, w, w}}));
  expect_contact_exactly_at(MovingPair::vertex_vertex, flights({{w, w, w, w}}), 0);
  expect_contact(MovingPair::vertex_edge, flights({{v, w, u, u}}), 1.0 / 3);
  expect_contact_exactly_at(MovingPair::vertex_edge, flights({{{{0, 0, 2}, {2, 2, 0}}, w, u, u}}), 0.5);
  expect_free(MovingPair::vertex_edge, flights({{{{0, 0, 3 + 0x1p-51}, {2, 2, 0}}, w, u, u}}));
  expect_contact_exactly_at(MovingPair::vertex_edge, flights({{{{0, 0, 3}, {2, 2, 0}}, w, u, u}}), 0.5);
}

TEST(ExactMoving, TheWholeRangeOfDoubles) {
  const double big = 0x1p1000, small = 0x1p-1070;
  expect_contact_exactly_at(MovingPair::vertex_face,
                            {{{{small, small, small}, {0, 0, 0}, {big, 0, 0}, {0, big, 0}}},
                             {{{big, 0, 0}, {0, 0, 0}, {big, 0, 0}, {0, big, 0}}}},
                            1);
  expect_free(MovingPair::vertex_face, {{{{small, small, small}, {0, 0, 0}, {big, 0, 0}, {0, big, 0}}},
                                        {{{big, 0, small}, {0, 0, 0}, {big, 0, 0}, {0, big, 0}}}});
  expect_contact_exactly_at(MovingPair::vertex_face,
                            {{{{small, small, small}, {0, 0, 0}, {big, 0, 0}, {0, big, 0}}},
                             {{{small, small, -small}, {0, 0, 0}, {big, 0, 0}, {0, big, 0}}}},
                            0.5);
}

}  // namespace
}  // namespace graze
