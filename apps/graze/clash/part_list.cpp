// SPDX-License-Identifier: MIT
#include "clash/part_list.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "clash/csv_reader.hpp"
#include "input/json_reader.hpp"
#include "input/pose_text.hpp"
#include "input/refuse_file.hpp"

namespace graze::app {
namespace {

constexpr std::array<const char*, 13> columns{"file", "name", "x",     "y",    "z",    "qw",   "qx",
                                              "qy",   "qz",   "group", "guid", "unit", "scale"};

std::filesystem::path beside(const std::string& list, const std::string& file) {
  return (std::filesystem::path(list).parent_path() / file).lexically_normal();
}

std::string stem_of(const std::filesystem::path& file) {
  std::filesystem::path out = file.filename();
  if (out.extension() == ".gz") out.replace_extension();
  return out.stem().string();
}

std::vector<PartEntry> read_csv_list(const std::string& file, const Unit& unit) {
  CsvReader csv(file);
  const std::vector<std::string> header = csv.next().value_or(std::vector<std::string>{});
  std::map<std::string, std::size_t> column;
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (std::find(columns.begin(), columns.end(), header[i]) == columns.end())
      csv.refuse(fmt::format("unknown column '{}'; the columns are {}", header[i], fmt::join(columns, ", ")));
    column[header[i]] = i;
  }
  if (!column.contains("file"))
    csv.refuse(
        fmt::format("the first line must name the columns, and 'file' among them: {}", fmt::join(columns, ", ")));
  std::vector<PartEntry> out;
  while (const auto row = csv.next()) {
    if (row->size() == 1 && (*row)[0].empty()) continue;  // an empty line
    if (row->size() != header.size())
      csv.refuse(fmt::format("{} fields, but the header has {}", row->size(), header.size()));
    const auto text = [&](const char* name) {
      const auto at = column.find(name);
      return at == column.end() ? std::string() : (*row)[at->second];
    };
    const auto number = [&](const char* name, double otherwise) {
      const std::string given = text(name);
      if (given.empty()) return otherwise;
      const auto value = parse_number(given);
      if (!value) csv.refuse(fmt::format("column '{}': '{}' is no number", name, given));
      return *value;
    };
    PartEntry part;
    if (text("file").empty()) csv.refuse("column 'file' is empty");
    part.source.file = beside(file, text("file"));
    part.named = !text("name").empty();
    part.name = part.named ? text("name") : stem_of(part.source.file);
    part.group = text("group");
    part.guid = text("guid");
    part.source.scale = number("scale", 1);
    try {
      if (!text("unit").empty()) part.source.scale *= parse_unit(text("unit"), "unit").tenths_of_mm / unit.tenths_of_mm;
      part.pose = Pose({number("x", 0), number("y", 0), number("z", 0)},
                       {number("qw", 1), number("qx", 0), number("qy", 0), number("qz", 0)});
    } catch (const Error& error) {
      if (!error.detail().file.empty()) throw;
      csv.refuse(error.detail().message);
    }
    if (!(part.source.scale > 0) || !std::isfinite(part.source.scale)) csv.refuse("the scale must be positive");
    out.push_back(std::move(part));
  }
  return out;
}

PartEntry read_json_part(JsonReader& reader, const std::string& file, const Unit& unit) {
  PartEntry part;
  if (reader.has("mesh") == reader.has("make"))
    reader.refuse("mesh", "give either \"mesh\", a file, or \"make\", a shape of `graze make --list`");
  if (reader.has("mesh")) {
    part.source.file = beside(file, reader.text("mesh"));
  } else {
    part.source.make = reader.text("make");
    part.source.triangles = reader.whole_number("triangles", 0);
  }
  part.named = reader.has("name");
  part.name = reader.text("name", part.source.file.empty() ? part.source.make : stem_of(part.source.file));
  part.group = reader.text("group", "");
  part.guid = reader.text("guid", "");
  if (reader.has("pose")) part.pose = reader.pose("pose");
  part.source.scale = reader.number("scale", 1);
  if (!(part.source.scale > 0) || !std::isfinite(part.source.scale))
    reader.refuse("scale", "must be a positive number");
  if (reader.has("unit")) {
    try {
      part.source.scale *= parse_unit(reader.text("unit"), "unit").tenths_of_mm / unit.tenths_of_mm;
    } catch (const Error& error) {
      if (!error.detail().file.empty()) throw;
      reader.refuse("unit", error.detail().message);
    }
  }
  reader.finish();
  return part;
}

}  // namespace

std::string MeshSource::text() const {
  const std::string what = file.empty() ? fmt::format("make {} {}", make, triangles) : file.string();
  return scale == 1 ? what : fmt::format("{} times {}", what, scale);
}

bool is_part_list(const std::string& argument) { return argument.ends_with(".json") || argument.ends_with(".csv"); }

std::vector<PartEntry> read_part_list(const std::string& file, const Unit& unit) {
  if (file.ends_with(".csv")) return read_csv_list(file, unit);
  JsonReader reader = JsonReader::open(file);
  reader.check_version();
  if (reader.has("parts") == reader.has("bodies"))
    reader.refuse("parts", "must list the parts (or \"bodies\", as in a scene file)");
  std::vector<PartEntry> out;
  for (JsonReader& entry : reader.objects(reader.has("parts") ? "parts" : "bodies"))
    out.push_back(read_json_part(entry, file, unit));
  reader.finish();
  return out;
}

std::vector<std::pair<std::string, std::string>> read_guids(const std::string& file) {
  CsvReader csv(file);
  std::vector<std::pair<std::string, std::string>> out;
  while (const auto row = csv.next()) {
    if (row->size() == 1 && (*row)[0].empty()) continue;
    if (row->size() != 2) csv.refuse("must hold two fields, a part's name and its GUID");
    if (out.empty() && (*row)[0] == "name" && (*row)[1] == "guid") continue;
    out.emplace_back((*row)[0], (*row)[1]);
  }
  return out;
}

}  // namespace graze::app
