// SPDX-License-Identifier: MIT
#include <graze/ask/contains.hpp>
#include <graze/ask/ray.hpp>

#include <pybind11/stl.h>

#include "module.hpp"
#include "results.hpp"

namespace graze_python {

using graze::Body;
using graze::ContainsResult;
using graze::RayHit;
using graze::RayResult;

void bind_point(py::module_& m) {
  bind_result<ContainsResult>(m, "ContainsResult", "The answer of ``contains``.", {"location", "piece"})
      .def_readonly("location", &ContainsResult::location)
      .def_property_readonly(
          "piece",
          [](const ContainsResult& r) -> py::object {
            return r.piece ? py::object(py::int_(graze::index(*r.piece))) : py::none();
          },
          "Of a compound: the first piece that the point is in, or else on");
  py::class_<RayHit>(m, "RayHit", "Where a ray meets a body.")
      .def_readonly("fraction", &RayHit::fraction)
      .def_property_readonly("point", [](const RayHit& h) { return array_of(h.point); })
      .def_property_readonly("triangle", [](const RayHit& h) { return graze::index(h.triangle); })
      .def_property_readonly("polygon", [](const RayHit& h) { return graze::index(h.polygon); })
      .def_property_readonly("piece",
                             [](const RayHit& h) -> py::object {
                               return h.piece ? py::object(py::int_(graze::index(*h.piece))) : py::none();
                             })
      .def_property_readonly("normal", [](const RayHit& h) { return optional_array(h.normal); })
      .def_property_readonly(
          "weights", [](const RayHit& h) { return py::array_t<double>(3, h.weights.data()); },
          "Barycentric, of the triangle's corners")
      .def_readonly("feature", &RayHit::feature)
      .def("__repr__", [](py::object self) {
        return describe(self, "RayHit", {"fraction", "point", "triangle", "polygon", "piece", "normal", "feature"});
      });
  bind_result<RayResult>(m, "RayResult", "The answer of ``cast_ray``.", {"status", "hit", "all"})
      .def_readonly("status", &RayResult::status)
      .def_property_readonly("hit", [](const RayResult& r) { return optional_value(r.hit); })
      .def_readonly("all", &RayResult::all)
      .def_readonly("certain", &RayResult::certain);
  m.def(
      "contains",
      [](const Body& body, const PoseArg& pose, const Vec3Arg& point) {
        return ask<ContainsResult>([&](ContainsResult& r) { graze::contains(body, pose.pose, point.v, r); });
      },
      py::arg("body"), py::arg("pose"), py::arg("point"), R"(Is a point inside a placed, closed body?

>>> import graze
>>> graze.contains(graze.Body(graze.make.box()), None, [0.5, 0, 0]).location
Location.on_surface
)");
  m.def(
      "cast_ray",
      [](const Body& body, const PoseArg& pose, const Vec3Arg& from, const Vec3Arg& to, graze::RayHits hits) {
        return ask<RayResult>([&](RayResult& r) { graze::cast_ray(body, pose.pose, from.v, to.v, {hits}, r); });
      },
      py::arg("body"), py::arg("pose"), py::arg("start"), py::arg("end"), py::kw_only(),
      py::arg("hits") = graze::RayHits::first, R"(Does the segment between two points meet the body, and where first?

>>> import graze
>>> graze.cast_ray(graze.Body(graze.make.box()), None, [-1, 0.1, 0], [1, 0.1, 0]).hit.fraction
0.25
)");
}

}  // namespace graze_python
