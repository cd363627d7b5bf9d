// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "input/json_reader.hpp"
#include "scene/scene_file.hpp"

namespace graze::app {

/// The bodies of a scene, from files and generators. Equal bodies are created once, however often they appear in the
/// scene.
class SceneBodies {
 public:
  SceneBodies(std::filesystem::path folder, bool weld) : folder_(std::move(folder)), weld_(weld) {}

  const std::filesystem::path& folder() const { return folder_; }
  /// "weld": merge vertices at exactly equal positions? Defaults to the scene's option.
  bool read_weld(JsonReader& reader) const { return reader.flag("weld", weld_); }
  /// "mesh" or "make" with "triangles", "scale" and "weld"; `weld` is the default. Or "shape", "heights" with
  /// "spacing", or "pieces".
  Body read(JsonReader& reader) { return read(reader, weld_); }
  Body read(JsonReader& reader, bool weld);
  /// "deform": the shapes of the body just read, by frame.
  void read_shapes(JsonReader& reader, SceneBody& body);

 private:
  std::filesystem::path folder_;
  bool weld_;
  std::map<std::string, Body> known_;
};

/// One entry of "articulated".
SceneArticulated read_articulated(JsonReader& reader, SceneBodies& bodies);

}  // namespace graze::app
