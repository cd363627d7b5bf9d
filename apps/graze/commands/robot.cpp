// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <graze/io/mesh_file.hpp>
#include <graze/robot/robot.hpp>

#include "command.hpp"
#include "input/batch.hpp"
#include "input/certificate_file.hpp"
#include "input/pose_text.hpp"
#include "input/robot_model.hpp"
#include "input/robot_rows.hpp"
#include "output/answer.hpp"
#include "output/print.hpp"
#include "output/robot_answer.hpp"

namespace graze::app {
namespace {

struct RobotCommand {
  RobotInput files;
  InputOptions input;
  std::string environment, environment_pose, state, path, edges, certificates;
  std::string padding, separation, tolerance, clearance, seconds;
  std::vector<std::string> attached;
  bool spline = false, any = false, json = false, exit_code = false, list = false;
};

constexpr const char* robot_footer =
    "Does a robot touch itself or what is around it: in a state, along a path, or on each of many edges? `free` is\n"
    "certified for the exact joint coordinates, also between the waypoints. Pairs that the SRDF disables may touch;\n"
    "without an SRDF a link may touch the nearest link above it that has bodies.\n"
    "A path has one row a waypoint: the joints; or the time, the joints and, if there are, their velocities, and\n"
    "accelerations. Between two waypoints a joint is a polynomial of time: linear, cubic with velocities, quintic "
    "with\n"
    "accelerations. An edge has the joints at its start, then at its end, and one JSON line as its answer.\n"
    "docs/robots.md starts from a URDF; robot files (.json) are described in docs/motions.md.\n"
    "Exit status: 0 answered, 2 bad usage or input, 3 undecided.\n\n"
    "Examples:\n"
    "  echo '{\"links\": [{\"name\": \"arm\", \"mesh\": \"box:1,0.1,0.1\", \"joint\": {\"type\": \"revolute\"}},' > "
    "robot.json\n"
    "  echo '  {\"name\": \"hand\", \"mesh\": \"box:0.4,0.1,0.1\", \"parent\": \"arm\", \"joint\": {\"type\": "
    "\"revolute\",' >> robot.json\n"
    "  echo '    \"origin\": [1, 0, 0, 1, 0, 0, 0]}}]}' >> robot.json\n"
    "  graze robot robot.json --list\n"
    "  graze robot robot.json --environment box:0.2,0.2,2 --environment-pose \"0 1 0 1 0 0 0\" --state \"0.5 0\"\n"
    "  echo '0, 0,0, 0,0' > swing.csv\n"
    "  echo '2, 1.5,0.5, 0,0' >> swing.csv\n"
    "  graze robot robot.json --environment box:0.2,0.2,2 --environment-pose \"0 1 0 1 0 0 0\" --path swing.csv\n"
    "  graze robot robot.json --attach \"hand sphere:0.1 0.3 0 0 1 0 0 0\" --path swing.csv --clearance 1e-3 --json\n"
    "  echo '0,0, 1,0' > edges.csv\n"
    "  graze robot robot.json --edges edges.csv --any";

double positive(const std::string& text, const std::string& option) {
  const double x = parse_option_number(text, option);
  if (!(x > 0 && std::isfinite(x))) refuse_option(option, "must be a positive, finite number");
  return x;
}
double not_negative(const std::string& text, const std::string& option) {
  const double x = parse_option_number(text, option);
  if (!(x >= 0 && std::isfinite(x))) refuse_option(option, "must be finite and not negative");
  return x;
}

RobotMotionOptions motion_options(const RobotCommand& command) {
  RobotMotionOptions options;
  options.first = !command.any;
  options.certificates = !command.certificates.empty();
  options.threads = command.input.threads;
  if (!command.separation.empty()) options.pair.min_separation = not_negative(command.separation, "--min-separation");
  if (!command.tolerance.empty()) options.pair.tolerance = positive(command.tolerance, "--tolerance");
  if (!command.clearance.empty()) options.clearance = positive(command.clearance, "--clearance");
  if (!command.seconds.empty()) {  // 0: no limit
    const std::chrono::duration<double> seconds(not_negative(command.seconds, "--seconds"));
    if (seconds.count() > 0 &&
        seconds < std::chrono::nanoseconds::max())  // longer than the clock can count is as good as no limit
      options.budget = std::chrono::duration_cast<std::chrono::nanoseconds>(seconds);
  }
  return options;
}

RobotScene load_robot_scene(const RobotCommand& command) {
  RobotOptions options;
  if (is_robot_file(command.files.robot))
    options.adjacent_may_touch = true;  // "ignore" comes on top, as for graze chain
  RobotScene scene{graze::Robot(read_robot_model(command.files, command.input), options), {}};
  if (scene.robot.model().pieces.empty())
    refuse_option("ROBOT", "has no collision elements: nothing of it can touch; visual elements are not looked at");
  for (const std::string& note : scene.robot.model().notes) fmt::print(stderr, "graze: note: {}\n", note);
  for (const std::string& text : command.attached) scene.robot.attach(read_attached(text, command.input));
  if (!command.environment.empty()) {
    const Pose pose =
        command.environment_pose.empty() ? Pose{} : parse_pose(command.environment_pose, "--environment-pose");
    scene.obstacles.push_back({load_body(command.environment, command.input), pose, "environment"});
    scene.robot.surroundings(scene.obstacles);
  }
  if (!command.padding.empty()) scene.robot.padding(not_negative(command.padding, "--padding"));
  return scene;
}

/// Joints and their coordinates, states, and the pairs that may touch.
int list_robot(const RobotCommand& command) {
  const RobotScene scene = load_robot_scene(command);
  const graze::Robot& robot = scene.robot;
  const std::vector<std::string> names = coordinate_names(robot);
  if (!command.json) {
    print_field("robot", robot.model().name);
    print_field("joints", fmt::format("{}", fmt::join(names, " ")));
    for (const RobotState& state : robot.model().states)
      print_field("state", fmt::format("{} (of {})", state.name, state.group));
    print_field("bodies", fmt::format("{}, of which {} pairs are asked", robot.parts(), robot.pairs()));
    return exit_answered;
  }
  Json out = new_object();
  out["robot"] = robot.model().name;
  out["coordinates"] = names;
  out["states"] = Json::array();
  for (const RobotState& state : robot.model().states)
    out["states"].push_back({{"name", state.name}, {"group", state.group}});
  out["groups"] = Json::array();
  for (const RobotGroup& group : robot.model().groups) out["groups"].push_back(group.name);
  out["bodies"] = Json::array();
  for (std::uint32_t i = 0; i < robot.parts(); ++i) {
    const RobotPart part = robot.part(i);
    out["bodies"].push_back({{"name", part.name},
                             {"link", part.link ? Json(robot.chain().link(*part.link).name) : Json()},
                             {"piece", part.piece}});
  }
  out["pairs"] = robot.pairs();
  print_line(out);
  return exit_answered;
}

int answer_state(const RobotCommand& command) {
  const RobotScene scene = load_robot_scene(command);
  const std::vector<double> q = read_state(scene.robot, command.state, "--state");
  StateOptions options;
  options.budget = motion_options(command).budget;
  const StateResult result = scene.robot.check(q, options);
  if (command.json) {
    Json out = to_json(result, scene);
    out["state"] = q;
    const RobotDistanceResult distance = scene.robot.distance(q, options);
    out["distance"] = std::isfinite(distance.distance) ? Json(distance.distance) : Json();
    out["nearest"] = links_json(scene, distance.pair);
    print_line(out);
  } else if (result.status != Status::invalid_request) {
    print(result, scene);
  }
  return exit_status_of(result.status, result.error, command.exit_code);
}

/// The bodies of a proof as files or shapes, which graze verify reads.
class ProvenBodies {
 public:
  ProvenBodies(const RobotScene& scene, std::string folder) : scene_(scene), folder_(std::move(folder)) {}
  /// Null for a compound, which has a file of its own.
  Json argument(std::uint32_t part) {
    const Body& body = scene_.body(part);
    if (body.shape()) return to_text(*body.shape());
    if (!body.pieces().empty()) return {};
    const std::string file = fmt::format("{}/body-{}.obj", folder_, part);
    if (saved_.insert(part).second) save_mesh(body.mesh(), file);
    return file;
  }

 private:
  const RobotScene& scene_;
  std::string folder_;
  std::set<std::uint32_t> saved_;
};

Json save_proofs(const RobotCommand& command, const RobotScene& scene, const RobotMotionResult& result) {
  Json files = Json::array();
  std::size_t lacking = 0;
  ProvenBodies bodies(scene, command.certificates);
  for (const PairProof& proof : result.proofs) {
    const std::string file =
        fmt::format("{}/{}-{}-{}.txt", command.certificates, proof.segment, proof.pair.a, proof.pair.b);
    save_or_remove(file, proof.certificate ? &proof.certificate->text : nullptr);
    if (!proof.certificate) {
      if (proof.status != Status::free) continue;
      ++lacking;
      files.push_back(Json{{"links", links_json(scene, proof.pair)}, {"segment", proof.segment}, {"file", nullptr}});
      continue;
    }
    files.push_back(Json{{"links", links_json(scene, proof.pair)},
                         {"segment", proof.segment},
                         {"file", file},
                         {"bodies", {bodies.argument(proof.pair.a), bodies.argument(proof.pair.b)}},
                         {"until", proof.certificate->until},
                         {"separations", separations(*proof.certificate)}});
  }
  if (lacking > 0)
    fmt::print(stderr,
               "graze: note: {} of the certified answers have no certificate, which cannot state their motions "
               "(docs/robots.md says which)\n",
               lacking);
  return files;
}

int answer_path(const RobotCommand& command) {
  const RobotMotionOptions options = motion_options(command);
  const RobotScene scene = load_robot_scene(command);
  const Trajectory trajectory = read_path(scene.robot, command.path, command.spline);
  const RobotTrajectoryResult result = scene.robot.check_trajectory(trajectory, options);
  const bool answered = result.status != Status::invalid_request;
  Json proofs;
  if (options.certificates && answered) proofs = save_proofs(command, scene, result);
  if (command.json) {
    Json out = to_json(result, options.pair, scene);
    out["segments"] = trajectory.segments();
    if (options.certificates) out["certificates"] = std::move(proofs);
    print_line(out);
  } else if (answered) {
    print(result, scene, trajectory.segments());
    if (options.certificates)
      print_field("certificates", fmt::format("{} in {}; graze verify checks each with its two bodies (--json lists "
                                              "them)",
                                              std::count_if(proofs.begin(), proofs.end(),
                                                            [](const Json& p) { return !p["file"].is_null(); }),
                                              command.certificates));
  }
  return exit_status_of(result.status, result.error, command.exit_code);
}

int answer_edges(const RobotCommand& command) {
  RobotMotionOptions options = motion_options(command);
  const RobotScene scene = load_robot_scene(command);
  const std::size_t n = scene.robot.coordinates();
  if (n == 0) refuse_option("--edges", "the robot has no joint that moves");
  RobotMemory memory;
  options.memory = &memory;
  RobotFreeOptions any;
  any.min_separation = options.pair.min_separation;
  any.tolerance = options.pair.tolerance;
  any.budget = options.budget;
  any.memory = &memory;
  const RowForm form{2 * n, fmt::format("{} joint coordinates at the start, then {} at the end", n, n)};
  return run_batch(command.edges, command.exit_code, form, [&](std::span<const double> row) {
    if (command.any) {
      const RobotFreeResult result = scene.robot.motion_free(row.first(n), row.last(n), any);
      Json out = new_object();
      out["status"] = graze::name(result.status);
      out["asked"] = result.asked;
      return Answer{std::move(out), result.status, result.error};
    }
    const RobotMotionResult result = scene.robot.check_motion(row.first(n), row.last(n), options);
    return Answer{to_json(result, options.pair, scene), result.status, result.error};
  });
}

int run(const RobotCommand& command) {
  if (command.files.robot.empty()) refuse_option("ROBOT", "a URDF or a robot file is needed");
  const int questions = !command.state.empty() + !command.path.empty() + !command.edges.empty() + command.list;
  if (questions != 1) refuse_option("--state, --path, --edges, --list", "give one of these: what is asked?");
  if (!command.environment_pose.empty() && command.environment.empty())
    refuse_option("--environment-pose", "needs --environment");
  const std::pair<bool, const char*> of_paths[] = {{!command.certificates.empty(), "--certificates"},
                                                   {!command.clearance.empty(), "--clearance"},
                                                   {command.spline, "--spline"}};
  for (const auto& [given, option] : of_paths)
    if (given && command.path.empty()) refuse_option(option, "is about a --path");
  if (command.any && (!command.certificates.empty() || !command.clearance.empty()))
    refuse_option("--any", "ends at any contact; leave out --certificates and --clearance");
  if (!command.certificates.empty() && !std::filesystem::is_directory(command.certificates))
    refuse_option("--certificates", fmt::format("'{}' is no folder; make it first", command.certificates));
  motion_options(command);  // mistakes in numbers, before files are read
  if (command.list) return list_robot(command);
  if (!command.state.empty()) return answer_state(command);
  return command.path.empty() ? answer_edges(command) : answer_path(command);
}

}  // namespace

void add_robot(CLI::App& graze, int& exit_status) {
  const auto command = std::make_shared<RobotCommand>();
  CLI::App* app = graze.add_subcommand("robot", "Does a robot touch anything: in a state, along a path, on edges?");
  app->footer(robot_footer);
  app->add_option("ROBOT", command->files.robot, "A URDF, or a robot file (.json)")->type_name("FILE");
  add_text(*app, "--srdf", command->files.srdf, "The SRDF that belongs to the URDF: which links may touch, states",
           "FILE");
  app->add_option("--package", command->files.packages,
                  "The folder that package://NAME/... of the URDF stands for; may be given several times")
      ->type_name("NAME=DIR")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_text(*app, "--environment", command->environment, "A mesh or a shape that stands still around the robot", "FILE");
  add_text(*app, "--environment-pose", command->environment_pose, "Where it stands; default: where its file puts it",
           "POSE");
  app->add_option("--attach", command->attached,
                  "A body that moves with a link: \"LINK BODY\", then perhaps its pose on the link, then perhaps\n"
                  "\"touch\" and the links that it may touch; may be given several times")
      ->type_name("\"LINK BODY...\"")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_text(*app, "--padding", command->padding, "A distance that obstacles must keep from all links; default 0", "D");
  add_text(*app, "--state", command->state,
           "Ask about this state: one number a joint, or names of the SRDF,\nsuch as home or arm/home", "\"Q...\"");
  add_text(*app, "--path", command->path, "Ask about a path: a row a waypoint, its time first if it has one",
           "FILE.csv");
  app->add_flag("--spline", command->spline, "The rows of the path are control points of a cubic B-spline");
  add_text(*app, "--edges", command->edges, "Ask about each row: the joints at the start, then at the end", "FILE.csv");
  app->add_flag("--list", command->list, "List joints, states and bodies");
  app->add_flag("--any", command->any, "Any contact is enough, not the first one: yes or no, sooner");
  add_text(*app, "--clearance", command->clearance,
           "Of a path that is free: also the least distance (less the padding), and where, to within this", "D");
  add_text(*app, "--min-separation", command->separation, "A distance that all pairs must keep; default 0", "D");
  add_text(*app, "--tolerance", command->tolerance, "A distance: contact is reported once they are this near", "T");
  add_text(*app, "--seconds", command->seconds, "Limit: undecided after so long (default: none)", "S");
  add_text(*app, "--certificates", command->certificates,
           "Write the proof of every pair on every segment, which graze verify checks, into a folder", "FOLDER");
  add_input_options(*app, command->input);
  app->add_flag("--json", command->json, "Print one JSON object instead of text");
  app->add_flag("--exit-code", command->exit_code, "Exit with status 1 when contact was found");
  app->callback([command, &exit_status] { exit_status = run(*command); });
}

}  // namespace graze::app
