// SPDX-License-Identifier: MIT
#include "command.hpp"

namespace graze::app {

void add_questions(CLI::App& graze, int& exit_status) {
  add_info(graze, exit_status);
  add_collide(graze, exit_status);
  add_distance(graze, exit_status);
  add_penetration(graze, exit_status);
  add_manifold(graze, exit_status);
  add_clash(graze, exit_status);
  add_ray(graze, exit_status);
  add_deform(graze, exit_status);
  add_first_contact(graze, exit_status);
  add_chain(graze, exit_status);
  add_robot(graze, exit_status);
  add_cage(graze, exit_status);
  add_world(graze, exit_status);
  add_queries(graze, exit_status);
  add_replay(graze, exit_status);
  add_verify(graze, exit_status);
}

void add_commands(CLI::App& graze, int& exit_status) {
  add_questions(graze, exit_status);
  add_view(graze, exit_status);
  add_report(graze, exit_status);
  add_make(graze, exit_status);
  add_demo(graze, exit_status);
  add_man(graze, exit_status);
  add_completion(graze, exit_status);
}

}  // namespace graze::app
