// SPDX-License-Identifier: MIT
// Tests of the oracle itself, by hand-made cases and by methods that share nothing with it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <vector>

#include "oracle/exact_oracle.hpp"
#include "oracle/generators.hpp"
#include "oracle/pose_generators.hpp"
#include "oracle/second_opinion.hpp"

namespace graze::oracle {
namespace {

TriangleAnswer ask(const Corners& a, const Corners& b) { return intersect(exact(a), exact(b)); }

Point at(double x, double y, double z) { return exact(Vec3{x, y, z}); }

/// In the plane z = 0, with (1, 1, 0) inside.
const Corners floor_triangle{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};

void expect(const Corners& a, const Corners& b, int dimension, bool crossing) {
  for (const auto& answer : {ask(a, b), ask(b, a)}) {
    EXPECT_EQ(answer.dimension, dimension) << describe(a) << describe(b);
    EXPECT_EQ(answer.contact, dimension >= 0);
    EXPECT_EQ(answer.crossing, crossing);
    EXPECT_EQ(answer.vertices.empty(), dimension < 0);
  }
  EXPECT_EQ(squared_distance(exact(a), exact(b)).is_zero(), dimension >= 0);
}

TEST(OracleNumbers, DoublesAreExactAndComeBack) {
  EXPECT_EQ(exact(0.5), Rational(1, 2));
  EXPECT_EQ(exact(-3.0), Rational(-3));
  EXPECT_EQ(exact(DBL_TRUE_MIN) * exact(0x1p1000) * exact(0x1p74), Rational(1));
  EXPECT_EQ(exact(DBL_MAX), exact(0x1p1023) * 2 - exact(0x1p971));
  for (double value : {0.0, 1.0, -0.1, 1e-300, 1e308, DBL_MAX, -DBL_MIN, DBL_TRUE_MIN, 0x1.fffffp-1060})
    EXPECT_EQ(to_double(exact(value)), value);
  EXPECT_NEAR(to_double(Rational(1, 3)), 1.0 / 3, 1e-16);
  EXPECT_THROW(exact(NAN), std::invalid_argument);
}

TEST(OraclePlacement, TurnsAsQuaternionsDo) {
  const Quat quarter_about_z{1, 0, 0, 1};
  EXPECT_EQ(place(Pose({}, quarter_about_z), Vec3{1, 0, 0}), at(0, 1, 0));
  EXPECT_EQ(place(Pose({10, 0, 0}, quarter_about_z), Vec3{0, 1, 2}), at(9, 0, 2));
  EXPECT_EQ(place(Pose({}, {1, 1, 1, 1}), Vec3{1, 2, 3}), at(3, 1, 2));
  EXPECT_EQ(place(Pose({}, {0, 0, 5, 0}), Vec3{1, 2, 3}), at(-1, 2, -3));
  // The matrix of (1, 2, 3, 4), row by row, is (-20 4 22, 20 -10 20, 10 28 4) / 30.
  EXPECT_EQ(place(Pose({}, {1, 2, 3, 4}), Vec3{30, 0, 0}), at(-20, 20, 10));
  EXPECT_EQ(place(Pose({}, {1, 2, 3, 4}), Vec3{0, 30, 0}), at(4, -10, 28));
  EXPECT_EQ(place(Pose({}, {1, 2, 3, 4}), Vec3{0, 0, 1}), (Point{Rational(22, 30), Rational(20, 30), Rational(4, 30)}));
}

TEST(OraclePlacement, KeepsLengthsAndIsUndone) {
  Random random(2);
  for (int i = 0; i < 300; ++i) {
    const Pose pose = random_pose(random);
    const Vec3 x = real_point(random), y = real_point(random);
    EXPECT_EQ(unplace(pose, place(pose, x)), exact(x));
    EXPECT_EQ(squared_distance(place(pose, x), place(pose, y)), squared_distance(exact(x), exact(y)));
  }
  EXPECT_EQ(local_of(Pose({1, 0, 0}, {1, 0, 0, 1}), {1, 1, 0}), (Vec3{1, 0, 0}));
  EXPECT_FALSE(local_of(Pose({}, {1, 2, 3, 4}), {1, 1, 0}).has_value());
}

TEST(OracleSigns, Determinants) {
  EXPECT_EQ(orient3d_sign(Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}), 1);
  EXPECT_EQ(orient3d_sign(at(0, 0, 0), at(1, 0, 0), at(0, 1, 0), at(0, 0, -1)), -1);
  EXPECT_EQ(orient3d_sign(Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{5, 5, DBL_TRUE_MIN}), 1);
  EXPECT_EQ(orient3d_sign(Vec3{-DBL_MAX, 0, 0}, Vec3{DBL_MAX, 0, 0}, Vec3{0, DBL_MAX, 0}, Vec3{1, 1, 0}), 0);
  EXPECT_EQ(orient3d_sign(Vec3{-DBL_MAX, 0, 0}, Vec3{DBL_MAX, 0, 0}, Vec3{0, DBL_MAX, 0}, Vec3{1, 1, -1e-320}), -1);
  EXPECT_EQ(orient2d_sign(0, 0, 1, 0, 0, 1), 1);
  EXPECT_EQ(orient2d_sign(0, 0, DBL_TRUE_MIN, 0, 1e308, -DBL_TRUE_MIN), -1);
  EXPECT_EQ(orient2d_sign(0, 0, 0.1, 0.1, 0.3, 0.3), 0);
  EXPECT_EQ(orient2d_sign({0, 0, 7}, {1, 0, 8}, {0, 1, 9}, 2), 1);
  EXPECT_EQ(orient2d_sign({7, 0, 0}, {8, 1, 0}, {9, 0, 1}, 0), 1);
  EXPECT_EQ(orient2d_sign({0, 7, 0}, {0, 8, 1}, {1, 9, 0}, 1), 1);  // z, then x
}

TEST(OracleSigns, WholeAndRationalAgree) {
  Random random(3);
  for (int i = 0; i < 500; ++i) {
    const auto family = static_cast<PairFamily>(whole(random, 0, pair_family_count - 1));
    const auto [a, b] = random_pair(random, family);
    EXPECT_EQ(orient3d_sign(a[0], a[1], a[2], b[0]), orient3d_sign(exact(a[0]), exact(a[1]), exact(a[2]), exact(b[0])));
  }
}

TEST(OracleTriangles, GeneralPosition) {
  expect(floor_triangle, {{{1, 1, -1}, {1, 1, 1}, {9, 9, 1}}}, 1, true);
  expect(floor_triangle, {{{1, 1, 1}, {1, 2, 1}, {9, 9, 1}}}, -1, false);
  expect(floor_triangle, {{{3, 3, -1}, {3, 3, 1}, {9, 9, 1}}}, -1, false);
  const auto answer = ask(floor_triangle, {{{1, 1, -1}, {1, 1, 1}, {-9, 1, 1}}});
  EXPECT_EQ(answer.edge_of_b_crosses, (std::array{true, false, false}));
  EXPECT_EQ(answer.edge_of_a_crosses, (std::array{false, false, true}));
  ASSERT_EQ(answer.vertices.size(), 2u);
  EXPECT_EQ(std::count(answer.vertices.begin(), answer.vertices.end(), at(1, 1, 0)), 1);
  EXPECT_EQ(std::count(answer.vertices.begin(), answer.vertices.end(), at(0, 1, 0)), 1);
}

TEST(OracleTriangles, TouchingIsNotCrossing) {
  expect(floor_triangle, {{{1, 1, 0}, {1, 1, 1}, {2, 1, 1}}}, 0, false);     // vertex on face
  expect(floor_triangle, {{{2, 2, 0}, {3, 3, 1}, {2, 2, 1}}}, 0, false);     // vertex on edge
  expect(floor_triangle, {{{4, 0, 0}, {5, 0, 1}, {5, 0, -1}}}, 0, false);    // vertex on vertex
  expect(floor_triangle, {{{2, 0, -1}, {2, 0, 1}, {2, -1, 0}}}, 0, false);   // edge on edge
  expect(floor_triangle, {{{1, 1, 0}, {2, 1, 0}, {1, 1, 1}}}, 1, false);     // edge in face
  expect(floor_triangle, {{{1, 0, 0}, {9, 0, 0}, {1, -1, 1}}}, 1, false);    // edge along edge
  expect(floor_triangle, {{{2, 2, -1}, {2, 2, 1}, {9, 9, 0}}}, 0, false);    // edge through an edge
  expect(floor_triangle, {{{0, 0, -1}, {0, 0, 1}, {-1, -1, 0}}}, 0, false);  // edge through a vertex
  // A corner in the face with the others on both sides: it depends on whether edge 12 of b passes inside the floor, or
  // the floor's slanted side inside b. Where both edges only meet each other, the surfaces touch by definition.
  expect(floor_triangle, {{{1, 1, 0}, {1, 1.5, 1}, {1.5, 1, -1}}}, 1, true);
  expect(floor_triangle, {{{1, 1, 0}, {9, 9, 1}, {9, 9, -1}}}, 1, true);
  expect(floor_triangle, {{{1, 1, 0}, {2, 2, 1}, {2, 2, -1}}}, 1, false);
  // Cutting the floor from one vertex through the opposite edge's inside.
  expect(floor_triangle, {{{0, 0, 0}, {9, 9, 1}, {9, 9, -1}}}, 1, true);
}

TEST(OracleTriangles, Coplanar) {
  expect(floor_triangle, floor_triangle, 2, false);
  expect(floor_triangle, {{{1, 1, 0}, {1.5, 1, 0}, {1, 1.5, 0}}}, 2, false);  // inside
  expect(floor_triangle, {{{-1, 1, 0}, {9, 1, 0}, {9, 2, 0}}}, 2, false);     // overlapping
  expect(floor_triangle, {{{2, 2, 0}, {5, 5, 0}, {5, 2, 0}}}, 0, false);      // at a point of the long side
  expect(floor_triangle, {{{4, 0, 0}, {0, 4, 0}, {4, 4, 0}}}, 1, false);      // along it
  expect(floor_triangle, {{{3, 2, 0}, {2, 3, 0}, {4, 4, 0}}}, -1, false);
  // A star of David has six corners in common.
  const auto star = ask({{{0, 0, 0}, {6, 0, 0}, {3, 6, 0}}}, {{{0, 4, 0}, {6, 4, 0}, {3, -2, 0}}});
  EXPECT_EQ(star.vertices.size(), 6u);
  EXPECT_FALSE(star.crossing);
}

TEST(OracleTriangles, Degenerate) {
  const auto point = [](double x, double y, double z) { return Corners{{{x, y, z}, {x, y, z}, {x, y, z}}}; };
  expect(floor_triangle, point(1, 1, 0), 0, false);
  expect(floor_triangle, point(2, 2, 0), 0, false);
  expect(floor_triangle, point(4, 0, 0), 0, false);
  expect(floor_triangle, point(1, 1, DBL_TRUE_MIN), -1, false);
  expect(point(1, 2, 3), point(1, 2, 3), 0, false);
  expect(point(1, 2, 3), point(1, 2, 4), -1, false);
  // Segments; the middle corner may come in any place.
  expect(floor_triangle, {{{1, 1, 0}, {1, 1, -1}, {1, 1, 2}}}, 0, true);
  expect(floor_triangle, {{{1, 1, 0}, {1, 1, 1}, {1, 1, 2}}}, 0, false);
  expect(floor_triangle, {{{1, 1, 0}, {9, 9, 0}, {9, 9, 0}}}, 1, false);
  expect(floor_triangle, {{{3, 3, -1}, {3, 3, 1}, {3, 3, 2}}}, -1, false);
  expect({{{0, 0, 0}, {2, 2, 0}, {1, 1, 0}}}, {{{0, 2, 0}, {2, 0, 0}, {2, 0, 0}}}, 0, false);
  expect({{{0, 0, 0}, {2, 2, 0}, {1, 1, 0}}}, {{{1, 1, 0}, {5, 5, 0}, {3, 3, 0}}}, 1, false);
  expect({{{0, 0, 0}, {2, 2, 0}, {1, 1, 0}}}, {{{3, 3, 0}, {5, 5, 0}, {3, 3, 0}}}, -1, false);
  expect({{{0, 0, 0}, {2, 2, 0}, {1, 1, 0}}}, point(1, 1, 0), 0, false);
  EXPECT_TRUE(degenerate(exact(point(1, 2, 3))));
  EXPECT_FALSE(degenerate(exact(floor_triangle)));
}

TEST(OracleTriangles, ExtremeScales) {
  const Corners above{{{1, 1, DBL_TRUE_MIN}, {2, 1, 1e308}, {1, 2, 1}}};
  expect(floor_triangle, above, -1, false);
  EXPECT_EQ(squared_distance(exact(floor_triangle), exact(above)), exact(DBL_TRUE_MIN) * exact(DBL_TRUE_MIN));
  const Corners huge{{{-DBL_MAX, -DBL_MAX, 0}, {DBL_MAX, -DBL_MAX, 0}, {0, DBL_MAX, 0}}};
  expect(huge, {{{0, 0, 0}, {DBL_TRUE_MIN, 0, 1}, {0, 0, DBL_MAX}}}, 0, false);
  expect(huge, {{{0, 0, -DBL_TRUE_MIN}, {DBL_TRUE_MIN, 0, 1}, {0, 0, DBL_MAX}}}, 1, true);
}

TEST(OracleTriangles, ContactAgreesWithConvexCombinations) {
  Random random(4);
  for (int family = 0; family < pair_family_count; ++family) {
    int contacts = 0;
    // Numbers of thousands of bits take long, and are decided by the same code.
    const int count = family >= int(PairFamily::tiny) && family != int(PairFamily::far_away) ? 1 : 12;
    for (int i = 0; i < count; ++i) {
      const CornersPair pair = random_pair(random, static_cast<PairFamily>(family));
      const TriangleAnswer answer = ask(pair.a, pair.b);
      contacts += answer.contact;
      EXPECT_EQ(answer.contact, contact_by_combination(pair.a, pair.b)) << name(static_cast<PairFamily>(family)) << '\n'
                                                                        << describe(pair);
    }
    const bool always = family >= int(PairFamily::same_vertex) && family <= int(PairFamily::edge_through_face);
    EXPECT_TRUE(contacts == count || !always) << name(static_cast<PairFamily>(family));
  }
}

TEST(OracleTriangles, AnswersAreConsistent) {
  Random random(5);
  for (int i = 0; i < 15 * pair_family_count; ++i) {
    const auto family = static_cast<PairFamily>(i % pair_family_count);
    if (family == PairFamily::mixed_scale && i > 2 * pair_family_count) continue;  // slow
    const CornersPair pair = random_pair(random, family);
    const Triangle a = exact(pair.a), b = exact(pair.b);
    const TriangleAnswer ab = intersect(a, b), ba = intersect(b, a);
    EXPECT_EQ(ab.contact, ba.contact) << describe(pair);
    EXPECT_EQ(ab.crossing, ba.crossing);
    EXPECT_EQ(ab.dimension, ba.dimension);
    EXPECT_EQ(ab.vertices.size(), ba.vertices.size());
    for (const Point& p : ab.vertices) {
      EXPECT_TRUE(point_in_triangle(p, a) && point_in_triangle(p, b)) << describe(pair);
      EXPECT_TRUE(std::find(ba.vertices.begin(), ba.vertices.end(), p) != ba.vertices.end());
    }
    EXPECT_TRUE(!ab.crossing || (ab.contact && ab.dimension < 2));
    bool edge_meets = false;
    for (std::size_t k = 0; k < 3; ++k) {
      const bool crosses = segment_crosses_triangle(a[k], a[(k + 1) % 3], b);
      EXPECT_EQ(crosses, ab.edge_of_a_crosses[k]) << describe(pair);
      edge_meets |= segment_meets_triangle(a[k], a[(k + 1) % 3], b) || segment_meets_triangle(b[k], b[(k + 1) % 3], a);
    }
    EXPECT_EQ(edge_meets, ab.contact) << describe(pair);
  }
}

TEST(OracleTriangles, PlacedExactlyTouchesLikeTheWorldPair) {
  for (int i = 0; i < 60; ++i) {
    Random random(static_cast<std::uint64_t>(i)), again(static_cast<std::uint64_t>(i));
    const PlacedPair placed = placed_exactly(random);
    whole_quaternion(again), whole_quaternion(again), grid_point(again, 3);  // as placed_exactly draws them
    const CornersPair world = random_pair(again, whole_family(again));
    const auto seen = intersect(place(placed.pose_a, placed.a), place(placed.pose_b, placed.b));
    const auto truth = ask(world.a, world.b);
    EXPECT_EQ(seen.dimension, truth.dimension) << describe(placed);
    EXPECT_EQ(seen.edge_of_a_crosses, truth.edge_of_a_crosses);
    EXPECT_EQ(seen.edge_of_b_crosses, truth.edge_of_b_crosses);
  }
}

// ---- neighbours in a mesh -----------------------------------------------------------------------------------------

TEST(OracleNeighbours, SharedVertex) {
  const Triangle a = exact(floor_triangle);
  const auto more = [&](const Corners& b) { return shares_more_than(a, {0, 1, 2}, exact(b), {0, 3, 4}); };
  EXPECT_FALSE(more({{{0, 0, 0}, {1, 0, 1}, {0, 1, 1}}}));
  EXPECT_TRUE(more({{{0, 0, 0}, {2, 0, 0}, {0, 1, 1}}}));     // along the first edge
  EXPECT_TRUE(more({{{0, 0, 0}, {1, 1, 1}, {1, 1, -1}}}));    // through the face
  EXPECT_FALSE(more({{{0, 0, 0}, {-1, 0, 0}, {0, -1, 0}}}));  // coplanar, opposite
  EXPECT_TRUE(more({{{0, 0, 0}, {1, 1, 0}, {9, 9, 1}}}));
  EXPECT_TRUE(more({{{0, 0, 0}, {1, 1, 0}, {1, 1, 0}}}));   // degenerate, in the face
  EXPECT_FALSE(more({{{0, 0, 0}, {0, 0, 1}, {0, 0, 2}}}));  // degenerate, leaving it
  EXPECT_FALSE(more({{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}));  // the shared point only
  EXPECT_TRUE(shares_more_than(a, {0, 1, 2}, exact(Corners{{{1, 1, 0}, {1, 1, 1}, {2, 1, 1}}}), {3, 4, 5}));
}

TEST(OracleNeighbours, SharedEdgeAndSameFace) {
  const Triangle a = exact(floor_triangle);
  const auto more = [&](const Vec3& apex) {
    return shares_more_than(a, {7, 8, 9}, exact(Corners{{{4, 0, 0}, {0, 0, 0}, apex}}), {8, 7, 5});
  };
  EXPECT_FALSE(more({0, 0, 1}));
  EXPECT_FALSE(more({0, -1, 0}));  // unfolded
  EXPECT_TRUE(more({0, 1, 0}));    // folded back
  EXPECT_FALSE(more({2, 0, 0}));   // degenerate, within the edge
  EXPECT_FALSE(more({9, 0, 0}));   // degenerate, longer than the edge, but only the edge is common
  const Triangle thin = exact(Corners{{{0, 0, 0}, {4, 0, 0}, {6, 0, 0}}});
  EXPECT_TRUE(shares_more_than(thin, {0, 1, 2}, exact(Corners{{{0, 0, 0}, {4, 0, 0}, {5, 0, 0}}}), {0, 1, 3}));
  EXPECT_TRUE(shares_more_than(a, {0, 1, 2}, a, {2, 0, 1}));
  EXPECT_FALSE(shares_more_than(exact(Corners{{{0, 0, 0}, {0, 0, 0}, {4, 0, 0}}}), {0, 0, 1}, a, {0, 1, 2}));
}

// ---- distances ----------------------------------------------------------------------------------------------------

TEST(OracleDistance, ByHand) {
  const auto d2 = [](const Corners& b) { return squared_distance(exact(floor_triangle), exact(b)); };
  EXPECT_EQ(d2({{{1, 1, 2}, {1, 2, 5}, {2, 1, 5}}}), 4);       // vertex over face
  EXPECT_EQ(d2({{{-9, -9, -1}, {9, 9, -1}, {0, 0, -5}}}), 1);  // face over vertices
  EXPECT_EQ(d2({{{5, -1, 0}, {5, 1, 0}, {9, 0, 3}}}), 1);      // vertex to edge
  EXPECT_EQ(d2({{{3, 3, -1}, {3, 3, 1}, {9, 9, 0}}}), 2);      // edge to edge: 2 (1/2)^2 times 4
  EXPECT_EQ(d2({{{-1, -2, -2}, {-1, -2, -2}, {-1, -2, -2}}}), 9);
  EXPECT_EQ(d2({{{1, 1, -1}, {1, 1, 1}, {9, 9, 1}}}), 0);
  const std::array<Point, 2> x{at(0, 0, 0), at(2, 0, 0)}, above{at(1, 0, 3), at(5, 0, 3)},
      apart{at(3, 0, 4), at(5, 0, 4)}, skew{at(1, -1, 1), at(1, 3, 1)};
  EXPECT_EQ(squared_distance(x, above), 9);
  EXPECT_EQ(squared_distance(x, apart), 17);
  EXPECT_EQ(squared_distance(x, skew), 1);
}

TEST(OracleDistance, AgreesWithDescent) {
  Random random(6);
  for (int i = 0; i < 150; ++i) {
    const Corners a = i % 2 ? real_triangle(random) : grid_triangle(random, 1);
    Corners b = i % 2 ? real_triangle(random) : i % 3 ? grid_triangle(random) : segment_triangle(random);
    const Vec3 shift = real_point(random, 3);
    for (Vec3& p : b) p = p + shift;
    const double distance = std::sqrt(to_double(squared_distance(exact(a), exact(b))));
    const double descended = std::sqrt(squared_distance_by_descent(a, b));
    EXPECT_LE(distance, descended + 1e-9) << describe(CornersPair{a, b});
    EXPECT_NEAR(distance, descended, 0.03) << describe(CornersPair{a, b});
  }
}

// ---- features and solids ------------------------------------------------------------------------------------------

TEST(OracleFeatures, ByHand) {
  const Triangle t = exact(floor_triangle);
  EXPECT_TRUE(point_in_triangle(at(2, 2, 0), t));
  EXPECT_FALSE(point_in_triangle(exact(Vec3{2, std::nextafter(2.0, 3.0), 0}), t));
  const std::array<Triangle, 2> square{t, exact(Corners{{{4, 0, 0}, {4, 4, 0}, {0, 4, 0}}})};
  EXPECT_TRUE(point_in_polygon(at(3, 3, 0), square));
  EXPECT_FALSE(point_in_polygon(at(3, 5, 0), square));
  EXPECT_TRUE(segments_meet(at(0, 0, 0), at(2, 2, 2), at(1, 1, 1), at(5, 0, 0)));
  EXPECT_FALSE(segments_meet(at(0, 0, 0), at(2, 2, 2), at(1, 1, 0), at(5, 0, 0)));
  EXPECT_TRUE(segments_meet(at(0, 0, 0), at(0, 0, 0), at(-1, 0, 0), at(5, 0, 0)));
  EXPECT_TRUE(segment_crosses_triangle(at(1, 1, -1), at(1, 1, 1), t));
  EXPECT_FALSE(segment_crosses_triangle(at(2, 2, -1), at(2, 2, 1), t));
  EXPECT_FALSE(segment_crosses_triangle(at(1, 1, 0), at(1, 1, 1), t));
  EXPECT_TRUE(segment_meets_triangle(at(2, 2, -1), at(2, 2, 1), t));
  EXPECT_TRUE(segment_meets_triangle(at(1, 1, 0), at(1, 1, 1), t));
  EXPECT_FALSE(segment_meets_triangle(at(1, 1, 1), at(1, 1, 2), t));
}

/// The cube [0, size]^3, two triangles a side.
std::vector<Triangle> cube(double size) {
  std::vector<Triangle> surface;
  for (int axis = 0; axis < 3; ++axis)
    for (double height : {0.0, size}) {
      const auto corner = [&](double u, double v) {
        Vec3 p;
        p[axis] = height, p[(axis + 1) % 3] = u, p[(axis + 2) % 3] = v;
        return exact(p);
      };
      surface.push_back({corner(0, 0), corner(size, 0), corner(size, size)});
      surface.push_back({corner(0, 0), corner(size, size), corner(0, size)});
    }
  return surface;
}

TEST(OracleSolids, PointInCube) {
  auto surface = cube(2);
  const Point line = at(1, 1, 1);
  surface.push_back({line, line, at(1, 1, 5)});  // a degenerate triangle is surface, and changes nothing else
  for (double x = -1; x <= 3; x += 0.5)
    for (double y = -1; y <= 3; y += 0.5) {
      const double z = 0.5;
      const bool closed = x >= 0 && x <= 2 && y >= 0 && y <= 2, open = x > 0 && x < 2 && y > 0 && y < 2;
      const Where expected = open ? Where::inside : closed ? Where::on_surface : Where::outside;
      EXPECT_EQ(point_in_polyhedron(at(x, y, z), surface), expected) << x << ' ' << y;
    }
  EXPECT_EQ(point_in_polyhedron(at(1, 1, 3), surface), Where::on_surface);
  EXPECT_EQ(point_in_polyhedron(at(1, 1, 6), surface), Where::outside);
  EXPECT_EQ(point_in_polyhedron(exact(Vec3{DBL_TRUE_MIN, 1, 1}), surface), Where::inside);
  EXPECT_EQ(point_in_polyhedron(exact(Vec3{-DBL_TRUE_MIN, 1, 1}), surface), Where::outside);
}

TEST(OracleSolids, PointInHollowCube) {
  auto surface = cube(8);
  for (Triangle t : cube(4)) {
    for (Point& p : t) p = p + at(2, 2, 2);
    surface.push_back(t);
  }
  EXPECT_EQ(point_in_polyhedron(at(1, 1, 1), surface), Where::inside);
  EXPECT_EQ(point_in_polyhedron(at(3, 3, 3), surface), Where::outside);  // in the hollow
  EXPECT_EQ(point_in_polyhedron(at(2, 3, 3), surface), Where::on_surface);
}

TEST(OracleGenerators, SameSeedSameInput) {
  Random one(9), two(9);
  for (int family = 0; family < pair_family_count; ++family) {
    const PlacedPair p = placed_anyhow(one, static_cast<PairFamily>(family));
    const PlacedPair q = placed_anyhow(two, static_cast<PairFamily>(family));
    EXPECT_EQ(describe(p), describe(q));
    for (const Vec3& v : p.a) EXPECT_TRUE(is_finite(v)) << name(static_cast<PairFamily>(family));
    for (const Vec3& v : p.b) EXPECT_TRUE(is_finite(v)) << name(static_cast<PairFamily>(family));
  }
}

}  // namespace
}  // namespace graze::oracle
