// SPDX-License-Identifier: MIT
// Discrete (static) questions with the magnitude of every input chosen independently: sizes, positions, quaternions,
// distances. Every certified answer is compared with rational arithmetic if that is fast enough, and otherwise with the
// other methods.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <sstream>

#include <graze/ask/convex_distance.hpp>
#include <graze/classic/zachmann.hpp>

#include "conformance/exponent_sweep.hpp"
#include "soups.hpp"

namespace graze {
namespace {

using testing::Exponents;
using testing::power;
using testing::RandomBudget;

using Scene = testing::PlacedPair;
using testing::sweep_pairs;

bool decided(Status s) { return s == Status::free || s == Status::contact; }

TEST(ExponentSweep, CollideAgreesAtAnyMagnitude) {
  int contacts = 0, apart = 0;
  sweep_pairs(1302, 80, 1000, [&](oracle::Random&, const Scene& s) {
    const Body a(s.a), b(s.b);
    CollideOptions all;
    all.method = "tree";
    all.all = true;
    const CollideResult surface = collide(a, s.pose_a, b, s.pose_b, all);
    ASSERT_TRUE(decided(surface.status));
    if (s.is_small()) {
      ASSERT_EQ(surface.pairs, testing::truth(s.a, s.pose_a, s.b, s.pose_b).pairs);
    }
    all.all = false;
    all.solid = true;
    const CollideResult solid = collide(a, s.pose_a, b, s.pose_b, all);
    (surface.status == Status::contact ? contacts : apart) += 1;
    for (const MethodTraits& method : collide_methods())
      for (const bool as_solid : {false, true}) {
        if (as_solid ? false : !method.surface) continue;
        SCOPED_TRACE(std::string(method.name) + (as_solid ? " solid" : ""));
        CollideOptions options;
        options.method = method.name;
        options.solid = as_solid;
        options.all = !as_solid && method.all_pairs && method.free_certain;
        const CollideResult r = collide(a, s.pose_a, b, s.pose_b, options);
        const Status truth = as_solid ? solid.status : surface.status;
        if (r.status == Status::free && method.free_certain) {
          EXPECT_EQ(truth, Status::free);
        }
        if (r.status == Status::contact && method.contact_certain) {
          EXPECT_EQ(truth, Status::contact);
        }
        if (options.all && decided(r.status)) {
          EXPECT_EQ(r.pairs, surface.pairs);
        }
      }
    CollideOptions one_shot;
    one_shot.method = "brute";
    one_shot.zachmann = classic::zachmann::Options{.brute = {.one_shot = true}};
    one_shot.all = true;
    EXPECT_EQ(collide(a, s.pose_a, b, s.pose_b, one_shot).pairs, surface.pairs) << "one_shot";
  });
  EXPECT_GT(contacts, 5);
  EXPECT_GT(apart, 5);
}

TEST(ExponentSweep, SelfCollideAgreesAtAnyMagnitude) {
  sweep_pairs(1303, 40, 1000, [&](oracle::Random&, const Scene& s) {
    // Both bodies as one mesh, with their placed vertices rounded.
    std::vector<Vec3> positions;
    PolygonList polygons = s.a.polygons();
    for (const Vec3& x : s.a.positions()) positions.push_back(s.pose_a.apply(x));
    const auto first = static_cast<std::uint32_t>(positions.size());
    for (const Vec3& x : s.b.positions()) positions.push_back(s.pose_b.apply(x));
    for (std::size_t i = 0; i < s.b.polygons().size(); ++i) {
      std::vector<std::uint32_t> corners(s.b.polygons()[i].begin(), s.b.polygons()[i].end());
      for (std::uint32_t& c : corners) c += first;
      polygons.add(corners);
    }
    if (!std::ranges::all_of(positions, [](const Vec3& x) { return is_finite(x); })) return;
    const Body body(Mesh(std::move(positions), std::move(polygons)));
    SelfCollideOptions options;
    options.all = true;
    const SelfCollideResult tree = self_collide(body, options);
    options.method = "brute";
    EXPECT_EQ(tree.pairs, self_collide(body, options).pairs);
  });
}

/// The squared distance of the surfaces, in rational arithmetic.
oracle::Rational true_square(const Scene& s) {
  std::optional<oracle::Rational> least;
  for (std::uint32_t i = 0; i < s.a.triangle_count(); ++i)
    for (std::uint32_t j = 0; j < s.b.triangle_count(); ++j) {
      const auto d = oracle::squared_distance(testing::placed_triangle(s.a, s.pose_a, i),
                                              testing::placed_triangle(s.b, s.pose_b, j));
      if (!least || d < *least) least = d;
    }
  return *least;
}

TEST(ExponentSweep, DistanceAgreesAtAnyMagnitude) {
  int positive = 0;
  sweep_pairs(1304, 40, 1000, [&](oracle::Random& random, const Scene& s) {
    const Body a(s.a), b(s.b);
    DistanceOptions options;
    const DistanceResult tree = distance(a, s.pose_a, b, s.pose_b, options);
    options.method = "brute";
    const DistanceResult brute = distance(a, s.pose_a, b, s.pose_b, options);
    ASSERT_EQ(tree.status, brute.status);
    ASSERT_LE(std::fabs(tree.distance - brute.distance), 2e-9 * brute.distance);
    ASSERT_EQ(tree.status == Status::contact, collide(a, s.pose_a, b, s.pose_b).status == Status::contact);
    if (s.a.triangle_count() * s.b.triangle_count() <= 16) {
      const oracle::Rational square = true_square(s), d = oracle::exact(brute.distance);
      ASSERT_LE(d * d * oracle::exact(1 - 4e-9), square);
      ASSERT_GE(d * d * oracle::exact(1 + 4e-9) + oracle::exact(0x1p-1074) * oracle::exact(0x1p-1074), square);
    }
    const double d = brute.distance;
    if (d > 0) ++positive;
    const double above = d * (1 + 1e-7), below = d * (1 - 1e-7);
    if (std::isfinite(above) && d > 1e-300) {
      EXPECT_EQ(within(above, a, s.pose_a, b, s.pose_b).status, Status::contact);
      EXPECT_EQ(within(below, a, s.pose_a, b, s.pose_b).status, Status::free);
    }
    const double other = power(oracle::whole(random, -1000, 1000));
    EXPECT_EQ(within(other, a, s.pose_a, b, s.pose_b).status == Status::contact, d <= other);
  });
  EXPECT_GT(positive, 5);
}

TEST(ExponentSweep, ConvexDistanceAgreesAtAnyMagnitude) {
  sweep_pairs(1305, 60, 1000, [&](oracle::Random&, const Scene& s) {
    const Body a(s.a), b(s.b);
    std::optional<ConvexBody> ca, cb;
    try {
      ca.emplace(a);
      cb.emplace(b);
    } catch (const Error&) {
      return;  // a scaled ball may have lost its exact convexity by rounding
    }
    CollideOptions solid;
    solid.solid = true;
    solid.method = "tree";
    const Status truth = collide(a, s.pose_a, b, s.pose_b, solid).status;
    EXPECT_EQ(convex_collide(*ca, s.pose_a, *cb, s.pose_b).status, truth);
    const ConvexDistanceResult r = convex_distance(*ca, s.pose_a, *cb, s.pose_b);
    EXPECT_EQ(r.status, truth);
    if (truth != Status::free) return;
    const double d = distance(a, s.pose_a, b, s.pose_b).distance;
    EXPECT_LE(std::fabs(r.distance - d), 4e-9 * d);
  });
}

TEST(ExponentSweep, ContainsAndRaysAgreeWithRationalsAtAnyMagnitude) {
  int inside = 0, hits = 0;
  sweep_pairs(1306, 80, 1000, [&](oracle::Random& random, const Scene& s) {
    if (s.a.triangle_count() > 12) return;
    const Body a(s.a);
    std::vector<oracle::Triangle> surface;
    for (std::uint32_t i = 0; i < s.a.triangle_count(); ++i)
      surface.push_back(testing::placed_triangle(s.a, s.pose_a, i));
    const Vec3 from = s.pose_b.apply(testing::point_on(random, s.b)),
               to = random() % 2 ? s.pose_a.translation() : s.pose_a.apply(testing::point_on(random, s.a));
    if (!is_finite(from) || !is_finite(to)) return;
    for (const Vec3& p : {from, to}) {
      const oracle::Where where = oracle::point_in_polyhedron(oracle::exact(p), surface);
      const Location location = contains(a, s.pose_a, p).location;
      EXPECT_EQ(location == Location::inside, where == oracle::Where::inside);
      EXPECT_EQ(location == Location::on_surface, where == oracle::Where::on_surface);
      inside += where == oracle::Where::inside;
    }
    const bool meets = std::ranges::any_of(surface, [&](const oracle::Triangle& t) {
      return oracle::segment_meets_triangle(oracle::exact(from), oracle::exact(to), t);
    });
    const RayResult ray = cast_ray(a, s.pose_a, from, to);
    EXPECT_EQ(ray.hit.has_value(), meets);
    hits += meets;
    if (ray.hit) {
      EXPECT_TRUE(ray.hit->fraction >= 0 && ray.hit->fraction <= 1) << ray.hit->fraction;
    }
  });
  EXPECT_GT(inside, 1);
  EXPECT_GT(hits, 1);
}

TEST(ExponentSweep, InterferenceAgreesAtAnyMagnitude) {
  sweep_pairs(1307, 40, 1000, [&](oracle::Random&, const Scene& s) {
    const std::vector<InterferenceBody> bodies{{s.a, {}, s.pose_a}, {s.b, {}, s.pose_b}};
    InterferenceOptions options;
    options.method = "brute";
    const InterferenceResult truth = interference(bodies, options);
    for (const InterferenceTraits& method : interference_methods()) {
      SCOPED_TRACE(method.name);
      options.method = method.name;
      const InterferenceResult r = interference(bodies, options);
      EXPECT_EQ(r.status, truth.status);
      EXPECT_EQ(r.pairs, truth.pairs);
    }
    CollideOptions all;
    all.method = "tree";
    all.all = true;
    const CollideResult pair = collide(Body(s.a), s.pose_a, Body(s.b), s.pose_b, all);
    if (truth.status != Status::invalid_request) {
      EXPECT_EQ(truth.pairs.size(), pair.pairs.size());
    }
  });
}

}  // namespace
}  // namespace graze
