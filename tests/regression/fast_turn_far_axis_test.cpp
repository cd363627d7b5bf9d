// SPDX-License-Identifier: MIT
// A small body on a long arm turned so fast that the square of its speed overflowed single precision: the kernels of
// `best_first` took the infinite root for "never" and called a contact free. Speeds up to the largest are in range now.
#include <gtest/gtest.h>

#include <cmath>

#include <graze/graze.hpp>

namespace graze {
namespace {

struct Case {
  double arm, turn, size, at;
};

FirstContactResult ask(const Case& c, std::string_view method) {
  const Body a(make::box()), b(make::box({.size = {c.size, c.size, c.size}}));
  const Motion turning = Velocity::from_speeds(Pose(), {}, {0, 0, c.turn}, {0, c.arm, 0});
  FirstContactOptions options;
  options.method = method;
  options.work = method == "interval" ? 50'000 : 2'000'000;
  return first_contact(a, turning, b, Still{Pose({c.at, 0, 0})}, options);
}

TEST(FastTurnFarAxis, EveryMethodFindsTheContact) {
  // The unit box revolves about the axis and hits the large one from the far side. The exact first contact is near 2 pi
  // / turn, because the large box is just behind the start.
  for (const FirstContactTraits& method : first_contact_methods()) {
    const FirstContactResult r = ask({2e13, 1e6, 1e9, -5e9}, method.name);
    ASSERT_NE(r.status, Status::free) << method.name;
    if (r.status == Status::undecided) continue;  // `interval` takes many more steps
    ASSERT_EQ(r.status, Status::contact) << method.name;
    EXPECT_NEAR(r.time.touch, 6.2829e-6, 1e-9) << method.name;
  }
}

TEST(FastTurnFarAxis, MethodsAgreeForEverySpeedAndArm) {
  // Speeds of 2^10 to 2^75 sizes of the small body; the obstacle is as large as the circle of the arm requires.
  for (int arm = 5; arm <= 55; arm += 10)
    for (int turn = 3; turn <= 19; turn += 8) {
      const double length = std::ldexp(1.0, arm), size = length / 16 + 1;
      const Case c{length, std::ldexp(1.0, turn), size, -2 * size};
      const FirstContactResult truth = ask(c, "brute"), r = ask(c, "best_first");
      ASSERT_EQ(truth.status, Status::contact) << arm << " " << turn;
      ASSERT_EQ(r.status, Status::contact) << arm << " " << turn;
      EXPECT_EQ(r.time.touch, truth.time.touch) << arm << " " << turn;
    }
}

}  // namespace
}  // namespace graze
