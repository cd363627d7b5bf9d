// SPDX-License-Identifier: MIT
#include "trajectory.hpp"

#include <pybind11/stl.h>

#include "module.hpp"

namespace graze_python {

using graze::TrajectoryPoint;

namespace {

using Waypoints = Trajectory::Waypoints;
using Spline = Trajectory::Spline;

graze::Trajectory made(const Waypoints& w) { return graze::Trajectory::through(w.points, w.each); }
graze::Trajectory made(const Spline& s) {
  return s.knots.empty() ? graze::Trajectory::spline(s.control, s.coordinates, s.start, s.end)
                         : graze::Trajectory::spline(s.control, s.coordinates, s.knots);
}

std::vector<double> numbers_of(py::handle values, const char* what) {
  if (values.is_none()) return {};
  const auto array = row_of_doubles(values, what);
  return {array.data(), array.data() + array.size()};
}

TrajectoryPoint point_of(double time, const py::object& positions, const py::object& velocities,
                         const py::object& accelerations) {
  return {time, numbers_of(positions, "positions"), numbers_of(velocities, "velocities"),
          numbers_of(accelerations, "accelerations")};
}

py::array_t<double> array_of_numbers(const std::vector<double>& numbers) {
  return py::array_t<double>(static_cast<py::ssize_t>(numbers.size()), numbers.data());
}
py::object none_if_empty(const std::vector<double>& numbers) {
  return numbers.empty() ? py::object(py::none()) : py::object(array_of_numbers(numbers));
}

/// A list of points, or of (time, positions[, velocities[, accelerations]]).
std::vector<TrajectoryPoint> points_of(const py::iterable& given) {
  std::vector<TrajectoryPoint> points;
  for (const py::handle item : given) {
    if (py::isinstance<TrajectoryPoint>(item)) {
      points.push_back(item.cast<TrajectoryPoint>());
      continue;
    }
    if ((!PyTuple_Check(item.ptr()) && !PyList_Check(item.ptr())) || py::len(item) < 2 || py::len(item) > 4)
      throw py::type_error(
          "a waypoint is a graze.TrajectoryPoint, or (time, positions) with velocities and accelerations behind them");
    const auto parts = py::reinterpret_borrow<py::sequence>(item);
    const auto part = [&](std::size_t i) { return i < parts.size() ? py::object(parts[i]) : py::object(py::none()); };
    const double time = PyFloat_AsDouble(py::object(parts[0]).ptr());
    if (time == -1 && PyErr_Occurred()) throw py::error_already_set();
    points.push_back(point_of(time, parts[1], part(2), part(3)));
  }
  return points;
}

std::vector<graze::Interpolation> each_of(const py::object& each) {
  if (each.is_none()) return {};
  try {
    if (PyUnicode_Check(each.ptr()) || !py::isinstance<py::iterable>(each)) return {each.cast<graze::Interpolation>()};
    return each.cast<std::vector<graze::Interpolation>>();
  } catch (const py::cast_error&) {
    throw py::type_error("each is a graze.Interpolation, or a list with one for each coordinate, not " +
                         py::repr(each).cast<std::string>());
  }
}

Spline spline_of(const py::object& control, const py::object& knots, std::optional<double> start,
                 std::optional<double> end) {
  const auto array = doubles(control, "control points");
  if (array.ndim() != 2) refuse(graze::ErrorCode::bad_option, "control points have a row of coordinates each");
  Spline s{{array.data(), array.data() + array.size()}, static_cast<std::size_t>(array.shape(1)), {}};
  if (knots.is_none() != (start && end) || (start && !knots.is_none()) || (end && !knots.is_none()))
    refuse(graze::ErrorCode::bad_option, "give a spline its knots, or its start and its end", "option");
  s.knots = numbers_of(knots, "knots");
  if (!knots.is_none() && s.knots.empty()) refuse(graze::ErrorCode::bad_option, "a spline has knots", "knot");
  if (start) s.start = *start, s.end = *end;
  return s;
}

py::tuple state_of(const Trajectory& t) {
  if (const auto* const w = std::get_if<Waypoints>(&t.source)) {
    py::list points;
    for (const TrajectoryPoint& p : w->points)
      points.append(py::make_tuple(p.time, p.positions, p.velocities, p.accelerations));
    return py::make_tuple("waypoints", points, w->each);
  }
  const auto& s = std::get<Spline>(t.source);
  return py::make_tuple("spline", array_of_numbers(s.control), s.coordinates, array_of_numbers(s.knots), s.start,
                        s.end);
}

Trajectory from_state(const py::tuple& t) {
  if (t[0].cast<std::string>() == "waypoints") {
    Waypoints w;
    for (const py::handle item : t[1]) {
      const auto p = item.cast<py::tuple>();
      w.points.push_back({p[0].cast<double>(), p[1].cast<std::vector<double>>(), p[2].cast<std::vector<double>>(),
                          p[3].cast<std::vector<double>>()});
    }
    w.each = t[2].cast<std::vector<graze::Interpolation>>();
    return Trajectory(std::move(w));
  }
  return Trajectory(Spline{numbers_of(t[1], "control points"), t[2].cast<std::size_t>(), numbers_of(t[3], "knots"),
                           t[4].cast<double>(), t[5].cast<double>()});
}

void bind_waypoint(py::module_& m) {
  py::class_<TrajectoryPoint>(m, "TrajectoryPoint",
                              "A waypoint: when, the coordinates, and what is known of their derivatives.")
      .def(py::init(&point_of), py::arg("time"), py::arg("positions"), py::arg("velocities") = py::none(),
           py::arg("accelerations") = py::none())
      .def_readonly("time", &TrajectoryPoint::time)
      .def_property_readonly("positions", [](const TrajectoryPoint& p) { return array_of_numbers(p.positions); })
      .def_property_readonly("velocities", [](const TrajectoryPoint& p) { return none_if_empty(p.velocities); })
      .def_property_readonly("accelerations", [](const TrajectoryPoint& p) { return none_if_empty(p.accelerations); })
      .def("__repr__", [](py::object self) {
        return describe(self, "TrajectoryPoint", {"time", "positions", "velocities", "accelerations"});
      });
}

}  // namespace

Trajectory::Trajectory(std::variant<Waypoints, Spline> from)
    : source(std::move(from)), trajectory(std::visit([](const auto& s) { return made(s); }, source)) {}

void bind_trajectory(py::module_& m) {
  bind_waypoint(m);
  py::class_<Trajectory> c(m, "Trajectory",
                           R"(All coordinates of a Chain or Robot as polynomials of time, segment by segment.

They are exact: the real polynomials with the given numbers. ``Robot.check_trajectory`` asks about all of it, and
``Chain.link_motion`` gives a link's motion during one segment.

>>> import graze
>>> way = graze.Trajectory.through([(0, [0.0]), (1, [0.5]), (3, [0.25])])
>>> way
Trajectory(1 coordinate, 2 segments, from 0.0 to 3.0)
>>> way.state(0, 0.5)
array([0.25])
>>> smooth = graze.Trajectory.spline([[0.0], [0.1], [0.4], [0.5], [0.25]], start=0, end=3)
>>> smooth.state(smooth.segments - 1, 1)
array([0.25])
)");
  c.def_static(
       "through",
       [](const py::iterable& points, const py::object& each) {
         return Trajectory(Waypoints{points_of(points), each_of(each)});
       },
       py::arg("points"), py::kw_only(), py::arg("each") = py::none(),
       R"(Through waypoints: a list of TrajectoryPoint, or of (time, positions), (time, positions, velocities) and so on.

``each`` is what the coordinates do in between: an Interpolation for all, or a list with one for each. By default as ROS
controllers do: quintic where both ends have accelerations, cubic where both have velocities, else linear.)")
      .def_static(
          "spline",
          [](const py::object& control, const py::object& knots, std::optional<double> start,
             std::optional<double> end) { return Trajectory(spline_of(control, knots, start, end)); },
          py::arg("control"), py::arg("knots") = py::none(), py::kw_only(), py::arg("start") = py::none(),
          py::arg("end") = py::none(),
          R"(A cubic B-spline through a row of coordinates for each control point.

``knots``: four more than there are control points; the trajectory is from the fourth to the fourth from the end. Or
``start`` and ``end``: knots evenly between these, such that it starts and ends at the first and the last control point.)")
      .def_property_readonly("coordinates", [](const Trajectory& t) { return t.trajectory.coordinates(); })
      .def_property_readonly("segments", [](const Trajectory& t) { return t.trajectory.segments(); })
      .def(
          "start", [](const Trajectory& t, std::size_t segment) { return t.trajectory.start(segment); },
          py::arg("segment"), "When a segment begins.")
      .def(
          "end", [](const Trajectory& t, std::size_t segment) { return t.trajectory.end(segment); }, py::arg("segment"))
      .def(
          "time",
          [](const Trajectory& t, std::size_t segment, double share) { return t.trajectory.time(segment, share); },
          py::arg("segment"), py::arg("share"), "The time at a share of a segment, from 0 to 1, rounded.")
      .def(
          "state",
          [](const Trajectory& t, std::size_t segment, double share) {
            py::array_t<double> q(static_cast<py::ssize_t>(t.trajectory.coordinates()));
            t.trajectory.state(segment, share, std::span(q.mutable_data(), static_cast<std::size_t>(q.size())));
            return q;
          },
          py::arg("segment"), py::arg("share"), "The coordinates there, rounded.")
      .def("__repr__",
           [](const Trajectory& t) {
             const auto count = [](std::size_t n, const std::string& one) {
               return std::to_string(n) + " " + one + (n == 1 ? "" : "s");
             };
             const std::size_t n = t.trajectory.segments();
             return "Trajectory(" + count(t.trajectory.coordinates(), "coordinate") + ", " + count(n, "segment") +
                    ", from " + std::string(py::repr(py::float_(t.trajectory.start(0)))) + " to " +
                    std::string(py::repr(py::float_(t.trajectory.end(n - 1)))) + ")";
           })
      .def(py::pickle(&state_of, &from_state));
}

}  // namespace graze_python
