// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <graze/core/error.hpp>
#include <graze/world/replay.hpp>

#include "deform/deform_frames.hpp"
#include "input/json_reader.hpp"
#include "input/query_options.hpp"
#include "input/refuse_file.hpp"
#include "view/subjects.hpp"

namespace graze::app {
namespace {

std::string whole_file(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) refuse_file(ErrorCode::file_not_found, file, "cannot be opened; check the name and the permissions");
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

std::string ending_of(const std::string& file) {
  std::string ending = std::filesystem::path(file).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

/// "cloth_012.ply" as "cloth_#.ply".
std::string without_digits(const std::string& file) {
  std::string out;
  for (const unsigned char c : std::filesystem::path(file).filename().string())
    if (!std::isdigit(c))
      out += static_cast<char>(c);
    else if (!out.ends_with('#'))
      out += '#';
  return out;
}

/// Names that differ in digits only, and the same polygons: frames of one mesh.
bool are_frames(std::span<const std::string> files) {
  if (files.size() < 2) return false;
  const std::string stem = without_digits(files[0]);
  if (stem.find('#') == stem.npos) return false;
  for (const std::string& file : files)
    if (without_digits(file) != stem || !std::filesystem::is_regular_file(file)) return false;
  const Mesh first = load(files[0], {});
  return std::all_of(files.begin() + 1, files.end(), [&](const std::string& file) {
    return frame_difference(first, files[0], load(file, {})).empty();
  });
}

/// One object, or one a line.
std::vector<Json> json_objects(const std::string& file) {
  const std::string text = whole_file(file);
  check_nesting(file, text);
  std::vector<Json> out;
  if (Json whole = Json::parse(text, nullptr, false); !whole.is_discarded()) {
    out.push_back(std::move(whole));
  } else {
    std::istringstream lines(text);
    std::uint64_t number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      if (line.find_first_not_of(" \t\r") == line.npos) continue;
      Json object = Json::parse(line, nullptr, false);
      if (object.is_discarded())
        refuse_file(ErrorCode::bad_file, file,
                    "is no JSON; meshes have names that end in obj, off, ply or stl, tables in csv", number);
      out.push_back(std::move(object));
    }
  }
  for (const Json& object : out)
    if (!object.is_object()) refuse_file(ErrorCode::bad_file, file, "is JSON, but nothing that graze writes or reads");
  return out;
}

void show_robot(ViewDocument& view, const std::string& file, const std::string& path) {
  if (!path.empty())
    add_robot_path(view, file, path);
  else if (ending_of(file) == ".urdf")
    add_urdf(view, file);
  else
    add_robot(view, file, {});
}

/// Of a robot on this path, if there is one.
void add_json(ViewDocument& view, const std::string& file, const std::string& path) {
  for (Json& object : json_objects(file)) {
    if (object.contains("report") && object["report"] == "clash") add_reported_parts(view, file, object);
    const bool is_answer = object.contains("status") || object.contains("events") || object.contains("hit") ||
                           object.contains("event_count");
    if (is_answer)
      view.answers.push_back(std::move(object));
    else if (object.contains("bodies") || object.contains("articulated"))
      add_scene(view, file, std::nullopt);
    else if (object.contains("links"))
      show_robot(view, file, path);
    else
      refuse_file(
          ErrorCode::bad_file, file,
          "is neither an answer (--json), a scene nor a robot; a question that --dump wrote is shown by asking it "
          "again: graze replay FILE --json > answer.json");
  }
}

bool is_robot(const std::string& file) {
  if (ending_of(file) == ".urdf") return true;
  if (ending_of(file) != ".json") return false;
  const std::vector<Json> objects = json_objects(file);
  return objects.size() == 1 && objects[0].contains("links") && !objects[0].contains("bodies") &&
         !objects[0].contains("status");
}

/// The table beside a robot: the path that it is shown on. Empty: there is none.
std::string robot_path(std::span<const std::string> files) {
  if (std::none_of(files.begin(), files.end(), is_robot)) return {};
  const auto table =
      std::find_if(files.begin(), files.end(), [](const auto& file) { return ending_of(file) == ".csv"; });
  return table == files.end() ? std::string() : *table;
}

}  // namespace

void add_files(ViewDocument& view, std::span<const std::string> files) {
  std::vector<std::string> meshes;
  const std::string path = robot_path(files);
  for (const std::string& file : files) {
    const std::string ending = ending_of(file);
    if (ending == ".json" || ending == ".jsonl")
      add_json(view, file, path);
    else if (std::filesystem::is_regular_file(file) && is_recording(file))
      add_recording(view, file);
    else if (file == path)
      continue;  // the robot is shown on it
    else if (ending == ".csv")
      view.tables.push_back({std::filesystem::path(file).filename().string(), whole_file(file)});
    else if (ending == ".urdf")
      show_robot(view, file, path);
    else
      meshes.push_back(file);
  }
  if (are_frames(meshes)) {
    std::sort(meshes.begin(), meshes.end(), [](const std::string& a, const std::string& b) {
      return a.size() != b.size() ? a.size() < b.size() : a < b;
    });
    add_frames(view, meshes);
  } else {
    for (const std::string& file : meshes)
      add_body(view, std::filesystem::path(file).filename().string(), load_body(file, {}));
  }
  if (view.bodies.empty() && view.tables.empty())
    refuse_option("WHAT", "is an answer without the bodies that it is about: name their meshes, too, A first");
  place_bodies(view);
}

}  // namespace graze::app
