// SPDX-License-Identifier: MIT
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "proof.hpp"
#include "step.hpp"

namespace {

constexpr const char* help_text =
    R"(Checks a proof that two moving bodies, or the parts of a deforming mesh, do not touch, sharing no code with the
library that wrote it.

  graze-verify [--json] FILE A B
  graze-verify [--json] FILE FRAME0 FRAME1

FILE            a certificate, as `graze first-contact A B ... --certificate FILE` or `graze deform FRAME0 FRAME1 ...
                --certificate FILE` writes it
A, B            the meshes it is about: .obj, .off, .ply or .stl
FRAME0, FRAME1  the mesh before and after the step

  --json   print one JSON object: version, verified, until, separations, instants, motions (of a step: pairs,
           separations, features); or verified, reason
  --help   print this

It prints one line. Exit status: 0 verified, 1 rejected, 2 wrong usage or a file that cannot be read.
What is proved is about the motions that are written in FILE (lines 2 and 3): compare them with your question. Of a
step line 2 says whether all pairs are meant or only those of different connected pieces.

Example:
  graze first-contact knot.obj board.obj --a-from "0 0 0 1 0 0 0" --a-to "2 0 0 0 0 0 1" --certificate proof.txt
  graze-verify proof.txt knot.obj board.obj
  graze deform before.obj after.obj --self --certificate proof.txt
  graze-verify proof.txt before.obj after.obj
)";

int wrong_usage(const std::string& what) {
  std::fprintf(stderr, "graze-verify: %s; usage: graze-verify [--json] FILE A B, or --help\n", what.c_str());
  return 2;
}

/// Says so if the proof is none.
template <class Proof>
bool rejected(Proof& proof, bool json) {
  try {
    proof.check();
  } catch (const verify::Rejected& why) {  // what it says needs no escapes in JSON
    std::printf(json ? "{\"version\":1,\"verified\":false,\"reason\":\"%s\"}\n" : "rejected: %s\n", why.what());
    return true;
  }
  return false;
}

int verify_step(const std::string& certificate, const verify::Mesh& start, const verify::Mesh& end, bool json) {
  verify::StepProof proof(certificate, start, end);
  if (rejected(proof, json)) return 1;
  std::printf(json ? "{\"version\":1,\"verified\":true,\"pairs\":\"%s\",\"separations\":%zu,\"features\":%zu}\n"
                   : "verified: no contact during the step, %s pairs, %zu separations, %zu pairs of features\n",
              proof.pairs.c_str(), proof.separations, proof.features);
  return 0;
}

int verify_files(const std::vector<std::string>& files, bool json) {
  const std::string certificate = verify::read_bytes(files[0]);
  const verify::Mesh a = verify::MeshReader().read(files[1]), b = verify::MeshReader().read(files[2]);
  if (verify::Words(certificate).next() == "graze-step-certificate") return verify_step(certificate, a, b, json);
  verify::Proof proof(certificate, a, b);
  if (rejected(proof, json)) return 1;
  const std::string until = verify::digits(proof.until), separations = std::to_string(proof.separations);
  if (json) {
    std::printf(
        "{\"version\":1,\"verified\":true,\"until\":%s,\"separations\":%s,\"instants\":%zu,"
        "\"motions\":[\"%s\",\"%s\"]}\n",
        until.c_str(), separations.c_str(), proof.instants, proof.motion_a.c_str(), proof.motion_b.c_str());
  } else {
    std::printf("verified: no contact before T=%s, %s separations\n", until.c_str(), separations.c_str());
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> files;
  bool json = false;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    if (argument == "--help" || argument == "-h") {
      std::fputs(help_text, stdout);
      return 0;
    }
    if (argument == "--json") {
      json = true;
    } else if (argument.size() > 1 && argument[0] == '-') {
      return wrong_usage("unknown option " + argument);
    } else {
      files.push_back(argument);
    }
  }
  if (files.size() != 3) return wrong_usage("expected three files");
  try {
    return verify_files(files, json);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "graze-verify: %s\n", error.what());
    return 2;
  }
}
