// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <graze/ask/first_contact.hpp>
#include <graze/ask/motion_free.hpp>

#include "command.hpp"
#include "commands/first_contact_path.hpp"
#include "commands/first_contact_question.hpp"
#include "input/batch.hpp"
#include "input/body_motion.hpp"
#include "input/certificate_file.hpp"
#include "input/choices.hpp"
#include "input/contact_options.hpp"
#include "input/surfaces.hpp"
#include "output/answer.hpp"
#include "output/json.hpp"
#include "output/print.hpp"
#include "questions.hpp"

namespace graze::app {
namespace {

struct FirstContactCommand {
  FirstContactQuestion question;
  std::string motion = "velocity", batch, dump, path, quaternion = "wxyz";
  BodyMotionText a, b;
  bool list_methods = false, any = false, centred = false;
  std::uint32_t profile = 0;  ///< intervals of a clearance profile; 0: none is asked for
};

constexpr const char* first_contact_footer =
    "Time runs from 0 to 1. A contact comes with two times: certified free before the first, and nearer than the\n"
    "tolerance at the second. `free` is certified for the whole motion; --certificate writes the proof. A pose is one\n"
    "quoted argument, \"tx ty tz qw qx qy qz\" or a 4x4 matrix as 16 numbers row by row. Motions between two poses:\n"
    "velocity (the reference point goes straight while the body turns evenly, the shorter way), screw (about and "
    "along\n"
    "one axis), linear (translation and roll, pitch and yaw change evenly).\n"
    "A surface may stand where a file may: torus:R,r (around the z axis), bezier:FILE (patches as JSON); against a "
    "mesh,\n"
    "a box, hull, sphere, capsule, half-space or another surface, within --tolerance, --min-separation, --work and\n"
    "--seconds.\n"
    "Exit status: 0 answered, 2 bad usage or input, 3 undecided.\n\n"
    "Examples:\n"
    "  graze first-contact torus:1,0.25 torus:1,0.25 --a-from \"0.3 0 4 1 0 0 0\" --a-to \"0.3 0 0 1 0.5 0 0\"\n"
    "  graze make torus_knot --triangles 2880 -o knot.obj\n"
    "  graze make box -o box.obj\n"
    "  graze first-contact knot.obj box.obj --a-from \"-3 0 0 1 0 0 0\" --a-to \"3 0.5 0 0 0 1 0\"\n"
    "  graze first-contact knot.obj box.obj --a-from \"-3 0 0 1 0 0 0\" --a-to \"3 0 0 1 0 1 0\" --motion screw "
    "--json\n"
    "  graze first-contact knot.obj box.obj --a-from \"0 0 3 1 0 0 0\" --a-velocity \"0 0 -1 0 0 20\" --tolerance "
    "1e-4\n"
    "  graze first-contact knot.obj box.obj --a-from \"-3 0 3 1 0 0 0\" --a-to \"3 0 3 0 1 0 0\" --certificate "
    "proof.txt\n"
    "  echo \"-3,0,0,1,0,0,0, 3,0,0,1,0,0,1, 0,0,0,1,0,0,0, 0,0,0,1,0,0,0\" > flights.csv\n"
    "  graze first-contact knot.obj box.obj --batch flights.csv\n"
    "  echo '-3 0 3 0 0 0 1' > poses.path\n"
    "  echo '3 0 3 0 0.6 0 0.8' >> poses.path\n"
    "  graze first-contact knot.obj box.obj --a-path poses.path --quaternion xyzw --clearance";

void check_body_motion(const BodyMotion& motion, MotionKind kind, const std::string& body) {
  if (!motion.reference) return;
  const std::string option = fmt::format("--{}-reference", body);
  if (!std::isfinite(motion.reference->x) || !std::isfinite(motion.reference->y) || !std::isfinite(motion.reference->z))
    refuse_option(option, "must be finite");
  if (!motion.speeds && kind != MotionKind::velocity)
    refuse_option(option, fmt::format("a motion of kind {} has no reference point", name(kind)));
}

bool about_surfaces(const FirstContactQuestion& question) {
  return is_surface_text(question.file_a) || is_surface_text(question.file_b);
}

/// Called before any file is read, so that a typing error is reported before a large file is loaded.
void check(FirstContactQuestion& question) {
  if (question.file_a.empty() || question.file_b.empty()) refuse_option("FILE", "two mesh files are needed, A and B");
  check(question.options);
  check_body_motion(question.a, question.motion, "a");
  check_body_motion(question.b, question.motion, "b");
  if (about_surfaces(question)) check_for_surfaces(question.options, !question.certificate.empty());
}

/// Of meshes the proof covers the surfaces, of shapes all points.
const char* covered_by_proof(const BodyPair& bodies) {
  const auto is_solid = [](const Body& body) { return body.shape() != nullptr; };
  bool any_mesh = false, any_shape = false;
  for (const Body* body : {&bodies.a, &bodies.b}) {
    for (const Piece& piece : body->pieces()) (is_solid(piece.body) ? any_shape : any_mesh) = true;
    if (body->pieces().empty()) (is_solid(*body) ? any_shape : any_mesh) = true;
  }
  return !any_shape ? "surfaces" : any_mesh ? "surfaces and solids" : "solids";
}

Json certificate_json(const std::string& file, const FirstContactResult& result, const BodyPair& bodies) {
  if (!result.certificate) return {};
  return Json{{"file", file},
              {"until", result.certificate->until},
              {"separations", separations(*result.certificate)},
              {"covers", covered_by_proof(bodies)}};
}

void print_certificate(const FirstContactQuestion& question, const FirstContactResult& result) {
  if (!result.certificate) return print_field("certificate", "none");
  print_field("certificate", fmt::format("{} separations until t = {}; check it with", separations(*result.certificate),
                                         result.certificate->until));
  if (question.options.solid && result.status == Status::free)
    print_field("", "it covers the surfaces; with --expect-solid the checker confirms that neither starts inside");
  const double separation = question.options.min_separation;
  print_field("", fmt::format("graze verify {} {} {}{}", question.certificate, question.file_a, question.file_b,
                              separation > 0 ? fmt::format(" --expect-separation {}", separation) : ""));
}

/// The answer is valid, but the requested certificate is missing.
void check_certificate(const FirstContactQuestion& question, const FirstContactResult& result) {
  if (result.certificate || !(result.time.safe > 0)) return;
  ErrorDetail detail;
  detail.code = ErrorCode::unsupported;
  detail.element = "option --certificate";
  detail.message =
      question.options.ignore_start_if_separating
          ? "there is none for this answer: they start in contact or within the tolerance, which "
            "--ignore-start-if-separating "
            "leaves out of the answer, but nothing proves them apart there"
          : fmt::format("there is none for this answer; motions of kind {} may have no proofs: use another",
                        name(question.motion));
  throw Error(detail);
}

/// Yes or no, by any contact.
int answer_any(const FirstContactQuestion& question) {
  FirstContactOptions options = question.library_options();
  const BodyPair bodies = load_bodies(question.file_a, question.file_b, question.options.input);
  const MotionFreeResult result = motion_free(bodies.a, to_motion(question.a, question.motion), bodies.b,
                                              to_motion(question.b, question.motion), options);
  if (result.certificate) {
    FirstContactResult proved;
    proved.certificate = result.certificate;
    save_certificate(question.certificate, proved);
  }
  if (question.options.json) {
    Json out = new_object();
    out["status"] = graze::name(result.status);
    out["time"] = result.status == Status::contact ? Json(result.time) : Json();
    out["probes"] = result.probes;
    out["seconds"] = result.seconds;
    if (result.error) out["error"] = to_json(*result.error);
    print_line(out);
  } else if (result.status == Status::contact) {
    fmt::print("contact: in touch at t = {:.9g}, perhaps earlier, too\n", result.time);
  } else if (result.status != Status::invalid_request) {
    fmt::print("{}\n",
               result.status == Status::free ? "free: certified for the whole motion" : graze::name(result.status));
  }
  return exit_status_of(result.status, result.error, question.options.exit_code);
}

/// At least one of the bodies is a surface.
int answer_surfaces(const FirstContactQuestion& question) {
  const SurfaceAnswer answer = ask_surfaces(question.file_a, to_motion(question.a, question.motion), question.file_b,
                                            to_motion(question.b, question.motion), question.options);
  const SurfaceContactResult& result = answer.result;
  if (question.options.json) {
    Json out = to_json(answer);
    out["motion"] = name(question.motion);
    add_to_json(out, question.a, "a");
    add_to_json(out, question.b, "b");
    print_line(out);
  } else if (result.status != Status::invalid_request) {
    print(answer);
    print_field("motion", name(question.motion));
    print_field("A", body_motion_text(question.a));
    print_field("B", body_motion_text(question.b));
  }
  return exit_status_of(result.status, result.error, question.options.exit_code);
}

int answer(const FirstContactQuestion& question) {
  if (about_surfaces(question)) return answer_surfaces(question);
  MethodCounters of_method;
  FirstContactOptions options = question.library_options();
  options.method_counters = &of_method;
  const Motion motion_a = to_motion(question.a, question.motion), motion_b = to_motion(question.b, question.motion);
  const BodyPair bodies = load_bodies(question.file_a, question.file_b, question.options.input);
  const FirstContactResult result = first_contact(bodies.a, motion_a, bodies.b, motion_b, options);
  const bool answered = result.status != Status::invalid_request;
  if (options.certificate && answered) save_certificate(question.certificate, result);
  if (question.options.json) {
    Json out = to_json(result, options, bodies.a, bodies.b);
    if (options.certificate) out["certificate"] = certificate_json(question.certificate, result, bodies);
    if (options.min_separation > 0) out["min_separation"] = options.min_separation;
    out["motion"] = name(question.motion);
    add_to_json(out, question.a, "a");
    add_to_json(out, question.b, "b");
    print_line(out);
  } else if (answered) {
    print(result, options, bodies.a, bodies.b);
    if (options.min_separation > 0) print_field("safety distance", fmt::format("{:.9g}", options.min_separation));
    print_field("motion", name(question.motion));
    print_field("A", body_motion_text(question.a));
    print_field("B", body_motion_text(question.b));
    if (options.certificate) print_certificate(question, result);
  }
  if (options.certificate && answered) check_certificate(question, result);
  return exit_status_of(result.status, result.error, question.options.exit_code);
}

int answer_batch(const FirstContactQuestion& question, const std::string& file) {
  constexpr std::array<std::string_view, 4> names{"A's start", "A's end", "B's start", "B's end"};
  MethodCounters of_method;
  FirstContactOptions options = question.library_options();
  options.method_counters = &of_method;
  const BodyPair bodies = load_bodies(question.file_a, question.file_b, question.options.input);
  FirstContactResult result;
  return run_batch(file, question.options.exit_code, pose_form(names), [&](std::span<const double> row) {
    const std::vector<Pose> poses = to_poses(row, names);
    const BodyMotion a{poses[0], poses[1], {}, {}}, b{poses[2], poses[3], {}, {}};
    first_contact(bodies.a, to_motion(a, question.motion), bodies.b, to_motion(b, question.motion), options, result);
    return Answer{to_json(result, options, bodies.a, bodies.b), result.status, result.error};
  });
}

Json question_json(const FirstContactQuestion& question) {
  Json out = new_object();
  out["question"] = "first-contact";
  out["a"] = question.file_a;
  out["b"] = question.file_b;
  out["motion"] = name(question.motion);
  add_to_json(out, question.a, "a");
  add_to_json(out, question.b, "b");
  if (!question.certificate.empty()) out["certificate"] = question.certificate;
  add_to_json(out, question.options);
  return out;
}

/// The rows of a batch give the motions, and each row has an answer of its own.
void check_batch(const FirstContactCommand& command) {
  const auto refuse = [](const char* option) {
    refuse_option(option, "cannot go with --batch: rows say how both bodies move, one line answers each");
  };
  if (!command.a.empty()) refuse("--a-...");
  if (!command.b.empty()) refuse("--b-...");
  if (!command.question.certificate.empty()) refuse("--certificate");
  if (!command.dump.empty()) refuse("--dump");
}

/// The path says how A moves; B stays.
void check_path(const FirstContactCommand& command) {
  const std::pair<bool, const char*> of_one_motion[] = {
      {!command.a.empty(), "--a-..."},
      {!command.b.to.empty() || !command.b.velocity.empty() || !command.b.reference.empty(), "--b-to and the like"},
      {!command.question.certificate.empty(), "--certificate"},
      {!command.batch.empty(), "--batch"},
      {!command.dump.empty(), "--dump"},
      {command.any, "--any"},
      {command.profile > 0, "--profile"},
      {command.question.options.all_contacts, "--all-contacts"},
      {about_surfaces(command.question), "surfaces"}};
  for (const auto& [given, option] : of_one_motion)
    if (given)
      refuse_option("--a-path",
                    fmt::format("cannot go with {}: A moves through the poses of the file, B stays", option));
}

int run(FirstContactCommand& command) {
  if (command.list_methods) {
    print_first_contact_methods();
    return exit_answered;
  }
  if (!command.batch.empty()) check_batch(command);
  FirstContactQuestion& question = command.question;
  if (!command.path.empty()) {
    check_path(command);
  } else if (command.quaternion != "wxyz") {
    refuse_option("--quaternion", "is about the poses of --a-path");
  } else if (command.centred) {
    refuse_option("--a-centred", "is about the poses of --a-path");
  }
  question.motion = parse_motion_kind(command.motion);
  question.a = parse_body_motion(command.a, "a");
  question.b = parse_body_motion(command.b, "b");
  check(question);
  if (about_surfaces(question) && (!command.batch.empty() || command.any || command.profile > 0))
    refuse_option(command.any           ? "--any"
                  : command.profile > 0 ? "--profile"
                                        : "--batch",
                  "is not available for surfaces (torus:R,r and bezier:FILE)");
  if (!command.batch.empty()) return answer_batch(question, command.batch);
  if (!command.path.empty())
    return answer_path({question.file_a, question.file_b, command.path, command.quaternion, command.centred,
                        question.motion, question.b.from, question.options});
  if (!question.a.moves() && !question.b.moves())
    refuse_option("--a-to",
                  "nothing moves: say where A ends (or --a-velocity, or the same of B), or ask graze collide");
  if (command.any) return answer_any(question);
  if (command.profile > 0) return answer_profile(question, command.profile);
  if (!command.dump.empty()) write_file(command.dump, question_json(question).dump(2) + "\n");
  return answer(question);
}

}  // namespace

int replay_first_contact(JsonReader& reader, bool json) {
  FirstContactQuestion question;
  question.file_a = reader.text("a");
  question.file_b = reader.text("b");
  question.motion = parse_motion_kind(reader.text("motion", "velocity"));
  question.a = read_body_motion(reader, "a");
  question.b = read_body_motion(reader, "b");
  question.certificate = reader.text("certificate", "");
  question.options = read_contact_options(reader);
  question.options.json |= json;
  reader.finish();
  check(question);
  return answer(question);
}

void add_first_contact(CLI::App& graze, int& exit_status) {
  const auto command = std::make_shared<FirstContactCommand>();
  CLI::App* app = graze.add_subcommand("first-contact", "When do two moving meshes first touch, where, and how?");
  app->footer(first_contact_footer);
  app->add_option("A", command->question.file_a, "The first mesh")->type_name("FILE");
  app->add_option("B", command->question.file_b, "The second mesh")->type_name("FILE");
  CLI::Option* batch = add_text(*app, "--batch", command->batch,
                                "Answer every row of a CSV file: start and end of A, then of B, each as translation\n"
                                "and quaternion wxyz (28 numbers, commas, optional header); one JSON line a row",
                                "FILE.csv");
  add_body_motion_options(*app, "a", command->a);
  add_body_motion_options(*app, "b", command->b);
  offer(add_text(*app, "--motion", command->motion, "From pose to pose: velocity (default), screw or linear", "KIND"),
        {name(MotionKind::velocity), name(MotionKind::screw), name(MotionKind::linear)});
  add_text(*app, "--a-path", command->path,
           "A moves through the poses of a file, a line each: the first contact of the whole path", "FILE");
  offer(
      add_text(*app, "--quaternion", command->quaternion, "The order in these poses: wxyz (default) or xyzw", "ORDER"),
      {"wxyz", "xyzw"});
  app->add_flag("--a-centred", command->centred,
                "These poses are those of the mean of A's vertices, as in the paths of OMPL.app");
  add_contact_options(*app, command->question.options);
  add_text(*app, "--certificate", command->question.certificate, "Write the proof that graze verify checks", "FILE");
  CLI::Option* dump = add_text(*app, "--dump", command->dump, "Write the question as JSON, for graze replay", "FILE");
  CLI::Option* any =
      app->add_flag("--any", command->any,
                    "Only ask whether the motion is free: any contact ends the search, not only the first")
          ->excludes(dump)
          ->excludes(batch);
  app->add_option("--profile", command->profile,
                  "How far apart they are at N + 1 times, and at least between them, instead of the first contact")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000))
      ->excludes(dump)
      ->excludes(batch)
      ->excludes(any);
  app->add_flag("--list-methods", command->list_methods, "List the methods");
  app->callback([command, &exit_status] { exit_status = run(*command); });
}

}  // namespace graze::app
