// SPDX-License-Identifier: MIT
// Scenes of deforming and rigid bodies: whose features are named, what moves, and what is refused.
#include <gtest/gtest.h>

#include <cmath>

#include <graze/ask/deform_scene.hpp>
#include <graze/mesh/make.hpp>
#include <graze/motion/chain.hpp>

namespace graze {
namespace {

Mesh square(double z, double size = 1) {
  const std::vector<Vec3> p{{-size, -size, z}, {size, -size, z}, {size, size, z}, {-size, size, z}};
  const std::vector<Triangle> t{{0, 1, 2}, {0, 2, 3}};
  return Mesh(p, std::span<const Triangle>(t));
}
std::vector<Vec3> moved(const Mesh& m, const Vec3& by) {
  std::vector<Vec3> p(m.positions().begin(), m.positions().end());
  for (Vec3& x : p) x = x + by;
  return p;
}

TEST(DeformScene, OneFrameOfASimulator) {
  DeformScene scene;
  const SceneBodyId ball = scene.add_rigid(Body(shape::Sphere{0.5}));
  const SceneBodyId cloth = scene.add_deforming(square(2));
  const SceneBodyId floor = scene.add_rigid(Body(shape::HalfSpace{}), Still{Pose({0, 0, -3})});
  scene.move(cloth, moved(square(2), {0, 0, -3}));
  const SceneResult r = scene.contacts();
  ASSERT_EQ(r.status, Status::contact) << (r.error ? r.error->message : "");
  EXPECT_NEAR(r.time.touch, 0.5, 1e-5);
  EXPECT_LE(r.time.safe, 0.5);
  for (const SceneContact& c : r.contacts) {
    EXPECT_TRUE(c.a == ball || c.b == ball);
    EXPECT_NE(c.b, floor);
  }
  // Nothing has moved; a step of the certified size is free.
  EXPECT_EQ(scene.positions(cloth)[0].z, 2);
  const double t = scene.step_size().step;
  EXPECT_GT(t, 0.4);
  EXPECT_LT(t, 0.5);
  scene.move(cloth, moved(square(2), {0, 0, -3 * t}));
  EXPECT_EQ(scene.step().status, Status::free);
  EXPECT_EQ(scene.positions(cloth)[0].z, 2 - 3 * t);
  // The ball flies away, and the cloth falls to the floor.
  scene.move(ball, Velocity(Pose(), Pose({5, 0, -1})));
  scene.move(cloth, moved(square(2), {0, 0, -5.5}));
  const SceneResult on_floor = scene.step();
  ASSERT_EQ(on_floor.status, Status::contact);
  bool floor_met = false;
  for (const SceneContact& c : on_floor.contacts) floor_met |= c.b == floor;
  EXPECT_TRUE(floor_met);
}

TEST(DeformScene, EachFeatureIsNamedInItsOwnMesh) {
  DeformScene scene;
  const SceneBodyId box = scene.add_rigid(Body(make::box()), Still{Pose({10, 0, 0})});
  const SceneBodyId far = scene.add_deforming(square(20)), low = scene.add_deforming(square(0)),
                    high = scene.add_deforming(square(1, 0.3));
  scene.move(high, moved(square(1, 0.3), {0, 0, -2}));
  const SceneResult r = scene.step();
  ASSERT_EQ(r.status, Status::contact);
  bool vertex = false;
  for (const SceneContact& c : r.contacts) {
    EXPECT_TRUE((c.a == low && c.b == high) || (c.a == high && c.b == low));
    for (const std::uint32_t v : c.contact.vertices) EXPECT_LT(v, 4u);
    vertex |= c.contact.kind == ElementaryKind::vertex_face && c.a == high;
    if (c.contact.kind == ElementaryKind::edge_edge) {
      EXPECT_LE(index(c.a), index(c.b));
    }
  }
  EXPECT_TRUE(vertex);
  EXPECT_EQ(scene.positions(far)[0].z, 20);
  // High has gone through low; now the box moves through both, from the side.
  scene.move(box, Velocity(Pose({10, 0, 0}), Pose({0, 0, -0.5}, Quat{1, 0, 0, 0.3})));
  const SceneResult hit = scene.step();
  ASSERT_EQ(hit.status, Status::contact);
  bool both[2] = {false, false};
  for (const SceneContact& c : hit.contacts)
    if (c.a == box || c.b == box) both[c.a == low || c.b == low] = true;
  EXPECT_TRUE(both[0]);
  EXPECT_TRUE(both[1]);
}

TEST(DeformScene, StartsThatCrossOrAreInsideAShape) {
  DeformScene scene;
  scene.add_rigid(Body(make::box()));                                    // 0, a surface
  scene.add_rigid(Body(shape::Box{{1, 1, 1}}), Still{Pose({5, 0, 0})});  // 1, solid
  const SceneBodyId through = scene.add_deforming(square(0));
  const SceneBodyId inside = scene.add_deforming(Mesh(moved(square(0, 0.1), {5, 0, 0}), square(0).triangles()));
  const SceneResult r = scene.step();
  EXPECT_EQ(r.status, Status::contact);
  bool crossed = false, held = false;
  for (const SceneCrossing& c : r.crossing_at_start) {
    crossed |= c.a == through && index(c.b) == 0 && !c.inside;
    held |= c.a == inside && index(c.b) == 1 && c.inside;
  }
  EXPECT_TRUE(crossed);
  EXPECT_TRUE(held);
  const SceneStepSize s = scene.step_size();
  EXPECT_EQ(s.status, Status::touching_at_start);
  EXPECT_EQ(s.step, 0);
  EXPECT_TRUE(s.crossing_at_start);
}

TEST(DeformScene, ABodyBreaks) {
  DeformScene scene;
  const SceneBodyId sheet = scene.add_deforming(square(0));
  const SceneBodyId ball =
      scene.add_rigid(Body(make::sphere({.radius = 0.2, .triangles = 80})), Still{Pose({0, 0, 1})});
  EXPECT_EQ(scene.step().status, Status::free);
  // Cut along the diagonal, opened, and the ball falls through.
  const std::vector<Vec3> p{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {-1.5, -0.5, 0}, {0.5, 1.5, 0}};
  const std::vector<Triangle> t{{0, 1, 2}, {4, 5, 3}};
  scene.replace(sheet, Mesh(p, std::span<const Triangle>(t)));
  scene.move(sheet, moved(Mesh(p, std::span<const Triangle>(t)), {0.4, -0.4, 0}));
  EXPECT_EQ(scene.step().status, Status::free);
  scene.move(ball, Velocity(Pose({0, 0, 1}), Pose({0, 0, -1})));
  EXPECT_EQ(scene.contacts().status, Status::contact);
  scene.set_positions(sheet, moved(Mesh(p, std::span<const Triangle>(t)), {3, -3, 0}));
  EXPECT_EQ(scene.contacts().status, Status::free);
}

TEST(DeformScene, ALinkOfARobotMeetsCloth) {
  const Chain chain({{"upper", "", {JointType::revolute, Pose(), {0, 1, 0}}},
                     {"lower", "upper", {JointType::revolute, Pose({1, 0, 0}), {0, 1, 0}}}});
  DeformScene scene;
  const SceneBodyId cloth = scene.add_deforming(square(1.6));
  const SceneBodyId lower = scene.add_rigid(Body(shape::Capsule{0.05, 1}));
  const std::vector<double> q0{0, 0}, q1{-0.9, -0.9};
  scene.move(lower, chain.link_motion(LinkId{1}, q0, q1));
  DeformOptions o;
  o.crossing_at_start = false;
  const SceneResult r = scene.step(o);
  ASSERT_NE(r.status, Status::invalid_request) << r.error->message;
  for (const SceneContact& c : r.contacts) EXPECT_TRUE((c.a == cloth) != (c.b == cloth));
  // Its motion starts at no pose in doubles: crossings are decided at the nearest one.
  EXPECT_EQ(scene.contacts().status, r.status);
  EXPECT_TRUE(scene.contacts().crossing_at_start.empty());
  scene.move(lower, chain.link_motion(LinkId{1}, q1, q1));
  scene.set_positions(cloth, moved(square(1.6), {0, 0, -0.8}));
  EXPECT_FALSE(scene.contacts().crossing_at_start.empty());
}

TEST(DeformScene, ATurningBodyFarAwayCostsNothing) {
  DeformScene scene;
  scene.add_deforming(make::cloth_sheet({.triangles = 2000}));
  scene.add_rigid(Body(make::sphere({.radius = 1, .triangles = 500})),
                  Velocity::from_speeds(Pose({100, 0, 0}), {}, {0, 0, 50}));
  DeformOptions o;
  o.crossing_at_start = false;
  const SceneResult r = scene.step(o);
  EXPECT_EQ(r.status, Status::free);
  EXPECT_LT(r.counters.node_pairs, 20000u);
}

TEST(DeformScene, WhatIsRefused) {
  DeformScene scene;
  const SceneBodyId cloth = scene.add_deforming(square(0)), box = scene.add_rigid(Body(make::box()));
  const auto code = [](const auto& call) {
    try {
      call();
    } catch (const Error& e) {
      return e.detail().code;
    }
    return ErrorCode::cannot_write;
  };
  EXPECT_EQ(code([&] { scene.move(box, moved(square(0), {})); }), ErrorCode::bad_option);
  EXPECT_EQ(code([&] { scene.move(cloth, Motion()); }), ErrorCode::bad_option);
  EXPECT_EQ(code([&] { scene.move(SceneBodyId{7}, Motion()); }), ErrorCode::index_out_of_range);
  EXPECT_EQ(code([&] { scene.move(cloth, std::vector<Vec3>(3)); }), ErrorCode::bad_option);
  EXPECT_EQ(code([&] { scene.move(cloth, std::vector<std::vector<Vec3>>(5, moved(square(0), {}))); }),
            ErrorCode::bad_option);
  EXPECT_EQ(code([&] { scene.add_rigid(compound({{Body(make::box())}})); }), ErrorCode::unsupported);
  EXPECT_EQ(scene.step_size({.slack = 1}).status, Status::invalid_request);
  EXPECT_EQ(code([&] { scene.set_filter({.off = {{cloth, cloth}}}); }), ErrorCode::bad_option);
  EXPECT_EQ(code([&] { scene.set_filter({.off = {{cloth, SceneBodyId{2}}}}); }), ErrorCode::index_out_of_range);
  EXPECT_EQ(code([&] { scene.set_filter({.fixed = {{cloth, 4}}}); }), ErrorCode::index_out_of_range);
  EXPECT_EQ(code([&] { scene.set_filter({.fixed = {{box, 0}}}); }), ErrorCode::bad_option);
  EXPECT_EQ(scene.size(), 2u);
  EXPECT_EQ(scene.step({.threads = 0}).status, Status::invalid_request);
  scene.move(box, Velocity::from_speeds(Pose({1.5, 0, 0}), {}, {0, 0, 1e5}));
  EXPECT_EQ(scene.step().status, Status::invalid_request) << "too many turns";
}

TEST(DeformScene, LimitsEndAQuestionAndNothingIsListed) {
  DeformScene scene;
  const Mesh cloth = make::cloth_sheet({.triangles = 2000});
  const SceneBodyId soft = scene.add_deforming(cloth);
  scene.add_rigid(Body(make::sphere({.radius = 0.3, .triangles = 500})),
                  Velocity::from_speeds(Pose(), {}, {0, 0, 0.5}));
  scene.move(soft, moved(cloth, {0, 0, 0.1}));
  const SceneResult all = scene.contacts();
  ASSERT_EQ(all.status, Status::contact);
  DeformOptions o;
  o.work = 20;
  const SceneResult cut = scene.contacts(o);
  EXPECT_EQ(cut.status, Status::undecided);
  EXPECT_TRUE(cut.contacts.empty());
  o.work = 0;
  CancelSource source;
  source.cancel();
  o.cancel = source.token();
  EXPECT_EQ(scene.contacts(o).status, Status::undecided);
  EXPECT_EQ(scene.contacts().contacts.size(), all.contacts.size());
}

/// Whatever the limit, what a limited question has certified is true, and more work certifies more.
TEST(DeformScene, ALimitLeavesWhatIsCertified) {
  const Mesh cloth = make::cloth_sheet({.triangles = 2000});
  for (const bool curved : {false, true})
    for (const bool turning : {false, true}) {
      DeformScene scene;
      const SceneBodyId soft = scene.add_deforming(cloth);
      scene.add_rigid(Body(make::sphere({.radius = 0.3, .triangles = 500})),
                      turning ? Motion(Velocity::from_speeds(Pose({0, 0, 0.5}), {}, {0, 0, 0.5}))
                              : Motion(Still{Pose({0, 0, 0.5})}));
      const std::vector<Vec3> end = moved(cloth, {0, 0, 1});
      if (curved)
        scene.move(soft, std::vector<std::vector<Vec3>>{moved(cloth, {0.1, 0, 0.3}), end});
      else
        scene.move(soft, end);
      const SceneStepSize whole = scene.step_size();
      ASSERT_EQ(whole.status, Status::contact);
      ASSERT_GT(whole.time.safe, 0.125);
      bool some = false, most = false, settled = false;
      for (std::uint64_t work = 50; !settled; work += work / 4) {
        ASSERT_LT(work, 100'000'000u);
        StepSizeOptions o;
        o.work = work;
        const SceneStepSize s = scene.step_size(o);
        ASSERT_EQ(s.step, 0.9 * s.time.safe) << work;
        ASSERT_LE(s.time.safe, whole.time.safe) << work;
        settled = s.status != Status::undecided;
        some = some || (!settled && s.time.safe > 0);
        most = most || (!settled && s.time.safe >= 0.125);
        DeformOptions all;
        all.work = work;
        const SceneResult r = scene.contacts(all);
        ASSERT_LE(r.time.safe, whole.time.touch) << work;
        ASSERT_TRUE(r.status != Status::undecided || r.contacts.empty());
      }
      EXPECT_TRUE(some) << curved << turning;
      EXPECT_TRUE(most) << curved << turning;
    }
}

/// A scene whose body breaks again and again, against one that is made anew each time.
TEST(DeformScene, ABrokenBodyIsAsANewOne) {
  const Mesh whole = make::cloth_sheet({.triangles = 400});
  std::vector<Vec3> x(whole.positions().begin(), whole.positions().end());
  std::vector<Triangle> triangles(whole.triangles().begin(), whole.triangles().end());
  const Body ball(make::sphere({.radius = 0.3, .triangles = 200}));
  const Motion turning = Velocity::from_speeds(Pose({0, 0, 0.35}), {}, {0, 0.3, 0.5});
  DeformScene kept;
  const SceneBodyId soft = kept.add_deforming(whole);
  const SceneBodyId other = kept.add_deforming(square(-0.05));
  kept.add_rigid(ball, turning);
  std::size_t met = 0;
  for (int step = 0; step < 6; ++step) {
    const Mesh mesh(x, std::span<const Triangle>(triangles));
    if (step > 0) kept.replace(soft, mesh);
    DeformScene anew;
    anew.add_deforming(mesh);
    anew.add_deforming(square(-0.05));
    anew.add_rigid(ball, turning);
    for (const bool curved : {false, true})
      for (DeformScene* scene : {&kept, &anew}) {
        const std::vector<Vec3> up = moved(mesh, {0, 0, 0.2});
        if (curved)
          scene->move(soft, std::vector<std::vector<Vec3>>{moved(mesh, {0.02, 0, -0.2}), up});
        else
          scene->move(soft, up);
        scene->move(other, moved(square(-0.05), {0, 0, 0.02}));
        if (scene == &kept) continue;
        const SceneResult a = kept.contacts(), b = anew.contacts();
        ASSERT_EQ(a.status, b.status) << step;
        ASSERT_EQ(a.contacts.size(), b.contacts.size()) << step << curved;
        for (std::size_t i = 0; i < a.contacts.size(); ++i) {
          ASSERT_EQ(a.contacts[i].contact.vertices, b.contacts[i].contact.vertices);
          ASSERT_EQ(a.contacts[i].contact.time.touch, b.contacts[i].contact.time.touch);
        }
        met += a.contacts.size();
      }
    // A few triangles come loose: corners of their own.
    for (std::size_t t = static_cast<std::size_t>(step); t < triangles.size(); t += 71)
      for (std::uint32_t& v : triangles[t]) {
        x.push_back(Vec3(x[v]));
        v = static_cast<std::uint32_t>(x.size() - 1);
      }
  }
  EXPECT_GT(met, 100u);
}

}  // namespace
}  // namespace graze
