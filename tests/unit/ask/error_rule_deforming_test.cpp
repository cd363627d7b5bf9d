// SPDX-License-Identifier: MIT
// The rule of graze/core/error.hpp over the questions about deforming meshes, contact geometry and batches.
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include <graze/graze.hpp>
#include <graze/io/query_file.hpp>

#include "error_rule.hpp"

namespace graze::testing {
namespace {

using error_rule::of;
using error_rule::Query;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();

struct Deforming {
  Mesh box = make::box();
  std::vector<Vec3> same{box.positions().begin(), box.positions().end()}, broken = same;
  std::span<const Vec3> few{same.data(), 3};
  std::vector<std::uint32_t> few_bodies{0, 1};
  Deforming() { broken[3].y = not_a_number; }
};

TEST(ErrorRule, DeformableReturnsInvalidRequest) {
  const Deforming s;
  Deformable mesh(s.box);
  const auto contacts = [&](const DeformOptions& o) { return of(mesh.contacts(s.same, o)); };
  const auto size = [&](const StepSizeOptions& o) { return of(mesh.step_size(s.same, o)); };
  const auto near = [&](std::span<const Vec3> at, double d, const ProximityOptions& o) {
    ProximityResult r;
    mesh.near(at, d, o, r);
    return of(r);
  };
  const VertexArray few(&s.same[0].x, 3, sizeof(Vec3));
  error_rule::expect_invalid_requests({
      {"contacts count", [&] { return of(mesh.contacts(s.few)); }},
      {"contacts array count",
       [&] {
         DeformResult r;
         mesh.contacts(few, {}, r);
         return of(r);
       }},
      {"step array count",
       [&] {
         DeformResult r;
         mesh.step(few, {}, r);
         return of(r);
       }},
      {"contacts finite", [&] { return of(mesh.contacts(s.broken)); }},
      {"contacts tolerance", [&] { return contacts({.tolerance = -1.0}); }},
      {"contacts separation", [&] { return contacts({.min_separation = not_a_number}); }},
      {"contacts infinite separation", [&] { return contacts({.min_separation = infinity}); }},
      {"contacts directions", [&] { return contacts({.directions = 5}); }},
      {"contacts threads", [&] { return contacts({.threads = 0}); }},
      {"step_size count", [&] { return of(mesh.step_size(s.few)); }},
      {"step_size array count", [&] { return of(mesh.step_size(few)); }},
      {"step_size finite", [&] { return of(mesh.step_size(s.broken)); }},
      {"step_size slack", [&] { return size({.slack = not_a_number}); }},
      {"step_size slack above 1", [&] { return size({.slack = 1.5}); }},
      {"step_size tolerance", [&] { return size({.tolerance = not_a_number}); }},
      {"step_size separation", [&] { return size({.min_separation = -1}); }},
      {"step_size threads", [&] { return size({.threads = 1025}); }},
      {"near count", [&] { return of(mesh.near(s.few, 1)); }},
      {"near finite", [&] { return of(mesh.near(s.broken, 1)); }},
      {"near distance", [&] { return of(mesh.near(s.same, not_a_number)); }},
      {"near negative distance", [&] { return of(mesh.near(-1)); }},
      {"near infinite distance", [&] { return of(mesh.near(infinity)); }},
      {"near threads", [&] { return near(s.same, 1, {.threads = 0}); }},
      {"near rest", [&] { return near(s.same, 1, {.rest = s.few}); }},
      {"near rest finite", [&] { return near(s.same, 1, {.rest = s.broken}); }},
      {"near mollifier", [&] { return near(s.same, 1, {.rest = s.same, .mollifier = not_a_number}); }},
      {"near_brute count", [&] { return of(near_brute(s.box, s.few, 1)); }},
      {"near_brute distance", [&] { return of(near_brute(s.box, s.same, -1)); }},
      {"near_brute mollifier", [&] { return of(near_brute(s.box, s.same, 1, {.rest = s.same, .mollifier = -1})); }},
      {"deform_brute count", [&] { return of(deform_brute(s.box, s.same, s.few)); }},
      {"deform_brute from", [&] { return of(deform_brute(s.box, s.broken, s.same)); }},
  });
  EXPECT_EQ(mesh.positions()[3], s.same[3]);  // nothing has been changed
}

TEST(ErrorRule, DeformSceneReturnsInvalidRequest) {
  const Deforming s;
  DeformScene scene;
  const SceneBodyId cloth = scene.add_deforming(s.box), wall = scene.add_rigid(Body(s.box));
  const auto contacts = [&](const DeformOptions& o) { return of(scene.contacts(o)); };
  const auto step = [&](const DeformOptions& o) { return of(scene.step(o)); };
  const auto size = [&](const StepSizeOptions& o) { return of(scene.step_size(o)); };
  error_rule::expect_invalid_requests({
      {"contacts tolerance", [&] { return contacts({.tolerance = not_a_number}); }},
      {"contacts separation", [&] { return contacts({.min_separation = -1}); }},
      {"contacts directions", [&] { return contacts({.directions = 4}); }},
      {"contacts threads", [&] { return contacts({.threads = 0}); }},
      {"step tolerance", [&] { return step({.tolerance = 0.0}); }},
      {"step threads", [&] { return step({.threads = -1}); }},
      {"step_size slack", [&] { return size({.slack = -1}); }},
      {"step_size tolerance", [&] { return size({.tolerance = not_a_number}); }},
      {"step_size separation", [&] { return size({.min_separation = not_a_number}); }},
      {"step_size threads", [&] { return size({.threads = 0}); }},
  });
  const Status before = scene.contacts().status;
  const SceneBodyId none{99};
  const std::vector<std::vector<Vec3>> no_row, short_rows{s.same, {}};
  const auto filter = [&](SceneFilter f) { return [&scene, f = std::move(f)] { scene.set_filter(f); }; };
  error_rule::expect_errors({
      {"move nobody", [&] { scene.move(none, s.same); }},
      {"move count", [&] { scene.move(cloth, s.few); }},
      {"move finite", [&] { scene.move(cloth, s.broken); }},
      {"move control rows", [&] { scene.move(cloth, no_row); }},
      {"move control count", [&] { scene.move(cloth, short_rows); }},
      {"move a rigid body by vertices", [&] { scene.move(wall, s.same); }},
      {"move a deforming body by a motion", [&] { scene.move(cloth, Still{}); }},
      {"set_positions nobody", [&] { scene.set_positions(none, s.same); }},
      {"set_positions finite", [&] { scene.set_positions(cloth, s.broken); }},
      {"set_positions rigid", [&] { scene.set_positions(wall, s.same); }},
      {"replace nobody", [&] { scene.replace(none, s.box); }},
      {"replace rigid", [&] { scene.replace(wall, s.box); }},
      {"positions nobody", [&] { scene.positions(none); }},
      {"positions rigid", [&] { scene.positions(wall); }},
      {"filter off", filter({.off = {{cloth, none}}})},
      {"filter fixed body", filter({.fixed = {{none, 0}}})},
      {"filter fixed vertex", filter({.fixed = {{cloth, 99}}})},
  });
  EXPECT_EQ(scene.contacts().status, before);  // nothing has been changed
}

TEST(ErrorRule, WhatChangesDeformableMeshesThrows) {
  const Deforming s;
  Deformable mesh(s.box);
  const DeformContactDetails details(s.box);
  const ProximityResult near = near_brute(s.box, s.same, 1);
  ASSERT_FALSE(near.pairs.empty());
  std::vector<double> values(near.pairs.size()), wrong(1 + 12 * near.pairs.size());
  const std::vector<DeformContact> contact(1);
  std::vector<DeformContact> far(1);
  far[0].vertices = {0, 1, 2, 99};
  std::vector<DeformContactDetail> found(1), none;
  const auto prove = [&](const StepProofOptions& o) { return [&s, o] { prove_step(s.box, s.same, s.same, o); }; };
  DeformFilter bodies, off, fixed;
  bodies.bodies = s.few_bodies;
  off.off = {{0, 0}};
  fixed.fixed = {99};
  error_rule::expect_errors({
      {"set_positions count", [&] { mesh.set_positions(s.few); }},
      {"set_positions finite", [&] { mesh.set_positions(s.broken); }},
      {"filter bodies", [&] { mesh.set_filter(bodies); }},
      {"filter off", [&] { mesh.set_filter(off); }},
      {"filter fixed", [&] { mesh.set_filter(fixed); }},
      {"replace filter", [&] { mesh.replace(s.box, fixed); }},
      {"vertex_bodies", [&] { vertex_bodies(s.box, s.few_bodies); }},
      {"array strides", [] { VertexArray(static_cast<const double*>(nullptr), 3); }},
      {"prove_step separation", prove({.min_separation = not_a_number})},
      {"prove_step bodies", prove({.self = false, .bodies = s.few_bodies})},
      {"prove_step until", prove({.until = 2})},
      {"prove_step count", [&] { prove_step(s.box, s.few, s.same); }},
      {"details count", [&] { details.find(s.same, s.same, contact, none); }},
      {"details positions", [&] { details.find(s.few, s.same, contact, found); }},
      {"details vertices", [&] { details.find(s.same, s.same, far, found); }},
      {"details threads", [&] { details.find(s.same, s.same, contact, found, {.threads = 0}); }},
      {"details bodies", [&] { details.find(s.same, s.same, contact, found, {.bodies = s.few_bodies}); }},
      {"distances count", [&] { squared_distances(near.pairs, s.same, values, wrong, {}); }},
      {"distances vertices", [&] { squared_distances(near.pairs, s.few.first(1), values, {}, {}); }},
      {"distances threads", [&] { squared_distances(near.pairs, s.same, values, {}, {}, 0); }},
      {"mollifiers count", [&] { edge_mollifiers(near.pairs, s.same, s.same, 1e-3, wrong, {}, {}); }},
      {"mollifiers rest", [&] { edge_mollifiers(near.pairs, s.same, s.few.first(1), 1e-3, values, {}, {}); }},
      {"mollifiers mollifier", [&] { edge_mollifiers(near.pairs, s.same, s.same, not_a_number, values, {}, {}); }},
      {"mollifiers threads", [&] { edge_mollifiers(near.pairs, s.same, s.same, 1e-3, values, {}, {}, 0); }},
  });
  EXPECT_EQ(mesh.positions()[3], s.same[3]);
}

TEST(ErrorRule, ContactGeometryAndProfilesReturnInvalidRequest) {
  const Body a(make::box());
  const Pose here;
  const Motion still = Still{};
  const std::vector<Triangle> one{{0, 1, 2}};
  const Body open(Mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, std::span<const Triangle>(one)));
  std::vector<ClearanceSample> samples(2);
  const std::vector<double> times{0, 1}, back{1, 0}, outside{0, 2}, bad{0, not_a_number}, single{0};
  const auto profile = [&](std::span<const double> at, const ClearanceProfileOptions& o) {
    return of(clearance_profile(a, still, a, still, at, samples, o));
  };
  const auto free = [&](const FirstContactOptions& o) { return of(motion_free(a, still, a, still, o)); };
  const auto first = [&](const FirstContactOptions& o) { return of(first_contact(a, still, a, still, o)); };
  error_rule::expect_invalid_requests({
      {"penetration error", [&] { return of(penetration(a, here, a, here, {.relative_error = not_a_number})); }},
      {"penetration error of 0", [&] { return of(penetration(a, here, a, here, {.relative_error = 0})); }},
      {"manifold margin", [&] { return of(manifold(a, here, a, here, {.margin = not_a_number})); }},
      {"manifold negative margin", [&] { return of(manifold(a, here, a, here, {.margin = -1})); }},
      {"profile count", [&] { return profile(single, {}); }},
      {"profile order", [&] { return profile(back, {}); }},
      {"profile range", [&] { return profile(outside, {}); }},
      {"profile finite", [&] { return profile(bad, {}); }},
      {"profile error", [&] { return profile(times, {.relative_error = not_a_number}); }},
      {"profile threads", [&] { return profile(times, {.threads = 0}); }},
      {"motion_free method", [&] { return free({.method = "?"}); }},
      {"motion_free tolerance", [&] { return free({.tolerance = not_a_number}); }},
      {"motion_free separation", [&] { return free({.min_separation = -1}); }},
      {"motion_free threads", [&] { return free({.threads = 0}); }},
      {"motion_free solid", [&] { return of(motion_free(a, still, open, still, {.solid = true})); }},
      {"first_contact separation", [&] { return first({.min_separation = not_a_number}); }},
      {"first_contact infinite separation", [&] { return first({.min_separation = infinity}); }},
  });
}

TEST(ErrorRule, BatchesReturnInvalidRequest) {
  const Body a(make::box());
  const Motion still = Still{};
  const std::vector<Pose> one(1);
  const std::vector<Motion> one_motion(1, still);
  const std::vector<Ray> one_ray(1);
  std::vector<CollideResult> collides(2);
  std::vector<DistanceResult> distances(2);
  std::vector<FirstContactResult> contacts(2);
  std::vector<MotionFreeResult> free(2);
  std::vector<RayResult> rays(2);
  error_rule::expect_invalid_requests({
      {"collide_many count", [&] { return of(collide_many(a, one, a, Pose(), collides)); }},
      {"collide_many threads", [&] { return of(collide_many(a, Pose(), a, Pose(), collides, {.threads = 0})); }},
      {"distance_many count", [&] { return of(distance_many(a, Pose(), a, one, distances)); }},
      {"distance_many threads", [&] { return of(distance_many(a, Pose(), a, Pose(), distances, {.threads = 0})); }},
      {"first_contact_many count", [&] { return of(first_contact_many(a, one_motion, a, still, contacts)); }},
      {"first_contact_many threads",
       [&] { return of(first_contact_many(a, still, a, still, contacts, {.threads = 1025})); }},
      {"motion_free_many count", [&] { return of(motion_free_many(a, still, a, one_motion, free)); }},
      {"motion_free_many threads", [&] { return of(motion_free_many(a, still, a, still, free, {.threads = 0})); }},
      {"cast_rays count", [&] { return of(cast_rays(a, Pose(), one_ray, rays)); }},
      {"cast_rays threads", [&] { return of(cast_rays(a, Pose(), Ray{}, rays, {.threads = 0})); }},
  });
  // A bad option of all entries is the answer of each.
  const ManyResult each = collide_many(a, Pose(), a, Pose(), collides, {.each = {.method = "?"}});
  EXPECT_EQ(each.invalid, 2u);
  EXPECT_TRUE(collides[1].status == Status::invalid_request && collides[1].error);
}

TEST(ErrorRule, WhatMakesMeshesAndShapesThrows) {
  const Body a(make::box());
  const std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, bad{{not_a_number, 0, 0}};
  const std::vector<std::uint32_t> outline{0, 1, 2}, far{0, 1, 9};
  const std::vector<std::vector<std::uint32_t>> no_hole, bad_hole{{0, 1, 9}};
  const HeightField field{.columns = 2, .rows = 2, .heights = {0, 0, 0, 0}};
  const Mesh mesh = height_mesh(field);
  error_rule::expect_errors({
      {"sphere", [] { Body(shape::Sphere{-1}); }},
      {"box",
       [] {
         Body(shape::Box{{1, not_a_number, 1}});
       }},
      {"hull", [&] { Body(shape::Hull{bad}); }},
      {"empty hull", [] { Body(shape::Hull{}); }},
      {"rounding", [] { shape::check(shape::Shape(shape::Sphere{1}, -1)); }},
      {"from_text", [] { shape::from_text("sphere:x"); }},
      {"Body threads", [] { Body(make::box(), {.threads = 0}); }},
      {"compound of nothing", [] { compound({}); }},
      {"piece", [&] { a.piece(PieceId{1}); }},
      {"height_mesh", [] { height_mesh({.columns = 1, .rows = 1, .heights = {0}}); }},
      {"height_mesh count", [] { height_mesh({.columns = 2, .rows = 2, .heights = {0}}); }},
      {"cell_of", [&] { cell_of(field, mesh, PolygonId{99}); }},
      {"join_holes outline", [&] { join_holes(points, far, no_hole); }},
      {"join_holes hole", [&] { join_holes(points, outline, bad_hole); }},
      {"point_mesh", [&] { point_mesh(bad); }},
      {"point_mesh of nothing", [] { point_mesh({}); }},
      {"voxel_mesh", [] { voxel_mesh({.columns = 2, .rows = 1, .layers = 1, .occupied = {true}}); }},
      {"voxel_centres size",
       [] { voxel_centres({.columns = 1, .rows = 1, .layers = 1, .size = -1, .occupied = {true}}); }},
      {"load_heights", [] { load_heights("/no/such/file"); }},
      {"load_queries", [] { load_queries("/no/such/file"); }},
      {"parse_mesh", [] { parse_mesh({}, MeshFormat::automatic); }},
      {"save_mesh", [&] { save_mesh(make::box(), "/no/such/folder/box.obj"); }},
      {"mesh_bytes", [&] { mesh_bytes(make::box(), {}); }},
  });
}

}  // namespace
}  // namespace graze::testing
