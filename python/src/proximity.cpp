// SPDX-License-Identifier: MIT
#include <graze/ask/proximity.hpp>

#include <pybind11/stl.h>

#include "deform.hpp"
#include "module.hpp"

namespace graze_python {

using graze::ProximityPair;
using graze::ProximityResult;

namespace {

ProximityResult near(Deformable& d, double distance, const py::object& positions, bool self, const py::object& rest,
                     double mollifier, int threads, std::uint64_t work, const py::object& budget,
                     const py::object& cancel_token) {
  graze::ProximityOptions o;
  PointsArg at, at_rest;
  if (!rest.is_none()) at_rest.array = rows_of_doubles(rest, 3, "rest"), o.rest = at_rest.span();
  if (!positions.is_none()) at.array = rows_of_doubles(positions, 3, "positions");
  o.self = self, o.mollifier = mollifier, o.threads = threads;
  set_limits(o, work, budget, cancel_token);
  return asked(d, [&](graze::Deformable& deform) {
    ProximityResult result;
    if (positions.is_none()) {
      const std::vector<graze::Vec3> now(deform.positions().begin(), deform.positions().end());
      deform.near(now, distance, o, result);
    } else {
      deform.near(at.span(), distance, o, result);
    }
    return result;
  });
}

std::vector<ProximityPair> pairs_of(const py::object& given) {
  std::vector<ProximityPair> pairs = list_of_rows<ProximityPair>(given, "pairs");
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (static_cast<std::uint8_t>(pairs[i].kind) > static_cast<std::uint8_t>(graze::ElementaryKind::vertex_vertex))
      refuse(graze::ErrorCode::bad_option, "its kind is not one of graze.ElementaryKind", "row", i);
  return pairs;
}

/// Values, and the derivatives that are wanted: graze.Derivatives.
template <class Compute>
py::object derivatives(const py::object& given, bool gradients, bool hessians, Compute&& compute) {
  const std::vector<ProximityPair> pairs = pairs_of(given);
  const auto n = static_cast<py::ssize_t>(pairs.size());
  py::array_t<double> values(n);
  py::array_t<double> first(std::vector<py::ssize_t>{gradients ? n : 0, 12});
  py::array_t<double> second(std::vector<py::ssize_t>{hessians ? n : 0, 12, 12});
  const auto span = [](py::array_t<double>& array) {
    return std::span<double>(array.mutable_data(), static_cast<std::size_t>(array.size()));
  };
  const std::span<double> v = span(values), g = span(first), h = span(second);
  {
    const py::gil_scoped_release release;
    compute(pairs, v, g, h);
  }
  return py::module_::import("graze._deform")
      .attr("Derivatives")(values, gradients ? py::object(first) : py::none(),
                           hessians ? py::object(second) : py::none());
}

#define GRAZE_PYTHON_DERIVATIVES py::arg("gradients") = true, py::arg("hessians") = false, py::arg("threads") = 1

}  // namespace

void bind_proximity(py::module_& m, py::class_<Deformable>& c) {
  PYBIND11_NUMPY_DTYPE(ProximityPair, kind, nearly_parallel, closest, vertices, weights, distance, vertex_face,
                       edge_edge);
  bind_result<ProximityResult>(m, "ProximityResult", "The answer of ``Deformable.near``.", {"status", "pairs"})
      .def_readonly("status", &ProximityResult::status)
      .def_property_readonly(
          "pairs", [](const py::object& self) { return rows_in(self, self.cast<const ProximityResult&>().pairs); },
          R"(An array with the fields kind, nearly_parallel, closest, vertices (4), weights (4), distance, vertex_face and
edge_edge: for how many pairs of a vertex and a face, and of two edges, these are the closest parts)")
      .def_readonly("seconds", &ProximityResult::seconds);
  c.def("near", &near, py::arg("distance"), py::arg("positions") = py::none(), py::kw_only(),
        py::arg("self_contacts") = true, py::arg("rest") = py::none(), py::arg("mollifier") = 1e-3,
        py::arg("threads") = 1, GRAZE_PYTHON_LIMITS,
        "Every pair of features at most this far apart, at these positions or the present ones. Moves nothing.");
  m.def(
      "squared_distances",
      [](const py::object& pairs, const PointsArg& positions, bool gradients, bool hessians, int threads) {
        return derivatives(pairs, gradients, hessians, [&](const auto& list, auto values, auto first, auto second) {
          graze::squared_distances(list, positions.span(), values, first, second, threads);
        });
      },
      py::arg("pairs"), py::arg("positions"), py::kw_only(), GRAZE_PYTHON_DERIVATIVES,
      R"(The squared distances of ``ProximityResult.pairs``, and their derivatives by the pair's four vertices.

>>> import graze, numpy as np
>>> x = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0], [1, 1, 0.25], [1, 1, 3], [1.5, 1, 3]], dtype=float)
>>> near = graze.Deformable(graze.Mesh(x, [[0, 1, 2], [3, 4, 5]])).near(0.3)
>>> d = graze.squared_distances(near.pairs, x)
>>> d.values, d.gradients[0, :3], d.hessians is None
(array([0.0625]), array([0. , 0. , 0.5]), True)
)");
  m.def(
      "edge_mollifiers",
      [](const py::object& pairs, const PointsArg& positions, const PointsArg& rest, double mollifier, bool gradients,
         bool hessians, int threads) {
        return derivatives(pairs, gradients, hessians, [&](const auto& list, auto values, auto first, auto second) {
          graze::edge_mollifiers(list, positions.span(), rest.span(), mollifier, values, first, second, threads);
        });
      },
      py::arg("pairs"), py::arg("positions"), py::arg("rest"), py::arg("mollifier") = 1e-3, py::kw_only(),
      GRAZE_PYTHON_DERIVATIVES,
      "IPC's mollifier of each pair that is nearly parallel, 1 for all others, and the derivatives.");
}

}  // namespace graze_python
