// SPDX-License-Identifier: MIT
#include "output/answer.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "command.hpp"
#include "input/batch.hpp"
#include "input/pose_text.hpp"
#include "output/print.hpp"

namespace graze::app {

int ask(const QueryOptions& options, const PlacedPair& bodies, const Question& question,
        const std::function<void()>& print_text) {
  constexpr std::array<std::string_view, 2> names{"A", "B"};
  if (!options.batch.empty())
    return run_batch(options.batch, options.exit_code, pose_form(names), [&](std::span<const double> row) {
      const std::vector<Pose> poses = to_poses(row, names);
      return question(poses[0], poses[1]);
    });
  Answer answer = question(bodies.pose_a, bodies.pose_b);
  if (options.json) {
    answer.json["pose_a"] = to_json(bodies.pose_a);
    answer.json["pose_b"] = to_json(bodies.pose_b);
    print_line(answer.json);
  } else if (answer.status != Status::invalid_request) {
    print_text();
    // The pose was given as a matrix and converted: the answer is about this quaternion.
    if (is_matrix(options.pose_a)) print_field("pose of A", pose_text(bodies.pose_a));
    if (is_matrix(options.pose_b)) print_field("pose of B", pose_text(bodies.pose_b));
  }
  return exit_status_of(answer.status, answer.error, options.exit_code);
}

std::string message_of(ErrorDetail detail) {
  constexpr std::string_view option = "option ";
  const bool from_library =
      detail.element.starts_with(option) && detail.element.size() > option.size() &&
      detail.element.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", option.size()) == detail.element.npos;
  if (from_library) {
    std::replace(detail.element.begin(), detail.element.end(), '_', '-');
    detail.element.insert(option.size(), "--");
  }
  return detail.text();
}

int exit_status_of(Status status, const std::optional<ErrorDetail>& error, bool exit_code) {
  switch (status) {
    case Status::free: return exit_answered;
    case Status::contact:
    case Status::touching_at_start: return exit_code ? exit_contact : exit_answered;
    case Status::undecided: return exit_undecided;
    case Status::invalid_request: break;
  }
  fmt::print(stderr, "graze: {}\n", error ? message_of(*error) : "this question cannot be asked of these bodies");
  return exit_refused;
}

}  // namespace graze::app
