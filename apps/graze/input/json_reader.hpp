// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <graze/math/pose.hpp>
#include <graze/math/vec3.hpp>

#include "output/json.hpp"

namespace graze::app {

/// Throws `Error` for a text that nests too deeply: JSON values are copied and destroyed recursively, so it would
/// overflow the stack. The files read here are nested less than 10 deep.
void check_nesting(const std::string& file, const std::string& text);

/// Reads one object of a JSON file key by key. Every `Error` names the file and the key. `finish` refuses keys that
/// were not read, because a misspelt option must not silently become its default. A null value counts as a missing key.
class JsonReader {
 public:
  /// The whole file.
  static JsonReader open(const std::string& file);
  /// Text that comes from elsewhere; `name` stands for the file in errors.
  static JsonReader parse(const std::string& name, const std::string& text);
  /// Refuses a "version" other than `json_version`.
  void check_version();

  bool has(const std::string& key) const { return object_.contains(key) && !object_[key].is_null(); }
  bool is_text(const std::string& key) const { return has(key) && object_[key].is_string(); }
  bool flag(const std::string& key, bool otherwise);
  double number(const std::string& key, double otherwise);
  std::uint64_t whole_number(const std::string& key, std::uint64_t otherwise);
  std::string text(const std::string& key);
  std::string text(const std::string& key, std::string otherwise) { return has(key) ? text(key) : otherwise; }
  std::vector<double> numbers(const std::string& key);
  /// An array of exactly `count` numbers.
  std::vector<double> numbers(const std::string& key, std::size_t count);
  /// An array of such arrays.
  std::vector<std::vector<double>> number_lists(const std::string& key, std::size_t count);
  /// An array of whole numbers below `end`.
  std::vector<std::uint32_t> whole_numbers(const std::string& key, std::uint64_t end);
  /// An array of arrays of exactly `count` whole numbers.
  std::vector<std::vector<std::uint32_t>> whole_number_lists(const std::string& key, std::size_t count);
  /// A whole number below 2^32 whose bits are groups.
  std::uint32_t bits(const std::string& key, std::uint32_t otherwise);
  std::vector<std::string> texts(const std::string& key);
  Vec3 point(const std::string& key);
  /// Seven numbers: translation and quaternion w x y z.
  Pose pose(const std::string& key);
  /// One reader per element, each an object.
  std::vector<JsonReader> objects(const std::string& key);
  JsonReader object(const std::string& key);
  /// An array of pairs of names.
  std::vector<std::array<std::string, 2>> name_pairs(const std::string& key);

  void finish() const;
  [[noreturn]] void refuse(const std::string& key, std::string message) const;

 private:
  JsonReader(std::string file, std::string place, Json object)
      : file_(std::move(file)), place_(std::move(place)), object_(std::move(object)) {}
  const Json& get(const std::string& key);

  std::string file_, place_;  ///< `place_`: the position in the file, "links[2]." or empty
  Json object_;
  std::set<std::string> read_;
};

}  // namespace graze::app
