// SPDX-License-Identifier: MIT
// Every pair of features of a deforming mesh and a rigid body, or of two meshes on curved paths, against samples.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include <graze/ask/deform_scene.hpp>
#include <graze/mesh/make.hpp>
#include <graze/motion/chain.hpp>

#include "oracle/moving_pairs.hpp"
#include "sheets.hpp"

namespace graze {
namespace {

using oracle::PlacedAt;
using oracle::SampledPair;
using testing::square_sheet;
using testing::vertices_of;

PlacedAt placed(const Mesh& mesh, const Motion& motion) {
  return [&mesh, motion](double t) {
    const Placement p = motion.at(t);
    std::vector<Vec3> out;
    for (const Vec3& x : mesh.positions()) out.push_back(p.apply(x));
    return out;
  };
}

/// Bernstein polynomials by their definition, with a list of control points for each k.
PlacedAt on_curves(std::vector<std::vector<Vec3>> control) {
  return [control](double t) {
    std::vector<std::vector<Vec3>> p = control;
    for (std::size_t r = 1; r < control.size(); ++r)
      for (std::size_t k = 0; k + r < control.size(); ++k)
        for (std::size_t v = 0; v < p[k].size(); ++v) p[k][v] = p[k][v] * (1 - t) + p[k + 1][v] * t;
    return p[0];
  };
}

struct Checked {
  int contacts = 0, passed = 0;
};

/// Body a is the scene's body 0, b its body 1.
Checked check(const SceneResult& r, const Mesh& a, const PlacedAt& a_at, const Mesh& b, const PlacedAt& b_at,
              double separation = 0, int samples = 250) {
  std::map<std::tuple<bool, ElementaryKind, std::array<std::uint32_t, 4>>, DeformContact> listed;
  for (const SceneContact& c : r.contacts)
    if (c.a != c.b) listed[{index(c.a) == 0, c.contact.kind, c.contact.vertices}] = c.contact;
  Checked sum;
  double safe = 2;
  for (const SampledPair& p : oracle::sample_pairs(a, a_at, b, b_at, samples)) {
    const auto found = listed.find({p.a_first, p.kind, p.vertices});
    if (found == listed.end()) {
      EXPECT_GT(p.least, separation) << int(p.kind) << " at " << p.least_at;
      EXPECT_EQ(p.passed_by, 2) << int(p.kind) << ' ' << p.a_first;
      continue;
    }
    const DeformContact& c = found->second;
    ++sum.contacts;
    EXPECT_LE(c.time.safe, c.time.touch);
    const double near = oracle::distance_of(p.kind, oracle::points_of(p, a_at(c.time.touch), b_at(c.time.touch)));
    EXPECT_LE(near, separation + r.tolerance) << int(p.kind) << " at " << c.time.touch;
    if (p.least <= separation) {
      EXPECT_LE(c.time.safe, p.least_at);
    }
    if (p.passed_by < 2) {
      ++sum.passed;
      EXPECT_LE(c.time.touch, p.passed_by);
    }
    safe = std::min(safe, c.time.safe);
  }
  EXPECT_EQ(r.status, r.contacts.empty() ? Status::free : Status::contact);
  if (!listed.empty()) {
    EXPECT_LE(r.time.safe, safe);
  }
  return sum;
}

DeformOptions without_start() {
  DeformOptions o;
  o.crossing_at_start = false;
  return o;
}

TEST(SceneOracle, EveryPairOfASheetAndATurningBodyIsRight) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> u(-1, 1);
  Checked all;
  for (int round = 0; round < 15; ++round) {
    const Mesh cloth = square_sheet(3, 2, 0.9 + 0.2 * u(random)), box = make::box();
    std::vector<Vec3> to = vertices_of(cloth);
    for (Vec3& x : to) x = x + Vec3{0.2 * u(random), 0.2 * u(random), -0.5 + 0.3 * u(random)};
    const double turn = round % 3 == 0 ? 0.02 : round % 3 == 1 ? 0.5 : 3;
    const Motion motion =
        Velocity::from_speeds(Pose(), {0.1 * u(random), 0.1 * u(random), 0.2 * u(random)},
                              {turn * u(random), turn * u(random), turn * u(random)}, {0.3 * u(random), 0, 0});
    DeformScene scene;
    const SceneBodyId soft = scene.add_deforming(cloth);
    scene.add_rigid(Body(box), motion);
    scene.move(soft, to);
    const SceneResult r = scene.contacts(without_start());
    const Checked c = check(r, cloth, on_curves({vertices_of(cloth), to}), box, placed(box, motion));
    all.contacts += c.contacts;
    all.passed += c.passed;
  }
  EXPECT_GT(all.passed, 50);
}

TEST(SceneOracle, HairsAndATurningBody) {
  std::mt19937 random(17);
  std::uniform_real_distribution<double> u(-1, 1);
  int passed = 0;
  for (int round = 0; round < 15; ++round) {
    std::vector<Vec3> p;
    LooseParts loose;
    for (int i = 0; i < 4; ++i) {
      const auto base = static_cast<std::uint32_t>(p.size());
      const Vec3 root{0.8 * u(random), 0.8 * u(random), 0.9};
      for (int k = 0; k < 3; ++k) p.push_back(root + Vec3{0.3 * u(random), 0.3 * u(random), 0.4 * k});
      loose.edges.push_back({base, base + 1});
      loose.edges.push_back({base + 2, base + 1});
    }
    loose.points.push_back(0);
    const Mesh hair(p, PolygonList(), {}, loose), box = make::box();
    std::vector<std::vector<Vec3>> control(1 + static_cast<std::size_t>(round) % 2, p);
    for (std::vector<Vec3>& to : control)
      for (Vec3& x : to) x = x + Vec3{0.2 * u(random), 0.2 * u(random), -0.5 + 0.3 * u(random)};
    const Motion motion =
        Velocity::from_speeds(Pose(), {0.1 * u(random), 0, 0.2 * u(random)}, {u(random), u(random), 2 * u(random)});
    DeformScene scene;
    const SceneBodyId soft = scene.add_deforming(hair);
    scene.add_rigid(Body(box), motion);
    scene.move(soft, std::span<const std::vector<Vec3>>(control));
    const SceneResult r = scene.contacts(without_start());
    control.insert(control.begin(), p);
    passed += check(r, hair, on_curves(control), box, placed(box, motion)).passed;
  }
  EXPECT_GT(passed, 20);
}

TEST(SceneOracle, LinksOfAChainAndOtherMotions) {
  const Chain chain({{"upper", "", {JointType::revolute, Pose(), {0, 1, 0}}},
                     {"lower", "upper", {JointType::revolute, Pose({0.8, 0, 0}), {0, 1, 0}}},
                     {"tip", "lower", {JointType::prismatic, Pose({0.8, 0, 0}), {1, 0, 0}}}});
  const std::vector<double> q0{0.3, 0.2, 0}, q1{-1.1, 1.4, 0.3};
  const Motion motions[] = {
      chain.link_motion(LinkId{2}, q0, q1), chain.link_motion(LinkId{1}, q0, q1),
      Screw(Pose({0, 0, 0.4}), Pose({0.1, 0, 0}, Quat{0.9, 0.2, 0.3, 0.1})),
      Screw(Pose({0, 0, 0.4}), Pose({0.5, 0, 0.3}, Quat{1, 0.02, 0.03, 0.01})),
      LinearParameters(RollPitchYaw{{0, 0, 0.3}, 0, 0, 0}, RollPitchYaw{{0.2, 0, 0.4}, 1, 0.7, -0.6})};
  const Mesh box = make::box({.size = {0.5, 0.4, 0.3}});
  int passed = 0;
  for (const Motion& motion : motions) {
    const Mesh cloth = square_sheet(3, 3, 0.75);
    std::vector<Vec3> to = vertices_of(cloth);
    for (Vec3& x : to) x = {x.x + 0.6, x.y * 0.9, x.z - 0.9 + 0.2 * x.x * x.y};
    DeformScene scene;
    const SceneBodyId soft = scene.add_deforming(cloth);
    scene.add_rigid(Body(box), motion);
    scene.move(soft, to);
    passed +=
        check(scene.contacts(without_start()), cloth, on_curves({vertices_of(cloth), to}), box, placed(box, motion))
            .passed;
  }
  EXPECT_GT(passed, 8);
}

TEST(SceneOracle, VerticesOnCurves) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> u(-1, 1);
  int passed = 0;
  for (int round = 0; round < 12; ++round) {
    const Mesh a = square_sheet(2, 2, 0.3), b = square_sheet(3, 2, 0);
    const std::size_t degree = 2 + static_cast<std::size_t>(round) % 3;
    std::vector<std::vector<Vec3>> of_a{vertices_of(a)}, of_b{vertices_of(b)};
    for (std::size_t k = 1; k <= degree; ++k) {
      of_a.push_back(vertices_of(a));
      of_b.push_back(vertices_of(b));
      for (Vec3& x : of_a.back()) x = x + Vec3{u(random), u(random), u(random)} * 0.4;
      for (Vec3& x : of_b.back()) x = x + Vec3{u(random), u(random), u(random)} * 0.4;
    }
    DeformScene scene;
    const SceneBodyId one = scene.add_deforming(a), two = scene.add_deforming(b);
    scene.move(one, std::span(of_a).subspan(1));
    if (round % 2 == 0) {
      scene.move(two, std::span(of_b).subspan(1));
    } else {
      scene.move(two, of_b.back());
      of_b.erase(of_b.begin() + 1, of_b.end() - 1);
    }
    const double separation = round % 6 == 5 ? 0.02 : 0;
    DeformOptions o = without_start();
    o.min_separation = separation;
    passed += check(scene.contacts(o), a, on_curves(of_a), b, on_curves(of_b), separation).passed;
    // Threads do not change a bit.
    o.threads = 2;
    const SceneResult again = scene.contacts(o);
    o.threads = 1;
    const SceneResult first = scene.contacts(o);
    ASSERT_EQ(again.contacts.size(), first.contacts.size());
    for (std::size_t i = 0; i < first.contacts.size(); ++i)
      EXPECT_EQ(again.contacts[i].contact.time.touch, first.contacts[i].contact.time.touch);
  }
  EXPECT_GT(passed, 25);
}

TEST(SceneOracle, SpheresAndCapsules) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> u(-1, 1);
  int met = 0;
  for (int round = 0; round < 40; ++round) {
    const Mesh cloth = square_sheet(4, 2, 0.8);
    std::vector<Vec3> to = vertices_of(cloth);
    for (Vec3& x : to) x = x + Vec3{0.2 * u(random), 0.2 * u(random), -0.4 + 0.3 * u(random)};
    const double radius = 0.4, length = round % 2 == 0 ? 0 : 0.8;
    const Motion motion = Velocity::from_speeds(Pose({0.3 * u(random), 0.3 * u(random), -0.1}), {0, 0, 0.2 * u(random)},
                                                {u(random), 2 * u(random), u(random)}, {0, 0, 0.2});
    DeformScene scene;
    const SceneBodyId soft = scene.add_deforming(cloth);
    scene.add_rigid(length == 0 ? Body(shape::Sphere{radius}) : Body(shape::Capsule{radius, length}), motion);
    scene.move(soft, to);
    const SceneResult r = scene.contacts(without_start());
    const PlacedAt at = on_curves({vertices_of(cloth), to});
    // The distance of the surfaces, sampled.
    const auto gap = [&](double t) {
      const std::vector<Vec3> p = at(t);
      const Placement place = motion.at(t);
      const oracle::RealSegment axis{oracle::real(place.apply({0, 0, -length / 2})),
                                     oracle::real(place.apply({0, 0, length / 2}))};
      double least = 1e300;
      for (const Triangle& f : cloth.triangles()) {
        const oracle::RealTriangle tri{oracle::real(p[f[0]]), oracle::real(p[f[1]]), oracle::real(p[f[2]])};
        for (const auto& end : axis) least = std::min(least, double(oracle::length(oracle::point_triangle(end, tri))));
        for (std::size_t k = 0; k < 3; ++k)
          least = std::min(least, double(oracle::length(oracle::segment_segment({tri[k], tri[(k + 1) % 3]}, axis))));
        if (oracle::pierces(axis, tri)) least = 0;
      }
      return least - radius;
    };
    double first = 2;
    for (int i = 0; i <= 400 && first == 2; ++i)
      if (gap(i / 400.0) <= 0) first = i / 400.0;
    if (r.status == Status::free) {
      EXPECT_EQ(first, 2);
      continue;
    }
    ++met;
    ASSERT_EQ(r.status, Status::contact);
    EXPECT_LE(r.time.touch, first);
    EXPECT_LE(gap(r.time.touch), r.tolerance * 1.01);
    for (int i = 0; i < 50; ++i) EXPECT_GT(gap(r.time.safe * i / 50.0), -1e-12);
  }
  EXPECT_GT(met, 8);
}

TEST(SceneOracle, AHalfSpaceAtRest) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> u(-1, 1);
  int met = 0;
  for (int round = 0; round < 60; ++round) {
    const Mesh cloth = square_sheet(2, 1, 0.5);
    std::vector<std::vector<Vec3>> control{vertices_of(cloth)};
    const std::size_t degree = 1 + static_cast<std::size_t>(round) % 4;
    for (std::size_t k = 1; k <= degree; ++k) {
      control.push_back(vertices_of(cloth));
      for (Vec3& x : control.back()) x = x + Vec3{u(random), u(random), 0.3 * u(random) - 0.2};
    }
    const Pose floor({0.1, 0, -0.05}, Quat{1, 0.1 * u(random), 0.1 * u(random), 0});
    DeformScene scene;
    const SceneBodyId soft = scene.add_deforming(cloth);
    scene.add_rigid(Body(shape::HalfSpace{}), Still{floor});
    scene.move(soft, std::span(control).subspan(1));
    const SceneResult r = scene.contacts(without_start());
    const PlacedAt at = on_curves(control);
    const Vec3 normal = Pose({}, floor.rotation()).apply({0, 0, 1});
    std::map<std::uint32_t, DeformContact> of_plane;
    for (const SceneContact& c : r.contacts)
      if (c.a != c.b) of_plane[c.contact.vertices[0]] = c.contact;
    std::vector<double> first(cloth.vertex_count(), 2);
    for (int i = 0; i <= 1000; ++i) {
      const std::vector<Vec3> p = at(i / 1000.0);
      for (std::size_t v = 0; v < p.size(); ++v)
        if (first[v] == 2 && dot(p[v] - floor.translation(), normal) <= 0) first[v] = i / 1000.0;
    }
    for (std::uint32_t v = 0; v < first.size(); ++v) {
      const auto c = of_plane.find(v);
      if (c == of_plane.end()) {
        EXPECT_EQ(first[v], 2);
        continue;
      }
      ++met;
      EXPECT_LE(c->second.time.safe, first[v]);
      EXPECT_LE(c->second.time.touch, first[v] + 1e-12);
      EXPECT_LE(dot(at(c->second.time.touch)[v] - floor.translation(), normal), r.tolerance);
    }
  }
  EXPECT_GT(met, 15);
}

}  // namespace
}  // namespace graze
