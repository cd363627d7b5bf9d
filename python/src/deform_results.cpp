// SPDX-License-Identifier: MIT
#include <pybind11/stl.h>

#include <graze/ask/deform_bodies.hpp>

#include "deform.hpp"
#include "mesh_arrays.hpp"
#include "module.hpp"

namespace graze_python {

using graze::BodyPairContacts;
using graze::DeformContact;
using graze::DeformResult;
using graze::StepSize;

Vertices vertices_of(py::handle given) {
  if (py::isinstance<py::array>(given)) {
    const py::array array = unmasked(given, "positions");
    const py::dtype type = array.dtype();
    const bool known =
        type.kind() == 'f' && (type.itemsize() == 8 || type.itemsize() == 4) && type.attr("isnative").cast<bool>();
    if (known && array.ndim() == 2 && array.shape(1) == 3 && array.shape(0) > 0 && array.strides(0) > 0 &&
        array.strides(1) > 0) {
      const auto count = static_cast<std::size_t>(array.shape(0));
      const graze::VertexStrides strides{static_cast<std::size_t>(array.strides(0)),
                                         static_cast<std::size_t>(array.strides(1))};
      try {
        if (type.itemsize() == 8)
          return {array, graze::VertexArray(static_cast<const double*>(array.data()), count, strides)};
        return {array, graze::VertexArray(static_cast<const float*>(array.data()), count, strides)};
      } catch (const graze::Error&) {  // coordinates that overlap: copied below
      }
    }
  }
  static const double none[3] = {};
  py::array_t<double, py::array::c_style> rows = rows_of_doubles(given, 3, "positions");
  const graze::VertexArray array(rows.size() ? rows.data() : none, static_cast<std::size_t>(rows.shape(0)));
  return {std::move(rows), array};
}

std::vector<std::uint32_t> whole_numbers(py::handle given, const std::string& what) {
  const py::array array = numbers(given, what);
  if (array.size() == 0) return {};
  if (array.ndim() != 1 || (array.dtype().kind() != 'i' && array.dtype().kind() != 'u'))
    throw py::type_error(what + " must be N whole numbers");
  const auto wide = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>::ensure(array);
  std::vector<std::uint32_t> list;
  list.reserve(static_cast<std::size_t>(wide.size()));
  for (py::ssize_t i = 0; i < wide.size(); ++i) {
    if (wide.data()[i] < 0 || wide.data()[i] > 0xffffffffLL)  // unsigned ones beyond 2^63 are negative here
      refuse(graze::ErrorCode::index_out_of_range, what + " must be whole numbers from 0 to below 2^32", "entry",
             static_cast<std::uint64_t>(i));
    list.push_back(static_cast<std::uint32_t>(wide.data()[i]));
  }
  return list;
}

py::dict seconds_of(const graze::DeformSeconds& s) {
  py::dict d;
  d["build"] = s.build, d["refit"] = s.refit, d["patches"] = s.patches, d["traversal"] = s.traversal;
  d["elementary"] = s.elementary, d["start"] = s.start, d["total"] = s.total;
  return d;
}

namespace {

py::array_t<std::uint32_t> array_of_edges(const std::vector<graze::EdgeCrossing>& list) {
  py::array_t<std::uint32_t> array(std::vector<py::ssize_t>{static_cast<py::ssize_t>(list.size()), 2});
  std::uint32_t* d = array.mutable_data();
  for (const graze::EdgeCrossing& c : list) *d++ = c.edge, *d++ = graze::index(c.triangle);
  return array;
}

void bind_steps(py::module_& m) {
  bind_result<DeformResult>(m, "DeformResult", "The answer of ``Deformable.contacts`` and ``step``.",
                            {"status", "time", "contacts", "crossing_at_start", "edges_crossing_at_start"})
      .def_readonly("status", &DeformResult::status)
      .def_readonly("time", &DeformResult::time)
      .def_property_readonly(
          "contacts", [](const py::object& self) { return rows_in(self, self.cast<const DeformResult&>().contacts); },
          "An array with the fields kind, vertices (4), time (safe, touch), gap, at_start")
      .def_property_readonly(
          "crossing_at_start", [](const DeformResult& r) { return array_of_pairs(r.crossing_at_start); },
          "N x 2 triangles")
      .def_property_readonly(
          "edges_crossing_at_start", [](const DeformResult& r) { return array_of_edges(r.edges_crossing_at_start); },
          "N x 2: a loose edge and a triangle")
      .def_property_readonly("seconds", [](const DeformResult& r) { return seconds_of(r.seconds); });
  bind_result<StepSize>(m, "StepSize", "The answer of ``Deformable.step_size``: how far the vertices may go.",
                        {"status", "step", "time", "first", "crossing_at_start", "edge_crossing_at_start"})
      .def_readonly("status", &StepSize::status)
      .def_readonly("step", &StepSize::step, "Go to x0 + step (x1 - x0)")
      .def_readonly("time", &StepSize::time)
      .def_property_readonly(
          "first", [](const StepSize& s) { return row_of(s.first); },
          "The earliest contact, with the fields of ``DeformResult.contacts``, or None")
      .def_property_readonly("crossing_at_start",
                             [](const StepSize& s) -> py::object {
                               return s.crossing_at_start ? py::object(pair_of(*s.crossing_at_start)) : py::none();
                             })
      .def_property_readonly("edge_crossing_at_start",
                             [](const StepSize& s) -> py::object {
                               if (!s.edge_crossing_at_start) return py::none();
                               return py::make_tuple(s.edge_crossing_at_start->edge,
                                                     graze::index(s.edge_crossing_at_start->triangle));
                             })
      .def_property_readonly("seconds", [](const StepSize& s) { return seconds_of(s.seconds); });
}

void bind_bodies(py::module_& m) {
  py::class_<BodyPairContacts>(m, "BodyPairContacts", "The contacts of a step between two bodies a <= b of a mesh.")
      .def_readonly("a", &BodyPairContacts::a)
      .def_readonly("b", &BodyPairContacts::b)
      .def_readonly("time", &BodyPairContacts::time)
      .def_property_readonly(
          "contacts",
          [](const py::object& self) { return rows_in(self, self.cast<const BodyPairContacts&>().contacts); })
      .def_property_readonly("crossing_at_start",
                             [](const BodyPairContacts& p) { return array_of_pairs(p.crossing_at_start); })
      .def_property_readonly("edges_crossing_at_start",
                             [](const BodyPairContacts& p) { return array_of_edges(p.edges_crossing_at_start); })
      .def("__repr__", [](py::object self) {
        return describe(self, "BodyPairContacts", {"a", "b", "time", "contacts"});
      });
  m.def(
      "by_bodies",
      [](const DeformResult& result, const graze::Mesh& mesh, const py::object& bodies) {
        const std::vector<std::uint32_t> of =
            bodies.is_none() ? std::vector<std::uint32_t>() : whole_numbers(bodies, "bodies");
        const py::gil_scoped_release release;
        return graze::by_bodies(result, mesh, of);
      },
      py::arg("result"), py::arg("mesh"), py::arg("bodies") = py::none(),
      "A step's contacts by pairs of bodies: connected components, or a number for each polygon.");
  m.def(
      "vertex_bodies",
      [](const graze::Mesh& mesh, const py::object& of_polygons) {
        const std::vector<std::uint32_t> of =
            of_polygons.is_none() ? std::vector<std::uint32_t>() : whole_numbers(of_polygons, "of_polygons");
        const std::vector<std::uint32_t> bodies = graze::vertex_bodies(mesh, of);
        return py::array_t<std::uint32_t>(static_cast<py::ssize_t>(bodies.size()), bodies.data());
      },
      py::arg("mesh"), py::arg("of_polygons") = py::none(),
      "The body of each vertex: connected components, or by a number for each polygon.");
}

}  // namespace

void bind_deform_results(py::module_& m) {
  PYBIND11_NUMPY_DTYPE(graze::TimeBracket, safe, touch);
  PYBIND11_NUMPY_DTYPE(DeformContact, kind, vertices, time, gap, at_start);
  bind_steps(m);
  bind_bodies(m);
}

}  // namespace graze_python
