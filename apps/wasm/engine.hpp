// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <graze/ask/deform.hpp>
#include <graze/body/body.hpp>
#include <graze/mesh/mesh.hpp>
#include <graze/world/world.hpp>

#include "graze/input/json_reader.hpp"
#include "graze/output/json.hpp"

/// The engine as web/graze sees it: requests and replies are JSON, large arrays are addresses in the module's memory.
namespace graze::web {

using app::Json;
using app::JsonReader;

/// Objects that the page holds by number. A number is never used again.
template <class T>
class Store {
 public:
  std::uint32_t add(T value) {
    objects_.emplace(++last_, std::move(value));
    return last_;
  }
  T& at(JsonReader& request, const std::string& key) {
    const auto found = objects_.find(number(request, key));
    if (found == objects_.end()) request.refuse(key, "was disposed, or never made by this engine: make it again");
    return found->second;
  }
  void remove(JsonReader& request, const std::string& key) { objects_.erase(number(request, key)); }
  std::size_t size() const { return objects_.size(); }

 private:
  /// 0, which nothing has, for what is too large for a number.
  static std::uint32_t number(JsonReader& request, const std::string& key) {
    const std::uint64_t given = request.whole_number(key, 0);
    return given > std::numeric_limits<std::uint32_t>::max() ? 0 : static_cast<std::uint32_t>(given);
  }
  std::map<std::uint32_t, T> objects_;
  std::uint32_t last_ = 0;
};

struct Engine {
  Store<Mesh> meshes;
  Store<Body> bodies;
  Store<Deformable> deformables;
  Store<World> worlds;
};

/// Answers one kind of request; throws `Error`.
using Answer = Json (*)(Engine&, JsonReader&);
using Answers = std::map<std::string, Answer>;

void add_meshes(Answers& answers);
void add_bodies(Answers& answers);
void add_questions(Answers& answers);
void add_moving(Answers& answers);
void add_deform(Answers& answers);
void add_world(Answers& answers);
void add_open(Answers& answers);  // only in view.wasm
void add_play(Answers& answers);  // only in play.wasm, which has nothing else

/// "key": [address, count] in the module's memory.
template <class T>
std::span<T> memory(JsonReader& request, const std::string& key) {
  const std::vector<double> place = request.numbers(key, 2);
  const auto address = static_cast<std::uintptr_t>(place[0]);
  return {reinterpret_cast<T*>(address), static_cast<std::size_t>(place[1])};
}

template <class T>
Json memory_json(std::span<const T> values) {
  return Json::array({reinterpret_cast<std::uintptr_t>(values.data()), values.size()});
}

/// Three numbers for each.
inline std::span<const Vec3> points(JsonReader& request, const std::string& key) {
  const std::span<const double> numbers = memory<const double>(request, key);
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  if (numbers.size() % 3 != 0)
    request.refuse(
        key, fmt::format("have {} numbers, which is no multiple of 3; give x, y, z of each point", numbers.size()));
  return {reinterpret_cast<const Vec3*>(numbers.data()), numbers.size() / 3};
}

/// The origin if there is none.
inline Pose pose(JsonReader& request, const std::string& key) {
  if (!request.has(key)) return Pose();
  const std::vector<double> v = request.numbers(key, 7);
  return Pose({v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]});
}

/// "work" and "seconds", the limits of every question.
template <class Options>
void read_limits(JsonReader& request, Options& options) {
  options.work = request.whole_number("work", 0);
  const double seconds = request.number("seconds", 0);
  if (seconds > 0 && seconds < 1e9) options.budget = std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9));
}

inline Json number_json(std::uint32_t id) { return Json{{"id", id}}; }

}  // namespace graze::web
