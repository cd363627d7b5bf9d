// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <graze/ask/interference.hpp>

#include "deform/deform_bodies.hpp"
#include "output/json.hpp"

namespace graze::app {

/// Does the method test the frames only, not the motion between?
bool is_discrete(const std::string& method);

/// The bodies of a frame, tested for interfering faces at that instant.
class Instants {
 public:
  Instants(const Frame& first, const BodySplit& split, const std::string& method, bool self, int threads);

  /// Triangles are numbered as in the frame.
  struct Pair {
    std::uint32_t a, b, body_a, body_b;
    ContactKind kind;
  };
  struct Answer {
    std::vector<Pair> pairs;
    AllCounters counters;
    InterferenceSeconds seconds;
  };
  Answer ask(const Mesh& frame);

 private:
  struct Part {
    Mesh mesh;
    std::vector<std::uint32_t> vertices;   ///< vertex in the frame, for each vertex of the body
    std::vector<std::uint32_t> triangles;  ///< triangle in the frame, for each triangle of the body
    std::vector<Vec3> positions;
  };
  std::vector<Part> parts_;
  InterferenceOptions options_;
  std::string method_;
  InterferenceCoherence coherence_;
  InterferenceResult result_;
};

/// One step: the instants at its start and end.
struct InstantsStep {
  const Instants::Answer& start;
  const Instants::Answer& end;
  bool counts_start;  ///< whether this step includes the cost of its start: only the first step does
  Status status() const { return start.pairs.empty() && end.pairs.empty() ? Status::undecided : Status::contact; }
};
Json step_json(const InstantsStep& step, const std::string& method, std::uint32_t bodies);
void print_step(const InstantsStep& step);
/// Lines for the pairs file, without the step number.
std::vector<std::string> csv_lines(const InstantsStep& step);

}  // namespace graze::app
