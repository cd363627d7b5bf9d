// SPDX-License-Identifier: MIT
// Contacts at the start that open immediately, and those that do not (`ignore_start_if_separating`).
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include <graze/ask/first_contact.hpp>
#include <graze/mesh/make.hpp>

namespace graze {
namespace {

Vec3 turned(const Quat& q, const Vec3& x) { return Pose({}, q).apply(x); }

Mesh sheet(double half) {
  PolygonList quad;
  quad.add(std::array<std::uint32_t, 4>{0, 1, 2, 3});
  return Mesh({{-half, -half, 0}, {half, -half, 0}, {half, half, 0}, {-half, half, 0}}, quad);
}

/// Every method, asked to ignore a start that opens.
template <class Check>
void ask_all(const Body& a, const Motion& ma, const Body& b, const Motion& mb, const Check& check) {
  for (const FirstContactTraits& method : first_contact_methods()) {
    SCOPED_TRACE(std::string(method.name));
    FirstContactOptions options;
    options.method = method.name;
    options.ignore_start_if_separating = true;
    check(first_contact(a, ma, b, mb, options));
  }
}

/// In a turned frame the speed of a sliding box along the normal is noise, of any sign: it was once `free`.
TEST(Opening, ASlidingBoxDoesNotOpenByRounding) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> g;
  const Body box(make::box());
  for (int i = 0; i < 40; ++i) {
    const Quat q{g(random), g(random), g(random), g(random)};
    const Vec3 from = turned(q, {0.2, 0.1, 1}), way = turned(q, {0.3 * g(random), 0.3 * g(random), 0});
    ask_all(box, Velocity(Pose(from, q), Pose(from + way, q)), box, Still{Pose({}, q)},
            [](const FirstContactResult& r) {
              EXPECT_TRUE(r.status == Status::touching_at_start || (r.status == Status::contact && r.time.touch == 0));
            });
  }
}

/// The far corners of a turning face come nearer along the normal that stays; the face itself opens where it touches.
TEST(Opening, ATurningFaceOpensWhereAnEdgeStandsOnIt) {
  const Body table(sheet(2)), post(make::box({.size = {0.2, 0.2, 1}}));
  // The post stands on the middle of the table, which sinks below it and tilts.
  const Motion sinks = Velocity::from_speeds(Pose(), {0, 0, -1}, {0, 0.8, 0}), stands = Still{Pose({0, 0, 0.5})};
  ask_all(post, stands, table, sinks, [](const FirstContactResult& r) { EXPECT_EQ(r.status, Status::free); });
  ask_all(table, sinks, post, stands, [](const FirstContactResult& r) { EXPECT_EQ(r.status, Status::free); });
  // It tilts faster than it sinks: half of the post's lower edge is hit immediately.
  const Motion tilts = Velocity::from_speeds(Pose(), {0, 0, -0.05}, {0, 0.8, 0});
  ask_all(post, stands, table, tilts,
          [](const FirstContactResult& r) { EXPECT_EQ(r.status, Status::touching_at_start); });
}

/// Two needles across each other: both turn, so that an end of each comes nearer, and they part in the middle.
TEST(Opening, CrossedEdgesThatTurnOpenInTheMiddle) {
  const auto needle = [](const Vec3& p, const Vec3& q) {
    return Body(Mesh(std::vector<Vec3>{p, q}, std::vector<Triangle>{{0, 1, 1}}));
  };
  const Body x = needle({-1, 0, 0}, {1, 0, 0}), y = needle({0, -1, 0}, {0, 1, 0});
  const Motion up = Velocity::from_speeds(Pose(), {0, 0, 0.5}, {0, 1, 0}),
               down = Velocity::from_speeds(Pose(), {0, 0, -0.5}, {1, 0, 0});
  ask_all(x, up, y, down, [](const FirstContactResult& r) { EXPECT_EQ(r.status, Status::free); });
  const Motion along = Velocity::from_speeds(Pose(), {0.25, 0, 0}, {0, 1, 0});
  ask_all(x, along, y, Still{}, [](const FirstContactResult& r) { EXPECT_EQ(r.status, Status::touching_at_start); });
}

/// A proof was handed out that says the bodies are apart from the start on, and the checker rejected it.
TEST(Opening, AnIgnoredStartHasNoProof) {
  const Body box(make::box());
  FirstContactOptions options;
  options.ignore_start_if_separating = options.certificate = true;
  const FirstContactResult touching =
      first_contact(box, Velocity(Pose({1, 0, 0}), Pose({3, 0, 0})), box, Still{}, options);
  EXPECT_EQ(touching.status, Status::free);
  EXPECT_FALSE(touching.certificate);
  const FirstContactResult apart =
      first_contact(box, Velocity(Pose({1.5, 0, 0}), Pose({3, 0, 0})), box, Still{}, options);
  EXPECT_EQ(apart.status, Status::free);
  EXPECT_TRUE(apart.certificate);
}

}  // namespace
}  // namespace graze
