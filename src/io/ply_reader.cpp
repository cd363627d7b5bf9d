// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <string>

#include "io/ply_values.hpp"

namespace graze::io {
namespace {

/// The properties that are used, by their position in the record.
struct Roles {
  std::array<std::size_t, 3> coordinates{};  // of a vertex
  std::size_t corners = 0;                   // of a face
  std::array<std::size_t, 2> ends{};         // of an edge
};

[[noreturn]] void fail_in_header(const Source& source, const PlyElement& element, const std::string& message) {
  fail_at_line(source, element.line, ErrorCode::bad_file, message);
}

/// The element `edge`, if there are any; one without vertices is an element that we do not know.
const PlyElement* edges_in(const PlyHeader& header) {
  const PlyElement* edge = header.find("edge");
  const bool known = edge && edge->count > 0 &&
                     (edge->find("vertex1") != PlyElement::npos || edge->find("vertex2") != PlyElement::npos);
  return known ? edge : nullptr;
}

Roles find_roles(const Source& source, const PlyHeader& header) {
  const PlyElement* vertex = header.find("vertex");
  const PlyElement* face = header.find("face");
  const PlyElement* edge = edges_in(header);
  if (!vertex || ((!face || face->count == 0) && !edge)) {
    const bool strips = header.find("tristrips") != nullptr;
    fail_at_line(source, face ? face->line : header.data_line - 1, ErrorCode::empty_mesh,
                 std::string("the header has no ") + (!vertex ? "'vertex'" : "'face'") +
                     " elements; a body needs polygons" +
                     (strips ? ", and triangle strips are not read: write the model with faces" : ""));
  }
  Roles roles;
  constexpr std::array<const char*, 3> names = {"x", "y", "z"};
  for (std::size_t i = 0; i < 3; ++i) {
    roles.coordinates[i] = vertex->find(names[i]);
    if (roles.coordinates[i] == PlyElement::npos || vertex->properties[roles.coordinates[i]].is_list)
      fail_in_header(source, *vertex, std::string("the vertex needs a property ") + names[i] + " that is a number");
  }
  if (edge) {
    constexpr std::array<const char*, 2> ends = {"vertex1", "vertex2"};
    for (std::size_t i = 0; i < 2; ++i) {
      roles.ends[i] = edge->find(ends[i]);
      const bool good = roles.ends[i] != PlyElement::npos && !edge->properties[roles.ends[i]].is_list &&
                        is_integer(edge->properties[roles.ends[i]].type);
      if (!good)
        fail_in_header(source, *edge, std::string("the edge needs a property ") + ends[i] + " that is a whole number");
    }
  }
  if (!face || face->count == 0) return roles;
  roles.corners = std::min(face->find("vertex_indices"), face->find("vertex_index"));
  if (roles.corners == PlyElement::npos || !face->properties[roles.corners].is_list ||
      !is_integer(face->properties[roles.corners].type))
    fail_in_header(source, *face,
                   "the face needs a property vertex_indices (or vertex_index) that is a list of whole numbers");
  return roles;
}

template <class Values>
class PlyReader {
 public:
  PlyReader(const Source& source, const PlyHeader& header)
      : source_(source), header_(header), roles_(find_roles(source, header)), values_(source, header) {}

  MeshParts read() {
    for (const PlyElement& element : header_.elements) {
      if (element.name == "vertex") {
        vertices(element);
      } else if (element.name == "face") {
        faces(element);
      } else if (&element == edges_in(header_)) {
        edges(element);
      } else {
        skip_element(element);
      }
    }
    values_.expect_end();
    check_early_ids();
    return std::move(parts_);
  }

 private:
  /// The largest possible count, given the number of remaining bytes.
  std::size_t plausible_count(const PlyElement& element) const {
    const std::size_t least = std::max<std::size_t>(1, element.least_bytes(header_.encoding));
    return std::min<std::uint64_t>(element.count, values_.bytes_left() / least + 1);
  }

  void vertices(const PlyElement& element) {
    parts_.positions.reserve(plausible_count(element));
    have_vertices_ = true;
    for (std::uint64_t id = 0; id < element.count; ++id) {
      values_.begin_record(element, id);
      if (is_full(id)) values_.fail(ErrorCode::too_large, "more vertices than 32-bit ids can name; split the model");
      Vec3 position;
      for (std::size_t i = 0; i < element.properties.size(); ++i) {
        const PlyProperty& property = element.properties[i];
        const auto role = std::find(roles_.coordinates.begin(), roles_.coordinates.end(), i);
        if (role == roles_.coordinates.end()) {
          skip_property(property);
        } else {
          position[static_cast<int>(role - roles_.coordinates.begin())] = values_.coordinate(property.type);
        }
      }
      values_.end_record();
      parts_.positions.push_back(position);
    }
  }

  void faces(const PlyElement& element) {
    parts_.polygons.first.reserve(plausible_count(element) + 1);
    for (std::uint64_t id = 0; id < element.count; ++id) {
      values_.begin_record(element, id);
      for (std::size_t i = 0; i < element.properties.size(); ++i) {
        if (i == roles_.corners) {
          face(element.properties[i]);
        } else {
          skip_property(element.properties[i]);
        }
      }
      values_.end_record();
    }
  }

  void edges(const PlyElement& element) {
    parts_.loose.edges.reserve(plausible_count(element));
    for (std::uint64_t id = 0; id < element.count; ++id) {
      values_.begin_record(element, id);
      if (is_full(id)) values_.fail(ErrorCode::too_large, "more edges than 32-bit ids can name; split the model");
      std::array<std::uint32_t, 2> edge{};
      for (std::size_t i = 0; i < element.properties.size(); ++i) {
        const auto role = std::find(roles_.ends.begin(), roles_.ends.end(), i);
        if (role == roles_.ends.end())
          skip_property(element.properties[i]);
        else
          edge[static_cast<std::size_t>(role - roles_.ends.begin())] = vertex_id(element.properties[i].type);
      }
      values_.end_record();
      parts_.loose.edges.push_back(edge);
    }
    ids_came_first_ |= !have_vertices_;
  }

  std::uint32_t vertex_id(PlyType type) {
    const std::int64_t id = values_.integer(type);
    if (id < 0 || id >= 0xFFFFFFFF || (have_vertices_ && static_cast<std::uint64_t>(id) >= parts_.positions.size()))
      values_.fail(ErrorCode::index_out_of_range, no_vertex(id));
    return static_cast<std::uint32_t>(id);
  }

  void face(const PlyProperty& list) {
    const std::int64_t count = values_.integer(list.count_type);
    if (count < 3)
      values_.fail(ErrorCode::bad_polygon, "a polygon needs at least 3 corners, found " + std::to_string(count) +
                                               "; remove the polygon or complete it");
    auto& [corners, first] = parts_.polygons;
    for (std::int64_t k = 0; k < count; ++k) {
      const std::uint32_t id = vertex_id(list.type);
      if (is_full(corners.size()))
        values_.fail(ErrorCode::too_large, "more polygon corners than 32-bit ids can name; split the model");
      corners.push_back(id);
    }
    first.push_back(static_cast<std::uint32_t>(corners.size()));
    if (!have_vertices_) ids_came_first_ = true;
  }

  std::string no_vertex(std::int64_t id) const {
    const PlyElement& vertex = *header_.find("vertex");
    return "vertex " + std::to_string(id) + " does not exist; the file has " + std::to_string(vertex.count) +
           ", counted from 0";
  }

  /// The format allows faces and edges before vertices.
  void check_early_ids() const {
    if (!ids_came_first_) return;
    for (std::size_t i = 0; i < parts_.loose.edges.size(); ++i)
      for (const std::uint32_t id : parts_.loose.edges[i])
        if (id >= parts_.positions.size())
          fail_at_element(source_, "edge", i, ErrorCode::index_out_of_range, no_vertex(id));
    for (std::size_t i = 0; i < parts_.polygons.size(); ++i)
      for (std::uint32_t id : parts_.polygons[i])
        if (id >= parts_.positions.size())
          fail_at_element(source_, "polygon", i, ErrorCode::index_out_of_range, no_vertex(id));
  }

  void skip_property(const PlyProperty& property) {
    std::int64_t count = 1;
    if (property.is_list) count = values_.integer(property.count_type);
    if (count < 0)
      values_.fail(ErrorCode::bad_file, "the length of list " + in_quotes(property.name) + " is negative; correct it");
    values_.skip(property.type, static_cast<std::uint64_t>(count));
  }

  void skip_element(const PlyElement& element) {
    if (element.properties.empty() || values_.skip_records(element)) return;
    for (std::uint64_t id = 0; id < element.count; ++id) {
      values_.begin_record(element, id);
      for (const PlyProperty& property : element.properties) skip_property(property);
      values_.end_record();
    }
  }

  Source source_;
  const PlyHeader& header_;
  Roles roles_;
  Values values_;
  MeshParts parts_;
  bool have_vertices_ = false, ids_came_first_ = false;
};

}  // namespace

MeshParts read_ply(const Source& source) {
  const PlyHeader header = read_ply_header(source);
  switch (header.encoding) {
    case PlyEncoding::ascii: return PlyReader<TextPlyValues>(source, header).read();
    case PlyEncoding::little_endian: return PlyReader<BinaryPlyValues<std::endian::little>>(source, header).read();
    case PlyEncoding::big_endian: break;
  }
  return PlyReader<BinaryPlyValues<std::endian::big>>(source, header).read();
}

}  // namespace graze::io
