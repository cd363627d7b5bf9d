// SPDX-License-Identifier: MIT
// Questions that move nothing: `contacts`, and how far a step may go, against every pair by itself and against exact
// tests at many times.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

#include <graze/ask/collide.hpp>
#include <graze/ask/deform.hpp>
#include <graze/ask/deform_brute.hpp>
#include <graze/core/error.hpp>
#include <graze/mesh/make.hpp>

#include "contact_names.hpp"
#include "oracle/generators.hpp"
#include "random_budget.hpp"
#include "soups.hpp"

namespace graze {
namespace {

using testing::RandomBudget;

std::vector<Vec3> copy(std::span<const Vec3> x) { return {x.begin(), x.end()}; }

std::vector<Vec3> between(std::span<const Vec3> x0, std::span<const Vec3> x1, double t) {
  std::vector<Vec3> x;
  for (std::size_t i = 0; i < x0.size(); ++i) x.push_back(x0[i] + (x1[i] - x0[i]) * t);
  return x;
}

std::vector<Vec3> moved(oracle::Random& random, std::span<const Vec3> from, bool grid, double far = 0.5) {
  std::vector<Vec3> to;
  for (const Vec3& p : from) to.push_back(grid ? oracle::grid_point(random, 2) : p + oracle::real_point(random, far));
  return to;
}

void expect_same(const DeformResult& x, const DeformResult& y) {
  EXPECT_EQ(x.status, y.status);
  EXPECT_EQ(x.crossing_at_start, y.crossing_at_start);
  ASSERT_EQ(x.contacts.size(), y.contacts.size());
  for (std::size_t i = 0; i < x.contacts.size(); ++i) {
    const DeformContact &c = x.contacts[i], &d = y.contacts[i];
    EXPECT_TRUE(c.kind == d.kind && c.vertices == d.vertices && c.time.safe == d.time.safe &&
                c.time.touch == d.time.touch && c.gap == d.gap && c.at_start == d.at_start);
  }
}

TEST(DeformQuestions, ContactsAreThoseOfAStepAndNothingMoves) {
  const std::uint64_t seed = RandomBudget::seed(1501);
  SCOPED_TRACE(seed);
  oracle::Random random(seed);
  for (RandomBudget budget(8); budget.more();) {
    const bool grid = random() % 3 == 0;
    const Mesh mesh = testing::soup(random, 8, grid);
    const std::vector<Vec3> x0 = moved(random, mesh.positions(), grid);
    Deformable asked(mesh);
    asked.set_positions(x0);
    for (int i = 0; i < 4; ++i) {
      // The last one goes far beyond the start's box.
      const std::vector<Vec3> x1 = moved(random, x0, grid, i == 3 ? 100 : 0.5);
      for (const bool all : {true, false}) {
        DeformOptions options{.all = all, .exact = true};
        options.both_ends = random() % 3 != 0;
        options.directions = random() % 3 ? 9 : 3;
        options.threads = 1 + i % 2;
        const DeformResult r = asked.contacts(x1, options);
        EXPECT_TRUE(std::equal(x0.begin(), x0.end(), asked.positions().begin()));
        Deformable fresh(mesh);
        fresh.set_positions(x0);
        expect_same(r, fresh.step(x1, options));
        EXPECT_TRUE(std::equal(x1.begin(), x1.end(), fresh.positions().begin()));
        const DeformResult brute = deform_brute(mesh, x0, x1, options);
        EXPECT_EQ(r.contacts.size(), brute.contacts.size());
        EXPECT_EQ(r.crossing_at_start, brute.crossing_at_start);
      }
    }
  }
}

TEST(DeformQuestions, TheStartIsExaminedOnce) {
  const Mesh sheet = make::cloth_sheet({.triangles = 2000});
  std::vector<Vec3> down = copy(sheet.positions());
  for (Vec3& x : down) x.z -= 0.1;
  Deformable d(sheet);
  const auto pairs_of_start = [&] {
    const std::uint64_t with = d.contacts(down).counters.node_pairs;
    DeformOptions without;
    without.crossing_at_start = false;
    return with - d.contacts(down, without).counters.node_pairs;
  };
  EXPECT_GT(pairs_of_start(), 0u);
  EXPECT_EQ(pairs_of_start(), 0u);
  d.set_positions(d.positions());
  EXPECT_EQ(pairs_of_start(), 0u);
  // A free step from a start that has been examined ends where nothing crosses, either.
  EXPECT_EQ(d.step(down).status, Status::free);
  EXPECT_EQ(pairs_of_start(), 0u);
  d.set_positions(sheet.positions());
  EXPECT_GT(pairs_of_start(), 0u);
  d.replace(sheet);
  EXPECT_GT(pairs_of_start(), 0u);
}

TEST(DeformQuestions, BadPositionsMoveNothing) {
  Deformable d(make::box());
  const std::vector<Vec3> before = copy(d.positions());
  std::vector<Vec3> bad = before;
  bad.pop_back();
  EXPECT_THROW(d.set_positions(bad), Error);
  EXPECT_EQ(d.step_size(bad).status, Status::invalid_request);
  EXPECT_EQ(d.contacts(bad).status, Status::invalid_request);
  bad = before;
  bad[3].y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(d.set_positions(bad), Error);
  EXPECT_THROW(d.set_positions(VertexArray(&bad[0].x, bad.size())), Error);
  const StepSize refused = d.step_size(bad);
  EXPECT_EQ(refused.status, Status::invalid_request);
  EXPECT_EQ(refused.step, 0);
  ASSERT_TRUE(refused.error);
  EXPECT_EQ(refused.error->id, 3u);
  for (const double slack : {-0.1, 1.0, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_EQ(d.step_size(before, {.slack = slack}).status, Status::invalid_request) << slack;
  EXPECT_EQ(d.step_size(before, {.min_separation = -1}).status, Status::invalid_request);
  EXPECT_EQ(d.step_size(before, {.threads = 0}).status, Status::invalid_request);
  EXPECT_TRUE(std::equal(before.begin(), before.end(), d.positions().begin()));
}

/// Not before what every pair by itself certifies, and not after the first true contact.
TEST(StepSize, IsThatOfEveryPairByItself) {
  const std::uint64_t seed = RandomBudget::seed(1502);
  SCOPED_TRACE(seed);
  oracle::Random random(seed);
  int contacts = 0, starts = 0, free = 0;
  for (RandomBudget budget(150); budget.more();) {
    const bool grid = random() % 5 == 0;
    const Mesh mesh = testing::soup(random, 4, grid, 0.2);
    const std::vector<Vec3> x0 = copy(mesh.positions()), x1 = moved(random, x0, grid, 0.3);
    const double separation = random() % 4 == 0 ? 0.01 : 0;
    const DeformResult near = deform_brute(mesh, x0, x1, {.min_separation = separation});
    StepSizeOptions options{.slack = 0.25, .min_separation = separation, .ignore_start_if_separating = false};
    options.threads = 1 + static_cast<int>(random() % 3);
    Deformable d(mesh);
    const StepSize s = d.step_size(x1, options);
    if (!near.crossing_at_start.empty()) {
      EXPECT_EQ(s.status, Status::touching_at_start);
      EXPECT_EQ(s.step, 0);
      ASSERT_TRUE(s.crossing_at_start);
      options.ignore_start_crossings = true;
      const StepSize ignoring = d.step_size(x1, options);
      EXPECT_FALSE(ignoring.crossing_at_start);
      EXPECT_GE(ignoring.time.safe, near.time.safe);
      ++starts;
      continue;
    }
    EXPECT_GE(s.time.safe, near.time.safe);
    if (near.time.safe == 0) continue;
    if (near.contacts.empty()) {
      EXPECT_EQ(s.status, Status::free);
      EXPECT_EQ(s.step, 1);
      ++free;
      continue;
    }
    if (s.status == Status::contact) {
      EXPECT_EQ(s.step, 0.75 * s.time.safe);
      ASSERT_TRUE(s.first);
      EXPECT_EQ(s.first->time.touch, s.time.touch);
      const DeformResult earliest = d.contacts(x1, {.all = false, .min_separation = separation});
      EXPECT_EQ(s.first->vertices, earliest.contacts[0].vertices);
      EXPECT_EQ(s.time.safe, earliest.time.safe);
      EXPECT_EQ(s.time.touch, earliest.time.touch);
    }
    if (separation > 0) continue;
    for (const DeformContact& c : deform_brute(mesh, x0, x1, {.exact = true}).contacts) {
      ElementaryQuery q{c.kind, {}, {}};
      for (std::size_t k = 0; k < 4; ++k) {
        q.start[k] = x0[c.vertices[k]];
        q.end[k] = x1[c.vertices[k]];
      }
      EXPECT_LE(s.time.safe, elementary_contact(q, {.method = "exact"}).time.touch);
      ++contacts;
    }
  }
  const int some = RandomBudget::is_whole() ? 1 : 4;  // of a quarter of the cases, fewer are of each kind
  EXPECT_GT(contacts, 20 / some - 2 * (some - 1));
  EXPECT_GT(starts, 5 / some);
  EXPECT_GT(free, 5 / some);
}

/// On an integer grid, positions at multiples of 1/64 of the step are exact, so that the exact discrete test tells
/// whether triangles meet then. Starts touch often.
TEST(StepSize, WhatPartsAtTheStartDoesNotStopAndNeverCrosses) {
  const std::uint64_t seed = RandomBudget::seed(1503);
  SCOPED_TRACE(seed);
  oracle::Random random(seed);
  int touching = 0, parted = 0;
  for (RandomBudget budget(3000); budget.more();) {
    // Two or three triangles; now and then some share vertices.
    std::vector<Vec3> x0, x1;
    std::vector<Triangle> list;
    const std::uint32_t triangles = 2 + random() % 2;
    for (std::uint32_t i = 0; i < 3 * triangles; ++i) {
      x0.push_back(oracle::grid_point(random, 2));
      x1.push_back(random() % 2 ? oracle::grid_point(random, 2) : x0.back() + oracle::grid_point(random, 1));
    }
    for (std::uint32_t i = 0; i < triangles; ++i) list.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    if (random() % 4 == 0) list[1][0] = 0;
    if (random() % 8 == 0) list[1][1] = 1;
    const Mesh mesh(x0, std::span<const Triangle>(list));
    const auto meetings = [&](double t) {
      return self_collide(Body(Mesh(between(x0, x1, t), std::span<const Triangle>(list))),
                          {.method = "brute", .all = true});
    };
    const SelfCollideResult start = meetings(0);
    if (start.pairs.empty() || start.kind == ContactKind::crossing) continue;
    ++touching;
    for (const bool ignore_crossings : {false, true}) {
      Deformable d(mesh);
      const StepSize s = d.step_size(x1, {.slack = 0, .ignore_start_crossings = ignore_crossings});
      if (s.status == Status::touching_at_start) {
        EXPECT_EQ(s.step, 0);
        continue;
      }
      EXPECT_GT(s.step, 0);
      parted += !ignore_crossings;
      for (int k = 1; k <= 64 && k * 0x1p-6 <= s.time.safe; ++k)
        EXPECT_TRUE(meetings(k * 0x1p-6).pairs.empty()) << k << " of 64; safe " << s.time.safe;
      // The strict question stops at once.
      EXPECT_EQ(d.step_size(x1, {.ignore_start_if_separating = false}).status, Status::touching_at_start);
    }
  }
  EXPECT_GT(touching, 100);
  EXPECT_GT(parted, touching / 5);
}

/// The same in one plane, in which more starts touch than cross.
TEST(StepSize, WhatPartsWithinAPlaneNeverMeets) {
  const std::uint64_t seed = RandomBudget::seed(1504);
  SCOPED_TRACE(seed);
  oracle::Random random(seed);
  int touching = 0, parted = 0;
  const Vec3 u{2, 1, 3}, v{-1, 2, 1};
  const auto in_plane = [&] { return u * oracle::whole(random, -2, 2) + v * oracle::whole(random, -2, 2); };
  for (RandomBudget budget(3000); budget.more();) {
    std::vector<Vec3> x0, x1;
    for (int i = 0; i < 6; ++i) x0.push_back(in_plane());
    const Vec3 way = in_plane() * 2, other = in_plane();
    for (int i = 0; i < 6; ++i) x1.push_back(x0[i] + (i < 3 ? way : other) + (random() % 4 == 0 ? in_plane() : Vec3{}));
    const std::vector<Triangle> list{{0, 1, 2}, {3, 4, 5}};
    const Mesh mesh(x0, std::span<const Triangle>(list));
    const auto meetings = [&](double t) {
      return self_collide(Body(Mesh(between(x0, x1, t), std::span<const Triangle>(list))),
                          {.method = "brute", .all = true});
    };
    if (meetings(0).pairs.empty()) continue;
    ++touching;
    const StepSize s = Deformable(mesh).step_size(x1, {.slack = 0});
    if (!(s.step > 0)) continue;
    ++parted;
    for (int k = 1; k <= 64 && k * 0x1p-6 <= s.time.safe; ++k)
      EXPECT_TRUE(meetings(k * 0x1p-6).pairs.empty()) << k << " of 64; safe " << s.time.safe;
  }
  EXPECT_GT(touching, 100);
  EXPECT_GT(parted, 20);
}

/// In one plane that is along no axis, with whole numbers: what comes apart there is free, what slides along is not.
TEST(StepSize, WhatPartsWithinATiltedPlaneDoesNotStop) {
  const Vec3 u{2, 1, 3}, v{-1, 2, 1};
  const auto place = [&](const std::vector<std::array<int, 2>>& at) {
    std::vector<Vec3> x;
    for (const auto& [a, b] : at) x.push_back(u * a + v * b);
    return x;
  };
  const std::vector<Triangle> list{{0, 1, 2}, {3, 4, 5}};
  const std::vector<std::array<int, 2>> lies{{0, 0}, {4, 0}, {0, 4}};
  struct Case {
    std::vector<std::array<int, 2>> other;
    std::array<int, 2> way;
    bool parts;
  };
  const Case cases[] = {{{{0, -4}, {4, -4}, {1, 0}}, {0, -3}, true},   // a corner leaves an edge
                        {{{0, -4}, {4, -4}, {1, 0}}, {5, -1}, true},   // obliquely
                        {{{0, -4}, {4, -4}, {1, 0}}, {1, 0}, false},   // along it
                        {{{0, -4}, {4, -4}, {4, 0}}, {2, 0}, true},    // a corner leaves a corner along the edge
                        {{{0, 0}, {4, 0}, {2, -3}}, {0, -1}, true},    // an edge leaves an edge
                        {{{0, 0}, {4, 0}, {2, -3}}, {3, 0}, false},    // along it
                        {{{4, 0}, {8, 0}, {8, 4}}, {1, 0}, true},      // edges on one line, end to end
                        {{{-4, 0}, {0, 0}, {-4, 4}}, {-1, 0}, true}};  // the same on the other side
  for (const Case& c : cases) {
    std::vector<std::array<int, 2>> at = lies;
    at.insert(at.end(), c.other.begin(), c.other.end());
    const std::vector<Vec3> x0 = place(at);
    std::vector<Vec3> x1 = x0;
    for (std::size_t i = 3; i < 6; ++i) x1[i] = x1[i] + u * c.way[0] + v * c.way[1];
    Deformable d(Mesh(x0, std::span<const Triangle>(list)));
    const StepSize s = d.step_size(x1);
    EXPECT_EQ(s.step > 0, c.parts) << &c - cases;
    EXPECT_EQ(s.status, c.parts ? Status::free : Status::touching_at_start) << &c - cases;
  }
}

/// A vertex on a face moves to the wrong side: at no later time do features touch, but triangles cross.
TEST(StepSize, AVertexOnAFaceDoesNotLeaveItThroughTheFace) {
  std::vector<Vec3> x0{{-2, -2, 0}, {2, -2, 0}, {0, 2, 0}, {0, 0, 0}, {1, 0, 1}, {-1, 0, 1}}, x1 = x0;
  const std::vector<Triangle> list{{0, 1, 2}, {3, 4, 5}};
  Deformable d(Mesh(x0, std::span<const Triangle>(list)));
  for (std::size_t i = 3; i < 6; ++i) x1[i].z += 0.125;
  EXPECT_EQ(d.step_size(x1).status, Status::free);
  for (std::size_t i = 3; i < 6; ++i) x1[i].z -= 0.25;
  for (const bool ignore : {false, true})
    EXPECT_EQ(d.step_size(x1, {.ignore_start_crossings = ignore}).status, Status::touching_at_start);
}

double distance_of(const DeformContact& c, std::span<const Vec3> x) {
  // From a question at rest: the gap at the start.
  ElementaryQuery q{c.kind, {}, {}};
  for (std::size_t k = 0; k < 4; ++k) q.start[k] = q.end[k] = x[c.vertices[k]];
  return elementary_contact(q, {.min_separation = 10}).gap;
}

TEST(StepSize, StartsWithinTheSeparationKeepMostOfTheirDistance) {
  const std::uint64_t seed = RandomBudget::seed(1504);
  SCOPED_TRACE(seed);
  oracle::Random random(seed);
  int within = 0;
  for (RandomBudget budget(150); budget.more();) {
    const Mesh mesh = testing::soup(random, 4, false, 0.2);
    const std::vector<Vec3> x0 = copy(mesh.positions()), x1 = moved(random, x0, false, 0.3);
    constexpr double separation = 0.1;
    const DeformResult near = deform_brute(mesh, x0, x0, {.min_separation = separation});
    if (near.contacts.empty() || !near.crossing_at_start.empty()) continue;
    Deformable d(mesh);
    EXPECT_EQ(d.step_size(x1, {.min_separation = separation, .ignore_start_if_separating = false}).status,
              Status::touching_at_start);
    const StepSize s = d.step_size(x1, {.slack = 0, .min_separation = separation});
    EXPECT_GT(s.step, 0);
    // Every pair of features that comes near at any time, from a question about the whole way.
    const std::vector<DeformContact> all = deform_brute(mesh, x0, x1, {.min_separation = separation}).contacts;
    for (const DeformContact& c : all) {
      const double kept = std::min(separation, 0.875 * distance_of(c, x0));
      within += distance_of(c, x0) < separation;
      for (int k = 0; k <= 16; ++k)
        EXPECT_GE(distance_of(c, between(x0, x1, s.time.safe * k / 16)), kept * (1 - 1e-9)) << k;
    }
  }
  EXPECT_GT(within, RandomBudget::is_whole() ? 20 : 5);
}

/// Everything moves apart from a start within the separation: nothing stops.
TEST(StepSize, PartingWithinTheSeparationIsFree) {
  const Mesh sheet = make::cloth_sheet({.triangles = 200});
  std::vector<Vec3> x0 = copy(sheet.positions()), x1;
  std::vector<Triangle> list(sheet.triangles().begin(), sheet.triangles().end());
  const auto n = static_cast<std::uint32_t>(x0.size());
  for (std::uint32_t i = 0; i < n; ++i) x0.push_back(x0[i] + Vec3{0.001, 0.002, 1e-4});
  for (std::size_t t = 0, m = list.size(); t < m; ++t) list.push_back({list[t][0] + n, list[t][1] + n, list[t][2] + n});
  Deformable d(Mesh(x0, std::span<const Triangle>(list)));
  x1 = x0;
  for (std::uint32_t i = n; i < 2 * n; ++i) x1[i].z += 1;
  const StepSizeOptions options{.self = false, .min_separation = 1e-3};
  const StepSize away = d.step_size(x1, options);
  EXPECT_EQ(away.status, Status::free);
  EXPECT_EQ(away.step, 1);
  for (std::uint32_t i = n; i < 2 * n; ++i) x1[i].z -= 2;
  const StepSize nearer = d.step_size(x1, options);
  EXPECT_EQ(nearer.status, Status::contact);
  EXPECT_GT(nearer.step, 0);
  EXPECT_NEAR(nearer.time.safe, 0.125e-4, 1e-9);
  // As often as one likes.
  for (int i = 0; i < 20; ++i) {
    x0 = between(x0, x1, d.step_size(x1, options).step);
    d.set_positions(x0);
  }
  EXPECT_GT(d.step_size(x1, options).step, 0);
}

struct Folding {
  Mesh mesh;
  std::vector<Vec3> end;
};
Folding folding(std::uint32_t triangles) {
  const Mesh sheet = make::cloth_sheet({.triangles = triangles});
  std::vector<Vec3> flat = copy(sheet.positions()), folded;
  for (Vec3& x : flat) x.z += 0.2 * x.x * x.x;
  for (const Vec3& x : flat) folded.push_back(x.x < 0 ? Vec3{-x.x, x.y, x.z + 0.05 * x.y - 0.3} : x);
  return {Mesh(flat, sheet.triangles()), folded};
}

TEST(StepSize, TheSameForAnyNumberOfThreadsParallel) {
  const Folding f = folding(6000);
  std::optional<StepSize> one;
  for (const int threads : {1, 2, 3, 7}) {
    Deformable d(f.mesh);
    for (const std::uint64_t work : {0, 30'000}) {
      const StepSize s = d.step_size(f.end, {.threads = threads, .work = work});
      if (work > 0) continue;
      EXPECT_EQ(s.status, Status::contact);
      if (!one) one = s;
      EXPECT_EQ(s.step, one->step);
      EXPECT_EQ(s.time.safe, one->time.safe);
      EXPECT_EQ(s.first->vertices, one->first->vertices);
    }
  }
}

/// What a limit leaves is certified, grows with the limit, and is not always nothing.
TEST(StepSize, ALimitLeavesWhatIsCertified) {
  const Folding f = folding(3000);
  Deformable whole(f.mesh);
  const StepSize truth = whole.step_size(f.end);
  ASSERT_EQ(truth.status, Status::contact);
  double best = 0;
  int partial = 0;
  bool ended = false;
  Deformable d(f.mesh);
  for (std::uint64_t work = 64; !ended; work += work / 8) {
    const StepSize s = d.step_size(f.end, {.work = work});
    ended = s.status != Status::undecided;
    EXPECT_LE(s.time.safe, truth.time.safe) << work;
    EXPECT_GE(s.time.safe, best) << work;
    EXPECT_EQ(s.step, ended ? truth.step : (1 - 0.1) * s.time.safe);
    best = s.time.safe;
    partial += !ended && s.step > 0;
    EXPECT_EQ(d.step_size(f.end).step, truth.step);  // nothing remains of an ended question
  }
  EXPECT_GT(partial, 0);
  EXPECT_EQ(d.step_size(f.end, {.budget = std::chrono::nanoseconds(-1)}).status, Status::undecided);
  EXPECT_EQ(d.step_size(f.end, {.budget = std::chrono::hours(1)}).step, truth.step);
}

TEST(StepSize, AnotherThreadCancels) {
  const Folding f = folding(20000);
  Deformable d(f.mesh);
  d.step_size(f.end);
  const CancelSource source;
  std::atomic<bool> asking{false};
  std::thread impatient([&] {
    while (!asking) std::this_thread::yield();
    source.cancel();
  });
  asking = true;
  StepSize s;
  for (int i = 0; i < 1000 && s.status != Status::invalid_request; ++i) {
    s = d.step_size(f.end, {.cancel = source.token()});
    if (s.status == Status::undecided) break;
  }
  impatient.join();
  EXPECT_EQ(s.status, Status::undecided);
  EXPECT_LE(s.time.safe, d.step_size(f.end).time.safe);
}

TEST(VertexArrays, AnyLayoutIsRead) {
  const Folding f = folding(200);
  const std::size_t n = f.end.size();
  Deformable d(f.mesh);
  const double step = d.step_size(f.end).step;
  ASSERT_GT(step, 0);
  std::vector<double> columns(3 * n), x(n), y(n), z(n);
  std::vector<float> single(3 * n);
  std::vector<Vec3> rounded(n);
  for (std::size_t i = 0; i < n; ++i) {
    columns[i] = x[i] = f.end[i].x;
    columns[n + i] = y[i] = f.end[i].y;
    columns[2 * n + i] = z[i] = f.end[i].z;
    for (int k = 0; k < 3; ++k) single[static_cast<std::size_t>(k) * n + i] = static_cast<float>(f.end[i][k]);
    rounded[i] = {single[i], single[n + i], single[2 * n + i]};
  }
  const VertexStrides by_columns{.vertex = sizeof(double), .component = n * sizeof(double)};
  EXPECT_EQ(d.step_size(VertexArray(&f.end[0].x, n)).step, step);
  EXPECT_EQ(d.step_size(VertexArray(columns.data(), n, by_columns)).step, step);
  EXPECT_EQ(d.step_size(VertexArray(x.data(), y.data(), z.data(), n)).step, step);
  EXPECT_EQ(d.step_size(VertexArray(single.data(), n, {.vertex = 4, .component = 4 * n})).step,
            d.step_size(rounded).step);
  DeformResult r, s;
  d.contacts(VertexArray(columns.data(), n, by_columns), {}, r);
  d.contacts(f.end, {}, s);
  expect_same(r, s);
  d.set_positions(VertexArray(columns.data(), n, by_columns));
  EXPECT_TRUE(std::equal(f.end.begin(), f.end.end(), d.positions().begin()));
}

TEST(VertexArrays, LayoutsThatOverlapAreRefused) {
  const std::vector<double> numbers(30);
  const double* const p = numbers.data();
  EXPECT_NO_THROW(VertexArray(p, 10, {.vertex = 24, .component = 8}));
  EXPECT_NO_THROW(VertexArray(p, 10, {.vertex = 8, .component = 80}));
  EXPECT_NO_THROW(VertexArray(p, 1, {.vertex = 0, .component = 8}));
  EXPECT_NO_THROW(VertexArray(p, 0, {.vertex = 0, .component = 0}));
  EXPECT_THROW(VertexArray(p, 10, {.vertex = 80, .component = 8 * 5}), Error);
  EXPECT_THROW(VertexArray(p, 10, {.vertex = 8, .component = 8}), Error);
  EXPECT_THROW(VertexArray(p, 10, {.vertex = 8, .component = 72}), Error);
  EXPECT_THROW(VertexArray(p, 10, {.vertex = 0, .component = 8}), Error);
  EXPECT_THROW(VertexArray(p, 10, {.vertex = 3, .component = 1}), Error);
  EXPECT_THROW(VertexArray(p, 10, 3), Error);  // a stride in numbers, where bytes are meant
  EXPECT_THROW(VertexArray(static_cast<const double*>(nullptr), 10), Error);
  EXPECT_THROW(VertexArray(p, p, static_cast<const double*>(nullptr), 10), Error);
}

}  // namespace
}  // namespace graze
