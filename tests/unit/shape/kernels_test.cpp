// SPDX-License-Identifier: MIT
// Distance and depth of convex cores, compared with closed forms and with each other.
#include <gtest/gtest.h>

#include <string>

#include "shape/depth.hpp"
#include "shape/placed_core.hpp"
#include "shape/verdict.hpp"
#include "unit/shape/draw.hpp"

namespace graze::shape {
namespace {

using testing::Draw;

const std::vector<Shape>& all_kinds() {
  static const std::vector<Shape> kinds{Sphere{0.1},
                                        Capsule{0.05, 0.2},
                                        Box{{0.2, 0.1, 0.15}},
                                        Cylinder{0.1, 0.2},
                                        Cone{0.1, 0.2},
                                        Ellipsoid{{0.1, 0.05, 0.15}},
                                        Hull{{{0, 0, 0}, {0.2, 0, 0}, {0, 0.1, 0}, {0, 0, 0.15}}},
                                        Shape(Box{{0.1, 0.1, 0.1}}, 0.02)};
  return kinds;
}

TEST(ShapeCore, FurthestPointIsInTheShapeAndBeyondAllOthers) {
  Draw random(1);
  for (const Shape& shape : all_kinds()) {
    const Core core(shape);
    for (int i = 0; i < 200; ++i) {
      const Vec3 n = random.direction();
      const double reach = dot(n, core.furthest(n));
      for (int k = 0; k < 20; ++k) EXPECT_LE(dot(n, core.furthest(random.direction())), reach + 1e-15);
      EXPECT_LE(length(core.furthest(n)), core.reach());
    }
  }
}

TEST(ShapeCore, FurthestPointAlongAnAxisOrZero) {
  const Core cone(Cone{1, 2}), cylinder(Cylinder{1, 2}), ellipsoid(Ellipsoid{{0, 0, 0}});
  EXPECT_EQ(cone.furthest({0, 0, 1}), (Vec3{0, 0, 1}));
  EXPECT_EQ(cone.furthest({0, 0, -1}).z, -1);
  EXPECT_EQ(cylinder.furthest({0, 0, 1}).z, 1);
  EXPECT_EQ(ellipsoid.furthest({0, 0, 1}), Vec3{});
}

/// 60 random places of every pair of kinds, B's centre within `reach` of A's.
template <class Check>
void for_random_pairs(Draw& random, double reach, Check&& check) {
  for (const Shape& sa : all_kinds())
    for (const Shape& sb : all_kinds()) {
      const Core ca(sa), cb(sb);
      for (int i = 0; i < 60; ++i) {
        PlacedCore a, b;
        a.core = &ca;
        b.core = &cb;
        b.r = random.rotation();
        b.t = random.direction() * random(0, reach);
        check(a, b, (std::string(kind_name(sa)) + " ").append(kind_name(sb)));
      }
    }
}

TEST(ShapeGap, BoundsAgreeAndTheirDirectionSeparates) {
  Draw random(2);
  for_random_pairs(random, 0.4, [&](const PlacedCore& a, const PlacedCore& b, const std::string& kinds) {
    const Gap gap = find_gap(a, b, Vec3{}, math::infinity, -1);
    if (gap.overlap) return;
    EXPECT_LE(gap.upper - gap.lower, 1e-9 * gap.upper + 1e-14) << kinds;
    EXPECT_NEAR(length(gap.simplex.point_b() - gap.simplex.point_a()), gap.upper, 1e-14);
    for (int k = 0; k < 10; ++k) {
      const Vec3 x = a.furthest(random.direction()), y = b.furthest(random.direction());
      EXPECT_GE(dot(gap.normal, y - x), gap.lower - 1e-15);
    }
  });
}

TEST(ShapeDepth, TheTranslationPartsThemAndHardlyLessDoes) {
  Draw random(3);
  for_random_pairs(random, 0.1, [&](const PlacedCore& a, const PlacedCore& b, const std::string& kinds) {
    const Gap gap = find_gap(a, b, Vec3{}, math::infinity, -1);
    if (!gap.overlap) return;
    const Depth depth = find_depth(SupportPair(a, b), gap.simplex, math::infinity, -1, 1e-5);
    if (!(depth.upper > 1e-9)) return;
    PlacedCore apart = b;
    apart.t = b.t + depth.direction * (depth.upper * (1 + 1e-6));
    const Gap after = find_gap(a, apart, Vec3{}, math::infinity, -1);
    EXPECT_FALSE(after.overlap);
    EXPECT_GT(after.lower, 0) << kinds;
    // A translation shorter than the certified depth does not part them, in any direction.
    for (int k = 0; k < 5 && depth.lower > 1e-9; ++k) {
      PlacedCore moved = b;
      moved.t = b.t + random.direction() * (depth.lower * (1 - 1e-6));
      EXPECT_NE(judge(a, moved, 0, Vec3{}).verdict, Verdict::apart);
    }
  });
}

/// Two balls: the closed form.
TEST(ShapeVerdict, BallsDecideOutsideTheRoundingBound) {
  Draw random(4);
  const Core ball(Sphere{0.25});
  for (int i = 0; i < 2000; ++i) {
    PlacedCore a, b;
    a.core = b.core = &ball;
    const double off = std::ldexp(random(-1, 1), -static_cast<int>(random(1, 50)));
    b.t = random.direction() * (0.5 + off);
    const Verdict v = judge(a, b, 0.5, Vec3{}).verdict;
    if (off > 2 * rounding) {
      EXPECT_EQ(v, Verdict::apart);
    }
    if (off < -2 * rounding) {
      EXPECT_EQ(v, Verdict::overlap);
    }
    if (std::fabs(off) < 0.5 * rounding) {
      EXPECT_EQ(v, Verdict::within_rounding);
    }
  }
}

/// What the header promises: a gap of 8 rounding bounds of the scaled frame, and a depth of 2^-36, are decided, for
/// every pair of kinds.
TEST(ShapeVerdict, GapsAndDepthsAboveTheRoundingBoundAreDecided) {
  Draw random(5);
  for (const Shape& sa : all_kinds())
    for (const Shape& sb : all_kinds()) {
      const Core ca(sa), cb(sb);
      const double radius = ca.radius + cb.radius;
      for (int i = 0; i < 40; ++i) {
        PlacedCore a, b;
        a.core = &ca;
        b.core = &cb;
        b.r = random.rotation();
        b.t = random.direction() * 0.6;
        const Gap gap = find_gap(a, b, Vec3{}, math::infinity, -1, 0);
        ASSERT_GT(gap.lower, radius);
        // Along the shortest way, the distance changes by exactly what B is moved.
        PlacedCore near = b;
        near.t = b.t - gap.normal * (gap.upper - radius - 8 * rounding);
        if (gap.upper - gap.lower <= 0.25 * rounding) {
          EXPECT_EQ(judge(a, near, radius, Vec3{}).verdict, Verdict::apart) << kind_name(sa) << " " << kind_name(sb);
        }
        // Nor does a translation along the direction of the depth.
        if (radius > 0) continue;
        b.t = random.direction() * 0.05;
        const Gap inside = find_gap(a, b, Vec3{}, math::infinity, -1, 0);
        if (!inside.overlap) continue;
        const Depth depth = find_depth(SupportPair(a, b), inside.simplex, math::infinity, -1, 1e-12);
        if (!(depth.upper - depth.lower <= rounding)) continue;
        PlacedCore deep = b;
        deep.t = b.t + depth.direction * (depth.upper - 0x1p-36);
        EXPECT_EQ(judge(a, deep, 0, Vec3{}).verdict, Verdict::overlap) << kind_name(sa) << " " << kind_name(sb);
      }
    }
}

TEST(ShapeVerdict, FlatAndSinglePointCores) {
  const Core point(Sphere{0}), disc(Cylinder{0.25, 0}), segment(Capsule{0, 0.5});
  PlacedCore a, b;
  a.core = &disc;
  b.core = &point;
  EXPECT_EQ(judge(a, b, 0, Vec3{}).verdict, Verdict::within_rounding);  // a point of a disc: touching
  b.t = {0, 0, 0x1p-30};
  EXPECT_EQ(judge(a, b, 0, Vec3{}).verdict, Verdict::apart);
  b.t = {};
  b.core = &segment;
  EXPECT_NE(judge(a, b, 0, Vec3{}).verdict, Verdict::apart);
  b.core = &disc;
  EXPECT_NE(judge(a, b, 0, Vec3{}).verdict, Verdict::apart);  // the same disc
}

TEST(ShapeText, IsReadAndWritten) {
  for (const char* text : {"sphere:0.5", "capsule:0.25,1", "box:1,2,3", "cylinder:1,2", "cone:1,2", "ellipsoid:1,2,3",
                           "halfspace", "box:1,2,3+0.125", "sphere:1e+20"})
    EXPECT_EQ(to_text(from_text(to_text(from_text(text)))), to_text(from_text(text))) << text;
  EXPECT_EQ(to_text(from_text("box:1,2,3+0.125")), "box:1,2,3+0.125");
  EXPECT_TRUE(is_shape_text("sphere:1"));
  EXPECT_FALSE(is_shape_text("sphere.obj"));
  EXPECT_FALSE(is_shape_text("sphere"));
  for (const char* text : {"sphere:", "sphere:x", "sphere:1,2", "box:1,2", "sphere:-1", "halfspace:1", "ball:1",
                           "sphere:nan", "sphere:1+", "box:1,2,3+1,2"})
    EXPECT_THROW(from_text(text), std::exception) << text;
}

}  // namespace
}  // namespace graze::shape
