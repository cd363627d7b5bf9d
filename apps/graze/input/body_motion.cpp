// SPDX-License-Identifier: MIT
#include "input/body_motion.hpp"

#include <array>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <graze/core/error.hpp>

#include "input/pose_text.hpp"
#include "input/query_options.hpp"

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

void add_body_motion_options(CLI::App& command, const std::string& body, BodyMotionText& text) {
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

BodyMotion parse_body_motion(const BodyMotionText& text, const std::string& body) {
  const auto option = [&](const char* what) { return fmt::format("--{}-{}", body, what); };
  BodyMotion motion;
  if (!text.from.empty()) motion.from = parse_pose(text.from, option("from"));
  if (!text.to.empty()) motion.to = parse_pose(text.to, option("to"));
  if (!text.velocity.empty())
    motion.speeds = to_speeds(parse_exactly(6, "\"vx vy vz wx wy wz\"", text.velocity, option("velocity")));
  if (!text.reference.empty()) {
    const auto v = parse_exactly(3, "\"x y z\"", text.reference, option("reference"));
    motion.reference = Vec3{v[0], v[1], v[2]};
  }
  return motion;
}

Motion to_motion(const BodyMotion& motion, MotionKind kind) {
  const Vec3 reference = motion.reference.value_or(Vec3{});
  if (motion.speeds)
    return Velocity::from_speeds(motion.from, motion.speeds->linear, motion.speeds->angular, reference);
  if (!motion.to) return Still{motion.from};
  switch (kind) {
    case MotionKind::velocity: return Velocity(motion.from, *motion.to, reference);
    case MotionKind::screw: return Screw(motion.from, *motion.to);
    case MotionKind::linear: return LinearParameters(motion.from, *motion.to);
  }
  return Still{motion.from};
}

std::string body_motion_text(const BodyMotion& motion) {
  const auto point = [](const Vec3& v) { return fmt::format("{} {} {}", v.x, v.y, v.z); };
  std::string text = (motion.moves() ? "from " : "stays at ") + pose_text(motion.from);
  if (motion.to) text += " to " + pose_text(*motion.to);
  if (motion.speeds)
    text += fmt::format(" with velocity {} {}", point(motion.speeds->linear), point(motion.speeds->angular));
  if (motion.reference) text += ", reference point " + point(*motion.reference);
  return text;
}

void add_to_json(Json& out, const BodyMotion& motion, const std::string& body) {
  out[body + "_from"] = to_json(motion.from);
  if (motion.to) out[body + "_to"] = to_json(*motion.to);
  if (motion.speeds) {
    const auto& [v, w] = *motion.speeds;
    out[body + "_velocity"] = Json::array({v.x, v.y, v.z, w.x, w.y, w.z});
  }
  if (motion.reference) out[body + "_reference"] = to_json(*motion.reference);
}

BodyMotion read_body_motion(JsonReader& reader, const std::string& body) {
  BodyMotion motion;
  if (reader.has(body + "_from")) motion.from = reader.pose(body + "_from");
  if (reader.has(body + "_to")) motion.to = reader.pose(body + "_to");
  if (reader.has(body + "_velocity")) motion.speeds = to_speeds(reader.numbers(body + "_velocity", 6));
  if (reader.has(body + "_reference")) motion.reference = reader.point(body + "_reference");
  if (motion.to && motion.speeds) reader.refuse(body + "_velocity", fmt::format("cannot go with {}_to", body));
  return motion;
}

}  // namespace graze::app
