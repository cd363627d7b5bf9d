// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>
#include <graze/ask/first_contact.hpp>
#include <graze/core/error.hpp>
#include <graze/core/method_counters.hpp>
#include <graze/math/pose.hpp>
#include <graze/math/vec3.hpp>
#include <nlohmann/json.hpp>

namespace graze::app {

/// Keys keep the order in which they were written. Doubles round-trip; NaN is written as null.
using Json = nlohmann::ordered_json;

/// The version of the objects below. It is increased when a key changes its meaning, not when one is added.
inline constexpr int json_version = 1;

/// An object that starts with the version.
Json new_object();

Json to_json(const Vec3& v);
/// [tx, ty, tz, qw, qx, qy, qz]
Json to_json(const Pose& pose);
/// {"object": ..., "group": ...}
Json to_json(const PolygonGroup& group);
/// The counters that are not 0: those of every result, then the method's own if there are any.
Json to_json(const Counters& counters, const MethodCounters* of_method = nullptr);
Json to_json(const ErrorDetail& detail);
Json to_json(const CollideResult& result, const MethodCounters& of_method, const Body& a, const Body& b);
Json to_json(const SelfCollideResult& result, const Mesh& mesh);
Json to_json(const DistanceResult& result, const Body& a, const Body& b);
Json to_json(const WithinResult& result, double d);
/// Contacts and clearance are null unless the options request them. With the method's own counters if they do.
Json to_json(const FirstContactResult& result, const FirstContactOptions& options, const Body& a, const Body& b);

/// "none", "a_in_b", "b_in_a".
std::string_view name(Containment contained);
/// "apart", "shared_vertex", "shared_edge", "same_face".
std::string_view name(Neighbourhood neighbourhood);

/// One object, one line, on standard output; or kept, see below.
void print_line(const Json& object);

/// As long as this lives, `print_line` keeps the objects and prints nothing. Only one at a time.
class KeptLines {
 public:
  KeptLines();
  ~KeptLines();
  KeptLines(const KeptLines&) = delete;
  KeptLines& operator=(const KeptLines&) = delete;
  /// Is there one?
  static bool keeps();

  std::vector<Json> lines;
};

}  // namespace graze::app
