// SPDX-License-Identifier: MIT
#include <pybind11/stl.h>

#include "deform.hpp"
#include "mesh_arrays.hpp"
#include "module.hpp"

namespace graze_python {
namespace {

/// A graze.DeformFilter, whose fields are Python's.
graze::DeformFilter filter_of(const py::object& given) {
  graze::DeformFilter filter;
  if (given.is_none()) return filter;
  if (!py::isinstance(given, py::module_::import("graze._deform").attr("DeformFilter")))
    throw py::type_error("a filter is a graze.DeformFilter, or None for no filter");
  filter.bodies = whole_numbers(given.attr("bodies"), "the bodies of a filter");
  filter.fixed = whole_numbers(given.attr("fixed"), "the fixed vertices of a filter");
  for (const py::handle body : given.attr("settings"))
    filter.settings.push_back({body.attr("self_contacts").cast<bool>(), body.attr("group").cast<std::uint32_t>(),
                               body.attr("mask").cast<std::uint32_t>()});
  for (const py::handle pair : given.attr("off")) {
    const auto [a, b] = two<std::uint32_t, std::uint32_t>(pair, "two numbers of bodies");
    filter.off.push_back({a, b});
  }
  return filter;
}

/// The engine gets the new filter, or the old one and its function stay.
template <class Set>
void set(Deformable& d, const py::object& given, Set&& set_in_engine) {
  graze::DeformFilter filter = filter_of(given);
  const py::object function = given.is_none() ? py::object(py::none()) : py::object(given.attr("may_touch"));
  if (!function.is_none() && !PyCallable_Check(function.ptr()))
    throw py::type_error("may_touch of a filter is a function of two vertices, or None");
  std::shared_ptr<HeldFunction> held;
  std::shared_ptr<Predicate> predicate;
  if (!function.is_none()) {
    held = std::make_shared<HeldFunction>(function);
    predicate = std::make_shared<Predicate>(held);
    filter.may_touch = [predicate](std::uint32_t a, std::uint32_t b) { return (*predicate)(a, b); };
  }
  locked(d, [&](graze::Deformable& deform) { set_in_engine(deform, std::move(filter)); });
  d.functions.set(0, std::move(held));
  d.predicate = std::move(predicate);
}

}  // namespace

void bind_deform_filter(py::class_<Deformable>& c) {
  c.def(
       "set_filter",
       [](Deformable& d, const py::object& filter) {
         set(d, filter, [](graze::Deformable& deform, graze::DeformFilter f) { deform.set_filter(std::move(f)); });
       },
       py::arg("filter"), "Who may touch whom, in all later steps: a graze.DeformFilter, or None for no filter.")
      .def(
          "replace",
          [](Deformable& d, const py::object& given) {
            const graze::Mesh mesh = mesh_of(given);
            locked(d, [&](graze::Deformable& deform) { deform.replace(mesh); });
          },
          py::arg("mesh"), "Another mesh, and its positions, between two steps; the filter stays, and must fit.")
      .def(
          "replace",
          [](Deformable& d, const py::object& given, const py::object& filter) {
            const graze::Mesh mesh = mesh_of(given);
            set(d, filter,
                [&](graze::Deformable& deform, graze::DeformFilter f) { deform.replace(mesh, std::move(f)); });
          },
          py::arg("mesh"), py::arg("filter"), "The same with another filter.");
}

}  // namespace graze_python
