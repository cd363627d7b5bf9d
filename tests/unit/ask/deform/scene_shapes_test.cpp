// SPDX-License-Identifier: MIT
// Deforming bodies and the rigid shapes that no mesh stands for: curved ones, compounds, half-spaces that move.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include <graze/ask/deform_scene.hpp>
#include <graze/ask/distance.hpp>
#include <graze/ask/surface.hpp>
#include <graze/mesh/make.hpp>
#include <graze/motion/chain.hpp>

#include "sheets.hpp"

namespace graze {
namespace {

using testing::square_sheet;
using testing::vertices_of;
using Control = std::vector<std::vector<Vec3>>;

std::vector<Vec3> all_moved(std::vector<Vec3> p, const Vec3& by) {
  for (Vec3& x : p) x = x + by;
  return p;
}

Vec3 on_curve(const Control& control, std::size_t v, double t) {
  std::vector<Vec3> p;
  for (const auto& of : control) p.push_back(of[v]);
  for (std::size_t r = 1; r < p.size(); ++r)
    for (std::size_t k = 0; k + r < p.size(); ++k) p[k] = p[k] * (1 - t) + p[k + 1] * t;
  return p[0];
}

Pose pose_at(const Motion& motion, double t) {
  const Placement p = motion.at(t);
  return Pose::from_matrix(
      {p.r[0], p.r[1], p.r[2], p.t.x, p.r[3], p.r[4], p.r[5], p.t.y, p.r[6], p.r[7], p.r[8], p.t.z, 0, 0, 0, 1});
}

/// The distance of a triangle and a shape by the question about two bodies.
double distance_at(const Mesh& mesh, const Control& control, std::size_t triangle, const Body& shape,
                   const Motion& motion, double t) {
  std::vector<Vec3> p;
  for (const std::uint32_t v : mesh.triangles()[triangle]) p.push_back(on_curve(control, v, t));
  const std::vector<Triangle> one{{0, 1, 2}};
  const DistanceResult r = distance(Body(Mesh(p, std::span<const Triangle>(one))), Pose(), shape, pose_at(motion, t));
  return r.distance;
}

struct Sum {
  int contacts = 0, free = 0, listed = 0;
};

/// All triangles against samples of their distance. A listed one is within the tolerance at its time, and nothing is
/// nearer than the separation before what is certified.
void check(const Mesh& mesh, const Control& control, const Body& shape, const Motion& motion, double separation,
           Sum& sum) {
  DeformScene scene;
  const SceneBodyId soft = scene.add_deforming(mesh), rigid = scene.add_rigid(shape, motion);
  scene.move(soft, std::span<const std::vector<Vec3>>(control).subspan(1));
  DeformOptions options;
  options.min_separation = separation;
  options.self = false;
  const SceneResult r = scene.contacts(options);
  ASSERT_FALSE(r.error) << r.error->message;
  std::map<Triangle, DeformContact> listed;
  double safe = 1;
  for (const SceneContact& c : r.contacts) {
    if (c.a != rigid) continue;
    EXPECT_EQ(c.b, soft);
    EXPECT_EQ(c.contact.vertices[0], 0u);
    listed[{c.contact.vertices[1], c.contact.vertices[2], c.contact.vertices[3]}] = c.contact;
    safe = std::min(safe, c.contact.time.safe);
  }
  constexpr int samples = 40;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    double least = 1e300, until_safe = 1e300;
    const auto found = listed.find(mesh.triangles()[t]);
    for (int s = 0; s <= samples; ++s) {
      const double time = double(s) / samples, d = distance_at(mesh, control, t, shape, motion, time);
      least = std::min(least, d);
      if (found != listed.end() && time < found->second.time.safe) until_safe = std::min(until_safe, d);
    }
    if (found == listed.end()) {
      EXPECT_GT(least, separation) << "triangle " << t;
      ++sum.free;
      continue;
    }
    ++sum.listed;
    const TimeBracket& time = found->second.time;
    EXPECT_LE(time.safe, time.touch);
    EXPECT_GT(until_safe, separation);
    const double near = distance_at(mesh, control, t, shape, motion, time.touch);
    EXPECT_LE(near, separation + r.tolerance * (1 + 1e-6));
    EXPECT_NEAR(near, found->second.gap, r.tolerance);
    EXPECT_EQ(found->second.at_start, time.touch == 0);
  }
  EXPECT_EQ(r.status, r.contacts.empty() && r.crossing_at_start.empty() ? Status::free : Status::contact);
  sum.contacts += r.status == Status::contact;

  const SceneStepSize step = scene.step_size({.min_separation = separation});
  if (r.contacts.empty() && r.crossing_at_start.empty()) {
    EXPECT_EQ(step.step, 1);
  } else {
    EXPECT_LE(step.step, r.time.touch);
  }
}

TEST(SceneShapes, EveryTriangleIsRightBesideCurvedShapes) {
  std::mt19937 random(23);
  std::uniform_real_distribution<double> u(-1, 1);
  const Body shapes[] = {Body(shape::Cylinder{0.5, 1}),
                         Body(shape::Cone{0.6, 1}),
                         Body(shape::Ellipsoid{0.7, 0.4, 0.5}),
                         Body(shape::Shape(shape::Cylinder{0.4, 0.6}, 0.1)),
                         Body(shape::Ellipsoid{0.6, 0.6, 0.01}),
                         compound({{Body(shape::Cone{0.3, 0.6}), Pose({0.2, 0.1, 0}, {2, 1, 0, 0})}})};
  Sum sum;
  for (int round = 0; round < 48; ++round) {
    const Body& shape = shapes[static_cast<std::size_t>(round) % std::size(shapes)];
    const Mesh cloth = square_sheet(2, 2, 0.9 + 0.3 * u(random));
    Control control{vertices_of(cloth)};
    for (int k = 0; k <= round % 3; ++k) {
      control.push_back(control[0]);
      for (Vec3& x : control.back()) x = x + Vec3{0.4 * u(random), 0.4 * u(random), 0.6 * u(random) - 0.4};
    }
    const double turn = round % 4 == 0 ? 0 : round % 4 == 1 ? 0.1 : round % 4 == 2 ? 1.5 : 6;
    const Pose pose({}, {1, u(random), u(random), u(random)});
    // Fast about nearly the shape's own axis, or about any.
    const Vec3 spin =
        round % 4 == 3 ? pose.apply({0.3 * u(random), 0.2, 6}) : Vec3{u(random), u(random), u(random)} * turn;
    const Motion motion = Velocity::from_speeds(pose, {0.1 * u(random), 0.1 * u(random), 0.3 * u(random)}, spin,
                                                round % 8 == 7 ? Vec3{} : Vec3{0.2, 0, 0});
    check(cloth, control, shape, motion, round % 5 == 0 ? 0.05 : 0, sum);
  }
  EXPECT_GT(sum.contacts, 15);
  EXPECT_GT(sum.free, 50);
  EXPECT_GT(sum.listed, 50);
}

/// A cloth close around a roller, and along it: as many points of time as beside a roller at rest.
TEST(SceneShapes, ARollerThatSpinsIsTheSameSet) {
  const Mesh pipe = make::cylinder({.radius = 1.01, .height = 1, .triangles = 400});
  for (const double spin : {0.0, 3.0, 300.0}) {
    DeformScene scene;
    const SceneBodyId soft = scene.add_deforming(pipe);
    scene.add_rigid(Body(shape::Cylinder{0.99, 0.5}), Velocity::from_speeds(Pose({0, 0, 0.1}), {}, {0, 0, spin}));
    scene.move(soft, all_moved(vertices_of(pipe), {0, 0, 0.05}));
    EXPECT_EQ(scene.step_size({.work = 20000}).status, Status::free) << spin;
  }
}

/// A sheet that falls flat on the lid of a can: all times are known.
TEST(SceneShapes, ASheetFallsOnACan) {
  for (const double size : {1.0, 0x1p-300, 0x1p+300}) {
    const Mesh cloth = square_sheet(4, 4 * size, 3 * size);
    DeformScene scene;
    const SceneBodyId soft = scene.add_deforming(cloth);
    const SceneBodyId can = scene.add_rigid(Body(shape::Cylinder{size, 2 * size}));
    scene.move(soft, all_moved(vertices_of(cloth), {0, 0, -4 * size}));
    const SceneResult r = scene.contacts();
    ASSERT_EQ(r.status, Status::contact);
    EXPECT_LE(r.time.safe, 0.5);
    EXPECT_GT(r.time.touch, 0.499999);
    EXPECT_EQ(r.contacts.size(), 20u) << "of the inner squares, and three at each corner that meets the rim";
    EXPECT_EQ(r.contacts[0].a, can);
    const SceneStepSize step = scene.step_size({.min_separation = 0.5 * size});
    EXPECT_NEAR(step.step, 0.375 * 0.9, 1e-5);
    EXPECT_EQ(scene.step_size({.budget = std::chrono::seconds(100)}).status, Status::contact);
    EXPECT_EQ(scene.step_size({.work = 1}).status, Status::undecided);
  }
}

TEST(SceneShapes, WhatStartsInsideIsFoundAndWhatPartsMayGo) {
  const Mesh cloth = square_sheet(2, 0.2, 0);
  DeformScene scene;
  const SceneBodyId soft = scene.add_deforming(cloth);
  const SceneBodyId egg = scene.add_rigid(Body(shape::Ellipsoid{1, 2, 3}));
  SceneResult r = scene.contacts();
  ASSERT_EQ(r.crossing_at_start.size(), 1u);
  EXPECT_TRUE(r.crossing_at_start[0].inside);
  EXPECT_EQ(r.crossing_at_start[0].b, egg);
  EXPECT_EQ(scene.step_size().status, Status::touching_at_start);
  // Beside it, nearer than the separation, and away.
  scene.set_positions(soft, all_moved(vertices_of(cloth), {0, 0, 3.01}));
  scene.move(soft, all_moved(vertices_of(cloth), {0, 0, 4}));
  EXPECT_EQ(scene.step_size({.min_separation = 0.1, .ignore_start_if_separating = false}).status,
            Status::touching_at_start);
  const SceneStepSize parts = scene.step_size({.min_separation = 0.1, .ignore_start_if_separating = true});
  EXPECT_EQ(parts.status, Status::free);
  EXPECT_EQ(parts.step, 1);
  scene.set_filter({.off = {{soft, egg}}});
  scene.move(soft, vertices_of(cloth));
  EXPECT_EQ(scene.contacts().status, Status::free);
}

TEST(SceneShapes, PiecesOfACompoundAreNamed) {
  const Body dumbbell = compound({{Body(shape::Sphere{0.5}), Pose({-1, 0, 0})},
                                  {Body(shape::Box{2, 0.1, 0.1}), Pose()},
                                  {Body(shape::Cone{0.5, 1}), Pose({1, 0, 0})}});
  std::vector<Vec3> at{{-1, 0, 2}, {-0.9, 0.1, 2}, {-1.1, 0.1, 2}, {1, 0, 2}, {1.1, 0.1, 2}, {0.9, 0.1, 2}};
  const std::vector<Triangle> two{{0, 1, 2}, {3, 4, 5}};
  const Mesh flakes(at, std::span<const Triangle>(two));
  DeformScene scene;
  const SceneBodyId soft = scene.add_deforming(flakes);
  scene.add_rigid(dumbbell);
  scene.move(soft, all_moved(at, {0, 0, -1.8}));
  const SceneResult r = scene.contacts();
  ASSERT_EQ(r.contacts.size(), 2u);
  EXPECT_EQ(r.contacts[0].contact.vertices, (std::array<std::uint32_t, 4>{0, 0, 1, 2}));
  EXPECT_EQ(r.contacts[1].contact.vertices, (std::array<std::uint32_t, 4>{2, 3, 4, 5}));
  EXPECT_NEAR(r.contacts[0].contact.time.touch, 1.5 / 1.8, 1e-5);
  EXPECT_NEAR(r.contacts[1].contact.time.touch, 1.5 / 1.8, 1e-5);
  EXPECT_THROW(scene.add_rigid(compound({{Body(make::box()), Pose()}})), Error) << "a mesh in a compound";
  EXPECT_THROW(scene.add_rigid(Body(SurfaceBody(torus_surface(1, 0.25)))), Error);
}

/// Heights of all vertices against samples; the half-space moves and turns.
TEST(SceneShapes, EveryVertexIsRightAboveAHalfSpaceThatMoves) {
  std::mt19937 random(29);
  std::uniform_real_distribution<double> u(-1, 1);
  int contacts = 0, passed = 0;
  const Chain chain({{"press", "", {JointType::revolute, Pose(), {0, 1, 0}}}});
  for (int round = 0; round < 40; ++round) {
    const Mesh cloth = square_sheet(3, 2, 0.5);
    Control control{vertices_of(cloth)};
    for (int k = 0; k <= round % 3; ++k) {
      control.push_back(control[0]);
      for (Vec3& x : control.back()) x = x + Vec3{0.4 * u(random), 0.4 * u(random), 0.5 * u(random)};
    }
    const double turn = round % 3 == 0 ? 0 : 0.4, rounding = round % 2 == 0 ? 0.05 : 0;
    const std::vector<double> from{0}, to{turn * u(random)};
    const Motion motion =
        round % 4 == 3 ? chain.link_motion(LinkId{0}, from, to)
                       : Motion(Velocity::from_speeds(Pose({0, 0, -0.2}), {u(random), 0, 0.5 * u(random)},
                                                      {turn * u(random), turn * u(random), u(random)}, {0, 0.3, 0}));
    DeformScene scene;
    const SceneBodyId soft = scene.add_deforming(cloth);
    scene.add_rigid(Body(shape::Shape(shape::HalfSpace{}, rounding)), motion);
    scene.move(soft, std::span<const std::vector<Vec3>>(control).subspan(1));
    const SceneResult r = scene.contacts({.self = false});
    ASSERT_FALSE(r.error) << r.error->message;
    const auto height = [&](std::uint32_t v, double t) {
      const Placement p = motion.at(t);
      return dot(Vec3{p.r[2], p.r[5], p.r[8]}, on_curve(control, v, t) - p.t) - rounding;
    };
    std::map<std::uint32_t, TimeBracket> listed;
    for (const SceneContact& c : r.contacts) listed[c.contact.vertices[0]] = c.contact.time;
    for (std::uint32_t v = 0; v < cloth.vertex_count(); ++v) {
      const auto found = listed.find(v);
      const double safe = found == listed.end() ? 2 : found->second.safe;
      for (int s = 0; s <= 200 && s / 200.0 < safe; ++s) EXPECT_GT(height(v, s / 200.0), 0) << "vertex " << v;
      if (found == listed.end()) {
        ++passed;
        continue;
      }
      ++contacts;
      EXPECT_LE(height(v, found->second.touch), r.tolerance * (1 + 1e-6));
    }
  }
  EXPECT_GT(contacts, 40);
  EXPECT_GT(passed, 50);
}

}  // namespace
}  // namespace graze
