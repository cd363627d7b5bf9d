// SPDX-License-Identifier: MIT
#include <graze/ask/distance.hpp>

#include "module.hpp"
#include "results.hpp"

namespace graze_python {

using graze::Body;
using graze::DistanceResult;
using graze::WithinResult;

void bind_distance(py::module_& m) {
  bind_result<DistanceResult>(m, "DistanceResult", "The answer of ``distance``.",
                              {"status", "distance", "points", "normal", "feature", "pieces"})
      .def_readonly("status", &DistanceResult::status)
      .def_readonly("distance", &DistanceResult::distance)
      .def_readonly("certain", &DistanceResult::certain)
      .def_property_readonly(
          "points", [](const DistanceResult& r) { return array_of(r.points); },
          "2 x 3: the closest points on A and on B")
      .def_property_readonly("feature", [](const DistanceResult& r) { return optional_value(r.feature); })
      .def_property_readonly(
          "pair", [](const DistanceResult& r) { return pair_of(r.pair); }, "The triangles")
      .def_property_readonly("normal", [](const DistanceResult& r) { return optional_array(r.normal); })
      .def_readonly("seconds", &DistanceResult::seconds)
      .def_property_readonly("pieces", [](const DistanceResult& r) { return pieces_of(r.pieces); });
  bind_result<WithinResult>(m, "WithinResult", "The answer of ``within``.", {"status"})
      .def_readonly("status", &WithinResult::status)
      .def_readonly("certain", &WithinResult::certain)
      .def_readonly("seconds", &WithinResult::seconds);
  m.def(
      "distance",
      [](const Body& a, const PoseArg& pose_a, const Body& b, const PoseArg& pose_b, double relative_error,
         const std::string& method, int threads, std::uint64_t work, const py::object& budget,
         const py::object& cancel) {
        graze::DistanceOptions o;
        o.relative_error = relative_error, o.method = method, o.threads = threads;
        set_limits(o, work, budget, cancel);
        return ask<DistanceResult>([&](DistanceResult& r) { graze::distance(a, pose_a.pose, b, pose_b.pose, o, r); });
      },
      py::arg("a"), py::arg("pose_a"), py::arg("b"), py::arg("pose_b"), py::kw_only(), py::arg("relative_error") = 1e-9,
      py::arg("method") = "tree", py::arg("threads") = 1, GRAZE_PYTHON_LIMITS,
      R"(The least distance between the surfaces of two placed bodies (of shapes: the solids).

>>> import graze
>>> ball, box = graze.Body(graze.shape.Sphere(1)), graze.Body(graze.make.box())
>>> graze.distance(ball, None, box, graze.Pose([3, 0, 0])).distance
1.5
)");
  m.def(
      "within",
      [](double d, const Body& a, const PoseArg& pose_a, const Body& b, const PoseArg& pose_b, int threads,
         std::uint64_t work, const py::object& budget, const py::object& cancel) {
        graze::WithinOptions o;
        o.threads = threads;
        set_limits(o, work, budget, cancel);
        return ask<WithinResult>([&](WithinResult& r) { graze::within(d, a, pose_a.pose, b, pose_b.pose, o, r); });
      },
      py::arg("d"), py::arg("a"), py::arg("pose_a"), py::arg("b"), py::arg("pose_b"), py::kw_only(),
      py::arg("threads") = 1, GRAZE_PYTHON_LIMITS, "Are two points of the surfaces at most d apart? Decided exactly.");
}

}  // namespace graze_python
