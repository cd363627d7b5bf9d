// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <graze/math/pose.hpp>

#include "clash/units.hpp"

namespace graze::app {

/// Where a mesh comes from. Equal sources are read once.
struct MeshSource {
  std::filesystem::path file;  ///< empty: it is made
  std::string make = {};       ///< a shape of `graze make --list`
  std::uint64_t triangles = 0;
  double scale = 1;

  std::string text() const;  ///< for messages, and to recognise equal ones
};

/// One part, or several (if its file is split), before anything has been read.
struct PartEntry {
  std::string name, group = {}, guid = {};
  MeshSource source;
  Pose pose = {};
  bool named = false;  ///< by a list, not after its file
};

/// Is the argument a list of parts (.json, .csv)?
bool is_part_list(const std::string& argument);

/// The parts of a list, whose lengths are in `unit`. A CSV file with a header: the column `file`, and any of name, x,
/// y, z, qw, qx, qy, qz, group, guid, unit, scale. Or a JSON file {"version": 1, "parts": [...]} (or "bodies", as in a
/// scene file of `graze world`), each with "mesh" or "make", and any of name, pose, scale, unit, group, guid. Files are
/// relative to the list.
std::vector<PartEntry> read_part_list(const std::string& file, const Unit& unit);

/// GUIDs by name: a CSV file with two columns, with or without a header "name,guid".
std::vector<std::pair<std::string, std::string>> read_guids(const std::string& file);

}  // namespace graze::app
