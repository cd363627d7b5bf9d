// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "json_reader.hpp"
#include "scene_file.hpp"

namespace graze::app {

/// A file that the scene names, relative to the scene's own folder; refused by its place in the scene if it is not
/// there.
std::string scene_file(const JsonReader& reader, const std::string& key, const std::filesystem::path& folder,
                       const std::string& name);

/// The motion under this key; one that rests if there is none. Tracks may be files, relative to the folder.
SceneMotion read_motion(JsonReader& parent, const std::string& key, const std::filesystem::path& folder);

/// The same for so many coordinates.
SceneJointMotion read_joint_motion(JsonReader& parent, std::size_t coordinates, const std::filesystem::path& folder);

}  // namespace graze::app
