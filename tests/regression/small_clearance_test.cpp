// SPDX-License-Identifier: MIT
// A least clearance below 1e-5 of the bodies' size had a bracket of a factor of 2: directions between rounded closest
// points are tilted by too much. Pinned: it is 1e-5 of the clearance and five rounding bounds, against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include <graze/graze.hpp>

namespace graze::testing {
namespace {

/// Vertices on the axes at distance 1.
Body octahedron() {
  const std::vector<Vec3> positions{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  const std::vector<Triangle> triangles{{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                        {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  return Body(Mesh(positions, triangles));
}
/// A roof of length 2 whose ridge is at height 1 along x, over the plane z = 0.
Body roof() {
  const std::vector<Vec3> positions{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {-1, 0, 1}, {1, 0, 1}};
  const std::vector<Triangle> triangles{{0, 2, 1}, {0, 3, 2}, {0, 1, 5}, {0, 5, 4},
                                        {2, 3, 4}, {2, 4, 5}, {3, 0, 4}, {1, 2, 5}};
  return Body(Mesh(positions, triangles));
}

struct Near {
  const char* name;
  Body a;
  Motion motion;
  Body b;
  Pose place;
  long double clearance;  ///< in real numbers
};

/// c is a power of two, so that 2 + c is a double.
std::vector<Near> scenes(double c) {
  const Body box(make::box()), octa = octahedron(), ridge = roof();
  const Quat turned{0, 1, 0, 0}, across{1, 0, 0, 1};
  const auto at = [](double x, double y, double z) { return Pose({x, y, z}); };
  const double root = std::sqrt(0.5);
  std::vector<Near> out;
  out.push_back({"face over face", box, Velocity(at(-2, 0, 1 + c), at(2, 0.3, 1 + c)), box, Pose(), c});
  out.push_back({"vertex past vertex", octa, Velocity(at(-1.3, 0, 2 + c), at(1.7, 0, 2 + c)), octa, Pose(), c});
  out.push_back({"edge over edge", ridge,
                 Velocity(Pose({-0.3, 0.1, 2 + c + 0.5}, turned), Pose({0.4, 0.2, 2 + c}, turned)), ridge,
                 Pose({0, 0, 0}, across), c});
  out.push_back({"vertex past edge", octa, Velocity(at(-0.3, -1.3, 2 + c), at(-0.3, 1.7, 2 + c)), ridge, Pose(), c});
  out.push_back({"a turning vertex past a face", octa, Velocity(Pose({}, {2, 0, 0, -1}), Pose({}, {2, 0, 0, 1})), box,
                 at(1.5 + c, 0.1, 0.2), c});
  out.push_back({"a turning edge past a face", box, Velocity(Pose({}, {1, 0, 0, 0}), Pose({}, {1, 0, 0, 1})), box,
                 at(root + 0.5 + c, 0.01, 0), static_cast<long double>(root + 0.5 + c) - 0.5L - std::sqrt(0.5L)});
  out.push_back({"a turning vertex past a vertex", octa, Velocity(Pose({}, {2, 0, 0, -1}), Pose({}, {2, 0, 0, 1})),
                 octa, at(2 + c, 0, 0), c});
  return out;
}

TEST(SmallClearance, IsWithinOneHundredThousandthOfTheTruth) {
  for (const int power : {-8, -14, -17, -20, -24, -28, -33})
    for (const Near& near : scenes(std::ldexp(1.0, power))) {
      FirstContactOptions options;
      options.clearance = true;
      options.tolerance = std::ldexp(1.0, power - 2);
      const FirstContactResult r = first_contact(near.a, near.motion, near.b, Still{near.place}, options);
      ASSERT_EQ(r.status, Status::free) << near.name << ' ' << power;
      ASSERT_TRUE(r.clearance);
      const double truth = static_cast<double>(near.clearance);
      const double rounding = 128 * 0x1p-53 * 16;  // sizes and speeds add up to less than 16
      EXPECT_LE(r.clearance->lower, truth) << near.name << ' ' << power;
      EXPECT_GE(r.clearance->upper, truth) << near.name << ' ' << power;
      EXPECT_LE(r.clearance->upper - r.clearance->lower, 1.001e-5 * truth + 8 * rounding) << near.name << ' ' << power;
      if (power >= -20) {
        EXPECT_LE(r.clearance->upper - r.clearance->lower, 1.2e-5 * truth) << near.name << ' ' << power;
      }
      EXPECT_LT(r.counters.motion_steps, 4000u) << near.name << ' ' << power;
    }
}

}  // namespace
}  // namespace graze::testing
