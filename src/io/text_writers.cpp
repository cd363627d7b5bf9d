// SPDX-License-Identifier: MIT
#include "io/writers.hpp"

namespace graze::io {

namespace {

/// A name as read_obj reads it. A backslash at the end of a line would continue it.
void write_name(const char* keyword, const std::string& text, OutputFile& out) {
  out << keyword;
  if (!text.empty()) out << ' ' << text;
  if (text.ends_with('\\')) out << ' ';
  out << '\n';
}

}  // namespace

void write_obj(const Mesh& mesh, OutputFile& out) {
  for (const Vec3& p : mesh.positions()) out << "v " << p.x << ' ' << p.y << ' ' << p.z << '\n';
  const PolygonList& polygons = mesh.polygons();
  PolygonGroup named;  // the group that applies to the next polygon
  for (std::size_t i = 0; i < polygons.size(); ++i) {
    if (const auto id = mesh.group_of(PolygonId{static_cast<std::uint32_t>(i)})) {
      const PolygonGroup& group = mesh.group(*id);
      if (group.object != named.object) write_name("o", group.object, out);
      if (group.group != named.group) write_name("g", group.group, out);
      if (!(group == named)) named = group;
    }
    out << 'f';
    for (std::uint32_t corner : polygons[i]) out << ' ' << std::uint64_t{corner} + 1;
    out << '\n';
  }
  for (const auto& [a, b] : mesh.edges()) out << "l " << std::uint64_t{a} + 1 << ' ' << std::uint64_t{b} + 1 << '\n';
  for (const std::uint32_t v : mesh.points()) out << "p " << std::uint64_t{v} + 1 << '\n';
}

void write_off(const Mesh& mesh, OutputFile& out) {
  const PolygonList& polygons = mesh.polygons();
  out << "OFF\n" << std::uint64_t{mesh.vertex_count()} << ' ' << std::uint64_t{polygons.size()} << " 0\n";
  for (const Vec3& p : mesh.positions()) out << p.x << ' ' << p.y << ' ' << p.z << '\n';
  for (std::size_t i = 0; i < polygons.size(); ++i) {
    out << std::uint64_t{polygons[i].size()};
    for (std::uint32_t corner : polygons[i]) out << ' ' << corner;
    out << '\n';
  }
}

}  // namespace graze::io
