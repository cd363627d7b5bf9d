// SPDX-License-Identifier: MIT
#include <graze/ask/first_contact.hpp>
#include <graze/ask/motion_free.hpp>
#include <graze/motion/motion.hpp>

#include "engine.hpp"

namespace graze::web {
namespace {

/// {"from": pose, "to": pose, "kind": "velocity" | "screw" | "linear", "velocity": six numbers, "reference": point}
Motion read_motion(JsonReader& request, const std::string& key) {
  if (!request.has(key)) return Still{};
  JsonReader motion = request.object(key);
  const Pose from = pose(motion, "from");
  const std::string kind = motion.text("kind", "velocity");
  const bool has_reference = motion.has("reference"), has_speeds = motion.has("velocity"), has_to = motion.has("to");
  const Vec3 reference = has_reference ? motion.point("reference") : Vec3{};
  const std::vector<double> speeds = has_speeds ? motion.numbers("velocity", 6) : std::vector<double>();
  const Pose to = pose(motion, "to");
  motion.finish();
  if (has_speeds && has_to) motion.refuse("velocity", "cannot go with \"to\"");
  if (has_speeds)
    return Velocity::from_speeds(from, {speeds[0], speeds[1], speeds[2]}, {speeds[3], speeds[4], speeds[5]}, reference);
  if (!has_to) return Still{from};
  if (kind == "velocity") return Velocity(from, to, reference);
  if (has_reference) motion.refuse("reference", "goes with motions of kind velocity only");
  if (kind == "screw") return Screw(from, to);
  if (kind == "linear") return LinearParameters(from, to);
  motion.refuse("kind", "is no motion; choose velocity, screw or linear");
}

void read_options(JsonReader& request, FirstContactOptions& options) {
  if (request.has("tolerance")) options.tolerance = request.number("tolerance", 0);
  options.min_separation = request.number("min_separation", 0);
  options.all_features = request.flag("all_features", false);
  options.all_contacts = request.flag("all_contacts", false);
  options.clearance = request.flag("clearance", false);
  options.ignore_start_if_separating = request.flag("ignore_start_if_separating", false);
  options.solid = request.flag("solid", false);
  options.certificate = request.flag("certificate", false);
  read_limits(request, options);
}

Json certificate_json(const std::optional<Certificate>& certificate) {
  return certificate ? Json{{"until", certificate->until}, {"text", certificate->text}} : Json();
}

Json ask_first_contact(Engine& engine, JsonReader& request) {
  const Body a = engine.bodies.at(request, "a"), b = engine.bodies.at(request, "b");
  FirstContactOptions options;
  MethodCounters of_method;
  options.method_counters = &of_method;
  const std::string name = request.text("method", std::string(options.method));
  options.method = name;
  read_options(request, options);
  const FirstContactResult result =
      first_contact(a, read_motion(request, "motion_a"), b, read_motion(request, "motion_b"), options);
  Json out = app::to_json(result, options, a, b);
  if (options.certificate) out["certificate"] = certificate_json(result.certificate);
  return out;
}

Json ask_motion_free(Engine& engine, JsonReader& request) {
  FirstContactOptions options;
  read_options(request, options);
  const MotionFreeResult result =
      motion_free(engine.bodies.at(request, "a"), read_motion(request, "motion_a"), engine.bodies.at(request, "b"),
                  read_motion(request, "motion_b"), options);
  Json out = app::new_object();
  out["status"] = graze::name(result.status);
  out["time"] = result.status == Status::contact ? Json(result.time) : Json();
  out["probes"] = result.probes;
  if (options.certificate) out["certificate"] = certificate_json(result.certificate);
  out["seconds"] = result.seconds;
  if (result.error) out["error"] = app::to_json(*result.error);
  return out;
}

/// Where a motion is at each of the "times": for pictures; rounded.
Json motion_poses(Engine&, JsonReader& request) {
  const Motion motion = read_motion(request, "motion");
  Json out = Json::array();
  for (const double t : request.numbers("times")) {
    const Placement p = motion.at(t);
    out.push_back(
        Json::array({p.r[0], p.r[1], p.r[2], p.r[3], p.r[4], p.r[5], p.r[6], p.r[7], p.r[8], p.t.x, p.t.y, p.t.z}));
  }
  return Json{{"placements", std::move(out)}};
}

}  // namespace

void add_moving(Answers& answers) {
  answers.insert({{"first_contact", ask_first_contact}, {"motion_free", ask_motion_free}, {"motion.at", motion_poses}});
}

}  // namespace graze::web
