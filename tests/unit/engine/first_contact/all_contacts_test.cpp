// SPDX-License-Identifier: MIT
// Every contact of a motion, against known scenes and against looking at all feature pairs at many times.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>

#include <graze/ask/first_contact.hpp>
#include <graze/mesh/make.hpp>
#include <graze/motion/chain.hpp>

#include "engine/first_contact/spans/near_pairs.hpp"
#include "random_budget.hpp"
#include "unit/engine/first_contact/all_contacts_help.hpp"

namespace {

using namespace graze;
using namespace all_contacts_test;

constexpr double pi = 3.14159265358979323846;

FirstContactResult ask(const Body& a, const Motion& ma, const Body& b, const Motion& mb, double tolerance,
                       int threads = 1) {
  FirstContactOptions options;
  options.tolerance = tolerance;
  options.all_contacts = true;
  options.threads = threads;
  return first_contact(a, ma, b, mb, options);
}

/// Holds the list against all that is promised of it, at many times.
void check(const Scene& s, const FirstContactResult& r, int samples) {
  const double tolerance = r.tolerance, slack = 1e-9 * tolerance + 1e-13;
  std::map<Feature, std::vector<ContactEvent>> events;
  for (std::size_t i = 0; i < r.contacts.size(); ++i) {
    const ContactEvent& e = r.contacts[i];
    if (i > 0) {
      EXPECT_LE(r.contacts[i - 1].time.touch, e.time.touch);
    }
    EXPECT_LE(e.time.safe, e.time.touch);
    EXPECT_LE(e.time.touch, e.until);
    const double gap = s.distance(e.feature, e.time.touch);
    EXPECT_LE(gap, tolerance + slack);
    EXPECT_NEAR(gap, e.gap, slack);
    if (e.until < 1) {
      EXPECT_GE(s.distance(e.feature, e.until), 2 * tolerance - slack);
    }
    std::vector<ContactEvent>& mine = events[e.feature];
    if (!mine.empty()) {
      EXPECT_LT(mine.back().until, e.time.touch);
    }
    mine.push_back(e);
  }
  const std::vector<Feature> all = s.features();
  const std::vector<ContactEvent> none;
  for (int i = 0; i <= samples; ++i) {
    const double t = static_cast<double>(i) / samples;
    const std::vector<Vec3> x = placed(s.a.mesh(), s.ma, t), y = placed(s.b.mesh(), s.mb, t);
    for (const Feature& f : all) {
      const auto found = events.find(f);
      const std::vector<ContactEvent>& mine = found == events.end() ? none : found->second;
      const bool in_contact = std::any_of(mine.begin(), mine.end(),
                                          [&](const ContactEvent& e) { return e.time.safe <= t && t <= e.until; });
      const double d = s.distance(f, x, y);
      if (in_contact) {
        ASSERT_LE(d, 3 * tolerance + slack) << "at " << t;
      } else {
        ASSERT_GE(d, 0.5 * tolerance - slack) << name(f.kind) << " " << f.a.id[0] << " " << f.b.id[0] << " at " << t;
      }
    }
  }
}

Body unit_box() { return Body(make::box({.size = {1, 1, 1}})); }
Body table() { return Body(make::box({.size = {4, 4, 1}})); }

TEST(AllContacts, ABoxFallsOnATable) {
  // The lower face of the box is 1 above the table at the start, and goes down by 1.6.
  const Scene s{unit_box(), Velocity(Pose({0, 0, 2}), Pose({0, 0, 0.4})), table(), Still{}};
  const FirstContactResult r = ask(s.a, s.ma, s.b, s.mb, 1e-6);
  EXPECT_EQ(r.status, Status::contact);
  // Four corners on the top. The side edges that then pass through it are no feature pairs, and the rest is far away.
  ASSERT_EQ(r.contacts.size(), 4u);
  for (const ContactEvent& e : r.contacts) {
    EXPECT_EQ(e.feature.kind, FeatureKind::vertex_face);
    EXPECT_EQ(e.direction, ContactDirection::incoming);
    EXPECT_NEAR(e.time.touch, 0.625, 1e-6);
    EXPECT_LE(e.time.touch, 0.625);
    EXPECT_NEAR(e.until, 0.625, 2e-6);
    EXPECT_GT(e.until, 0.625 + 1e-6);
  }
  EXPECT_TRUE(std::is_sorted(r.contacts.begin(), r.contacts.end(),
                             [](const ContactEvent& x, const ContactEvent& y) { return x.feature < y.feature; }));
  check(s, ask(s.a, s.ma, s.b, s.mb, 1e-2), 500);
}

TEST(AllContacts, EqualBoxesMeetCornerOnCorner) {
  const Scene s{unit_box(), Velocity(Pose({0, 0, 2}), Pose({0, 0, 0.9})), unit_box(), Still{}};
  const FirstContactResult r = ask(s.a, s.ma, s.b, s.mb, 1e-2);
  std::map<FeatureKind, int> kinds;
  for (const ContactEvent& e : r.contacts) ++kinds[e.feature.kind];
  // At one time each of four corners meets the other's corner, and with it three faces of it; and three edges meet
  // three, where the four pairs that lie on each other count once for both ends.
  EXPECT_EQ(kinds[FeatureKind::vertex_face], 12);
  EXPECT_EQ(kinds[FeatureKind::vertex_face], kinds[FeatureKind::face_vertex]);
  EXPECT_EQ(kinds[FeatureKind::edge_edge], 32);
  check(s, r, 500);
}

TEST(AllContacts, ContactAtTheStartThatOpensIsOutgoing) {
  const Scene s{unit_box(), Velocity(Pose({0, 0, 1}), Pose({0, 0, 2})), table(), Still{}};
  const FirstContactResult r = ask(s.a, s.ma, s.b, s.mb, 1e-4);
  EXPECT_EQ(r.status, Status::touching_at_start);
  ASSERT_EQ(r.contacts.size(), 4u);
  for (const ContactEvent& e : r.contacts) {
    EXPECT_EQ(e.direction, ContactDirection::outgoing);
    EXPECT_EQ(e.time.touch, 0);
    EXPECT_EQ(e.gap, 0);
    EXPECT_NEAR(e.until, 2.5e-4, 1e-4);
  }
  check(s, r, 1000);
}

TEST(AllContacts, SlidingLastsAndIsNotSteppedThrough) {
  // Two corners leave the table at x = 2 half way; the other two stay on it.
  const Scene s{unit_box(), Velocity(Pose({1, 0, 1}), Pose({2, 0, 1})), table(), Still{}};
  const FirstContactResult r = ask(s.a, s.ma, s.b, s.mb, 1e-8);
  int leave = 0, stay = 0;
  for (const ContactEvent& e : r.contacts) {
    if (e.feature.kind != FeatureKind::vertex_face || e.time.touch > 0) continue;
    EXPECT_EQ(e.direction, ContactDirection::sliding);
    if (e.until == 1) {
      ++stay;
    } else {
      ++leave;
      EXPECT_NEAR(e.until, 0.5, 1e-7);
    }
  }
  EXPECT_EQ(leave, 2);
  EXPECT_EQ(stay, 2);
  EXPECT_LT(r.counters.motion_steps, 20000u);  // at the tolerance's pace it would be 10^8
  check(s, ask(s.a, s.ma, s.b, s.mb, 1e-2), 500);
}

TEST(AllContacts, AWheelsTeethComeOneByOneAndAgain) {
  // A wheel of 12 corners beside a wall, two turns: every corner passes it twice, nearer than half the tolerance. At
  // the start a flat side faces the wall.
  const double tolerance = 1e-3, turns = 2;
  const Mesh wheel = make::cylinder({.radius = 1, .height = 1, .around = 12, .along = 1});
  const Quat start{std::cos(pi / 24), 0, 0, std::sin(pi / 24)};
  double reach = 0;
  for (const Vec3& v : wheel.positions()) reach = std::max(reach, std::hypot(v.x, v.y));
  const Scene s{Body(wheel), Velocity::from_speeds(Pose({0, 0, 0}, start), {}, {0, 0, 2 * pi * turns}),
                Body(make::box({.size = {1, 10, 10}})), Still{Pose({reach + 0.5 + tolerance / 3, 0, 0})}};
  const FirstContactResult r = ask(s.a, s.ma, s.b, s.mb, tolerance);
  EXPECT_EQ(r.status, Status::contact);
  std::map<Feature, int> times;
  for (const ContactEvent& e : r.contacts) {
    EXPECT_EQ(e.feature.kind, FeatureKind::vertex_face);
    ++times[e.feature];
    const Vec3 v = wheel.positions()[e.feature.a.id[0]];
    // The corner points at the wall in the middle of the contact.
    const double angle = std::atan2(v.y, v.x) + pi / 12 + 2 * pi * turns * e.time.touch;
    const double off = angle - 2 * pi * std::round(angle / (2 * pi));
    EXPECT_LT(std::fabs(off), 0.06);
    EXPECT_EQ(e.direction, ContactDirection::incoming);
  }
  EXPECT_EQ(times.size(), 24u);
  for (const auto& [feature, count] : times) EXPECT_EQ(count, 2);
  check(s, r, 2000);
}

std::array<double, 4> any_turn(std::mt19937_64& rng) {
  std::normal_distribution<double> g;
  return {g(rng), g(rng), g(rng), g(rng)};
}

TEST(AllContacts, NothingIsMissedOnRandomFlights) {
  const std::uint64_t seed = graze::testing::RandomBudget::seed(31);
  std::mt19937_64 rng(seed);
  std::uniform_real_distribution<double> u(-1, 1);
  graze::testing::RandomBudget budget(15);
  const auto pose = [&](double spread) {
    const auto q = any_turn(rng);
    return Pose({spread * u(rng), spread * u(rng), spread * u(rng)}, Quat{q[0], q[1], q[2], q[3]});
  };
  std::size_t contacts = 0;
  for (int i = 0; budget.more(); ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed) + " case " + std::to_string(i));
    // A ring of 4 x 3 quads that are not planar: its diagonals are features.
    const Mesh shapes[] = {make::tetrahedron({}), make::box({.size = {1, 0.5, 0.8}}),
                           make::torus({.major = 0.6, .minor = 0.2, .around = 4, .across = 3})};
    const Mesh& a = shapes[i % 3];
    Motion ma = Velocity(pose(1.5), pose(1.5)), mb = Still{pose(0.3)};
    if (i % 5 == 1) mb = Screw(pose(0.3), pose(0.5));
    if (i % 5 == 2) ma = LinearParameters(pose(1.5), pose(1.5));
    if (i % 5 == 4) {
      Joint shoulder{JointType::revolute, pose(0.5), {u(rng), u(rng), u(rng)}};
      Joint elbow{JointType::screw, pose(0.5), {u(rng), u(rng), u(rng)}, 0.1};
      const std::array<double, 2> from{u(rng), u(rng)}, to{2 * u(rng), 2 * u(rng)};
      ma = Chain({{"upper", "", shoulder}, {"fore", "upper", elbow}}).link_motion(LinkId{1}, from, to);
    }
    if (i % 5 == 3) ma = Velocity::from_speeds(pose(1), {u(rng), u(rng), u(rng)}, {9 * u(rng), 9 * u(rng), 9 * u(rng)});
    const Scene s{Body(a), ma, Body(make::box({.size = {0.9, 1.1, 0.2}})), mb};
    const FirstContactResult r = ask(s.a, s.ma, s.b, s.mb, i % 3 ? 1e-2 : 1e-3);
    if (r.status == Status::free) {
      EXPECT_TRUE(r.contacts.empty());
    }
    contacts += r.contacts.size();
    check(s, r, 600);
    const FirstContactResult again = ask(s.a, s.ma, s.b, s.mb, i % 3 ? 1e-2 : 1e-3, 3);
    ASSERT_EQ(again.contacts.size(), r.contacts.size());
    for (std::size_t k = 0; k < r.contacts.size(); ++k) {
      EXPECT_EQ(again.contacts[k].feature, r.contacts[k].feature);
      EXPECT_EQ(again.contacts[k].time.touch, r.contacts[k].time.touch);
      EXPECT_EQ(again.contacts[k].until, r.contacts[k].until);
    }
  }
  EXPECT_TRUE(contacts > 100u || !graze::testing::RandomBudget::is_whole()) << contacts;
}

TEST(AllContacts, NearPairsAreAllThatComeNear) {
  const std::uint64_t seed = graze::testing::RandomBudget::seed(33);
  std::mt19937_64 rng(seed);
  std::uniform_real_distribution<double> u(-1, 1);
  graze::testing::RandomBudget budget(4);
  const Body ball(make::sphere({.radius = 0.3, .triangles = 60})),
      bar(make::box({.size = {3, 0.2, 0.2}, .triangles = 60}));
  for (int i = 0; budget.more(); ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed) + " case " + std::to_string(i));
    // A bar swings, perhaps about a point off its middle, past a ball that may turn about a point far from it.
    const Vec3 pivot{2 * u(rng), 0, 0}, away{1.6, 0.3 * u(rng), 0.3 * u(rng)};
    const auto q = any_turn(rng);
    const Motion ma = Velocity::from_speeds(Pose({}, {q[0], q[1], q[2], q[3]}), {0.3 * u(rng), 0, 0},
                                            {6 * u(rng), 6 * u(rng), 6 * u(rng)}, pivot);
    const Motion mb = i % 2 ? Motion(Still{Pose(away)})
                            : Motion(Velocity::from_speeds(Pose(away), {}, {u(rng), u(rng), 6 * u(rng)}, {1, 0, 0}));
    FirstContactOptions options;
    const double rounding = engine::first_contact::Kinematics(bar.data(), ma.path(), ball.data(), mb.path()).rounding();
    const engine::first_contact::Flight f{bar.data(), ball.data(), ma.path(), mb.path(), options, 1e-2, rounding};
    const engine::first_contact::Stage stage(f);
    core::Steps all(options.work);
    AllCounters counters;
    std::vector<engine::first_contact::NearPair> near;
    ASSERT_TRUE(engine::first_contact::find_near_pairs(stage, all, counters, near));
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> clocks;
    for (const engine::first_contact::NearPair& n : near) EXPECT_TRUE(clocks.insert({{n.a, n.b}, n.time}).second);
    for (int k = 0; k <= 100; ++k) {
      const double t = k / 100.0;
      const std::vector<Vec3> x = placed(bar.mesh(), ma, t), y = placed(ball.mesh(), mb, t);
      for (std::uint32_t a = 0; a < bar.mesh().triangle_count(); ++a)
        for (std::uint32_t b = 0; b < ball.mesh().triangle_count(); ++b) {
          const auto found = clocks.find({a, b});
          if (found != clocks.end() && found->second <= t) continue;
          const Triangle &ca = bar.mesh().triangles()[a], &cb = ball.mesh().triangles()[b];
          const prim::ClosestPair c =
              prim::closest_triangle_triangle({x[ca[0]], x[ca[1]], x[ca[2]]}, {y[cb[0]], y[cb[1]], y[cb[2]]});
          ASSERT_GE(std::sqrt(c.squared), 1e-2 - 1e-12) << a << " " << b << " at " << t;
        }
    }
  }
}

TEST(AllContacts, FlatAndDoubleTrianglesAndOpenSheets) {
  // A sheet of two triangles; one flat as a segment, one as a point, and one triangle twice.
  const std::vector<Vec3> x{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0, 0, 0.2}};
  const std::vector<Triangle> triangles{{0, 1, 2}, {0, 2, 3}, {0, 4, 2}, {4, 4, 4}, {0, 1, 2}};
  const Scene s{Body(make::tetrahedron({.size = 0.5})), Velocity(Pose({0.1, 0.2, 1}), Pose({0, 0.3, -1}, {1, 1, 0, 0})),
                Body(Mesh(x, triangles)), Still{}};
  const FirstContactResult r = ask(s.a, s.ma, s.b, s.mb, 1e-2);
  EXPECT_EQ(r.status, Status::contact);
  EXPECT_FALSE(r.contacts.empty());
  int first = 0, last = 0;  // what touches a triangle touches the same one again
  for (const ContactEvent& e : r.contacts) {
    if (e.feature.kind != FeatureKind::vertex_face) continue;
    first += e.feature.b.id[0] == 0;
    last += e.feature.b.id[0] == 4;
  }
  EXPECT_GT(first, 0);
  EXPECT_EQ(first, last);
}

TEST(AllContacts, ScaledScenesGiveTheSameList) {
  const auto at = [](double scale, double far) {
    const Vec3 o{far, 2 * far, -far};
    const Body box(make::box({.size = {scale, scale, scale}}));
    return ask(box,
               Velocity(Pose(o + Vec3{0, 0, 2 * scale}, {4, 1, 2, 3}), Pose(o + Vec3{0, 0, 0.4 * scale}, {1, 1, 0, 0})),
               box, Still{Pose(o)}, 0x1p-10 * scale);
  };
  const FirstContactResult one = at(1, 0);
  EXPECT_GT(one.contacts.size(), 3u);
  for (const double scale : {0x1p-60, 0x1p60}) {
    const FirstContactResult r = at(scale, 0);
    ASSERT_EQ(r.contacts.size(), one.contacts.size());
    for (std::size_t i = 0; i < r.contacts.size(); ++i) {
      EXPECT_EQ(r.contacts[i].feature, one.contacts[i].feature);
      EXPECT_NEAR(r.contacts[i].time.touch, one.contacts[i].time.touch, 1e-9);
      EXPECT_EQ(r.contacts[i].direction, one.contacts[i].direction);
    }
  }
  EXPECT_EQ(at(1, 0x1p20).contacts.size(), one.contacts.size());
}

/// Goes down and up again twice: z = 1 + height of a zigzag, a caller's own motion.
class Hopping : public OwnMotion {
 public:
  static double height(double t) { return std::fabs(2 * std::fabs(2 * t - 1) - 1) * 0.5; }
  Placement at(double t) const override { return {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 1 + height(t)}}; }
  IntervalPlacement over(double t0, double t1) const override {
    IntervalPlacement p;
    const double m = height(0.5 * (t0 + t1)), r = (t1 - t0) + 1e-15;
    p.t = {Interval(0), Interval(0), Interval(1 + m - r, 1 + m + r)};
    return p;
  }
  double travel(const Vec3& n, const Vec3&, double, double t0, double t1) const override {
    return std::fabs(n.z) * 2 * (t1 - t0) + 1e-15;
  }
};

TEST(AllContacts, OfACallersOwnMotion) {
  const Scene s{unit_box(), Motion(std::make_shared<const Hopping>()), table(), Still{}};
  const FirstContactResult r = ask(s.a, s.ma, s.b, s.mb, 1e-3);
  ASSERT_EQ(r.contacts.size(), 8u);  // four corners, at t = 1/4 and at 3/4
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_NEAR(r.contacts[i].time.touch, i < 4 ? 0.25 : 0.75, 2e-3);
    EXPECT_EQ(r.contacts[i].direction, ContactDirection::incoming);
  }
  check(s, r, 2000);
}

TEST(AllContacts, ABudgetThatRunsOutLeavesNoHalfList) {
  const Scene s{unit_box(), Velocity(Pose({0, 0, 2}), Pose({0, 0, 0.4})), table(), Still{}};
  FirstContactOptions options;
  options.all_contacts = true;
  const FirstContactResult whole = first_contact(s.a, s.ma, s.b, s.mb, options);
  ASSERT_EQ(whole.contacts.size(), 4u);
  int decided = 0;
  for (options.work = 1; options.work < 4096; options.work *= 2) {
    const FirstContactResult r = first_contact(s.a, s.ma, s.b, s.mb, options);
    if (r.status == Status::undecided) {
      EXPECT_TRUE(r.contacts.empty());
      EXPECT_LE(r.time.safe, whole.time.touch);
      EXPECT_EQ(decided, 0);
    } else {
      EXPECT_EQ(r.contacts.size(), 4u);
      ++decided;
    }
  }
  EXPECT_GT(decided, 0);
}

}  // namespace
