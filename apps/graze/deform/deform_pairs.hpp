// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <fstream>
#include <string>
#include <vector>

namespace graze::app {

/// The contacts of steps as CSV. Does nothing without a name. Throws `Error` if it cannot be written.
class PairsFile {
 public:
  /// `steps`: lines end with the number of their step.
  PairsFile(const std::string& name, bool steps);
  void write(const std::vector<std::string>& lines, std::size_t step);

 private:
  void check() const;

  std::string name_;
  bool steps_;
  std::ofstream file_;
};

}  // namespace graze::app
