// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "command.hpp"
#include "input/batch.hpp"
#include "input/certificate_file.hpp"
#include "input/contact_options.hpp"
#include "input/pose_text.hpp"
#include "output/answer.hpp"
#include "output/chain_answer.hpp"
#include "output/print.hpp"
#include "questions.hpp"

namespace graze::app {
namespace {

using Coordinates = std::optional<std::vector<double>>;

/// Everything that the answer depends on.
struct ChainQuestion {
  std::string robot, environment;
  Pose environment_pose;
  Coordinates from, to;  ///< none: as in the robot file
  bool neighbours = false;
  std::string certificates;  ///< a folder; empty: no certificates
  ContactOptions options;
};

struct ChainCommand {
  ChainQuestion question;
  std::string environment_pose, from, to, batch, dump;
  bool list_methods = false;
};

constexpr const char* chain_footer =
    "All joints move evenly from one configuration to another; asked for contact are every link with the environment "
    "and\n"
    "all pairs of links but neighbours (parent and child) and those that the file ignores. The answer is the earliest\n"
    "contact of all, with its links; --json also has every pair's. docs/motions.md describes the robot file.\n"
    "Exit status: 0 answered, 2 bad usage or input, 3 undecided.\n\n"
    "Examples:\n"
    "  graze make box -o box.obj\n"
    "  echo '{\"links\": [{\"name\": \"arm\", \"mesh\": \"box.obj\", \"joint\": {\"type\": \"revolute\"}},' > "
    "robot.json\n"
    "  echo '  {\"name\": \"hand\", \"mesh\": \"box.obj\", \"parent\": \"arm\", \"joint\": {\"type\": \"prismatic\",' "
    ">> robot.json\n"
    "  echo '    \"origin\": [2, 0, 0, 1, 0, 0, 0], \"axis\": [1, 0, 0]}}], \"from\": [0, 0], \"to\": [1.5, 1]}' >> "
    "robot.json\n"
    "  graze chain robot.json --environment box.obj --environment-pose \"0 3 0 1 0 0 0\"\n"
    "  graze chain robot.json --from \"0.5 0\" --to \"-0.5 -1\" --neighbours --json\n"
    "  echo \"0,0, 1.5,1\" > moves.csv\n"
    "  graze chain robot.json --environment box.obj --environment-pose \"0 3 0 1 0 0 0\" --batch moves.csv";

/// The coordinates to use; `option` is "from" or "to".
const std::vector<double>& choose(const Coordinates& given, const Coordinates& in_file, const Chain& chain,
                                  const std::string& option) {
  const Coordinates& chosen = given ? given : in_file;
  if (!chosen)
    refuse_option("--" + option,
                  fmt::format("neither this option nor the robot file (\"{}\") says where the joints are", option));
  if (chosen->size() != chain.coordinates())
    refuse_option("--" + option, fmt::format("has {} numbers, but the robot has {} joints that move", chosen->size(),
                                             chain.coordinates()));
  return *chosen;
}

ChainScene load_scene(const ChainQuestion& question) {
  const InputOptions& input = question.options.input;
  ChainScene scene{load_robot(question.robot, input), {}, question.environment_pose, {}};
  if (!question.environment.empty()) scene.environment = load_body(question.environment, input);
  scene.pairs = pairs_to_ask(scene, question.neighbours);
  const auto& bodies = scene.robot.bodies;
  if (std::none_of(bodies.begin(), bodies.end(), [](const std::optional<Body>& body) { return body.has_value(); }))
    refuse_option("ROBOT.json", "has no link with a mesh; give at least one link a \"mesh\"");
  if (scene.pairs.empty())
    refuse_option("ROBOT.json", "leaves no pair to test for contact; give an --environment, or --neighbours");
  return scene;
}

/// One file per pair, named by the numbers of the links in the robot file. Every pair that is not in contact at the
/// start has one.
Json save_certificates(const std::string& folder, const ChainAnswer& answer, const ChainScene& scene) {
  Json files = Json::array();
  for (std::size_t i = 0; !folder.empty() && i < answer.pair_answers.size(); ++i) {
    const LinkPair& pair = scene.pairs[i];
    const FirstContactResult& result = answer.pair_answers[i];
    const std::string b = pair.b ? fmt::format("{}", index(*pair.b)) : std::string("environment");
    const std::string file = fmt::format("{}/{}-{}.txt", folder, index(pair.a), b);
    save_certificate(file, result);
    if (!result.certificate) continue;
    files.push_back(Json{{"links", links_json(scene, pair)},
                         {"file", file},
                         {"until", result.certificate->until},
                         {"separations", separations(*result.certificate)}});
  }
  return files;
}

int answer(const ChainQuestion& question) {
  const ChainScene scene = load_scene(question);
  FirstContactOptions options = library_options(question.options);
  options.certificate = !question.certificates.empty();
  const auto& from = choose(question.from, scene.robot.from, scene.robot.chain, "from");
  const auto& to = choose(question.to, scene.robot.to, scene.robot.chain, "to");
  const ChainAnswer answer = ask(scene, from, to, options);
  const Json certificates = save_certificates(question.certificates, answer, scene);
  if (question.options.json) {
    Json out = to_json(answer, scene, options);
    out["from"] = from;
    out["to"] = to;
    if (options.certificate) out["certificates"] = certificates;
    if (scene.environment) out["environment_pose"] = to_json(scene.environment_pose);
    print_line(out);
  } else if (answer.whole.status != Status::invalid_request) {
    print(answer, scene, options);
    if (options.certificate)
      print_field("certificates", fmt::format("{} in {}; check each with graze verify FILE and the two links' meshes",
                                              certificates.size(), question.certificates));
  }
  return exit_status_of(answer.whole.status, answer.whole.error, question.options.exit_code);
}

int answer_batch(const ChainQuestion& question, const std::string& file) {
  const ChainScene scene = load_scene(question);
  const FirstContactOptions options = library_options(question.options);
  const std::size_t n = scene.robot.chain.coordinates();
  const RowForm form{2 * n, fmt::format("{} joint coordinates at the start, then {} at the end", n, n)};
  return run_batch(file, question.options.exit_code, form, [&](std::span<const double> row) {
    const ChainAnswer answer = ask(scene, row.first(n), row.last(n), options);
    return Answer{to_json(answer, scene, options), answer.whole.status, answer.whole.error};
  });
}

Json question_json(const ChainQuestion& question) {
  Json out = new_object();
  out["question"] = "chain";
  out["robot"] = question.robot;
  if (!question.environment.empty()) {
    out["environment"] = question.environment;
    out["environment_pose"] = to_json(question.environment_pose);
  }
  if (question.from) out["from"] = *question.from;
  if (question.to) out["to"] = *question.to;
  out["neighbours"] = question.neighbours;
  if (!question.certificates.empty()) out["certificates"] = question.certificates;
  add_to_json(out, question.options);
  return out;
}

Coordinates parse_coordinates(const std::string& text, const std::string& option) {
  if (text.empty()) return std::nullopt;
  std::vector<double> values = parse_numbers(text, option);
  for (const double value : values)
    if (!std::isfinite(value)) refuse_option(option, "joint coordinates must be finite");
  return values;
}

int run(ChainCommand& command) {
  if (command.list_methods) {
    print_first_contact_methods();
    return exit_answered;
  }
  ChainQuestion& question = command.question;
  if (question.robot.empty()) refuse_option("ROBOT.json", "a robot file is needed; docs/motions.md describes it");
  if (!command.environment_pose.empty()) {
    if (question.environment.empty()) refuse_option("--environment-pose", "needs --environment");
    question.environment_pose = parse_pose(command.environment_pose, "--environment-pose");
  }
  question.from = parse_coordinates(command.from, "--from");
  question.to = parse_coordinates(command.to, "--to");
  check(question.options);
  if (!command.batch.empty()) {
    if (question.from || question.to || !command.dump.empty() || !question.certificates.empty())
      refuse_option("--batch", "cannot go with --from, --to, --dump or --certificates: rows say how the joints move");
    return answer_batch(question, command.batch);
  }
  if (!command.dump.empty()) write_file(command.dump, question_json(question).dump(2) + "\n");
  return answer(question);
}

}  // namespace

int replay_chain(JsonReader& reader, bool json) {
  ChainQuestion question;
  question.robot = reader.text("robot");
  question.environment = reader.text("environment", "");
  if (reader.has("environment_pose")) question.environment_pose = reader.pose("environment_pose");
  if (reader.has("from")) question.from = reader.numbers("from");
  if (reader.has("to")) question.to = reader.numbers("to");
  question.neighbours = reader.flag("neighbours", false);
  question.certificates = reader.text("certificates", "");
  question.options = read_contact_options(reader);
  question.options.json |= json;
  reader.finish();
  check(question.options);
  return answer(question);
}

void add_chain(CLI::App& graze, int& exit_status) {
  const auto command = std::make_shared<ChainCommand>();
  ChainQuestion& question = command->question;
  CLI::App* app = graze.add_subcommand("chain", "When does a moving robot first touch something, or itself?");
  app->footer(chain_footer);
  app->add_option("ROBOT.json", question.robot, "Links, joints and meshes")->type_name("FILE");
  add_text(*app, "--environment", question.environment, "A mesh that stands still around the robot", "MESH");
  add_text(*app, "--environment-pose", command->environment_pose, "Where it stands; default: where its file puts it",
           "POSE");
  add_text(*app, "--from", command->from,
           "The joints at the start, one number each (radians; metres if prismatic);\ndefault: as the file says",
           "\"Q...\"");
  add_text(*app, "--to", command->to, "The joints at the end", "\"Q...\"");
  app->add_flag("--neighbours", question.neighbours, "Ask parent and child for contact too");
  add_text(*app, "--batch", command->batch,
           "Answer every row of a CSV file: the joints at the start, then at the end; one JSON line a row", "FILE.csv");
  add_contact_options(*app, question.options);
  add_text(*app, "--certificates", question.certificates,
           "Write the proof of every pair of links, which graze verify checks, into a folder", "FOLDER");
  add_text(*app, "--dump", command->dump, "Write the question as JSON, for graze replay", "FILE");
  app->add_flag("--list-methods", command->list_methods, "List the methods");
  app->callback([command, &exit_status] { exit_status = run(*command); });
}

}  // namespace graze::app
