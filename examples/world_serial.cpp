// SPDX-License-Identifier: MIT
// A minimal single-threaded application loop: move the bodies, check, and react to new
// contacts. Balls roll over a board and are removed when they touch the wall at its end.
#include <cstdio>
#include <vector>

#include <graze/graze.hpp>

int main() {
  graze::World world;
  const graze::Body ball(graze::make::sphere({.radius = 0.25, .triangles = 168}));
  const graze::BodyId board = world.add(graze::Body(graze::make::box({.size = {10, 4, 0.1}})), {}, {.name = "board"});
  const graze::BodyId wall =
      world.add(graze::Body(graze::make::box({.size = {0.1, 4, 1}})), graze::Pose({5, 0, 0.5}), {.name = "wall"});
  world.interest(board, wall, false);  // they always touch; this contact is not of interest

  std::vector<graze::BodyId> balls;
  for (int i = 0; i < 3; ++i) {
    balls.push_back(world.add(ball, graze::Pose({-4.0 + i, i - 1.0, 0.4}), {.name = "ball " + std::to_string(i)}));
    world.interest(board, balls.back(), false);
  }

  // A callback may change the world; its changes take effect in the next check.
  int gone = 0;
  world.on_contact(wall, [&](const graze::WorldEvent& event) {
    if (event.kind != graze::EventKind::began) return;
    std::printf("frame %llu: %s reaches the wall\n", static_cast<unsigned long long>(event.frame),
                world.name(event.b).c_str());
    world.remove(event.b);
    ++gone;
  });

  for (int frame = 0; frame < 60; ++frame) {
    for (const graze::BodyId id : balls)
      if (world.has(id)) world.move(id, graze::Pose(world.pose(id).translation() + graze::Vec3{0.2, 0, 0}));
    const graze::CheckResult result = world.check();
    if (!result.undecided.empty()) return 1;
  }
  std::printf("%d of %zu balls reached it; %zu bodies are left\n", gone, balls.size(), world.size());
  return gone == 3 ? 0 : 1;
}
