// SPDX-License-Identifier: MIT
// A rotating knot moves towards a board: when do they first touch, where, and with which features? In a second query
// the knot flies past the board: the answer "free" comes with a proof.
#include <cstdio>

#include <graze/ask/first_contact.hpp>
#include <graze/graze.hpp>

int main() {
  const graze::Body knot(graze::make::torus_knot({.p = 2, .q = 3, .triangles = 2880}));
  const graze::Body board(graze::make::box());

  // Poses are a translation and a quaternion w x y z of any length. Time runs from 0 to 1; a body moves from one pose
  // to another, or with constant velocities, or stays at rest.
  const graze::Velocity towards(graze::Pose({-4, 0.25, 0}), graze::Pose({4, 0.25, 0}, {0.25, 1, 0.5, 0}));
  const graze::FirstContactResult hit = graze::first_contact(knot, towards, board, graze::Still{});
  if (hit.status != graze::Status::contact) return 1;
  std::printf("certainly apart before t = %.9g, %.3g apart at t = %.9g\n", hit.time.safe, hit.gap, hit.time.touch);
  for (const graze::Feature& feature : hit.features)
    std::printf("%s: %u of the knot, %u of the board\n", graze::name(feature.kind), feature.a.id[0], feature.b.id[0]);
  if (hit.normal) std::printf("normal (%.6g, %.6g, %.6g)\n", hit.normal->x, hit.normal->y, hit.normal->z);

  // With velocities, a body can make many turns: here 20 radians about z while it flies past.
  const auto past = graze::Velocity::from_speeds(graze::Pose({-4, 3, 0}), {8, 0, 0}, {0, 0, 20});
  graze::FirstContactOptions options;
  options.certificate = true;
  const graze::FirstContactResult miss = graze::first_contact(knot, past, board, graze::Still{}, options);
  std::printf("%s\n", graze::name(miss.status));
  if (miss.status != graze::Status::free || !miss.certificate) return 1;
  std::printf("the proof, which graze-verify checks, has %zu bytes\n", miss.certificate->text.size());
  return 0;
}
