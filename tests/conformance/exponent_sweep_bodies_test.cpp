// SPDX-License-Identifier: MIT
// Curved shapes and compounds against meshes, with the magnitude of every length chosen independently. Answers are
// compared with those about meshes, which are exact: of points, of boxes as meshes, of the pieces one by one.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "conformance/exponent_sweep.hpp"

namespace graze {
namespace {

using testing::PlacedPair;
using testing::power;
using testing::RandomBudget;
using testing::sweep_pairs;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A body that is one point.
Body dot() {
  const std::vector<Triangle> one{{0, 1, 2}};
  return Body(Mesh({Vec3{}, Vec3{}, Vec3{}}, std::span<const Triangle>(one)));
}

double largest(const Vec3& v) { return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}); }

/// A ball, and a capsule as thin as a needle, are all points within the radius of their middle or end.
TEST(ExponentSweep, BallsAgainstMeshesAtAnyMagnitude) {
  int contacts = 0, free = 0, flights = 0;
  sweep_pairs(1350, 150, 900, [&](oracle::Random& random, const PlacedPair& s) {
    const Body mesh(s.a), point = dot();
    const double middle = distance(mesh, s.pose_a, point, s.pose_b).distance;
    // Near the distance, or any number.
    const double radius = random() % 2 ? middle * std::ldexp(1.0 + 0.25 * oracle::whole(random, -2, 2), 0)
                                       : power(oracle::whole(random, -900, 900));
    if (!(radius < 0x1p900 && middle < 0x1p900)) return;
    SCOPED_TRACE("radius " + std::to_string(std::log2(radius)) + ", distance " + std::to_string(std::log2(middle)));
    const Body ball(random() % 2 ? shape::Shape(shape::Sphere{radius}) : shape::Shape(shape::Sphere{0}, radius));
    // The rounding bound of curved shapes (shape/shape.hpp), and that of `middle`.
    const double error =
        0x1p-34 * (largest(s.pose_a.translation()) + largest(s.pose_b.translation()) + largest(s.a.box().hi) + radius) +
        1e-8 * middle;
    const CollideResult r = collide(mesh, s.pose_a, ball, s.pose_b);
    const DistanceResult d = distance(mesh, s.pose_a, ball, s.pose_b);
    const double apart = middle - radius;
    EXPECT_GE(d.distance, 0);
    if (apart > error) {
      ++free;
      EXPECT_EQ(r.status, Status::free);
      EXPECT_LE(std::fabs(d.distance - apart), error);
    } else if (apart < -error) {
      ++contacts;
      EXPECT_EQ(r.status, Status::contact);
      EXPECT_EQ(d.distance, 0);
      EXPECT_EQ(within(0, mesh, s.pose_a, ball, s.pose_b).status, Status::contact);
      // Whatever moves away from there, the start is a contact.
      const Vec3 way = testing::direction(random) * power(oracle::whole(random, -900, 900));
      const FirstContactResult flight =
          first_contact(mesh, Velocity::from_speeds(s.pose_a, way, {}), ball, Still{s.pose_b}, {.work = 1000});
      flights += flight.status == Status::touching_at_start;
      EXPECT_NE(flight.status, Status::free);
    }
  });
  EXPECT_GE(contacts, RandomBudget::is_whole() ? 10 : 1);
  EXPECT_GE(free, RandomBudget::is_whole() ? 10 : 1);
  EXPECT_GE(flights, 1);
}

/// A box is decided exactly: it is the solid that its mesh bounds.
TEST(ExponentSweep, BoxesAgainstMeshesAtAnyMagnitude) {
  int contacts = 0, free = 0;
  sweep_pairs(1351, 100, 900, [&](oracle::Random& random, const PlacedPair& s) {
    const auto side = [&] { return power(oracle::whole(random, -3, 3)) * testing::largest_side(s.b); };
    const Body mesh(s.a), box(shape::Shape(shape::Box{{side(), side(), side()}}));
    const Body as_mesh(box.mesh());
    CollideOptions solid;
    solid.solid = true;
    const CollideResult truth = collide(mesh, s.pose_a, as_mesh, s.pose_b, solid),
                        r = collide(mesh, s.pose_a, box, s.pose_b, solid);
    EXPECT_EQ(r.status, truth.status);
    EXPECT_EQ(r.contained, truth.contained);
    (truth.status == Status::free ? free : contacts) += 1;
    const double gap = distance(mesh, s.pose_a, box, s.pose_b).distance;
    if (truth.status == Status::free) {
      EXPECT_LE(std::fabs(gap - distance(mesh, s.pose_a, as_mesh, s.pose_b).distance), 4e-9 * gap);
    }
  });
  EXPECT_GE(contacts, RandomBudget::is_whole() ? 10 : 1);
  EXPECT_GE(free, RandomBudget::is_whole() ? 5 : 1);
}

/// What holds for a piece holds for the compound.
TEST(ExponentSweep, CompoundsAgainstMeshesAtAnyMagnitude) {
  int contacts = 0, free = 0;
  sweep_pairs(1352, 60, 900, [&](oracle::Random& random, const PlacedPair& s) {
    // Pieces of any size anywhere, and the second body itself.
    std::vector<Piece> pieces{{Body(s.b)}};
    for (int i = static_cast<int>(random() % 3); i >= 0; --i) {
      const Pose there(testing::direction(random) * power(oracle::whole(random, -900, 900)),
                       testing::quaternion(random, 0));
      pieces.push_back({Body(testing::sized_body(random, oracle::whole(random, -900, 900))), there});
    }
    std::swap(pieces[random() % pieces.size()], pieces[0]);
    const Body mesh(s.a), whole = compound(pieces);
    const CollideResult r = collide(mesh, s.pose_a, whole, s.pose_b);
    const double d = power(oracle::whole(random, -900, 900));
    bool touches = false, near = false;
    double least = infinity;
    for (std::uint32_t i = 0; i < whole.pieces().size(); ++i) {
      const Body& placed = whole.piece(PieceId{i});
      touches = touches || collide(mesh, s.pose_a, placed, s.pose_b).status == Status::contact;
      near = near || within(d, mesh, s.pose_a, placed, s.pose_b).status == Status::contact;
      least = std::min(least, distance(mesh, s.pose_a, placed, s.pose_b).distance);
    }
    (touches ? contacts : free) += 1;
    EXPECT_EQ(r.status == Status::contact, touches);
    EXPECT_EQ(within(d, mesh, s.pose_a, whole, s.pose_b).status == Status::contact, near);
    EXPECT_LE(std::fabs(distance(mesh, s.pose_a, whole, s.pose_b).distance - least), 4e-9 * least);
    if (!touches) return;
    const Vec3 way = testing::direction(random) * power(oracle::whole(random, -900, 900));
    EXPECT_NE(
        first_contact(mesh, Velocity::from_speeds(s.pose_a, way, {}), whole, Still{s.pose_b}, {.work = 200}).status,
        Status::free);
  });
  EXPECT_GE(contacts, RandomBudget::is_whole() ? 10 : 1);
  EXPECT_GE(free, RandomBudget::is_whole() ? 10 : 1);
}

}  // namespace
}  // namespace graze
