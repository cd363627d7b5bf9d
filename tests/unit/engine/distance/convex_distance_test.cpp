// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <graze/ask/convex_distance.hpp>
#include <graze/mesh/classify.hpp>
#include <graze/mesh/make.hpp>

#include "prim/closest/closest.hpp"
#include "random_budget.hpp"
#include "soups.hpp"

namespace graze {
namespace {

using oracle::Rational;
using testing::RandomBudget;

std::array<Vec3, 3> rounded(const oracle::Triangle& t) {
  return {oracle::to_double(t[0]), oracle::to_double(t[1]), oracle::to_double(t[2])};
}

/// The square of the distance of the solids, exactly: 0 if one is inside the other. Rationals are slow: only triangles
/// that are within a generous margin of the nearest in double precision are tested.
Rational exact_square(const Mesh& a, const Pose& pa, const Mesh& b, const Pose& pb) {
  std::vector<oracle::Triangle> ta, tb;
  for (std::size_t i = 0; i < a.triangle_count(); ++i) ta.push_back(testing::placed_triangle(a, pa, i));
  for (std::size_t i = 0; i < b.triangle_count(); ++i) tb.push_back(testing::placed_triangle(b, pb, i));
  if (oracle::point_in_polyhedron(ta[0][0], tb) != oracle::Where::outside) return 0;
  if (oracle::point_in_polyhedron(tb[0][0], ta) != oracle::Where::outside) return 0;
  std::vector<double> near;
  double least = std::numeric_limits<double>::infinity(), size = 0;
  for (const auto& x : ta)
    for (const auto& y : tb) {
      const auto rx = rounded(x), ry = rounded(y);
      near.push_back(std::sqrt(prim::closest_triangle_triangle(rx, ry).squared));
      least = std::min(least, near.back());
      for (std::size_t k = 0; k < 3; ++k) size = std::max({size, length(rx[k]), length(ry[k])});
    }
  Rational best = -1;
  for (std::size_t i = 0; i < near.size(); ++i) {
    if (near[i] > least + 1e-12 * size) continue;
    const Rational d = oracle::squared_distance(ta[i / tb.size()], tb[i % tb.size()]);
    if (best < 0 || d < best) best = d;
    if (best == 0) break;
  }
  return best;
}

/// The triangles that make up a feature, segments and points as degenerate ones.
std::vector<oracle::Triangle> placed_feature(const Mesh& mesh, const Pose& pose, const FeatureRef& f) {
  const auto at = [&](std::uint32_t v) { return oracle::place(pose, mesh.positions()[v]); };
  if (f.type != FeatureRef::Type::face) return {{at(f.id[0]), at(f.id[0]), at(f.id[1])}};
  std::vector<oracle::Triangle> out;
  const auto [first, last] = mesh.triangles_of(PolygonId{f.id[0]});
  for (std::uint32_t t = first; t < last; ++t) out.push_back(testing::placed_triangle(mesh, pose, t));
  return out;
}

double feature_distance(const Mesh& a, const Pose& pa, const Mesh& b, const Pose& pb, const Feature& f) {
  Rational best = -1;
  for (const auto& x : placed_feature(a, pa, f.a))
    for (const auto& y : placed_feature(b, pb, f.b)) {
      const Rational d = oracle::squared_distance(x, y);
      if (best < 0 || d < best) best = d;
    }
  return std::sqrt(oracle::to_double(best));
}

Mesh small_shape(oracle::Random& random) {
  switch (random() % 6) {
    case 0: return make::box({.size = {1, 0.5, 2}, .triangles = 12});
    case 1: return make::tetrahedron({.size = 1.5, .triangles = 4});
    case 2: return make::sphere({.radius = 0.75, .meridians = 5, .bands = 3});
    case 3: return make::cylinder({.radius = 0.5, .height = 1.5, .around = 5, .along = 1});
    case 4: return make::cone({.radius = 0.5, .height = 2, .around = 6});
    default: return testing::box({-0.5, -1, 0}, {1, 0.5, 0.25});
  }
}

/// One question asked in every way.
void expect_right(const Mesh& ma, const Pose& pa, const Mesh& mb, const Pose& pb, ConvexCoherence& coherence) {
  const ConvexBody a(ma), b(mb);
  const Rational square = exact_square(ma, pa, mb, pb);
  const double exact = std::sqrt(oracle::to_double(square));
  const Status status = square == 0 ? Status::contact : Status::free;
  EXPECT_EQ(convex_collide(a, pa, b, pb).status, status);
  EXPECT_EQ(convex_collide(a, pa, b, pb, {.coherence = &coherence}).status, status);
  EXPECT_EQ(convex_collide(b, pb, a, pa).status, status);
  const ConvexDistanceResult plain = convex_distance(a, pa, b, pb);
  const ConvexDistanceResult warm = convex_distance(a, pa, b, pb, {.coherence = &coherence});
  const ConvexDistanceResult again = convex_distance(a, pa, b, pb, {.coherence = &coherence});
  const double size = length(pa.translation()) + length(pb.translation()) + length(ma.box().lo) + length(ma.box().hi) +
                      length(mb.box().lo) + length(mb.box().hi);
  for (const ConvexDistanceResult* r : {&plain, &warm, &again}) {
    ASSERT_EQ(r->status, status) << exact;
    EXPECT_NEAR(r->distance, exact, 1.0001e-9 * exact);
    EXPECT_NEAR(length(r->points[0] - r->points[1]), exact, 1e-9 * exact + 1e-13 * size);
    if (status == Status::contact) {
      EXPECT_FALSE(r->normal);
      continue;
    }
    ASSERT_TRUE(r->normal);
    EXPECT_NEAR(length(*r->normal), 1, 1e-12);
    EXPECT_GT(dot(*r->normal, r->points[1] - r->points[0]), exact * (1 - 1e-6) - 1e-12 * size);
    ASSERT_TRUE(r->feature);
    if (r != &plain && r->feature == plain.feature) continue;
    EXPECT_NEAR(feature_distance(ma, pa, mb, pb, *r->feature), exact, 1e-8 * exact + 1e-14 * size);
  }
}

TEST(ConvexBody, FindsCornersEdgesAndFaces) {
  struct Case {
    Mesh mesh;
    std::size_t corners, edges, faces;
  };
  const Case cases[] = {{make::box(), 8, 12, 6},
                        {make::box({.divisions = 5}), 8, 12, 6},
                        {testing::box({0, 0, 0}, {1, 1, 1}), 8, 12, 6},
                        {make::tetrahedron(), 4, 6, 4},
                        {make::tetrahedron({.divisions = 7}), 4, 6, 4},
                        {make::cylinder({.around = 12, .along = 3}), 24, 36, 14},
                        {make::cone({.around = 9}), 10, 18, 10}};
  for (const Case& c : cases) {
    const ConvexBody body(c.mesh);
    EXPECT_EQ(body.corner_count(), c.corners);
    EXPECT_EQ(body.edge_count(), c.edges);
    EXPECT_EQ(body.face_count(), c.faces);
    EXPECT_GT(body.bytes(), 0u);
  }
  const ConvexBody sphere{Body(make::sphere({.triangles = 960}))};
  EXPECT_EQ(sphere.corner_count() + sphere.face_count(), sphere.edge_count() + 2) << "Euler";
}

TEST(ConvexBody, RefusesWhatIsNotConvex) {
  for (const Mesh& mesh : {make::torus(), make::chair()}) {
    try {
      ConvexBody{mesh};
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.detail().code, ErrorCode::unsupported);
    }
    EXPECT_THROW(ConvexBody{Body(mesh)}, Error);
  }
}

TEST(ConvexDistance, RefusesAnErrorOutOfRange) {
  const ConvexBody box(make::box());
  for (const double e : {0.0, 1.0, -1.0, std::nan("")}) {
    const ConvexDistanceResult r = convex_distance(box, Pose(), box, Pose(), {.relative_error = e});
    EXPECT_EQ(r.status, Status::invalid_request);
    ASSERT_TRUE(r.error);
  }
}

TEST(ConvexDistance, IsRightInAnyPose) {
  oracle::Random random(RandomBudget::seed(41));
  ConvexCoherence coherence;  // handed from pair to pair: never wrong
  for (RandomBudget budget(12); budget.more();) {
    const Mesh a = small_shape(random), b = small_shape(random);
    const Pose pa = oracle::random_pose(random);
    const Pose pb = random() % 4 == 0 ? pa : oracle::random_pose(random);
    SCOPED_TRACE(oracle::describe(pa) + oracle::describe(pb));
    expect_right(a, pa, b, pb, coherence);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(ConvexDistance, BoxesOnTheGridTouchExactly) {
  const Mesh a = testing::box({0, 0, 0}, {1, 1, 1}), b = make::box({.size = {1, 2, 1}, .divisions = 2});
  const ConvexBody body_a(a), body_b(b);
  ConvexCoherence coherence;
  for (int i = 0; i < 7 * 7 * 7; ++i) {
    const Vec3 t{(i % 7 - 3) * 0.5, (i / 7 % 7 - 3) * 0.75, (i / 49 - 3) * 0.5};
    const auto gap = [](double lo, double hi) { return std::max({0.0, lo - 1, -hi}); };
    const Vec3 d{gap(t.x - 0.5, t.x + 0.5), gap(t.y - 1, t.y + 1), gap(t.z - 0.5, t.z + 0.5)};
    for (ConvexCoherence* memory : {static_cast<ConvexCoherence*>(nullptr), &coherence}) {
      const ConvexDistanceResult r = convex_distance(body_a, Pose(), body_b, Pose(t), {.coherence = memory});
      EXPECT_EQ(r.status, length(d) == 0 ? Status::contact : Status::free);
      EXPECT_NEAR(r.distance, length(d), 1e-12);
      EXPECT_NEAR(length(r.points[0] - r.points[1]), length(d), 1e-12);
      EXPECT_EQ(convex_collide(body_a, Pose(), body_b, Pose(t), {.coherence = memory}).status, r.status);
      if (r.status == Status::free) {
        ASSERT_TRUE(r.feature);
        EXPECT_NEAR(feature_distance(a, Pose(), b, Pose(t), *r.feature), length(d), 1e-12);
      }
    }
  }
}

TEST(ConvexDistance, TheLastBitDecides) {
  const ConvexBody a(make::box()), b(make::box());
  const Pose touching({1, 0.25, 0}), apart({std::nextafter(1.0, 2), 0.25, 0}),
      crossing({std::nextafter(1.0, 0), 0.25, 0});
  EXPECT_EQ(convex_collide(a, Pose(), b, touching).status, Status::contact);
  EXPECT_EQ(convex_collide(a, Pose(), b, apart).status, Status::free);
  EXPECT_EQ(convex_collide(a, Pose(), b, crossing).status, Status::contact);
  EXPECT_EQ(convex_distance(a, Pose(), b, apart).distance, 0x1p-52);
  EXPECT_EQ(convex_distance(a, Pose(), b, touching).status, Status::contact);
  EXPECT_GT(convex_distance(a, Pose(), b, apart).counters.rational_decided, 0u);
}

/// Boxes of side 2 |q|^2 k turned by whole quaternions that leave their common face's plane alone touch exactly, though
/// the rotations have entries like 8/17.
TEST(ConvexDistance, TurnedFacesTouchExactly) {
  const auto times = [](const Quat& a, const Quat& b) {
    return Quat{a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
  };
  oracle::Random random(11);
  for (int i = 0; i < 40; ++i) {
    const Quat q = oracle::whole_quaternion(random), spin{4, double(oracle::whole(random, -3, 3)), 0, 0};
    const double n = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    const ConvexBody box(make::box({.size = {n, n, n}}));
    const Vec3 centre = oracle::to_double(oracle::place(Pose({}, q), Vec3{n, 0, 0}));  // whole: exact
    const Quat turned = times(q, spin);
    const Pose pa({}, q);
    EXPECT_EQ(convex_collide(box, pa, box, Pose(centre, turned)).status, Status::contact);
    EXPECT_EQ(convex_distance(box, pa, box, Pose(centre, turned)).status, Status::contact);
    const Vec3 away = centre * (1 + 0x1p-52), nearer = centre * (1 - 0x1p-52);
    EXPECT_EQ(convex_collide(box, pa, box, Pose(away, turned)).status, Status::free);
    EXPECT_GT(convex_distance(box, pa, box, Pose(away, turned)).distance, 0);
    EXPECT_EQ(convex_collide(box, pa, box, Pose(nearer, turned)).status, Status::contact);
  }
}

TEST(ConvexDistance, OneInsideTheOtherIsContact) {
  const ConvexBody big(make::sphere({.radius = 2, .triangles = 528})), small(make::tetrahedron({.size = 0.25}));
  for (const Vec3& t : {Vec3{0, 0, 0}, Vec3{0.5, -0.25, 1}, Vec3{1.2, 0, 0}}) {
    EXPECT_EQ(convex_distance(big, Pose(), small, Pose(t)).status, Status::contact);
    EXPECT_EQ(convex_distance(small, Pose(t), big, Pose()).status, Status::contact);
    EXPECT_EQ(convex_collide(big, Pose(), small, Pose(t)).status, Status::contact);
  }
  const ConvexDistanceResult r = convex_distance(big, Pose(), big, Pose());
  EXPECT_EQ(r.status, Status::contact);
  EXPECT_LT(length(r.points[0]), 2);
}

Mesh moved(const Mesh& mesh, double scale, const Vec3& shift) {
  std::vector<Vec3> p;
  for (const Vec3& x : mesh.positions()) p.push_back(x * scale + shift);
  return Mesh(std::move(p), mesh.polygons());
}

TEST(ConvexDistance, ScalingByPowersOfTwoChangesNothing) {
  oracle::Random random(13);
  for (int i = 0; i < 12; ++i) {
    const Mesh a = small_shape(random), b = small_shape(random);
    const Pose pa = oracle::random_pose(random, oracle::PoseFamily::unit_quaternion);
    const Pose pb = oracle::random_pose(random, oracle::PoseFamily::unit_quaternion);
    const ConvexDistanceResult r = convex_distance(ConvexBody(a), pa, ConvexBody(b), pb);
    for (const int e : {-40, 60, -500, 500, 1000, -900}) {
      const double s = std::ldexp(1.0, e);
      const ConvexBody sa(moved(a, s, {})), sb(moved(b, s, {}));
      const Pose qa(pa.translation() * s, pa.rotation()), qb(pb.translation() * s, pb.rotation());
      const ConvexDistanceResult scaled = convex_distance(sa, qa, sb, qb);
      EXPECT_EQ(scaled.status, r.status);
      EXPECT_EQ(convex_collide(sa, qa, sb, qb).status, r.status);
      // Beyond the range of the filters exact arithmetic answers, which rounds only once.
      if (std::abs(e) < 100)
        EXPECT_EQ(scaled.distance, r.distance * s);
      else
        EXPECT_NEAR(scaled.distance / s, r.distance, 1e-9 * r.distance);
    }
  }
}

TEST(ConvexDistance, IsRightFarAwayAndForUnequalSizes) {
  oracle::Random random(RandomBudget::seed(17));
  ConvexCoherence coherence;
  for (RandomBudget budget(1); budget.more();) {
    const Mesh a = small_shape(random), b = small_shape(random);
    const Vec3 far{0x1p30, -0x1p31, 0x1p29};
    const Pose pa = oracle::random_pose(random, oracle::PoseFamily::real_translation);
    const Pose pb = oracle::random_pose(random, oracle::PoseFamily::unit_quaternion);
    // Placed far away; modelled far from the origin; one very small; one very large.
    expect_right(a, Pose(far), b, Pose(far + pb.translation(), pb.rotation()), coherence);
    const Mesh away = moved(testing::box({0, 0, 0}, {1, 1, 1}), 1, far);
    expect_right(away, Pose(), b, Pose(far + pb.translation(), pb.rotation()), coherence);
    expect_right(a, pa, moved(b, 0x1p-30, {}), pb, coherence);
    expect_right(a, pa, moved(b, 0x1p40, {}), pb, coherence);
    expect_right(moved(a, 0x1p-300, {}), pa, b, pb, coherence);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(ConvexDistance, NearlyParallelFacesAndSmallGaps) {
  const Mesh mesh = make::box();
  ConvexCoherence coherence;
  for (const double gap : {1e-3, 1e-7, 1e-13, 1e-15})
    for (const double tilt : {0.0, 1e-8, 1e-16}) {
      SCOPED_TRACE(std::to_string(gap) + " " + std::to_string(tilt));
      expect_right(mesh, Pose(), mesh, Pose({1 + gap, 0.1, 0.2}, {1, 0, tilt, tilt / 3}), coherence);
    }
}

TEST(ConvexDistance, CoherenceSavesWorkAndKeepsTheAnswer) {
  const ConvexBody a(make::sphere({.triangles = 3968})), b(make::cone({.triangles = 128}));
  ConvexCoherence coherence;
  std::uint64_t cold = 0, warm = 0, yes_no = 0;
  int equal = 0;
  for (int frame = 0; frame < 200; ++frame) {
    const double angle = frame * std::numbers::pi / 180;
    const Pose pb({1.8 * std::cos(angle), 1.8 * std::sin(angle), 0.1}, {std::cos(angle), 0.3, std::sin(angle), 0});
    const ConvexDistanceResult x = convex_distance(a, Pose(), b, pb),
                               y = convex_distance(a, Pose(), b, pb, {.coherence = &coherence});
    EXPECT_EQ(x.status, y.status);
    EXPECT_NEAR(x.distance, y.distance, 1e-9 * x.distance);
    EXPECT_TRUE(x.feature && y.feature);
    equal += x.distance == y.distance;
    cold += x.counters.support_calls;
    warm += y.counters.support_calls;
    const ConvexCollideResult z = convex_collide(a, Pose(), b, pb, {.coherence = &coherence});
    EXPECT_EQ(z.status, x.status);
    yes_no += z.counters.support_calls;
  }
  EXPECT_LT(2 * warm, cold);
  EXPECT_EQ(yes_no, 2u * 200) << "the remembered direction still separates";
  EXPECT_EQ(equal, 200) << "the same features give the same bits";
}

TEST(ConvexDistance, ALooserErrorIsKeptToo) {
  const ConvexBody a(make::sphere({.triangles = 3968})), b(make::sphere({.triangles = 960}));
  const Pose pb({3, 0.5, 0.25}, {1, 2, 3, 4});
  const double best = convex_distance(a, Pose(), b, pb).distance;
  for (const double e : {1e-2, 1e-4, 1e-6, 1e-12, 1e-14}) {
    const ConvexDistanceResult r = convex_distance(a, Pose(), b, pb, {.relative_error = e});
    EXPECT_EQ(r.status, Status::free);
    EXPECT_NEAR(r.distance, best, (e + 1e-9) * best);
  }
}

}  // namespace
}  // namespace graze
