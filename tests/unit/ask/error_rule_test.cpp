// SPDX-License-Identifier: MIT
// The rule of graze/core/error.hpp over all public calls: what has a status never throws `Error`; everything else does.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <graze/classic/contact.hpp>
#include <graze/graze.hpp>

#include "error_rule.hpp"

namespace graze::testing {
namespace {

using error_rule::of;
using error_rule::Query;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// An open body: it has no inside.
Body open_body() {
  const std::vector<Triangle> one{{0, 1, 2}};
  return Body(Mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, std::span<const Triangle>(one)));
}

TEST(ErrorRule, QueriesReturnInvalidRequest) {
  const Body a(make::box()), open = open_body();
  const ConvexBody convex(a);
  const Pose here;
  const Mesh box = make::box();
  const std::vector<Vec3> same(box.positions().begin(), box.positions().end());
  std::vector<Vec3> broken = same;
  broken[3].y = nan;
  const std::span<const Vec3> few(same.data(), 3);
  const Motion still = Still{};
  const std::vector<MovingBody> bodies{{a, still}, {a, still}};
  const Chain chain({{"arm", "", {JointType::revolute, Pose(), {0, 0, 1}, 0}}});
  const std::vector<LinkBody> links{{LinkId{0}, a}}, unknown{{LinkId{7}, a}};
  const std::vector<double> zero{0}, two{0, 0}, bad{nan};
  const std::vector<InterferenceBody> pair{{box, {}, {}}, {box, few, {}}};
  const SurfaceBody ring(torus_surface(2, 0.5));
  const auto surface = [&](const SurfaceContactOptions& o) { return of(first_contact(ring, still, a, still, o)); };
  const auto step = [&](std::span<const Vec3> to, const DeformOptions& o) { return of(Deformable(box).step(to, o)); };
  const auto mixed = [&](std::span<const Motion> motions, const DeformOptions& o) {
    return of(DeformableAmongRigid(box, std::span(&box, 1)).step(same, motions, o));
  };
  const auto world = [&](const auto& ask) {
    World w;
    w.add(a);
    return of(ask(w));
  };
  const std::vector<Query> queries{
      {"collide threads", [&] { return of(collide(a, here, a, here, {.threads = 0})); }},
      {"collide method", [&] { return of(collide(a, here, a, here, {.method = "automatic"})); }},
      {"collide solid", [&] { return of(collide(a, here, open, here, {.solid = true})); }},
      {"self_collide threads", [&] { return of(self_collide(a, {.threads = 1025})); }},
      {"self_collide method", [&] { return of(self_collide(a, {.method = "convex"})); }},
      {"distance error", [&] { return of(distance(a, here, a, here, {.relative_error = nan})); }},
      {"distance method", [&] { return of(distance(a, here, a, here, {.method = "?"})); }},
      {"distance threads", [&] { return of(distance(a, here, a, here, {.threads = -1})); }},
      {"within d", [&] { return of(within(nan, a, here, a, here)); }},
      {"within threads", [&] { return of(within(1, a, here, a, here, {.threads = 0})); }},
      {"convex_distance", [&] { return of(convex_distance(convex, here, convex, here, {.relative_error = 2})); }},
      {"cast_ray",
       [&] {
         return of(cast_ray(a, here, {nan, 0, 0}, {1, 0, 0}));
       }},
      {"first_contact method", [&] { return of(first_contact(a, still, a, still, {.method = "?"})); }},
      {"first_contact tolerance", [&] { return of(first_contact(a, still, a, still, {.tolerance = 0.0})); }},
      {"first_contact threads", [&] { return of(first_contact(a, still, a, still, {.threads = 0})); }},
      {"first_contact solid", [&] { return of(first_contact(a, still, open, still, {.solid = true})); }},
      {"first_contacts threads", [&] { return of(first_contacts(bodies, {.threads = 0})); }},
      {"first_contacts slices", [&] { return of(first_contacts(bodies, {.slices = 0})); }},
      {"first_contacts pair", [&] { return of(first_contacts(bodies, {.pair = {.method = "?"}})); }},
      {"chain link", [&] { return of(first_contacts(chain, unknown, zero, zero)); }},
      {"chain count", [&] { return of(first_contacts(chain, links, zero, two)); }},
      {"chain finite", [&] { return of(first_contacts(chain, links, bad, zero)); }},
      {"interference positions", [&] { return of(interference(pair)); }},
      {"interference method", [&] { return of(interference({}, {.method = "?"})); }},
      {"interference threads", [&] { return of(interference({}, {.threads = 0})); }},
      {"surface tolerance", [&] { return surface({.tolerance = -1.0}); }},
      {"surfaces tolerance", [&] { return of(first_contact(ring, still, ring, still, {.tolerance = nan})); }},
      {"surface subdivision",
       [&] { return surface({.interval = classic::contact::IntervalOptions{.subdivision = nan}}); }},
      {"step count", [&] { return step(few, {}); }},
      {"step finite", [&] { return step(broken, {}); }},
      {"step tolerance", [&] { return step(same, {.tolerance = nan}); }},
      {"step separation", [&] { return step(same, {.min_separation = -1}); }},
      {"step exact", [&] { return step(same, {.min_separation = 1, .exact = true}); }},
      {"step directions", [&] { return step(same, {.directions = 4}); }},
      {"step threads", [&] { return step(same, {.threads = 0}); }},
      {"deform_brute", [&] { return of(deform_brute(box, same, broken)); }},
      {"mixed motions", [&] { return mixed({}, {}); }},
      {"mixed threads", [&] { return mixed(std::span(&still, 1), {.threads = 0}); }},
      {"sweep", [&] { return world([](World& w) { return w.sweep({.method = "?"}); }); }},
      {"near", [&] { return world([](World& w) { return w.near(-1); }); }},
  };
  error_rule::expect_invalid_requests(queries);
}

TEST(ErrorRule, QueriesWithSmallerResultsDoTheSame) {
  const Body a(make::box()), open = open_body();
  EXPECT_EQ(contains(open, Pose(), {0, 0, 0}).location, Location::invalid_request);
  EXPECT_EQ(contains(a, Pose(), {nan, 0, 0}).location, Location::invalid_request);
  EXPECT_EQ(contains(a, Pose(), {nan, 0, 0}).error->code, ErrorCode::not_finite);
  ElementaryQuery q;
  EXPECT_EQ(elementary_contact(q, {.method = "?"}).error, ErrorCode::bad_option);
  q.start[2].x = nan;
  EXPECT_EQ(elementary_contact(q).error, ErrorCode::not_finite);
  EXPECT_EQ(elementary_contact(CurvedElementaryQuery{}).status, Status::invalid_request);
  const std::vector<std::array<Vec3, 8>> queries(2);
  std::vector<ElementaryResult> results(2);
  elementary_contacts(ElementaryKind::edge_edge, queries, {}, 0, results);
  EXPECT_EQ(results[1].error, ErrorCode::bad_option);
}

/// One rule, and one message, for the number of threads.
TEST(ErrorRule, ThreadsAreRefusedInTheSameWords) {
  const Body a(make::box());
  const Pose here;
  const Motion still = Still{};
  const Mesh box = make::box();
  const std::string expected = "option threads: the number of threads must be between 1 and 1024";
  EXPECT_EQ(collide(a, here, a, here, {.threads = 0}).error->text(), expected);
  EXPECT_EQ(self_collide(a, {.threads = 0}).error->text(), expected);
  EXPECT_EQ(distance(a, here, a, here, {.threads = 0}).error->text(), expected);
  EXPECT_EQ(within(1, a, here, a, here, {.threads = 0}).error->text(), expected);
  EXPECT_EQ(first_contact(a, still, a, still, {.threads = 0}).error->text(), expected);
  EXPECT_EQ(first_contacts({}, {.threads = 0}).error->text(), expected);
  EXPECT_EQ(interference({}, {.threads = 0}).error->text(), expected);
  EXPECT_EQ(Deformable(box).step(box.positions(), {.threads = 0}).error->text(), expected);
  BroadPhase broad;
  std::vector<BoxPair> pairs;
  for (const std::function<void()>& call : std::vector<std::function<void()>>{
           [] { World({.threads = 0}); }, [&] { broad.pairs(pairs, 0); }, [&] { broad.moved_pairs(pairs, 1025); }}) {
    try {
      call();
      ADD_FAILURE() << "no Error";
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()), expected);
    }
  }
}

TEST(ErrorRule, EverythingElseThrows) {
  const Body a(make::box()), open = open_body();
  const Mesh box = make::box();
  std::vector<Vec3> broken(box.positions().begin(), box.positions().end());
  broken[0].x = nan;
  const Chain chain({{"arm", "", {JointType::revolute, Pose(), {0, 0, 1}, 0}}});
  const double bad[] = {nan}, zero[] = {0};
  World world;
  const BodyId id = world.add(a);
  world.remove(id);
  BroadPhase broad;
  std::vector<std::uint32_t> found;
  const std::vector<error_rule::Call> calls{
      {"Mesh", [&] { Mesh(broken, box.triangles()); }},
      {"Pose",
       [] {
         Pose({nan, 0, 0});
       }},
      {"deformed", [&] { a.deformed(broken); }},
      {"ConvexBody", [&] { ConvexBody{open}; }},
      {"Chain",
       [] {
         Chain(std::vector<Link>{{"", "", {}}});
       }},
      {"link_motion", [&] { chain.link_motion(LinkId{0}, bad, zero); }},
      {"SurfaceBody", [] { SurfaceBody(std::vector<std::shared_ptr<const ParametricPatch>>{}); }},
      {"torus", [] { torus_surface(-1, 1); }},
      {"load_mesh", [] { load_mesh("/no/such/file.obj"); }},
      {"prove_step", [&] { prove_step(box, box.positions(), broken); }},
      {"by_bodies",
       [&] {
         by_bodies(DeformResult{}, box, std::vector<std::uint32_t>{1, 2});
       }},
      {"World", [] { World({.broad = "?"}); }},
      {"move", [&] { world.move(id, Pose()); }},
      {"remove", [&] { world.remove(id); }},
      {"pose", [&] { world.pose(id); }},
      {"set_pair", [&] { world.set_pair(id, id, {}); }},
      {"ray",
       [&] {
         world.ray({nan, 0, 0}, {});
       }},
      {"in_box",
       [&] {
         world.in_box({{1, 0, 0}, {0, 0, 0}});
       }},
      {"BroadPhase", [] { BroadPhase({.method = "?"}); }},
      {"insert", [&] { broad.insert(0, Box3()); }},
      {"along_ray", [&] { broad.along_ray({}, {}, 1, found); }},
      {"replay", [] { replay_world("/no/such/recording"); }},
  };
  error_rule::expect_errors(calls);
}

}  // namespace
}  // namespace graze::testing
