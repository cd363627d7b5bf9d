// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace graze::app {

/// `graze deform --step-size`, as given on the command line.
struct StepSizeFlags {
  bool on = false, ignore_crossings = false, count_starts = false;
  std::string slack;
};

/// `graze deform`, as given on the command line.
struct DeformCommand {
  std::vector<std::string> frames;
  bool self = false, first = false, all = false, exact = false, no_start = false, breaking = false, json = false,
       details = false, gpu = false;
  std::string tolerance, min_separation, near, pairs, certificate, bodies, filter, seconds, method = "iccd";
  int threads = 1;
  std::uint64_t work = 0;
  StepSizeFlags step_size;
};

}  // namespace graze::app
