// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <graze/ask/deform.hpp>
#include <graze/core/method_counters.hpp>

#include "deform/deform_bodies.hpp"
#include "output/json.hpp"

namespace graze::app {

/// [safe, touch], null where a time is not a number.
Json bracket_json(const TimeBracket& time);

/// The answer of one step over time.
Json step_json(const DeformResult& r, const MethodCounters& of_method, const std::string& method, const Mesh& mesh,
               const BodySplit& split, std::size_t bytes);
/// Every contact with its details.
Json details_json(const DeformResult& r, const Mesh& mesh, std::span<const Vec3> from, std::span<const Vec3> to,
                  const BodySplit& split, const DeformOptions& asked);
void print_step(const DeformResult& r);
/// Lines for the pairs file, without the step number.
std::vector<std::string> csv_lines(const DeformResult& r);

}  // namespace graze::app
