// SPDX-License-Identifier: MIT
// A body 1e3 to 1e6 long that turns beside a box took as many steps as it is long: its far corners are fast along every
// direction that stays. Directions that turn with it do better. Pinned: few steps, and the answers of `brute`.
#include <gtest/gtest.h>

#include <cmath>

#include <graze/ask/first_contact.hpp>
#include <graze/mesh/make.hpp>

namespace graze {
namespace {

Body turning_needle(double length) {
  const std::vector<Vec3> corners{{length, 0.5, 0.5}, {0.5, -0.5, -0.5}, {-0.5, 0.5, -0.5}, {-0.5, -0.5, 0.5}};
  const std::vector<Triangle> triangles{{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
  return Body(Mesh(corners, std::span<const Triangle>(triangles)));
}

TEST(NeedlesTurn, FewStepsAndTheSameAnswersHoweverLong) {
  const Body box(make::box());
  const Motion box_way = Velocity(Pose(), Pose({0, 0.1, 0}, {1, 0.1, 0.2, 0}));
  for (const double length : {1e3, 1e5, 1e6}) {
    const Body needle = turning_needle(length);
    for (const double turn : {0.3, 1.5, -1.2})
      for (const double height : {1.2, 1.25, 1.4, 3.0}) {
        const Motion way =
            Velocity(Pose({0, 0, height}), Pose({0.3, 0.2, height}, {std::cos(turn / 2), 0, 0, std::sin(turn / 2)}));
        FirstContactOptions options;
        options.work = 200000;  // a failure should not take minutes
        const FirstContactResult r = first_contact(needle, way, box, box_way, options);
        options.method = "brute";
        const FirstContactResult other = first_contact(needle, way, box, box_way, options);
        EXPECT_LT(r.counters.motion_steps, 1000u) << "length " << length << ", turn " << turn << ", height " << height;
        EXPECT_NE(r.status, Status::undecided);
        EXPECT_EQ(r.status, other.status) << "length " << length << ", turn " << turn << ", height " << height;
        EXPECT_EQ(r.time.safe, other.time.safe);
        // As the other body of the pair.
        const FirstContactResult back = first_contact(box, box_way, needle, way, {.work = 200000});
        EXPECT_EQ(back.status, r.status);
        EXPECT_LT(back.counters.motion_steps, 1000u);
      }
  }
}

}  // namespace
}  // namespace graze
