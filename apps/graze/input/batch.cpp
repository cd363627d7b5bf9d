// SPDX-License-Identifier: MIT
#include "input/batch.hpp"

#include <utility>

#include <fmt/format.h>
#include <graze/core/error.hpp>

#include "command.hpp"
#include "output/progress.hpp"

namespace graze::app {
namespace {

constexpr std::size_t numbers_per_pose = 7;

Answer ask_row(const std::string& file, const Row& row, const RowForm& form, const RowQuestion& question) {
  const std::vector<double> numbers = parse_row(file, row, form);
  try {
    return question(numbers);
  } catch (const Error& error) {
    refuse_row(error.detail().code, file, row, error.what());
  }
}

/// The version first, then the row, then the answer.
Json numbered(const Row& row, const Json& answer) {
  Json out = new_object();
  out["row"] = row.number;
  out.update(answer);
  return out;
}

}  // namespace

RowForm pose_form(std::span<const std::string_view> names) {
  return {names.size() * numbers_per_pose, fmt::format("tx,ty,tz,qw,qx,qy,qz of {}", fmt::join(names, ", then of "))};
}

std::vector<Pose> to_poses(std::span<const double> row, std::span<const std::string_view> names) {
  std::vector<Pose> poses;
  try {
    for (auto v = row; poses.size() < names.size(); v = v.subspan(numbers_per_pose))
      poses.emplace_back(Vec3{v[0], v[1], v[2]}, Quat{v[3], v[4], v[5], v[6]});
  } catch (const Error& error) {
    ErrorDetail detail = error.detail();
    detail.message = fmt::format("pose of {}: {}", names[poses.size()], detail.message);
    throw Error(detail);
  }
  return poses;
}

int run_batch(const std::string& file, bool exit_code, const RowForm& form, const RowQuestion& question) {
  const std::vector<Row> rows = read_rows(file, form.numbers);
  Progress progress(rows.size());
  bool contact = false, undecided = false;
  for (const Row& row : rows) {
    const Answer answer = ask_row(file, row, form, question);
    progress.before_output();
    print_line(numbered(row, answer.json));
    if (answer.status == Status::invalid_request)
      refuse_row(answer.error ? answer.error->code : ErrorCode::unsupported, file, row,
                 answer.error ? answer.error->text() : "this question cannot be asked of these bodies");
    contact |= answer.status == Status::contact || answer.status == Status::touching_at_start;
    undecided |= answer.status == Status::undecided;
    progress.step();
  }
  if (contact && exit_code) return exit_contact;
  return undecided ? exit_undecided : exit_answered;
}

}  // namespace graze::app
