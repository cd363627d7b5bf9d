// SPDX-License-Identifier: MIT
// An application loop that never waits for a check: the checks run in a separate thread. The application posts what
// moved and takes the results found meanwhile. Every event carries the frame number and the poses it refers to.
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include <graze/graze.hpp>

int main() {
  graze::ConcurrentWorld world;
  const graze::Body knot(graze::make::torus_knot({.p = 2, .q = 3, .triangles = 2880}));
  world.add(knot);
  const graze::BodyId flying = world.add(knot, graze::Pose({-4, 0, 0}));

  bool touched = false;
  std::vector<graze::CheckResult> results;
  const auto look = [&] {
    results.clear();
    world.take(results);
    for (const graze::CheckResult& result : results)
      for (const graze::WorldEvent& event : result.events) {
        if (event.kind != graze::EventKind::began) continue;
        std::printf("in frame %llu, when it was at x = %.2f, the knot began to touch the other\n",
                    static_cast<unsigned long long>(event.frame), event.pose_b.translation().x);
        touched = true;
      }
  };
  for (int frame = 0; frame < 80; ++frame) {
    world.move(flying, graze::Pose({-4 + 0.1 * frame, 0, 0}));
    world.post();
    look();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // stands for rendering
  }
  world.wait();  // only at the end: wait for the results of all posted frames
  look();
  std::printf("%llu frames posted, %llu of them without a check of their own\n",
              static_cast<unsigned long long>(world.posted()), static_cast<unsigned long long>(world.skipped_frames()));
  return touched ? 0 : 1;
}
