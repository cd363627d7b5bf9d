// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include <CLI/App.hpp>
#include <graze/math/pose.hpp>
#include <graze/motion/motion.hpp>

#include "json_reader.hpp"

namespace graze::app {

/// How a body gets from one pose to another.
enum class MotionKind { velocity, screw, linear };
/// "velocity", "screw", "linear".
const char* name(MotionKind kind);
/// Throws `Error` naming the option.
MotionKind parse_motion_kind(const std::string& text);

/// Linear and angular velocity in the world, per unit of time.
struct Speeds {
  Vec3 linear, angular;
};

/// The way of one body: from a pose to another, or from it with a velocity, or it stays.
struct Way {
  Pose from;
  std::optional<Pose> to;
  std::optional<Speeds> speeds;
  std::optional<Vec3> reference;  ///< the point that goes straight, in the body's coordinates
  bool moves() const { return to || speeds; }
};

/// The same as given on the command line; what is empty was not given.
struct WayText {
  std::string from, to, velocity, reference;
  bool empty() const { return from.empty() && to.empty() && velocity.empty() && reference.empty(); }
};
/// `body` is "a" or "b": the options are --a-from and so on.
void add_way_options(CLI::App& command, const std::string& body, WayText& text);
Way parse_way(const WayText& text, const std::string& body);

/// Throws `Error`.
Motion to_motion(const Way& way, MotionKind kind);

/// For people: "from 0 0 0 1 0 0 0 to 1 0 0 1 0 0 0", as the options take it back; a matrix was converted.
std::string way_text(const Way& way);
/// "a_from": ..., "a_to": ... and what else there is; and back.
void add_to_json(Json& out, const Way& way, const std::string& body);
Way read_way(JsonReader& reader, const std::string& body);

}  // namespace graze::app
