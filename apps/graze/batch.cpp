// SPDX-License-Identifier: MIT
#include "batch.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <graze/core/error.hpp>

#include "command.hpp"
#include "pose_text.hpp"
#include "progress.hpp"

namespace graze::app {
namespace {

constexpr std::size_t numbers_per_row = 14;

/// A row by its number (from 1, as people count; the header is none) and its line in the file.
struct Row {
  std::uint64_t number, line;
  std::string text;
};

[[noreturn]] void refuse(ErrorCode code, const std::string& file, const Row& row, std::string message) {
  ErrorDetail detail;
  detail.code = code;
  detail.file = file;
  detail.line = row.line;
  detail.element = "row";
  detail.id = row.number;
  detail.message = std::move(message);
  throw Error(detail);
}

/// A header names its columns: no field of it is a number.
bool is_header(std::string_view line) {
  const auto fields = split_fields(line, ',');
  return std::none_of(fields.begin(), fields.end(), [](std::string_view f) { return parse_number(f).has_value(); });
}

[[noreturn]] void refuse_file(ErrorCode code, const std::string& file, std::string message) {
  ErrorDetail detail;
  detail.code = code;
  detail.file = file;
  detail.message = std::move(message);
  throw Error(detail);
}

std::vector<Row> read_rows(const std::string& file) {
  std::ifstream in(file);
  if (!in) refuse_file(ErrorCode::file_not_found, file, "cannot be opened; check the name and the rights");
  std::vector<Row> rows;
  std::string text;
  bool first = true;
  for (std::uint64_t line = 1; std::getline(in, text); ++line) {
    if (line == 1 && text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);  // a byte order mark
    if (text.find_first_not_of(" \t\r") == text.npos) continue;
    if (!std::exchange(first, false) || !is_header(text)) rows.push_back({rows.size() + 1, line, text});
  }
  if (in.bad()) refuse_file(ErrorCode::bad_file, file, "cannot be read to its end; is it a plain file?");
  if (rows.empty()) refuse_file(ErrorCode::bad_file, file, "holds no row; write 14 numbers a row, with commas");
  return rows;
}

std::array<Pose, 2> parse_row(const std::string& file, const Row& row) {
  const auto fields = split_fields(row.text, ',');
  if (fields.size() != numbers_per_row)
    refuse(ErrorCode::bad_file, file, row,
           fmt::format("has {} fields; a row is 14 numbers with commas: tx,ty,tz,qw,qx,qy,qz of A, then of B",
                       fields.size()));
  std::array<double, numbers_per_row> v{};
  for (std::size_t i = 0; i < numbers_per_row; ++i) {
    const auto value = parse_number(fields[i]);
    if (!value)
      refuse(ErrorCode::bad_file, file, row, fmt::format("field {} is '{}', which is no number", i + 1, fields[i]));
    v[i] = *value;
  }
  const char* body = "A";
  try {
    const Pose a({v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]});
    body = "B";
    return {a, Pose({v[7], v[8], v[9]}, {v[10], v[11], v[12], v[13]})};
  } catch (const Error& error) {
    refuse(error.detail().code, file, row, fmt::format("pose of {}: {}", body, error.what()));
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

int run_batch(const std::string& file, bool exit_code, const Question& question) {
  const std::vector<Row> rows = read_rows(file);
  Progress progress(rows.size());
  bool contact = false, undecided = false;
  for (const Row& row : rows) {
    const std::array<Pose, 2> poses = parse_row(file, row);
    const Answer answer = question(poses[0], poses[1]);
    progress.make_room();
    print_line(numbered(row, answer.json));
    if (answer.status == Status::invalid_request)
      refuse(answer.error ? answer.error->code : ErrorCode::unsupported, file, row,
             answer.error ? answer.error->text() : "this question cannot be asked of these bodies");
    contact |= answer.status == Status::contact;
    undecided |= answer.status == Status::undecided;
    progress.step();
  }
  if (contact && exit_code) return exit_contact;
  return undecided ? exit_undecided : exit_answered;
}

}  // namespace graze::app
