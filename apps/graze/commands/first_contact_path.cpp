// SPDX-License-Identifier: MIT
#include "commands/first_contact_path.hpp"

#include <array>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <graze/ask/first_contact.hpp>

#include "command.hpp"
#include "input/pose_path.hpp"
#include "output/answer.hpp"
#include "output/json.hpp"
#include "output/print.hpp"

namespace graze::app {
namespace {

Body centred(const Body& body) {
  if (body.shape() || !body.pieces().empty())
    refuse_option("--a-centred", "is about a mesh; a shape has its own origin");
  std::set<std::array<double, 3>> vertices;
  for (const Vec3& p : body.mesh().positions()) vertices.insert({p.x, p.y, p.z});
  Vec3 mean;
  for (const auto& [x, y, z] : vertices) mean = mean + Vec3{x, y, z};
  mean = mean * (1 / static_cast<double>(vertices.size()));
  std::vector<Vec3> moved;
  for (const Vec3& p : body.mesh().positions()) moved.push_back(p - mean);
  return Body(Mesh(std::move(moved), body.mesh().polygons()));
}

}  // namespace

int answer_path(const PathQuestion& question) {
  const std::vector<Pose> poses = read_pose_path(question.path, question.quaternion);
  MethodCounters of_method, of_all;
  FirstContactOptions options = library_options(question.options);
  options.method_counters = &of_method;
  BodyPair bodies = load_bodies(question.file_a, question.file_b, question.options.input);
  if (question.centred) bodies.a = centred(bodies.a);
  const std::size_t segments = poses.size() - 1;
  FirstContactResult result;
  std::optional<Clearance> least;
  std::size_t segment = 0, least_in = 0;
  Counters counters;
  double seconds = 0;
  for (std::size_t i = 0; i < segments; ++i) {
    const BodyMotion a{poses[i], poses[i + 1], {}, {}};
    first_contact(bodies.a, to_motion(a, question.motion), bodies.b, Still{question.pose_b}, options, result);
    segment = i;
    of_all += of_method;
    counters += result.counters;
    seconds += result.seconds;
    if (const auto& found = result.clearance) {
      const double lower = least ? std::min(least->lower, found->lower) : found->lower;
      if (!least || found->upper < least->upper) least = found, least_in = i;
      least->lower = lower;
    }
    if (result.status != Status::free) break;
  }
  result.counters = counters;
  result.seconds = seconds;
  result.clearance = least;
  of_method = of_all;
  if (question.options.json) {
    Json out = to_json(result, options, bodies.a, bodies.b);
    out["segment"] = segment;
    out["segments"] = segments;
    if (least) out["clearance"]["segment"] = least_in;
    out["motion"] = name(question.motion);
    print_line(out);
  } else if (result.status != Status::invalid_request) {
    print(result, options, bodies.a, bodies.b);
    print_field("segment", fmt::format("{} of {}, from 0; t is within it", segment, segments));
    if (least) print_field("", fmt::format("the least clearance is in segment {}", least_in));
    print_field("motion", name(question.motion));
  }
  return exit_status_of(result.status, result.error, question.options.exit_code);
}

}  // namespace graze::app
