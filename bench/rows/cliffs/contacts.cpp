// SPDX-License-Identifier: MIT
// What simulators and readers of files ask: contact manifolds, worlds with margins, polygons with holes, and whether
// bodies that are very near each other touch.
#include <fmt/core.h>

#include <cmath>
#include <memory>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>
#include <graze/ask/manifold.hpp>
#include <graze/mesh/holes.hpp>
#include <graze/mesh/make.hpp>
#include <graze/world/world.hpp>

#include "rows/cliffs/cliffs.hpp"

namespace graze::bench {
namespace {

using Ask = std::function<std::string()>;

std::string unless(Status got, Status expected) {
  return got == expected ? "" : fmt::format("{} instead of {}", name(got), name(expected));
}

struct Pressed {
  Body a, b;
  Pose pose_a, pose_b;

  Ask touching(Status expected) const {
    return [*this, expected, result = std::make_shared<CollideResult>()] {
      collide(a, pose_a, b, pose_b, {}, *result);
      return unless(result->status, expected);
    };
  }
  Ask within(double d, Status expected) const {
    return [*this, d, expected] { return unless(graze::within(d, a, pose_a, b, pose_b).status, expected); };
  }
  Ask patches(Status expected, double margin, bool some) const {
    return [*this, expected, margin, some] {
      const ManifoldResult r = manifold(a, pose_a, b, pose_b, {.margin = margin});
      if (r.status == expected && r.patches.empty() == some)
        return fmt::format("{} patches, expected {}", r.patches.size(), some ? "some" : "none");
      return unless(r.status, expected);
    };
  }
};

/// Boxes in a cube, `gap` between neighbours, each with a margin. All move in every frame.
struct CrowdWithMargins {
  World world;
  std::vector<BodyId> ids;
  int side;
  double gap;
  int frame = 0;
  CheckResult result = {};

  CrowdWithMargins(const Body& body, int count, double apart, double margin) : side(count), gap(apart) {
    for (int i = 0; i < side * side * side; ++i) {
      BodySettings settings;
      settings.margin = margin;
      ids.push_back(world.add(body, place(i), settings));
    }
    world.check();
  }
  Pose place(int i) const {
    const double step = 1 + gap, shift = frame % 2 ? 0.25 * gap : 0;
    return Pose({i % side * step + shift, i / side % side * step, i / (side * side) * step});
  }
  std::string ask(std::size_t pairs) {
    ++frame;
    for (std::size_t i = 0; i < ids.size(); ++i) world.move(ids[i], place(static_cast<int>(i)));
    world.check({}, result);
    const std::size_t got = result.events.size();  // all stay
    return got == pairs ? std::string() : fmt::format("{} pairs instead of {}", got, pairs);
  }
};
Ask crowd(const Body& body, int side, double gap, double margin, std::size_t pairs) {
  return [world = std::make_shared<CrowdWithMargins>(body, side, gap, margin), pairs] { return world->ask(pairs); };
}

/// An outline with holes of four corners each.
struct Plate {
  std::vector<Vec3> points;
  std::vector<std::uint32_t> outline;
  std::vector<std::vector<std::uint32_t>> holes;

  std::uint32_t add(double x, double y) {
    points.push_back({x, y, 0});
    return static_cast<std::uint32_t>(points.size() - 1);
  }
  void square(double x, double y) { holes.push_back({add(x, y), add(x + 1, y), add(x + 1, y + 1), add(x, y + 1)}); }
  Ask joined() const {
    std::size_t corners = outline.size();
    for (const auto& hole : holes) corners += hole.size() + 2;
    return [*this, corners] {
      const std::size_t got = join_holes(points, outline, holes).size();
      return got == corners ? std::string() : fmt::format("{} corners instead of {}", got, corners);
    };
  }
};
/// Each of n teeth is longer than all together are wide and has a hole in its middle. Corners on the sides of other
/// teeth are nearer to it than those that it sees.
Plate comb(int n) {
  Plate plate;
  const double length = 20 * n, middle = 10 * n;
  const auto corner = [&](double x, double y) { plate.outline.push_back(plate.add(x, y)); };
  for (int k = 0; k < n; ++k) {
    const double x = 8 * k;
    if (k > 0)
      for (const double y : {length, middle + 1, middle, middle - 1}) corner(x, y);
    corner(x, 0);
    corner(x + 4, 0);
    if (k + 1 < n) corner(x + 4, length);
  }
  corner(8 * n - 4, length + 2);
  corner(0, length + 2);
  for (int k = 0; k < n; ++k) plate.square(8 * k + 1, middle - 1);
  return plate;
}
/// A disc with as many corners and holes.
Plate disc(int n) {
  Plate plate;
  const int corners = 7 * n - 3, side = static_cast<int>(std::ceil(std::sqrt(n)));
  for (int i = 0; i < corners; ++i) {
    const double angle = 6.283185307179586 * i / corners;
    plate.outline.push_back(plate.add(4 * side * std::cos(angle), 4 * side * std::sin(angle)));
  }
  for (int k = 0; k < n; ++k) plate.square(3 * (k % side) - 1.5 * side + 0.01 * k, 3 * (k / side) - 1.5 * side);
  return plate;
}

}  // namespace

void row_cliff_close(Context& context) {
  const Body floor(make::box({.size = {40, 40, 1}})), crate(make::box({.size = {.5, .5, .5}}));
  std::vector<Cliff> cliffs;
  for (const Quat& q : {Quat{1, 0, 0, 0.1}, Quat{}}) {
    const auto above = [&](double gap) { return Pressed{crate, floor, Pose({1, 2, 0.75 + gap}, q), Pose()}; };
    for (const double gap : {1e-6, 1e-8, 1e-10, 1e-12})
      cliffs.push_back({fmt::format("a crate{} {:g} above the floor", q.z == 0 ? "" : ", turned,", gap), 3,
                        above(gap).touching(Status::free), above(-1e-2).touching(Status::contact), "0.01 in it"});
  }
  const Body ball(make::sphere({.triangles = 5000}));
  const auto aside = [&](double x) { return Pressed{ball, ball, Pose(), Pose({x, 0.2, 0.1}, {1, 0.1, 0.2, 0.3})}; };
  for (const double x : {0.3, 1.0})
    cliffs.push_back({fmt::format("within 1e-14: balls that cross, their centres {:g} radii apart", x), 2,
                      aside(x).within(1e-14, Status::contact), aside(2.05).within(1e-14, Status::free), "2.06, free"});
  compare_cliffs(context, "close", cliffs);
}

void row_cliff_manifold(Context& context) {
  const Body cube(make::box({.divisions = context.quick ? 3u : 12u})), torus(make::torus({.triangles = 400}));
  const Body crate(make::box()), floor(make::box({.size = {40, 40, 1}}));
  const auto cubes = [&](const Pose& pose) { return Pressed{cube, cube, Pose(), pose}; };
  const auto crates = [&](const Pose& pose) { return Pressed{floor, crate, Pose(), pose}; };
  const auto rings = [&](double margin) {
    return Pressed{torus, torus, Pose(), Pose({0, 0, 0.8})}.patches(Status::free, margin, true);
  };
  const Ask turned = cubes(Pose({0.05, 0.1, 0.99}, {1, 0, 0, 0.15})).patches(Status::contact, 0, true);
  const Ask tilted = crates(Pose({1, 2, 1.05}, {1, 0.1, 0.1, 0.1})).patches(Status::contact, 0, true);
  compare_cliffs(context, "manifold",
                 {{"cubes of 1728 triangles face to face, edge on edge", 5,
                   cubes(Pose({0, 0, 0.99})).patches(Status::contact, 0, true), turned, "turned"},
                  {"identical cubes of 1728 triangles", 5, cubes(Pose()).patches(Status::contact, 0, true), turned,
                   "face to face, turned"},
                  {"a crate rests on a large floor", 3, crates(Pose({1, 2, 1})).patches(Status::contact, 0, true),
                   tilted, "a corner in it"},
                  {"1e-9 above it, margin 0.01", 3, crates(Pose({1, 2, 1 + 1e-9})).patches(Status::free, 0.01, true),
                   tilted, "a corner in it"},
                  {"rings with a margin as wide as they are", 10, rings(0.5), rings(0.32), "a narrow margin"}});
}

void row_cliff_margins(Context& context) {
  const int side = context.quick ? 3 : 8;
  const auto n = static_cast<std::size_t>(side), m = n - 1;
  const std::size_t faces = 3 * n * n * m,
                    all = faces + 6 * n * m * m + 4 * m * m * m;  // neighbours; also diagonal ones
  const Body box(shape::Box{{1, 1, 1}}), mesh(make::box({.divisions = 4}));
  const auto cliffs_of = [&](const char* what, const Body& body) -> std::vector<Cliff> {
    return {{fmt::format("{} {} 0.1 apart, all within their margins", n * n * n, what), 5,
             crowd(body, side, 0.1, 0.1, all), crowd(body, side, -0.01, 0, all), "all overlapping, no margins"},
            {"at the very end of their margins", 3, crowd(body, side, 0.1, 0.05 + 1e-9, faces),
             crowd(body, side, 0.1, 0.06, faces), "well within"}};
  };
  compare_cliffs(context, "margins", cliffs_of("boxes", box));
  compare_cliffs(context, "margins", cliffs_of("meshes of 192 triangles", mesh));
}

void row_cliff_holes(Context& context) {
  const int n = context.quick ? 20 : 400;
  compare_cliffs(context, "holes",
                 {{fmt::format("a comb of {} teeth with a hole in each", n), 3, comb(n).joined(), disc(n).joined(),
                   "a disc with as many corners and holes"}});
}

}  // namespace graze::bench
