// SPDX-License-Identifier: MIT
// A loop that never waits: the checks run in a thread of their own. The application posts what moved and takes what was
// found meanwhile; every event says which frame and which poses it speaks of.
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
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // draw the picture
  }
  world.wait();  // at the end, and only there, everything posted is of interest
  look();
  std::printf("%llu frames posted, %llu of them without a check of their own\n",
              static_cast<unsigned long long>(world.posted()), static_cast<unsigned long long>(world.skipped_frames()));
  return touched ? 0 : 1;
}
