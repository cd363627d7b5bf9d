// SPDX-License-Identifier: MIT
// Features on curved paths with the magnitude of every input chosen independently. The curves are such that straight
// paths pass through the same positions, for which exact arithmetic knows the answer.
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include <graze/ask/elementary.hpp>

#include "conformance/exponent_sweep.hpp"

namespace graze {
namespace {

using testing::Exponents;
using testing::power;
using testing::RandomBudget;

/// Two features that meet at some time of their straight paths, or were then moved apart; both may also move together.
ElementaryQuery any_features(oracle::Random& random, std::ostringstream& text) {
  Exponents e(random);
  ElementaryQuery q;
  q.kind = static_cast<ElementaryKind>(random() % 4);
  const int size = e.next(), speed = e.next(), together = e.next(), place = e.next(), apart = e.next();
  const bool shifted = random() % 2, fixed_axis = random() % 2;
  text << "kind " << static_cast<int>(q.kind) << " size 2^" << size << " speed 2^" << speed << " together 2^"
       << together << " at 2^" << place << " apart 2^" << apart << (shifted ? "" : " (not)");
  const std::size_t first = q.kind == ElementaryKind::edge_edge ? 2 : 1;
  // Along one axis only, large motions leave the digits of the others alone.
  const auto large = [&](int exponent) {
    const Vec3 v = testing::direction(random) * power(exponent);
    return fixed_axis ? Vec3{v.x, 0, 0} : v;
  };
  const Vec3 centre = large(place), both = large(together), way = testing::direction(random) * power(speed);
  std::array<Vec3, 4> corner;
  for (Vec3& c : corner) c = testing::direction(random) * power(size);
  if (fixed_axis)
    for (Vec3& c : corner) c.x = 0;
  if (q.kind == ElementaryKind::vertex_face) corner[3] = (corner[1] + corner[2]) * -1.0;
  if (q.kind == ElementaryKind::vertex_edge) corner[2] = corner[3] = corner[1] * -1.0;
  if (q.kind == ElementaryKind::vertex_vertex) corner = {};
  if (q.kind == ElementaryKind::edge_edge) corner[1] = corner[0] * -1.0, corner[3] = corner[2] * -1.0;
  if (first == 1) corner[0] = {};
  const Vec3 shift = shifted ? testing::direction(random) * power(apart) : Vec3{};
  for (std::size_t k = 0; k < 4; ++k) {
    const Vec3 at = centre + corner[k] + (k < first ? Vec3{} : shift), own = k < first ? way : way * -1.0;
    q.start[k] = at - own;
    q.end[k] = at + own + both;
  }
  return q;
}

/// The middle of two points; clears `exact` if it is rounded.
Vec3 middle(const Vec3& p, const Vec3& q, bool& exact) {
  Vec3 m;
  for (int k = 0; k < 3; ++k) {
    const double a = 0.5 * p[k], b = 0.5 * q[k];
    m[k] = a + b;
    const double rest = m[k] - a;
    exact = exact && (a - (m[k] - rest)) + (b - rest) == 0;
  }
  return m;
}

TEST(ExponentSweep, CurvedFeaturesMissNothingAtAnyMagnitude) {
  const std::uint64_t seed = RandomBudget::seed(1312);
  SCOPED_TRACE("seed " + std::to_string(seed));
  oracle::Random random(seed);
  int contacts = 0, free = 0;
  RandomBudget budget(2000);
  for (int i = 0; budget.more(); ++i) {
    std::ostringstream text;
    ElementaryQuery straight = any_features(random, text);
    const bool back = random() % 2;
    SCOPED_TRACE(std::to_string(i) + ": " + text.str() + (back ? ", and back" : ""));
    std::vector<std::array<Vec3, 4>> control(2 + random() % 3);
    const std::size_t degree = control.size() - 1;
    bool exact = back || degree == 1;
    if (back) {
      // p, q, p: at p + 2 t (1 - t) (q - p), so it goes straight to the middle of p and q, and back.
      control = {straight.start, straight.end, straight.start};
      for (std::size_t k = 0; k < 4; ++k) straight.end[k] = middle(straight.start[k], straight.end[k], exact);
    } else {
      // The straight path in Bernstein form of a higher degree; compared only where no control point is rounded.
      for (std::size_t k = 0; k <= degree; ++k)
        for (std::size_t j = 0; j < 4; ++j) {
          const double t = static_cast<double>(k) / static_cast<double>(degree);
          control[k][j] = straight.start[j] * (1 - t) + straight.end[j] * t;
        }
    }
    ElementaryOptions options;
    options.method = "exact";
    const ElementaryResult truth = elementary_contact(straight, options);
    if (truth.status == Status::invalid_request) continue;  // a position that is not finite
    const bool touches = truth.status == Status::contact || truth.status == Status::touching_at_start;
    options.method = "advancement";
    options.work = 20000;
    if (random() % 3 == 0) options.tolerance = power(oracle::whole(random, -1000, 1000));
    const ElementaryResult r = elementary_contact(CurvedElementaryQuery{straight.kind, control}, options);
    (r.status == Status::free ? free : contacts) += 1;
    if (r.status == Status::free && exact) {
      EXPECT_FALSE(touches);
    }
    // Touching at the start is decided exactly.
    if (r.status != Status::undecided) {
      EXPECT_EQ(r.status == Status::touching_at_start, truth.status == Status::touching_at_start);
    }
    if (r.status == Status::contact) {
      EXPECT_LE(r.gap, r.tolerance);
      EXPECT_TRUE(r.time.touch >= 0 && r.time.touch <= 1);
      EXPECT_TRUE(std::isfinite(r.tolerance));
    }
    if (HasFailure() && !std::getenv("GRAZE_SWEEP_ALL")) return;
  }
  EXPECT_GT(contacts, 30);
  EXPECT_GT(free, 30);
}

}  // namespace
}  // namespace graze
