// SPDX-License-Identifier: MIT
#include "input/batch.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <graze/core/error.hpp>

#include "command.hpp"
#include "input/pose_text.hpp"
#include "input/refuse_file.hpp"
#include "output/progress.hpp"

namespace graze::app {
namespace {

constexpr std::size_t numbers_per_pose = 7;

/// A row: its number (from 1, without the header) and its line in the file.
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

/// A header names its columns: none of its fields is a number.
bool is_header(std::string_view line) {
  const auto fields = split_fields(line, ',');
  return std::none_of(fields.begin(), fields.end(), [](std::string_view f) { return parse_number(f).has_value(); });
}

std::vector<Row> read_rows(const std::string& file, std::size_t numbers) {
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
  if (rows.empty())
    refuse_file(ErrorCode::bad_file, file, fmt::format("holds no row; write {} numbers a row, with commas", numbers));
  return rows;
}

std::vector<double> parse_row(const std::string& file, const Row& row, const RowForm& form) {
  const auto fields = split_fields(row.text, ',');
  if (fields.size() != form.numbers)
    refuse(
        ErrorCode::bad_file, file, row,
        fmt::format("has {} fields; a row is {} numbers with commas: {}", fields.size(), form.numbers, form.meaning));
  std::vector<double> v;
  for (const std::string_view field : fields) {
    const auto value = parse_number(field);
    if (!value)
      refuse(ErrorCode::bad_file, file, row, fmt::format("field {} is '{}', which is no number", v.size() + 1, field));
    v.push_back(*value);
  }
  return v;
}

Answer ask_row(const std::string& file, const Row& row, const RowForm& form, const RowQuestion& question) {
  const std::vector<double> numbers = parse_row(file, row, form);
  try {
    return question(numbers);
  } catch (const Error& error) {
    refuse(error.detail().code, file, row, error.what());
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

std::vector<std::vector<double>> read_table(const std::string& file, const RowForm& form) {
  std::vector<std::vector<double>> out;
  for (const Row& row : read_rows(file, form.numbers)) out.push_back(parse_row(file, row, form));
  return out;
}

Table read_table(const std::string& file, std::span<const RowForm> forms) {
  const std::vector<Row> rows = read_rows(file, forms[0].numbers);
  const std::size_t fields = split_fields(rows[0].text, ',').size();
  Table table;
  while (table.form < forms.size() && forms[table.form].numbers != fields) ++table.form;
  if (table.form == forms.size()) {
    std::string known;
    for (const RowForm& form : forms)
      known += fmt::format("{}{} ({})", known.empty() ? "" : ", or ", form.numbers, form.meaning);
    refuse(ErrorCode::bad_file, file, rows[0],
           fmt::format("has {} fields; a row is numbers with commas, as many as {}", fields, known));
  }
  for (const Row& row : rows) table.rows.push_back(parse_row(file, row, forms[table.form]));
  return table;
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
      refuse(answer.error ? answer.error->code : ErrorCode::unsupported, file, row,
             answer.error ? answer.error->text() : "this question cannot be asked of these bodies");
    contact |= answer.status == Status::contact || answer.status == Status::touching_at_start;
    undecided |= answer.status == Status::undecided;
    progress.step();
  }
  if (contact && exit_code) return exit_contact;
  return undecided ? exit_undecided : exit_answered;
}

}  // namespace graze::app
