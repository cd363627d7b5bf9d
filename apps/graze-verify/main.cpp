// SPDX-License-Identifier: MIT
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "options.hpp"
#include "question.hpp"

namespace {

int wrong_usage(const std::string& what) {
  std::fprintf(stderr, "graze-verify: %s; usage: graze-verify [options] FILE A B, or --help\n", what.c_str());
  return 2;
}

/// Runs `check`. If it rejects the certificate (invalid, or a proof of another question), prints the reason and returns
/// true.
template <class Check>
bool rejected(bool json, Check&& check) {
  try {
    check();
  } catch (const verify::Rejected& why) {  // its messages need no escaping in JSON
    std::printf(json ? "{\"version\":1,\"verified\":false,\"reason\":\"%s\"}\n" : "rejected: %s\n", why.what());
    return true;
  }
  return false;
}

std::string compared(const verify::Expected& expected, bool json) {
  std::string out;
  for (const std::string& name : expected.compared())
    out += (out.empty() ? "" : json ? "," : ", ") + (json ? '"' + name + '"' : name);
  if (json) return "[" + out + "]";
  return out.empty() ? "nothing: compare the question with yours, or see --expect in --help" : out;
}

std::string counted(const std::string& name, std::size_t triangles, const verify::Mesh& mesh) {
  const std::size_t cut = verify::cut_polygons(mesh);
  std::string out = name + std::to_string(triangles) + " triangles of " + std::to_string(mesh.polygons()) + " polygons";
  if (cut > 0) out += ", " + std::to_string(cut) + " of them cut into triangles as the certificate says";
  return out;
}

void print_step(const verify::StepProof& proof, const verify::Mesh& mesh, const verify::Expected& expected) {
  const std::string near = verify::digits(proof.separation);
  const std::string proved = proof.separation > 0 ? "nothing comes as near as " + near : "no contact";
  std::string pairs = "all pairs of triangles without a common vertex";
  if (proof.pairs != "all")
    pairs = "pairs of triangles of different " + proof.pairs + ", of which there are " + std::to_string(proof.groups) +
            (proof.groups < 2 ? ": nothing had to be proved" : "");
  const std::string until = verify::digits(proof.until);
  std::printf("verified: %s %s, %s pairs, %zu separations, %zu patches, %zu pairs of features\n", proved.c_str(),
              proof.until < 1 ? ("until T=" + until + " of the step").c_str() : "during the step", proof.pairs.c_str(),
              proof.separations, proof.patches, proof.features);
  std::printf("  question: every vertex straight from frame to frame, 0 <= t <= %s; %s; distance > %s\n", until.c_str(),
              pairs.c_str(), near.c_str());
  std::printf("  mesh: %s\n", counted("", proof.triangle_count(), mesh).c_str());
  std::printf("  compared with what was expected: %s\n", compared(expected, false).c_str());
}

void print_step_json(const verify::StepProof& proof, const verify::Mesh& mesh, const verify::Expected& expected) {
  const std::string near = verify::digits(proof.separation), until = verify::digits(proof.until);
  std::printf(
      "{\"version\":1,\"verified\":true,\"pairs\":\"%s\",\"until\":%s,\"separation\":%s,\"separations\":%zu,"
      "\"patches\":%zu,\"features\":%zu,"
      "\"question\":{\"kind\":\"step\",\"interval\":[0,%s],\"pairs\":\"%s\",\"groups\":%zu,\"separation\":%s,"
      "\"polygons\":%zu,\"triangles\":%zu,\"cut_polygons\":%zu},\"compared\":%s}\n",
      proof.pairs.c_str(), until.c_str(), near.c_str(), proof.separations, proof.patches, proof.features, until.c_str(),
      proof.pairs.c_str(), proof.groups, near.c_str(), mesh.polygons(), proof.triangle_count(),
      verify::cut_polygons(mesh), compared(expected, true).c_str());
}

std::string described(const char* name, std::size_t items, const verify::Subject& body) {
  const std::size_t shapes = body.shapes();
  if (!body.compound && shapes == 1) return std::string(name) + body.pieces[0].text;
  const std::string triangles = body.compound ? std::to_string(body.pieces.size()) + " pieces, " : "";
  std::string out = name + triangles + std::to_string(items - shapes) + " triangles of " +
                    std::to_string(body.polygons()) + " polygons";
  if (shapes > 0) out += " and " + std::to_string(shapes) + " shapes";
  if (const std::size_t cut = verify::cut_polygons(body); cut > 0)
    out += ", " + std::to_string(cut) + " of them cut into triangles as the certificate says";
  return out;
}

void print_motion(const verify::Proof& proof, const verify::Subject& a, const verify::Subject& b,
                  const verify::Expected& expected) {
  const std::string until = verify::digits(proof.until), near = verify::digits(proof.separation);
  const std::string proved = proof.separation > 0 ? "farther apart than " + near : "no contact";
  std::printf("verified: %s before T=%s, %zu separations\n", proved.c_str(), until.c_str(), proof.separations);
  if (!(proof.until > 0)) std::printf("  nothing is proved: the certificate ends at t = 0\n");
  std::printf("  question: %s of two moving bodies, 0 <= t <= %s, distance > %s; %s\n",
              a.shapes() + b.shapes() > 0 ? "the surfaces of meshes and solid shapes" : "the surfaces", until.c_str(),
              near.c_str(), proof.solid ? "and neither is inside the other" : "not whether one is inside the other");
  std::printf("  %s; motion %s\n", described("a: ", proof.item_counts[0], a).c_str(), proof.motion_a.c_str());
  std::printf("  %s; motion %s\n", described("b: ", proof.item_counts[1], b).c_str(), proof.motion_b.c_str());
  std::printf("  compared with what was expected: %s\n", compared(expected, false).c_str());
}

void print_motion_json(const verify::Proof& proof, const verify::Subject& a, const verify::Subject& b,
                       const verify::Expected& expected) {
  const std::string until = verify::digits(proof.until);
  std::printf(
      "{\"version\":1,\"verified\":true,\"until\":%s,\"separations\":%zu,\"instants\":%zu,"
      "\"motions\":[\"%s\",\"%s\"],\"question\":{\"kind\":\"moving_bodies\",\"interval\":[0,%s],\"separation\":%s,"
      "\"solid\":%s,\"polygons\":[%zu,%zu],\"triangles\":[%zu,%zu],\"shapes\":[%zu,%zu],\"cut_polygons\":[%zu,%zu]},"
      "\"compared\":%s}\n",
      until.c_str(), proof.separations, proof.instants.used, proof.motion_a.c_str(), proof.motion_b.c_str(),
      until.c_str(), verify::digits(proof.separation).c_str(), proof.solid ? "true" : "false", a.polygons(),
      b.polygons(), proof.item_counts[0] - a.shapes(), proof.item_counts[1] - b.shapes(), a.shapes(), b.shapes(),
      verify::cut_polygons(a), verify::cut_polygons(b), compared(expected, true).c_str());
}

int verify_files(const std::vector<std::string>& files, const verify::Expected& expected, bool json) {
  const std::string certificate = verify::read_bytes(files[0]);
  if (verify::Words(certificate).next() == "graze-step-certificate") {
    const verify::Mesh a = verify::read_frame(files[1]), b = verify::read_frame(files[2]);
    verify::StepProof proof(certificate, a, b);
    if (rejected(json, [&] { proof.check(), check_question(expected, proof, a); })) return 1;
    json ? print_step_json(proof, a, expected) : print_step(proof, a, expected);
  } else {
    const verify::Subject a = verify::read_subject(files[1]), b = verify::read_subject(files[2]);
    verify::Proof proof(certificate, a, b);
    proof.solid = expected.solid;
    proof.instants.most = expected.most_instants;
    if (rejected(json, [&] { proof.check(), check_question(expected, proof); })) return 1;
    json ? print_motion_json(proof, a, b, expected) : print_motion(proof, a, b, expected);
  }
  return 0;
}

double distance_or_time(const std::string& option, const std::string& text) {
  double x = 0;
  if (!verify::read_number(text, x) || x < 0)
    throw std::invalid_argument(option + " needs a number that is not negative");
  return x;
}

/// Parses an option that states the expected question. Throws `invalid_argument`.
void read_expected(const std::string& option, const std::string& value, verify::Expected& expected) {
  if (option == "--expect") {
    if (value != "all" && value != "pieces" && value != "files" && !value.starts_with("bodies="))
      throw std::invalid_argument("--expect needs all, pieces, files or bodies=WHAT");
    expected.pairs = value;
  } else if (option == "--expect-separation") {
    expected.separation = distance_or_time(option, value);
  } else if (option == "--expect-motion-a" || option == "--expect-motion-b") {
    expected.motions[option.back() == 'a' ? 0 : 1] = value;
  } else if (option == "--expect-until") {
    expected.until = distance_or_time(option, value);
  } else if (option == "--most-instants") {
    long long most = 0;
    if (!verify::read_whole(value, most) || most < 1) throw std::invalid_argument(option + " needs a whole number");
    expected.most_instants = static_cast<std::size_t>(most);
  }
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> files;
  verify::Expected expected;
  bool json = false;
  try {
    for (int i = 1; i < count; ++i) {
      const std::string argument = std::string(arguments[i]) == "-h" ? "--help" : arguments[i];
      if (argument.size() < 2 || argument[0] != '-') {
        files.push_back(argument);
        continue;
      }
      const std::size_t equals = argument.find('=');
      const std::string name = argument.substr(0, equals);
      const verify::OptionRow* option = verify::find_option(name);
      if (!option) throw std::invalid_argument("unknown option " + argument);
      const bool joined = equals != argument.npos, takes_value = *option->value != '\0';
      if (joined && !takes_value) throw std::invalid_argument(name + " takes no value");
      if (takes_value && !joined && i + 1 == count) throw std::invalid_argument(name + " needs a value");
      if (name == "--help" || name == "--version") {
        std::fputs(name == "--help" ? verify::help().c_str() : "graze-verify " GRAZE_VERSION "\n", stdout);
        return 0;
      }
      if (takes_value)
        read_expected(name, joined ? argument.substr(equals + 1) : arguments[++i], expected);
      else
        (name == "--json" ? json : expected.solid) = true;
    }
    if (files.size() != 3) throw std::invalid_argument("expected three files");
    return verify_files(files, expected, json);
  } catch (const std::invalid_argument& usage) {
    return wrong_usage(usage.what());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "graze-verify: %s\n", error.what());
    return 2;
  }
}
