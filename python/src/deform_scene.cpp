// SPDX-License-Identifier: MIT
#include <graze/ask/deform_scene.hpp>

#include <pybind11/stl.h>

#include "deform.hpp"
#include "mesh_arrays.hpp"
#include "module.hpp"
#include "motion.hpp"

namespace graze_python {

using graze::SceneBodyId;
using graze::SceneContact;
using graze::SceneCrossing;
using graze::SceneResult;
using graze::SceneStepSize;

namespace {

struct DeformScene {
  graze::DeformScene scene;
  std::vector<bool> deforming;  ///< by body
  std::mutex mutex;
};

template <class Call>
auto locked(DeformScene& s, Call&& call) {
  const py::gil_scoped_release release;
  const std::lock_guard lock(s.mutex);
  return call(s.scene);
}

bool is_deforming(const DeformScene& s, std::uint32_t id) { return id < s.deforming.size() && s.deforming[id]; }

std::vector<graze::Vec3> points_of(const py::object& given) {
  PointsArg points;
  points.array = rows_of_doubles(given, 3, "positions");
  return {points.span().begin(), points.span().end()};
}

/// Where the vertices go, or how a rigid body moves: which of both the body decides.
void move(DeformScene& s, std::uint32_t number, const py::object& to) {
  const auto id = static_cast<SceneBodyId>(number);
  if (!is_deforming(s, number)) {
    const graze::Motion motion = motion_of(to);
    return locked(s, [&](graze::DeformScene& scene) { scene.move(id, motion); });
  }
  const py::array array = unmasked(to, "positions");
  if (!array || array.ndim() != 3) {
    const std::vector<graze::Vec3> x = points_of(to);
    return locked(s, [&](graze::DeformScene& scene) { scene.move(id, x); });
  }
  std::vector<std::vector<graze::Vec3>> control;
  for (py::ssize_t i = 0; i < array.shape(0); ++i) control.push_back(points_of(to.attr("__getitem__")(i)));
  locked(s, [&](graze::DeformScene& scene) { scene.move(id, control); });
}

template <bool moves>
SceneResult way(DeformScene& s, bool self, bool all, std::optional<double> tolerance, double min_separation, bool exact,
                bool crossing_at_start, int threads, std::uint64_t work, const py::object& budget,
                const py::object& cancel_token) {
  const graze::DeformOptions o = deform_options(self, all, tolerance, min_separation, exact, crossing_at_start, threads,
                                                work, budget, cancel_token);
  SceneResult result = locked(s, [&](graze::DeformScene& scene) { return moves ? scene.step(o) : scene.contacts(o); });
  raise_if_refused(result);
  return result;
}

SceneStepSize step_size(DeformScene& s, double slack, bool self, std::optional<double> tolerance, double min_separation,
                        bool ignore_start_crossings, bool ignore_start_if_separating, int threads, std::uint64_t work,
                        const py::object& budget, const py::object& cancel_token) {
  const graze::StepSizeOptions o = step_size_options(slack, self, tolerance, min_separation, ignore_start_crossings,
                                                     ignore_start_if_separating, threads, work, budget, cancel_token);
  SceneStepSize result = locked(s, [&](graze::DeformScene& scene) { return scene.step_size(o); });
  raise_if_refused(result);
  return result;
}

void bind_result_of_scene(py::module_& m) {
  PYBIND11_NUMPY_DTYPE(graze::TrianglePair, a, b);
  PYBIND11_NUMPY_DTYPE(SceneContact, a, b, contact);
  PYBIND11_NUMPY_DTYPE(SceneCrossing, a, b, triangles, inside);
  bind_result<SceneResult>(m, "SceneResult", "The answer of ``DeformScene.contacts`` and ``step``.",
                           {"status", "time", "tolerance", "contacts", "crossing_at_start"})
      .def_readonly("status", &SceneResult::status)
      .def_readonly("time", &SceneResult::time)
      .def_readonly("tolerance", &SceneResult::tolerance)
      .def_property_readonly(
          "contacts", [](const py::object& self) { return rows_in(self, self.cast<const SceneResult&>().contacts); },
          "An array with the fields a, b (bodies) and contact (the fields of ``DeformResult.contacts``)")
      .def_property_readonly(
          "crossing_at_start",
          [](const py::object& self) { return rows_in(self, self.cast<const SceneResult&>().crossing_at_start); },
          "An array with the fields a, b (bodies), triangles (a, b) and inside");
  bind_result<SceneStepSize>(m, "SceneStepSize",
                             "The answer of ``DeformScene.step_size``: how far all bodies may go together.",
                             {"status", "step", "time", "tolerance", "first"})
      .def_readonly("status", &SceneStepSize::status)
      .def_readonly("step", &SceneStepSize::step, "The share of the way")
      .def_readonly("time", &SceneStepSize::time)
      .def_readonly("tolerance", &SceneStepSize::tolerance)
      .def_property_readonly(
          "first", [](const SceneStepSize& s) { return row_of(s.first); },
          "The earliest contact, with the fields of ``SceneResult.contacts``, or None")
      .def_property_readonly(
          "crossing_at_start", [](const SceneStepSize& s) { return row_of(s.crossing_at_start); },
          "What crosses at the start, with the fields of ``SceneResult.crossing_at_start``, or None");
}

}  // namespace

void bind_deform_scene(py::module_& m) {
  bind_result_of_scene(m);
  py::class_<DeformScene>(m, "DeformScene",
                          R"(Meshes that deform, and rigid meshes and shapes that move: one question for all.

>>> import graze
>>> sheet = graze.make.cloth_sheet(triangles=200)
>>> scene = graze.DeformScene()
>>> cloth = scene.add_deforming(sheet)
>>> ball = scene.add_rigid(graze.Body(graze.shape.Sphere(0.3)))
>>> above = sheet.vertices + [0, 0, 5]
>>> scene.set_positions(cloth, above)
>>> scene.move(cloth, above - [0, 0, 10])                # where it wants to go
>>> scene.move(ball, graze.Velocity(None, graze.Pose([0, 0, 0.1])))
>>> 0 < scene.step_size().step < 1                       # how far all may go together; moves nothing
True
)")
      .def(py::init<>())
      .def(
          "add_deforming",
          [](DeformScene& s, const py::object& given) {
            const graze::Mesh mesh = mesh_of(given);
            const auto id = locked(s, [&](graze::DeformScene& scene) { return scene.add_deforming(mesh); });
            s.deforming.push_back(true);
            return graze::index(id);
          },
          py::arg("mesh"), "A mesh whose vertices move, at its positions; returns its number.")
      .def(
          "add_rigid",
          [](DeformScene& s, const graze::Body& body, const MotionArg& motion) {
            const auto id = locked(s, [&](graze::DeformScene& scene) { return scene.add_rigid(body, motion.motion); });
            s.deforming.push_back(false);
            return graze::index(id);
          },
          py::arg("body"), py::arg("motion") = py::none(), "A mesh or a convex shape; returns its number.")
      .def("move", &move, py::arg("id"), py::arg("to"),
           R"(Where a body wants to be at the end of the step. A deforming one: N x 3 positions, or control points of
polynomial paths, degree x N x 3. A rigid one: a motion, or a pose.)")
      .def(
          "set_positions",
          [](DeformScene& s, std::uint32_t id, const PointsArg& x) {
            locked(s, [&](graze::DeformScene& scene) { scene.set_positions(static_cast<SceneBodyId>(id), x.span()); });
          },
          py::arg("id"), py::arg("positions"), "Puts a deforming body elsewhere; nothing is asked about the way.")
      .def(
          "replace",
          [](DeformScene& s, std::uint32_t id, const py::object& given) {
            const graze::Mesh mesh = mesh_of(given);
            locked(s, [&](graze::DeformScene& scene) { scene.replace(static_cast<SceneBodyId>(id), mesh); });
          },
          py::arg("id"), py::arg("mesh"), "A deforming body broke, or changed its polygons otherwise.")
      .def("__len__", [](DeformScene& s) { return locked(s, [](graze::DeformScene& scene) { return scene.size(); }); })
      .def(
          "positions",
          [](DeformScene& s, std::uint32_t id) {
            const auto x = locked(s, [&](graze::DeformScene& scene) {
              const auto now = scene.positions(static_cast<SceneBodyId>(id));
              return std::vector<graze::Vec3>(now.begin(), now.end());
            });
            py::array_t<double> array(std::vector<py::ssize_t>{static_cast<py::ssize_t>(x.size()), 3});
            if (!x.empty()) std::memcpy(array.mutable_data(), x.data(), x.size() * sizeof(graze::Vec3));
            return array;
          },
          py::arg("id"), "N x 3, a copy.")
      .def("contacts", &way<false>, py::kw_only(), GRAZE_PYTHON_DEFORM,
           "What touches on the way to where the bodies were told to move? Nothing moves.")
      .def("step", &way<true>, py::kw_only(), GRAZE_PYTHON_DEFORM,
           "The same, and afterwards deforming bodies are where they were told to go.")
      .def("step_size", &step_size, py::kw_only(), GRAZE_PYTHON_STEP_SIZE,
           "How far may all bodies go together before anything touches? Nothing moves.")
      .def("__repr__", [](DeformScene& s) {
        return "DeformScene(" + std::to_string(locked(s, [](graze::DeformScene& scene) { return scene.size(); })) +
               " bodies)";
      });
}

}  // namespace graze_python
