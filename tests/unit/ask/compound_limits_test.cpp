// SPDX-License-Identifier: MIT
// Compounds at their limits: in compounds, with half-spaces, at extreme poses; what is refused or not answered,
// budgets, very many pieces.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <graze/graze.hpp>

namespace graze {
namespace {

/// A piece that was taken from a compound can be a piece again: it is where both poses put it.
TEST(Compound, PiecesOfCompoundsAsPieces) {
  const Quat quarter{1, 0, 0, 1};
  for (const Body& kind : {Body(shape::Capsule{0.2, 1}), Body(shape::Box{{0.4, 0.4, 1.4}}), Body(make::box({}))}) {
    const Body first = compound({{kind, Pose({1, 0, 0}), "x"}});
    const Body second = compound({{first.piece(PieceId{0}), Pose({0, 0, 3}, quarter), "y"}});
    const Body both = compound({{first, Pose({0, 0, 3}, quarter), "y"}});
    EXPECT_EQ(contains(second, Pose(), {0, 1, 3}).location, Location::inside);
    EXPECT_EQ(contains(second, Pose(), {1, 0, 3}).location, Location::outside);
    const Body probe(shape::Sphere{0.1});
    EXPECT_NEAR(distance(second, Pose(), probe, Pose({3, 2, 1})).distance,
                distance(both, Pose(), probe, Pose({3, 2, 1})).distance, 1e-12);
  }
}

TEST(Compound, HalfSpacesMeetCompounds) {
  const Body floor(shape::HalfSpace{}), ball(shape::Sphere{0.5}), cube(shape::Box{{1, 1, 1}});
  const Body dumbbell = compound({{ball, Pose({-2, 0, 0})}, {cube, Pose({2, 0, -0.25})}});
  EXPECT_EQ(collide(dumbbell, Pose({0, 0, 0.75}), floor, Pose()).kind, ContactKind::touching);
  const DistanceResult d = distance(floor, Pose(), dumbbell, Pose({0, 0, 2}));
  EXPECT_EQ(d.distance, 1.25);
  EXPECT_EQ((*d.pieces)[1], PieceId{1});
  const FirstContactResult first = first_contact(dumbbell, Velocity(Pose({0, 0, 2}), Pose({0, 0, 0})), floor, Still{});
  EXPECT_NEAR(first.time.touch, 1.25 / 2, 1e-5);
  EXPECT_EQ((*first.pieces)[0], PieceId{1});
}

TEST(Compound, HugeAndTinyPoses) {
  const Body ball(shape::Sphere{0.5}), cube(make::box({}));
  for (const double far : {0x1p60, 0x1p300, 0x1p900, 0x1p1020}) {
    const Body spread = compound({{ball, Pose({far, 0, 0})}, {cube, Pose({-far, far, 0})}, {ball, Pose()}});
    EXPECT_EQ(collide(spread, Pose(), ball, Pose({0.5, 0, 0})).status, Status::contact);
    EXPECT_EQ((*collide(spread, Pose(), ball, Pose({0.5, 0, 0})).pieces)[0], PieceId{2});
    EXPECT_EQ(collide(spread, Pose(), ball, Pose({0, 3, 0})).status, Status::free);
    EXPECT_NEAR(distance(spread, Pose(), ball, Pose({0, 3, 0})).distance, 2, 1e-9);
    EXPECT_EQ(collide(spread, Pose(), ball, Pose({far, 0, 0})).status, Status::contact);
    EXPECT_EQ(cast_ray(spread, Pose(), {0, 3, 0}, {0, -3, 0}).hit->piece, PieceId{2});
    EXPECT_EQ(contains(spread, Pose(), {0, 0, 0}).location, Location::inside);
  }
  const double tiny = 0x1p-1000;
  const Body small = compound({{Body(shape::Sphere{tiny}), Pose({4 * tiny, 0, 0})}, {Body(shape::Sphere{tiny})}});
  EXPECT_EQ(collide(small, Pose(), small, Pose({2.5 * tiny, 0, 0})).status, Status::contact);
  EXPECT_EQ(collide(small, Pose(), small, Pose({0, 3 * tiny, 0})).status, Status::free);
}

TEST(Compound, WhatCannotBeMade) {
  const Body ball(shape::Sphere{0.5}), cube(make::box({}));
  const auto code = [](const auto& make_it) {
    try {
      make_it();
    } catch (const Error& error) {
      return std::optional(error.detail().code);
    }
    return std::optional<ErrorCode>();
  };
  EXPECT_EQ(code([] { compound({}); }), ErrorCode::empty_mesh);
  EXPECT_EQ(code([] { compound({{Body(shape::HalfSpace{})}}); }), ErrorCode::unsupported);
  EXPECT_EQ(code([&] { compound({{ball, Pose({std::nan(""), 0, 0})}}); }), ErrorCode::not_finite);
  const Body long_one(Mesh({{0, 0, 0}, {1e308, 0, 0}, {0, 1, 0}}, std::array<Triangle, 1>{{{0, 1, 2}}}));
  EXPECT_EQ(code([&] { compound({{cube}, {long_one, Pose({1.7e308, 0, 0})}}); }), ErrorCode::not_finite);
  const Body both = compound({{ball}, {cube, Pose({3, 0, 0})}});
  EXPECT_EQ(code([&] { both.mesh(); }), ErrorCode::unsupported);
  EXPECT_EQ(code([&] { both.deformed({}); }), ErrorCode::unsupported);
  EXPECT_EQ(code([&] { both.piece(PieceId{2}); }), ErrorCode::index_out_of_range);
  EXPECT_EQ(code([&] { ball.piece(PieceId{0}); }), ErrorCode::index_out_of_range);
}

TEST(Compound, WhatIsNotAnswered) {
  const Body both = compound({{Body(shape::Sphere{0.5})}, {Body(make::box({})), Pose({3, 0, 0})}});
  const Body blocks = compound({{Body(make::box({}))}, {Body(make::box({})), Pose({3, 0, 0})}});
  const Body cube(make::box({}));
  for (const MethodTraits& method : collide_methods()) {
    if (method.name == "tree") continue;
    const CollideResult r = collide(both, Pose(), cube, Pose(), {.method = method.name, .solid = method.solid_only});
    EXPECT_EQ(r.status, Status::invalid_request) << method.name;
    EXPECT_FALSE(r.error->message.empty());
  }
  const Motion fall = Velocity(Pose({0, 0, 5}), Pose({0, 0, -5}));
  const auto refused = [&](const FirstContactOptions& o) {
    const FirstContactResult r = first_contact(blocks, fall, cube, Still{}, o);
    return r.status == Status::invalid_request && r.error && !r.error->message.empty();
  };
  for (const FirstContactTraits& method : first_contact_methods())
    EXPECT_EQ(refused({.method = method.name}), method.name != "best_first") << method.name;
  EXPECT_FALSE(refused({.all_contacts = true}));
  EXPECT_FALSE(refused({.clearance = true}));
  EXPECT_EQ(first_contact(both, fall, cube, Still{}, {.all_contacts = true}).status, Status::invalid_request);
  EXPECT_FALSE(refused({.ignore_start_if_separating = true}));
  EXPECT_EQ(first_contact(both, fall, cube, Still{}, {.ignore_start_if_separating = true}).status, Status::contact);
  EXPECT_EQ(self_collide(both).status, Status::invalid_request);
  EXPECT_EQ(first_contact(SurfaceBody(torus_surface(1, 0.3)), fall, both, Still{}).status, Status::invalid_request);
  EXPECT_EQ(self_collide(Body(shape::Sphere{1})).status, Status::invalid_request);
}

TEST(Compound, LimitsEndTheWholeQuestion) {
  const Body torus(make::torus({.major = 0.6, .minor = 0.2, .triangles = 3000}));
  std::vector<Piece> pieces;
  for (int i = 0; i < 12; ++i) pieces.push_back({torus, Pose({0.1 * i, 0, 0.01 * i}, {1, 0.1 * i, 0, 0})});
  const Body many = compound(std::move(pieces));
  EXPECT_EQ(collide(many, Pose(), many, Pose({0.05, 0, 0}), {.all = true, .work = 1000}).status, Status::undecided);
  EXPECT_TRUE(collide(many, Pose(), many, Pose({0.05, 0, 0}), {.all = true, .work = 1000}).pairs.empty());
  const CancelSource source;
  source.cancel();
  EXPECT_EQ(collide(many, Pose(), many, Pose(), {.cancel = source.token()}).status, Status::undecided);
  EXPECT_EQ(distance(many, Pose(), many, Pose({9, 0, 0}), {.cancel = source.token()}).status, Status::undecided);
  EXPECT_EQ(within(1, many, Pose(), many, Pose({9, 0, 0}), {.cancel = source.token()}).status, Status::undecided);
  const Motion come = Velocity(Pose({9, 0, 0}), Pose({0, 0, 0}));
  const FirstContactResult r = first_contact(many, Still{}, many, come, {.cancel = source.token()});
  EXPECT_EQ(r.status, Status::undecided);
  EXPECT_EQ(r.time.safe, 0);
  const FirstContactResult little = first_contact(many, Still{}, many, come, {.work = 3});
  EXPECT_EQ(little.status, Status::undecided);
  EXPECT_LT(little.time.safe, first_contact(many, Still{}, many, come).time.safe);
}

/// Ten thousand pieces: the boxes leave out almost all of the hundred million pairs.
TEST(Compound, ManyPieces) {
  const Body ball(shape::Sphere{0.3});
  std::vector<Piece> pieces;
  for (int x = 0; x < 100; ++x)
    for (int y = 0; y < 100; ++y) pieces.push_back({ball, Pose({1.0 * x, 1.0 * y, 0})});
  const Body grid = compound(std::move(pieces));
  const CollideResult apart = collide(grid, Pose(), grid, Pose({0, 0, 0.7}));
  EXPECT_EQ(apart.status, Status::free);
  const CollideResult meet = collide(grid, Pose(), grid, Pose({0.5, 0.5, 0.3}), {.all = true});
  EXPECT_EQ(meet.status, Status::free);  // each ball is above the middle of four, 0.77 from each
  const CollideResult on_top = collide(grid, Pose(), grid, Pose({0.1, 0, 0.5}), {.all = true});
  EXPECT_EQ(on_top.piece_contacts.size(), 10000u);
  EXPECT_NEAR(distance(grid, Pose(), ball, Pose({49.5, 49.5, 2})).distance, std::sqrt(4.5) - 0.6, 1e-9);
}

}  // namespace
}  // namespace graze
