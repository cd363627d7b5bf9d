// SPDX-License-Identifier: MIT
#include <graze/ask/manifold.hpp>
#include <graze/ask/penetration.hpp>

#include <pybind11/stl.h>

#include "module.hpp"
#include "results.hpp"

namespace graze_python {

using graze::Body;
using graze::ManifoldPatch;
using graze::ManifoldPoint;
using graze::ManifoldResult;
using graze::PenetrationPatch;
using graze::PenetrationResult;

namespace {

py::array_t<std::uint32_t> array_of(const std::vector<graze::TriangleId>& ids) {
  py::array_t<std::uint32_t> array(static_cast<py::ssize_t>(ids.size()));
  std::uint32_t* d = array.mutable_data();
  for (const graze::TriangleId id : ids) *d++ = graze::index(id);
  return array;
}

void bind_penetration(py::module_& m) {
  py::class_<PenetrationPatch>(m, "PenetrationPatch",
                               "A connected part of the intersection, and a translation that starts there.")
      .def_property_readonly("translation",
                             [](const PenetrationPatch& p) { return graze_python::array_of(p.translation); })
      .def_readonly("length", &PenetrationPatch::length)
      .def_property_readonly("points", [](const PenetrationPatch& p) { return graze_python::array_of(p.points); })
      .def_property_readonly("triangles_a", [](const PenetrationPatch& p) { return array_of(p.triangles_a); })
      .def_property_readonly("triangles_b", [](const PenetrationPatch& p) { return array_of(p.triangles_b); })
      .def("__repr__", [](py::object self) {
        return describe(self, "PenetrationPatch", {"translation", "length"});
      });
  bind_result<PenetrationResult>(m, "PenetrationResult", "The answer of ``penetration``.",
                                 {"status", "lower", "upper", "translation", "points", "patches"})
      .def_readonly("status", &PenetrationResult::status)
      .def_readonly("certain", &PenetrationResult::certain)
      .def_readonly("lower", &PenetrationResult::lower)
      .def_readonly("upper", &PenetrationResult::upper)
      .def_property_readonly(
          "translation", [](const PenetrationResult& r) { return graze_python::array_of(r.translation); },
          "Certified: moved by this, B and A share no inner point")
      .def_readonly("patches", &PenetrationResult::patches)
      .def_property_readonly("points", [](const PenetrationResult& r) { return graze_python::array_of(r.points); });
  m.def(
      "penetration",
      [](const Body& a, const PoseArg& pose_a, const Body& b, const PoseArg& pose_b, double relative_error,
         std::uint64_t work, const py::object& budget, const py::object& cancel) {
        graze::PenetrationOptions o;
        o.relative_error = relative_error;
        set_limits(o, work, budget, cancel);
        return ask<PenetrationResult>(
            [&](PenetrationResult& r) { r = graze::penetration(a, pose_a.pose, b, pose_b.pose, o); });
      },
      py::arg("a"), py::arg("pose_a"), py::arg("b"), py::arg("pose_b"), py::kw_only(), py::arg("relative_error") = 1e-6,
      GRAZE_PYTHON_LIMITS, R"(How deep do two bodies overlap, and what parts them? Closed meshes count as solids.

>>> import graze
>>> box = graze.Body(graze.make.box())
>>> round(graze.penetration(box, None, box, graze.Pose([0.75, 0, 0])).upper, 6)
0.25
)");
}

void bind_manifold(py::module_& m) {
  py::class_<ManifoldPoint>(m, "ManifoldPoint", "A point of a contact manifold.")
      .def_property_readonly("points", [](const ManifoldPoint& p) { return graze_python::array_of(p.points); })
      .def_readonly("depth", &ManifoldPoint::depth)
      .def_readonly("feature_a", &ManifoldPoint::feature_a)
      .def_readonly("feature_b", &ManifoldPoint::feature_b)
      .def_readonly("id", &ManifoldPoint::id)
      .def("__repr__", [](py::object self) {
        return describe(self, "ManifoldPoint", {"points", "depth", "feature_a", "feature_b"});
      });
  py::class_<ManifoldPatch>(m, "ManifoldPatch", "A connected part of the overlap, and the points that stand for it.")
      .def_property_readonly("normal", [](const ManifoldPatch& p) { return graze_python::array_of(p.normal); })
      .def_readonly("depth", &ManifoldPatch::depth)
      .def_readonly("points", &ManifoldPatch::points)
      .def_property_readonly(
          "pieces",
          [](const ManifoldPatch& p) { return py::make_tuple(graze::index(p.pieces[0]), graze::index(p.pieces[1])); })
      .def("__repr__", [](py::object self) {
        return describe(self, "ManifoldPatch", {"normal", "depth", "points"});
      });
  bind_result<ManifoldResult>(m, "ManifoldResult", "The answer of ``manifold``.", {"status", "patches"})
      .def_readonly("status", &ManifoldResult::status)
      .def_readonly("certain", &ManifoldResult::certain)
      .def_readonly("patches", &ManifoldResult::patches);
  m.def(
      "manifold",
      [](const Body& a, const PoseArg& pose_a, const Body& b, const PoseArg& pose_b, double margin, std::uint64_t work,
         const py::object& budget, const py::object& cancel) {
        graze::ManifoldOptions o;
        o.margin = margin;
        set_limits(o, work, budget, cancel);
        return ask<ManifoldResult>([&](ManifoldResult& r) { r = graze::manifold(a, pose_a.pose, b, pose_b.pose, o); });
      },
      py::arg("a"), py::arg("pose_a"), py::arg("b"), py::arg("pose_b"), py::kw_only(), py::arg("margin") = 0.0,
      GRAZE_PYTHON_LIMITS, "Where do two bodies press on each other? The contact points that a solver needs.");
}

}  // namespace

void bind_depth(py::module_& m) {
  bind_penetration(m);
  bind_manifold(m);
}

}  // namespace graze_python
