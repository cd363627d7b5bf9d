// SPDX-License-Identifier: MIT
#include <graze/ask/clearance_profile.hpp>

#include <pybind11/stl.h>

#include "module.hpp"
#include "motion.hpp"
#include "results.hpp"

namespace graze_python {

using graze::ClearanceProfileResult;
using graze::ClearanceSample;

namespace {

/// The answer together with its samples.
struct ClearanceProfile : ClearanceProfileResult {
  std::vector<ClearanceSample> samples;
};

}  // namespace

void bind_clearance_profile(py::module_& m) {
  PYBIND11_NUMPY_DTYPE(ClearanceSample, time, lower, upper, lower_until_next);
  bind_result<ClearanceProfile>(m, "ClearanceProfileResult", "The answer of ``clearance_profile``.",
                                {"status", "samples"})
      .def_readonly("status", &ClearanceProfile::status)
      .def_property_readonly(
          "samples",
          [](const py::object& self) {
            const auto& samples = self.cast<const ClearanceProfile&>().samples;
            const py::array_t<ClearanceSample> array({static_cast<py::ssize_t>(samples.size())}, samples.data(), self);
            array.attr("flags").attr("writeable") = false;
            return array;
          },
          "An array with the fields time, lower, upper (the distance is between them) and lower_until_next")
      .def_readonly("seconds", &ClearanceProfile::seconds);
  m.def(
      "clearance_profile",
      [](const graze::Body& a, const MotionArg& motion_a, const graze::Body& b, const MotionArg& motion_b,
         const NumbersArg& times, double relative_error, int threads, std::uint64_t work, const py::object& budget,
         const py::object& cancel) {
        graze::ClearanceProfileOptions o;
        o.relative_error = relative_error, o.threads = threads;
        set_limits(o, work, budget, cancel);
        return ask<ClearanceProfile>([&](ClearanceProfile& r) {
          r.samples.resize(times.span().size());
          static_cast<ClearanceProfileResult&>(r) =
              graze::clearance_profile(a, motion_a.motion, b, motion_b.motion, times.span(), r.samples, o);
        });
      },
      py::arg("a"), py::arg("motion_a"), py::arg("b"), py::arg("motion_b"), py::arg("times"), py::kw_only(),
      py::arg("relative_error") = 1e-9, py::arg("threads") = 1, GRAZE_PYTHON_LIMITS,
      R"(How far apart are two moving bodies over time, at ascending times in [0, 1], and certified between them?

>>> import graze, numpy as np
>>> ball = graze.Body(graze.shape.Sphere(1))
>>> result = graze.clearance_profile(ball, graze.Velocity([3, 0, 0, 1, 0, 0, 0], [7, 0, 0, 1, 0, 0, 0]), ball, None, np.linspace(0, 1, 5))
>>> result.samples["lower"].round(6)
array([1., 2., 3., 4., 5.])
)");
}

}  // namespace graze_python
