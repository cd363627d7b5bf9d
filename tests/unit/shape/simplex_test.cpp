// SPDX-License-Identifier: MIT
// Simplices that are thin: needles, slivers and flat tetrahedra, compared with rational arithmetic.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <graze/ask/distance.hpp>
#include <graze/body/body.hpp>

#include "oracle/exact_oracle.hpp"
#include "random_budget.hpp"
#include "shape/simplex.hpp"
#include "unit/shape/draw.hpp"

namespace graze::shape {
namespace {

using testing::Draw;
using testing::RandomBudget;
using Corners = std::array<Vec3, 4>;

/// Is the origin inside the tetrahedron, or on its surface? Decided exactly.
bool holds_origin(const Corners& corners) {
  constexpr int faces[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
  for (const auto& f : faces) {
    const auto corner = [&](int k) { return oracle::exact(corners[static_cast<std::size_t>(f[k])]); };
    const oracle::Point p = corner(0), n = oracle::cross(corner(1) - p, corner(2) - p);
    if (oracle::dot(n, corner(3) - p) * -oracle::dot(n, p) < 0) return false;
  }
  return true;
}

bool reduces_to_inside(const Corners& corners) {
  Simplex simplex;
  for (const Vec3& c : corners) simplex.add({}, c);
  bool inside = false;
  simplex.reduce(inside);
  return inside;
}

/// The origin is 1e-6 and more outside of a needle face of these; it was taken for inside.
TEST(Simplex, AnOriginOutsideANeedleFaceIsNotInside) {
  const Corners found[] = {{{{-0x1.2a739595978cbp-2, 0x1.00375248d2c96p-1, -0x1.ba1c9ee513195p-2},
                             {0x1.0d0f1502a7c46p-13, -0x1.d33d0984da66p-13, 0x1.d51efe8fe9a57p-12},
                             {-0x1.5b71350de348fp-5, 0x1.2a461a5074465p-4, -0x1.015657c026cbap-4},
                             {0x1.3b890f66cf833p-3, -0x1.0ee1e3c5ac967p-2, 0x1.d36c653683a19p-3}}},
                           {{{0x1.5a698f856d8aap-2, -0x1.4a6bfb267dffcp-2, 0x1.759a910e9de62p-1},
                             {0x1.8e8f484cf1c8ap-3, 0x1.8caeaffc35de4p-2, 0x1.4d67c5e6689b2p-4},
                             {-0x1.6227ab7a6366ap-2, 0x1.51cf98ac04526p-2, -0x1.7df48e4fc3425p-1},
                             {0x1.9a7abeecaf48cp-5, -0x1.8784b4e6aa34fp-5, 0x1.bab22829c9015p-4}}}};
  for (const Corners& corners : found) {
    EXPECT_FALSE(holds_origin(corners));
    EXPECT_FALSE(reduces_to_inside(corners));
  }
}

/// Whatever is said to be inside is inside, and of tetrahedra that are not thin everything that is.
TEST(Simplex, InsideIsExact) {
  Draw random(31);
  RandomBudget budget(20000);
  int inside = 0;
  for (int i = 0; budget.more(); ++i) {
    const auto between = [&](double a, double b) { return random(a, b); };
    const auto size = [&](double a, double b) { return std::exp(between(std::log(a), std::log(b))); };
    const double width = size(1e-12, 0.1), height = size(1e-13, 1e-2) * (i % 2 ? 1 : -1), top = size(1e-6, 1);
    Corners corners{{{between(-0.9, -0.1), -width * between(0, 1), height},
                     {between(0.1, 0.9), -width * between(0, 1), height},
                     {between(-0.9, 0.9), width, height},
                     {between(-0.1, 0.1), between(-1, 1) * (i % 3 ? width : 1e-2), height + top}}};
    if (i % 4 < 2) corners[2].x = corners[static_cast<std::size_t>(i % 4)].x;  // two corners close together
    const std::array<double, 9> r = random.rotation();
    for (Vec3& c : corners) c = math::turned(r, c);
    std::rotate(corners.begin(), corners.begin() + i / 4 % 4, corners.end());
    if (!reduces_to_inside(corners)) continue;
    ++inside;
    ASSERT_TRUE(holds_origin(corners)) << "case " << i;
  }
  EXPECT_GT(inside, RandomBudget::is_whole() ? 1000 : 100);
  const Corners regular{{{-1, -1, -1}, {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}}};
  EXPECT_TRUE(reduces_to_inside(regular));
}

/// A rounded box's edge beside a cylinder's rim: of two edges of a needle that are equally near, the search took
/// either, and ended with a distance that was off by more than its relative error.
TEST(Simplex, TheDistanceOfAnEdgeBesideARim) {
  struct Case {
    Shape box, cylinder;
    Pose pose_box, pose_cylinder;
  };
  const Case cases[] = {
      {Shape(Box{{4, 2, 2}}, 2), Cylinder{1, 2}, Pose({-4, 6, 2}, {0, -2, 1, -1}),
       Pose({0x1.02695e388ee1ep-1, 0x1.2db6db6db6db7p+2, 0x1.54b8df081b374p+2}, {0, -3, -2, -1})},
      {Shape(Box{{4, 4096, 2048}}, 1024), Cylinder{1, 16}, Pose({2, 3, 3}, {2, 0, 0, 0}),
       Pose({0x1.eba8a1042fdbdp+9, 0x1.009deb193954dp+11, 0x1.51cba0f082341p+10}, {3, -1, 3, 0})},
      {Shape(Box{{0.125, 0.25, 4}}, 1), Cylinder{8, 8}, Pose({-0.125, 0.0625, -0.09375}, {2, -2, 3, -1}),
       Pose({0x1.d355555555555p+2, 0x1.e555555555555p+1, -0x1.0e55555555555p+3}, {0, 3, -3, 3})}};
  for (const Case& c : cases) {
    const Body box(c.box), cylinder(c.cylinder);
    const DistanceResult d = distance(box, c.pose_box, cylinder, c.pose_cylinder),
                         back = distance(cylinder, c.pose_cylinder, box, c.pose_box);
    EXPECT_TRUE(d.certain && back.certain);
    const double size =
        2 * length(c.pose_cylinder.translation() - c.pose_box.translation());  // nothing is that far away
    EXPECT_NEAR(d.distance, back.distance, 2e-9 * d.distance + 0x1p-34 * size);
  }
  const DistanceResult d =
      distance(Body(cases[0].box), cases[0].pose_box, Body(cases[0].cylinder), cases[0].pose_cylinder);
  EXPECT_NEAR(d.distance, 0.27950849659430008, 1e-9);
}

}  // namespace
}  // namespace graze::shape
