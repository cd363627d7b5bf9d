// SPDX-License-Identifier: MIT
#include <graze/ask/contact_details.hpp>

#include <pybind11/stl.h>

#include "batch.hpp"
#include "deform.hpp"
#include "mesh_arrays.hpp"
#include "module.hpp"

namespace graze_python {

using graze::DeformContactDetail;
using graze::DeformContactDetails;

namespace {

struct DetailRow {
  std::uint8_t kind, closest;
  double weights[4], a[3], b[3], normal[3], gap;
  std::int64_t polygons[2];  ///< -1: none
  std::uint32_t bodies[2];
  double present_until, apart_after;
};

void write_row(const DeformContactDetail& d, DetailRow& row) {
  row.kind = static_cast<std::uint8_t>(d.kind), row.closest = d.closest;
  std::copy(d.weights.begin(), d.weights.end(), row.weights);
  write(row.a, d.a), write(row.b, d.b), write(row.normal, d.normal);
  row.gap = d.gap;
  for (std::size_t i = 0; i < 2; ++i) {
    row.polygons[i] = d.polygons[i] ? static_cast<std::int64_t>(graze::index(*d.polygons[i])) : -1;
    row.bodies[i] = d.bodies[i];
  }
  row.present_until = d.present_until, row.apart_after = d.apart_after;
}

}  // namespace

void bind_deform_details(py::module_& m) {
  PYBIND11_NUMPY_DTYPE(DetailRow, kind, closest, weights, a, b, normal, gap, polygons, bodies, present_until,
                       apart_after);
  py::class_<DeformContactDetails>(m, "DeformContactDetails",
                                   "Tells details of the contacts of steps of one mesh, once made for its polygons.")
      .def(py::init([](const py::object& given) {
             const graze::Mesh mesh = mesh_of(given);
             const py::gil_scoped_release release;
             return std::make_unique<DeformContactDetails>(mesh);
           }),
           py::arg("mesh"))
      .def(
          "find",
          [](const DeformContactDetails& details, const PointsArg& from, const PointsArg& to,
             const py::object& contacts, const py::object& bodies, bool ends, std::optional<double> tolerance,
             double min_separation, bool exact, int threads) {
            const std::vector<graze::DeformContact> list = list_of_rows<graze::DeformContact>(contacts, "contacts");
            for (std::size_t i = 0; i < list.size(); ++i)
              if (static_cast<std::uint8_t>(list[i].kind) > 3)
                refuse(graze::ErrorCode::bad_option, "its kind is not one of graze.ElementaryKind", "row", i);
            const std::vector<std::uint32_t> of =
                bodies.is_none() ? std::vector<std::uint32_t>() : whole_numbers(bodies, "bodies");
            graze::DeformContactDetailOptions o;
            o.bodies = of, o.ends = ends, o.tolerance = tolerance, o.min_separation = min_separation;
            o.exact = exact, o.threads = threads;
            std::vector<DeformContactDetail> found(list.size());
            {
              const py::gil_scoped_release release;
              details.find(from.span(), to.span(), list, found, o);
            }
            py::array_t<DetailRow> rows(static_cast<py::ssize_t>(found.size()));
            DetailRow* const first = rows.mutable_data();
            std::memset(static_cast<void*>(first), 0, found.size() * sizeof(DetailRow));
            for (std::size_t i = 0; i < found.size(); ++i) write_row(found[i], first[i]);
            return rows;
          },
          py::arg("start"), py::arg("end"), py::arg("contacts"), py::kw_only(), py::arg("bodies") = py::none(),
          py::arg("ends") = false, py::arg("tolerance") = py::none(), py::arg("min_separation") = 0.0,
          py::arg("exact") = false, py::arg("threads") = 1,
          R"(Of ``DeformResult.contacts`` of a step from start to end: an array with a row for each.

The fields: kind and closest (of the closest parts), weights, a and b (the closest points), normal, gap, polygons (-1:
none), bodies, present_until and apart_after (with ``ends``).)");
}

}  // namespace graze_python
