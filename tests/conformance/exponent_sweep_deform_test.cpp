// SPDX-License-Identifier: MIT
// Steps of deforming meshes with the magnitude of every input chosen independently: sizes, positions, displacements,
// tolerances, minimum separations. `Deformable` is compared with `deform_brute`, which asks about every pair of
// features.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <sstream>

#include <graze/ask/deform_brute.hpp>

#include "conformance/exponent_sweep.hpp"

namespace graze {
namespace {

using testing::Exponents;
using testing::power;
using testing::RandomBudget;

struct Step {
  Mesh mesh;
  std::vector<Vec3> end, after;  ///< of one step, and of another
  std::string text;
};

/// Two bodies that share a point in the middle of the step, up to rounding, or pass each other. The vertices also move
/// by themselves.
std::optional<Step> any_step(oracle::Random& random) {
  Exponents e(random);
  std::ostringstream text;
  const int size_a = e.next(), size_b = e.next(), place = e.next(), speed_a = e.next(), speed_b = e.next(),
            own = e.next(), apart = e.next();
  const bool shifted = random() % 2, by_themselves = random() % 2;
  text << "sizes 2^" << size_a << " 2^" << size_b << " at 2^" << place << " speeds 2^" << speed_a << " 2^" << speed_b;
  if (by_themselves) text << ", vertices 2^" << own;
  if (shifted) text << ", apart 2^" << apart;
  const Mesh a = random() % 2 ? make::tetrahedron() : make::box(), b = make::tetrahedron();
  std::vector<Vec3> start, end, after;
  PolygonList polygons;
  const Vec3 centre = testing::direction(random) * power(place);
  for (const bool of_b : {false, true}) {
    const Mesh& body = of_b ? b : a;
    const double size = power(of_b ? size_b : size_a);
    const Vec3 way = testing::direction(random) * power(of_b ? speed_b : speed_a);
    const Vec3 from = body.positions()[random() % body.vertex_count()] * -size +
                      (shifted && of_b ? testing::direction(random) * power(apart) : Vec3{});
    const auto first = static_cast<std::uint32_t>(start.size());
    for (const Vec3& x : body.positions()) {
      const Vec3 at = centre + (x * size + from), little = testing::direction(random) * power(own);
      start.push_back(at - way);
      end.push_back(at + way + (by_themselves ? little : Vec3{}));
      after.push_back(at - (by_themselves ? little : Vec3{}));
    }
    for (std::size_t i = 0; i < body.polygons().size(); ++i) {
      std::vector<std::uint32_t> corners(body.polygons()[i].begin(), body.polygons()[i].end());
      for (std::uint32_t& c : corners) c += first;
      polygons.add(corners);
    }
  }
  for (const auto* positions : {&start, &end, &after})
    if (!std::ranges::all_of(*positions, [](const Vec3& x) { return is_finite(x); })) return std::nullopt;
  return Step{Mesh(std::move(start), std::move(polygons)), std::move(end), std::move(after), text.str()};
}

/// Calls `check` with a sequence of steps.
void sweep_steps(std::uint64_t start, int cases, const std::function<void(oracle::Random&, const Step&)>& check) {
  const std::uint64_t seed = RandomBudget::seed(start);
  SCOPED_TRACE("seed " + std::to_string(seed));
  oracle::Random random(seed);
  RandomBudget budget(cases);
  for (int i = 0; budget.more(); ++i) {
    const std::optional<Step> step = any_step(random);
    if (!step) continue;
    SCOPED_TRACE(std::to_string(i) + ": " + step->text);
    check(random, *step);
    if (::testing::Test::HasFailure() && !std::getenv("GRAZE_SWEEP_ALL")) return;
  }
}

/// What is compared: features, and when and how they touch.
using Event = std::tuple<ElementaryKind, std::array<std::uint32_t, 4>, bool>;
std::vector<Event> events(const DeformResult& r) {
  std::vector<Event> out;
  for (const DeformContact& c : r.contacts) {
    auto v = c.vertices;
    if (c.kind == ElementaryKind::vertex_face) std::sort(v.begin() + 1, v.end());
    out.emplace_back(c.kind, v, c.at_start);
  }
  std::sort(out.begin(), out.end());
  return out;
}

void expect_same(const DeformResult& r, const DeformResult& truth) {
  EXPECT_EQ(r.status, truth.status);
  EXPECT_EQ(events(r), events(truth));
  EXPECT_EQ(r.crossing_at_start, truth.crossing_at_start);
  for (const DeformContact& c : r.contacts) {
    EXPECT_TRUE(c.time.safe >= 0 && c.time.safe <= c.time.touch && c.time.touch <= 1) << c.time.touch;
    EXPECT_FALSE(std::isnan(c.gap));
  }
}

/// The techniques of ICCD, each on or off. With `exact` none changes the answer.
void switch_some(oracle::Random& random, DeformOptions& options) {
  for (bool* technique : {&options.patches, &options.representatives, &options.orphans, &options.feature_bounds,
                          &options.both_ends, &options.contour_accelerations})
    *technique = random() % 2;
  options.directions = random() % 2 ? 9 : 3;
}

TEST(ExponentSweep, DeformingStepsAgreeAtAnyMagnitude) {
  int contacts = 0, free = 0;
  sweep_steps(1330, 60, [&](oracle::Random& random, const Step& s) {
    DeformOptions options;
    options.self = random() % 2;
    const int asked = static_cast<int>(random() % 3);
    if (asked == 0) {
      options.exact = true;
    } else {
      // Patches prove that features do not touch, not that they stay further apart than a tolerance.
      const double length = power(oracle::whole(random, -1000, 1000));
      (asked == 1 ? options.min_separation : options.tolerance.emplace()) = length;
    }
    const DeformResult truth = deform_brute(s.mesh, s.mesh.positions(), s.end, options);
    (truth.contacts.empty() ? free : contacts) += 1;
    Deformable mesh(s.mesh);
    DeformOptions with = options;
    if (options.exact && random() % 2) switch_some(random, with);
    if (!options.exact) with.patches = false;
    expect_same(mesh.step(s.end, with), truth);
    // The tree of the first step, and another size.
    expect_same(mesh.step(s.after, with), deform_brute(s.mesh, s.end, s.after, options));
  });
  EXPECT_GT(contacts, 0);
  EXPECT_GT(free, 0);
}

TEST(ExponentSweep, TheEarliestOfAStepAgreesAtAnyMagnitude) {
  sweep_steps(1331, 20, [&](oracle::Random&, const Step& s) {
    DeformOptions options;
    options.exact = true;
    options.all = false;
    const DeformResult truth = deform_brute(s.mesh, s.mesh.positions(), s.end, options);
    const DeformResult r = Deformable(s.mesh).step(s.end, options);
    EXPECT_EQ(r.status, truth.status);
    EXPECT_TRUE(r.time.touch == truth.time.touch || (r.contacts.empty() && truth.contacts.empty()));
    EXPECT_EQ(events(r), events(truth));
  });
}

/// Where the vertices are after a share of the step, if no coordinate is rounded.
std::optional<std::vector<Vec3>> exactly_at(const Step& s, double share) {
  std::vector<Vec3> at;
  for (std::size_t i = 0; i < s.end.size(); ++i) {
    Vec3 p;
    for (int k = 0; k < 3; ++k) {
      const double from = s.mesh.positions()[i][k], way = s.end[i][k] - from, part = share * way;
      p[k] = from + part;
      const double rest = p[k] - from;
      if (!std::isfinite(p[k]) || s.end[i][k] - way != from || from + way != s.end[i][k] || part / share != way ||
          (from - (p[k] - rest)) + (part - rest) != 0)
        return std::nullopt;
    }
    at.push_back(p);
  }
  return at;
}

/// Step sizes, against every event of the step: nothing may be passed.
TEST(ExponentSweep, StepSizesPassNothingAtAnyMagnitude) {
  int stopped = 0, whole = 0, partly = 0;
  sweep_steps(1332, 60, [&](oracle::Random& random, const Step& s) {
    DeformOptions exact;
    exact.exact = true;
    const DeformResult truth = deform_brute(s.mesh, s.mesh.positions(), s.end, exact);
    StepSizeOptions options;
    options.ignore_start_if_separating = random() % 2;
    const StepSize size = Deformable(s.mesh).step_size(s.end, options);
    EXPECT_TRUE(size.step >= 0 && size.step <= 1 && (size.status != Status::free || size.step == 1));
    if (size.status == Status::touching_at_start) {
      EXPECT_EQ(size.step, 0);
    }
    if (!truth.crossing_at_start.empty()) {
      EXPECT_EQ(size.status, Status::touching_at_start);
    }
    const auto later = [](const DeformContact& c) { return !c.at_start; };  // others may part
    if (std::ranges::any_of(truth.contacts, later)) {
      ++stopped;
      EXPECT_NE(size.status, Status::free);
    }
    whole += size.status == Status::free;
    // Up to a power of two within the step nothing touches, where that can be said in doubles.
    const double share = size.step > 0 ? std::exp2(std::floor(std::log2(size.step))) : 0;
    if (share > 0 && share < 1)
      if (const auto there = exactly_at(s, share)) {
        ++partly;
        const DeformResult part = deform_brute(s.mesh, s.mesh.positions(), *there, exact);
        EXPECT_FALSE(std::ranges::any_of(part.contacts, later));
      }
  });
  EXPECT_GE(stopped, RandomBudget::is_whole() ? 1 : 0);
  EXPECT_GE(whole, RandomBudget::is_whole() ? 1 : 0);
  EXPECT_GE(partly, RandomBudget::is_whole() ? 1 : 0);
}

/// Two deforming bodies of a scene are one mesh of two pieces; a rigid one that moves like the second misses nothing.
TEST(ExponentSweep, ScenesAgreeWithOneMeshAtAnyMagnitude) {
  int contacts = 0;
  sweep_steps(1333, 15, [&](oracle::Random&, const Step& s) {
    DeformOptions options;
    options.exact = true;
    options.self = false;
    const DeformResult truth = deform_brute(s.mesh, s.mesh.positions(), s.end, options);
    contacts += !truth.contacts.empty();
    // The second body is the last four vertices and triangles.
    const std::size_t n = s.mesh.vertex_count() - 4;
    PolygonList first, second;
    for (std::size_t k = 0; k < s.mesh.polygon_count(); ++k) {
      std::vector<std::uint32_t> corners(s.mesh.polygons()[k].begin(), s.mesh.polygons()[k].end());
      const bool of_b = corners[0] >= n;
      for (std::uint32_t& c : corners) c -= of_b ? static_cast<std::uint32_t>(n) : 0;
      (of_b ? second : first).add(corners);
    }
    const auto from = s.mesh.positions();
    const Mesh a({from.begin(), from.begin() + static_cast<std::ptrdiff_t>(n)}, std::move(first)),
        b({from.end() - 4, from.end()}, std::move(second));
    DeformScene scene;
    const SceneBodyId id_a = scene.add_deforming(a), id_b = scene.add_deforming(b);
    scene.move(id_a, std::span(s.end).first(n));
    scene.move(id_b, std::span(s.end).last(4));
    const SceneResult r = scene.contacts(options);
    EXPECT_EQ(r.status, truth.status);
    EXPECT_EQ(r.contacts.size(), truth.contacts.size());
    EXPECT_EQ(r.crossing_at_start.size(), truth.crossing_at_start.size());
  });
  EXPECT_GE(contacts, RandomBudget::is_whole() ? 1 : 0);
}

TEST(ExponentSweep, NearAgreesAtAnyMagnitude) {
  std::size_t pairs = 0;
  sweep_steps(1334, 40, [&](oracle::Random& random, const Step& s) {
    const auto x = s.mesh.positions();
    // Any length, or one that occurs.
    const Vec3 between = x[random() % x.size()] - x[random() % x.size()];
    const double d = random() % 2 ? power(oracle::whole(random, -1000, 1000)) : std::fabs(between.x);
    if (!std::isfinite(d)) return;
    SCOPED_TRACE("within " + std::to_string(d));
    const ProximityResult truth = near_brute(s.mesh, x, d), r = Deformable(s.mesh).near(x, d);
    EXPECT_EQ(r.status, truth.status);
    ASSERT_EQ(r.pairs.size(), truth.pairs.size());
    pairs += r.pairs.size();
    for (std::size_t k = 0; k < r.pairs.size(); ++k) {
      const ProximityPair &p = r.pairs[k], &q = truth.pairs[k];
      EXPECT_TRUE(p.kind == q.kind && p.vertices == q.vertices && p.multiplicity() == q.multiplicity());
      EXPECT_LE(std::fabs(p.distance - q.distance), 0x1p-26 * q.distance);
      EXPECT_LE(p.distance, d * (1 + 0x1p-26));
    }
  });
  EXPECT_GE(pairs, RandomBudget::is_whole() ? 100u : 0u);
}

}  // namespace
}  // namespace graze
