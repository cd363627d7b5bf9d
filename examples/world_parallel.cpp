// SPDX-License-Identifier: MIT
// An application loop with several threads: many moving rings; the events of each frame
// are returned as a list. The answers, their witnesses and their order are the same for any number of threads.
#include <cstdio>
#include <vector>

#include <graze/graze.hpp>

namespace {

/// Runs the simulation and returns a hash of all events.
std::uint64_t swarm(int threads) {
  graze::World world({.threads = threads});
  const graze::Body ring(graze::make::torus({.major = 0.4, .minor = 0.1, .triangles = 512}));
  std::vector<graze::BodyId> ids;
  for (int i = 0; i < 64; ++i)
    ids.push_back(world.add(ring, graze::Pose({0.9 * (i % 4), 0.9 * (i / 4 % 4), 0.9 * (i / 16)})));

  std::uint64_t hash = 0;
  std::size_t began = 0, ended = 0;
  graze::CheckResult result;  // reused in every frame
  for (int frame = 0; frame < 20; ++frame) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const graze::Pose now = world.pose(ids[i]);
      const graze::Quat q = now.rotation();
      // A small rotation about x: (1, s, 0, 0) times q. Quaternions need not be normalised.
      const double s = 0.02 * static_cast<double>(i % 5);
      world.move(ids[i], graze::Pose(now.translation(), {q.w - s * q.x, q.x + s * q.w, q.y - s * q.z, q.z + s * q.y}));
    }
    world.check({}, result);
    for (const graze::WorldEvent& event : result.events) {
      began += event.kind == graze::EventKind::began;
      ended += event.kind == graze::EventKind::ended;
    }
    hash = graze::event_hash(result.events, hash);
  }
  std::printf("%d threads: %zu contacts began, %zu ended, %016llx\n", threads, began, ended,
              static_cast<unsigned long long>(hash));
  return hash;
}

}  // namespace

int main() { return swarm(1) == swarm(2) ? 0 : 1; }
