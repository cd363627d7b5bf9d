// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include <CLI/App.hpp>
#include <graze/math/pose.hpp>
#include <graze/motion/motion.hpp>

#include "input/json_reader.hpp"

namespace graze::app {

/// The kind of motion of a body from one pose to another.
enum class MotionKind { velocity, screw, linear };
/// "velocity", "screw", "linear".
const char* name(MotionKind kind);
/// Throws `Error` naming the option.
MotionKind parse_motion_kind(const std::string& text);

/// Linear and angular velocity in the world, per unit of time.
struct Speeds {
  Vec3 linear, angular;
};

/// The path of one body: from one pose to another, or from a pose with a velocity, or at rest.
struct BodyMotion {
  Pose from;
  std::optional<Pose> to;
  std::optional<Speeds> speeds;
  std::optional<Vec3> reference;  ///< the point that moves on a straight line, in the body's coordinates
  bool moves() const { return to || speeds; }
};

/// The same as given on the command line; empty fields were not given.
struct BodyMotionText {
  std::string from, to, velocity, reference;
  bool empty() const { return from.empty() && to.empty() && velocity.empty() && reference.empty(); }
};
/// `body` is "a" or "b": the options are --a-from and so on.
void add_body_motion_options(CLI::App& command, const std::string& body, BodyMotionText& text);
BodyMotion parse_body_motion(const BodyMotionText& text, const std::string& body);

/// Throws `Error`.
Motion to_motion(const BodyMotion& motion, MotionKind kind);

/// Readable text: "from 0 0 0 1 0 0 0 to 1 0 0 1 0 0 0", in the format of the options. A matrix was converted to a
/// quaternion.
std::string body_motion_text(const BodyMotion& motion);
/// Writes "a_from": ..., "a_to": ... and the other fields that are set; and reads them back.
void add_to_json(Json& out, const BodyMotion& motion, const std::string& body);
BodyMotion read_body_motion(JsonReader& reader, const std::string& body);

}  // namespace graze::app
