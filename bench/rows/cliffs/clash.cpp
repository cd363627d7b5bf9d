// SPDX-License-Identifier: MIT
// Clash checks: one large part under many, all parts in one place, thousands of contacts of one pair.
#include <fmt/core.h>

#include <cstdint>
#include <utility>

#include <graze/clash/clash.hpp>
#include <graze/mesh/make.hpp>

#include "rows/cliffs/cliffs.hpp"

namespace graze::bench {
namespace {

using Ask = std::function<std::string()>;

Ask clashes(clash::Assembly assembly, std::size_t expected, const clash::Options& options = {}) {
  return [assembly = std::move(assembly), expected, options] {
    const std::size_t got = clash::check(assembly, options).clashes.size();
    return got == expected ? std::string() : fmt::format("{} clashes instead of {}", got, expected);
  };
}

/// Balls of diameter 1 in a row, two apart, each standing on the one floor or on a plate of its own. Both have as many
/// triangles in all.
clash::Assembly on_floor(std::uint32_t balls, bool one_floor, std::size_t triangles) {
  const double length = 2.0 * balls;
  clash::Assembly out;
  out.geometries.push_back(clash::geometry(make::sphere({.radius = 0.5, .triangles = 1000})));
  for (std::uint32_t i = 0; i < balls; ++i) out.parts.push_back({.geometry = 0, .pose = Pose({2.0 * i, 0, 0})});
  const std::uint32_t floors = one_floor ? 1 : balls;
  for (std::uint32_t i = 0; i < floors; ++i) {
    const double width = length / floors;
    out.geometries.push_back(
        clash::geometry(make::box({.size = {0.75 * width, 4, 1}, .triangles = triangles / floors})));
    const double middle = one_floor ? 0.5 * length - 1 : 2.0 * i;
    out.parts.push_back({.geometry = i + 1, .pose = Pose({middle, 0, -1})});
  }
  return out;
}

clash::Assembly in_one_place(std::uint32_t parts) {
  clash::Assembly out;
  out.geometries.push_back(clash::geometry(make::sphere()));
  out.parts.resize(parts);
  return out;
}

clash::Assembly two_knots(double shift) {
  clash::Assembly out;
  out.geometries.push_back(clash::geometry(make::torus_knot({.triangles = 20000})));
  out.parts = {{.geometry = 0}, {.geometry = 0, .pose = Pose({shift, 0.02, 0.01})}};
  return out;
}

}  // namespace

void row_cliff_clash(Context& context) {
  const std::uint32_t balls = context.quick ? 40 : 200;
  const std::size_t triangles = std::size_t{balls} * 1000;
  // The floor's length is three quarters of the row's: the balls at its ends stand beside it.
  const auto over_floor = static_cast<std::size_t>(balls) * 3 / 4;
  compare_cliffs(context, "clash",
                 {{fmt::format("{} balls in a row on one floor", balls), 1.5,
                   clashes(on_floor(balls, true, triangles), over_floor),
                   clashes(on_floor(balls, false, triangles), balls), "each on a plate of its own, as many triangles"},
                  {"20,000 parts in one place, ended at 100,128 clashes", 4,
                   clashes(in_one_place(20000), 100128, {.most = 100128}), clashes(in_one_place(448), 100128),
                   "448 parts, the same clashes"},
                  {"two knots with thousands of contacts", 1.5, clashes(two_knots(0.05), 1), clashes(two_knots(2.5), 1),
                   "the same with a few"}});
}

}  // namespace graze::bench
