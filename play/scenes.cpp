// SPDX-License-Identifier: MIT
#include "scenes.hpp"

#include <cmath>

#include <graze/mesh/make.hpp>

namespace graze::play {
namespace {

std::size_t share(double triangles, double detail) { return static_cast<std::size_t>(triangles * detail); }

Actor movable(const Mesh& mesh, const Pose& pose, const char* name) {
  const Body body(mesh);
  return {body, pose, mass_of(body), false, name};
}
Actor fixed(const Body& body, const Pose& pose, const char* name) { return {body, pose, {}, true, name}; }

Scene bunnies(double detail) {
  Scene scene{Stage({.margin = 1e-3}), {}, 1.5, {0.2, 0, 0}, 0.7};
  const Mesh bunny = make::bunny({.triangles = share(69620, detail)});
  scene.held = scene.stage.add(movable(bunny, Pose({-1.2, 0, 0}), "bunny in the hand"));
  scene.stage.add(fixed(Body(bunny), Pose({0.2, 0, 0}, {0.9, 0, 0, 0.4}), "other bunny"));
  return scene;
}

Scene door(double detail) {
  Scene scene{Stage({.margin = 1e-3}), {}, 1, {0, -0.8, 0.3}, 0.6};
  scene.stage.add(fixed(Body(make::car_shell({.size = 4, .triangles = share(30000, detail)})), Pose(), "car"));
  scene.held = scene.stage.add(
      movable(make::door({.size = 1.2, .triangles = share(15000, detail)}), Pose({0, -1.8, 0.5}), "door"));
  return scene;
}

Scene car(double detail) {
  Scene scene{Stage({.order = Order::second, .gravity = {0, 0, -9.81}, .bounce = 0.5, .margin = 2e-3}), {}, 1, {}, 1};
  scene.stage.add(fixed(Body(shape::HalfSpace{}), Pose(), "floor"));
  scene.stage.add(movable(make::car_shell({.size = 4, .triangles = share(29000, detail)}),
                          Pose({0, 0, 3}, {1, 0.35, 0.25, 0}), "car"));
  return scene;
}

Scene engine(double detail) {
  Scene scene{Stage({.margin = 1e-3}), {}, 0.8, {0, 0, 0.4}, 1};
  scene.stage.add(fixed(Body(make::car_shell({.size = 4, .triangles = share(9000, detail)})), Pose(), "car"));
  scene.stage.add(
      fixed(Body(make::door({.size = 1.2, .triangles = share(3000, detail)})), Pose({0, -1.8, 0.5}), "door"));
  scene.held = scene.stage.add(
      movable(make::torus_knot({.triangles = share(8000, detail), .major = 0.25, .minor = 0.1, .tube = 0.05}),
              Pose({1.2, 0, 0.2}), "engine"));
  return scene;
}

Scene assembly(double detail) {
  Scene scene{Stage({.margin = 1e-3}), {}, 1.5, {}, 0.9};
  scene.stage.add(fixed(Body(make::ring({.radius = 0.5, .triangles = share(4000, detail)})), Pose(), "ring"));
  scene.held = scene.stage.add(movable(make::cylinder({.radius = 0.4, .height = 1.2, .triangles = share(1000, detail)}),
                                       Pose({0, 0, 1}), "peg"));
  scene.stage.add(movable(make::tetra_flake({.triangles = share(3000, detail)}), Pose({1.2, 0, 0}), "flake"));
  scene.stage.add(movable(make::chair({.triangles = share(2000, detail)}), Pose({-1.3, 0, 0}), "chair"));
  return scene;
}

constexpr SceneInfo all[] = {
    {"bunnies", "one body of 70 K triangles dragged against another", bunnies},
    {"door", "a door fitted into a car, 45 K triangles together", door},
    {"car", "29 K triangles bounced on a floor (second order)", car},
    {"engine", "an engine taken out of a car past a door, 20 K triangles", engine},
    {"assembly", "a peg, a ring and loose parts that are pushed", assembly},
};

}  // namespace

std::span<const SceneInfo> scenes() { return all; }

Hand::Hand(const Scene& scene, std::uint32_t seed)
    : held_(scene.held.value_or(0)),
      speed_(scene.speed),
      range_(scene.range),
      goal_(scene.goal),
      target_(scene.stage.pose(held_)),
      state_(seed) {}

/// From -1 to 1.
double Hand::any() {
  state_ = state_ * 1664525u + 1013904223u;
  return static_cast<double>(state_ >> 8) / 8388608.0 - 1;
}

Twist Hand::wish(const Stage& stage, double time) {
  patience_ -= time;
  if (patience_ <= 0) {
    patience_ = 0.2 + 0.6 * std::fabs(any());
    const Vec3 away{range_ * any(), range_ * any(), range_ * any()};
    target_ = Pose(goal_ + away, {1, any(), any(), any()});
  }
  Twist wish = stage.towards(held_, target_, time);
  const double linear = length(wish.linear), angular = length(wish.angular);
  if (linear > speed_) wish.linear = wish.linear * (speed_ / linear);
  if (angular > 3) wish.angular = wish.angular * (3 / angular);
  return wish;
}

StageReport play_frame(Scene& scene, Hand* hand, double time) {
  if (hand && scene.held) scene.stage.wish(*scene.held, hand->wish(scene.stage, time));
  return scene.stage.step(time);
}

}  // namespace graze::play
