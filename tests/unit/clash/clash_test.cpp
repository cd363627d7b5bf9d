// SPDX-License-Identifier: MIT
#include <graze/clash/clash.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include <graze/ask/contains.hpp>
#include <graze/ask/distance.hpp>
#include <graze/core/error.hpp>
#include <graze/mesh/classify.hpp>
#include <graze/mesh/make.hpp>

#include "oracle/generators.hpp"
#include "oracle/pose_generators.hpp"
#include "random_budget.hpp"

namespace graze::clash {
namespace {

using oracle::Random;

Assembly two(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b) {
  return {{geometry(a), geometry(b)}, {{"a", 0, pose_a, {}, {}}, {"b", 1, pose_b, {}, {}}}};
}

Mesh cube(double size) { return make::box({.size = {size, size, size}}); }

/// Checks a pair; nothing: no clash.
std::optional<Clash> clash_of(const Mesh& a, const Mesh& b, const Vec3& shift, const Options& options = {}) {
  const Result result = check(two(a, {}, b, Pose(shift)), options);
  EXPECT_TRUE(result.complete);
  EXPECT_LE(result.clashes.size(), 1U);
  EXPECT_EQ(result.status, result.clashes.empty() ? Status::free : Status::contact);
  if (result.clashes.empty()) return std::nullopt;
  return result.clashes[0];
}

Kind kind_of(const Mesh& a, const Mesh& b, const Vec3& shift, const Options& options = {}) {
  const auto clash = clash_of(a, b, shift, options);
  EXPECT_TRUE(clash.has_value());
  return clash ? clash->kind : Kind::near;
}

TEST(Clash, TellsTheKindsApart) {
  const Mesh unit = cube(1), small = cube(0.5);
  EXPECT_EQ(kind_of(unit, unit, {0.5, 0.25, 0.1}), Kind::crossing);
  EXPECT_EQ(kind_of(unit, unit, {0.5, 0, 0}), Kind::overlap);  // no edge passes through a face
  EXPECT_EQ(kind_of(unit, small, {0, 0, 0}), Kind::inside);
  EXPECT_EQ(kind_of(unit, small, {0.25, 0, 0}), Kind::overlap);  // inside and flush
  EXPECT_EQ(kind_of(unit, cube(1), {}), Kind::overlap);          // another geometry
  EXPECT_EQ(kind_of(unit, unit, {1, 0, 0}), Kind::touching);
  EXPECT_EQ(kind_of(unit, unit, {1, 1, 1}), Kind::touching);
  EXPECT_EQ(kind_of(unit, unit, {1.5, 0, 0}, {.clearance = 0.5}), Kind::near);  // a tie counts
  EXPECT_FALSE(clash_of(unit, unit, {1.5, 0, 0}, {.clearance = 0.49999999999999994}));
  EXPECT_FALSE(clash_of(unit, unit, {1.5, 0, 0}));
}

TEST(Clash, SaysWhichIsInsideAndWhere) {
  const auto in = clash_of(cube(1), cube(0.25), {0.125, 0, 0});
  ASSERT_TRUE(in);
  EXPECT_EQ(in->contained, Containment::b_in_a);
  EXPECT_NEAR(in->overlap_volume(), 0x1p-6, 1e-15);  // boxes are rounded outward
  EXPECT_TRUE(in->overlap.contains(in->points[0]));
  const auto out = clash_of(cube(0.25), cube(1), {0.125, 0, 0});
  ASSERT_TRUE(out);
  EXPECT_EQ(out->contained, Containment::a_in_b);
}

TEST(Clash, FindsAPartInsideAClosedOneWhateverThePartItself) {
  const std::vector<Vec3> corners{{0, 0, 0}, {0.25, 0, 0}, {0, 0.25, 0}};
  const Mesh open(corners, std::vector<Triangle>{{0, 1, 2}});
  EXPECT_EQ(kind_of(cube(1), open, {}), Kind::inside);
  EXPECT_FALSE(clash_of(cube(1), open, {2, 0, 0}));
  EXPECT_EQ(kind_of(open, cube(1), {}), Kind::inside);
  // One of several pieces is enough; the box of the whole sticks out.
  EXPECT_EQ(kind_of(cube(1), make::cube_array({.size = 8, .fill = 0.125, .count = 8}), {0.5, 0.5, 0.5}), Kind::inside);
}

TEST(Clash, OfOnePartTwiceIsADuplicate) {
  Assembly assembly{{geometry(cube(1))}, {{"a"}, {"b"}, {"c", 0, Pose({4, 0, 0}), {}, {}}}};
  const Result result = check(assembly);
  ASSERT_EQ(result.clashes.size(), 1U);
  EXPECT_EQ(result.clashes[0].kind, Kind::duplicate);
  EXPECT_NEAR(result.clashes[0].overlap_volume(), 1, 1e-14);
  EXPECT_EQ(result.built, 0U);  // nobody needs the tree
}

TEST(Clash, DepthIsThatOfTheBoxesOrOfTheSurfaces) {
  const Mesh unit = cube(1);
  EXPECT_NEAR(clash_of(unit, unit, {0.75, 0.1, 0.2})->depth, 0.25, 1e-12);
  const Mesh ball = make::sphere({.radius = 1});
  const Vec3 apart{1.1, 1.1, 0};
  EXPECT_NEAR(clash_of(ball, ball, apart)->depth, 0.9, 1e-9);
  const double depth = clash_of(ball, ball, apart, {.depth = true})->depth;
  EXPECT_GT(depth, 0.35);
  EXPECT_LT(depth, 2 - length(apart) + 1e-9);
}

TEST(Clash, WithinTheToleranceIsTouching) {
  const Mesh ball = make::sphere({.radius = 1});
  const Vec3 apart{1.1, 1.05, 0.2};  // 0.47 deep, their boxes 0.9
  EXPECT_EQ(kind_of(ball, ball, apart, {.tolerance = 0.4}), Kind::crossing);
  EXPECT_EQ(kind_of(ball, ball, apart, {.tolerance = 0.5}), Kind::touching);
  EXPECT_FALSE(clash_of(ball, ball, apart, {.tolerance = 0.5, .touching = false}));
  EXPECT_EQ(kind_of(cube(1), cube(1), {0.9375, 0, 0}, {.tolerance = 0.0625 * (1 + 1e-12)}), Kind::touching);
  EXPECT_EQ(kind_of(cube(1), cube(1), {0.9375, 0, 0}, {.tolerance = 0.0624}), Kind::overlap);
}

Assembly row_of_cubes(int count, double step) {
  Assembly out{{geometry(cube(1))}, {}};
  for (int i = 0; i < count; ++i)
    out.parts.push_back({"cube " + std::to_string(i), 0, Pose({step * i, 0, 0}), i % 2 ? "odd" : "even", {}});
  return out;
}

TEST(Clash, TheFirstRuleThatFitsDecides) {
  const Assembly row = row_of_cubes(4, 1.25);
  EXPECT_EQ(check(row, {.clearance = 0.25}).clashes.size(), 3U);
  Options options{.clearance = 0.25};
  options.rules = {{"cube 1", "cube 0", true, {}, {}}};
  Result result = check(row, options);
  EXPECT_EQ(result.clashes.size(), 2U);
  EXPECT_EQ(result.ignored_pairs, 1U);
  options.rules = {{"cube [12]", "cube [12]", false, 0.1, {}}, {"*", "*", true, {}, {}}};
  EXPECT_TRUE(check(row, options).clashes.empty());
  options = {};
  options.rules = {{"@odd", "@even", false, 0.25, {}}};  // larger than that of the options
  EXPECT_EQ(check(row, options).clashes.size(), 3U);
  options.rules[0].ignore = true;
  EXPECT_EQ(check(row_of_cubes(4, 0.75), options).clashes.size(), 0U);
  EXPECT_EQ(check(row_of_cubes(4, 0.5), options).clashes.size(), 2U);  // 0 and 2, 1 and 3 touch
  EXPECT_EQ(check(row_of_cubes(4, 0.5), {.within_groups = false}).clashes.size(), 3U);
}

TEST(Clash, PatternsAreComparedWithComponentsOfNames) {
  Assembly row = row_of_cubes(2, 1);
  row.parts[0].name = "site/hvac/duct 1";
  row.parts[1].name = "site/walls/wall 1";
  const auto is_ignored = [&](const char* a, const char* b) {
    Options options;
    options.rules = {{a, b, true, {}, {}}};
    return check(row, options).ignored_pairs == 1;
  };
  EXPECT_TRUE(is_ignored("duct*", "wall*"));
  EXPECT_TRUE(is_ignored("hvac", "site"));
  EXPECT_TRUE(is_ignored("site/*", "*/wall ?"));
  EXPECT_FALSE(is_ignored("hvac/*", "*"));
  EXPECT_FALSE(is_ignored("uct 1", "*"));
}

TEST(Clash, ManyRulesAreFound) {
  Options options{.clearance = 0.25};
  for (int i = 0; i < 200; ++i) options.rules.push_back({"none " + std::to_string(i), "*", true, {}, {}});
  options.rules.push_back({"cube 1", "*", true, {}, {}});
  EXPECT_EQ(check(row_of_cubes(4, 1.25), options).clashes.size(), 1U);
}

TEST(Clash, RefusesWhatHasNoMeaning) {
  const auto code_of = [](const Assembly& assembly, const Options& options = {}) {
    try {
      check(assembly, options);
    } catch (const Error& error) {
      EXPECT_FALSE(error.detail().message.empty());
      return error.detail().code;
    }
    ADD_FAILURE() << "not refused";
    return ErrorCode::unsupported;
  };
  const Assembly row = row_of_cubes(2, 1);
  EXPECT_EQ(code_of(row, {.clearance = -1}), ErrorCode::bad_option);
  EXPECT_EQ(code_of(row, {.clearance = std::numeric_limits<double>::quiet_NaN()}), ErrorCode::bad_option);
  EXPECT_EQ(code_of(row, {.tolerance = HUGE_VAL}), ErrorCode::bad_option);
  EXPECT_EQ(code_of(row, {.threads = 0}), ErrorCode::bad_option);
  Options empty;
  empty.rules = {{"", "*", true, {}, {}}};
  EXPECT_EQ(code_of(row, empty), ErrorCode::bad_option);
  Assembly bad = row;
  bad.parts[1].geometry = 1;
  EXPECT_EQ(code_of(bad), ErrorCode::index_out_of_range);
  bad = row;
  bad.geometries[0].box = {};
  EXPECT_EQ(code_of(bad), ErrorCode::empty_mesh);
  Checker checker(row);
  EXPECT_THROW(checker.run(0, 3), Error);
  EXPECT_THROW(checker.part_of(2), Error);
}

TEST(Clash, OfNothingIsFree) {
  EXPECT_EQ(check({}).status, Status::free);
  EXPECT_EQ(check(row_of_cubes(1, 1)).status, Status::free);
}

TEST(Clash, APartThatCannotBeReadIsReportedAndTheRestGoesOn) {
  Assembly row = row_of_cubes(5, 0.75);
  row.geometries.push_back(
      {[]() -> Mesh { throw Error({.code = ErrorCode::file_not_found, .message = "gone", .element = {}, .file = {}}); },
       cube(1).box()});
  row.parts[2].geometry = 1;
  const Result result = check(row);
  EXPECT_EQ(result.clashes.size(), 2U);
  ASSERT_EQ(result.unanswered.size(), 1U);
  EXPECT_EQ(result.unanswered[0].a, 2U);
  EXPECT_FALSE(result.unanswered[0].b);
  EXPECT_EQ(result.unanswered[0].error.code, ErrorCode::file_not_found);
  EXPECT_FALSE(result.complete);
  // A mesh that is not where it was said to be would make the answer wrong.
  row.geometries[1] = geometry(cube(1));
  row.geometries[1].box = cube(0.5).box();
  EXPECT_EQ(check(row).unanswered.size(), 1U);
}

TEST(Clash, InstancesAreBuiltOnceAndFreedWhenTheyArePassed) {
  const Mesh ball = make::sphere({.triangles = 2000});
  Assembly assembly;
  for (int i = 0; i < 3000; ++i) {
    if (i % 2 == 0) assembly.geometries.push_back(geometry(ball));
    assembly.parts.push_back({"", static_cast<std::uint32_t>(i / 2), Pose({1.5 * i, 0.25, 0}), {}, {}});
  }
  const Result result = check(assembly);
  EXPECT_EQ(result.clashes.size(), 2999U);
  EXPECT_EQ(result.built, 1500U);
  EXPECT_LT(result.most_bytes, 1100 * 2000 * 110U);  // of a batch, not of all
  const Result little = check(assembly, {.memory = 1});
  EXPECT_EQ(little.clashes, result.clashes);
  EXPECT_LT(little.most_bytes, 80 * 2000 * 110U);
}

// ---- the oracle: every pair by itself, by methods without a tree -------------------------------------------------

bool closed(const Mesh& mesh) { return classify(mesh).even; }

bool some_vertex_in(const Mesh& inner, const Pose& at, const Body& outer, const Pose& outer_at) {
  return std::any_of(inner.positions().begin(), inner.positions().end(), [&](const Vec3& v) {
    return contains(outer, outer_at, at.apply(v)).location == Location::inside;
  });
}

std::optional<Kind> slow_kind(const Assembly& s, std::uint32_t i, std::uint32_t j, double clearance) {
  const Part &p = s.parts[i], &q = s.parts[j];
  if (p.geometry == q.geometry && p.pose == q.pose) return Kind::duplicate;
  const Mesh a = s.geometries[p.geometry].load(), b = s.geometries[q.geometry].load();
  const Body body_a(a), body_b(b);
  const CollideResult surfaces = collide(body_a, p.pose, body_b, q.pose, {.method = "brute"});
  if (surfaces.status == Status::contact) {
    if (surfaces.kind == ContactKind::crossing) return Kind::crossing;
    if (!closed(a) || !closed(b)) return Kind::touching;
    const CollideResult solids = collide(body_a, p.pose, body_b, q.pose, {.method = "brute", .solid = true});
    return solids.kind == ContactKind::overlap ? Kind::overlap : Kind::touching;
  }
  if (closed(b) && some_vertex_in(a, p.pose, body_b, q.pose)) return Kind::inside;
  if (closed(a) && some_vertex_in(b, q.pose, body_a, p.pose)) return Kind::inside;
  if (!(clearance > 0)) return std::nullopt;
  const double gap = distance(body_a, p.pose, body_b, q.pose, {.method = "brute"}).distance;
  if (gap <= clearance * (1 + 1e-9)) return Kind::near;
  return std::nullopt;
}

using Found = std::vector<std::tuple<std::uint32_t, std::uint32_t, Kind>>;

Found found(const Result& result) {
  Found out;
  for (const Clash& c : result.clashes) out.emplace_back(c.a, c.b, c.kind);
  return out;
}

Found slowly_found(const Assembly& assembly, double clearance) {
  Found out;
  for (std::uint32_t i = 0; i < assembly.parts.size(); ++i)
    for (std::uint32_t j = i + 1; j < assembly.parts.size(); ++j)
      if (const auto kind = slow_kind(assembly, i, j, clearance)) out.emplace_back(i, j, *kind);
  return out;
}

/// Poses that place whole coordinates exactly, so that the oracle's `apply` is exact, too: quarter turns if `turned`.
Assembly random_assembly(Random& random, int parts, bool turned) {
  Assembly out;
  const std::vector<Vec3> corners{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}};
  for (const Mesh& mesh : {cube(2), cube(4), make::box({.size = {2, 2, 12}}),
                           make::cube_array({.size = 16, .count = 2}), Mesh(corners, std::vector<Triangle>{{0, 1, 2}})})
    out.geometries.push_back(geometry(mesh));
  for (int i = 0; i < parts; ++i) {
    const Quat q = turned ? oracle::quarter_turn(random) : Quat{};
    out.parts.push_back({"part",
                         static_cast<std::uint32_t>(random() % out.geometries.size()),
                         Pose(oracle::grid_point(random, 9), q),
                         {},
                         {}});
  }
  out.parts.back() = out.parts.front();
  return out;
}

TEST(Clash, AgreesWithEveryPairAskedByItself) {
  Random random(testing::RandomBudget::seed(1));
  testing::RandomBudget budget(12);
  std::vector<int> kinds(6);
  for (int run = 0; budget.more(); ++run) {
    const Assembly assembly = random_assembly(random, 24, run % 2 == 1);
    const double clearance = run % 3 == 0 ? 0 : run % 3;
    const Result result = check(assembly, {.clearance = clearance});
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(found(result), slowly_found(assembly, clearance)) << "run " << run;
    for (const Clash& c : result.clashes) ++kinds[static_cast<std::size_t>(c.kind)];
  }
  if (!testing::RandomBudget::is_whole()) return;
  for (std::size_t k = 0; k < kinds.size(); ++k) EXPECT_GT(kinds[k], 0) << name(static_cast<Kind>(k));
}

// ---- parts of a run ---------------------------------------------------------------------------------------------

TEST(Clash, IsTheSameInBlocksAndWithAnyNumberOfThreads) {
  Random random(2);
  const Assembly assembly = random_assembly(random, 60, true);
  Options options{.clearance = 1};
  const Result whole = check(assembly, options);
  options.threads = 4;
  options.memory = 1000;
  const Result threads = check(assembly, options);
  EXPECT_EQ(threads.clashes, whole.clashes);
  EXPECT_EQ(threads.near_pairs, whole.near_pairs);
  Checker checker(assembly, options);
  std::vector<Clash> clashes;
  for (std::uint64_t last = checker.rows(); last > 0;) {  // in an odd order
    const std::uint64_t first = last > 7 ? last - 7 : 0;
    const Result part = checker.run(first, last);
    EXPECT_EQ(part.rows, last - first);
    clashes.insert(clashes.end(), part.clashes.begin(), part.clashes.end());
    last = first;
  }
  std::sort(clashes.begin(), clashes.end(),
            [](const Clash& x, const Clash& y) { return std::tie(x.a, x.b) < std::tie(y.a, y.b); });
  EXPECT_EQ(clashes, whole.clashes);
}

TEST(Clash, EndsAfterTheMostClashesTheSameForAnyNumberOfThreads) {
  const Assembly row = row_of_cubes(3000, 0.75);
  const Result one = check(row, {.most = 10}), many = check(row, {.most = 10, .threads = 3});
  EXPECT_EQ(one.clashes.size(), 10U);
  EXPECT_EQ(one.clashes, many.clashes);
  EXPECT_FALSE(one.complete);
  EXPECT_EQ(one.status, Status::contact);
}

TEST(Clash, EndsWhenItIsCancelledAndSaysHowFarItCame) {
  const Assembly row = row_of_cubes(20000, 0.75);
  CancelSource source;
  Options options;
  options.cancel = source.token();
  options.progress = [&](const Progress& progress) {
    EXPECT_EQ(progress.rows, 20000U);
    if (progress.pairs > 2000) source.cancel();
  };
  const Result result = check(row, options);
  EXPECT_FALSE(result.complete);
  EXPECT_GT(result.rows, 0U);
  EXPECT_LT(result.rows, 20000U);
  EXPECT_GE(result.clashes.size() + 1, result.rows);
  EXPECT_EQ(check(row_of_cubes(2, 5), {.budget = std::chrono::nanoseconds(0)}).status, Status::undecided);
}

TEST(Clash, ProgressMayThrow) {
  struct Enough {};
  Options options;
  options.progress = [](const Progress&) { throw Enough(); };
  EXPECT_THROW(check(row_of_cubes(3, 0.75), options), Enough);
}

TEST(Clash, APairThatTakesTooMuchWorkIsUnanswered) {
  const Mesh knot = make::torus_knot();
  const Result result = check(two(knot, {}, knot, Pose({0.01, 0, 0})), {.clearance = 1, .work = 1});
  ASSERT_EQ(result.unanswered.size(), 1U);
  EXPECT_EQ(result.unanswered[0].b, 1U);
  EXPECT_EQ(result.status, Status::undecided);
}

}  // namespace
}  // namespace graze::clash
