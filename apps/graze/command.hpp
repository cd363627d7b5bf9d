// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/App.hpp>

namespace graze::app {

/// The exit statuses of the process, documented in docs/command-line.md.
enum ExitStatus : int { exit_answered = 0, exit_contact = 1, exit_refused = 2, exit_undecided = 3 };

/// Each function declares one command with its options. If the user chose it, it runs and stores the exit status.
void add_info(CLI::App& graze, int& exit_status);
void add_collide(CLI::App& graze, int& exit_status);
void add_distance(CLI::App& graze, int& exit_status);
void add_penetration(CLI::App& graze, int& exit_status);
void add_manifold(CLI::App& graze, int& exit_status);
void add_clash(CLI::App& graze, int& exit_status);
void add_ray(CLI::App& graze, int& exit_status);
void add_first_contact(CLI::App& graze, int& exit_status);
void add_chain(CLI::App& graze, int& exit_status);
void add_robot(CLI::App& graze, int& exit_status);
void add_cage(CLI::App& graze, int& exit_status);
void add_world(CLI::App& graze, int& exit_status);
void add_queries(CLI::App& graze, int& exit_status);
void add_replay(CLI::App& graze, int& exit_status);
void add_verify(CLI::App& graze, int& exit_status);
void add_deform(CLI::App& graze, int& exit_status);
void add_make(CLI::App& graze, int& exit_status);
void add_view(CLI::App& graze, int& exit_status);
void add_report(CLI::App& graze, int& exit_status);
void add_play(CLI::App& graze, int& exit_status);
void add_demo(CLI::App& graze, int& exit_status);
void add_man(CLI::App& graze, int& exit_status);
void add_completion(CLI::App& graze, int& exit_status);

/// Those that answer a question about bodies: what `view` and `report` may show.
void add_questions(CLI::App& graze, int& exit_status);
/// All, in the order of --help.
void add_commands(CLI::App& graze, int& exit_status);

}  // namespace graze::app
