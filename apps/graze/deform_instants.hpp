// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <graze/query/interference.hpp>

#include "deform_bodies.hpp"
#include "json.hpp"

namespace graze::app {

/// Is it a method that looks at the frames only, not in between?
bool is_discrete(const std::string& method);

/// The bodies of a frame, asked which of their faces interfere at that instant.
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
    Counters counters;
    InterferenceSeconds seconds;
  };
  Answer ask(const Mesh& frame);

 private:
  struct Part {
    Mesh mesh;
    std::vector<std::uint32_t> vertices;   ///< of the frame, for each of the body
    std::vector<std::uint32_t> triangles;  ///< of the frame, for each of the body
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
  bool counts_start;  ///< whether the start's cost is this step's: only the first step's is
  Status status() const { return start.pairs.empty() && end.pairs.empty() ? Status::undecided : Status::contact; }
};
Json step_json(const InstantsStep& step, const std::string& method, std::uint32_t bodies);
void print_step(const InstantsStep& step);
/// Lines for the pairs file, without the step.
std::vector<std::string> csv_lines(const InstantsStep& step);

}  // namespace graze::app
