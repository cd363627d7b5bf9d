// SPDX-License-Identifier: MIT
#include "io/writers.hpp"

namespace graze::io {

void write_obj(const Mesh& mesh, OutputFile& out) {
  for (const Vec3& p : mesh.positions()) out << "v " << p.x << ' ' << p.y << ' ' << p.z << '\n';
  const PolygonList& polygons = mesh.polygons();
  for (std::size_t i = 0; i < polygons.size(); ++i) {
    out << 'f';
    for (std::uint32_t corner : polygons[i]) out << ' ' << std::uint64_t{corner} + 1;
    out << '\n';
  }
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
