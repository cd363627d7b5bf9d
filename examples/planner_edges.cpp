// SPDX-License-Identifier: MIT
// A planner's loop: random poses of a bracket around a frame are tested in one batch, then the motions between
// neighbouring free poses in another. Both use all threads, and what they allocate is kept for the next round.
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include <graze/graze.hpp>

int main() {
  const graze::Body bracket(graze::make::torus_knot({.p = 2, .q = 3, .triangles = 960}));
  const graze::Body frame(graze::make::torus({.major = 2.5, .minor = 0.2, .triangles = 800}));

  std::mt19937_64 engine(1);
  const auto draw = [&](double size) { return size * (2 * std::ldexp(static_cast<double>(engine() >> 11), -53) - 1); };
  std::vector<graze::Pose> poses(500), free_poses;
  std::vector<graze::CollideResult> hits(poses.size());
  std::vector<graze::Motion> edges;
  std::vector<graze::MotionFreeResult> answers;
  graze::ManyMemory memory;
  graze::ManyOptions<graze::CollideOptions> at_poses;
  graze::ManyOptions<graze::FirstContactOptions> at_edges;
  at_poses.threads = at_edges.threads = 4;
  at_edges.memory = &memory;

  std::size_t free_edges = 0, touching_edges = 0;
  for (int round = 0; round < 3; ++round) {
    for (graze::Pose& pose : poses) {
      const double x = draw(4), y = draw(4), z = draw(3), turn = draw(1);
      pose = graze::Pose({x, y, z}, {1, turn, 0.5, -turn});
    }
    graze::collide_many(bracket, poses, frame, graze::Pose(), hits, at_poses);
    free_poses.clear();
    for (std::size_t i = 0; i < poses.size(); ++i)
      if (hits[i].status == graze::Status::free) free_poses.push_back(poses[i]);

    edges.clear();
    for (std::size_t i = 1; i < free_poses.size(); ++i)
      edges.push_back(graze::Velocity(free_poses[i - 1], free_poses[i]));
    answers.resize(edges.size());
    const graze::ManyResult all = graze::motion_free_many(bracket, edges, frame, graze::Motion(), answers, at_edges);
    free_edges += all.free;
    touching_edges += all.contact;
    std::printf("round %d: %zu free poses, %zu free edges of %zu\n", round, free_poses.size(), all.free, edges.size());
  }
  return free_edges > 0 && touching_edges > 0 ? 0 : 1;
}
