// SPDX-License-Identifier: MIT
#include "deform.hpp"

#include <pybind11/stl.h>

#include <graze/ask/step_proof.hpp>

#include "mesh_arrays.hpp"
#include "module.hpp"

namespace graze_python {

using graze::DeformResult;
using graze::StepProof;

graze::StepSizeOptions step_size_options(double slack, bool self, std::optional<double> tolerance,
                                         double min_separation, bool ignore_start_crossings,
                                         bool ignore_start_if_separating, int threads, std::uint64_t work,
                                         const py::object& budget, const py::object& cancel_token) {
  graze::StepSizeOptions o;
  o.slack = slack, o.self = self, o.tolerance = tolerance, o.min_separation = min_separation;
  o.ignore_start_crossings = ignore_start_crossings, o.ignore_start_if_separating = ignore_start_if_separating;
  o.threads = threads;
  set_limits(o, work, budget, cancel_token);
  return o;
}

graze::DeformOptions deform_options(bool self, bool all, std::optional<double> tolerance, double min_separation,
                                    bool exact, bool crossing_at_start, int threads, std::uint64_t work,
                                    const py::object& budget, const py::object& cancel_token) {
  graze::DeformOptions o;
  o.self = self, o.all = all, o.tolerance = tolerance, o.min_separation = min_separation, o.exact = exact;
  o.crossing_at_start = crossing_at_start, o.threads = threads;
  set_limits(o, work, budget, cancel_token);
  return o;
}

namespace {

template <bool moves>
DeformResult way(Deformable& d, const py::object& positions, bool self, bool all, std::optional<double> tolerance,
                 double min_separation, bool exact, bool crossing_at_start, int threads, std::uint64_t work,
                 const py::object& budget, const py::object& cancel_token) {
  const graze::DeformOptions o = deform_options(self, all, tolerance, min_separation, exact, crossing_at_start, threads,
                                                work, budget, cancel_token);
  const Vertices x1 = vertices_of(positions);
  return asked(d, [&](graze::Deformable& deform) {
    DeformResult result;
    if constexpr (moves)
      deform.step(x1.array, o, result);
    else
      deform.contacts(x1.array, o, result);
    return result;
  });
}

graze::StepSize step_size(Deformable& d, const py::object& positions, double slack, bool self,
                          std::optional<double> tolerance, double min_separation, bool ignore_start_crossings,
                          bool ignore_start_if_separating, int threads, std::uint64_t work, const py::object& budget,
                          const py::object& cancel_token) {
  const graze::StepSizeOptions o = step_size_options(slack, self, tolerance, min_separation, ignore_start_crossings,
                                                     ignore_start_if_separating, threads, work, budget, cancel_token);
  const Vertices x1 = vertices_of(positions);
  return asked(d, [&](graze::Deformable& deform) { return deform.step_size(x1.array, o); });
}

void bind_proof(py::module_& m) {
  py::class_<StepProof>(m, "StepProof", "A proof that nothing touches during a step: graze.verify_step checks it.")
      .def(py::init([](const std::string& text) { return StepProof{text}; }), py::arg("text"))
      .def_readonly("text", &StepProof::text)
      .def_readonly("separations", &StepProof::separations)
      .def_readonly("features", &StepProof::features)
      .def_readonly("patches", &StepProof::patches)
      .def("__repr__",
           [](const StepProof& p) { return "StepProof(" + std::to_string(p.text.size()) + " characters)"; });
  m.def(
      "prove_step",
      [](const graze::Mesh& mesh, const PointsArg& start, const PointsArg& end, bool self, const py::object& bodies,
         double min_separation, double until, std::uint64_t work, const py::object& budget,
         const py::object& cancel_token) {
        graze::StepProofOptions o;
        const std::vector<std::uint32_t> of =
            bodies.is_none() ? std::vector<std::uint32_t>() : whole_numbers(bodies, "bodies");
        o.self = self, o.bodies = of, o.min_separation = min_separation, o.until = until;
        set_limits(o, work, budget, cancel_token);
        const py::gil_scoped_release release;
        return graze::prove_step(mesh, start.span(), end.span(), o);
      },
      py::arg("mesh"), py::arg("start"), py::arg("end"), py::kw_only(), py::arg("self_contacts") = true,
      py::arg("bodies") = py::none(), py::arg("min_separation") = 0.0, py::arg("until") = 1.0, GRAZE_PYTHON_LIMITS,
      "A proof that no two features touch while every vertex goes straight from start to end; None: there is none.");
}

}  // namespace

void bind_deform(py::module_& m) {
  bind_deform_results(m);
  bind_proof(m);
  py::class_<Deformable> c(m, "Deformable", R"(A mesh whose vertices move: what touches on the way to new positions?

Positions are N x 3 numbers; floats and doubles of any layout are read where they are. An object is used by one thread at a
time; others wait.

>>> import graze, numpy as np
>>> x0 = np.array([[0, 0, 1], [1, 0, 1], [0, 1, 1], [0, 0, 0], [1, 0, 0], [0, 1, 0]], dtype=float)
>>> mesh = graze.Deformable(graze.Mesh(x0, [[0, 1, 2], [3, 4, 5]]))
>>> x1 = x0.copy()
>>> x1[:3, 2] -= 2                           # through the other triangle
>>> size = mesh.step_size(x1)                # moves nothing
>>> size.status, round(size.time.touch, 6), round(size.step, 6)
(Status.contact, 0.5, 0.45)
>>> mesh.step(x0 + size.step * (x1 - x0)).status
Status.free
)",
                           collected<Deformable>());
  c.def(py::init([](const py::object& given) {
          const graze::Mesh mesh = mesh_of(given);
          const py::gil_scoped_release release;
          return std::make_unique<Deformable>(mesh);
        }),
        py::arg("mesh"))
      .def(
          "set_positions",
          [](Deformable& d, const py::object& positions) {
            const Vertices x = vertices_of(positions);
            locked(d, [&](graze::Deformable& deform) { deform.set_positions(x.array); });
          },
          py::arg("positions"), "Moves the vertices at once; nothing is asked about the way.")
      .def("contacts", &way<false>, py::arg("positions"), py::kw_only(), GRAZE_PYTHON_DEFORM,
           "Which features come into contact on straight lines to these positions? Moves nothing.")
      .def("step", &way<true>, py::arg("positions"), py::kw_only(), GRAZE_PYTHON_DEFORM,
           "The same as ``contacts``, and afterwards the mesh is at the new positions.")
      .def("step_size", &step_size, py::arg("positions"), py::kw_only(), GRAZE_PYTHON_STEP_SIZE,
           "How far may the vertices go on the same straight lines before anything touches? Moves nothing.")
      .def_property_readonly(
          "mesh",
          [](Deformable& d) { return locked(d, [](graze::Deformable& deform) { return graze::Mesh(deform.mesh()); }); })
      .def_property_readonly(
          "positions",
          [](Deformable& d) {
            const auto x = locked(d, [](graze::Deformable& deform) {
              return std::vector<graze::Vec3>(deform.positions().begin(), deform.positions().end());
            });
            py::array_t<double> array(std::vector<py::ssize_t>{static_cast<py::ssize_t>(x.size()), 3});
            if (!x.empty()) std::memcpy(array.mutable_data(), x.data(), x.size() * sizeof(graze::Vec3));
            return array;
          },
          "N x 3, a copy")
      .def_property_readonly(
          "bytes", [](Deformable& d) { return locked(d, [](graze::Deformable& deform) { return deform.bytes(); }); })
      .def("__repr__", [](Deformable& d) {
        const auto size = locked(d, [](graze::Deformable& deform) { return deform.positions().size(); });
        return "Deformable(" + std::to_string(size) + " vertices)";
      });
  bind_deform_filter(c);
  bind_proximity(m, c);
  bind_deform_details(m);
  bind_deform_scene(m);
}

}  // namespace graze_python
