// SPDX-License-Identifier: MIT
#include "engine/deform/step_checks.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "core/refusal.hpp"
#include "engine/deform/tree/dop_tree.hpp"

namespace graze::engine::deform {

std::optional<ErrorDetail> step_options_problem(const DeformOptions& options) {
  if (options.directions != 3 && options.directions != dop_directions)
    return core::bad_option("directions", "the bounds have 3 or 9 directions");
  if (!(options.min_separation >= 0 && std::isfinite(options.min_separation)))
    return core::bad_option("min_separation", "the minimum separation must be a finite distance, 0 or more");
  if (options.exact && options.min_separation > 0)
    return core::problem(ErrorCode::unsupported, "option exact",
                         "exact answers are about touching: ask without a minimum separation");
  if (auto problem = core::bad_tolerance(options.tolerance)) return problem;
  return core::bad_threads(options.threads);
}

std::optional<ErrorDetail> slack_problem(double slack) {
  if (slack >= 0 && slack < 1) return std::nullopt;
  return core::bad_option("slack", "the slack is a share of the certified time, from 0 to below 1");
}

std::optional<ErrorDetail> step_positions_problem(std::span<const Vec3> positions, std::size_t vertices) {
  if (positions.size() != vertices)
    return core::problem(ErrorCode::bad_option, "positions",
                         "there must be as many positions as vertices: " + std::to_string(vertices) + ", not " +
                             std::to_string(positions.size()));
  for (std::size_t i = 0; i < positions.size(); ++i)
    if (!is_finite(positions[i]))
      return core::problem(ErrorCode::not_finite, "vertex", "the coordinates of a position must be finite numbers", i);
  return std::nullopt;
}

namespace {

[[noreturn]] void refuse_step(ErrorCode code, const char* element, std::string message,
                              std::uint64_t id = ErrorDetail::none) {
  throw Error(core::problem(code, element, std::move(message), id));
}

}  // namespace

std::vector<std::uint32_t> bodies_of_vertices(const Mesh& mesh, std::span<const std::uint32_t> of_polygons) {
  constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();
  if (of_polygons.size() != mesh.polygon_count())
    refuse_step(ErrorCode::bad_option, "bodies",
                "there must be as many numbers as polygons: " + std::to_string(mesh.polygon_count()) + ", not " +
                    std::to_string(of_polygons.size()));
  std::vector<std::uint32_t> of_vertices(mesh.vertex_count(), nobody);
  for (std::uint32_t p = 0; p < of_polygons.size(); ++p) {
    if (of_polygons[p] == nobody) refuse_step(ErrorCode::bad_option, "polygon", "its body's number is too large", p);
    for (const std::uint32_t v : mesh.polygon(PolygonId{p})) {
      if (of_vertices[v] != nobody && of_vertices[v] != of_polygons[p])
        refuse_step(ErrorCode::bad_option, "vertex", "two bodies share it; a body's vertices must be its own", v);
      of_vertices[v] = of_polygons[p];
    }
  }
  return of_vertices;
}

}  // namespace graze::engine::deform
