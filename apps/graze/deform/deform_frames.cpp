// SPDX-License-Identifier: MIT
#include "deform/deform_frames.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <graze/core/error.hpp>

namespace graze::app {
namespace {

[[noreturn]] void refuse_frame(std::string message, const std::string& file) {
  throw Error({.code = ErrorCode::bad_file,
               .message = std::move(message),
               .element = {},
               .id = ErrorDetail::none,
               .file = file,
               .line = ErrorDetail::none});
}

/// The previous position of each vertex, if polygons keep their numbers; or the number of a vertex with two previous
/// positions.
struct Origins {
  std::vector<Vec3> start;
  std::optional<std::uint32_t> torn;
};

Origins by_polygons(const Mesh& before, std::span<const Vec3> positions, const Mesh& next) {
  Origins out{{next.positions().begin(), next.positions().end()}, {}};
  std::vector<bool> known(next.vertex_count());
  for (std::uint32_t p = 0; p < std::min(before.polygon_count(), next.polygon_count()); ++p) {
    const auto was = before.polygon(PolygonId{p}), is = next.polygon(PolygonId{p});
    if (was.size() != is.size()) continue;  // a different polygon: gives no information
    for (std::size_t k = 0; k < is.size(); ++k) {
      const Vec3& from = positions[was[k]];
      if (known[is[k]] && out.start[is[k]] != from) {
        out.torn = is[k];
        return out;
      }
      out.start[is[k]] = from;
      known[is[k]] = true;
    }
  }
  return out;
}

}  // namespace

std::string frame_difference(const Mesh& first, const std::string& first_file, const Mesh& next) {
  if (next.vertex_count() != first.vertex_count())
    return fmt::format("this frame has {} vertices where {} has {}", next.vertex_count(), first_file,
                       first.vertex_count());
  if (next.polygon_count() != first.polygon_count())
    return fmt::format("this frame has {} polygons where {} has {}", next.polygon_count(), first_file,
                       first.polygon_count());
  for (std::uint32_t p = 0; p < first.polygon_count(); ++p) {
    const auto a = first.polygon(PolygonId{p}), b = next.polygon(PolygonId{p});
    if (!std::equal(a.begin(), a.end(), b.begin(), b.end()))
      return fmt::format("polygon {} has other vertices than in {}", p, first_file);
  }
  if (!(next.loose() == first.loose())) return fmt::format("loose edges or points differ from those of {}", first_file);
  return {};
}

void check_same_frame(const Mesh& first, const std::string& first_file, const Mesh& next, const std::string& file) {
  const std::string text = frame_difference(first, first_file, next);
  if (!text.empty()) refuse_frame(text + "; if the mesh breaks there, ask with --breaking", file);
}

Mesh broken_at_start(const Mesh& before, std::span<const Vec3> positions, const Mesh& next, const std::string& file) {
  Origins origins = by_polygons(before, positions, next);
  if (origins.torn) {
    if (next.vertex_count() < before.vertex_count())
      refuse_frame(
          fmt::format(
              "the mesh breaks here, but where it was cannot be told: with polygons keeping their numbers, "
              "vertex {} would come from two places, and there are fewer vertices than before ({}, not {}), so "
              "that they cannot have kept theirs; leave unused vertices in the file, or new polygons at its end",
              *origins.torn, next.vertex_count(), before.vertex_count()),
          file);
    origins.start.assign(next.positions().begin(), next.positions().end());
    std::copy(positions.begin(), positions.end(), origins.start.begin());
  }
  PolygonList triangles;
  for (const Triangle& t : next.triangles()) triangles.add(t);
  return Mesh(std::move(origins.start), std::move(triangles), {}, next.loose());
}

}  // namespace graze::app
