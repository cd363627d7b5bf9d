// SPDX-License-Identifier: MIT
// Moving features with the magnitude of every input chosen independently. Every method is compared with the exact one.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <sstream>

#include <graze/ask/elementary.hpp>

#include "conformance/exponent_sweep.hpp"

namespace graze {
namespace {

using testing::Exponents;
using testing::power;
using testing::RandomBudget;

void sweep(std::uint64_t start, int cases, const std::function<void(oracle::Random&, int)>& check) {
  const std::uint64_t seed = RandomBudget::seed(start);
  SCOPED_TRACE("seed " + std::to_string(seed));
  oracle::Random random(seed);
  RandomBudget budget(cases);
  for (int i = 0; budget.more(); ++i) {
    check(random, i);
    if (::testing::Test::HasFailure() && !std::getenv("GRAZE_SWEEP_ALL")) return;
  }
}

struct Features {
  ElementaryQuery query;
  std::string text;
};

/// Two features that meet at t = 1/2, or were then moved apart; each with its own size, speed and position.
Features any_features(oracle::Random& random) {
  Exponents e(random);
  Features f;
  f.query.kind = static_cast<ElementaryKind>(random() % 4);
  const int size_a = e.next(), size_b = e.next(), place = e.next(), speed_a = e.next(), speed_b = e.next(),
            apart = e.next();
  const bool shifted = random() % 2;
  std::ostringstream text;
  text << "kind " << static_cast<int>(f.query.kind) << " sizes 2^" << size_a << " 2^" << size_b << " speeds 2^"
       << speed_a << " 2^" << speed_b << " at 2^" << place << " apart 2^" << apart << (shifted ? "" : " (not)");
  f.text = text.str();
  const std::size_t first = f.query.kind == ElementaryKind::edge_edge ? 2 : 1;
  const Vec3 centre = testing::direction(random) * power(place);
  std::array<Vec3, 4> corner, way;
  for (std::size_t k = 0; k < 4; ++k) {
    const bool of_a = k < first;
    corner[k] = testing::direction(random) * power(of_a ? size_a : size_b);
    way[k] = testing::direction(random) * power(of_a ? speed_a : speed_b);
  }
  if (first == 1) corner[0] = {};
  if (first == 2) corner[1] = corner[0] * -1.0;
  // Weights of the point of the second feature that is at the centre.
  const std::size_t last = f.query.kind == ElementaryKind::vertex_face     ? 4
                           : f.query.kind == ElementaryKind::vertex_vertex ? 2
                                                                           : first + 2;
  if (last == first + 2) corner[first + 1] = corner[first] * -1.0;
  if (last == 4 && first == 1) corner[3] = (corner[1] + corner[2]) * -1.0;
  if (last == 2) corner[1] = {};
  for (std::size_t k = 0; k < 4; ++k) {
    const std::size_t i = std::min(k, last - 1);
    Vec3 at = centre + corner[i];
    if (shifted && i >= first) at = at + testing::direction(random) * power(apart);
    f.query.start[k] = at - way[i];
    f.query.end[k] = at + way[i];
  }
  for (std::size_t k = last; k < 4; ++k) {
    f.query.start[k] = f.query.start[last - 1];
    f.query.end[k] = f.query.end[last - 1];
  }
  return f;
}

TEST(ExponentSweep, ElementaryMethodsAgreeAtAnyMagnitude) {
  int contacts = 0, free = 0;
  sweep(1310, 400, [&](oracle::Random& random, int i) {
    const Features f = any_features(random);
    SCOPED_TRACE(std::to_string(i) + ": " + f.text);
    ElementaryOptions options;
    options.method = "exact";
    if (random() % 3 == 0) options.tolerance = power(oracle::whole(random, -1000, 1000));
    const ElementaryResult truth = elementary_contact(f.query, options);
    const bool touches = truth.status == Status::contact || truth.status == Status::touching_at_start;
    (touches ? contacts : free) += 1;
    for (const ElementaryTraits& method : elementary_methods())
      for (const bool exact : {false, true}) {
        SCOPED_TRACE(std::string(method.name) + (exact ? " exact" : ""));
        options.method = method.name;
        options.exact = exact;
        options.work = 20000;
        const ElementaryResult r = elementary_contact(f.query, options);
        if (!method.certified) continue;
        if (r.status == Status::free && truth.status != Status::invalid_request) {
          EXPECT_FALSE(touches);
        }
        if (r.status == Status::contact || r.status == Status::touching_at_start) {
          EXPECT_LE(r.gap, r.tolerance);
          if (exact && truth.status != Status::invalid_request) {
            EXPECT_TRUE(touches);
          }
        }
        if (exact && truth.status != Status::invalid_request) {
          EXPECT_NE(r.status, Status::invalid_request);
        }
        // As a single query and in a batch.
        options.work = 0;
        if (method.name != "advancement" || exact) continue;
        std::array<std::array<Vec3, 8>, 5> queries;
        for (auto& q : queries)
          for (std::size_t k = 0; k < 4; ++k) q[k] = f.query.start[k], q[k + 4] = f.query.end[k];
        std::array<ElementaryResult, 5> results;
        elementary_contacts(f.query.kind, queries, options, 1, results);
        for (const ElementaryResult& one : results) {
          if (one.status == Status::free) {
            EXPECT_FALSE(touches);
          }
          EXPECT_EQ(one.status == Status::invalid_request, r.status == Status::invalid_request);
        }
      }
  });
  EXPECT_GT(contacts, 30);
  EXPECT_GT(free, 30);
}

/// Features that touch are within every minimum separation, and `free` with one contradicts a contact that is nearer.
TEST(ExponentSweep, MinimumSeparationsAgreeAtAnyMagnitude) {
  int contacts = 0, free = 0;
  sweep(1311, 300, [&](oracle::Random& random, int i) {
    Features f = any_features(random);
    const int separation = oracle::whole(random, -1000, 1000);
    SCOPED_TRACE(std::to_string(i) + ": " + f.text + " separation 2^" + std::to_string(separation));
    ElementaryOptions options;
    options.method = "exact";
    const ElementaryResult meet = elementary_contact(f.query, options);
    const bool touches = meet.status == Status::contact || meet.status == Status::touching_at_start;
    options.min_separation = power(separation);
    options.work = 20000;
    bool some_free = false;
    double nearest = INFINITY;
    for (const ElementaryTraits& method : elementary_methods()) {
      SCOPED_TRACE(method.name);
      options.method = method.name;
      const ElementaryResult r = elementary_contact(f.query, options);
      if (method.name == "exact" || method.name == "cubic") {
        EXPECT_EQ(r.error, ErrorCode::unsupported);  // at any scale
        continue;
      }
      if (r.status == Status::free) {
        some_free = true;
        EXPECT_FALSE(touches);
      }
      if (r.status != Status::contact && r.status != Status::touching_at_start) continue;
      nearest = std::min(nearest, r.gap + r.tolerance);  // which is at least the rounding error
      EXPECT_LE(r.gap, options.min_separation + r.tolerance);
      EXPECT_TRUE(std::isfinite(r.tolerance));
    }
    (some_free ? free : contacts) += 1;
    if (some_free) {
      EXPECT_GT(nearest, options.min_separation * (1 - 1e-12));
    }
  });
  EXPECT_GT(contacts, RandomBudget::is_whole() ? 30 : 3);
  EXPECT_GT(free, RandomBudget::is_whole() ? 30 : 3);
}

}  // namespace
}  // namespace graze
