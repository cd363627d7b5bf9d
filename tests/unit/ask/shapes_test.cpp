// SPDX-License-Identifier: MIT
// Questions about shapes: closed forms, meshes inscribed and circumscribed as brackets, degenerate cases, both orders.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include <graze/graze.hpp>

namespace graze {
namespace {

using shape::Box;
using shape::Capsule;
using shape::Cone;
using shape::Cylinder;
using shape::Ellipsoid;
using shape::HalfSpace;
using shape::Hull;
using shape::Shape;
using shape::Sphere;

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}
  double operator()(double lo, double hi) {
    return lo + (hi - lo) * std::ldexp(static_cast<double>(engine_() >> 11), -53);
  }
  Vec3 vector(double size) {
    const double x = (*this)(-size, size), y = (*this)(-size, size), z = (*this)(-size, size);
    return {x, y, z};
  }
  Pose pose(double size) {
    const Vec3 t = vector(size);
    const Vec3 v = vector(1);
    return Pose(t, {(*this)(-1, 1), v.x, v.y, v.z});
  }

 private:
  std::mt19937_64 engine_;
};

std::vector<Shape> kinds() {
  return {Sphere{0.5},
          Capsule{0.3, 1},
          Box{{1, 0.5, 0.75}},
          Cylinder{0.4, 1},
          Cone{0.5, 1},
          Ellipsoid{{0.5, 0.3, 0.2}},
          Hull{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.5, 0.5, 0.5}}},
          Shape(Box{{0.6, 0.4, 0.2}}, 0.1),
          HalfSpace{}};
}

TEST(Shapes, TwoSpheresAsTheClosedForm) {
  Draw draw(1);
  const Body a(Sphere{1}), b(Sphere{0.5});
  for (int i = 0; i < 200; ++i) {
    const Pose pa = draw.pose(1), pb = draw.pose(2);
    const double gap = length(pb.translation() - pa.translation()) - 1.5;
    const CollideResult hit = collide(a, pa, b, pb);
    EXPECT_EQ(hit.status, gap > 0 ? Status::free : Status::contact);
    EXPECT_TRUE(hit.certain);
    const DistanceResult d = distance(a, pa, b, pb);
    EXPECT_NEAR(d.distance, std::max(gap, 0.0), 1e-12);
    EXPECT_EQ(within(0.25, a, pa, b, pb).status, gap > 0.25 ? Status::free : Status::contact);
    if (gap <= 0) continue;
    EXPECT_NEAR(length(d.points[1] - d.points[0]), gap, 1e-12);
    EXPECT_NEAR(length(d.points[0] - pa.translation()), 1, 1e-12);
    ASSERT_TRUE(d.feature);
    EXPECT_EQ(d.feature->kind, FeatureKind::surface_surface);
  }
}

TEST(Shapes, TouchingSpheresAreContactWithinTheRoundingBound) {
  const CollideResult hit = collide(Body(Sphere{1}), Pose(), Body(Sphere{0.5}), Pose({1.5, 0, 0}));
  EXPECT_EQ(hit.status, Status::contact);
  EXPECT_FALSE(hit.certain);
  EXPECT_EQ(hit.kind, ContactKind::touching);
  EXPECT_EQ(collide(Body(Sphere{1}), Pose(), Body(Sphere{0.5}), Pose({1.5 + 1e-10, 0, 0})).status, Status::free);
  const CollideResult deep = collide(Body(Sphere{1}), Pose(), Body(Sphere{0.5}), Pose({1.5 - 1e-10, 0, 0}));
  EXPECT_TRUE(deep.certain);
  EXPECT_EQ(deep.kind, ContactKind::overlap);
}

/// The same question in both orders has the same answer, with the sides swapped.
TEST(Shapes, BothOrdersAgree) {
  Draw draw(2);
  std::vector<Body> bodies;
  for (const Shape& s : kinds()) bodies.emplace_back(s);
  bodies.emplace_back(make::torus({.major = 0.6, .minor = 0.2, .triangles = 400}));
  for (const Body& a : bodies)
    for (const Body& b : bodies)
      for (int i = 0; i < 6; ++i) {
        const Pose pa = draw.pose(0.3), pb = draw.pose(1.2);
        const CollideResult ab = collide(a, pa, b, pb), ba = collide(b, pb, a, pa);
        EXPECT_EQ(ab.status, ba.status);
        const DistanceResult dab = distance(a, pa, b, pb), dba = distance(b, pb, a, pa);
        EXPECT_EQ(dab.status, dba.status);
        EXPECT_NEAR(dab.distance, dba.distance, 1e-9);
        EXPECT_EQ(ab.status == Status::free, dab.status == Status::free);
        if (ab.certain && dab.status == Status::free && dab.distance > 1e-9) {
          EXPECT_EQ(within(dab.distance * 0.999, a, pa, b, pb).status, Status::free);
          EXPECT_EQ(within(dab.distance * 1.001, b, pb, a, pa).status, Status::contact);
        }
      }
}

/// A convex mesh whose corners are on the surface is inside the shape; scaled up a little it contains it.
TEST(Shapes, MeshesInscribedAndCircumscribedBracketTheAnswers) {
  struct Case {
    Shape shape;
    Mesh inner, outer;
  };
  const auto scaled = [](const Mesh& m, double s) {
    std::vector<Vec3> p(m.positions().begin(), m.positions().end());
    for (Vec3& v : p) v = v * s;
    return Mesh(std::move(p), m.polygons());
  };
  const Mesh ball = make::sphere({.radius = 0.5, .meridians = 48, .bands = 24});
  const Mesh can = make::cylinder({.radius = 0.4, .height = 1, .around = 64, .along = 1});
  const Mesh cone = make::cone({.radius = 0.5, .height = 1, .around = 64});
  const std::vector<Case> cases{{Sphere{0.5}, scaled(ball, 0.999), scaled(ball, 1.02)},
                                {Cylinder{0.4, 1}, scaled(can, 0.999), scaled(can, 1.01)},
                                {Cone{0.5, 1}, scaled(cone, 0.999), scaled(cone, 1.02)}};
  Draw draw(3);
  const Body torus(make::torus({.major = 0.6, .minor = 0.2, .triangles = 600}));
  for (const Case& c : cases) {
    const Body shape(c.shape), inner(c.inner), outer(c.outer);
    for (int i = 0; i < 40; ++i) {
      const Pose p = draw.pose(1.1);
      const Status s = collide(torus, Pose(), shape, p).status;
      CollideOptions solid;
      solid.solid = true;
      // A part of the mesh inside the solid counts; the mesh itself stays a surface.
      const CollideResult in = collide(torus, Pose(), inner, p, solid), out = collide(torus, Pose(), outer, p, solid);
      if (in.status == Status::contact && in.contained != Containment::b_in_a) {
        EXPECT_EQ(s, Status::contact);
      }
      if (out.status == Status::free) {
        EXPECT_EQ(s, Status::free);
      }
      const double d = distance(torus, Pose(), shape, p).distance;
      if (s == Status::free && in.status == Status::free) {
        EXPECT_LE(d, distance(torus, Pose(), inner, p).distance + 1e-12);
        if (out.status == Status::free) {
          EXPECT_GE(d, distance(torus, Pose(), outer, p).distance - 1e-12);
        }
      }
    }
  }
}

TEST(Shapes, AllTrianglesThatABallMeets) {
  const Mesh mesh = make::torus({.major = 0.6, .minor = 0.2, .triangles = 600});
  const Body torus(mesh), ball(Sphere{0.3});
  const Pose p({0.6, 0.1, 0.1});
  CollideOptions all;
  all.all = true;
  const CollideResult hit = collide(torus, Pose(), ball, p, all);
  std::vector<TrianglePair> expected;
  for (std::uint32_t t = 0; t < mesh.triangle_count(); ++t) {
    const Triangle& c = mesh.triangles()[t];
    const Body one(Mesh({mesh.positions()[c[0]], mesh.positions()[c[1]], mesh.positions()[c[2]]},
                        std::array<Triangle, 1>{{{0, 1, 2}}}));
    const Body centre(Hull{{p.translation()}});
    if (within(0.3, one, Pose(), centre, Pose()).status == Status::contact)
      expected.push_back({TriangleId{t}, TriangleId{0}});
  }
  EXPECT_EQ(hit.pairs, expected);
  EXPECT_GT(expected.size(), 10u);
}

TEST(Shapes, AMeshInsideAShapeIsInContact) {
  const Body small(make::box({.size = {0.1, 0.1, 0.1}}));
  for (const Shape& s : kinds()) {
    const Body body(s);
    const Pose p = s.kind.index() == 6 ? Pose({0, 0, -1}) : Pose({0.1, 0.1, 0.1});
    EXPECT_EQ(collide(small, p, body, Pose()).status, Status::contact) << shape::kind_name(s);
    EXPECT_EQ(distance(small, p, body, Pose()).distance, 0) << shape::kind_name(s);
    EXPECT_EQ(within(0, small, p, body, Pose()).status, Status::contact);
    EXPECT_EQ(contains(body, Pose(), p.translation()).location, Location::inside) << shape::kind_name(s);
  }
  // But a shape inside a mesh only if the mesh is asked as a solid.
  const Body room(make::box({.size = {10, 10, 10}}));
  EXPECT_EQ(collide(room, Pose(), Body(Sphere{1}), Pose()).status, Status::free);
  CollideOptions solid;
  solid.solid = true;
  EXPECT_EQ(collide(room, Pose(), Body(Sphere{1}), Pose(), solid).contained, Containment::b_in_a);
}

TEST(Shapes, PolyhedralPairsAreExact) {
  const Body box(Box{{1, 1, 1}}), floor{Shape(HalfSpace{})};
  EXPECT_EQ(collide(box, Pose({0, 0, 0.5}), floor, Pose()).status, Status::contact);
  EXPECT_TRUE(collide(box, Pose({0, 0, 0.5}), floor, Pose()).certain);
  EXPECT_EQ(collide(box, Pose({0, 0, 0.5}), floor, Pose()).kind, ContactKind::touching);
  EXPECT_EQ(collide(box, Pose({0, 0, std::nextafter(0.5, 1)}), floor, Pose()).status, Status::free);
  EXPECT_EQ(collide(box, Pose({1, 0, 0}), box, Pose()).kind, ContactKind::touching);
  EXPECT_EQ(collide(box, Pose({std::nextafter(1, 2), 0, 0}), box, Pose()).status, Status::free);
  EXPECT_DOUBLE_EQ(distance(box, Pose({0, 0, 3}), floor, Pose({0, 0, 1})).distance, 1.5);
  // Two half-spaces that face each other exactly, and all others.
  EXPECT_EQ(collide(floor, Pose(), floor, Pose({5, 3, 1}, {0, 1, 0, 0})).status, Status::free);
  EXPECT_DOUBLE_EQ(distance(floor, Pose(), floor, Pose({5, 3, 1}, {0, 1, 0, 0})).distance, 1);
  EXPECT_EQ(collide(floor, Pose(), floor, Pose({5, 3, 0}, {0, 1, 0, 0})).kind, ContactKind::touching);
  EXPECT_EQ(collide(floor, Pose(), floor, Pose({5, 3, 1}, {1e-9, 1, 0, 0})).status, Status::contact);
}

TEST(Shapes, DegenerateShapes) {
  const Body point(Sphere{0}), flat(Box{{1, 1, 0}}), line(Capsule{0, 1}), disc(Cylinder{1, 0}),
      nothing(Ellipsoid{{0, 0, 0}});
  for (const Body* b : {&point, &flat, &line, &disc, &nothing})
    for (const Body* c : {&point, &flat, &line, &disc, &nothing}) {
      EXPECT_EQ(collide(*b, Pose(), *c, Pose()).status, Status::contact);
      EXPECT_EQ(collide(*b, Pose(), *c, Pose({0, 0, 3})).status, Status::free);
    }
  EXPECT_NEAR(distance(point, Pose(), flat, Pose({0, 0, 1})).distance, 1, 1e-12);
  EXPECT_EQ(collide(Body(Hull{{{0, 0, 0}}}), Pose(), Body(Hull{{{0, 0, 0}, {1, 1, 1}}}), Pose()).status,
            Status::contact);
}

TEST(Shapes, HugeAndTiny) {
  for (const int e : {-900, -300, -60, 60, 300, 900}) {
    const double u = std::ldexp(1.0, e);
    for (const Shape& s : {Shape(Sphere{u}), Shape(Cylinder{u, 2 * u}), Shape(Ellipsoid{{u, u, u}}),
                           Shape(Cone{u, 2 * u}), Shape(Box{{u, u, u}}, 0.5 * u)}) {
      const Body body(s);
      EXPECT_EQ(collide(body, Pose(), body, Pose({2.5 * u, 0, 0})).status, Status::free) << shape::to_text(s);
      EXPECT_EQ(collide(body, Pose(), body, Pose({0.5 * u, 0.1 * u, 0})).status, Status::contact) << shape::to_text(s);
      const Body box(make::box({.size = {u, u, u}}));
      EXPECT_EQ(collide(box, Pose(), body, Pose({2.5 * u, 0, 0})).status, Status::free) << shape::to_text(s);
      EXPECT_EQ(collide(box, Pose(), body, Pose({0.9 * u, 0, 0})).status, Status::contact) << shape::to_text(s);
    }
  }
}

TEST(Shapes, InvalidOnesAreRefused) {
  EXPECT_THROW(Body(Sphere{-1}), Error);
  EXPECT_THROW(Body(Sphere{NAN}), Error);
  EXPECT_THROW(Body(Hull{}), Error);
  EXPECT_THROW(Body(Shape(Box{}, -1)), Error);
  EXPECT_THROW(Body(Sphere{1}).mesh(), Error);
  EXPECT_EQ(Body(Box{}).mesh().polygon_count(), 6u);
  EXPECT_THROW(Body(Box{}).deformed(Body(Box{}).mesh().positions()), Error);
  CollideOptions brute;
  brute.method = "brute";
  EXPECT_EQ(collide(Body(Sphere{1}), Pose(), Body(Sphere{1}), Pose(), brute).status, Status::invalid_request);
}

TEST(Shapes, Rays) {
  for (const Shape& s : kinds()) {
    const Body body(s);
    const bool half_space = s.kind.index() == 6;
    const Vec3 inside = half_space ? Vec3{0.1, 0.1, -1} : Vec3{0.1, 0.1, 0.1};
    const auto start = cast_ray(body, Pose(), inside, {5, 5, 5});
    ASSERT_TRUE(start.hit) << shape::kind_name(s);
    EXPECT_EQ(start.hit->fraction, 0) << shape::kind_name(s);
    const auto hit = cast_ray(body, Pose(), {0.1, 0.1, 5}, {0.1, 0.1, -5});
    ASSERT_TRUE(hit.hit) << shape::kind_name(s);
    EXPECT_TRUE(hit.certain) << shape::kind_name(s);
    EXPECT_NE(contains(body, Pose(), hit.hit->point).location, Location::inside);
    const Vec3 deeper = hit.hit->point - Vec3{0, 0, 1e-6};
    EXPECT_EQ(contains(body, Pose(), deeper).location, Location::inside) << shape::kind_name(s);
    if (!half_space) {
      EXPECT_FALSE(cast_ray(body, Pose(), {5, 5, 5}, {5, 5, -5}).hit);
    }
  }
  const auto ball = cast_ray(Body(Sphere{1}), Pose({0, 0, 1}), {0, 0, 4}, {0, 0, 0});
  EXPECT_NEAR(ball.hit->fraction, 0.5, 1e-12);
}

TEST(Shapes, ABallFallsOnAFloor) {
  const Body ball(Sphere{0.5}), floor(make::box({.size = {10, 10, 1}}));
  const Motion fall = Velocity(Pose({0, 0, 3}), Pose({0, 0, -1}));
  const FirstContactResult r = first_contact(ball, fall, floor, Still{Pose({0, 0, -0.5})});
  ASSERT_EQ(r.status, Status::contact);
  EXPECT_NEAR(r.time.touch, 2.5 / 4, 1e-6);
  EXPECT_LE(r.time.safe, 2.5 / 4);
  EXPECT_NEAR(r.normal->z, -1, 1e-6);
  const FirstContactResult half = first_contact(ball, fall, Body(HalfSpace{}), Still{Pose()});
  ASSERT_EQ(half.status, Status::contact);
  EXPECT_NEAR(half.time.touch, 2.5 / 4, 1e-6);
  const FirstContactResult past = first_contact(ball, Velocity(Pose({0, 0, 3}), Pose({20, 0, 3})), floor, Still{});
  EXPECT_EQ(past.status, Status::free);
}

/// Compared with the distances at many times: before `safe` they are all apart, at `touch` within the tolerance.
TEST(Shapes, FirstContactsOfAllPairsAgreeWithDistances) {
  Draw draw(5);
  std::vector<Body> bodies;
  for (const Shape& s : kinds()) bodies.emplace_back(s);
  bodies.emplace_back(make::torus({.major = 0.6, .minor = 0.2, .triangles = 400}));
  int contacts = 0, frees = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::size_t j = 0; j < bodies.size(); ++j) {
      const bool half_i = i == 8, half_j = j == 8;
      if (half_i && half_j) continue;
      for (int k = 0; k < 3; ++k) {
        const Vec3 from = half_i ? Vec3{0, 0, 3} : half_j ? Vec3{0, 0, -3} : draw.vector(1) + Vec3{3, 0, 0};
        const Motion ma = half_i   ? Motion(Still{})
                          : half_j ? Motion(Velocity(Pose(from, {0, 1, 0, 0}), Pose({0, 0, 1})))
                                   : Motion(Still{});
        Motion mb = Velocity(Pose(from), Pose(draw.vector(0.7), {1, draw(-1, 1), draw(-1, 1), draw(-1, 1)}));
        if (half_j) mb = Still{Pose({0, 0, -5})};
        const FirstContactResult r = first_contact(bodies[i], ma, bodies[j], mb);
        ASSERT_NE(r.status, Status::invalid_request) << r.error->message;
        if (r.status == Status::touching_at_start) continue;
        const auto apart = [&](double t) {
          const auto pose = [&](const Motion& m) {
            const Placement p = m.at(t);
            return Pose::from_matrix({p.r[0], p.r[1], p.r[2], p.t.x, p.r[3], p.r[4], p.r[5], p.t.y, p.r[6], p.r[7],
                                      p.r[8], p.t.z, 0, 0, 0, 1});
          };
          return distance(bodies[i], pose(ma), bodies[j], pose(mb)).distance;
        };
        const double until = r.status == Status::contact ? r.time.safe : 1;
        for (int s = 0; s < 12; ++s) EXPECT_GT(apart(until * s / 12.0), 0) << i << " " << j;
        if (r.status == Status::contact) {
          EXPECT_LE(apart(r.time.touch), r.tolerance * 1.01 + 1e-9) << i << " " << j;
          EXPECT_FALSE(r.features.empty());
          ++contacts;
        } else {
          ++frees;
        }
      }
    }
  EXPECT_GT(contacts, 60);
  EXPECT_GT(frees, 5);
}

}  // namespace
}  // namespace graze
