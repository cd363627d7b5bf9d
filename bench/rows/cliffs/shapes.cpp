// SPDX-License-Identifier: MIT
// Shapes, compounds and overlaps: flush and identical cubes, nearly tangent spheres, long capsules, needles, resting
// shapes, compounds of many pieces, penetration, and worlds of them.
#include <fmt/core.h>

#include <cmath>
#include <memory>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>
#include <graze/ask/first_contact.hpp>
#include <graze/ask/penetration.hpp>
#include <graze/mesh/make.hpp>
#include <graze/world/world.hpp>

#include "rows/cliffs/cliffs.hpp"

namespace graze::bench {
namespace {

using Ask = std::function<std::string()>;

std::string instead_of(Status got, Status expected) {
  return got == expected ? "" : fmt::format("{} instead of {}", name(got), name(expected));
}

/// Two placed bodies and what `collide` and `distance` should say.
struct PlacedPair {
  Body a, b;
  Pose pose_b;

  Ask collides(Status expected, bool solid = false) const {
    return [*this, expected, solid, result = std::make_shared<CollideResult>()] {
      CollideOptions options;
      options.solid = solid;
      collide(a, Pose(), b, pose_b, options, *result);
      return instead_of(result->status, expected);
    };
  }
  Ask measures(double expected, double slack) const {
    return [*this, expected, slack] {
      const double d = distance(a, Pose(), b, pose_b).distance;
      return std::fabs(d - expected) <= slack ? std::string() : fmt::format("{} instead of {}", d, expected);
    };
  }
  Ask measures() const {
    return [*this] { return instead_of(distance(a, Pose(), b, pose_b).status, Status::free); };
  }
  Ask parts(Status expected) const {
    return [*this, expected] { return instead_of(penetration(a, Pose(), b, pose_b).status, expected); };
  }
};

Ask flies(const Body& a, const Pose& from, const Pose& to, const Body& b, Status expected) {
  const Motion motion = Velocity(from, to);
  return [=, result = std::make_shared<FirstContactResult>()] {
    first_contact(a, motion, b, Still{}, {}, *result);
    return instead_of(result->status, expected);
  };
}

Body balls(int side) {
  std::vector<Piece> pieces;
  for (int x = 0; x < side; ++x)
    for (int y = 0; y < side; ++y)
      for (int z = 0; z < side; ++z)
        pieces.push_back({Body(shape::Sphere{0.3}), Pose({double(x), double(y), double(z)}), {}});
  return compound(std::move(pieces));
}

/// Crates in a square on a floor, which all want to sink by a millimetre.
struct Crates {
  World world;
  std::vector<BodyId> ids;
  double gap;

  Crates(int side, double height) : gap(height) {
    world.add(Body(shape::HalfSpace{}));
    for (int i = 0; i < side * side; ++i) ids.push_back(world.add(Body(shape::Box{{0.5, 0.5, 0.5}}), start(i, side)));
    world.sweep();
  }
  Pose start(int i, int side) const { return Pose({i % side * 0.6, i / side * 0.6, 0.25 + gap}); }

  std::string ask(Status expected) {
    const int side = static_cast<int>(std::lround(std::sqrt(double(ids.size()))));
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const Pose from = start(static_cast<int>(i), side);
      world.teleport(ids[i], from);
      world.move(ids[i], Pose(from.translation() - Vec3{0, 0, 1e-3}));
    }
    const SweepResult r = world.sweep({.advance = true, .each = true});
    return instead_of(r.status, expected);
  }
};
Ask sinking(int side, double gap, Status expected) {
  return [crates = std::make_shared<Crates>(side, gap), expected] { return crates->ask(expected); };
}

/// The bodies nearest to a point, of a cloud of small boxes.
Ask nearest_of_many(const Vec3& point, double radius, std::size_t count) {
  const auto world = std::make_shared<World>();
  for (int i = 0; i < 4000; ++i) {
    const double angle = 2.399963 * i, height = 1 - (2 * i + 1) / 4000.0, ring = std::sqrt(1 - height * height);
    const double far = i % 2 ? 1 : radius;
    world->add(Body(shape::Box{{0.01, 0.01, 0.01}}),
               Pose(Vec3{ring * std::cos(angle), ring * std::sin(angle), height} * far));
  }
  return [world, point, count] {
    return world->nearest(point, count).bodies.size() == count ? std::string() : std::string("not as many bodies");
  };
}

}  // namespace

void row_cliff_overlap(Context& context) {
  const Body cube(make::box({.divisions = 12})), half(make::box({.size = {0.5, 0.5, 0.5}, .divisions = 12}));
  const auto cliff = [&](const char* task, const Body& other, const Pose& pose) {
    const PlacedPair pair{cube, other, pose};
    return Cliff{task, 2, pair.collides(Status::contact, true), pair.collides(Status::contact, false), "as surfaces"};
  };
  compare_cliffs(context, "overlap",
                 {cliff("identical cubes of 1728 triangles, solid", cube, Pose()),
                  cliff("a cube flush inside another one, solid", half, Pose({0.25, 0.25, 0.25})),
                  cliff("cubes side by side, solid", cube, Pose({1, 0, 0})),
                  cliff("cubes side by side, shifted, solid", cube, Pose({1, 0.25, 0.125}))});
}

void row_cliff_shapes(Context& context) {
  const Body ball(shape::Sphere{1}), egg(shape::Ellipsoid{{1, 0.8, 0.6}}), can(shape::Cylinder{0.5, 1});
  const Body rod(shape::Capsule{0.1, 1}), long_rod(shape::Capsule{0.1, 1e4});
  const Body flake(shape::Hull{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}});
  const Body needle(shape::Hull{{{0, 0, 0}, {1e-6, 0, 0}, {0, 1e-6, 0}, {0, 0, 1}}});
  const Pose tilt({3, 0, 0}, {1, 0.2, 0.1, 0.3});
  compare_cliffs(
      context, "shapes",
      {{"distance: a ball 1e-9 from an egg", 5, PlacedPair{egg, ball, Pose({2 + 1e-9, 0, 0})}.measures(1e-9, 1e-10),
        PlacedPair{egg, ball, Pose({2.5, 0, 0})}.measures(0.5, 1e-8)},
       {"distance: capsules of length 1e4", 3, PlacedPair{long_rod, long_rod, tilt}.measures(),
        PlacedPair{rod, rod, tilt}.measures()},
       {"distance: a needle and a cylinder", 3, PlacedPair{needle, can, tilt}.measures(),
        PlacedPair{flake, can, tilt}.measures()},
       {"first contact: a ball slides 1e-6 above a box", 10,
        flies(ball, Pose({0, 0, 1.5 + 1e-6}), Pose({0.03, 0, 1.5 + 1e-6}), Body(shape::Box{{40, 40, 1}}), Status::free),
        flies(ball, Pose({0, 0, 1.6}), Pose({0.03, 0, 1.6}), Body(shape::Box{{40, 40, 1}}), Status::free)},
       {"first contact: a can falls onto a mesh of large triangles", 10,
        flies(can, Pose({1, 2, 1.02}, {1, 0, 0.01, 0}), Pose({1, 2, 0.9}, {1, 0, 0.01, 0}),
              Body(make::box({.size = {40, 40, 1}})), Status::contact),
        flies(can, Pose({1, 2, 2}, {1, 0, 0.01, 0}), Pose({1, 2, 0.9}, {1, 0, 0.01, 0}),
              Body(make::box({.size = {40, 40, 1}})), Status::contact)}});
}

void row_cliff_compounds(Context& context) {
  const Body few = balls(6), many = balls(12), probe(shape::Sphere{0.1});
  const auto beside = [&](const Body& body) { return PlacedPair{body, probe, Pose({1.5, 1.5, 1.5})}; };
  const auto fly = [&](const Body& body) {
    return flies(probe, Pose({-1, 1.5, 1.5}), Pose({12, 1.5, 1.5}), body, Status::free);
  };
  compare_cliffs(context, "compounds",
                 {{"collide: a ball among 1728 balls", 3, beside(many).collides(Status::free),
                   beside(few).collides(Status::free), "216 balls"},
                  {"distance: the same", 3, beside(many).measures(), beside(few).measures(), "216 balls"},
                  {"first contact: it flies between them", 5, fly(many), fly(few), "216 balls"}});
}

void row_cliff_penetration(Context& context) {
  const Body cube(make::box({.divisions = 4})), torus(make::torus({.triangles = 400}));
  const Ask ordinary = PlacedPair{cube, cube, Pose({0.9, 0.1, 0.2}, {1, 0.1, 0, 0.1})}.parts(Status::contact);
  const Ask rings = PlacedPair{torus, torus, Pose({0, 1.9, 0.1}, {1, 0.1, 0, 0.1})}.parts(Status::contact);
  compare_cliffs(context, "penetration",
                 {{"identical cubes", 3, PlacedPair{cube, cube, Pose()}.parts(Status::contact), ordinary},
                  {"cubes side by side", 3, PlacedPair{cube, cube, Pose({1, 0, 0})}.parts(Status::contact), ordinary},
                  {"rings deep inside each other", 5,
                   PlacedPair{torus, torus, Pose({0.3, 0.2, 0}, {1, 0.1, 0, 0.1})}.parts(Status::contact), rings}});
}

void row_cliff_worlds(Context& context) {
  compare_cliffs(context, "worlds",
                 {{"sweep, each: 400 crates 1e-5 above the floor", 5, sinking(20, 1e-5, Status::contact),
                   sinking(20, 0.1, Status::free), "0.1 above"},
                  // All of them are equally near, so each must be measured, as where all are asked for.
                  {"nearest: 4 from the middle of a sphere of 4000 boxes", 3, nearest_of_many({0, 0, 0}, 1, 4),
                   nearest_of_many({0.9, 0.1, 0.2}, 2, 4000), "all of them, from beside it"}});
}

}  // namespace graze::bench
