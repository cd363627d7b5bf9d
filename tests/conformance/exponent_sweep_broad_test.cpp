// SPDX-License-Identifier: MIT
// The broad phase with the magnitude of every position and size chosen independently: every method must give the
// answers of `all_pairs`, which only compares doubles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>

#include "conformance/exponent_sweep.hpp"

namespace graze {
namespace {

using testing::Exponents;
using testing::power;
using testing::RandomBudget;

/// Many boxes share a place, so that some overlap or touch whatever their sizes are.
struct Places {
  std::vector<Vec3> at;
  std::vector<int> size;  ///< exponents

  Places(oracle::Random& random, Exponents& e) {
    for (int i = 0; i < 4; ++i) {
      at.push_back(testing::direction(random) * power(e.next()));
      size.push_back(e.next());
    }
  }
};

double within_range(double x) { return std::clamp(x, -0x1p1023, 0x1p1023); }

Box3 any_box(oracle::Random& random, const Places& places) {
  const std::size_t i = random() % places.at.size();
  const Vec3 &at = places.at[i], moved = at + testing::direction(random) * power(places.size[i]);
  Box3 box;
  for (int k = 0; k < 3; ++k) {
    // The same numbers again and again, so that many faces touch exactly.
    const double half = power(places.size[i] - oracle::whole(random, 1, 2));
    const double middle = random() % 2 ? at[k] : moved[k];
    box.lo[k] = within_range(middle - (random() % 6 == 0 ? 0 : half));
    box.hi[k] = within_range(middle + (random() % 6 == 0 ? 0 : half));
  }
  return box;
}

/// All methods with the same bodies.
class Phases {
 public:
  Phases() {
    for (const BroadTraits& traits : broad_phases())
      phases_.emplace_back(traits.name, std::make_unique<BroadPhase>(BroadOptions{.method = traits.name}));
  }
  template <class Change>
  void change(Change&& apply) {
    for (auto& [name, phase] : phases_) apply(*phase);
  }
  /// `ask(phase)` returns the same for all.
  template <class Ask>
  void expect_same(const char* what, Ask&& ask) {
    SCOPED_TRACE(what);
    const auto truth =
        std::find_if(phases_.begin(), phases_.end(), [](const auto& p) { return p.first == "all_pairs"; });
    const auto expected = ask(*truth->second);
    found_ += expected.size();
    for (auto& [name, phase] : phases_) {
      if (name == "all_pairs") continue;
      SCOPED_TRACE(name);
      EXPECT_EQ(ask(*phase), expected);
    }
  }
  std::size_t found() const { return found_; }

 private:
  std::vector<std::pair<std::string_view, std::unique_ptr<BroadPhase>>> phases_;
  std::size_t found_ = 0;
};

void expect_same_answers(oracle::Random& random, const Places& places, Phases& phases) {
  phases.expect_same("pairs", [](BroadPhase& p) {
    std::vector<BoxPair> out;
    p.pairs(out);
    return out;
  });
  for (int i = 0; i < 3; ++i) {
    const Box3 box = any_box(random, places);
    phases.expect_same("overlapping", [&](BroadPhase& p) {
      std::vector<std::uint32_t> out;
      p.overlapping(box, out);
      return out;
    });
    const Vec3 from = places.at[random() % places.at.size()], along = testing::direction(random);
    const double length = random() % 2 ? power(places.size[0]) : INFINITY;
    phases.expect_same("along a ray", [&](BroadPhase& p) {
      std::vector<std::uint32_t> out;
      p.along_ray(from, along, length, out);
      return out;
    });
  }
}

TEST(ExponentSweep, BroadPhasesAgreeAtAnyMagnitude) {
  const std::uint64_t seed = RandomBudget::seed(1320);
  SCOPED_TRACE("seed " + std::to_string(seed));
  oracle::Random random(seed);
  std::size_t found = 0;
  RandomBudget budget(60);
  for (int i = 0; budget.more(); ++i) {
    Exponents e(random);
    const Places places(random, e);
    SCOPED_TRACE(std::to_string(i) + ": common 2^" + std::to_string(e.common()));
    Phases phases;
    const std::uint32_t n = 10 + static_cast<std::uint32_t>(random() % 80);
    for (std::uint32_t id = 0; id < n; ++id) {
      const Box3 box = any_box(random, places);
      phases.change([&](BroadPhase& p) { p.insert(id, box); });
    }
    expect_same_answers(random, places, phases);
    for (int move = 0; move < 12; ++move) {
      const auto id = static_cast<std::uint32_t>(random() % n);
      const Box3 box = any_box(random, places);
      phases.change([&](BroadPhase& p) { p.update(id, box); });
    }
    phases.expect_same("moved pairs", [](BroadPhase& p) {
      std::vector<BoxPair> out;
      p.moved_pairs(out);
      return out;
    });
    expect_same_answers(random, places, phases);
    found += phases.found();
    if (HasFailure()) return;
  }
  EXPECT_GT(found, 1000u);
}

/// A box of some size that is turned about an axis, and the box around it.
TiltedBox any_tilted(oracle::Random& random, const Vec3& at, double size, Box3& around) {
  const double c = oracle::whole(random, -4, 4) * 0.25, s = 1 - 0.25 * oracle::whole(random, 0, 3);
  const double flat = size * power(-oracle::whole(random, 0, 4));
  TiltedBox box{at, {Vec3{c * size, s * size, 0}, Vec3{-s * flat, c * flat, 0}, Vec3{0, 0, size}}};
  around = {};
  for (int i = 0; i < 8; ++i) {
    Vec3 x = box.corner;
    for (int k = 0; k < 3; ++k)
      if (i >> k & 1) x = x + box.edges[static_cast<std::size_t>(k)];
    // One unit more for the rounding of the corners.
    for (int k = 0; k < 3; ++k) {
      around.lo[k] = std::min(around.lo[k], std::nextafter(x[k] - 0x1p-50 * std::fabs(x[k]), -INFINITY));
      around.hi[k] = std::max(around.hi[k], std::nextafter(x[k] + 0x1p-50 * std::fabs(x[k]), INFINITY));
    }
  }
  return box;
}

/// With tilted boxes, `grid` may report fewer pairs than the others, but none that is not theirs, and all bodies that
/// share a point: here the corner of both.
TEST(ExponentSweep, TiltedBoxesLoseNoBodiesThatMeetAtAnyMagnitude) {
  const std::uint64_t seed = RandomBudget::seed(1321);
  SCOPED_TRACE("seed " + std::to_string(seed));
  oracle::Random random(seed);
  std::size_t fewer = 0, meeting = 0;
  RandomBudget budget(200);
  for (int i = 0; budget.more(); ++i) {
    Exponents e(random, 990);
    const int size = e.next(), place = e.next();
    SCOPED_TRACE(std::to_string(i) + ": sizes 2^" + std::to_string(size) + " at 2^" + std::to_string(place));
    BroadPhase grid({.method = "grid", .cell = power(size - 1)}), plain({.method = "all_pairs"});
    std::vector<Vec3> corners;
    const std::uint32_t n = 30;
    for (std::uint32_t id = 0; id < n; ++id) {
      const Vec3 at = id > 0 && random() % 3 == 0
                          ? corners[random() % corners.size()]
                          : testing::direction(random) * power(place) + testing::direction(random) * power(size + 2);
      corners.push_back(at);
      Box3 around;
      const TiltedBox box = any_tilted(random, at, power(size), around);
      for (BroadPhase* phase : {&grid, &plain}) {
        phase->insert(id, around);
        phase->tilt(id, box);
      }
    }
    std::vector<BoxPair> found, all;
    grid.pairs(found);
    plain.pairs(all);
    EXPECT_TRUE(std::includes(all.begin(), all.end(), found.begin(), found.end()));
    fewer += all.size() - found.size();
    for (std::uint32_t a = 0; a < n; ++a)
      for (std::uint32_t b = a + 1; b < n; ++b) {
        if (corners[a] != corners[b]) continue;
        ++meeting;
        EXPECT_TRUE(std::binary_search(found.begin(), found.end(), BoxPair{a, b})) << a << " " << b;
      }
    if (HasFailure()) return;
  }
  EXPECT_GT(fewer, 10u);
  EXPECT_GT(meeting, 100u);
}

}  // namespace
}  // namespace graze
