// SPDX-License-Identifier: MIT
// Elementary contacts along polynomial paths.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <graze/ask/elementary.hpp>

#include "engine/elementary/closest_now.hpp"
#include "oracle/moving_features.hpp"
#include "random_budget.hpp"

namespace graze {
namespace {

using oracle::MotionFamily;
using oracle::Random;
using testing::RandomBudget;

using Control = std::vector<std::array<Vec3, 4>>;

constexpr ElementaryKind kinds[] = {ElementaryKind::vertex_face, ElementaryKind::edge_edge, ElementaryKind::vertex_edge,
                                    ElementaryKind::vertex_vertex};

/// A straight motion as one of a higher degree: exact for whole numbers and a degree that is a power of two.
Control elevated(const ElementaryQuery& q, int degree) {
  Control control(static_cast<std::size_t>(degree) + 1);
  for (int k = 0; k <= degree; ++k)
    for (std::size_t i = 0; i < 4; ++i)
      control[static_cast<std::size_t>(k)][i] = q.start[i] + (q.end[i] - q.start[i]) * (double(k) / degree);
  return control;
}

std::array<Vec3, 4> place(const Control& control, double t) {
  Control p = control;
  for (std::size_t r = 1; r < p.size(); ++r)
    for (std::size_t k = 0; k + r < p.size(); ++k)
      for (std::size_t i = 0; i < 4; ++i) p[k][i] = p[k][i] * (1 - t) + p[k + 1][i] * t;
  return p[0];
}
/// The distance of the points that the weights name.
double gap_by_weights(ElementaryKind kind, const std::array<Vec3, 4>& p, const std::array<double, 4>& w) {
  const std::size_t firsts = kind == ElementaryKind::edge_edge ? 2 : 1;
  Vec3 x;
  for (std::size_t i = 0; i < 4; ++i) x = i < firsts ? x + p[i] * w[i] : x - p[i] * w[i];
  return length(x);
}
double gap_at(ElementaryKind kind, const Control& control, double t) {
  const auto p = place(control, t);
  return engine::elementary::closest_now({kind, p, p}, 0).gap;
}

TEST(ElementaryCurved, StraightMotionsOfAnyDegreeAgainstExact) {
  const std::uint64_t seed = RandomBudget::seed(418);
  Random random(seed);
  ElementaryOptions exactly;
  exactly.method = "exact";
  int contacts = 0, frees = 0;
  for (RandomBudget budget(400); budget.more();)
    for (const ElementaryKind kind : kinds) {
      const auto family = static_cast<MotionFamily>(oracle::whole(random, 0, int(MotionFamily::degenerate)));
      const ElementaryQuery q = oracle::random_motion(random, kind, family);
      const ElementaryResult truth = elementary_contact(q, exactly), straight = elementary_contact(q);
      for (const int degree : {1, 2, 4}) {
        if (degree > 1 && family == MotionFamily::general) continue;  // elevating would round
        const Control control = elevated(q, degree);
        const ElementaryResult r = elementary_contact(CurvedElementaryQuery{kind, control});
        SCOPED_TRACE("seed " + std::to_string(seed) + " degree " + std::to_string(degree) + "\n" + oracle::describe(q));
        if (truth.status != Status::free) {
          ASSERT_NE(r.status, Status::free);
          ASSERT_LE(r.time.safe, truth.time.touch);
          ++contacts;
        }
        ASSERT_EQ(r.status == Status::touching_at_start, straight.status == Status::touching_at_start);
        if (r.status == Status::contact) {
          ASSERT_LE(r.gap, r.tolerance);
          ASSERT_NEAR(gap_by_weights(kind, place(control, r.time.touch), r.weights), r.gap, 1e-12);
        }
        frees += r.status == Status::free;
        ASSERT_LE(r.steps, 20000u);
      }
    }
  EXPECT_TRUE(contacts > 500 || !testing::RandomBudget::is_whole()) << contacts;
  EXPECT_GT(frees, 500);
}

/// Real curves that are made to touch at a known time, against sampling.
TEST(ElementaryCurved, CurvesThatTouchAreNeverMissed) {
  const std::uint64_t seed = RandomBudget::seed(419);
  Random random(seed);
  int early = 0;
  for (RandomBudget budget(300); budget.more();)
    for (const ElementaryKind kind : kinds) {
      Control control(static_cast<std::size_t>(oracle::whole(random, 2, 6)) + 1);
      for (auto& points : control)
        for (Vec3& p : points) p = oracle::real_point(random);
      const double touch = oracle::real(random, 0.05, 1);
      std::array<Vec3, 4> p = place(control, touch), moved = p;
      oracle::moving::make_touch(random, kind, moved);
      const std::size_t firsts = kind == ElementaryKind::edge_edge ? 2 : 1;
      for (std::size_t i = 0; i < firsts; ++i)
        for (auto& points : control) points[i] = points[i] + (moved[i] - p[i]);
      const ElementaryResult r = elementary_contact(CurvedElementaryQuery{kind, control});
      SCOPED_TRACE("seed " + std::to_string(seed));
      ASSERT_EQ(r.status, Status::contact);
      ASSERT_LE(r.time.safe, touch + 1e-12);
      ASSERT_LE(r.gap, r.tolerance);
      early += r.time.touch < touch - 1e-6;
      for (int k = 0; k < 20; ++k) {
        const double t = r.time.safe * (k / 20.0);
        ASSERT_GT(gap_at(kind, control, t), 1e-14) << "t " << t;
      }
    }
  EXPECT_GT(early, 0);  // some touch before, too
}

TEST(ElementaryCurved, FreeMeansFreeAtEverySample) {
  const std::uint64_t seed = RandomBudget::seed(420);
  Random random(seed);
  int frees = 0;
  for (RandomBudget budget(200); budget.more();)
    for (const ElementaryKind kind : kinds) {
      Control control(static_cast<std::size_t>(oracle::whole(random, 1, 5)) + 1);
      for (auto& points : control)
        for (Vec3& p : points) p = oracle::real_point(random);
      ElementaryOptions options;
      if (oracle::whole(random, 0, 1)) options.min_separation = 0.05;
      const ElementaryResult r = elementary_contact(CurvedElementaryQuery{kind, control}, options);
      const double until = r.status == Status::free ? 1 : r.time.safe;
      frees += r.status == Status::free;
      if (r.status == Status::touching_at_start) continue;
      for (int k = 0; k <= 50; ++k) {
        const double t = until * k / 50;
        ASSERT_GT(gap_at(kind, control, t), options.min_separation - 1e-12) << "seed " << seed << ", t " << t;
      }
    }
  EXPECT_GT(frees, 50);
}

TEST(ElementaryCurved, AParabolaThatDipsAndWhatIsRefused) {
  // A vertex whose height is 4 (t - 1/2)^2 + h above a face: touches at half time for h = 0.
  const auto dip = [](double h) {
    Control c(3, {{{0.25, 0.25, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}});
    c[0][0].z = 1 + h;
    c[1][0].z = -1 + h;
    c[2][0].z = 1 + h;
    return c;
  };
  const Control touching = dip(0), above = dip(0.001), through = dip(-0.75);
  const ElementaryResult r = elementary_contact(CurvedElementaryQuery{ElementaryKind::vertex_face, touching});
  EXPECT_EQ(r.status, Status::contact);
  EXPECT_NEAR(r.time.touch, 0.5, 1e-5);
  EXPECT_LE(r.time.safe, 0.5);
  EXPECT_EQ(elementary_contact(CurvedElementaryQuery{ElementaryKind::vertex_face, above}).status, Status::free);
  EXPECT_NEAR(elementary_contact(CurvedElementaryQuery{ElementaryKind::vertex_face, through}).time.touch,
              0.5 - std::sqrt(0.75) / 2, 1e-9);
  // The same at the ends of the range of doubles.
  for (const double scale : {0x1p1000, 0x1p-1000}) {
    Control large = through;
    for (auto& points : large)
      for (Vec3& p : points) p = p * scale;
    const ElementaryResult s = elementary_contact(CurvedElementaryQuery{ElementaryKind::vertex_face, large});
    EXPECT_EQ(s.status, Status::contact);
    EXPECT_NEAR(s.time.touch, 0.5 - std::sqrt(0.75) / 2, 1e-9);
  }
  ElementaryOptions options;
  options.work = 1;
  EXPECT_EQ(elementary_contact(CurvedElementaryQuery{ElementaryKind::vertex_face, above}, options).status,
            Status::undecided);
  options = {};
  options.exact = true;
  EXPECT_EQ(elementary_contact(CurvedElementaryQuery{ElementaryKind::vertex_face, above}, options).error,
            ErrorCode::unsupported);
  EXPECT_EQ(elementary_contact(CurvedElementaryQuery{ElementaryKind::vertex_face, Control(1)}).error,
            ErrorCode::bad_option);
  Control bad = above;
  bad[1][2].y = NAN;
  EXPECT_EQ(elementary_contact(CurvedElementaryQuery{ElementaryKind::vertex_face, bad}).error, ErrorCode::not_finite);
}

}  // namespace
}  // namespace graze
