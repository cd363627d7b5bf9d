// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace graze::bench {

/// A progress bar on standard error if that is a terminal; otherwise does nothing.
class Progress {
 public:
  Progress();
  /// Starts a new task: shows its name with an empty bar.
  void begin(std::string task);
  /// How much of the task is done, 0 to 1. Cheap: draws only when a new percent is reached.
  void show(double share);
  /// Clears the bar, so that lines can be printed.
  void clear();

 private:
  bool terminal_;
  std::string task_;
  int percent_ = -1;
};

}  // namespace graze::bench
