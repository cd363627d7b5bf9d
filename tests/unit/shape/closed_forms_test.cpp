// SPDX-License-Identifier: MIT
// Closed forms of distances and depths, compared with the definition of each solid, with the searches, and with what
// they claim about balls and directions.
#include "shape/closed_forms.hpp"

#include <gtest/gtest.h>

#include "shape/verdict.hpp"
#include "unit/shape/draw.hpp"

namespace graze::shape {
namespace {

using testing::Draw;

/// The definitions of the solids, with a slack.
bool is_in(const Core& core, const Vec3& p, double slack) {
  const Vec3& h = core.half;
  const double rho = std::hypot(p.x, p.y);
  switch (core.kind) {
    case Core::Kind::point: return length(p) <= slack;
    case Core::Kind::segment: return rho <= slack && std::fabs(p.z) <= h.z + slack;
    case Core::Kind::box:
      return std::fabs(p.x) <= h.x + slack && std::fabs(p.y) <= h.y + slack && std::fabs(p.z) <= h.z + slack;
    case Core::Kind::cylinder: return rho <= h.x + slack && std::fabs(p.z) <= h.z + slack;
    case Core::Kind::cone:
      return p.z >= -h.z - slack && p.z <= h.z + slack && rho <= h.x + slack &&
             2 * h.z * rho <= h.x * (h.z - p.z) + slack * std::hypot(h.x, 2 * h.z);
    case Core::Kind::ellipsoid:
    case Core::Kind::points: break;
  }
  return false;
}

const std::vector<Shape>& solids_with_forms() {
  static const std::vector<Shape> all{
      Sphere{0},           Capsule{0, 0.5}, Capsule{0, 0},       Box{{0.5, 0.25, 0.375}},
      Box{{0.5, 0, 0.25}}, Box{{0, 0, 0}},  Cylinder{0.25, 0.5}, Cylinder{0.25, 0},
      Cylinder{0, 0.5},    Cone{0.25, 0.5}, Cone{0.25, 0},       Cone{0, 0.5},
      Cone{0.01, 0.9},     Cone{0, 0}};
  return all;
}

TEST(ClosedForms, APointIsAsFarAsItsFootAndNoNearerPointExists) {
  Draw draw(1);
  for (const Shape& s : solids_with_forms()) {
    const Core core(s);
    std::vector<Vec3> points{{0, 0, 0}, {0, 0, 0.25}, {0, 0, -0.25}, {0, 0, 0.3}, {0.25, 0, 0}, {0, 0.25, -0.25}};
    for (int i = 0; i < 300; ++i) points.push_back(draw.in_cube(i < 150 ? 0.7 : 0.3));
    for (const Vec3& p : points) {
      PointGap g;
      ASSERT_TRUE(point_gap(core, 1, p, g));
      EXPECT_NEAR(length(g.normal), 1, 1e-14);
      EXPECT_NEAR(length(p - g.foot - g.normal * g.gap), 0, 1e-14) << kind_name(s);
      EXPECT_TRUE(is_in(core, g.foot, 1e-14)) << kind_name(s);
      // The plane through the foot bounds the solid from outside...
      EXPECT_LE(dot(g.normal, core.furthest(g.normal) - g.foot), 1e-14) << kind_name(s);
      // ... and the ball around a point inside is in the solid.
      for (int k = 0; k < 20 && g.gap < 0; ++k)
        EXPECT_TRUE(is_in(core, p + draw.direction() * (-g.gap * (1 - 1e-9)), 1e-15)) << kind_name(s);
      EXPECT_EQ(g.gap > 0, !is_in(core, p, 0)) << kind_name(s) << " " << g.gap;
    }
  }
}

TEST(ClosedForms, SegmentsAgreeWithTheSearchAndTheirDirectionSeparates) {
  Draw draw(2);
  const Core a(Capsule{0, 0.5}), b(Capsule{0, 0.25}), none(Capsule{0, 0});
  int found = 0;
  for (int i = 0; i < 4000; ++i) {
    OwnCore own{i % 7 == 0 ? &none : &a};
    PlacedCore placed;
    placed.core = i % 11 == 0 ? &none : &b;
    placed.r = i % 5 == 0 ? std::array<double, 9>{1, 0, 0, 0, 1, 0, 0, 0, 1} : draw.rotation();
    if (i % 13 == 0) {  // nearly parallel
      const double c = std::ldexp(1.0, -static_cast<int>(draw(5, 50)));
      const double s = std::sqrt(1 - c * c);
      placed.r = {s, 0, c, 0, 1, 0, -c, 0, s};
    }
    placed.t = i % 3 == 0 ? Vec3{} : draw.in_cube(i % 2 ? 0.5 : 0x1p-20);
    CoreGap gap;
    if (!core_gap(own, placed, gap)) continue;
    ++found;
    EXPECT_LE(gap.lower, gap.upper + 1e-15);
    EXPECT_NEAR(length(gap.normal), 1, 1e-14);
    const Gap search = find_gap(own, placed, Vec3{}, math::infinity, -1, 0);
    EXPECT_NEAR(gap.upper, search.upper, 0x1p-40);
    EXPECT_NEAR(length(gap.b - gap.a), gap.upper, 1e-15);
    EXPECT_GE(dot(gap.normal, placed.furthest(-gap.normal) - own.furthest(gap.normal)), gap.lower - 1e-15);
  }
  EXPECT_GT(found, 3000);
}

TEST(ClosedForms, APointAndASolidAgreeInBothOrders) {
  Draw draw(3);
  const Core point(Sphere{0});
  for (const Shape& s : solids_with_forms())
    for (int i = 0; i < 100; ++i) {
      const Core core(s);
      PlacedCore as_b;
      as_b.core = &core;
      as_b.r = draw.rotation();
      as_b.t = draw.in_cube(0.5);
      PlacedCore point_b;
      point_b.core = &point;
      point_b.t = as_b.to_local(-as_b.t);
      CoreGap ab, ba;
      ASSERT_TRUE(core_gap(OwnCore{&point}, as_b, ab));
      ASSERT_TRUE(core_gap(OwnCore{&core}, point_b, ba));
      EXPECT_NEAR(ab.upper, ba.upper, 1e-15);
      EXPECT_NEAR(length(ab.normal + math::turned(as_b.r, ba.normal)), 0, 1e-6);
      EXPECT_NEAR(dot(ab.normal, ab.b - ab.a), ab.upper, 1e-14);
      if (ab.lower > 1e-9) {
        EXPECT_GE(dot(ab.normal, as_b.furthest(-ab.normal)), ab.lower - 1e-14) << kind_name(s);
      }
    }
}

TEST(ClosedForms, EllipsoidsAreBoundedByPlanesAndBalls) {
  Draw draw(5);
  const Core point(Sphere{0});
  int outside = 0, inside = 0, asked = 0;
  for (const Vec3& half : {Vec3{0.25, 0.25, 0.25}, {0.25, 0.125, 0.0625}, {0.0625, 0.25, 0.25}, {0.001, 0.2, 0.25}}) {
    const Core core(Ellipsoid{half});
    const auto is_inside = [&](const Vec3& x) {
      return x.x * x.x / (half.x * half.x) + x.y * x.y / (half.y * half.y) + x.z * x.z / (half.z * half.z) <= 1 + 1e-9;
    };
    std::vector<Vec3> points{{0, 0, 0}, {0, 0.01, 0}, {0.0005, 0, 0}, {0, 0, 0.2}, {0.5, 0, 0}, {0, 0, half.z}};
    for (int i = 0; i < 1500; ++i) {
      const Vec3 v = draw.in_cube(0.5);
      points.push_back(i % 3 == 0 ? v : Vec3{v.x * half.x, v.y * half.y, v.z * half.z} * (i % 3 == 1 ? 2 : 3));
      if (i % 7 == 0) points.back().y = 0;
    }
    for (const Vec3& p : points) {
      ++asked;
      PlacedCore placed;
      placed.core = &point;
      placed.t = p;
      CoreGap g;
      if (!core_gap(OwnCore{&core}, placed, g)) continue;
      EXPECT_LE(g.lower, g.upper + 1e-15);
      EXPECT_NEAR(length(g.normal), 1, 1e-14);
      EXPECT_NEAR(dot(g.normal, p - core.furthest(g.normal)), g.lower, 1e-14);  // the plane
      EXPECT_TRUE(is_inside(g.a * (1 - 1e-9)));
      if (g.lower > 1e-9) {
        ++outside;
        EXPECT_NEAR(length(g.b - g.a), g.upper, 1e-14);
      } else if (g.upper < -1e-9) {
        ++inside;
        for (int k = 0; k < 30; ++k) EXPECT_TRUE(is_inside(p + draw.direction() * -g.upper)) << g.upper;
        EXPECT_TRUE(is_inside(p + g.normal * -g.upper));
      }
    }
  }
  EXPECT_GT(outside, 1000);
  EXPECT_GT(inside, 1000);
  EXPECT_GT(outside + inside, asked * 9 / 10);
}

/// Boxes: no direction parts them sooner, and a translation by less does not part them.
TEST(ClosedForms, BoxesArePartedByTheBestOfFifteenDirections) {
  Draw draw(4);
  const std::vector<Core> cores{Core(Box{{0.25, 0.5, 0.375}}), Core(Box{{0.5, 0.0625, 0.25}}), Core(Capsule{0, 0.5}),
                                Core(Box{{0.5, 0, 0.25}})};
  int overlaps = 0;
  for (int i = 0; i < 1500; ++i) {
    const Core &a = cores[static_cast<std::size_t>(i) % 2], &b = cores[static_cast<std::size_t>(i / 2) % 4];
    OwnCore own{&a};
    PlacedCore placed;
    placed.core = &b;
    placed.r = draw.rotation();
    if (i % 5 == 0) placed.r = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (i % 5 == 1) {
      const double c = std::ldexp(1.0, -static_cast<int>(draw(2, 60)));
      const double s = std::sqrt(1 - c * c);
      placed.r = {s, 0, c, 0, 1, 0, -c, 0, s};
    }
    placed.t = draw.in_cube(0.4);
    const BoxGap gap = box_gap(a.half, b.half, placed.r, placed.t);
    EXPECT_NEAR(length(gap.normal), 1, 1e-14);
    const double along = dot(gap.normal, placed.furthest(-gap.normal) - own.furthest(gap.normal));
    EXPECT_NEAR(along, gap.gap, 1e-12);
    for (int k = 0; k < 200; ++k) {
      const Vec3 n = draw.direction();
      if (gap.gap <= 0) {
        EXPECT_LE(dot(n, placed.furthest(-n) - own.furthest(n)), gap.gap + 1e-12);
      }
    }
    if (!(gap.gap < -1e-6)) continue;
    ++overlaps;
    for (int k = 0; k < 5; ++k) {
      PlacedCore moved = placed;
      moved.t = placed.t + draw.direction() * (-gap.gap * (1 - 1e-6));
      EXPECT_NE(judge(own, moved, 0, Vec3{}).verdict, Verdict::apart);
    }
    PlacedCore parted = placed;
    parted.t = placed.t + gap.normal * (-gap.gap + 1e-9);
    EXPECT_EQ(judge(own, parted, 0, Vec3{}).verdict, Verdict::apart);
  }
  EXPECT_GT(overlaps, 400);
}

}  // namespace
}  // namespace graze::shape
