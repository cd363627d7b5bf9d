// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "input/json_reader.hpp"
#include "scene/scene_file.hpp"

namespace graze::app {

/// A file named in the scene, relative to the scene's folder. If it does not exist, the error gives its place in the
/// scene.
std::string scene_file(const JsonReader& reader, const std::string& key, const std::filesystem::path& folder,
                       const std::string& name);

/// The motion under this key; no motion if the key is missing. Tracks may be files, relative to the folder.
SceneMotion read_motion(JsonReader& parent, const std::string& key, const std::filesystem::path& folder);

/// The same for this number of coordinates.
SceneJointMotion read_joint_motion(JsonReader& parent, std::size_t coordinates, const std::filesystem::path& folder);

}  // namespace graze::app
