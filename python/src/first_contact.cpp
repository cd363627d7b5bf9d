// SPDX-License-Identifier: MIT
#include <graze/ask/first_contact.hpp>
#include <graze/ask/motion_free.hpp>

#include <pybind11/stl.h>

#include "module.hpp"
#include "motion.hpp"
#include "results.hpp"

namespace graze_python {

using graze::Body;
using graze::FirstContactResult;
using graze::MotionFreeResult;

namespace {

py::object or_none(double value) { return std::isnan(value) ? py::object(py::none()) : py::float_(value); }

void bind_parts(py::module_& m) {
  py::class_<graze::TimeBracket>(m, "TimeBracket",
                                 "Certified free of contact before ``safe``; in contact at ``touch``.")
      .def_readonly("safe", &graze::TimeBracket::safe)
      .def_property_readonly(
          "touch", [](const graze::TimeBracket& t) { return or_none(t.touch); }, "None: no contact")
      .def("__repr__", [](py::object self) {
        return describe(self, "TimeBracket", {"safe", "touch"});
      });
  py::class_<graze::Clearance>(m, "Clearance", "The least distance during a motion is in [lower, upper].")
      .def_readonly("lower", &graze::Clearance::lower)
      .def_readonly("upper", &graze::Clearance::upper)
      .def_readonly("time", &graze::Clearance::time)
      .def("__repr__", [](py::object self) {
        return describe(self, "Clearance", {"lower", "upper", "time"});
      });
  py::class_<graze::Certificate>(m, "Certificate", "A proof that graze.verify and the command graze-verify check.")
      .def(py::init([](double until, const std::string& text) {
             return graze::Certificate{until, text};
           }),
           py::arg("until"), py::arg("text"))
      .def_readonly("until", &graze::Certificate::until)
      .def_readonly("text", &graze::Certificate::text)
      .def("__repr__", [](const graze::Certificate& c) {
        return "Certificate(until=" + std::string(py::repr(py::float_(c.until))) + ", " +
               std::to_string(c.text.size()) + " characters)";
      });
  py::class_<graze::ContactEvent>(m, "ContactEvent", "One contact of the motion: a feature pair while it lasts.")
      .def_readonly("feature", &graze::ContactEvent::feature)
      .def_readonly("time", &graze::ContactEvent::time)
      .def_readonly("until", &graze::ContactEvent::until)
      .def_readonly("gap", &graze::ContactEvent::gap)
      .def_readonly("direction", &graze::ContactEvent::direction)
      .def_property_readonly("pieces", [](const graze::ContactEvent& e) { return pieces_of(e.pieces); })
      .def("__repr__", [](py::object self) {
        return describe(self, "ContactEvent", {"feature", "time", "until", "gap", "direction", "pieces"});
      });
}

void bind_results(py::module_& m) {
  using R = FirstContactResult;
  bind_result<R>(m, "FirstContactResult", "The answer of ``first_contact``.",
                 {"status", "time", "gap", "tolerance", "contained", "pair", "features", "points", "normal",
                  "direction", "contacts", "clearance", "certificate", "pieces"})
      .def_readonly("status", &R::status)
      .def_property_readonly("method", [](const R& r) { return std::string(r.method); })
      .def_readonly("time", &R::time)
      .def_property_readonly(
          "gap", [](const R& r) { return or_none(r.gap); }, "Distance of the points, or None")
      .def_readonly("tolerance", &R::tolerance)
      .def_property_readonly(
          "pair", [](const R& r) -> py::object { return r.pair ? py::object(pair_of(*r.pair)) : py::none(); },
          "The triangles, or None")
      .def_readonly("features", &R::features)
      .def_property_readonly("points", [](const R& r) { return optional_array(r.points); })
      .def_property_readonly("normal", [](const R& r) { return optional_array(r.normal); })
      .def_property_readonly("direction", [](const R& r) { return optional_value(r.direction); })
      .def_readonly("certain", &R::certain)
      .def_readonly("contained", &R::contained)
      .def_readonly("contacts", &R::contacts)
      .def_property_readonly("clearance", [](const R& r) { return optional_value(r.clearance); })
      .def_property_readonly("certificate", [](const R& r) { return optional_value(r.certificate); })
      .def_readonly("seconds", &R::seconds)
      .def_property_readonly("pieces", [](const R& r) { return pieces_of(r.pieces); });
  using F = MotionFreeResult;
  bind_result<F>(m, "MotionFreeResult", "The answer of ``motion_free``.",
                 {"status", "time", "tolerance", "probes", "certificate"})
      .def_readonly("status", &F::status)
      .def_readonly("time", &F::time)
      .def_readonly("tolerance", &F::tolerance)
      .def_readonly("probes", &F::probes)
      .def_property_readonly("certificate", [](const F& r) { return optional_value(r.certificate); })
      .def_readonly("seconds", &F::seconds);
}

}  // namespace

void bind_first_contact(py::module_& m) {
  bind_parts(m);
  bind_results(m);
  m.def(
      "first_contact",
      [](const Body& a, const MotionArg& motion_a, const Body& b, const MotionArg& motion_b, const std::string& method,
         std::optional<double> tolerance, double min_separation, bool all_features, bool all_contacts, bool clearance,
         bool ignore_start_if_separating, bool solid, bool certificate, int threads, std::uint64_t work,
         const py::object& budget, const py::object& cancel) {
        graze::FirstContactOptions o;
        o.method = method, o.tolerance = tolerance, o.min_separation = min_separation, o.all_features = all_features;
        o.all_contacts = all_contacts, o.clearance = clearance,
        o.ignore_start_if_separating = ignore_start_if_separating;
        o.solid = solid, o.certificate = certificate, o.threads = threads;
        set_limits(o, work, budget, cancel);
        return ask<FirstContactResult>(
            [&](FirstContactResult& r) { graze::first_contact(a, motion_a.motion, b, motion_b.motion, o, r); });
      },
      py::arg("a"), py::arg("motion_a"), py::arg("b"), py::arg("motion_b"), py::kw_only(),
      py::arg("method") = "best_first", py::arg("tolerance") = py::none(), py::arg("min_separation") = 0.0,
      py::arg("all_features") = false, py::arg("all_contacts") = false, py::arg("clearance") = false,
      py::arg("ignore_start_if_separating") = false, py::arg("solid") = false, py::arg("certificate") = false,
      py::arg("threads") = 1, GRAZE_PYTHON_LIMITS,
      R"(When do two moving bodies first touch? Certified for the whole motion, rotation included.

>>> import graze
>>> box = graze.Body(graze.make.box())
>>> move = graze.Velocity(graze.Pose([-3, 0, 0]), graze.Pose([1, 0, 0]))
>>> result = graze.first_contact(box, move, box, graze.Pose())
>>> result.status
Status.contact
>>> result.time.safe <= 0.5 <= result.time.touch + 1e-5
True
)");
  m.def(
      "motion_free",
      [](const Body& a, const MotionArg& motion_a, const Body& b, const MotionArg& motion_b,
         std::optional<double> tolerance, double min_separation, bool solid, bool certificate, int threads,
         std::uint64_t work, const py::object& budget, const py::object& cancel) {
        graze::FirstContactOptions o;
        o.tolerance = tolerance, o.min_separation = min_separation, o.solid = solid, o.certificate = certificate;
        o.threads = threads;
        set_limits(o, work, budget, cancel);
        return ask<MotionFreeResult>(
            [&](MotionFreeResult& r) { graze::motion_free(a, motion_a.motion, b, motion_b.motion, o, r); });
      },
      py::arg("a"), py::arg("motion_a"), py::arg("b"), py::arg("motion_b"), py::kw_only(),
      py::arg("tolerance") = py::none(), py::arg("min_separation") = 0.0, py::arg("solid") = false,
      py::arg("certificate") = false, py::arg("threads") = 1, GRAZE_PYTHON_LIMITS,
      "Is a whole motion free of contact, yes or no: what planners ask of an edge.");
}

}  // namespace graze_python
