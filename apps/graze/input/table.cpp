// SPDX-License-Identifier: MIT
#include "input/table.hpp"

#include <algorithm>
#include <fstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "input/pose_text.hpp"
#include "input/refuse_file.hpp"

namespace graze::app {
namespace {

/// The beginning of a field, for messages: whatever the file is, it is printed.
std::string shown(std::string_view field) {
  constexpr std::size_t most = 40;
  std::string out(field.substr(0, most));
  for (char& c : out)
    if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) > '~') c = '?';
  return field.size() > most ? out + "..." : out;
}

/// A header names its columns: none of its fields is a number.
bool is_header(std::string_view line) {
  const auto fields = split_fields(line, ',');
  return std::none_of(fields.begin(), fields.end(), [](std::string_view f) { return parse_number(f).has_value(); });
}

}  // namespace

void refuse_row(ErrorCode code, const std::string& file, const Row& row, std::string message) {
  ErrorDetail detail;
  detail.code = code;
  detail.file = file;
  detail.line = row.line;
  detail.element = "row";
  detail.id = row.number;
  detail.message = std::move(message);
  throw Error(detail);
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
    refuse_row(
        ErrorCode::bad_file, file, row,
        fmt::format("has {} fields; a row is {} numbers with commas: {}", fields.size(), form.numbers, form.meaning));
  std::vector<double> v;
  for (const std::string_view field : fields) {
    const auto value = parse_number(field);
    if (!value)
      refuse_row(ErrorCode::bad_file, file, row,
                 fmt::format("field {} is '{}', which is no number", v.size() + 1, shown(field)));
    v.push_back(*value);
  }
  return v;
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
    refuse_row(ErrorCode::bad_file, file, rows[0],
               fmt::format("has {} fields; a row is numbers with commas, as many as {}", fields, known));
  }
  for (const Row& row : rows) {
    table.rows.push_back(parse_row(file, row, forms[table.form]));
    table.lines.push_back(row.line);
  }
  return table;
}

}  // namespace graze::app
