// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace graze::app {

/// A file that an argument stands for.
struct FoundFile {
  std::filesystem::path file;
  std::string name;    ///< without the folder of the argument, and without the ending: "hvac/duct 7"
  std::string folder;  ///< of `name`; of a single file the folder in which it is
};

/// What an argument stands for: a file; all mesh files below a folder; or, if there is neither, the mesh files that
/// match it as a pattern ('*', '?', [..] within a name, ** for any number of folders). Sorted by name. Throws `Error`
/// if there is none.
std::vector<FoundFile> find_files(const std::string& argument);

}  // namespace graze::app
