// SPDX-License-Identifier: MIT
#include "input/json_reader.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <graze/core/error.hpp>

#include "input/refuse_file.hpp"

namespace graze::app {
namespace {

std::string read_text(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) refuse_file(ErrorCode::file_not_found, file, "cannot be opened; check the name and the rights");
  in.peek();  // for a folder, the first read fails
  if (in.bad()) refuse_file(ErrorCode::bad_file, file, "cannot be read; is it a plain file?");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) refuse_file(ErrorCode::bad_file, file, "cannot be read to its end; is it a plain file?");
  return text;
}

Json parse_json(const std::string& file, const std::string& text) {
  check_nesting(file, text);
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    const auto line = static_cast<std::uint64_t>(std::count(text.begin(), end, '\n')) + 1;
    refuse_file(ErrorCode::bad_file, file,
                "is not JSON from here on; the pages command-line, motions and world in docs/ say what such files hold",
                line);
  } catch (const Json::exception&) {  // a number outside the range of a double
    refuse_file(ErrorCode::bad_file, file, "holds a number that is out of range");
  }
}

}  // namespace

void check_nesting(const std::string& file, const std::string& text) {
  constexpr int deepest = 64;
  int depth = 0;
  std::uint64_t line = 1;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (quoted && c == '\\') ++i;
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > deepest)
      refuse_file(ErrorCode::bad_file, file,
                  fmt::format("arrays and objects are nested more than {} deep; no file of graze nests so deep: check "
                              "the program that wrote it, or close brackets that were left open",
                              deepest),
                  line);
  }
}

JsonReader JsonReader::open(const std::string& file) { return parse(file, read_text(file)); }

JsonReader JsonReader::parse(const std::string& name, const std::string& text) {
  JsonReader reader(name, "", parse_json(name, text));
  if (!reader.object_.is_object()) refuse_file(ErrorCode::bad_file, name, "must hold one JSON object");
  return reader;
}

void JsonReader::check_version() {
  if (whole_number("version", 0) != json_version)
    refuse("version", fmt::format("must be {}; a newer graze may have written this", json_version));
}

const Json& JsonReader::get(const std::string& key) {
  read_.insert(key);
  if (!has(key)) refuse(key, "is missing");
  return object_[key];
}

bool JsonReader::flag(const std::string& key, bool otherwise) {
  if (!has(key)) return otherwise;
  const Json& value = get(key);
  if (!value.is_boolean()) refuse(key, "must be true or false");
  return value.get<bool>();
}

double JsonReader::number(const std::string& key, double otherwise) {
  if (!has(key)) return otherwise;
  const Json& value = get(key);
  if (!value.is_number()) refuse(key, "must be a number");
  return value.get<double>();
}

std::uint64_t JsonReader::whole_number(const std::string& key, std::uint64_t otherwise) {
  if (!has(key)) return otherwise;
  const Json& value = get(key);
  if (!value.is_number_unsigned()) refuse(key, "must be a whole number, and not negative");
  return value.get<std::uint64_t>();
}

std::string JsonReader::text(const std::string& key) {
  const Json& value = get(key);
  if (!value.is_string()) refuse(key, "must be text in quotes");
  return value.get<std::string>();
}

std::vector<double> JsonReader::numbers(const std::string& key) {
  const Json& value = get(key);
  const auto is_number = [](const Json& v) { return v.is_number(); };
  if (!value.is_array() || !std::all_of(value.begin(), value.end(), is_number))
    refuse(key, "must be an array of numbers");
  return value.get<std::vector<double>>();
}

std::vector<double> JsonReader::numbers(const std::string& key, std::size_t count) {
  std::vector<double> v = numbers(key);
  if (v.size() != count) refuse(key, fmt::format("must be an array of {} numbers; this has {}", count, v.size()));
  return v;
}

std::vector<std::vector<double>> JsonReader::number_lists(const std::string& key, std::size_t count) {
  const Json& value = get(key);
  const auto is_number = [](const Json& v) { return v.is_number(); };
  if (!value.is_array()) refuse(key, fmt::format("must be an array of arrays of {} numbers", count));
  std::vector<std::vector<double>> out;
  for (const Json& list : value) {
    if (!list.is_array() || list.size() != count || !std::all_of(list.begin(), list.end(), is_number))
      refuse(fmt::format("{}[{}]", key, out.size()), fmt::format("must be an array of {} numbers", count));
    out.push_back(list.get<std::vector<double>>());
  }
  return out;
}

std::vector<std::uint32_t> JsonReader::whole_numbers(const std::string& key, std::uint64_t end) {
  const Json& value = get(key);
  if (!value.is_array()) refuse(key, "must be an array of whole numbers");
  std::vector<std::uint32_t> out;
  for (const Json& v : value) {
    if (!v.is_number_unsigned() || v.get<std::uint64_t>() >= end)
      refuse(fmt::format("{}[{}]", key, out.size()), fmt::format("must be a whole number from 0 to {}", end - 1));
    out.push_back(v.get<std::uint32_t>());
  }
  return out;
}

std::vector<std::vector<std::uint32_t>> JsonReader::whole_number_lists(const std::string& key, std::size_t count) {
  const Json& value = get(key);
  if (!value.is_array()) refuse(key, fmt::format("must be an array of arrays of {} whole numbers", count));
  const auto is_whole = [](const Json& v) { return v.is_number_unsigned() && v.get<std::uint64_t>() <= 0xFFFFFFFFu; };
  std::vector<std::vector<std::uint32_t>> out;
  for (const Json& list : value) {
    if (!list.is_array() || list.size() != count || !std::all_of(list.begin(), list.end(), is_whole))
      refuse(fmt::format("{}[{}]", key, out.size()), fmt::format("must be an array of {} whole numbers", count));
    out.push_back(list.get<std::vector<std::uint32_t>>());
  }
  return out;
}

std::uint32_t JsonReader::bits(const std::string& key, std::uint32_t otherwise) {
  const std::uint64_t x = whole_number(key, otherwise);
  if (x > 0xFFFFFFFFu) refuse(key, "must be a whole number below 2^32, of which each bit is a group");
  return static_cast<std::uint32_t>(x);
}

std::vector<std::string> JsonReader::texts(const std::string& key) {
  const Json& value = get(key);
  const auto is_text = [](const Json& v) { return v.is_string(); };
  if (!value.is_array() || !std::all_of(value.begin(), value.end(), is_text))
    refuse(key, "must be an array of texts in quotes");
  return value.get<std::vector<std::string>>();
}

Vec3 JsonReader::point(const std::string& key) {
  const std::vector<double> v = numbers(key, 3);
  return {v[0], v[1], v[2]};
}

Pose JsonReader::pose(const std::string& key) {
  const std::vector<double> v = numbers(key, 7);
  try {
    return Pose({v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]});
  } catch (const Error& error) {
    refuse(key, error.what());
  }
}

std::vector<JsonReader> JsonReader::objects(const std::string& key) {
  const Json& value = get(key);
  const auto is_object = [](const Json& v) { return v.is_object(); };
  if (!value.is_array() || !std::all_of(value.begin(), value.end(), is_object))
    refuse(key, "must be an array of objects");
  std::vector<JsonReader> out;
  for (const Json& element : value)
    out.push_back(JsonReader(file_, fmt::format("{}{}[{}].", place_, key, out.size()), element));
  return out;
}

JsonReader JsonReader::object(const std::string& key) {
  const Json& value = get(key);
  if (!value.is_object()) refuse(key, "must be an object");
  return JsonReader(file_, fmt::format("{}{}.", place_, key), value);
}

std::vector<std::array<std::string, 2>> JsonReader::name_pairs(const std::string& key) {
  const Json& value = get(key);
  const auto is_pair = [](const Json& v) {
    return v.is_array() && v.size() == 2 && v[0].is_string() && v[1].is_string();
  };
  if (!value.is_array() || !std::all_of(value.begin(), value.end(), is_pair))
    refuse(key, "must be an array of pairs of names");
  return value.get<std::vector<std::array<std::string, 2>>>();
}

void JsonReader::finish() const {
  for (const auto& [key, value] : object_.items())
    if (!value.is_null() && !read_.contains(key)) refuse(key, "is not a key that is known here");
}

void JsonReader::refuse(const std::string& key, std::string message) const {
  ErrorDetail detail;
  detail.code = ErrorCode::bad_file;
  detail.file = file_;
  detail.element = fmt::format("\"{}{}\"", place_, key);
  detail.message = std::move(message);
  throw Error(detail);
}

}  // namespace graze::app
