// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

/// The files that a page was given, as what reads files by their names sees them: std::fopen, std::ifstream and
/// std::filesystem, whose system calls given_files.cpp answers.
namespace graze::web {

struct GivenFile {
  std::string name;  ///< as the page has it, perhaps with folders
  std::span<const char> bytes;
};

/// Until it ends, the files are there; the bytes must stay. There is one at a time.
class GivenFiles {
 public:
  explicit GivenFiles(std::vector<GivenFile> files);
  ~GivenFiles();
  GivenFiles(const GivenFiles&) = delete;
  GivenFiles& operator=(const GivenFiles&) = delete;
};

}  // namespace graze::web
