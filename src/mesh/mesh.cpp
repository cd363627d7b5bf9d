// SPDX-License-Identifier: MIT
#include <graze/mesh/mesh.hpp>

#include <algorithm>
#include <limits>
#include <mutex>
#include <string>
#include <utility>

#include <graze/core/error.hpp>

#include "core/fp_guard.hpp"
#include "mesh/ear_clipping.hpp"
#include "mesh/plane_geometry.hpp"

namespace graze {

struct Mesh::Data {
  // Of the members below, or of memory that `owner` keeps.
  std::span<const Vec3> positions;
  std::span<const Triangle> triangles;
  std::shared_ptr<const void> owner;
  bool of_memory = false;

  std::vector<Vec3> own_positions;
  PolygonGroups groups;
  LooseParts loose;
  Box3 box;
  // Of triangles in an owner's memory: made when a caller asks for the list, because most need only single polygons.
  mutable PolygonList polygons;
  mutable std::once_flag made_polygons;
  // All members below stay empty if every polygon is a triangle: ids of polygons and triangles are then the same, and
  // the triangles are the corners of the polygons.
  std::vector<Triangle> own_triangles;
  std::vector<std::uint32_t> first_triangle;  // per polygon, and one more
  std::vector<std::uint32_t> polygon_of;      // per triangle
  std::vector<std::uint8_t> diagonals;        // per triangle: bit k
  std::vector<std::uint32_t> fanned;          // polygons, ascending: few or none

  bool only_triangles() const { return first_triangle.empty(); }
};

namespace {

constexpr std::size_t most_elements = std::numeric_limits<std::uint32_t>::max();

[[noreturn]] void fail(ErrorCode code, std::string message, const char* element, std::uint64_t id = ErrorDetail::none) {
  throw Error({.code = code, .message = std::move(message), .element = element, .id = id, .file = {}});
}

void check_positions(std::span<const Vec3> positions) {
  if (positions.size() > most_elements) {
    fail(ErrorCode::too_large, "more vertices than 32-bit ids can name; split the mesh", "mesh");
  }
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (!is_finite(positions[i])) {
      fail(ErrorCode::not_finite, "a coordinate is NaN or infinite; repair or remove the vertex", "vertex", i);
    }
  }
}

void check_offsets(const PolygonList& polygons, const LooseParts& loose) {
  if (polygons.first.empty() || polygons.first.front() != 0 || polygons.first.back() != polygons.corners.size()) {
    fail(ErrorCode::bad_polygon, "PolygonList::first must start at 0 and end at the number of corners; use add()",
         "mesh");
  }
  if (polygons.size() == 0 && loose.empty())
    fail(ErrorCode::empty_mesh, "the mesh has no polygon; give at least one", "mesh");
  for (std::size_t i = 0; i < polygons.size(); ++i) {
    if (polygons.first[i + 1] < polygons.first[i] || polygons.first[i + 1] - polygons.first[i] < 3) {
      fail(ErrorCode::bad_polygon, "fewer than three corners; remove the polygon or complete it", "polygon", i);
    }
  }
}

[[noreturn]] void fail_index(std::uint32_t vertex, std::size_t vertex_count, const char* element, std::size_t id) {
  fail(ErrorCode::index_out_of_range,
       "names vertex " + std::to_string(vertex) + ", but the mesh has " + std::to_string(vertex_count) +
           " vertices, counted from 0; correct the index",
       element, id);
}

/// Lists of corners: a PolygonList, or triangles.
template <class Polygons>
void check_indices(const Polygons& polygons, std::span<const std::uint32_t> corners, std::size_t vertex_count) {
  std::uint32_t highest = 0;
  for (const std::uint32_t v : corners) highest = std::max(highest, v);
  if (highest < vertex_count || corners.empty()) return;
  for (std::size_t i = 0; i < polygons.size(); ++i)
    for (const std::uint32_t v : polygons[i])
      if (v >= vertex_count) fail_index(v, vertex_count, "polygon", i);
}

void check_loose(const LooseParts& loose, std::size_t vertex_count) {
  const auto check = [&](std::uint32_t v, const char* element, std::size_t i) {
    if (v >= vertex_count) fail_index(v, vertex_count, element, i);
  };
  if (loose.edges.size() > most_elements || loose.points.size() > most_elements)
    fail(ErrorCode::too_large, "more loose edges or points than 32-bit ids can name; split the mesh", "mesh");
  for (std::size_t i = 0; i < loose.edges.size(); ++i)
    for (const std::uint32_t v : loose.edges[i]) check(v, "edge", i);
  for (std::size_t i = 0; i < loose.points.size(); ++i) check(loose.points[i], "point", i);
}

void check_groups(const PolygonGroups& groups, std::size_t polygon_count) {
  if (groups.of_polygon.empty()) return;
  if (groups.of_polygon.size() != polygon_count) {
    fail(ErrorCode::bad_option,
         "groups for " + std::to_string(groups.of_polygon.size()) + " polygons, but the mesh has " +
             std::to_string(polygon_count) + "; give one for each polygon, or none at all",
         "mesh");
  }
  for (std::size_t i = 0; i < groups.names.size(); ++i) {
    for (const std::string& text : {groups.names[i].object, groups.names[i].group}) {
      if (text.find_first_of("\r\n") != std::string::npos) {
        fail(ErrorCode::bad_option, "a name with a line break; names are one line of text", "group", i);
      }
    }
  }
  for (std::size_t i = 0; i < polygon_count; ++i) {
    if (groups.of_polygon[i] >= groups.names.size()) {
      fail(ErrorCode::bad_option,
           "belongs to group " + std::to_string(groups.of_polygon[i]) + ", but only " +
               std::to_string(groups.names.size()) + " are named; add its name",
           "polygon", i);
    }
  }
}

std::uint8_t diagonal_bits(const mesh::LocalTriangle& t, std::uint32_t n) {
  unsigned bits = 0;
  for (unsigned k = 0; k < 3; ++k) {
    const std::uint32_t from = t[k], to = t[(k + 1) % 3];
    if (to != (from + 1 == n ? 0 : from + 1)) bits |= 1U << k;
  }
  return static_cast<std::uint8_t>(bits);
}

void fan(std::uint32_t n, std::vector<mesh::LocalTriangle>& out) {
  for (std::uint32_t i = 1; i + 1 < n; ++i) out.push_back({0, i, i + 1});
}

void triangulate(Mesh::Data& data) {
  const PolygonList& polygons = data.polygons;
  const std::size_t count = polygons.corners.size() - 2 * polygons.size();
  data.own_triangles.reserve(count);
  data.polygon_of.reserve(count);
  data.diagonals.reserve(count);
  data.first_triangle.reserve(polygons.size() + 1);
  mesh::EarClipper clipper;
  std::vector<mesh::LocalTriangle> local;
  for (std::uint32_t id = 0; id < polygons.size(); ++id) {
    const std::span<const std::uint32_t> polygon = polygons[id];
    const auto n = static_cast<std::uint32_t>(polygon.size());
    data.first_triangle.push_back(static_cast<std::uint32_t>(data.own_triangles.size()));
    local.clear();
    if (n == 3) {
      local.push_back({0, 1, 2});
    } else if (!clipper.clip({data.positions, polygon}, local)) {
      fan(n, local);
      data.fanned.push_back(id);
    }
    for (const mesh::LocalTriangle& t : local) {
      data.own_triangles.push_back({polygon[t[0]], polygon[t[1]], polygon[t[2]]});
      data.polygon_of.push_back(id);
      data.diagonals.push_back(diagonal_bits(t, n));
    }
  }
  data.first_triangle.push_back(static_cast<std::uint32_t>(data.own_triangles.size()));
  data.triangles = data.own_triangles;
}

static_assert(sizeof(Triangle) == 3 * sizeof(std::uint32_t) && alignof(Triangle) == alignof(std::uint32_t));

std::span<const Triangle> as_triangles(std::span<const std::uint32_t> corners) {
  return {reinterpret_cast<const Triangle*>(corners.data()), corners.size() / 3};
}

std::span<const std::uint32_t> as_corners(std::span<const Triangle> triangles) {
  return {reinterpret_cast<const std::uint32_t*>(triangles.data()), 3 * triangles.size()};
}

PolygonList as_polygons(std::span<const Triangle> triangles) {
  if (triangles.size() > most_elements / 3) {
    fail(ErrorCode::too_large, "more corners than 32-bit offsets can count; split the mesh", "mesh");
  }
  PolygonList polygons;
  polygons.corners.resize(3 * triangles.size());
  polygons.first.resize(triangles.size() + 1);
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) polygons.corners[3 * i + k] = triangles[i][k];
    polygons.first[i + 1] = static_cast<std::uint32_t>(3 * (i + 1));
  }
  return polygons;
}

}  // namespace

Mesh::Mesh(std::vector<Vec3> positions, PolygonList polygons, PolygonGroups groups, LooseParts loose) {
  const core::FpGuard guard;
  if (polygons.corners.size() > most_elements) {
    fail(ErrorCode::too_large, "more corners than 32-bit offsets can count; split the mesh", "mesh");
  }
  check_offsets(polygons, loose);
  check_positions(positions);
  check_indices(polygons, polygons.corners, positions.size());
  check_loose(loose, positions.size());
  check_groups(groups, polygons.size());
  auto data = std::make_shared<Data>();
  data->own_positions = std::move(positions);
  data->positions = data->own_positions;
  data->polygons = std::move(polygons);
  data->groups = std::move(groups);
  data->loose = std::move(loose);
  if (data->polygons.corners.size() == 3 * data->polygons.size()) {
    data->triangles = as_triangles(data->polygons.corners);
  } else {
    triangulate(*data);
  }
  for (std::uint32_t v : data->polygons.corners) data->box.add(data->positions[v]);
  data_ = std::move(data);
}

Mesh::Mesh(std::vector<Vec3> positions, PolygonList polygons, PolygonGroups groups)
    : Mesh(std::move(positions), std::move(polygons), std::move(groups), LooseParts()) {}

Mesh::Mesh(std::vector<Vec3> positions, PolygonList polygons)
    : Mesh(std::move(positions), std::move(polygons), PolygonGroups()) {}

Mesh::Mesh(std::vector<Vec3> positions, std::span<const Triangle> triangles)
    : Mesh(std::move(positions), as_polygons(triangles)) {}

Mesh Mesh::of_memory(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                     std::shared_ptr<const void> owner) {
  const core::FpGuard guard;
  if (triangles.size() > most_elements / 3)
    fail(ErrorCode::too_large, "more corners than 32-bit offsets can count; split the mesh", "mesh");
  if (triangles.empty()) fail(ErrorCode::empty_mesh, "the mesh has no polygon; give at least one", "mesh");
  check_positions(positions);
  check_indices(triangles, as_corners(triangles), positions.size());
  auto data = std::make_shared<Data>();
  data->positions = positions;
  data->triangles = triangles;
  data->owner = std::move(owner);
  data->of_memory = true;
  for (const std::uint32_t v : as_corners(triangles)) data->box.add(positions[v]);
  return Mesh(std::move(data));
}

std::span<const Vec3> Mesh::positions() const { return data_->positions; }
const LooseParts& Mesh::loose() const { return data_->loose; }
std::size_t Mesh::polygon_count() const {
  return data_->only_triangles() ? data_->triangles.size() : data_->polygons.size();
}
std::span<const std::uint32_t> Mesh::polygon(PolygonId id) const {
  if (data_->only_triangles()) return data_->triangles[index(id)];
  return data_->polygons[index(id)];
}
const PolygonList& Mesh::polygons() const {
  if (data_->of_memory)
    std::call_once(data_->made_polygons, [this] { data_->polygons = as_polygons(data_->triangles); });
  return data_->polygons;
}
std::span<const Triangle> Mesh::triangles() const { return data_->triangles; }
const Box3& Mesh::box() const { return data_->box; }
const PolygonGroups& Mesh::groups() const { return data_->groups; }

std::optional<GroupId> Mesh::group_of(PolygonId id) const {
  if (data_->groups.of_polygon.empty()) return std::nullopt;
  return GroupId{data_->groups.of_polygon[index(id)]};
}

PolygonId Mesh::polygon_of(TriangleId id) const {
  return PolygonId{data_->only_triangles() ? index(id) : data_->polygon_of[index(id)]};
}

std::array<std::uint32_t, 2> Mesh::triangles_of(PolygonId id) const {
  const std::uint32_t i = index(id);
  if (data_->only_triangles()) return {i, i + 1};
  return {data_->first_triangle[i], data_->first_triangle[i + 1]};
}

bool Mesh::is_diagonal(TriangleId id, int k) const {
  return !data_->only_triangles() && (data_->diagonals[index(id)] >> k & 1) != 0;
}

bool Mesh::was_fanned(PolygonId id) const {
  return std::binary_search(data_->fanned.begin(), data_->fanned.end(), index(id));
}

bool Mesh::is_planar(PolygonId id) const {
  if (polygon(id).size() == 3) return true;
  const core::FpGuard guard;
  return mesh::is_planar({data_->positions, polygon(id)});
}

}  // namespace graze
