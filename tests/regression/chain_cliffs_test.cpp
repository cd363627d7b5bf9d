// SPDX-License-Identifier: MIT
// Chains whose joints leave much still: two parallel joints slid a sheet 1 cm above another and took 12.5 M steps, a
// ball on three joints in its socket 1 M, because speeds of joints were added up in every direction alike. At a gap of
// two tolerances every pair of triangles was solved by itself. Pinned: the steps taken, that a chain takes no more than
// the same turn as one `Velocity`, and that all methods agree.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include <graze/graze.hpp>

namespace {

using namespace graze;

std::uint64_t work(const FirstContactResult& r) {
  return r.counters.motion_steps + r.counters.node_pairs + r.counters.queue_pops;
}

Link revolute(int i, const Vec3& axis, const Pose& origin = {}) {
  return {"l" + std::to_string(i), i ? "l" + std::to_string(i - 1) : "", {JointType::revolute, origin, axis, 0}};
}

/// Two joints along `axis`, and a sheet across it.
struct Slide {
  Pose tilt;
  Chain chain{{revolute(0, {0, 0, 1}), revolute(1, {0, 0, 1}, Pose({0.5, 0, 0}))}, Still{tilt}};
  Motion motion = chain.link_motion(LinkId{1}, std::vector{0.0, 0.0}, std::vector{1.5, -1.2});
  /// The other sheet, so far below.
  Motion below(double gap) const { return Still{Pose(Motion(Still{tilt}).at(0).apply({0, 0, -gap}), tilt.rotation())}; }
};

TEST(ChainCliffs, SheetsThatSlide) {
  const Body sheet(make::cloth_sheet({.triangles = 2000}));
  for (const Pose& tilt : {Pose{}, Pose({3, -1, 2}, {1, 0.2, -0.3, 0.5})}) {
    const Slide slide{tilt};
    for (const double gap : {1e-2, 1e-3, 1e-4}) {
      const FirstContactResult r = first_contact(sheet, slide.motion, sheet, slide.below(gap));
      EXPECT_EQ(r.status, Status::free);
      EXPECT_LT(work(r), 20u) << gap;  // were 1,000,000 and more, then some hundreds
    }
  }
}

/// A sheet of so many triangles whose own axes are turned by `q`, so that its boxes are not thin.
Body turned_sheet(std::size_t triangles, const Quat& q) {
  const Mesh flat = make::cloth_sheet({.triangles = triangles});
  std::vector<Vec3> points;
  for (const Vec3& x : flat.positions()) points.push_back(Pose({}, q).apply(x));
  return Body(Mesh(points, flat.triangles()));
}

TEST(ChainCliffs, SheetsThatSlideTwoTolerancesApart) {
  for (const Quat& q : {Quat{}, Quat{1, 0.3, 0.2, 0.1}}) {
    const Body sheet = turned_sheet(2000, q);
    // The chain's frame and the joint that undoes the turn of the mesh.
    const Pose back({}, Quat{q.w, -q.x, -q.y, -q.z});
    const Chain chain(
        {revolute(0, {0, 0, 1}), revolute(1, {0, 0, 1}, Pose({0.5, 0, 0})), {"plate", "l1", {JointType::fixed, back}}});
    const Motion joints = chain.link_motion(LinkId{2}, std::vector{0.0, 0.0}, std::vector{1.5, -1.2});
    const Motion velocity = Velocity::from_speeds(back, {}, {0, 0, 1.5});
    for (const Motion& m : {joints, velocity}) {
      const FirstContactResult r = first_contact(sheet, m, sheet, Still{Pose({0, 0, -3e-6}, back.rotation())});
      EXPECT_EQ(r.status, Status::free);
      EXPECT_LT(work(r), 5000u);  // was 500,000
    }
  }
}

TEST(ChainCliffs, AnAxisThatLeansDoesNotSeparate) {
  // The second axis leans a little: on its way the sheet comes down to the other one.
  const Body sheet(make::cloth_sheet({.triangles = 2000}));
  const Chain chain({revolute(0, {0, 0, 1}), revolute(1, {1e-5, 0, 1}, Pose({0.5, 0, 0}))});
  const Motion m = chain.link_motion(LinkId{1}, std::vector{0.0, 0.0}, std::vector{1.5, -1.2});
  const Motion below = Still{Pose({0, 0, -3e-6})};
  const FirstContactResult r = first_contact(sheet, m, sheet, below),
                           other = first_contact(sheet, m, sheet, below, {.method = "advancement"});
  EXPECT_EQ(r.status, Status::contact);
  ASSERT_EQ(other.status, Status::contact);
  EXPECT_LE(r.time.safe, other.time.touch);
  EXPECT_LE(other.time.safe, r.time.touch);
}

TEST(ChainCliffs, SheetsThatSlideWithASlope) {
  // The second axis leans by a hundredth: now the sheet does come down, and every method says the same.
  const Body sheet(make::cloth_sheet({.triangles = 200}));
  const Chain chain({revolute(0, {0, 0, 1}), revolute(1, {0, 0.01, 1}, Pose({0.5, 0, 0}))});
  const Motion m = chain.link_motion(LinkId{1}, std::vector{0.0, 0.0}, std::vector{1.5, -1.2});
  for (const double gap : {2e-3, 5e-2}) {
    const Motion still = Still{Pose({0, 0, -gap})};
    FirstContactOptions o;
    const FirstContactResult best = first_contact(sheet, m, sheet, still, o);
    o.method = "advancement";
    const FirstContactResult other = first_contact(sheet, m, sheet, still, o);
    EXPECT_EQ(best.status, other.status) << gap;
    if (best.status == Status::contact) {
      EXPECT_LE(best.time.safe, other.time.touch);
      EXPECT_LE(other.time.safe, best.time.touch);
    }
  }
}

TEST(ChainCliffs, BallInASocket) {
  const Body ball(make::sphere({.radius = 1, .triangles = 2000})),
      socket(make::sphere({.radius = 1.03, .triangles = 2000}));
  const Chain chain({revolute(0, {0, 0, 1}), revolute(1, {0, 1, 0}), revolute(2, {1, 0, 0})});
  const Motion joints = chain.link_motion(LinkId{2}, std::vector{0.0, 0.0, 0.0}, std::vector{1.0, 0.8, 0.6});
  const Motion velocity = Velocity::from_speeds(Pose{}, {0, 0, 0}, {0.6, 0.8, 1.0});
  const FirstContactResult a = first_contact(ball, joints, socket, Still{}),
                           b = first_contact(ball, velocity, socket, Still{});
  EXPECT_EQ(a.status, Status::free);
  EXPECT_EQ(b.status, Status::free);
  EXPECT_LT(work(b), 1000u);  // was 270,000, then 12,000
  // Of several joints a test costs more, so the tables of corners are made after fewer.
  EXPECT_LE(work(a), work(b));
  EXPECT_LE(a.counters.motion_box_tests, b.counters.motion_box_tests);
}

TEST(ChainCliffs, LongSearchesFindWhatOthersFind) {
  // Not quite about its middle: the ball may touch the socket. Searches are long enough for tables of corners.
  const Body ball(make::sphere({.radius = 1, .triangles = 500})),
      socket(make::sphere({.radius = 1.05, .triangles = 500}));
  std::mt19937_64 random(11);
  const auto any = [&](double size) { return size * (2 * static_cast<double>(random() >> 11) * 0x1p-53 - 1); };
  const auto vector = [&](double size) { return Vec3{any(size), any(size), any(size)}; };
  for (int i = 0; i < 12; ++i) {
    const Chain chain({revolute(0, {0, 0, 1}, Pose(vector(0.02))), revolute(1, {0, 1, 0}, Pose(vector(0.02))),
                       revolute(2, {1, 0, 0}, Pose(vector(0.02)))});
    const Motion joints = chain.link_motion(LinkId{2}, std::vector{0.0, 0.0, 0.0}, std::vector{any(2), any(2), any(2)});
    const Motion velocity = Velocity::from_speeds(Pose{}, vector(0.03), vector(3), vector(0.03));
    const Motion& m = i % 2 ? joints : velocity;
    const FirstContactResult r = first_contact(ball, m, socket, Still{}, {.tolerance = 1e-5});
    const FirstContactResult other =
        first_contact(ball, m, socket, Still{}, {.method = "advancement", .tolerance = 1e-5});
    EXPECT_EQ(r.status, other.status) << i;
    if (r.status != Status::contact) continue;
    EXPECT_LE(r.time.safe, other.time.touch) << i;
    EXPECT_LE(other.time.safe, r.time.touch) << i;
  }
}

}  // namespace
