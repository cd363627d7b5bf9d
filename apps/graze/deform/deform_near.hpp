// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace graze::app {

/// `graze deform --near D`: which features are at most D apart in each frame.
struct NearCommand {
  const std::vector<std::string>& frames;
  const std::string &distance, &bodies, &method, &filter;
  bool self, json;
  int threads;
};
int run_near(const NearCommand& command);

}  // namespace graze::app
