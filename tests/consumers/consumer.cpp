// SPDX-License-Identifier: MIT
// A user's first program: a body against itself moved so that the two touch, and moved further away.
#include <graze/graze.hpp>

#include <cstdio>
#include <vector>

int main() {
  const std::vector<graze::Vec3> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<graze::Triangle> faces{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  const graze::Body body(graze::Mesh(corners, faces));
  const auto hit = graze::collide(body, graze::Pose(), body, graze::Pose({1, 0, 0}));
  const auto miss = graze::collide(body, graze::Pose(), body, graze::Pose({2, 0, 0}));
  std::printf("%s, %s\n", graze::name(hit.status), graze::name(miss.status));
  return hit.status == graze::Status::contact && miss.status == graze::Status::free ? 0 : 1;
}
