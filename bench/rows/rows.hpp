// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/progress.hpp"
#include "harness/table.hpp"
#include "peers/peers.hpp"

namespace graze::bench {

/// Settings shared by all rows.
struct Context {
  Table table;
  Progress progress;
  std::size_t poses = 1000;             ///< queries of the large rows; others scale with it. Rigid: flights of a scene
  double patience = 10;                 ///< rigid: time limit in seconds of a method for the flights of a scene
  bool quick = false;                   ///< skip parts that take minutes
  bool every_method = false;            ///< print every line of `methods`, not only the winners
  std::vector<std::string> peers = {};  ///< by name; none: all that are installed
  std::filesystem::path data = {};
};

/// Is the peer installed and selected?
bool takes_part(const Context& context, const Peer& peer);

/// One subject of the benchmark: adds its lines to the table.
struct Row {
  std::string_view name;
  std::string_view summary;
  void (*run)(Context&);
};

/// A subject of the command line, with its rows in the order in which they run.
struct Suite {
  std::string_view name;
  std::string_view summary;
  std::string_view count_option;   ///< "--poses"
  std::size_t count, quick_count;  ///< of poses
  std::string_view ratio;          ///< heading of the ratio column
  std::span<const Row> rows;
  std::string_view only_peer;  ///< the only peer that supports the subject; empty: all do; "none": none does
};
std::span<const Suite> suites();
std::span<const Row> discrete_rows();
std::span<const Row> rigid_rows();

/// The target for graze's time divided by the peer's, by the peer's name.
using Targets = std::map<std::string, double>;

/// One task for graze and all installed peers: compares the answers, times the contestants, and adds one line each.
struct Comparison {
  std::string row, task;
  Question question = Question::yes_no;
  std::size_t block = 1;
  Targets targets = {};
  std::string note = {};  ///< of graze's own line
};
void compare(Context& context, const Comparison& comparison, const Scene& scene);

void row_yes_no(Context&);
void row_all_pairs(Context&);
void row_distance(Context&);
void row_knots(Context&);
void row_convex(Context&);
void row_build(Context&);
void row_files(Context&);
void row_methods(Context&);
void row_degenerate(Context&);
void row_threads(Context&);
void row_switches(Context&);

}  // namespace graze::bench
