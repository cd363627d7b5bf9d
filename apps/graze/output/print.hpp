// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>
#include <graze/ask/first_contact.hpp>
#include <graze/body/body.hpp>
#include <graze/body/contact.hpp>
#include <graze/core/method_counters.hpp>
#include <graze/core/status.hpp>
#include <graze/math/vec3.hpp>

/// Readable answers: aligned text on standard output, in colour only on a terminal.
namespace graze::app {

/// A bold heading on a terminal; plain text elsewhere, or if NO_COLOR is set.
std::string bold(std::string_view text);
/// The headline of an answer, coloured by its status: contact, free or neither.
std::string coloured(std::string_view text, Status status);

/// "12.3 us", "4.56 ms", "1.23 s".
std::string time_text(double seconds);
/// "69,451"
std::string count_text(std::uint64_t count);
std::string point_text(const Vec3& p);
/// "edge 3-7", "vertex 5", "face 12".
std::string feature_text(const FeatureRef& feature);
/// The counters that are not 0, as "name count, name count".
std::string counters_text(const Counters& counters, const MethodCounters* of_method = nullptr);

/// An aligned line: two blanks, the label in its column, the text.
void print_field(std::string_view label, std::string_view text, int label_width = 11);

/// "crossing", "touching" and so on as a sentence.
std::string headline(const CollideResult& result);
/// "contact at t = 0.25" and so on.
std::string headline(const FirstContactResult& result);

void print(const CollideResult& result, const MethodCounters& of_method, const Body& a, const Body& b, bool all);
void print(const SelfCollideResult& result, const Mesh& mesh);
void print(const DistanceResult& result, const Body& a, const Body& b);
void print(const WithinResult& result, double d);
void print(const FirstContactResult& result, const FirstContactOptions& options, const Body& a, const Body& b);

}  // namespace graze::app
