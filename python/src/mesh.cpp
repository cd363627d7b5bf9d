// SPDX-License-Identifier: MIT
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <graze/io/mesh_file.hpp>
#include <graze/mesh/classify.hpp>
#include <graze/mesh/mesh.hpp>
#include <graze/mesh/points.hpp>
#include <graze/mesh/weld.hpp>

#include "enums.hpp"
#include "mesh_arrays.hpp"
#include "module.hpp"

namespace graze_python {
namespace {

using graze::Mesh;

py::tuple polygon(const Mesh& mesh, std::size_t id) {
  if (id >= mesh.polygon_count()) throw py::index_error("there is no polygon " + std::to_string(id));
  const auto corners = mesh.polygon(static_cast<graze::PolygonId>(id));
  py::tuple tuple(corners.size());
  for (std::size_t i = 0; i < corners.size(); ++i) tuple[i] = corners[i];
  return tuple;
}

py::list groups(const Mesh& mesh) {
  py::list list;
  for (const graze::PolygonGroup& group : mesh.groups().names) list.append(py::make_tuple(group.object, group.group));
  return list;
}

py::object group_of_polygon(const Mesh& mesh) {
  const auto& of = mesh.groups().of_polygon;
  if (of.empty()) return py::none();
  return view(mesh, of.data(), {static_cast<py::ssize_t>(of.size())});
}

py::tuple state(const Mesh& mesh) {
  const graze::PolygonList& p = mesh.polygons();
  const graze::PolygonGroups& g = mesh.groups();
  py::list names;
  for (const auto& name : g.names) names.append(py::make_tuple(name.object, name.group));
  const auto size = [](const auto& v) { return static_cast<py::ssize_t>(v.size()); };
  return py::make_tuple(
      view(mesh, reinterpret_cast<const double*>(mesh.positions().data()), {size(mesh.positions()), 3}),
      view(mesh, p.corners.data(), {size(p.corners)}), view(mesh, p.first.data(), {size(p.first)}), names,
      view(mesh, g.of_polygon.data(), {size(g.of_polygon)}));
}

template <class T>
std::vector<T> vector_of(py::handle values) {
  const auto array = values.cast<py::array_t<T, py::array::c_style>>();
  return std::vector<T>(array.data(), array.data() + array.size());
}

Mesh from_state(const py::tuple& t) {
  graze::PolygonList polygons;
  polygons.corners = vector_of<std::uint32_t>(t[1]);
  polygons.first = vector_of<std::uint32_t>(t[2]);
  graze::PolygonGroups g;
  for (const py::handle name : t[3]) {
    const auto pair = name.cast<std::pair<std::string, std::string>>();
    g.names.push_back({pair.first, pair.second});
  }
  g.of_polygon = vector_of<std::uint32_t>(t[4]);
  return Mesh(positions(t[0]), std::move(polygons), std::move(g));
}

void bind_files(py::module_& m) {
  m.def(
      "load_mesh",
      [](const std::filesystem::path& file, graze::MeshFormat format) {
        py::gil_scoped_release release;
        return graze::load_mesh(file, format);
      },
      py::arg("file"), py::arg("format") = graze::MeshFormat::automatic,
      "Reads an OBJ, STL, PLY or OFF file, plain or gzipped. Raises graze.Error with the file and the line.");
  m.def(
      "parse_mesh",
      [](const py::bytes& bytes, graze::MeshFormat format, const std::string& name) {
        const std::string_view text(bytes);
        py::gil_scoped_release release;
        return graze::parse_mesh(std::span(text.data(), text.size()), format, name);
      },
      py::arg("bytes"), py::arg("format"), py::arg("name") = "memory",
      "The same from memory; the format must be given.");
  m.def(
      "save_mesh",
      [](const Mesh& mesh, const std::filesystem::path& file, graze::MeshFormat format,
         graze::SaveOptions::Encoding encoding) {
        py::gil_scoped_release release;
        graze::save_mesh(mesh, file, {format, encoding});
      },
      py::arg("mesh"), py::arg("file"), py::kw_only(), py::arg("format") = graze::MeshFormat::automatic,
      py::arg("encoding") = graze::SaveOptions::Encoding::text,
      "Writes a mesh; doubles round-trip in text and in binary PLY. A name that ends in .gz is compressed.");
}

void bind_classification(py::module_& m) {
  using graze::Classification;
  const auto describe_it = [](py::object self) {
    return describe(self, "Classification",
                    {"closed", "manifold", "oriented", "even", "convex", "volume_sign", "component_count", "edge_count",
                     "euler_characteristic"});
  };
  py::class_<Classification> c(m, "Classification", "The properties of a mesh, each decided exactly.");
  c.def_readonly("closed", &Classification::closed)
      .def_readonly("manifold", &Classification::manifold)
      .def_readonly("oriented", &Classification::oriented)
      .def_readonly("even", &Classification::even)
      .def_readonly("planar_polygons", &Classification::planar_polygons)
      .def_readonly("convex_polygons", &Classification::convex_polygons)
      .def_readonly("convex", &Classification::convex)
      .def_readonly("volume_sign", &Classification::volume_sign)
      .def_readonly("euler_characteristic", &Classification::euler_characteristic)
      .def_readonly("edge_count", &Classification::edge_count)
      .def_readonly("component_count", &Classification::component_count)
      .def_property_readonly("component_of",
                             [](const Classification& k) {
                               return py::array_t<std::uint32_t>(static_cast<py::ssize_t>(k.component_of.size()),
                                                                 k.component_of.data());
                             })
      .def("__repr__", describe_it);
  m.def(
      "classify",
      [](const Mesh& mesh) {
        py::gil_scoped_release release;
        return graze::classify(mesh);
      },
      py::arg("mesh"), "Is a mesh closed, manifold, oriented, convex; how many components has it?");
}

}  // namespace

void bind_mesh(py::module_& m) {
  py::class_<Mesh>(m, "Mesh", R"(Polygons and their triangulation. Immutable; copies share the data.

    Mesh(vertices, faces)   N x 3 numbers, and a row of vertex numbers for each polygon (or a list of lists)
    Mesh(object)            anything with .vertices (.points) and .faces (.triangles, .cells)

Vertices and polygons keep their order and numbers. Degenerate, duplicate and unused elements are kept.

Arrays that have the engine's layout (N x 3 doubles, M x 3 whole numbers of 32 bits, row after row) and that nobody can
write to are used where they are, others are copied once, whatever their type. ``copy=False`` uses arrays of this layout
in any case and makes them read-only, and refuses all others; ``copy=True`` copies.

>>> import graze
>>> mesh = graze.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
>>> mesh
Mesh(3 vertices, 1 polygon, 1 triangle)
>>> mesh.triangles
array([[0, 1, 2]], dtype=uint32)
)")
      .def(py::init([](const py::object& vertices, const py::object& faces, const py::object& copy) {
             return faces.is_none() ? mesh_of(vertices, copy_of(copy)) : mesh_of(vertices, faces, copy_of(copy));
           }),
           py::arg("vertices"), py::arg("faces") = py::none(), py::kw_only(), py::arg("copy") = py::none())
      .def_property_readonly(
          "vertices",
          [](const Mesh& mesh) {
            return view(mesh, reinterpret_cast<const double*>(mesh.positions().data()),
                        {static_cast<py::ssize_t>(mesh.vertex_count()), 3});
          },
          "N x 3 doubles: the engine's own memory, read-only")
      .def_property_readonly(
          "triangles",
          [](const Mesh& mesh) {
            return view(mesh, reinterpret_cast<const std::uint32_t*>(mesh.triangles().data()),
                        {static_cast<py::ssize_t>(mesh.triangle_count()), 3});
          },
          "M x 3 vertex numbers: the engine's own memory, read-only")
      .def_property_readonly("vertex_count", &Mesh::vertex_count)
      .def_property_readonly("polygon_count", &Mesh::polygon_count)
      .def_property_readonly("triangle_count", &Mesh::triangle_count)
      .def("polygon", &polygon, py::arg("id"), "The corners of a polygon.")
      .def(
          "polygon_of",
          [](const Mesh& mesh, std::size_t id) {
            if (id >= mesh.triangle_count()) throw py::index_error("there is no triangle " + std::to_string(id));
            return graze::index(mesh.polygon_of(static_cast<graze::TriangleId>(id)));
          },
          py::arg("triangle"), "The polygon that a triangle is part of.")
      .def_property_readonly("groups", &groups, "The names of its parts, each (object, group), as in an OBJ file")
      .def_property_readonly("group_of_polygon", &group_of_polygon, "For each polygon an index into groups, or None")
      .def_property_readonly(
          "box", [](const Mesh& mesh) { return array_of(mesh.box()); },
          "2 x 3: the lowest and the highest coordinates of the vertices that polygons use")
      .def("__repr__",
           [](const Mesh& mesh) {
             const auto count = [](std::size_t n, const char* one, const char* many) {
               return std::to_string(n) + " " + (n == 1 ? one : many);
             };
             return "Mesh(" + count(mesh.vertex_count(), "vertex", "vertices") + ", " +
                    count(mesh.polygon_count(), "polygon", "polygons") + ", " +
                    count(mesh.triangle_count(), "triangle", "triangles") + ")";
           })
      .def(py::pickle(&state, &from_state));
  m.def(
      "point_mesh",
      [](const py::object& points) {
        const std::vector<graze::Vec3> list = positions(points);
        py::gil_scoped_release release;
        return graze::point_mesh(list);
      },
      py::arg("points"), "A cloud of points as a mesh whose triangle i is point i; see Obstacle's ``radius``.");
  m.def(
      "weld",
      [](const Mesh& mesh) {
        py::gil_scoped_release release;
        return graze::weld(mesh);
      },
      py::arg("mesh"), "Merges vertices at exactly equal positions; numbers are kept.");
  bind_files(m);
  bind_classification(m);
}

}  // namespace graze_python
