// SPDX-License-Identifier: MIT
// A game loop: 40 crates fall on a floor and on each other, and a zone notices who is inside. Each frame, gravity
// proposes where every crate should be. A sweep moves each crate to its first contact at most. So nothing ever sinks
// into anything, whatever the time step, and the loop needs no corrections.
#include <cstdio>
#include <random>
#include <vector>

#include <graze/graze.hpp>

using namespace graze;

int main() {
  struct Crate {
    BodyId id;
    Vec3 velocity;
  };
  World world;
  world.add(Body(shape::HalfSpace{}), Pose(), {.name = "floor"});
  const BodyId zone = world.add(Body(shape::Box{{4, 4, 2}}), Pose({3, 0, 1}), {.name = "zone", .trigger = true});
  const Body box(shape::Box{{0.5, 0.5, 0.5}});
  std::mt19937 dice(5);
  std::uniform_real_distribution<double> any(-1, 1);
  std::vector<Crate> crates;
  for (int i = 0; i < 40; ++i) {
    const Quat turned{1, 0.2 * any(dice), 0.2 * any(dice), 0.2 * any(dice)};
    const Pose pose({6 * any(dice), 4 * any(dice), 3 + 0.7 * i}, turned);
    crates.push_back({world.add(box, pose, {.name = "crate"}), {2 * any(dice), 0, 0}});
  }
  int entered = 0, left = 0;
  world.on_contact(zone, [&](const WorldEvent& e) {
    entered += e.kind == EventKind::began;
    left += e.kind == EventKind::ended;
  });
  world.sweep();  // paths start here

  const double step = 1.0 / 60;
  int stops = 0, sunk = 0;
  for (int frame = 0; frame < 300; ++frame) {
    for (Crate& c : crates) {
      c.velocity.z -= 9.81 * step;
      const Pose now = world.pose(c.id);
      world.move(c.id, Pose(now.translation() + c.velocity * step, now.rotation()));
    }
    // A crate that rests on something may leave it, but not go on into it.
    const SweepResult swept = world.sweep({.advance = true, .each = true, .ignore_start_if_separating = true});
    if (swept.status == Status::invalid_request || swept.status == Status::undecided) return 1;
    for (const SweepContact& contact : swept.contacts) {
      ++stops;
      for (Crate& c : crates) {
        if (c.id != contact.a && c.id != contact.b) continue;
        const Vec3 away = contact.contact.normal.value_or(Vec3{0, 0, 1}) * (c.id == contact.a ? -1.0 : 1.0);
        const double speed = dot(c.velocity, away);
        if (speed < 0) c.velocity = c.velocity - away * (1.2 * speed);  // a little bounce
        c.velocity = c.velocity * 0.95;
      }
    }
    for (const WorldEvent& e : world.check().events) sunk += !e.trigger && e.kind != EventKind::ended;
  }
  double lowest = 1;
  for (const Crate& c : crates) lowest = std::min(lowest, world.pose(c.id).translation().z);
  std::printf("300 frames: %d stops, %d contacts that a check found, lowest centre %.3f, zone entered %d, left %d\n",
              stops, sunk, lowest, entered, left);
  return sunk == 0 && lowest > 0.2 && stops > 40 ? 0 : 1;
}
