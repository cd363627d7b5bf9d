// SPDX-License-Identifier: MIT
// Every question that would take seconds ends soon after its token is cancelled, and says `undecided`. The limit is on
// processor time, and generous: a loaded machine delays the thread that cancels.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <random>
#include <string>

#include <graze/graze.hpp>

#include "cancelled.hpp"

namespace graze::testing {
namespace {

using cancelled::expect_cancelled;
using cancelled::Scene;
using cancelled::scene;
using cancelled::soup;

TEST(Cancel, TokensAreSharedAndCostNothingByDefault) {
  const CancelToken never;
  EXPECT_FALSE(never.cancelled());
  EXPECT_EQ(never.flag(), nullptr);
  const CancelSource source, copy = source;
  const CancelToken token = source.token(), other = token;
  EXPECT_FALSE(other.cancelled());
  copy.cancel();
  EXPECT_TRUE(token.cancelled() && other.cancelled() && source.cancelled() && source.token().cancelled());
}

TEST(Cancel, DiscreteQuestionsEndSoon) {
  const Scene& s = scene();
  for (const int threads : {1, 2}) {
    expect_cancelled("collide", [&](const CancelToken& cancel) {
      const CollideResult r =
          collide(s.a, Pose(), s.b, Pose(), {.all = true, .all_features = true, .threads = threads, .cancel = cancel});
      EXPECT_TRUE(r.pairs.empty() && r.features.empty() && !r.kind && !r.points && !r.normal);
      return r.status;
    });
    expect_cancelled("collide brute", [&](const CancelToken& cancel) {
      return collide(s.comb_a, Pose(), s.comb_b, Pose(), {.method = "brute", .threads = threads, .cancel = cancel})
          .status;
    });
    expect_cancelled("self_collide", [&](const CancelToken& cancel) {
      const SelfCollideResult r = self_collide(s.a, {.all = true, .threads = threads, .cancel = cancel});
      EXPECT_TRUE(r.pairs.empty() && r.features.empty() && !r.kind && !r.point);
      EXPECT_LT(r.counters.triangle_tests, 8000u * 8000 / 4);
      return r.status;
    });
    expect_cancelled("distance brute", [&](const CancelToken& cancel) {
      const DistanceResult r =
          distance(s.a, Pose(), s.away, Pose(), {.method = "brute", .threads = threads, .cancel = cancel});
      EXPECT_EQ(r.distance, 0);
      EXPECT_FALSE(r.feature || r.normal);
      EXPECT_LT(r.counters.triangle_tests, 8000u * 8000 / 2);
      return r.status;
    });
  }
  const std::vector<InterferenceBody> bodies{{s.soup_a, {}, Pose()}, {s.soup_b, {}, Pose()}};
  for (const InterferenceTraits& method : interference_methods())
    expect_cancelled(("interference " + std::string(method.name)).c_str(), [&](const CancelToken& cancel) {
      InterferenceCoherence coherence;
      const InterferenceResult r =
          interference(bodies, {.method = method.name, .cancel = cancel, .coherence = &coherence});
      EXPECT_TRUE(r.pairs.empty());
      return r.status;
    });
}

/// Every pair of two planes of long triangles is about as near as every other.
TEST(Cancel, CloseParallelPlanesEndSoon) {
  const auto plane = [](std::uint64_t seed, double z) {
    const Mesh mesh = soup(6000, seed);
    std::vector<Vec3> flat(mesh.positions().begin(), mesh.positions().end());
    for (Vec3& p : flat) p.z = z;
    return Body(Mesh(flat, mesh.triangles()));
  };
  const Body a = plane(4, 0), b = plane(5, 1);
  expect_cancelled("within", [&](const CancelToken& cancel) {
    return within(1 - 1e-12, a, Pose(), b, Pose(), {.cancel = cancel}).status;
  });
  World world;
  const Pose tilted({}, {1, 0.5, 0, 0});  // now their boxes overlap
  world.add(a, tilted);
  world.add(b, tilted);
  expect_cancelled("near", [&](const CancelToken& cancel) {
    const NearResult r = world.near(1 - 1e-12, {.cancel = cancel});
    EXPECT_TRUE(r.pairs.empty() && !r.error);
    return r.status;
  });
}

TEST(Cancel, MovingBodiesEndSoonWithTheTimeReached) {
  const Scene& s = scene();
  for (const char* method : {"best_first", "brute", "advancement", "interval"})
    for (const int threads : {1, 2})
      expect_cancelled(method, [&](const CancelToken& cancel) {
        FirstContactOptions options{.method = method, .threads = threads, .cancel = cancel};
        options.all_contacts = options.clearance = true;
        const FirstContactResult r = first_contact(s.socket, Still{}, s.ring, s.turn, options);
        EXPECT_TRUE(r.time.safe >= 0 && r.time.safe <= 1 && std::isnan(r.time.touch) && std::isnan(r.gap));
        EXPECT_TRUE(r.contacts.empty() && r.features.empty() && !r.pair && !r.points && !r.clearance);
        return r.status;
      });
  expect_cancelled("certificate", [&](const CancelToken& cancel) {
    return first_contact(s.socket, Still{}, s.ring, s.turn, {.certificate = true, .cancel = cancel}).status;
  });
}

TEST(Cancel, ManyBodiesAndChainsEndSoon) {
  const Scene& s = scene();
  expect_cancelled("first_contacts", [&](const CancelToken& cancel) {
    const std::vector<MovingBody> bodies{{s.socket, Still{}}, {s.ring, s.turn}};
    FirstContactsOptions options;
    options.cancel = cancel;
    return first_contacts(bodies, options).status;
  });
  expect_cancelled("chain", [&](const CancelToken& cancel) {
    const Chain chain({{"arm", "", {JointType::revolute, Pose(), {0, 0, 1}, 0}},
                       {"hand", "arm", {JointType::revolute, Pose({1e-7, 0, 0}), {0, 1e-4, 1}, 0}}});
    const std::vector<LinkBody> links{{LinkId{1}, s.ring}};
    const std::vector<MovingBody> environment{{s.socket, Still{}}};
    ChainContactsOptions options;
    options.cancel = cancel;
    const double from[] = {0, 0}, to[] = {3, -1};
    return first_contacts(chain, links, from, to, environment, options).status;
  });
  expect_cancelled("surface", [&](const CancelToken& cancel) {
    const SurfaceBody ring(torus_surface(40, 10), {.leaf_size = 1.0 / 4});
    SurfaceContactOptions options;
    options.cancel = cancel;
    options.tolerance = 1e-9;
    const SurfaceContactResult r =
        first_contact(ring, Velocity(Pose({75, 75, 50.0001}), Pose({75.5, 75, 50.0001})), s.comb_a, Still{}, options);
    EXPECT_TRUE(std::isnan(r.time.touch) && std::isnan(r.gap));
    return r.status;
  });
}

TEST(Cancel, DeformingMeshesEndSoonAndGoOn) {
  const Scene& s = scene();
  std::vector<Vec3> end(s.soup_a.positions().begin(), s.soup_a.positions().end());
  for (Vec3& p : end) p = p * 1.1;
  expect_cancelled("step", [&](const CancelToken& cancel) {
    Deformable mesh(s.soup_a);
    const DeformResult r = mesh.step(end, {.cancel = cancel});
    EXPECT_TRUE(r.contacts.empty() && r.crossing_at_start.empty() && std::isnan(r.time.touch));
    EXPECT_EQ(mesh.positions()[5], end[5]);  // there all the same
    return r.status;
  });
  expect_cancelled("deform_brute", [&](const CancelToken& cancel) {
    return deform_brute(s.soup_a, s.soup_a.positions(), end, {.cancel = cancel}).status;
  });
  expect_cancelled("among rigid", [&](const CancelToken& cancel) {
    DeformableAmongRigid mixed(s.soup_a, std::span(&s.soup_b, 1));
    const Motion turn = Velocity(Pose(), Pose({0.1, 0, 0}, {1, 0, 0, 0.1}));
    return mixed.step(end, std::span(&turn, 1), {.cancel = cancel}).status;
  });
  expect_cancelled("prove_step", [&](const CancelToken& cancel) {
    std::vector<Vec3> up(s.teeth_a.positions().begin(), s.teeth_a.positions().end());
    for (Vec3& p : up) p.z += 0.1 * p.x;
    StepProofOptions options;
    options.cancel = cancel;
    return prove_step(s.teeth_a, s.teeth_a.positions(), up, options) ? Status::free : Status::undecided;
  });
}

/// A step that was ended while its structures were built does not spoil the next ones.
TEST(Cancel, StepsAfterAnEndedOneAreRight) {
  const Mesh mesh = soup(150, 6);
  std::vector<Vec3> middle(mesh.positions().begin(), mesh.positions().end()), end = middle;
  for (Vec3& p : middle) p = p * 1.05;
  for (Vec3& p : end) p = p * 0.9;
  const DeformResult truth = deform_brute(mesh, middle, end);
  for (std::uint64_t work = 1; work < 100'000; work *= 3) {
    Deformable d(mesh);
    DeformResult r;
    d.step(middle, {.work = work}, r);
    const bool ended = r.status == Status::undecided;
    d.step(end, {}, r);
    EXPECT_EQ(r.contacts.size(), truth.contacts.size()) << work;
    EXPECT_EQ(r.crossing_at_start, truth.crossing_at_start) << work;
    EXPECT_TRUE(ended || work > 1000);
  }
}

TEST(Cancel, ElementaryQueriesEndSoon) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<std::array<Vec3, 8>> queries(100'000);
  for (auto& q : queries)
    for (Vec3& p : q) p = {unit(random), unit(random), unit(random)};
  std::vector<ElementaryResult> results(queries.size());
  expect_cancelled("elementary_contacts", [&](const CancelToken& cancel) {
    elementary_contacts(ElementaryKind::edge_edge, queries, {.method = "interval", .cancel = cancel}, 1, results);
    std::size_t open = 0;
    for (const ElementaryResult& r : results) open += r.status == Status::undecided;
    return open > results.size() / 2 ? Status::undecided : Status::free;
  });
}

TEST(Cancel, WorldsEndSoonAndForgetNothing) {
  const Scene& s = scene();
  expect_cancelled("check", [&](const CancelToken& cancel) {
    World world;
    const BodyId a = world.add(s.comb_a), b = world.add(s.comb_b);
    world.set_pair(a, b, {.method = "brute"});
    const CheckResult r = world.check({.cancel = cancel});
    EXPECT_EQ(r.asked, 0u);
    EXPECT_TRUE(r.events.empty());
    EXPECT_EQ(world.check({.work = 1}).undecided.size(), 1u);  // asked again
    return r.undecided.size() == 1 ? Status::undecided : Status::free;
  });
  expect_cancelled("sweep", [&](const CancelToken& cancel) {
    World world;
    world.add(s.socket);
    const BodyId b = world.add(s.ring);
    world.sweep({.work = 1});
    world.move(b, s.turned);
    const SweepResult r = world.sweep({.advance = true, .cancel = cancel});
    EXPECT_FALSE(r.advanced);
    EXPECT_TRUE(r.safe >= 0 && r.safe <= 1);
    EXPECT_EQ(world.sweep({.work = 1}).contacts.size(), 1u);  // the same path once more
    return r.status;
  });
}

/// The same steps on every machine and for any number of threads; without effect on a query that needs fewer.
TEST(Cancel, WorkIsReproducible) {
  const Mesh mesh = soup(400, 8), other = soup(400, 9);
  const Body a(mesh), b(other), away(soup(400, 9, {3, 0, 0}));
  const CollideResult whole = collide(a, Pose(), b, Pose(), {.all = true});
  EXPECT_EQ(collide(a, Pose(), b, Pose(), {.all = true, .work = 1 << 30}).pairs, whole.pairs);
  EXPECT_EQ(distance(a, Pose(), away, Pose(), {.work = 1 << 30}).distance, distance(a, Pose(), away, Pose()).distance);
  const double gap_width = distance(a, Pose(), away, Pose()).distance;
  Counters before{};
  for (const int threads : {1, 3}) {
    const SelfCollideResult self = self_collide(a, {.all = true, .threads = threads, .work = 5000});
    const DistanceResult gap = distance(a, Pose(), away, Pose(), {.threads = threads, .work = 5});
    const WithinResult near = within(gap_width * (1 - 1e-9), a, Pose(), away, Pose(), {.threads = threads, .work = 5});
    Deformable d(mesh);
    std::vector<Vec3> end(mesh.positions().begin(), mesh.positions().end());
    for (Vec3& p : end) p = p * 1.1;
    const DeformResult step = d.step(end, {.threads = threads, .work = 500});
    const std::vector<InterferenceBody> bodies{{mesh, {}, Pose()}, {other, {}, Pose()}};
    const InterferenceResult faces = interference(bodies, {.threads = threads, .work = 500});
    for (const Status status : {self.status, gap.status, near.status, step.status, faces.status})
      EXPECT_EQ(status, Status::undecided);
    Counters sum = self.counters;
    sum += gap.counters;
    sum += near.counters;
    if (threads > 1) {
      EXPECT_EQ(sum.triangle_tests, before.triangle_tests);
      EXPECT_EQ(sum.node_pairs, before.node_pairs);
    }
    before = sum;
  }
}

TEST(Cancel, ABudgetEndsAQuery) {
  const Scene& s = scene();
  using std::chrono::milliseconds;
  EXPECT_EQ(self_collide(s.a, {.all = true, .budget = milliseconds(20)}).status, Status::undecided);
  EXPECT_EQ(first_contact(s.socket, Still{}, s.ring, s.turn, {.budget = milliseconds(20)}).status, Status::undecided);
  EXPECT_EQ(distance(s.a, Pose(), s.away, Pose(), {.budget = milliseconds(-1)}).status, Status::undecided);
  EXPECT_EQ(collide(s.a, Pose(), s.away, Pose(), {.budget = std::chrono::nanoseconds::max()}).status, Status::free);
}

}  // namespace
}  // namespace graze::testing
