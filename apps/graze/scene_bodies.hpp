// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "json_reader.hpp"
#include "scene_file.hpp"

namespace graze::app {

/// Bodies of a scene, from files and generators. The same one is made once, however often it stands in the scene.
class SceneBodies {
 public:
  explicit SceneBodies(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const std::filesystem::path& folder() const { return folder_; }
  /// "mesh" or "make" with "triangles", and "scale".
  Body read(JsonReader& reader);
  /// "deform": the shapes of a body that was just read, by frame.
  void read_shapes(JsonReader& reader, SceneBody& body);

 private:
  std::filesystem::path folder_;
  std::map<std::string, Body> known_;
};

/// A number whose bits are groups.
std::uint32_t group_bits(JsonReader& reader, const std::string& key, std::uint32_t otherwise);

/// One entry of "articulated".
SceneArticulated read_articulated(JsonReader& reader, SceneBodies& bodies);

}  // namespace graze::app
