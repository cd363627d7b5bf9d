// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <graze/ask/surface.hpp>
#include <graze/core/method_counters.hpp>
#include <graze/motion/chain.hpp>

#include "random_budget.hpp"
#include "unit/classic/contact/interval_help.hpp"
#include "unit/classic/contact/surface_help.hpp"

namespace graze {
namespace {

using testing::ball;
using testing::bowl;
using testing::globe;
using testing::RandomBudget;
using testing::straight;
using testing::turned_about;

/// Not after the closed form's time, and not earlier than the tolerance explains.
void expect_touch(const SurfaceContactResult& r, double time, double early) {
  ASSERT_EQ(r.status, Status::contact);
  EXPECT_LE(r.time.touch, time + 1e-13);
  EXPECT_GE(r.time.safe, time - early);
  EXPECT_LE(r.time.safe, r.time.touch);
  EXPECT_LE(r.gap, r.tolerance);
  ASSERT_TRUE(r.points.has_value());
  EXPECT_LE(length((*r.points)[1] - (*r.points)[0]), r.tolerance * (1 + 1e-6) + 1e-13);
  EXPECT_FALSE(r.triangle.has_value());
}

/// The normal was turned together with the places, which hide it in all but scenes of about size one.
TEST(SurfacePair, NormalsOfScenesOfEverySize) {
  for (int exponent = -240; exponent <= 240; exponent += 20) {
    const double size = std::ldexp(1.0, exponent);
    const Vec3 aside{3 * size, -5 * size, 2 * size};
    const auto r = first_contact(ball(size), straight(aside + Vec3{-4 * size, 0, 0}, aside), ball(0.5 * size),
                                 Still{Pose(aside, turned_about({0, 0, 1}, 0.7))}, {.tolerance = 1e-3 * size});
    ASSERT_EQ(r.status, Status::contact) << exponent;
    ASSERT_TRUE(r.normal && r.direction) << exponent;
    EXPECT_LT(length(*r.normal - Vec3{1, 0, 0}), 0.1) << exponent;
    EXPECT_EQ(*r.direction, ContactDirection::incoming) << exponent;
  }
}

/// Two spheres of radii 1 and 0.5, as implicit surfaces and as patches: from outside, from inside, and past each other.
TEST(SurfacePair, SpheresOfEveryKind) {
  const SurfaceBody large[] = {ball(1), globe(1)}, small[] = {ball(0.5), globe(0.5)};
  for (const SurfaceBody& a : large)
    for (const SurfaceBody& b : small) {
      for (const double tolerance : {1e-3, 1e-8}) {
        const double across = 0.6, distance = std::sqrt(1.5 * 1.5 - across * across);
        const auto r =
            first_contact(a, straight({-4, 0, 0}, {4, 0, 0}, turned_about({0, 1, 0}, 0.3)), b,
                          Still{Pose({0, across, 0}, turned_about({1, 0, 0}, 0.7))}, {.tolerance = tolerance});
        expect_touch(r, (4 - distance) / 8, 1.2 * tolerance / 8);
        ASSERT_TRUE(r.normal && r.direction);
        const Vec3 truth{distance / 1.5, across / 1.5, 0};
        EXPECT_LT(length(*r.normal - truth), 0.02 + 4 * std::sqrt(tolerance));
        EXPECT_EQ(*r.direction, ContactDirection::incoming);
        EXPECT_EQ(r.patch.has_value(), &a == &large[1]);
        EXPECT_EQ(r.patch_b.has_value(), &b == &small[1]);
      }
      // Inside: no contact until the small one reaches the large one's inner side.
      const auto inside = first_contact(a, Still{}, b, straight({0, 0, 0}, {0.3, 1, 0}), {.tolerance = 1e-5});
      expect_touch(inside, 0.5 / std::sqrt(1.09), 1.2e-5);
      EXPECT_EQ(first_contact(a, Still{}, b, straight({0, 0, 0}, {0.4, 0.2, 0}), {.tolerance = 1e-4}).status,
                Status::free);
      // Past: 1e-3 of room at the closest approach.
      EXPECT_EQ(first_contact(a, Still{}, b, straight({-3, 1.501, 0}, {3, 1.501, 0}), {.tolerance = 1e-4}).status,
                Status::free);
    }
}

/// z = |p - s|^2 + h against z = -|p|^2: the least gap is h + |s|^2 / 2, at p = s / 2.
TEST(SurfacePair, BowlsMeetWhereTheClosedFormSays) {
  const SurfaceBody lower({bowl(-1)}), upper({bowl(1)});
  for (const double s : {0.0, 0.25, 0.5}) {
    const auto r = first_contact(upper, straight({s, 0, 2}, {s, 0, -2}), lower, Still{}, {.tolerance = 1e-6});
    expect_touch(r, (2 + 0.5 * s * s) / 4, 1e-6);
    ASSERT_TRUE(r.patch && r.patch_b);
    // Of the upper one x = 2 u - 1 is -s / 2, of the lower one s / 2.
    EXPECT_NEAR(0.5 * (r.where[0].lo + r.where[0].hi), 0.5 - 0.25 * s, 2e-3);
    EXPECT_NEAR(0.5 * (r.where_b[0].lo + r.where_b[0].hi), 0.5 + 0.25 * s, 2e-3);
    ASSERT_TRUE(r.normal.has_value());
    EXPECT_LT(r.normal->z, -0.5);
  }
}

/// Two linked rings: a's centre line is the unit circle, b's is perpendicular to it, around (c, 0, 0). The distance of
/// the lines is 2 - c for c from 1 to 2. A sphere falls onto the ring.
TEST(SurfacePair, RingsAndSpheres) {
  const SurfaceBody ring(torus_surface(1, 0.25));
  const Quat upright = turned_about({1, 0, 0}, std::numbers::pi / 2);
  const auto linked = first_contact(ring, Still{}, ring, straight({1, 0, 0}, {2, 0, 0}, upright), {.tolerance = 1e-6});
  expect_touch(linked, 0.5, 2e-6);
  EXPECT_EQ(first_contact(ring, Still{}, ring, straight({0.6, 0, 0}, {1.4, 0, 0}, upright), {.tolerance = 1e-5}).status,
            Status::free);
  const SurfaceBody spheres[] = {ball(0.5), globe(0.5)};
  for (const SurfaceBody& sphere : spheres) {
    expect_touch(first_contact(ring, Still{}, sphere, straight({1, 0, 3}, {1, 0, -3}), {.tolerance = 1e-6}),
                 (3 - 0.75) / 6, 1e-6);
    // Through the hole, whose radius is 0.75.
    EXPECT_EQ(first_contact(ring, Still{}, sphere, straight({0.1, 0, 3}, {0.1, 0, -3}), {.tolerance = 1e-4}).status,
              Status::free);
  }
}

/// Flat patches are squares of two triangles, for which method `interval` and the exact test answer.
TEST(SurfacePair, FlatPatchesEqualTheirMeshes) {
  const SurfaceBody patch({testing::flat_patch()});
  const std::vector<graze::Triangle> two{{0, 1, 2}, {0, 2, 3}};
  const Body square(Mesh({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, two));
  oracle::Random random(RandomBudget::seed(91));
  int contacts = 0, frees = 0;
  for (RandomBudget budget(60); budget.more();) {
    SCOPED_TRACE("seed " + std::to_string(RandomBudget::seed(91)));
    const Motion ma = testing::random_flight(random, 1.5), mb = testing::random_flight(random, 1.5);
    const auto r = first_contact(patch, ma, patch, mb, {.tolerance = 1e-5});
    const engine::first_contact::Found f = testing::interval(square, ma, square, mb, 1e-7);
    ASSERT_NE(r.status, Status::undecided);
    if (f.status == Status::contact) {
      ASSERT_EQ(r.status, Status::contact);
      EXPECT_LE(r.time.touch, f.touch + 1e-6);
      EXPECT_LE(testing::distance_at(square, ma, square, mb, r.time.touch), 1e-5 * 1.001);
      ++contacts;
    } else {
      frees += r.status == Status::free;
    }
  }
  EXPECT_GT(contacts, 1);
  EXPECT_GT(frees, 1);
}

/// Before the first contact a connected surface is wholly inside or wholly outside a torus, so f has one sign on all of
/// its points; at the contact both reported points are on their surfaces.
void expect_one_side(const Motion& ma, const std::vector<Vec3>& points, const Motion& mb, double until) {
  if (until == 0) return;  // they start in contact
  for (int i = 0; i <= 200; ++i) {
    const double t = until * i / 200 * (1 - 1e-9);
    const Placement a = ma.at(t), b = mb.at(t);
    int inside = 0, outside = 0;
    for (const Vec3& y : points) {
      const Vec3 x = testing::local(a, b.apply(y));
      const double ring = std::sqrt(x.x * x.x + x.y * x.y) - 0.75;
      const double f = ring * ring + x.z * x.z - 0.0625;
      (f < 0 ? inside : outside) += std::fabs(f) > 1e-9;
    }
    ASSERT_TRUE(inside == 0 || outside == 0) << "at " << t;
  }
}

TEST(SurfacePair, RandomFlightsStayOnOneSideUntilTheContact) {
  oracle::Random random(RandomBudget::seed(92));
  std::vector<Vec3> net;
  oracle::Random shape(5);
  for (int i = 0; i < 16; ++i) net.push_back({i / 4 / 3.0, i % 4 / 3.0, 0.5 * oracle::real(shape)});
  const auto patch = bezier_patch(3, 3, net);
  std::vector<Vec3> points;
  for (int i = 0; i < 900; ++i) {
    const IntervalBox3 p = patch->over(Interval(i / 30 / 29.0), Interval(i % 30 / 29.0));
    points.push_back({p[0].lo, p[1].lo, p[2].lo});
  }
  const SurfaceBody torus(torus_surface(0.75, 0.25)), sail({patch});
  int contacts = 0, frees = 0;
  for (RandomBudget budget(40); budget.more();) {
    SCOPED_TRACE("seed " + std::to_string(RandomBudget::seed(92)));
    const Motion ma = testing::random_flight(random, 1.8), mb = testing::random_flight(random, 1.8);
    const auto r = first_contact(torus, ma, sail, mb, {.tolerance = 1e-5});
    ASSERT_NE(r.status, Status::undecided);
    expect_one_side(ma, points, mb, r.time.safe);
    const auto swapped = first_contact(sail, mb, torus, ma, {.tolerance = 1e-5});
    EXPECT_EQ(swapped.status, r.status);
    frees += r.status == Status::free;
    if (r.status != Status::contact) continue;
    ++contacts;
    EXPECT_NEAR(swapped.time.touch, r.time.touch, 1e-3);
    const Vec3 x = testing::local(ma.at(r.time.touch), (*r.points)[0]);
    const double ring = std::sqrt(x.x * x.x + x.y * x.y) - 0.75;
    EXPECT_NEAR(std::sqrt(ring * ring + x.z * x.z), 0.25, 1e-6);
    const IntervalBox3 at = patch->over(r.where_b[0], r.where_b[1]);
    const Vec3 y = mb.at(r.time.touch).apply({at[0].lo, at[1].lo, at[2].lo});
    EXPECT_LT(length(y - (*r.points)[1]), 1e-6);
    EXPECT_LE(length((*r.points)[1] - (*r.points)[0]), r.tolerance * (1 + 1e-6));
  }
  EXPECT_GT(contacts, 1);
  EXPECT_GT(frees, 1);
}

/// Starts that cross, coincide or are within the tolerance; patches that are a point; functions without derivatives.
TEST(SurfacePair, DegenerateStartsAndShapes) {
  const SurfaceBody ring(torus_surface(1, 0.25)), sphere = ball(0.5);
  const SurfaceBody point({bezier_patch(1, 1, std::vector<Vec3>(4, Vec3{0, 0, 0}))});
  for (const double x : {0.9, 1.0, 1.75 + 5e-7}) {
    const auto r = first_contact(ring, Still{}, sphere, straight({x, 0, 0}, {9, 0, 0}), {.tolerance = 1e-6});
    EXPECT_EQ(r.status, Status::contact) << x;
    EXPECT_EQ(r.time.touch, 0) << x;
  }
  const auto same = first_contact(ring, Still{}, ring, Still{}, {.tolerance = 1e-4});
  EXPECT_EQ(same.status, Status::contact);
  EXPECT_EQ(same.time.touch, 0);
  expect_touch(first_contact(point, straight({0, 0, 2}, {0, 0, 0}), sphere, Still{}, {.tolerance = 1e-6}), 0.75, 1e-6);
  EXPECT_EQ(first_contact(point, Still{}, point, straight({1, 0, 0}, {0.5, 0, 0}), {.tolerance = 1e-6}).status,
            Status::free);
  expect_touch(first_contact(point, Still{}, point, straight({1, 0, 0}, {-1, 0, 0}), {.tolerance = 1e-6}), 0.5, 1e-6);
  const SurfaceBody rough(std::make_shared<testing::BallSurface>(1, false));
  const auto r = first_contact(rough, Still{}, sphere, straight({4, 0, 0}, {-4, 0, 0}), {.tolerance = 1e-2});
  expect_touch(r, 2.5 / 8, 2e-2);
}

/// A ball at the end of an arm of length 2 turns by 90 degrees and meets one that stands at 60 degrees, on the same
/// circle: they touch when the chord between their centres is the sum of the radii.
TEST(SurfacePair, OnALinkOfAChain) {
  const Chain chain({{"shoulder", "", {JointType::revolute, Pose(), {0, 0, 1}, 0}},
                     {"hand", "shoulder", {JointType::fixed, Pose({2, 0, 0}), {0, 0, 1}, 0}}});
  const std::vector<double> from{0}, to{0.5 * std::numbers::pi};
  const Motion hand = chain.link_motion(*chain.find("hand"), from, to);
  const double angle = std::numbers::pi / 3, apart = 2 * std::asin(0.25);
  const Motion stands = Still{Pose({2 * std::cos(angle), 2 * std::sin(angle), 0})};
  const auto r = first_contact(ball(0.5), hand, globe(0.5), stands, {.tolerance = 1e-6});
  expect_touch(r, (angle - apart) / to[0], 1e-6);
  EXPECT_EQ(r.direction, ContactDirection::incoming);
}

TEST(SurfacePair, LimitsAndMistakes) {
  const SurfaceBody ring(torus_surface(1, 0.25));
  const Motion falling = straight({0.3, 0, 5}, {0, 0, -5}, turned_about({1, 0, 0}, 0.3));
  const auto cut = first_contact(ring, falling, ring, Still{}, {.work = 20});
  EXPECT_EQ(cut.status, Status::undecided);
  EXPECT_LT(cut.time.safe, 0.48);
  EXPECT_TRUE(std::isnan(cut.time.touch) && std::isnan(cut.gap));
  const CancelSource cancel;
  cancel.cancel();
  EXPECT_EQ(first_contact(ring, falling, ring, Still{}, {.cancel = cancel.token()}).status, Status::undecided);
  EXPECT_EQ(first_contact(ring, falling, ring, Still{}, {.budget = std::chrono::nanoseconds(0)}).status,
            Status::undecided);
  for (const double bad : {-1.0, std::nan("")})
    EXPECT_EQ(first_contact(ring, falling, ring, Still{}, {.tolerance = bad}).status, Status::invalid_request);
  MethodCounters own;
  const auto whole = first_contact(ring, falling, ring, Still{}, {.tolerance = 1e-4, .method_counters = &own});
  EXPECT_EQ(whole.status, Status::contact);
  EXPECT_GT(whole.counters.continuous_box_tests, 0u);
  EXPECT_GT(whole.counters.elementary_tests, 0u);
}

/// f^2 touches zero without passing it: no point of the surface can be certified, and no contact is claimed. Functions
/// that tell nothing (all of space, NaN) below some size prove nothing, either.
class Unsure : public ImplicitSurface {
 public:
  explicit Unsure(double vague_below) : vague_below_(vague_below) {}
  Interval over(const IntervalBox3& p) const override {
    if (p[0].hi - p[0].lo < vague_below_) return {std::nan(""), std::nan("")};
    return sqr(sqr(p[0]) + sqr(p[1]) + sqr(p[2]) - Interval(1));
  }
  Box3 bounds() const override { return {{-1.5, -1.5, -1.5}, {1.5, 1.5, 1.5}}; }

 private:
  double vague_below_;
};
class Vague : public ParametricPatch {
 public:
  IntervalBox3 over(const Interval& u, const Interval& v) const override {
    if (u.hi - u.lo < 0x1p-6) return {Interval::whole(), Interval::whole(), {std::nan(""), 1}};
    return {u, v, Interval(0)};
  }
};

TEST(SurfacePair, FunctionsThatDoNotTellGiveNoWrongAnswer) {
  const SurfaceBody sphere = ball(0.5);
  const Motion meets = straight({3, 0, 0}, {-3, 0, 0}), misses = straight({9, 9, 0}, {-9, 9, 0});
  const SurfaceBody bodies[] = {SurfaceBody(std::make_shared<Unsure>(0.0), {.leaf_size = 0.25}),
                                SurfaceBody(std::make_shared<Unsure>(1e-3), {.leaf_size = 0.25}),
                                SurfaceBody({std::make_shared<Vague>()}, {.leaf_size = 0.25})};
  for (const SurfaceBody& body : bodies)
    for (const bool swap : {false, true}) {
      const auto ask = [&](const Motion& motion) {
        const SurfaceContactOptions options{.tolerance = 1e-2, .work = 20000};
        return swap ? first_contact(sphere, motion, body, Still{}, options)
                    : first_contact(body, Still{}, sphere, motion, options);
      };
      const auto r = ask(meets);
      EXPECT_EQ(r.status, Status::undecided);
      EXPECT_LT(r.time.safe, 0.5);
      EXPECT_EQ(ask(misses).status, Status::free);
    }
}

TEST(SurfacePair, SurfacesOfAtomsAndOfGalaxies) {
  for (const int power : {-1000, -600, 600, 1000}) {
    SCOPED_TRACE(power);
    const double unit = std::ldexp(1.0, power);
    const SurfaceBody ring(torus_surface(unit, 0.25 * unit));
    std::vector<Vec3> net;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) net.push_back({i == 1 && j == 1 ? unit : 0, (i - 1) * unit, (j - 1) * unit});
    const SurfaceBody sail({bezier_patch(2, 2, net)});
    // The sail bulges by a quarter of its middle point, and the ring reaches 1.25.
    const auto r = first_contact(sail, straight({-3 * unit, 0, 0}, {3 * unit, 0, 0}), ring, Still{});
    ASSERT_EQ(r.status, Status::contact);
    EXPECT_NEAR(r.time.touch, 0.25, 1e-5);
    EXPECT_LE(r.time.touch, 0.25);
    EXPECT_NEAR((*r.points)[0].x / unit, -1.25, 1e-4);
    EXPECT_NEAR(r.where_b[0].lo / unit, -1.25, 1e-2);
    EXPECT_EQ(first_contact(sail, straight({-3 * unit, 3 * unit, 0}, {3 * unit, 3 * unit, 0}), ring, Still{}).status,
              Status::free);
  }
}

}  // namespace
}  // namespace graze
