// SPDX-License-Identifier: MIT
#include "robot_file.hpp"

#include <filesystem>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <graze/core/error.hpp>

namespace graze::app {
namespace {

JointType read_type(JsonReader& reader) {
  const std::string text = reader.text("type");
  for (const JointType type : {JointType::fixed, JointType::revolute, JointType::prismatic, JointType::screw})
    if (text == graze::name(type)) return type;
  reader.refuse("type", fmt::format("unknown joint '{}'; choose fixed, revolute, prismatic or screw", text));
}

Joint read_joint(JsonReader reader) {
  Joint joint;
  joint.type = read_type(reader);
  if (reader.has("origin")) joint.origin = reader.pose("origin");
  if (reader.has("axis")) joint.axis = reader.point("axis");
  joint.pitch = reader.number("pitch", 0);
  reader.finish();
  return joint;
}

/// The errors of a chain name links, but not the file.
Chain make_chain(const std::string& file, std::vector<Link> links) {
  try {
    return Chain(std::move(links));
  } catch (const Error& error) {
    ErrorDetail detail = error.detail();
    detail.file = file;
    throw Error(detail);
  }
}

/// The mesh of a link is a file beside the robot's, or a shape.
Body load_link(const std::filesystem::path& folder, const std::string& mesh, const InputOptions& input) {
  if (shape::is_shape_text(mesh) && !std::filesystem::exists(folder / mesh)) return load_body(mesh, input);
  return load_body((folder / mesh).string(), input);
}

std::vector<std::optional<Body>> load_bodies(const std::string& file, const std::vector<std::string>& meshes,
                                             const InputOptions& input) {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  std::map<std::string, Body> loaded;  // links may share a mesh
  std::vector<std::optional<Body>> out;
  for (const std::string& mesh : meshes) {
    if (mesh.empty()) {
      out.emplace_back();
      continue;
    }
    auto found = loaded.find(mesh);
    if (found == loaded.end()) found = loaded.emplace(mesh, load_link(folder, mesh, input)).first;
    out.emplace_back(found->second);
  }
  return out;
}

}  // namespace

Link read_link(JsonReader& reader) {
  Link link;
  link.name = reader.text("name");
  link.parent = reader.text("parent", "");
  link.joint = read_joint(reader.object("joint"));
  return link;
}

std::vector<std::array<LinkId, 2>> read_ignored(JsonReader& reader, const Chain& chain) {
  std::vector<std::array<LinkId, 2>> out;
  if (!reader.has("ignore")) return out;
  for (const auto& names : reader.name_pairs("ignore")) {
    std::array<LinkId, 2> pair{};
    for (std::size_t i = 0; i < 2; ++i) {
      const std::optional<LinkId> id = chain.find(names[i]);
      if (!id) reader.refuse("ignore", fmt::format("there is no link '{}'", names[i]));
      pair[i] = *id;
    }
    out.push_back(pair);
  }
  return out;
}

Robot load_robot(const std::string& file, const InputOptions& input) {
  JsonReader reader = JsonReader::open(file);
  if (reader.has("version")) reader.check_version();
  std::vector<Link> links;
  std::vector<std::string> meshes;
  for (JsonReader& link : reader.objects("links")) {
    links.push_back(read_link(link));
    meshes.push_back(link.text("mesh", ""));
    link.finish();
  }
  if (links.empty()) reader.refuse("links", "must hold at least one link");
  Robot robot{make_chain(file, std::move(links)), {}, {}, {}, {}};
  const std::size_t coordinates = robot.chain.coordinates();
  if (reader.has("from")) robot.from = reader.numbers("from", coordinates);
  if (reader.has("to")) robot.to = reader.numbers("to", coordinates);
  robot.ignored = read_ignored(reader, robot.chain);
  reader.finish();
  robot.bodies = load_bodies(file, meshes, input);
  return robot;
}

}  // namespace graze::app
