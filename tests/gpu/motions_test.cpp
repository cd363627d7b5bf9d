// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <graze/ask/many.hpp>
#include <graze/gpu/motions.hpp>
#include <graze/gpu/overlapping_boxes.hpp>
#include <graze/mesh/make.hpp>

#include "check.hpp"

namespace {

using namespace graze;

Pose random_pose(std::mt19937_64& random, double distance) {
  std::normal_distribution<double> normal;
  const Vec3 d{normal(random), normal(random), normal(random)};
  return Pose(d * (distance / length(d)), {normal(random), normal(random), normal(random), normal(random)});
}

void compare(const Body& a, const Body& b, double distance, double aside, std::size_t n, double separation) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> share(0, aside);
  std::vector<Pose> from_a, to_a, from_b, to_b;
  std::vector<Motion> motions_a, motions_b;
  for (std::size_t i = 0; i < n; ++i) {
    from_a.push_back(random_pose(random, 0.1 * distance));
    to_a.push_back(random_pose(random, 0.1 * distance));
    // Some start in contact, or near it.
    from_b.push_back(random_pose(random, i % 16 == 0 ? 0.4 * aside : distance));
    to_b.push_back(Pose(random_pose(random, share(random)).translation() * 2 - from_b[i].translation(),
                        random_pose(random, 1).rotation()));
    motions_a.push_back(Velocity(from_a[i], to_a[i]));
    motions_b.push_back(Velocity(from_b[i], to_b[i]));
  }
  std::vector<FirstContactResult> cpu(n);
  FirstContactOptions each;
  each.min_separation = separation;
  first_contact_many(a, motions_a, b, motions_b, cpu, {.each = each, .threads = 8});
  gpu::MotionPair pair(a, b);
  gpu::MotionsOptions options;
  options.min_separation = separation;
  options.threads = 8;
  std::vector<gpu::MotionAnswer> found(n), again(n);
  const auto first = gpu::first_contact_many(pair, {from_a, to_a}, {from_b, to_b}, found, options);
  gpu::first_contact_many(pair, {from_a, to_a}, {from_b, to_b}, again, options);
  std::size_t wrong = 0, different = 0;
  for (std::size_t i = 0; i < n; ++i) {
    wrong += found[i].status != cpu[i].status ||
             (found[i].status == Status::contact && !(std::fabs(found[i].time - cpu[i].time.touch) <= 1e-4));
    different += found[i].time != again[i].time || found[i].a != again[i].a || found[i].b != again[i].b;
  }
  EXPECT(wrong == 0);
  EXPECT(different == 0);
  EXPECT(first.free + first.contact == n);
  const auto any = gpu::motion_free_many(pair, {from_a, to_a}, {from_b, to_b}, found, options);
  EXPECT(any.free == first.free);
  EXPECT(any.contact == first.contact);
  std::printf("  %zu free, %zu contacts, %zu searched again, %zu on the CPU\n", first.free, first.contact,
              first.repeated, first.on_cpu);
}

}  // namespace

GPU_TEST(first_contacts_of_knots_are_those_of_the_cpu) {
  const Body knot(make::torus_knot({.triangles = 2880}));
  compare(knot, knot, 4, 5, 3000, 0);
  compare(knot, knot, 4, 5, 500, 0.05);
}

GPU_TEST(first_contacts_of_other_shapes_are_those_of_the_cpu) {
  const Body bunny(make::bunny({.triangles = 20000})), box(make::box({{1.5, 0.05, 1}}));
  compare(bunny, box, 3, 2, 2000, 0);
  compare(box, box, 3, 2, 2000, 0);
}

GPU_TEST(a_pose_that_is_not_finite_is_refused) {
  const Body box(make::box({}));
  gpu::MotionPair pair(box, box);
  std::vector<Pose> from(3, Pose({4, 0, 0})), to(3, Pose({-4, 0, 0}));
  std::vector<gpu::MotionAnswer> found(3);
  const Pose still;
  const auto r = gpu::first_contact_many(pair, {{&still, 1}, {&still, 1}}, {from, to}, found);
  EXPECT(r.contact == 3);
  EXPECT(gpu::first_contact_many(pair, {{&still, 1}, {&still, 1}}, {from, {to.data(), 2}}, found).status ==
         Status::invalid_request);
}

GPU_TEST(overlapping_boxes_are_those_of_the_cpu) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> place(0, 1);
  gpu::OverlappingBoxes question;
  for (const std::size_t n : {1, 33, 1000, 50000})
    for (const double size : {0.0, 0.003, 0.05}) {
      std::vector<Box3> boxes;
      BroadPhase cpu;
      for (std::size_t i = 0; i < n; ++i) {
        const Vec3 c{place(random), place(random), place(random)}, h = Vec3{place(random), place(random), 1} * size;
        boxes.push_back({c - h, c + h});
        cpu.insert(static_cast<std::uint32_t>(i), boxes.back());
      }
      std::vector<BoxPair> expected, found;
      cpu.pairs(expected, 8);
      question.find(boxes);
      question.download(found);
      EXPECT(found == expected);
    }
}
