// SPDX-License-Identifier: MIT
// Solids that touch: do their interiors overlap? Against sets of unit cubes, whose common cubes can be listed, and
// against convex solids of whole coordinates, which a plane parts or not.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

#include <graze/ask/collide.hpp>
#include <graze/mesh/make.hpp>
#include <graze/shape/shape.hpp>

#include "random_budget.hpp"
#include "soups.hpp"

namespace graze {
namespace {

using testing::RandomBudget;
using Cell = std::array<int, 3>;

CollideResult solid(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b) {
  CollideOptions options;
  options.solid = true;
  return collide(a, pose_a, b, pose_b, options);
}
bool share_volume(const CollideResult& r) { return r.kind == ContactKind::crossing || r.kind == ContactKind::overlap; }

/// The surface of a set of unit cubes: the squares that belong to one cube of the set only.
Mesh surface_of(const std::set<Cell>& cells) {
  std::vector<Vec3> positions;
  std::vector<Cell> corners;
  PolygonList faces;
  const auto vertex = [&](const Cell& c) {
    const auto found = std::find(corners.begin(), corners.end(), c);
    if (found != corners.end()) return static_cast<std::uint32_t>(found - corners.begin());
    corners.push_back(c);
    positions.push_back({static_cast<double>(c[0]), static_cast<double>(c[1]), static_cast<double>(c[2])});
    return static_cast<std::uint32_t>(corners.size() - 1);
  };
  for (const Cell& c : cells)
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (const int side : {0, 1}) {
        Cell next = c;
        next[axis] += side ? 1 : -1;
        if (cells.contains(next)) continue;
        std::array<std::uint32_t, 4> square{};
        for (std::size_t i = 0; i < 4; ++i) {
          Cell corner = c;
          corner[axis] += side;
          corner[(axis + 1) % 3] += i == 1 || i == 2;
          corner[(axis + 2) % 3] += i >= 2;
          square[i] = vertex(corner);
        }
        if (!side) std::reverse(square.begin(), square.end());
        faces.add(square);
      }
  return Mesh(positions, faces);
}

/// Quarters of unit cubes in each direction, so that shifts by a half have common cells, too.
std::set<Cell> halves(const std::set<Cell>& cells, const Cell& shift_in_halves) {
  std::set<Cell> result;
  for (const Cell& c : cells)
    for (int i = 0; i < 8; ++i)
      result.insert({2 * c[0] + (i & 1) + shift_in_halves[0], 2 * c[1] + (i >> 1 & 1) + shift_in_halves[1],
                     2 * c[2] + (i >> 2) + shift_in_halves[2]});
  return result;
}

TEST(Overlap, SetsOfCubes) {
  oracle::Random random(RandomBudget::seed(41));
  int overlaps = 0, touches = 0;
  for (RandomBudget budget(400); budget.more();) {
    const auto cells = [&] {
      std::set<Cell> set;
      const int count = oracle::whole(random, 1, 6);
      while (static_cast<int>(set.size()) < count)
        set.insert({oracle::whole(random, 0, 2), oracle::whole(random, 0, 1), oracle::whole(random, 0, 1)});
      return set;
    };
    const std::set<Cell> a = cells(), b = cells();
    Cell shift{};  // mostly whole, so that faces are flush
    for (int& s : shift) s = 2 * oracle::whole(random, -2, 2) + (oracle::whole(random, 0, 5) == 0 ? 1 : 0);
    const Vec3 moved{0.5 * shift[0], 0.5 * shift[1], 0.5 * shift[2]};
    const std::set<Cell> fine_a = halves(a, {0, 0, 0}), fine_b = halves(b, shift);
    const bool common = std::any_of(fine_a.begin(), fine_a.end(), [&](const Cell& c) { return fine_b.contains(c); });
    const Body body_a(surface_of(a)), body_b(surface_of(b));
    // Once as it is, once with both turned alike by an angle that needs big integers.
    const Quat turn{3, 1, -2, 1};
    const Pose turned({0, 0, 0}, turn);
    const CollideResult plain = solid(body_a, Pose(), body_b, Pose(moved));
    const CollideResult back = solid(body_b, Pose(moved), body_a, Pose());
    EXPECT_EQ(share_volume(plain), common);
    EXPECT_EQ(share_volume(back), common);
    EXPECT_EQ(plain.kind, back.kind);
    if (moved == Vec3{}) {
      const CollideResult tilted = solid(body_a, turned, body_b, turned);
      EXPECT_EQ(tilted.kind, plain.kind);
    }
    overlaps += plain.kind == ContactKind::overlap;
    touches += plain.kind == ContactKind::touching;
    if (plain.kind == ContactKind::overlap) {
      EXPECT_FALSE(plain.normal);
    }
  }
  if (!RandomBudget::is_whole()) return;
  EXPECT_GT(overlaps, 25);
  EXPECT_GT(touches, 50);
}

/// Is there a plane with all of A on one closed side and all of B on the other? For tetrahedra the normals of faces and
/// the cross products of edges are sufficient. Whole numbers, so doubles are exact.
bool parted(const std::array<Vec3, 4>& a, const std::array<Vec3, 4>& b) {
  std::vector<Vec3> edges_a, edges_b, axes;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      edges_a.push_back(a[i] - a[j]);
      edges_b.push_back(b[i] - b[j]);
    }
  for (const auto& [e, f] : {std::pair{&edges_a, &edges_a}, {&edges_b, &edges_b}, {&edges_a, &edges_b}})
    for (const Vec3& u : *e)
      for (const Vec3& v : *f) axes.push_back(cross(u, v));
  return std::any_of(axes.begin(), axes.end(), [&](const Vec3& n) {
    if (n == Vec3{}) return false;
    double lo_a = dot(n, a[0]), hi_a = lo_a, lo_b = dot(n, b[0]), hi_b = lo_b;
    for (std::size_t i = 1; i < 4; ++i) {
      lo_a = std::min(lo_a, dot(n, a[i]));
      hi_a = std::max(hi_a, dot(n, a[i]));
      lo_b = std::min(lo_b, dot(n, b[i]));
      hi_b = std::max(hi_b, dot(n, b[i]));
    }
    return hi_a <= lo_b || hi_b <= lo_a;
  });
}

TEST(Overlap, TetrahedraOnAGrid) {
  oracle::Random random(RandomBudget::seed(42));
  int overlaps = 0, touches = 0;
  for (RandomBudget budget(3000); budget.more();) {
    std::array<Vec3, 4> a, b;
    for (auto* t : {&a, &b}) {
      do {
        for (Vec3& x : *t) x = oracle::grid_point(random, 2);
      } while (dot(cross((*t)[1] - (*t)[0], (*t)[2] - (*t)[0]), (*t)[3] - (*t)[0]) == 0);
    }
    const auto body = [](const std::array<Vec3, 4>& t) {
      const std::vector<Triangle> faces{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
      return Body(Mesh({t.begin(), t.end()}, faces));
    };
    const CollideResult r = solid(body(a), Pose(), body(b), Pose());
    EXPECT_EQ(share_volume(r), !parted(a, b));
    overlaps += r.kind == ContactKind::overlap && r.contained == Containment::none;
    touches += r.kind == ContactKind::touching;
  }
  if (!RandomBudget::is_whole()) return;
  EXPECT_GT(overlaps, 2);
  EXPECT_GT(touches, 50);
}

TEST(Overlap, WhatUsersAskAbout) {
  const Body cube(testing::box({0, 0, 0}, {1, 1, 1})), large(testing::box({0, 0, 0}, {3, 3, 3}));
  const auto kind = [](const Body& a, const Body& b, const Vec3& shift) {
    return solid(a, Pose(), b, Pose(shift)).kind;
  };
  EXPECT_EQ(kind(cube, cube, {0, 0, 0}), ContactKind::overlap);   // identical
  EXPECT_EQ(kind(cube, cube, {1, 0, 0}), ContactKind::touching);  // side by side
  EXPECT_EQ(kind(cube, cube, {1, 1, 0}), ContactKind::touching);  // at an edge
  EXPECT_EQ(kind(cube, cube, {1, 1, 1}), ContactKind::touching);  // at a corner
  EXPECT_EQ(kind(large, cube, {0, 1, 1}), ContactKind::overlap);  // flush inside
  EXPECT_EQ(kind(large, cube, {2, 2, 2}), ContactKind::overlap);  // flush in a corner
  EXPECT_EQ(kind(large, cube, {1, 1, 1}), ContactKind::overlap);  // inside
  EXPECT_EQ(kind(large, cube, {3, 1, 1}), ContactKind::touching);
  // A duct in a wall, as long as the wall is thick; and in a hole that it fills.
  const Body wall(testing::box({0, 0, 0}, {5, 1, 5})), duct(testing::box({2, 0, 2}, {3, 1, 3}));
  EXPECT_EQ(kind(wall, duct, {0, 0, 0}), ContactKind::overlap);
  std::set<Cell> with_hole;
  for (int x = 0; x < 5; ++x)
    for (int z = 0; z < 5; ++z)
      if (x != 2 || z != 2) with_hole.insert({x, 0, z});
  EXPECT_EQ(kind(Body(surface_of(with_hole)), duct, {0, 0, 0}), ContactKind::touching);
  EXPECT_EQ(kind(Body(surface_of(with_hole)), duct, {0, 0, 0.25}),
            ContactKind::overlap);  // flush with the wall's sides
}

TEST(Overlap, SurfacesHaveNoInterior) {
  const Body cube(testing::box({0, 0, 0}, {1, 1, 1}));
  EXPECT_EQ(collide(cube, Pose(), cube, Pose()).kind, ContactKind::touching);
}

TEST(Overlap, ShapesAreSolid) {
  const Body box(shape::Box{{1, 1, 1}}), large(shape::Box{{3, 3, 3}}), ball(shape::Sphere{1});
  EXPECT_EQ(collide(box, Pose(), box, Pose()).kind, ContactKind::overlap);
  EXPECT_EQ(collide(box, Pose({1, 0, 0}), large, Pose()).kind, ContactKind::overlap);
  EXPECT_EQ(collide(box, Pose({2, 0, 0}), large, Pose()).kind, ContactKind::touching);
  EXPECT_EQ(collide(ball, Pose(), ball, Pose()).kind, ContactKind::overlap);
  EXPECT_EQ(collide(Body(shape::HalfSpace{}), Pose(), box, Pose({0, 0, 0.5})).kind, ContactKind::touching);
  EXPECT_EQ(collide(Body(shape::HalfSpace{}), Pose(), box, Pose({0, 0, -0.5})).kind, ContactKind::overlap);
}

TEST(Overlap, AComponentThatTouchesNothing) {
  // A is two cubes: one touches B's outside, the other is inside B.
  std::vector<Vec3> positions;
  PolygonList faces;
  for (const Mesh& m : {testing::box({3, 0, 0}, {4, 1, 1}), testing::box({1, 1, 1}, {2, 2, 2})}) {
    const auto first = static_cast<std::uint32_t>(positions.size());
    positions.insert(positions.end(), m.positions().begin(), m.positions().end());
    for (std::uint32_t p = 0; p < m.polygon_count(); ++p) {
      std::vector<std::uint32_t> corners;
      for (const std::uint32_t v : m.polygon(PolygonId{p})) corners.push_back(first + v);
      faces.add(corners);
    }
  }
  const Body two(Mesh(positions, faces)), large(testing::box({0, 0, 0}, {3, 3, 3}));
  EXPECT_EQ(solid(two, Pose(), large, Pose()).kind, ContactKind::overlap);
  EXPECT_EQ(solid(large, Pose(), two, Pose()).kind, ContactKind::overlap);
}

TEST(Overlap, TrianglesWithoutAreaHaveNoPlane) {
  // A tetrahedron with a vertex in the middle of an edge: on one side of that edge, a triangle without area closes it.
  const std::vector<Vec3> p{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}, {2, 0, 0}};
  const std::vector<Triangle> faces{{0, 4, 1}, {0, 2, 1}, {0, 4, 3}, {4, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  const Body solid_with_it(Mesh(p, faces));
  const CollideResult same = solid(solid_with_it, Pose(), solid_with_it, Pose());
  ASSERT_EQ(same.status, Status::contact);
  EXPECT_EQ(same.kind, ContactKind::overlap);
  const CollideResult beside = solid(solid_with_it, Pose(), solid_with_it, Pose({0, 0, 0}, {0, 1, 0, 0}));
  EXPECT_EQ(beside.kind, ContactKind::touching);  // turned by half a turn about x: they share the edge along x
}

/// A cone of n sides, its tip at the origin, below it.
Body cone_of(std::uint32_t n) {
  std::vector<Vec3> p{{0, 0, 0}};
  std::vector<Triangle> t;
  for (std::uint32_t i = 0; i < n; ++i) {
    const double angle = 6.283185307179586 * i / n;
    p.push_back({std::cos(angle), std::sin(angle), -2});
    t.push_back({0, 1 + i, 1 + (i + 1) % n});
    if (i >= 2) t.push_back({1, 1 + i, i});
  }
  return Body(Mesh(p, t));
}

TEST(Overlap, TipsOfManyTriangles) {
  const Pose turned({0, 0, 0}, {0, 1, 0, 0}), aside({0, 0, 0}, {3, 1, 0, 0});
  for (const std::uint32_t n : {3u, 8u, 64u}) {
    const Body cone = cone_of(n);
    EXPECT_EQ(solid(cone, Pose(), cone, turned).kind, ContactKind::touching) << n;
    EXPECT_TRUE(share_volume(solid(cone, Pose(), cone, aside))) << n;
    // The tip in the tip of a dent: a block below, whose top goes down to the tip of the cone that stands in it.
    const Body thin = Body(Mesh({{0, 0, 0}, {0.25, 0, 2}, {0, 0.25, 2}, {-0.25, -0.25, 2}},
                                std::vector<Triangle>{{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}}));
    EXPECT_EQ(solid(thin, Pose(), cone, Pose()).kind, ContactKind::touching) << n;
    EXPECT_TRUE(share_volume(solid(thin, turned, cone, Pose()))) << n;
  }
}

TEST(Overlap, InADentTheSurfacesSideIsNotTheBodysSide) {
  // A block from which a pyramid is cut out, its tip at the origin. A body that stands in the dent touches the block;
  // one that hangs below the dent's tip is inside the block. In both cases a plane separates the surfaces at the tip.
  std::vector<Vec3> p{{0, 0, 0}};
  for (const double z : {2.0, -2.0})
    for (const auto& [x, y] : {std::pair{-2.0, -2.0}, {2.0, -2.0}, {2.0, 2.0}, {-2.0, 2.0}}) p.push_back({x, y, z});
  std::vector<Triangle> t{{5, 7, 6}, {5, 8, 7}};
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint32_t j = (i + 1) % 4;
    t.push_back({0, 1 + i, 1 + j});  // the dent's sides reach the block's upper edges
    t.push_back({1 + i, 5 + i, 1 + j});
    t.push_back({1 + j, 5 + i, 5 + j});
  }
  const Body block(Mesh(p, t)), spike = cone_of(5);
  const Pose up({0, 0, 0}, {0, 1, 0, 0});
  const auto small = [](const Body& b) {
    std::vector<Vec3> x(b.mesh().positions().begin(), b.mesh().positions().end());
    for (Vec3& v : x) v = v * 0.25;
    return b.deformed(x);
  };
  EXPECT_EQ(solid(block, Pose(), small(spike), up).kind, ContactKind::touching);
  EXPECT_EQ(solid(block, Pose(), small(spike), Pose()).kind, ContactKind::overlap);
  EXPECT_EQ(solid(small(spike), Pose(), block, Pose()).kind, ContactKind::overlap);
}

TEST(Overlap, EdgesThatCrossInOnePoint) {
  // Two wedges whose edges cross at their middles: back to back they touch, otherwise they share a volume.
  const auto wedge = [](double roof) {  // its edge along x, through the origin
    return Body(Mesh(
        {{-2, 0, 0}, {2, 0, 0}, {2, 1, roof}, {-2, 1, roof}, {2, -1, roof}, {-2, -1, roof}},
        std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}, {0, 4, 1}, {0, 5, 4}, {0, 3, 5}, {1, 4, 2}, {3, 2, 4}, {3, 4, 5}}));
  };
  const Pose across({0, 0, 0}, {1, 0, 0, 1}), aslant({0, 0, 0}, {5, 1, 0, 5});
  for (const double down : {-1.0, -0.25, -4.0}) {
    EXPECT_EQ(solid(wedge(down), Pose(), wedge(1), across).kind, ContactKind::touching);
    EXPECT_TRUE(share_volume(solid(wedge(down), Pose(), wedge(down), across)));
    EXPECT_TRUE(share_volume(solid(wedge(down), Pose(), wedge(-1), aslant)));
  }
}

TEST(Overlap, LargeAndSmall) {
  for (const double size : {0x1p-300, 1e-6, 1e9, 0x1p300}) {
    const Body cube(testing::box({0, 0, 0}, {size, size, size})),
        large(testing::box({0, 0, 0}, {3 * size, 3 * size, 3 * size}));
    EXPECT_EQ(solid(large, Pose(), cube, Pose({0, size, size})).kind, ContactKind::overlap) << size;
    EXPECT_EQ(solid(large, Pose(), cube, Pose({3 * size, size, size})).kind, ContactKind::touching) << size;
  }
}

TEST(Overlap, ManyTriangles) {
  // A finely divided ball against itself: every vertex is common.
  const Body ball(make::sphere({.triangles = 3968}));
  EXPECT_EQ(solid(ball, Pose(), ball, Pose()).kind, ContactKind::overlap);
}

}  // namespace
}  // namespace graze
