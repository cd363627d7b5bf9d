// SPDX-License-Identifier: MIT
#include "input/robot_file.hpp"

#include <filesystem>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <graze/core/error.hpp>

#include "input/pieces.hpp"

namespace graze::app {
namespace {

constexpr JointType all_types[] = {JointType::fixed, JointType::revolute, JointType::continuous, JointType::prismatic,
                                   JointType::screw, JointType::planar,   JointType::floating};

JointType read_type(JsonReader& reader) {
  const std::string text = reader.text("type");
  std::string known;
  for (const JointType type : all_types) {
    if (text == graze::name(type)) return type;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", graze::name(type));
  }
  reader.refuse("type", fmt::format("unknown joint '{}'; choose one of {}", text, known));
}

Mimic read_mimic(JsonReader reader) {
  Mimic mimic;
  mimic.link = reader.text("link");
  mimic.factor = reader.number("factor", 1);
  mimic.offset = reader.number("offset", 0);
  reader.finish();
  return mimic;
}

Joint read_joint(JsonReader reader) {
  Joint joint;
  joint.type = read_type(reader);
  if (reader.has("origin")) joint.origin = reader.pose("origin");
  if (reader.has("axis")) joint.axis = reader.point("axis");
  joint.pitch = reader.number("pitch", 0);
  joint.name = reader.text("name", "");
  if (reader.has("limits")) {
    const std::vector<double> limits = reader.numbers("limits", 2);
    joint.limits = JointLimits{limits[0], limits[1]};
  }
  if (reader.has("mimic")) joint.mimic = read_mimic(reader.object("mimic"));
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

/// Reads the bodies of links: files beside the robot's, shapes, and compounds of both.
class LinkBodies {
 public:
  LinkBodies(const std::string& file, const InputOptions& input)
      : folder_(std::filesystem::path(file).parent_path()), input_(input) {}

  /// "mesh" or "pieces"; none: the link is only a frame.
  std::optional<Body> read(JsonReader& link) {
    if (link.has("mesh") && link.has("pieces")) link.refuse("pieces", "give either \"mesh\" or \"pieces\"");
    if (link.has("pieces"))
      return read_compound(link, [&](JsonReader& piece) {
        const std::optional<Body> body = read(piece);
        if (!body) piece.refuse("mesh", "a piece needs a \"mesh\", which is a file or a shape, or \"pieces\"");
        return *body;
      });
    const std::string mesh = link.text("mesh", "");
    if (mesh.empty()) return std::nullopt;
    const auto found = loaded_.find(mesh);
    if (found != loaded_.end()) return found->second;  // links may share a mesh
    return loaded_.emplace(mesh, load(mesh)).first->second;
  }

 private:
  Body load(const std::string& mesh) const {
    if (shape::is_shape_text(mesh) && !std::filesystem::exists(folder_ / mesh)) return load_body(mesh, input_);
    return load_body((folder_ / mesh).string(), input_);
  }

  std::filesystem::path folder_;
  const InputOptions& input_;
  std::map<std::string, Body> loaded_;
};

/// The names of links that are there.
std::vector<std::string> read_links(JsonReader& reader, const std::string& key, const Chain& chain) {
  std::vector<std::string> names = reader.texts(key);
  for (const std::string& name : names)
    if (!chain.find(name)) reader.refuse(key, fmt::format("there is no link '{}'", name));
  return names;
}

/// A state is given by all coordinates.
RobotState read_named_state(JsonReader& reader, const Chain& chain) {
  RobotState state;
  state.name = reader.text("name");
  state.group = reader.text("group", "");
  const std::vector<double> q = reader.numbers("coordinates", chain.coordinates());
  for (std::uint32_t i = 0; i < chain.size(); ++i)
    if (const auto first = chain.first_coordinate(LinkId{i})) {
      const auto at = q.begin() + static_cast<std::ptrdiff_t>(*first);
      const auto count = static_cast<std::ptrdiff_t>(coordinates_of(chain.link(LinkId{i}).joint.type));
      state.values.emplace_back(chain.link(LinkId{i}).name, std::vector<double>(at, at + count));
    }
  reader.finish();
  return state;
}

/// What an SRDF says of other robots.
void read_semantics(JsonReader& reader, Robot& robot) {
  if (reader.has("groups"))
    for (JsonReader& group : reader.objects("groups")) {
      robot.groups.push_back({group.text("name"), read_links(group, "links", robot.chain)});
      group.finish();
    }
  if (reader.has("states"))
    for (JsonReader& state : reader.objects("states")) robot.states.push_back(read_named_state(state, robot.chain));
  if (reader.has("passive")) robot.passive = read_links(reader, "passive", robot.chain);
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
  std::vector<std::optional<Body>> link_bodies;
  LinkBodies bodies(file, input);
  for (JsonReader& link : reader.objects("links")) {
    links.push_back(read_link(link));
    link_bodies.push_back(bodies.read(link));
    link.finish();
  }
  if (links.empty()) reader.refuse("links", "must hold at least one link");
  Robot robot{make_chain(file, std::move(links)), std::move(link_bodies), {}, {}, {}, {}, {}, {}};
  const std::size_t coordinates = robot.chain.coordinates();
  if (reader.has("from")) robot.from = reader.numbers("from", coordinates);
  if (reader.has("to")) robot.to = reader.numbers("to", coordinates);
  robot.ignored = read_ignored(reader, robot.chain);
  read_semantics(reader, robot);
  reader.finish();
  return robot;
}

}  // namespace graze::app
