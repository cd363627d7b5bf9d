// SPDX-License-Identifier: MIT
#include "clash/rules_file.hpp"

#include <fstream>
#include <optional>
#include <unordered_set>

#include <fmt/format.h>

#include "input/json_reader.hpp"
#include "input/query_options.hpp"
#include "input/refuse_file.hpp"

namespace graze::app {
namespace {

/// A number in the unit of the assembly, or a text with a unit of its own.
std::optional<double> read_length(JsonReader& reader, const std::string& key, const Unit& unit) {
  if (!reader.has(key)) return std::nullopt;
  if (!reader.is_text(key)) {
    const double value = reader.number(key, 0);
    if (!(value >= 0)) reader.refuse(key, "must not be negative");
    return value;
  }
  try {
    return parse_length(reader.text(key), unit, key);
  } catch (const Error& error) {
    if (!error.detail().file.empty()) throw;
    reader.refuse(key, error.detail().message);
  }
}

}  // namespace

clash::Rule parse_ignore(const std::string& text) {
  const std::size_t colon = text.find(':');
  clash::Rule rule{.a = text.substr(0, colon), .ignore = true};
  if (colon != std::string::npos) rule.b = text.substr(colon + 1);
  if (rule.a.empty() || rule.b.empty() || rule.b.find(':') != std::string::npos)
    refuse_option("--ignore",
                  fmt::format("'{}' is no pair of patterns; write two with a colon between them, \"bolt*:nut*\", or a "
                              "rules file if names hold colons",
                              text));
  return rule;
}

std::vector<clash::Rule> read_rules(const std::string& file, const Unit& unit) {
  JsonReader reader = JsonReader::open(file);
  reader.check_version();
  std::vector<clash::Rule> out;
  for (JsonReader& entry : reader.objects("rules")) {
    clash::Rule rule;
    rule.a = entry.text("a", "*");
    rule.b = entry.text("b", "*");
    if (rule.a.empty()) entry.refuse("a", "is empty; write * for any part");
    if (rule.b.empty()) entry.refuse("b", "is empty; write * for any part");
    rule.ignore = entry.flag("ignore", false);
    rule.clearance = read_length(entry, "clearance", unit);
    rule.tolerance = read_length(entry, "tolerance", unit);
    entry.finish();
    out.push_back(std::move(rule));
  }
  reader.finish();
  return out;
}

EarlierReport read_earlier(const std::string& file) {
  std::ifstream in(file);
  if (!in) refuse_file(ErrorCode::file_not_found, file, "cannot be opened; does it exist, and may it be read?");
  const auto no_report = [&] {
    refuse_file(ErrorCode::bad_file, file, "is no report of `graze clash` written as JSON");
  };
  const Json report = Json::parse(in, nullptr, false);
  if (!report.is_object() || report.value("report", Json()) != "clash") no_report();
  if (report.value("version", Json()) != json_version)
    refuse_file(ErrorCode::bad_file, file, fmt::format("is of another version; {} is known", json_version));
  EarlierReport out;
  try {
    for (const Json& part : report.at("parts")) {
      EarlierReport::Part& known = out.parts.emplace_back();
      part.at("name").get_to(known.name);
      part.at("guid").get_to(known.key);
      if (known.key.empty()) known.key = known.name;
    }
    const auto key = [&](const Json& index) {
      const auto part = index.get<std::size_t>();
      if (part >= out.parts.size()) no_report();
      return out.parts[part].key;
    };
    for (const Json& clash : report.at("clashes")) {
      const auto kind = clash::kind_named(clash.at("kind").get<std::string>());
      if (!kind) no_report();
      out.clashes.push_back({key(clash.at("a")), key(clash.at("b")), *kind});
    }
  } catch (const nlohmann::json::exception&) {
    no_report();
  }
  return out;
}

std::vector<std::string> keys_of_unread(const EarlierReport& earlier, const std::vector<UnreadPart>& unread) {
  std::vector<std::string> out;
  std::unordered_set<std::string> names;
  for (const UnreadPart& part : unread) {
    names.insert(part.name);
    if (!part.guid.empty()) out.push_back(part.guid);
  }
  for (const EarlierReport::Part& part : earlier.parts) {
    bool same = names.contains(part.name);
    for (std::size_t i = 1; i < part.name.size() && !same; ++i)
      same = (part.name[i] == '/' || part.name[i] == '#') && names.contains(part.name.substr(0, i));
    if (same) out.push_back(part.key);
  }
  return out;
}

}  // namespace graze::app
