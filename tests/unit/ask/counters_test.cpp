// SPDX-License-Identifier: MIT
// Every result holds the core counters; a method's own are filled on request, which changes no answer.
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <graze/ask/deform_brute.hpp>
#include <graze/ask/deform_rigid.hpp>
#include <graze/graze.hpp>

namespace graze::testing {
namespace {

template <class T>
constexpr bool has_method_counters = requires(const T& t) {
  t.counters.plane_updates;
};
static_assert(!has_method_counters<CollideResult> && !has_method_counters<FirstContactResult>);
static_assert(!has_method_counters<InterferenceResult> && !has_method_counters<DeformResult>);

/// All values, in the order of the list.
template <class Values>
std::vector<std::uint64_t> values(const Values& counters) {
  std::vector<std::uint64_t> out;
  for_each_counter(counters, [&](const char*, const char*, std::uint64_t value) { out.push_back(value); });
  return out;
}

std::uint64_t sum(const MethodCounters& counters) {
  std::uint64_t all = 0;
  for (const std::uint64_t value : values(counters)) all += value;
  return all;
}

/// Values that no question counts.
MethodCounters old_values() {
  MethodCounters m;
  m.relaxed_vertices = m.octree_repeats = m.orphan_tests = ~std::uint64_t{0} / 2;
  return m;
}

TEST(Counters, TheCoreIsShortAndNoNameIsInBothLists) {
  std::set<std::string> names;
  const auto add = [&](const char* name, const char* meaning, std::uint64_t) {
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_NE(std::string(meaning), "") << name;
  };
  for_each_counter(Counters(), add);
  EXPECT_LE(names.size(), 25u);
  EXPECT_EQ(sizeof(Counters), 8 * names.size());
  for_each_counter(MethodCounters(), add);
  EXPECT_EQ(sizeof(AllCounters), 8 * names.size());
  EXPECT_EQ(values(AllCounters()).size(), names.size());
}

TEST(Counters, SumsOfAllCountersAreThoseOfTheirParts) {
  AllCounters all;
  all.node_pairs = 3;
  all.clip_steps = 5;
  all += AllCounters{all, all};
  EXPECT_EQ(all.node_pairs, 6u);
  EXPECT_EQ(all.clip_steps, 10u);
  Counters core;
  core.node_pairs = 1;
  all += core;
  EXPECT_EQ(all.node_pairs, 7u);
  EXPECT_EQ(all.clip_steps, 10u);
}

TEST(Counters, ARequestChangesNoAnswerOfCollide) {
  const Body ball(make::sphere({.radius = 1, .triangles = 168}));
  for (const MethodTraits& method : collide_methods())
    for (const double x : {1.5, 2.1}) {
      SCOPED_TRACE(std::string(method.name) + " at " + std::to_string(x));
      const Pose pose({x, 0.3, 0.1}, {1, 0.2, 0.1, 0});
      CollideOptions options;
      options.method = method.name;
      options.solid = method.solid_only || !method.surface;
      const CollideResult without = collide(ball, Pose(), ball, pose, options);
      MethodCounters own = old_values();
      options.method_counters = &own;
      const CollideResult with = collide(ball, Pose(), ball, pose, options);
      EXPECT_EQ(with.status, without.status);
      EXPECT_EQ(with.kind, without.kind);
      EXPECT_EQ(with.pairs, without.pairs);
      EXPECT_EQ(with.features, without.features);
      EXPECT_EQ(with.points, without.points);
      EXPECT_EQ(values(with.counters), values(without.counters));
      // All work of the default method is in the core. Bodies whose boxes are apart cost some methods nothing.
      if (x < 2 || method.name == "tree") {
        EXPECT_EQ(sum(own) > 0, method.name != "tree");
      }
    }
}

TEST(Counters, ARefusedQuestionHasCountedNothing) {
  const Body ball(make::sphere({.triangles = 48}));
  MethodCounters own = old_values();
  EXPECT_EQ(collide(ball, Pose(), ball, Pose(), {.method = "none", .method_counters = &own}).status,
            Status::invalid_request);
  EXPECT_EQ(sum(own), 0u);
  own = old_values();
  EXPECT_EQ(first_contact(ball, Still{}, ball, Still{}, {.method = "none", .method_counters = &own}).status,
            Status::invalid_request);
  EXPECT_EQ(sum(own), 0u);
  own = old_values();
  EXPECT_EQ(interference({}, {.method = "none", .method_counters = &own}).status, Status::invalid_request);
  EXPECT_EQ(sum(own), 0u);
}

TEST(Counters, ARequestChangesNoAnswerOfFirstContact) {
  const Body knot(make::torus_knot({.triangles = 200})), box(make::box());
  const Motion motion = Velocity(Pose({4, 0.3, 0.2}), Pose({-3, 0.1, 0}, {1, 0.3, 0.1, 0.5}));
  for (const FirstContactTraits& method : first_contact_methods()) {
    SCOPED_TRACE(method.name);
    FirstContactOptions options;
    options.method = method.name;
    options.tolerance = 1e-4;
    const FirstContactResult without = first_contact(knot, motion, box, Still{}, options);
    MethodCounters own = old_values();
    options.method_counters = &own;
    const FirstContactResult with = first_contact(knot, motion, box, Still{}, options);
    EXPECT_EQ(with.status, Status::contact);
    EXPECT_EQ(with.status, without.status);
    EXPECT_EQ(with.time.safe, without.time.safe);
    EXPECT_EQ(with.time.touch, without.time.touch);
    EXPECT_EQ(with.features, without.features);
    EXPECT_EQ(values(with.counters), values(without.counters));
    EXPECT_GT(sum(own), 0u);
    EXPECT_EQ(own.relaxed_vertices + own.octree_repeats, 0u);  // nothing is left of the old values
    EXPECT_EQ(own.advancement_steps > 0, method.name == "advancement");
    EXPECT_EQ(own.root_bisections > 0, method.name == "interval");
  }
}

TEST(Counters, ManyBodiesSumThoseOfThePairsForAnyNumberOfThreads) {
  const Body box(make::box());
  std::vector<MovingBody> bodies;
  for (int i = 0; i < 6; ++i)
    bodies.push_back({box, Velocity(Pose({3.0 * i, 0, 0}), Pose({0.9 * i, 0.05 * i, 0}, {1, 0, 0.05 * i, 0}))});
  MethodCounters one, three;
  FirstContactsOptions options;
  options.all_pairs = true;
  options.pair.method_counters = &one;
  const FirstContactsResult first = first_contacts(bodies, options);
  options.threads = 3;
  options.pair.method_counters = &three;
  first_contacts(bodies, options);
  EXPECT_GT(one.motion_solved, 0u);
  EXPECT_EQ(values(one), values(three));
  MethodCounters pairs, pair;
  for (const PairContact& p : first.pairs) {
    first_contact(bodies[p.a].body, bodies[p.a].motion, bodies[p.b].body, bodies[p.b].motion,
                  {.method_counters = &pair});
    pairs += pair;
  }
  EXPECT_EQ(values(pairs), values(one));
}

TEST(Counters, InterferenceOnRequest) {
  const Mesh ball = make::sphere({.triangles = 168});
  const std::vector<InterferenceBody> bodies{{.mesh = ball, .pose = Pose()}, {.mesh = ball, .pose = Pose({1, 0.2, 0})}};
  for (const InterferenceTraits& method : interference_methods()) {
    SCOPED_TRACE(method.name);
    MethodCounters own = old_values();
    const InterferenceResult without = interference(bodies, {.method = method.name});
    const InterferenceResult with = interference(bodies, {.method = method.name, .method_counters = &own});
    EXPECT_EQ(with.pairs, without.pairs);
    EXPECT_EQ(values(with.counters), values(without.counters));
    EXPECT_EQ(own.octree_cells > 0, method.name == "kitamura" || method.name == "octree_update");
    EXPECT_EQ(own.relaxed_vertices, 0u);
  }
}

TEST(Counters, StepsOnRequest) {
  const Mesh sheet = make::cloth_sheet({.triangles = 200});
  std::vector<Vec3> end(sheet.positions().begin(), sheet.positions().end());
  for (Vec3& x : end) x = x + Vec3{0, 0, 0.1 * x.x * x.y};
  MethodCounters own = old_values();
  DeformOptions asked;
  asked.method_counters = &own;
  const DeformResult without = Deformable(sheet).step(end), with = Deformable(sheet).step(end, asked);
  EXPECT_EQ(with.status, without.status);
  EXPECT_EQ(values(with.counters), values(without.counters));
  EXPECT_GT(own.patch_cones, 0u);
  EXPECT_EQ(own.relaxed_vertices, 0u);
  // Among rigid bodies: the cullings of the sheet itself, and those against the bodies.
  const Mesh box = make::box();
  MethodCounters both = old_values();
  asked.method_counters = &both;
  const Box3 around = sheet.box();
  const std::vector<Motion> motions{Still{Pose((around.lo + around.hi) * 0.5)}};
  DeformableAmongRigid(sheet, std::vector<Mesh>{box}).step(end, motions, asked);
  EXPECT_EQ(both.patch_cones, own.patch_cones);
  EXPECT_GT(both.representative_pairs, own.representative_pairs);
  asked.method_counters = &(own = old_values());
  deform_brute(sheet, sheet.positions(), end, asked);
  EXPECT_EQ(sum(own), 0u);
}

TEST(Counters, WorldsSumThoseOfTheirPairs) {
  const Body ball(make::sphere({.radius = 0.5, .triangles = 168}));
  std::vector<std::uint64_t> found[2];
  for (const int threads : {1, 3}) {
    World world({.threads = threads});
    std::vector<BodyId> ids;
    const auto row = [&](double spacing) {
      for (std::size_t i = 0; i < ids.size(); ++i) world.move(ids[i], Pose({spacing * static_cast<double>(i), 0, 0}));
    };
    for (std::size_t i = 0; i < 12; ++i) ids.push_back(world.add(ball, Pose({0.9 * static_cast<double>(i), 0, 0})));
    for (std::size_t i = 0; i + 1 < 12; ++i)
      world.set_pair(ids[i], ids[i + 1], {.method = i % 2 == 0 ? "brute" : "tree"});
    MethodCounters own = old_values();
    world.check({.method_counters = &own});
    EXPECT_GT(own.precheck_face_box, 0u);
    found[threads > 1] = values(own);
    row(1.2);
    world.sweep();
    row(0.8);
    own = old_values();
    world.sweep({.method = "interval", .method_counters = &own});
    EXPECT_EQ(own.precheck_face_box + own.relaxed_vertices, 0u);
    const std::vector<std::uint64_t> swept = values(own);
    found[threads > 1].insert(found[threads > 1].end(), swept.begin(), swept.end());
    EXPECT_GT(own.root_bisections, 0u);
  }
  EXPECT_EQ(found[0], found[1]);
}

}  // namespace
}  // namespace graze::testing
