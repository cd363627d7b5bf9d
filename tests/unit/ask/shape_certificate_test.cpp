// SPDX-License-Identifier: MIT
// Certificates of shapes, compounds and safety distances, each verified by the independent checker; and what makes one
// false is rejected.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <graze/ask/first_contact.hpp>
#include <graze/ask/motion_free.hpp>
#include <graze/mesh/make.hpp>

#include "oracle/checker.hpp"
#include "oracle/generators.hpp"

namespace graze {
namespace {

using oracle::rejection;

std::vector<Body> subjects() {
  using namespace shape;
  std::vector<Body> out;
  out.emplace_back(Sphere{0.5});
  out.emplace_back(Capsule{0.2, 1});
  out.emplace_back(Box{{1, 0.5, 0.7}});
  out.emplace_back(rounded(Box{{0.6, 0.2, 0.5}}, 0.15));
  out.emplace_back(Cylinder{0.4, 0.9});
  out.emplace_back(Cone{0.5, 1});
  out.emplace_back(rounded(Cone{0.3, 0.5}, 0.1));
  out.emplace_back(Ellipsoid{{0.6, 0.3, 0.2}});
  out.emplace_back(Hull{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.4, 0.4, 0.4}}});
  out.emplace_back(make::torus({.major = 0.5, .minor = 0.2, .around = 12, .across = 8}));
  const Pose turned({0.4, 0.1, -0.3}, {1, 0.5, 0.25, 0});
  out.push_back(compound({{Body(Cylinder{0.3, 0.2}), Pose(), "foot"},
                          {Body(Box{{0.2, 0.3, 0.4}}), turned, "turned"},
                          {Body(Ellipsoid{{0.1, 0.2, 0.3}}), Pose({-0.4, 0, 0.2}, {0.3, 1, 0, 0.2}), "egg"},
                          {Body(make::tetrahedron()), Pose({0, 0, 0.6}, {1, 2, 3, 4}), "mesh"}}));
  return out;
}

Motion any_flight(oracle::Random& random, double aside) {
  const auto vector = [&](double size) { return oracle::real_point(random, size); };
  const auto turn = [&] {
    const Vec3 v = vector(1);
    return Quat{oracle::real(random, 0.1, 1), v.x, v.y, v.z};
  };
  const Pose from(vector(0.3) + Vec3{-4, aside, 0}, turn()), to(vector(0.3) + Vec3{4, aside, 0}, turn());
  switch (random() % 4) {
    case 0: return Velocity(from, to);
    case 1: return Screw(from, to);
    case 2: return Velocity::from_speeds(from, {8, 0, 0}, vector(2), vector(0.2));
    default: return LinearParameters(from, to);
  }
}

TEST(ShapeCertificate, OfEveryPairOfKindsIsVerified) {
  const std::vector<Body> bodies = subjects();
  oracle::Random random(1);
  int free = 0, contacts = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::size_t j = 0; j < bodies.size(); ++j) {
      SCOPED_TRACE(std::to_string(i) + " and " + std::to_string(j));
      for (const double aside : {0.3, 1.4}) {
        const Motion a = any_flight(random, aside), b = Still{Pose({}, {1, 0.5, -0.25, 2})};
        FirstContactOptions options;
        options.certificate = true;
        options.min_separation = random() % 2 ? 0.05 : 0;
        const FirstContactResult r = first_contact(bodies[i], a, bodies[j], b, options);
        (r.status == Status::free ? free : contacts) += 1;
        ASSERT_TRUE(r.status == Status::free || r.status == Status::contact) << (r.error ? r.error->message : "");
        ASSERT_TRUE(r.certificate);
        EXPECT_GT(r.certificate->until, 0.9 * r.time.safe);
        EXPECT_LE(r.certificate->until, r.time.safe);
        EXPECT_EQ(rejection(*r.certificate, bodies[i], bodies[j]), "");
        FirstContactOptions plain = options;
        plain.certificate = false;
        const FirstContactResult same = first_contact(bodies[i], a, bodies[j], b, plain);
        EXPECT_EQ(same.status, r.status);
        EXPECT_EQ(same.time.safe, r.time.safe);
      }
    }
  EXPECT_GT(free, 20);
  EXPECT_GT(contacts, 20);
}

TEST(ShapeCertificate, OfAFreeMotionCoversAllOfIt) {
  const Body ball(shape::Sphere{0.5}), ring(make::torus({.around = 24, .across = 12}));
  FirstContactOptions options;
  options.certificate = true;
  const Motion through = Velocity(Pose({0, 0, 3}), Pose({0, 0, -3}, {0, 1, 0, 0}));  // through the hole
  const Body small(shape::Sphere{0.3});
  const MotionFreeResult r = motion_free(small, through, ring, Still{}, options);
  ASSERT_EQ(r.status, Status::free);
  ASSERT_TRUE(r.certificate);
  EXPECT_EQ(r.certificate->until, 1);
  EXPECT_EQ(rejection(*r.certificate, small, ring), "");
  EXPECT_NE(rejection(*r.certificate, ball, ring), "");
  EXPECT_NE(rejection(*r.certificate, ring, small), "");
}

std::string altered(std::string text, const std::string& old, const std::string& by) {
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  if (at != std::string::npos) text.replace(at, old.size(), by);
  return text;
}

TEST(ShapeCertificate, ThatWasAlteredIsRejected) {
  const Body ball(shape::Sphere{0.5}), can(shape::Cylinder{0.25, 2});
  const Motion past = Velocity(Pose({-4, 1, 0}), Pose({4, 1, 0}));  // 0.25 apart when nearest
  FirstContactOptions options;
  options.certificate = true;
  options.min_separation = 0.125;
  const FirstContactResult r = first_contact(ball, past, can, Still{}, options);
  ASSERT_EQ(r.status, Status::free);
  ASSERT_TRUE(r.certificate);
  const std::string& text = r.certificate->text;
  ASSERT_EQ(rejection(text, ball, can), "");
  // Another shape than the caller's; the caller's, but not the one that was proved; both altered.
  const std::string larger = altered(text, "sphere 0x1p-1", "sphere 0x1.8p-1");
  EXPECT_NE(rejection(larger, ball, can).find("another shape"), std::string::npos);
  const Body large(shape::Sphere{0.75});
  EXPECT_NE(rejection(text, large, can).find("another shape"), std::string::npos);
  EXPECT_NE(rejection(larger, large, can), "");
  // A rounding, a separation, a motion and an end for which it is false.
  const Body rounder(shape::rounded(shape::Cylinder{0.25, 2}, 0.25));
  const std::string round = altered(text, "cylinder 0x1p-2 0x1p+1 0x0p+0", "cylinder 0x1p-2 0x1p+1 0x1p-2");
  EXPECT_NE(rejection(round, ball, rounder), "");
  EXPECT_NE(rejection(altered(text, "separation 0x1p-3", "separation 0x1p-1"), ball, can), "");
  EXPECT_NE(rejection(altered(text, "separation 0x1p-3", "separation -0x1p-1"), ball, can), "");
  EXPECT_EQ(rejection(altered(text, "separation 0x1p-3", "separation 0x1p-4"), ball, can), "");  // true, and less
  EXPECT_NE(rejection(altered(text, "0x1p+0 0x0p+0 0x1p+0", "0x1p-1 0x0p+0 0x1p+0"), ball, can), "");
  EXPECT_NE(rejection(altered(text, "graze-certificate 3", "graze-certificate 2"), ball, can), "");
  // Steps left out, turned round, prolonged.
  const std::size_t steps = text.find("\nproof\n") + 7;
  EXPECT_NE(rejection(text.substr(0, steps) + "end\n", ball, can), "");
  EXPECT_NE(rejection(text.substr(0, steps) + "S 0 1 0 1\nend\n", ball, can), "");
  EXPECT_EQ(rejection(text.substr(0, steps) + "S 0 -1 0 1\nend\n", ball, can), "");  // along y they are apart
}

TEST(ShapeCertificate, OfACompoundKnowsItsPieces) {
  const auto lamp = [](double height, double radius) {
    return compound({{Body(shape::Cylinder{0.3, 0.1}), Pose(), "foot"},
                     {Body(shape::Capsule{radius, 1}), Pose({0, 0, height}), "stand"},
                     {Body(make::box()), Pose({0, 0, 1.5}, {1, 1, 0, 0}), "shade"}});
  };
  const Body body = lamp(0.5, 0.05), ball(shape::Sphere{0.25});
  const Motion roll = Velocity(Pose({-3, 0.5, 0.5}), Pose({3, 0.5, 0.5}));
  FirstContactOptions options;
  options.certificate = true;
  const FirstContactResult r = first_contact(ball, roll, body, Still{}, options);
  ASSERT_EQ(r.status, Status::free);
  ASSERT_TRUE(r.certificate);
  EXPECT_EQ(rejection(*r.certificate, ball, body), "");
  EXPECT_NE(rejection(*r.certificate, ball, lamp(0.75, 0.05)).find("another pose"), std::string::npos);
  EXPECT_NE(rejection(*r.certificate, ball, lamp(0.5, 0.3)).find("another shape"), std::string::npos);
  EXPECT_NE(rejection(*r.certificate, ball, compound({{ball}})).find("number of pieces"), std::string::npos);
  const std::string fat = altered(r.certificate->text, "capsule 0x1.999999999999ap-5", "capsule 0x1p-1");
  EXPECT_NE(rejection(fat, ball, lamp(0.5, 0.5)), "");
}

TEST(ShapeCertificate, OfAHalfSpace) {
  const Body floor(shape::HalfSpace{}), raised(shape::rounded(shape::HalfSpace{}, 0.25));
  oracle::Random random(7);
  FirstContactOptions options;
  options.certificate = true;
  for (const Body& body : subjects())
    for (const Body* half : {&floor, &raised})
      for (const double down : {0.5, 3.0}) {
        const Vec3 turn = oracle::real_point(random, 2);
        const Motion fall = Velocity::from_speeds(Pose({0.5, 0, 3}, {1, 0.5, 0.2, 0}), {1, 0, -down}, turn);
        const Motion still = Still{Pose({0, 0, 0.1}, {1, 0.05, 0, 0})};
        options.min_separation = down < 1 ? 0.125 : 0;
        const FirstContactResult r = first_contact(body, fall, *half, still, options);
        const FirstContactResult back = first_contact(*half, still, body, fall, options);
        ASSERT_TRUE(r.certificate && back.certificate) << name(r.status);
        EXPECT_EQ(r.status, down < 1 ? Status::free : Status::contact);
        EXPECT_GT(r.certificate->until, 0.99 * r.time.safe);
        EXPECT_EQ(rejection(*r.certificate, body, *half), "");
        EXPECT_EQ(rejection(*back.certificate, *half, body), "");
        EXPECT_NE(rejection(*r.certificate, body, half == &floor ? raised : floor).find("another shape"),
                  std::string::npos);
        if (down < 1) {  // the floor is raised to where they would touch
          const std::size_t at = r.certificate->text.find("halfspace ");
          const std::string line = r.certificate->text.substr(at, r.certificate->text.find('\n', at) - at);
          EXPECT_NE(rejection(altered(r.certificate->text, line, "halfspace 0x1.8p+1"), body,
                              Body(shape::rounded(shape::HalfSpace{}, 3))),
                    "");
        }
      }
}

/// Its points are infinitely fast; only along its own normal, which turns with it, it is not.
TEST(ShapeCertificate, OfAHalfSpaceThatTurns) {
  const Body raised(shape::rounded(shape::HalfSpace{}, 0.25));
  oracle::Random random(8);
  FirstContactOptions options;
  options.certificate = true;
  int free = 0, contact = 0;
  for (const Body& body : subjects())
    for (int i = 0; i < 6; ++i) {
      const Vec3 turn = oracle::real_point(random, 2), tilt = oracle::real_point(random, 0.4);
      const Motion flies =
          Velocity::from_speeds(Pose({0.5, 0, 3}, {1, 0.5, 0.2, 0}), {1, 0, i < 3 ? -1.0 : -3.0}, turn);
      const Pose from({0, 0, 0.1}, {1, 0.05, 0, 0}), to({0.3, 0, -0.2}, {1, tilt.x, tilt.y, tilt.z});
      const Motion turns = i % 3 == 0   ? Motion(Velocity(from, to, {0.5, 1, 0}))
                           : i % 3 == 1 ? Motion(Screw(from, to))
                                        : Motion(LinearParameters(from, to));
      options.min_separation = i % 2 ? 0.125 : 0;
      const FirstContactResult r = first_contact(body, flies, raised, turns, options);
      const FirstContactResult back = first_contact(raised, turns, body, flies, options);
      ASSERT_TRUE(r.certificate && back.certificate) << name(r.status);
      free += r.status == Status::free;
      contact += r.status == Status::contact;
      EXPECT_GT(r.certificate->until, 0.99 * r.time.safe);
      EXPECT_EQ(rejection(*r.certificate, body, raised), "");
      EXPECT_EQ(rejection(*back.certificate, raised, body), "");
      EXPECT_NE(rejection(altered(r.certificate->text, "halfspace 0x1p-2", "halfspace 0x1p+2"), body,
                          Body(shape::rounded(shape::HalfSpace{}, 4))),
                "");
      EXPECT_NE(rejection(altered(r.certificate->text, "T b", "T a"), body, raised), "");
      EXPECT_NE(rejection(altered(r.certificate->text, "T b", "S"), body, raised), "");
    }
  EXPECT_GT(free, 5);
  EXPECT_GT(contact, 5);
}

/// The library takes compounds within compounds apart, and rounds the products of poses.
TEST(ShapeCertificate, OfACompoundOfCompounds) {
  const Body ball(shape::Sphere{0.25});
  const Body finger = compound({{Body(shape::Capsule{0.05, 0.5}), Pose({0.3, 0, 0}, {1, 0.3, 0.1, 0})},
                                {Body(make::box()), Pose({0, 0, 1.5}, {1, 1, 0, 0})}});
  const Body hand = compound({{finger, Pose({0.1, 0.7, 0}, {1, 0, 0.2, 0.1}), "finger"}, {ball, Pose(), "palm"}});
  FirstContactOptions options;
  options.certificate = true;
  const Motion past = Velocity(Pose({-4, 3, 0}), Pose({4, 3, 0}, {1, 0.5, 0, 1}));
  const FirstContactResult r = first_contact(ball, past, hand, Still{}, options);
  ASSERT_TRUE(r.certificate);
  EXPECT_EQ(rejection(*r.certificate, ball, hand), "");
}

TEST(ShapeCertificate, OfMeshesStatesTheSeparation) {
  const Body knot(make::torus_knot({.triangles = 400})), box(make::box());
  FirstContactOptions options;
  options.certificate = true;
  oracle::Random random(3);
  for (const int exponent : {0, 300, -300})
    for (const double keep : {0.01, 0.3, 2.0}) {
      SCOPED_TRACE(std::to_string(exponent) + " " + std::to_string(keep));
      const auto scaled = [&](const Body& body) {
        std::vector<Vec3> moved;
        for (const Vec3& p : body.mesh().positions()) moved.push_back(p * std::ldexp(1.0, exponent));
        return Body(Mesh(std::move(moved), body.mesh().polygons()));
      };
      const Body a = scaled(knot), b = scaled(box);
      const double s = std::ldexp(1.0, exponent);
      const Motion past = Velocity(Pose(Vec3{-9, 4, 0} * s), Pose(Vec3{9, 4, 0} * s, {1, 0.5, 0.2, 0}));
      options.min_separation = keep * s;
      const FirstContactResult r = first_contact(a, past, b, Still{}, options);
      ASSERT_TRUE(r.certificate);
      EXPECT_EQ(rejection(*r.certificate, a, b), "");
      EXPECT_EQ(r.certificate->text.find("graze-certificate 3"), 0u);
      if (r.status == Status::free) {
        const std::string line = r.certificate->text.substr(r.certificate->text.find("separation"));
        const std::string old = line.substr(0, line.find('\n'));
        const std::string more = "separation 0x1p" + std::to_string(exponent + 4);  // 16, which is more than there is
        EXPECT_NE(rejection(altered(r.certificate->text, old, more), a, b), "");
      }
    }
}

}  // namespace
}  // namespace graze
