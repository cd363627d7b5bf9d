// SPDX-License-Identifier: MIT
#include "motion.hpp"

#include "module.hpp"

namespace graze_python {

using graze::Motion;

namespace {

/// The kinds of motions are classes of their own in Python, too; all of them are motions.
template <int kind>
struct Kind : Motion {
  explicit Kind(const Motion& m) : Motion(m) {}
};
using Still = Kind<0>;
using Velocity = Kind<1>;
using Screw = Kind<2>;
using LinearParameters = Kind<3>;

py::array_t<double> matrix_at(const Motion& motion, double t) {
  const graze::Placement p = motion.at(t);
  py::array_t<double> m(std::vector<py::ssize_t>{4, 4});
  double* const d = m.mutable_data();
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) d[4 * i + k] = p.r[3 * i + k];
    d[4 * i + 3] = p.t[static_cast<int>(i)];
  }
  d[12] = d[13] = d[14] = 0, d[15] = 1;
  return m;
}

graze::RollPitchYaw angles(const py::tuple& given) {
  if (given.size() != 2) throw py::type_error("parameters are (translation, (roll, pitch, yaw))");
  const graze::Vec3 a = vec3(given[1], "roll, pitch and yaw");
  return {vec3(given[0], "a translation"), a.x, a.y, a.z};
}

}  // namespace

Motion motion_of(py::handle value) {
  if (py::isinstance<Motion>(value)) return *value.cast<const Motion*>();
  return graze::Still{pose(value)};
}

void bind_motion(py::module_& m) {
  py::class_<Motion>(m, "Motion", "How a body moves while t runs from 0 to 1. A pose stands for a body that does not.")
      .def("at", &matrix_at, py::arg("t"), "The placement at t in [0, 1] as a 4 x 4 matrix, rounded.")
      .def(
          "travel",
          [](const Motion& motion, const Vec3Arg& n, const Vec3Arg& centre, double radius, double t0, double t1) {
            return motion.travel(n.v, centre.v, radius, t0, t1);
          },
          py::arg("n"), py::arg("centre"), py::arg("radius"), py::arg("t0") = 0.0, py::arg("t1") = 1.0,
          "Certified: no local point within ``radius`` of ``centre`` travels further along n in [t0, t1].")
      .def("__repr__", [](py::object self) {
        (void)self.cast<const Motion&>();  // refused if it was never initialised
        return "<" + py::type::of(self).attr("__name__").cast<std::string>() + " motion>";
      });
  py::class_<Still, Motion>(m, "Still", "Does not move.")
      .def(py::init([](const PoseArg& p) { return Still(graze::Still{p.pose}); }), py::arg("pose") = py::none());
  py::class_<Velocity, Motion>(m, "Velocity",
                               R"(Constant linear velocity of a reference point, and constant angular velocity
about it. Starts and ends exactly at the two poses.)")
      .def(py::init([](const PoseArg& from, const PoseArg& to, const Vec3Arg& reference) {
             return Velocity(graze::Velocity(from.pose, to.pose, reference.v));
           }),
           py::arg("start"), py::arg("end"), py::arg("reference") = py::make_tuple(0.0, 0.0, 0.0))
      .def_static(
          "from_speeds",
          [](const PoseArg& from, const Vec3Arg& linear, const Vec3Arg& angular, const Vec3Arg& reference) {
            return Velocity(graze::Velocity::from_speeds(from.pose, linear.v, angular.v, reference.v));
          },
          py::arg("start"), py::arg("linear"), py::arg("angular"), py::arg("reference") = py::make_tuple(0.0, 0.0, 0.0),
          "From a pose, with velocities per unit of time in world coordinates; any number of turns.");
  py::class_<Screw, Motion>(m, "Screw", "Rotates about a fixed axis and translates along it, between two poses.")
      .def(py::init([](const PoseArg& from, const PoseArg& to) { return Screw(graze::Screw(from.pose, to.pose)); }),
           py::arg("start"), py::arg("end"));
  py::class_<LinearParameters, Motion>(m, "LinearParameters",
                                       "Translation, roll, pitch and yaw change linearly between two poses.")
      .def(py::init([](const PoseArg& from, const PoseArg& to) {
             return LinearParameters(graze::LinearParameters(from.pose, to.pose));
           }),
           py::arg("start"), py::arg("end"))
      .def_static(
          "from_angles",
          [](const py::tuple& from, const py::tuple& to) {
            return LinearParameters(graze::LinearParameters(angles(from), angles(to)));
          },
          py::arg("start"), py::arg("end"), "Each (translation, (roll, pitch, yaw)), in radians; any number of turns.");
}

}  // namespace graze_python
