// SPDX-License-Identifier: MIT
// Every method of the type list, against exact rational arithmetic and against each other, on the question that it
// answers.
#include <gtest/gtest.h>

#include <cfenv>

#include <graze/ask/collide.hpp>
#include <graze/mesh/make.hpp>

#include "instruction_sets.hpp"
#include "random_budget.hpp"
#include "soups.hpp"

namespace graze {
namespace {

using testing::RandomBudget;

struct Scene {
  Mesh a, b;
  Pose pose_a, pose_b;
};

Scene random_scene(oracle::Random& random, int size) {
  const bool grid = random() % 2 == 0;
  Mesh a = testing::soup(random, oracle::whole(random, 1, size), grid),
       b = testing::soup(random, oracle::whole(random, 1, size), grid);
  const Pose pose_a = oracle::random_pose(random);
  const Pose pose_b = random() % 2 ? pose_a : oracle::random_pose(random);
  return {std::move(a), std::move(b), pose_a, pose_b};
}

/// The required answer of a surface method, where it is certified.
void check_against(const testing::Truth& truth, const MethodTraits& method, const CollideResult& r, bool all) {
  if (r.status == Status::invalid_request) {
    EXPECT_TRUE(r.error.has_value());
    EXPECT_FALSE(r.error->message.empty());
    return;
  }
  EXPECT_EQ(r.method, method.name);
  if (r.status == Status::free) {
    EXPECT_TRUE(truth.pairs.empty()) << method.name;
  }
  if (r.status == Status::contact) {
    EXPECT_FALSE(truth.pairs.empty()) << method.name;
  }
  if (r.status == Status::undecided) {
    EXPECT_FALSE(method.free_certain && method.contact_certain) << method.name;
  }
  if (r.status != Status::contact || !method.witness || r.contained != Containment::none) return;
  ASSERT_FALSE(r.pairs.empty()) << method.name;
  EXPECT_FALSE(r.features.empty()) << method.name;
  // A method that may miss pairs cannot determine the contact kind of the whole surfaces.
  if (method.surface && method.free_certain) {
    ASSERT_TRUE(r.kind.has_value()) << method.name;
    EXPECT_EQ(*r.kind, truth.crossing ? ContactKind::crossing : ContactKind::touching) << method.name;
  }
  if (all) {
    EXPECT_EQ(r.pairs, truth.pairs) << method.name;
  } else {
    EXPECT_TRUE(std::binary_search(truth.pairs.begin(), truth.pairs.end(), r.pairs.front())) << method.name;
  }
}

/// Checks in exact arithmetic that reported features meet; faces are polygons.
void check_features(const Scene& s, const CollideResult& r) {
  const auto polygon = [](const Mesh& mesh, const Pose& pose, std::uint32_t id) {
    std::vector<oracle::Triangle> t;
    const auto [first, last] = mesh.triangles_of(PolygonId{id});
    for (std::uint32_t i = first; i < last; ++i) t.push_back(testing::placed_triangle(mesh, pose, i));
    return t;
  };
  const auto vertex = [](const Mesh& mesh, const Pose& pose, std::uint32_t id) {
    return oracle::place(pose, mesh.positions()[id]);
  };
  for (const Feature& f : r.features) {
    const auto meets_some = [&](const oracle::Point& p, const oracle::Point& q,
                                const std::vector<oracle::Triangle>& ts) {
      return std::any_of(ts.begin(), ts.end(), [&](const auto& t) { return oracle::segment_meets_triangle(p, q, t); });
    };
    const auto a = [&](std::size_t k) { return vertex(s.a, s.pose_a, f.a.id[k]); };
    const auto b = [&](std::size_t k) { return vertex(s.b, s.pose_b, f.b.id[k]); };
    switch (f.kind) {
      case FeatureKind::vertex_face:
        EXPECT_TRUE(oracle::point_in_polygon(a(0), polygon(s.b, s.pose_b, f.b.id[0])));
        break;
      case FeatureKind::face_vertex:
        EXPECT_TRUE(oracle::point_in_polygon(b(0), polygon(s.a, s.pose_a, f.a.id[0])));
        break;
      case FeatureKind::edge_edge: EXPECT_TRUE(oracle::segments_meet(a(0), a(1), b(0), b(1))); break;
      case FeatureKind::edge_face: EXPECT_TRUE(meets_some(a(0), a(1), polygon(s.b, s.pose_b, f.b.id[0]))); break;
      case FeatureKind::face_edge: EXPECT_TRUE(meets_some(b(0), b(1), polygon(s.a, s.pose_a, f.a.id[0]))); break;
      default: ADD_FAILURE() << "a mesh has no curved surface";
    }
  }
}

TEST(CollideConformance, EveryMethodAgreesWithRationals) {
  oracle::Random random(RandomBudget::seed(51));
  for (RandomBudget budget(80); budget.more();) {
    const Scene s = random_scene(random, 6);
    const Body a(s.a), b(s.b);
    const testing::Truth truth = testing::truth(s.a, s.pose_a, s.b, s.pose_b);
    for (const MethodTraits& method : collide_methods()) {
      if (!method.surface) continue;
      for (const bool all : {false, true}) {
        if (all && !method.all_pairs) continue;
        CollideOptions options;
        options.method = method.name;
        options.all = options.all_features = all;
        const CollideResult r = collide(a, s.pose_a, b, s.pose_b, options);
        check_against(truth, method, r, all);
        check_features(s, r);
      }
    }
  }
}

/// Boxes whose faces, edges and corners meet exactly, solid and not; every method, on the question it answers.
TEST(CollideConformance, StackedBoxesByEveryMethod) {
  const Mesh unit = testing::box({0, 0, 0}, {2, 2, 2});
  const Body body(unit);
  for (const Vec3 shift :
       {Vec3{2, 0, 0}, {2, 2, 0}, {2, 2, 2}, {1, 1, 2}, {1, 1, 1}, {0, 0, 0}, {3, 0, 0}, {2, 0, 3}}) {
    const testing::Truth truth = testing::truth(unit, Pose(), unit, Pose(shift));
    for (const MethodTraits& method : collide_methods()) {
      CollideOptions options;
      options.method = method.name;
      options.solid = !method.surface;
      const CollideResult r = collide(body, Pose(), body, Pose(shift), options);
      check_against(truth, method, r, false);
    }
  }
}

TEST(CollideConformance, SolidCountsContainment) {
  const Body big(testing::box({0, 0, 0}, {8, 8, 8})), small(testing::box({3, 3, 3}, {4, 4, 4}));
  for (const MethodTraits& method : collide_methods()) {
    CollideOptions options;
    options.method = method.name;
    options.solid = true;
    const CollideResult in = collide(big, Pose(), small, Pose(), options),
                        out = collide(big, Pose(), small, Pose({20, 0, 0}), options);
    if (method.contact_certain && in.status != Status::undecided) {
      EXPECT_EQ(in.status, Status::contact) << method.name;
    }
    if (method.contact_certain && method.free_certain) {
      EXPECT_EQ(in.contained, Containment::b_in_a) << method.name;
    }
    EXPECT_NE(out.status, Status::contact) << method.name;
    const CollideResult swapped = collide(small, Pose(), big, Pose(), options);
    if (method.contact_certain && method.free_certain) {
      EXPECT_EQ(swapped.contained, Containment::a_in_b);
    }
  }
}

TEST(CollideConformance, OpenBodyHasNoSolidAnswer) {
  const Body open(Mesh(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, std::vector<Triangle>{{0, 1, 2}}));
  for (const MethodTraits& method : collide_methods()) {
    CollideOptions options;
    options.method = method.name;
    options.solid = true;
    EXPECT_EQ(collide(open, Pose(), open, Pose(), options).status, Status::invalid_request) << method.name;
  }
}

// ---- invariance of answers ------------------------------------------------------------------------------------------

class Invariance : public ::testing::Test {
 protected:
  oracle::Random random{RandomBudget::seed(61)};

  static CollideResult ask(const Scene& s, bool all = true, int threads = 1) {
    CollideOptions options;
    options.all = options.all_features = all;
    options.threads = threads;
    return collide(Body(s.a), s.pose_a, Body(s.b), s.pose_b, options);
  }
  static void expect_same(const CollideResult& x, const CollideResult& y) {
    EXPECT_EQ(x.status, y.status);
    EXPECT_EQ(x.kind, y.kind);
    EXPECT_EQ(x.pairs, y.pairs);
    EXPECT_EQ(x.features, y.features);
  }
};

TEST_F(Invariance, SwappedBodies) {
  for (RandomBudget budget(150); budget.more();) {
    const Scene s = random_scene(random, 12);
    const CollideResult x = ask(s), y = ask({s.b, s.a, s.pose_b, s.pose_a});
    EXPECT_EQ(x.status, y.status);
    EXPECT_EQ(x.kind, y.kind);
    std::vector<TrianglePair> back;
    for (const TrianglePair& p : y.pairs) back.push_back({p.b, p.a});
    std::sort(back.begin(), back.end());
    EXPECT_EQ(x.pairs, back);
    EXPECT_EQ(x.features.size(), y.features.size());
  }
}

TEST_F(Invariance, ScaledByPowersOfTwo) {
  for (RandomBudget budget(100); budget.more();) {
    const Scene s = random_scene(random, 8);
    const CollideResult expected = ask(s);
    for (const int power : {-300, -40, 1, 60, 400}) {
      const auto scaled = [&](const Mesh& m) {
        std::vector<Vec3> p;
        for (const Vec3& v : m.positions()) p.push_back(oracle::times_power_of_two(v, power));
        return Mesh(p, m.triangles());
      };
      const auto moved = [&](const Pose& pose) {
        return Pose(oracle::times_power_of_two(pose.translation(), power), pose.rotation());
      };
      expect_same(ask({scaled(s.a), scaled(s.b), moved(s.pose_a), moved(s.pose_b)}), expected);
    }
  }
}

TEST_F(Invariance, QuaternionsOfAnyLength) {
  for (RandomBudget budget(60); budget.more();) {
    const Scene s = random_scene(random, 8);
    const Pose longer(s.pose_a.translation(), oracle::times(s.pose_a.rotation(), 4)),
        negative(s.pose_b.translation(), oracle::times(s.pose_b.rotation(), -0.5));
    expect_same(ask({s.a, s.b, longer, negative}), ask(s));
  }
}

TEST_F(Invariance, RigidMotionByExactTransforms) {
  for (RandomBudget budget(60); budget.more();) {
    Scene s{testing::soup(random, 8, true), testing::soup(random, 8, true), Pose(oracle::grid_point(random, 2)),
            Pose(oracle::grid_point(random, 2))};
    const CollideResult expected = ask(s);
    // The whole scene rotated by a quarter turn about x and translated by integers.
    const auto moved = [&](const Pose& pose) {
      const Vec3& t = pose.translation();
      return Pose({t.x + 5, -t.z + 7, t.y - 2}, {1, 1, 0, 0});
    };
    s.pose_a = moved(s.pose_a);
    s.pose_b = moved(s.pose_b);
    expect_same(ask(s), expected);
  }
}

TEST_F(Invariance, PermutedTriangles) {
  for (RandomBudget budget(60); budget.more();) {
    const Scene s = random_scene(random, 12);
    std::vector<Triangle> reversed(s.a.triangles().rbegin(), s.a.triangles().rend());
    const CollideResult x = ask(s), y = ask({Mesh({s.a.positions().begin(), s.a.positions().end()}, reversed), s.b,
                                             s.pose_a, s.pose_b});
    std::vector<TrianglePair> renamed;
    const auto last = static_cast<std::uint32_t>(reversed.size() - 1);
    for (const TrianglePair& p : y.pairs) renamed.push_back({TriangleId{last - index(p.a)}, p.b});
    std::sort(renamed.begin(), renamed.end());
    EXPECT_EQ(x.pairs, renamed);
    EXPECT_EQ(x.kind, y.kind);
  }
}

TEST_F(Invariance, ThreadCount) {
  const Mesh knot = make::torus_knot({.p = 2, .q = 3, .triangles = 2880});
  for (int i = 0; i < 12; ++i) {
    const Scene s{knot, knot, Pose(), Pose({0.3 * i, 0.1, 0}, oracle::unit_quaternion(random))};
    for (const bool all : {false, true}) {
      const CollideResult one = ask(s, all, 1);
      for (const int threads : {2, 3, 8}) {
        const CollideResult more = ask(s, all, threads);
        expect_same(more, one);
        EXPECT_EQ(more.points, one.points);
        EXPECT_EQ(more.normal, one.normal);
      }
    }
  }
}

TEST_F(Invariance, InstructionSet) {
  for (RandomBudget budget(40); budget.more();) {
    const Scene s = random_scene(random, 20);
    const CollideResult best = ask(s), first = ask(s, false);
    testing::for_lesser_instruction_sets([&] {
      expect_same(ask(s), best);
      expect_same(ask(s, false), first);
    });
  }
}

TEST_F(Invariance, CallersRoundingModeIsKeptAndDoesNotMatter) {
  for (RandomBudget budget(40); budget.more();) {
    const Scene s = random_scene(random, 8);
    const CollideResult expected = ask(s);
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      std::fesetround(mode);
      const CollideResult got = ask(s);
      EXPECT_EQ(std::fegetround(), mode);
      std::fesetround(FE_TONEAREST);
      expect_same(got, expected);
    }
  }
}

}  // namespace
}  // namespace graze
