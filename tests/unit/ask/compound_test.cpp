// SPDX-License-Identifier: MIT
// Compounds against the answers of all pairs of their pieces, one by one; degenerate compounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <tuple>

#include <graze/graze.hpp>

namespace graze {
namespace {

class CompoundDraw {
 public:
  explicit CompoundDraw(std::uint64_t seed) : engine_(seed) {}
  double operator()(double lo, double hi) {
    return lo + (hi - lo) * std::ldexp(static_cast<double>(engine_() >> 11), -53);
  }
  int below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }
  Vec3 vector(double size) {
    const double x = (*this)(-size, size), y = (*this)(-size, size), z = (*this)(-size, size);
    return {x, y, z};
  }
  Pose pose(double size) {
    const Vec3 t = vector(size), v = vector(1);
    return Pose(t, {(*this)(-1, 1), v.x, v.y, v.z});
  }

 private:
  std::mt19937_64 engine_;
};

/// Bodies of every kind but half-spaces.
std::vector<Body> kinds_of_pieces() {
  using namespace shape;
  return {Body(Sphere{0.4}),
          Body(Capsule{0.2, 0.8}),
          Body(Box{{0.8, 0.5, 0.3}}),
          Body(Cylinder{0.3, 0.7}),
          Body(Cone{0.4, 0.8}),
          Body(Ellipsoid{{0.5, 0.3, 0.2}}),
          Body(Hull{{{0, 0, 0}, {0.7, 0, 0}, {0, 0.6, 0}, {0, 0, 0.5}}}),
          Body(Shape(Box{{0.4, 0.3, 0.2}}, 0.1)),
          Body(Shape(Hull{{{0, 0, 0}, {0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0.4}}}, 0.05)),
          Body(make::torus({.major = 0.4, .minor = 0.12, .triangles = 120})),
          Body(make::box({.size = {0.5, 0.5, 0.5}}))};
}

Body random_compound(CompoundDraw& draw, int most = 6, double size = 0.8) {
  static const std::vector<Body> kinds = kinds_of_pieces();
  std::vector<Piece> pieces;
  for (int n = 1 + draw.below(most); n > 0; --n)
    pieces.push_back({kinds[static_cast<std::size_t>(draw.below(static_cast<int>(kinds.size())))], draw.pose(size),
                      "piece " + std::to_string(n)});
  return compound(std::move(pieces));
}

std::vector<Body> placed_pieces(const Body& body) {
  if (body.pieces().empty()) return {body};
  std::vector<Body> out;
  for (std::uint32_t i = 0; i < body.pieces().size(); ++i) out.push_back(body.piece(PieceId{i}));
  return out;
}

TEST(Compound, CollideAsAllPairsOfPieces) {
  CompoundDraw draw(1);
  int contacts = 0, crossings = 0;
  for (int i = 0; i < 250; ++i) {
    const Body a = random_compound(draw), b = random_compound(draw);
    const Pose pa = draw.pose(0.5), pb = draw.pose(1.4);
    CollideOptions options;
    options.all = i % 2 == 0;
    const CollideResult got = collide(a, pa, b, pb, options);
    std::size_t touching = 0, pairs = 0;
    bool crosses = false;
    const std::vector<Body> of_a = placed_pieces(a), of_b = placed_pieces(b);
    for (std::size_t x = 0; x < of_a.size(); ++x)
      for (std::size_t y = 0; y < of_b.size(); ++y) {
        const CollideResult part = collide(of_a[x], pa, of_b[y], pb, options);
        if (part.status != Status::contact) continue;
        if (options.all) {
          ASSERT_LT(touching, got.piece_contacts.size());
          EXPECT_EQ(index(got.piece_contacts[touching].a), x);
          EXPECT_EQ(index(got.piece_contacts[touching].b), y);
          EXPECT_EQ(got.piece_contacts[touching].pairs, part.pairs.size());
          for (std::size_t k = 0; k < part.pairs.size(); ++k) EXPECT_EQ(got.pairs[pairs + k], part.pairs[k]);
        }
        ++touching;
        pairs += part.pairs.size();
        crosses = crosses || part.kind == ContactKind::crossing;
      }
    ASSERT_EQ(got.status, touching > 0 ? Status::contact : Status::free) << i;
    EXPECT_EQ(got.pieces.has_value(), touching > 0);
    if (options.all) {
      EXPECT_EQ(got.piece_contacts.size(), touching);
      EXPECT_EQ(got.pairs.size(), pairs);
    }
    if (touching == 0) continue;
    ++contacts;
    crossings += crosses;
    EXPECT_EQ(got.kind == ContactKind::crossing, crosses);
    // The witness is that of its pieces.
    const CollideResult part = collide(a.piece((*got.pieces)[0]), pa, b.piece((*got.pieces)[1]), pb, options);
    EXPECT_EQ(part.kind, got.kind);
    EXPECT_EQ(part.contained, got.contained);
    ASSERT_EQ(part.points.has_value(), got.points.has_value());
    if (got.points) {
      EXPECT_EQ((*part.points)[0], (*got.points)[0]);
    }
  }
  EXPECT_GT(contacts, 60);
  EXPECT_LT(contacts, 200);
  EXPECT_GT(crossings, 30);
}

TEST(Compound, DistanceAndWithinAsTheLeastOfAllPairs) {
  CompoundDraw draw(2);
  for (int i = 0; i < 150; ++i) {
    const Body a = random_compound(draw), b = i % 3 == 0 ? Body(shape::Sphere{0.3}) : random_compound(draw);
    const Pose pa = draw.pose(0.5), pb = draw.pose(3.5);
    const DistanceResult got = distance(a, pa, b, pb);
    double least = std::numeric_limits<double>::infinity();
    const std::vector<Body> of_a = placed_pieces(a), of_b = placed_pieces(b);
    for (const Body& x : of_a)
      for (const Body& y : of_b) least = std::min(least, distance(x, pa, y, pb).distance);
    EXPECT_NEAR(got.distance, least, 2e-9 * least);
    EXPECT_EQ(got.status, least > 0 ? Status::free : Status::contact);
    ASSERT_TRUE(got.pieces);
    const Body& y = b.pieces().empty() ? b : b.piece((*got.pieces)[1]);
    EXPECT_EQ(distance(a.piece((*got.pieces)[0]), pa, y, pb).distance, got.distance);
    const double d = draw(0.2, 1.5);
    if (std::fabs(d - least) < 1e-6) continue;
    EXPECT_EQ(within(d, a, pa, b, pb).status, d < least ? Status::free : Status::contact);
    EXPECT_EQ(within(d, b, pb, a, pa).status, d < least ? Status::free : Status::contact);
  }
}

TEST(Compound, FirstContactIsTheEarliestOfAllPairs) {
  CompoundDraw draw(3);
  int contacts = 0;
  for (int i = 0; i < 60; ++i) {
    const Body a = random_compound(draw, 4), b = random_compound(draw, 4);
    const Motion ma = Velocity(draw.pose(4), draw.pose(1)), mb = Velocity(draw.pose(4), draw.pose(1.5));
    FirstContactOptions options;
    options.tolerance = 1e-6;
    const FirstContactResult got = first_contact(a, ma, b, mb, options);
    std::optional<std::tuple<double, std::size_t, std::size_t, FirstContactResult>> earliest;
    const std::vector<Body> of_a = placed_pieces(a), of_b = placed_pieces(b);
    for (std::size_t x = 0; x < of_a.size(); ++x)
      for (std::size_t y = 0; y < of_b.size(); ++y) {
        const FirstContactResult part = first_contact(of_a[x], ma, of_b[y], mb, options);
        ASSERT_NE(part.status, Status::undecided);
        if (part.status == Status::free || (earliest && part.time.touch >= std::get<0>(*earliest))) continue;
        earliest.emplace(part.time.touch, x, y, part);
      }
    ASSERT_EQ(got.status, earliest ? std::get<3>(*earliest).status : Status::free) << i;
    if (!earliest) {
      EXPECT_EQ(got.time.safe, 1);
      EXPECT_FALSE(got.pieces);
      EXPECT_EQ(motion_free(a, ma, b, mb, options).status, Status::free);
      continue;
    }
    ++contacts;
    ASSERT_TRUE(got.pieces);
    EXPECT_EQ(got.time.touch, std::get<0>(*earliest));
    EXPECT_LE(got.time.safe, std::get<3>(*earliest).time.safe);
    EXPECT_GE(got.time.safe, std::get<3>(*earliest).time.safe - 1e-4);
    EXPECT_EQ(index((*got.pieces)[0]), std::get<1>(*earliest));
    EXPECT_EQ(index((*got.pieces)[1]), std::get<2>(*earliest));
    EXPECT_EQ(got.features, std::get<3>(*earliest).features);
    EXPECT_EQ(motion_free(a, ma, b, mb, options).status, Status::contact);
    for (const int threads : {2, 5}) {
      options.threads = threads;
      const FirstContactResult again = first_contact(a, ma, b, mb, options);
      EXPECT_EQ(again.time.touch, got.time.touch);
      EXPECT_EQ(again.time.safe, got.time.safe);
      EXPECT_EQ(again.pieces, got.pieces);
      EXPECT_EQ(again.counters.queue_pops, got.counters.queue_pops);
    }
  }
  EXPECT_GT(contacts, 12);
}

TEST(Compound, ManyBodiesAndChainsTakeThem) {
  CompoundDraw draw(4);
  std::vector<MovingBody> bodies;
  for (int i = 0; i < 5; ++i) bodies.push_back({random_compound(draw, 3), Velocity(draw.pose(4), draw.pose(4))});
  bodies.push_back({Body(shape::HalfSpace{}), Still{Pose({0, 0, -6})}});
  const FirstContactsResult all = first_contacts(bodies);
  double best = 2;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::size_t j = i + 1; j < bodies.size(); ++j) {
      const FirstContactResult r = first_contact(bodies[i].body, bodies[i].motion, bodies[j].body, bodies[j].motion);
      if (r.status != Status::free && r.status != Status::invalid_request) best = std::min(best, r.time.touch);
    }
  ASSERT_LE(best, 1);
  ASSERT_TRUE(all.earliest);
  EXPECT_EQ(all.earliest->contact.time.touch, best);
  EXPECT_TRUE(all.earliest->contact.pieces);
}

TEST(Compound, RaysAndPointsAsTheFirstOfAllPieces) {
  CompoundDraw draw(5);
  int hits = 0, inside = 0;
  for (int i = 0; i < 450; ++i) {
    const Body a = random_compound(draw);
    const Pose pose = draw.pose(0.5);
    const Vec3 from = draw.vector(3), to = draw.vector(0.7);
    const RayResult got = cast_ray(a, pose, from, to);
    std::optional<RayHit> first;
    std::uint32_t of = 0;
    const std::vector<Body> pieces = placed_pieces(a);
    for (std::uint32_t k = 0; k < pieces.size(); ++k)
      if (const auto hit = cast_ray(pieces[k], pose, from, to).hit)
        if (!first || hit->fraction < first->fraction) first = hit, of = k;
    ASSERT_EQ(got.hit.has_value(), first.has_value()) << i;
    if (first) {
      ++hits;
      EXPECT_EQ(got.status, Status::contact);
      EXPECT_EQ(got.hit->fraction, first->fraction);
      EXPECT_EQ(got.hit->triangle, first->triangle);
      EXPECT_EQ(got.hit->piece, PieceId{of});
    }
    const Vec3 point = draw.vector(0.7);
    Location expected = Location::outside;
    for (const Body& piece : pieces)
      if (const Location l = contains(piece, pose, point).location; l != Location::outside) expected = l;
    const ContainsResult where = contains(a, pose, point);
    EXPECT_EQ(where.location, expected);
    EXPECT_EQ(where.piece.has_value(), expected != Location::outside);
    inside += expected == Location::inside;
  }
  EXPECT_GT(hits, 60);
  EXPECT_GT(inside, 20);
}

/// A piece is where its pose puts it: a compound of one piece answers as the body at the composed pose.
TEST(Compound, APieceIsWhereItsPosePutsIt) {
  CompoundDraw draw(6);
  const Body other(make::torus({.major = 0.6, .minor = 0.2, .triangles = 300}));
  for (const Body& kind : kinds_of_pieces())
    for (int i = 0; i < 12; ++i) {
      const Pose local = draw.pose(2), outer = draw.pose(2);
      const Quat p = outer.rotation(), q = local.rotation();
      const Pose both(outer.apply(local.translation()),
                      {p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z, p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
                       p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x, p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w});
      const Body one = compound({{kind, local, "one"}});
      const DistanceResult got = distance(one, outer, other, Pose()), expected = distance(kind, both, other, Pose());
      EXPECT_EQ(got.status, expected.status);
      EXPECT_NEAR(got.distance, expected.distance, 1e-9);
      const Motion turn = Velocity::from_speeds(outer, {-2, 0.5, 0}, {0.3, 1, 2});
      const Motion turn_both = Velocity::from_speeds(both, {-2, 0.5, 0}, {0.3, 1, 2},
                                                     Pose({}, {q.w, -q.x, -q.y, -q.z}).apply(-local.translation()));
      const FirstContactOptions options{.tolerance = 1e-7};
      const FirstContactResult first = first_contact(one, turn, other, Still{}, options);
      const FirstContactResult first_both = first_contact(kind, turn_both, other, Still{}, options);
      ASSERT_EQ(first.status, first_both.status) << i;
      if (first.status == Status::contact) {
        EXPECT_NEAR(first.time.touch, first_both.time.touch, 1e-4);
      }
      // Nothing of it is outside the box.
      const Box3& box = one.box();
      EXPECT_LE(length(box.hi - box.lo), 4);
      for (int k = 0; k < 3; ++k) {
        Vec3 from = box.lo, to = box.hi;
        from[k] = box.lo[k] - 1e-9 * (1 + std::fabs(box.lo[k]));
        to[k] = from[k];
        EXPECT_FALSE(cast_ray(one, Pose(), from, to).hit);
      }
    }
}

/// Curved pieces far from the compound's origin: certain outside the rounding bound of shape/shape.hpp.
TEST(Compound, CurvedPiecesKeepTheRoundingBound) {
  CompoundDraw draw(7);
  const Body capsule(shape::Capsule{0.5, 2}), ball(shape::Sphere{0.5});
  for (int i = 0; i < 200; ++i) {
    const Pose local = draw.pose(1000);
    const Body one = compound({{capsule, local}, {ball, Pose({-5000, 0, 0})}});
    const double s = 5001, bound = std::ldexp(s, -35);
    for (const double gap : {1.01 * bound, -1.01 * bound}) {
      const Pose at(local.apply({0, 0, 1 + 0.5 + 0.5 + gap}));  // beyond the capsule's end
      const CollideResult hit = collide(one, Pose(), ball, at);
      EXPECT_EQ(hit.status, gap > 0 ? Status::free : Status::contact);
      EXPECT_TRUE(hit.certain);
      EXPECT_EQ(collide(ball, at, one, Pose()).status, hit.status);
    }
  }
}

TEST(Compound, OnePieceWithoutAPoseIsTheBody) {
  const Body torus(make::torus({.major = 0.6, .minor = 0.2, .triangles = 300}));
  const Body one = compound({{torus}});
  EXPECT_FALSE(one.has_mesh());
  ASSERT_EQ(one.pieces().size(), 1u);
  EXPECT_EQ(&one.piece(PieceId{0}).mesh().positions()[0], &torus.mesh().positions()[0]);  // nothing is copied
  CollideOptions all{.all = true};
  const Body cone(shape::Cone{0.5, 1});
  EXPECT_EQ(collide(one, Pose(), torus, Pose({0.3, 0, 0}), all).pairs,
            collide(torus, Pose(), torus, Pose({0.3, 0, 0}), all).pairs);
  EXPECT_EQ(collide(one, Pose(), cone, Pose({0.3, 0, 0})).features,
            collide(torus, Pose(), cone, Pose({0.3, 0, 0})).features);
}

TEST(Compound, EqualAndTouchingPieces) {
  const Body cube(shape::Box{{1, 1, 1}});
  // Equal pieces: the first is reported.
  const Body twice = compound({{cube, Pose({2, 0, 0}), "x"}, {cube, Pose({2, 0, 0}), "y"}, {cube, Pose(), "z"}});
  const CollideResult hit = collide(twice, Pose(), cube, Pose({2.9, 0.1, 0.2}));
  EXPECT_EQ(hit.kind, ContactKind::crossing);
  EXPECT_EQ((*hit.pieces)[0], PieceId{0});
  const DistanceResult far = distance(twice, Pose(), cube, Pose({4, 0, 0}));
  EXPECT_EQ(far.distance, 1);
  EXPECT_EQ((*far.pieces)[0], PieceId{0});
  const RayResult ray = cast_ray(twice, Pose(), {9, 0, 0}, {-9, 0, 0});
  EXPECT_EQ(ray.hit->piece, PieceId{0});
  // Touching exactly counts, and is exact: the cubes' corners are doubles.
  const CollideResult touch = collide(twice, Pose(), cube, Pose({3, 0, 0}));
  EXPECT_EQ(touch.status, Status::contact);
  EXPECT_EQ(touch.kind, ContactKind::touching);
  EXPECT_TRUE(touch.certain);
  EXPECT_EQ(collide(twice, Pose(), cube, Pose({std::nextafter(3, 4), 0, 0})).status, Status::free);
  EXPECT_EQ(within(1, twice, Pose(), cube, Pose({4, 0, 0})).status, Status::contact);
  EXPECT_EQ(within(std::nextafter(1, 0), twice, Pose(), cube, Pose({4, 0, 0})).status, Status::free);
  // Where two pieces meet is on the surface of both, and inside neither.
  const Body pair = compound({{cube, Pose({-0.5, 0, 0})}, {cube, Pose({0.5, 0, 0})}});
  EXPECT_EQ(contains(pair, Pose(), {0, 0, 0}).location, Location::on_surface);
  EXPECT_EQ(contains(pair, Pose(), {0.1, 0, 0}).piece, PieceId{1});
}

/// A crossing further down the list is preferred to a touch, and a sure contact to one within the rounding bound.
TEST(Compound, TheWitnessIsOfTheClearestContact) {
  const Body cube(shape::Box{{1, 1, 1}}), ball(shape::Sphere{0.5});
  const Body both = compound({{ball, Pose({-2, 0, 0})}, {cube, Pose({0, 2, 0})}, {cube, Pose({2, 0, 0})}});
  const Body frame = compound({{cube, Pose({-3, 0, 0})}, {cube, Pose({0, 3, 0})}, {cube, Pose({2.5, 0.25, 0.125})}});
  const CollideResult hit = collide(both, Pose(), frame, Pose());
  EXPECT_EQ(hit.kind, ContactKind::crossing);
  EXPECT_EQ(*hit.pieces, (std::array{PieceId{2}, PieceId{2}}));
  const Body without = compound({{cube, Pose({-3, 0, 0})}, {cube, Pose({0, 3, 0})}});
  const CollideResult touch = collide(both, Pose(), without, Pose());
  EXPECT_EQ(touch.kind, ContactKind::touching);
  EXPECT_TRUE(touch.certain);
  EXPECT_EQ(*touch.pieces, (std::array{PieceId{1}, PieceId{1}}));
}

TEST(Compound, SolidAndContained) {
  const Body shell(make::box({.size = {2, 2, 2}})), cube(shape::Box{{1, 1, 1}}), dot(shape::Sphere{0.1});
  const Body rooms = compound({{shell, Pose({5, 0, 0}), "room"}, {cube, Pose(), "block"}});
  // A mesh is a surface, a shape is solid.
  EXPECT_EQ(collide(rooms, Pose(), dot, Pose({5, 0, 0})).status, Status::free);
  const CollideResult in = collide(rooms, Pose(), dot, Pose({5, 0, 0}), {.solid = true});
  EXPECT_EQ(in.contained, Containment::b_in_a);
  EXPECT_EQ((*in.pieces)[0], PieceId{0});
  EXPECT_EQ(collide(rooms, Pose(), dot, Pose()).status, Status::contact);
  EXPECT_EQ(collide(dot, Pose(), rooms, Pose(), {.solid = true}).status, Status::contact);
  const FirstContactResult start = first_contact(rooms, Still{}, dot, Still{Pose({5, 0, 0})}, {.solid = true});
  EXPECT_EQ(start.status, Status::touching_at_start);
  EXPECT_EQ(start.contained, Containment::b_in_a);
  const Body sheet(Mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, std::array<Triangle, 1>{{{0, 1, 2}}}));
  const Body open = compound({{cube}, {sheet, Pose({0, 0, 3}), "lid"}});
  const CollideResult refused = collide(open, Pose(), dot, Pose({0, 0, 9}), {.solid = true});
  EXPECT_EQ(refused.status, Status::invalid_request);
  EXPECT_NE(refused.error->element.find("lid"), std::string::npos);
  EXPECT_EQ(contains(open, Pose(), {0, 0, 0}).location, Location::invalid_request);
}

TEST(Compound, NestedCompoundsAreTakenApart) {
  const Body ball(shape::Sphere{0.5}), cube(make::box({}));
  const Body hand = compound({{ball, Pose({1, 0, 0}), "palm"}, {cube, Pose({2, 0, 0}), ""}});
  const Quat quarter{1, 0, 0, 1};
  const Body arm = compound({{hand, Pose({0, 0, 3}, quarter), "hand"}, {cube, Pose(), "upper"}});
  ASSERT_EQ(arm.pieces().size(), 3u);
  EXPECT_EQ(arm.pieces()[0].name, "hand/palm");
  EXPECT_EQ(arm.pieces()[1].name, "hand");
  EXPECT_EQ(arm.pieces()[2].name, "upper");
  EXPECT_NEAR(length(arm.pieces()[0].pose.translation() - Vec3{0, 1, 3}), 0, 1e-15);
  EXPECT_EQ(contains(arm, Pose(), {0, 1, 3}).piece, PieceId{0});
  EXPECT_EQ(contains(arm, Pose(), {0, 2, 3}).piece, PieceId{1});
  EXPECT_EQ(contains(arm, Pose(), {1, 0, 3}).location, Location::outside);
}

}  // namespace
}  // namespace graze
