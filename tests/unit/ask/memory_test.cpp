// SPDX-License-Identifier: MIT
// A warm question takes nothing from the heap, and what is kept is small.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include <graze/ask/collide.hpp>
#include <graze/ask/deform.hpp>
#include <graze/ask/distance.hpp>
#include <graze/ask/first_contact.hpp>
#include <graze/ask/many.hpp>
#include <graze/ask/ray.hpp>
#include <graze/mesh/make.hpp>

#include "core/parallel.hpp"
#include "counted_new.hpp"

namespace {

std::atomic<std::size_t> requests{0};

}  // namespace

void counted_request(std::size_t) { ++requests; }

namespace graze {
namespace {

// Requests of the last of three same questions.
template <class Ask>
std::size_t warm_requests(const Ask& ask) {
  ask();
  ask();
  const std::size_t before = requests;
  ask();
  return requests - before;
}

/// The backend of plain threads starts them anew for every loop, which allocates; that of TBB keeps them.
std::vector<int> numbers_of_threads() {
  const bool keeps_threads = warm_requests([] { core::parallel_for(2, 2, [](std::size_t) {}); }) == 0;
  return keeps_threads ? std::vector<int>{1, 2} : std::vector<int>{1};
}

TEST(CollideMemory, AWarmResultAllocatesNothing) {
  const Body knot(make::torus_knot({.triangles = 2880})), ball(make::sphere({.triangles = 2000}));
  for (const double x : {0.3, 5.0, 2.2}) {
    const Pose turned{{x, 0.01, 0.02}, {0.9, 0.1, -0.3, 0.2}};
    for (const bool all : {false, true}) {
      CollideOptions options;
      options.all = all;
      CollideResult result;
      EXPECT_EQ(warm_requests([&] { collide(knot, {}, ball, turned, options, result); }), 0u)
          << "all " << all << ", x " << x;
    }
  }
}

TEST(RayMemory, ARayAllocatesNothing) {
  const Body knot(make::torus_knot({.triangles = 2880}));
  int hits = 0;
  for (const double y : {-0.6, -0.3, 0.0, 0.3, 0.6, 5.0}) {
    const Pose turned{{0.1, y, 0.02}, {0.9, 0.1, -0.3, 0.2}};
    EXPECT_EQ(warm_requests([&] {
                hits += cast_ray(knot, turned, {-5, 0.1, 0.2}, {5, 0, 0}).hit.has_value();
              }),
              0u)
        << "y " << y;
  }
  EXPECT_GE(hits, 6);
}

TEST(RayMemory, AWarmBatchOfRaysAllocatesNothing) {
  const Body knot(make::torus_knot({.triangles = 2880}));
  std::vector<Ray> rays;
  for (int i = 0; i < 50; ++i) rays.push_back({{-5, 0.013 * i, 0.2}, {5, 0.1 - 0.007 * i, 0.01 * i}});
  std::vector<RayResult> results(rays.size());
  for (const RayHits hits : {RayHits::first, RayHits::any, RayHits::all})
    for (const int threads : numbers_of_threads()) {
      ManyOptions<RayOptions> options;
      options.each.hits = hits;
      options.threads = threads;
      EXPECT_EQ(warm_requests([&] { cast_rays(knot, Pose(), rays, results, options); }), 0u)
          << name(hits) << ", threads " << threads;
    }
}

TEST(DistanceMemory, AQuestionOfBodiesApartAllocatesNothing) {
  const Body knot(make::torus_knot({.triangles = 2880})), ball(make::sphere({.triangles = 2000}));
  for (const double x : {4.1, 6.0, 100.0}) {
    const Pose apart{{x, 0.01, 0.02}, {0.9, 0.1, -0.3, 0.2}};
    DistanceResult result;
    EXPECT_EQ(warm_requests([&] { distance(knot, {}, ball, apart, {}, result); }), 0u) << "x " << x;
    EXPECT_EQ(result.status, Status::free);
    EXPECT_EQ(warm_requests([&] { within(1.0, knot, {}, ball, apart); }), 0u) << "x " << x;
  }
}

TEST(FirstContactMemory, AWarmQuestionAllocatesNothing) {
  const Body knot(make::torus_knot({.triangles = 2880})), ball(make::sphere({.triangles = 2000})), box(make::box()),
      floor(make::box({.size = {40, 40, 1}}));
  const auto requests_of = [](const Body& a, const Motion& way_a, const Body& b, const Motion& way_b, Status expected) {
    FirstContactCoherence coherence;
    FirstContactOptions options;
    options.coherence = &coherence;
    FirstContactResult result;
    const std::size_t count = warm_requests([&] { first_contact(a, way_a, b, way_b, options, result); });
    EXPECT_EQ(result.status, expected);
    return count;
  };
  const Motion still = Still{Pose()};
  const Pose beside({1.8, 0.01, 0.02}, {0.9, 0.1, -0.3, 0.2}), at({5, 0.3, 0.1});
  EXPECT_EQ(requests_of(ball, Velocity(at, Pose({-5, 0.3, 0.1}, {0.9, 0.1, -0.3, 0.2})), knot, still, Status::contact),
            0u);
  EXPECT_EQ(requests_of(ball, Velocity(at, Pose({-5, 6, 0.1}, {0.9, 0.1, -0.3, 0.2})), knot, still, Status::free), 0u);
  EXPECT_EQ(requests_of(ball, Velocity(beside, at), knot, still, Status::touching_at_start), 0u);
  for (const double gap : {1e-3, 1e-8})
    for (const double fall : {0.0, 0.01}) {
      const Motion way =
          Velocity(Pose({1, 2, 1 + gap}, {1, 0, 0, 0.1}), Pose({1.1, 2, 1 + gap - fall}, {1, 0, 0, 0.1}));
      EXPECT_EQ(requests_of(box, way, floor, still, fall > 0 ? Status::contact : Status::free), 0u)
          << "gap " << gap << ", fall " << fall;
    }
}

TEST(ManyMemory, AWarmBatchAllocatesNothing) {
  const Body knot(make::torus_knot({.triangles = 2880})), ball(make::sphere({.triangles = 2000}));
  std::vector<Pose> poses, apart;
  std::vector<Motion> motions;
  for (int i = 0; i < 40; ++i) {
    const Pose from({-5 + 0.1 * i, 0.3, 0.1}), to({5, 0.2 * i, 0.4}, {0.9, 0.1, -0.3, 0.2});
    poses.push_back(from);
    apart.push_back(Pose({4.1 + 0.1 * i, 0.01, 0.02}, {0.9, 0.1, -0.3, 0.2}));
    motions.push_back(Velocity(from, to));
  }
  const Motion still = Still{Pose()};
  ManyMemory memory;
  for (const int threads : numbers_of_threads()) {
    ManyOptions<CollideOptions> collide_options;
    collide_options.threads = threads;
    std::vector<CollideResult> hits(poses.size());
    EXPECT_EQ(warm_requests([&] { collide_many(ball, poses, knot, Pose(), hits, collide_options); }), 0u) << threads;
    ManyOptions<DistanceOptions> distance_options;
    distance_options.threads = threads;
    std::vector<DistanceResult> distances(poses.size());
    EXPECT_EQ(warm_requests([&] { distance_many(ball, apart, knot, Pose(), distances, distance_options); }), 0u)
        << threads;
    ManyOptions<FirstContactOptions> options;
    options.threads = threads;
    options.memory = &memory;
    std::vector<FirstContactResult> contacts(poses.size());
    std::vector<MotionFreeResult> free(poses.size());
    const auto ask = [&] {
      first_contact_many(ball, motions, knot, still, contacts, options);
      motion_free_many(ball, motions, knot, still, free, options);
    };
    // With two threads, the memory of a thread may meet an entry that it has not seen before: it grows until it has.
    int quiet = 0;
    for (int round = 0; round < (threads == 1 ? 7 : 200) && quiet < 5; ++round) {
      const std::size_t before = requests;
      ask();
      quiet = requests == before ? quiet + 1 : 0;
    }
    EXPECT_EQ(quiet, 5) << threads;
  }
}

TEST(DeformMemory, AWarmStepAllocatesNothing) {
  const Mesh sheet = make::cloth_sheet({.triangles = 800});
  std::vector<Vec3> flat(sheet.positions().begin(), sheet.positions().end()), folded;
  for (Vec3& x : flat) x.z += 0.2 * x.x * x.x;
  for (const Vec3& x : flat) folded.push_back(x.x < 0 ? Vec3{-x.x, x.y, x.z + 0.05 * x.y + 0.0131 - 0.002 * x.x} : x);
  Deformable d(sheet);
  DeformResult result;
  for (const int which : {0, 1, 2, 3}) {
    DeformOptions options;
    options.crossing_at_start = which % 2 == 0;
    options.all = which < 2;
    for (int i = 0; i < 2; ++i) {
      d.step(folded, options, result);
      d.step(flat, options, result);
    }
    // (Where a start touches, which is decided by big integers, they take memory.)
    const std::size_t before = requests;
    d.step(folded, options, result);
    EXPECT_EQ(requests - before, 0u) << "all " << options.all << ", start " << options.crossing_at_start;
    EXPECT_GT(result.contacts.size(), 0u);
    d.step(flat, options, result);
  }
}

TEST(DeformMemory, WarmQuestionsAllocateNothing) {
  const Mesh sheet = make::cloth_sheet({.triangles = 800});
  std::vector<Vec3> flat(sheet.positions().begin(), sheet.positions().end()), down, folded;
  for (Vec3& x : flat) x.z += 0.2 * x.x * x.x;
  for (const Vec3& x : flat) {
    down.push_back(x - Vec3{0, 0, 0.1});
    folded.push_back(x.x < 0 ? Vec3{-x.x, x.y, x.z + 0.05 * x.y - 0.3} : x);
  }
  Deformable d(sheet);
  DeformResult result;
  for (const double separation : {0.0, 1e-3}) {
    StepSize s;
    const auto ask = [&] {
      for (const std::vector<Vec3>* x0 : {&flat, &down}) {
        d.set_positions(*x0);
        s = d.step_size(folded, {.min_separation = separation});
        d.step_size(VertexArray(&folded[0].x, folded.size()), {.min_separation = separation, .work = 1 << 20});
        d.contacts(folded, {.min_separation = separation}, result);
      }
    };
    EXPECT_EQ(warm_requests(ask), 0u) << separation;
    EXPECT_EQ(s.status, Status::contact);
    EXPECT_GT(result.contacts.size(), 0u);
  }
}

TEST(DeformMemory, AtMost250BytesATriangle) {
  const Mesh sheet = make::cloth_sheet({.triangles = 20000});
  Deformable d(sheet);
  DeformOptions options;
  options.crossing_at_start = false;
  d.step(std::vector<Vec3>(sheet.positions().begin(), sheet.positions().end()), options);
  EXPECT_LE(static_cast<double>(d.bytes()) / static_cast<double>(sheet.triangle_count()), 250.0);
}

}  // namespace
}  // namespace graze
