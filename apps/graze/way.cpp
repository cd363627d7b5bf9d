// SPDX-License-Identifier: MIT
#include "way.hpp"

#include <array>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <graze/core/error.hpp>

#include "pose_text.hpp"
#include "query_options.hpp"

namespace graze::app {
namespace {

std::vector<double> parse_exactly(std::size_t count, const char* form, const std::string& text,
                                  const std::string& option) {
  std::vector<double> v = parse_numbers(text, option);
  if (v.size() != count)
    refuse_option(option,
                  fmt::format("must be one quoted argument of {} numbers, {}; this has {}", count, form, v.size()));
  return v;
}

Speeds to_speeds(const std::vector<double>& v) { return {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}}; }

}  // namespace

const char* name(MotionKind kind) {
  switch (kind) {
    case MotionKind::velocity: return "velocity";
    case MotionKind::screw: return "screw";
    case MotionKind::linear: return "linear";
  }
  return "unknown";
}

MotionKind parse_motion_kind(const std::string& text) {
  for (const MotionKind kind : {MotionKind::velocity, MotionKind::screw, MotionKind::linear})
    if (text == name(kind)) return kind;
  refuse_option("--motion", fmt::format("unknown motion '{}'; choose velocity, screw or linear", text));
}

void add_way_options(CLI::App& command, const std::string& body, WayText& text) {
  const std::string upper = body == "a" ? "A" : "B";
  const auto add = [&](const char* what, std::string& value, const std::string& help, const char* type) {
    return add_text(command, fmt::format("--{}-{}", body, what), value, help, type);
  };
  add("from", text.from, fmt::format("Where {} starts; default: where its file puts it", upper), "POSE");
  CLI::Option* to = add("to", text.to, fmt::format("Where {} ends; default: it stays", upper), "POSE");
  add("velocity", text.velocity,
      fmt::format("Instead of an end: the velocity of {}, \"vx vy vz wx wy wz\" (radians), in the world;\n"
                  "it may turn more than half a turn",
                  upper),
      "V")
      ->excludes(to);
  add("reference", text.reference,
      fmt::format("The point of {} that goes straight, \"x y z\" in the file's coordinates; default 0 0 0", upper),
      "POINT");
}

Way parse_way(const WayText& text, const std::string& body) {
  const auto option = [&](const char* what) { return fmt::format("--{}-{}", body, what); };
  Way way;
  if (!text.from.empty()) way.from = parse_pose(text.from, option("from"));
  if (!text.to.empty()) way.to = parse_pose(text.to, option("to"));
  if (!text.velocity.empty())
    way.speeds = to_speeds(parse_exactly(6, "\"vx vy vz wx wy wz\"", text.velocity, option("velocity")));
  if (!text.reference.empty()) {
    const auto v = parse_exactly(3, "\"x y z\"", text.reference, option("reference"));
    way.reference = Vec3{v[0], v[1], v[2]};
  }
  return way;
}

Motion to_motion(const Way& way, MotionKind kind) {
  const Vec3 reference = way.reference.value_or(Vec3{});
  if (way.speeds) return Velocity::from_speeds(way.from, way.speeds->linear, way.speeds->angular, reference);
  if (!way.to) return Still{way.from};
  switch (kind) {
    case MotionKind::velocity: return Velocity(way.from, *way.to, reference);
    case MotionKind::screw: return Screw(way.from, *way.to);
    case MotionKind::linear: return LinearParameters(way.from, *way.to);
  }
  return Still{way.from};
}

std::string way_text(const Way& way) {
  const auto point = [](const Vec3& v) { return fmt::format("{} {} {}", v.x, v.y, v.z); };
  std::string text = (way.moves() ? "from " : "stays at ") + pose_text(way.from);
  if (way.to) text += " to " + pose_text(*way.to);
  if (way.speeds) text += fmt::format(" with velocity {} {}", point(way.speeds->linear), point(way.speeds->angular));
  if (way.reference) text += ", reference point " + point(*way.reference);
  return text;
}

void add_to_json(Json& out, const Way& way, const std::string& body) {
  out[body + "_from"] = to_json(way.from);
  if (way.to) out[body + "_to"] = to_json(*way.to);
  if (way.speeds) {
    const auto& [v, w] = *way.speeds;
    out[body + "_velocity"] = Json::array({v.x, v.y, v.z, w.x, w.y, w.z});
  }
  if (way.reference) out[body + "_reference"] = to_json(*way.reference);
}

Way read_way(JsonReader& reader, const std::string& body) {
  Way way;
  if (reader.has(body + "_from")) way.from = reader.pose(body + "_from");
  if (reader.has(body + "_to")) way.to = reader.pose(body + "_to");
  if (reader.has(body + "_velocity")) way.speeds = to_speeds(reader.numbers(body + "_velocity", 6));
  if (reader.has(body + "_reference")) way.reference = reader.point(body + "_reference");
  if (way.to && way.speeds) reader.refuse(body + "_velocity", fmt::format("cannot go with {}_to", body));
  return way;
}

}  // namespace graze::app
