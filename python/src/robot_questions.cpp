// SPDX-License-Identifier: MIT
#include "robot.hpp"

#include <pybind11/stl.h>

#include "module.hpp"
#include "results.hpp"

namespace graze_python {

using graze::PairProof;
using graze::RobotClearance;
using graze::RobotDistanceResult;
using graze::RobotFreeResult;
using graze::RobotMotionResult;
using graze::StateResult;

namespace {

void bind_results(py::module_& m) {
  bind_result<StateResult>(m, "StateResult", "The answer of ``Robot.check``.",
                           {"status", "pair", "beyond_limits", "asked"})
      .def_readonly("status", &StateResult::status)
      .def_property_readonly(
          "pair", [](const StateResult& r) { return pair_of(r.pair); }, "Two numbers for ``Robot.part``, or None")
      .def_property_readonly(
          "beyond_limits", [](const StateResult& r) { return number(r.beyond_limits); },
          "A link whose joint is outside of its limits, or None")
      .def_readonly("asked", &StateResult::asked);
  bind_result<RobotDistanceResult>(m, "RobotDistanceResult", "The answer of ``Robot.distance``.",
                                   {"status", "distance", "lower", "pair", "points"})
      .def_readonly("status", &RobotDistanceResult::status)
      .def_readonly("distance", &RobotDistanceResult::distance)
      .def_readonly("lower", &RobotDistanceResult::lower, "Certified: the exact distance is at least this")
      .def_property_readonly("pair", [](const RobotDistanceResult& r) { return pair_of(r.pair); })
      .def_property_readonly("points", [](const RobotDistanceResult& r) { return array_of(r.points); })
      .def_property_readonly(
          "normal", [](const RobotDistanceResult& r) { return optional_array(r.normal); },
          "Unit, from the first to the second; None in contact");
  bind_result<RobotFreeResult>(m, "RobotFreeResult", "The answer of ``Robot.motion_free``.",
                               {"status", "asked", "searches"})
      .def_readonly("status", &RobotFreeResult::status)
      .def_readonly("asked", &RobotFreeResult::asked)
      .def_readonly("searches", &RobotFreeResult::searches);
  py::class_<PairProof>(m, "PairProof", "The certificate of one pair of parts.")
      .def_property_readonly("pair", [](const PairProof& p) { return py::make_tuple(p.pair.a, p.pair.b); })
      .def_readonly("status", &PairProof::status)
      .def_property_readonly("certificate", [](const PairProof& p) { return optional_value(p.certificate); })
      .def_readonly("segment", &PairProof::segment)
      .def("__repr__", [](py::object self) {
        return describe(self, "PairProof", {"pair", "status", "segment", "certificate"});
      });
  py::class_<RobotClearance>(m, "RobotClearance", R"(The least distance of any pair over a whole path.

No pair is ever nearer than ``lower``, and ``pair`` is ``upper`` apart at ``time`` of ``segment``.)")
      .def_readonly("lower", &RobotClearance::lower)
      .def_readonly("upper", &RobotClearance::upper)
      .def_property_readonly("pair", [](const RobotClearance& c) { return py::make_tuple(c.pair.a, c.pair.b); })
      .def_readonly("segment", &RobotClearance::segment)
      .def_readonly("time", &RobotClearance::time, "Within the segment, from 0 to 1")
      .def_property_readonly("points", [](const RobotClearance& c) { return array_of(c.points); })
      .def("__repr__", [](py::object self) {
        return describe(self, "RobotClearance", {"lower", "upper", "pair", "segment", "time"});
      });
  bind_result<RobotMotionResult>(m, "RobotMotionResult", "The answer of ``Robot.check_motion`` and ``check_path``.",
                                 {"status", "segment", "pair", "safe", "clearance", "pairs"})
      .def_readonly("status", &RobotMotionResult::status)
      .def_readonly("segment", &RobotMotionResult::segment)
      .def_property_readonly("pair", [](const RobotMotionResult& r) { return pair_of(r.pair); })
      .def_readonly("contact", &RobotMotionResult::contact)
      .def_readonly("safe", &RobotMotionResult::safe, "Certified free before this time")
      .def_property_readonly("clearance", [](const RobotMotionResult& r) { return optional_value(r.clearance); })
      .def_readonly("proofs", &RobotMotionResult::proofs)
      .def_readonly("pairs", &RobotMotionResult::pairs)
      .def_readonly("seconds", &RobotMotionResult::seconds);
}

}  // namespace

graze::RobotMotionOptions motion_options(bool first, const std::string& method, std::optional<double> tolerance,
                                         double min_separation, bool ignore_start_if_separating, bool certificates,
                                         std::optional<double> clearance, int threads, std::uint64_t work,
                                         const py::object& budget, const py::object& cancel_token) {
  graze::RobotMotionOptions o;
  o.first = first, o.certificates = certificates, o.clearance = clearance, o.threads = threads;
  o.pair.method = method, o.pair.tolerance = tolerance, o.pair.min_separation = min_separation, o.pair.work = work;
  o.pair.ignore_start_if_separating = ignore_start_if_separating;
  o.budget = seconds(budget), o.cancel = cancel(cancel_token);
  return o;
}

namespace {

template <class Result>
Result answered(Result result) {
  raise_if_refused(result);
  return result;
}

graze::StateOptions state_options(bool witness, const py::object& budget, const py::object& cancel_token) {
  graze::StateOptions o;
  o.witness = witness, o.budget = seconds(budget), o.cancel = cancel(cancel_token);
  return o;
}

}  // namespace

void bind_robot_questions(py::module_& m, py::class_<Robot>& c) {
  bind_results(m);
  c.def(
       "check",
       [](Robot& r, const NumbersArg& q, bool witness, const py::object& budget, const py::object& cancel) {
         const graze::StateOptions o = state_options(witness, budget, cancel);
         return answered(asked(r, [&](const graze::Robot& robot) { return robot.check(q.span(), o); }));
       },
       py::arg("q"), py::kw_only(), py::arg("witness") = true, py::arg("budget") = py::none(),
       py::arg("cancel") = py::none(), "Does the robot touch itself or its surroundings in this state?")
      .def(
          "distance",
          [](Robot& r, const NumbersArg& q, const py::object& budget, const py::object& cancel) {
            const graze::StateOptions o = state_options(true, budget, cancel);
            return answered(asked(r, [&](const graze::Robot& robot) { return robot.distance(q.span(), o); }));
          },
          py::arg("q"), py::kw_only(), py::arg("budget") = py::none(), py::arg("cancel") = py::none(),
          "The least distance of any two parts that may not touch.")
      .def(
          "distance_gradient",
          [](Robot& r, const NumbersArg& q, const RobotDistanceResult& at) -> py::object {
            std::vector<double> gradient(r.robot.coordinates());
            const bool found =
                asked(r, [&](const graze::Robot& robot) { return robot.distance_gradient(q.span(), at, gradient); });
            if (!found) return py::none();
            return py::array_t<double>(static_cast<py::ssize_t>(gradient.size()), gradient.data());
          },
          py::arg("q"), py::arg("at"),
          "How the distance changes with each coordinate; ``at`` is the answer of ``distance`` for q. None in contact.")
      .def(
          "check_motion",
          [](Robot& r, const NumbersArg& from, const NumbersArg& to, bool first, const std::string& method,
             std::optional<double> tolerance, double min_separation, bool ignore_start_if_separating, bool certificates,
             int threads, std::uint64_t work, const py::object& budget, const py::object& cancel) {
            const auto o = motion_options(first, method, tolerance, min_separation, ignore_start_if_separating,
                                          certificates, std::nullopt, threads, work, budget, cancel);
            return answered(
                asked(r, [&](const graze::Robot& robot) { return robot.check_motion(from.span(), to.span(), o); }));
          },
          py::arg("start"), py::arg("end"), py::kw_only(), GRAZE_PYTHON_ROBOT_WAY, py::arg("threads") = 1,
          GRAZE_PYTHON_LIMITS,
          "When does anything first touch while all coordinates change evenly? ``first=False``: any contact is enough.")
      .def(
          "check_path",
          [](Robot& r, const py::object& waypoints, bool first, const std::string& method,
             std::optional<double> tolerance, double min_separation, bool ignore_start_if_separating, bool certificates,
             std::optional<double> clearance, int threads, std::uint64_t work, const py::object& budget,
             const py::object& cancel) {
            const States s = states(r, waypoints, "waypoints");
            const auto o = motion_options(first, method, tolerance, min_separation, ignore_start_if_separating,
                                          certificates, clearance, threads, work, budget, cancel);
            return answered(asked(r, [&](const graze::Robot& robot) { return robot.check_path(s.span(), o); }));
          },
          py::arg("waypoints"), py::kw_only(), GRAZE_PYTHON_ROBOT_WAY, py::arg("clearance") = py::none(),
          py::arg("threads") = 1, GRAZE_PYTHON_LIMITS,
          R"(The same through N waypoints; ends at the first segment with a contact.

``clearance``: of a path that is free also the least distance of any pair, and where, to within this.)")
      .def(
          "motion_free",
          [](Robot& r, const NumbersArg& from, const NumbersArg& to, double min_separation,
             std::optional<double> tolerance, const py::object& budget, const py::object& cancel_token) {
            graze::RobotFreeOptions o;
            o.min_separation = min_separation, o.tolerance = tolerance;
            o.budget = seconds(budget), o.cancel = cancel(cancel_token);
            return answered(
                asked(r, [&](const graze::Robot& robot) { return robot.motion_free(from.span(), to.span(), o); }));
          },
          py::arg("start"), py::arg("end"), py::kw_only(), py::arg("min_separation") = 0.0,
          py::arg("tolerance") = py::none(), py::arg("budget") = py::none(), py::arg("cancel") = py::none(),
          "Is the motion free, yes or no: what planners ask of an edge. Certified between the states, too.");
}

void bind_robot(py::module_& m) {
  bind_robot_model(m);
  py::class_<Robot> c(m, "Robot", R"(A robot among obstacles: does it touch itself or them, in a state or on the way?

Answers hold for the exact joint coordinates. Threads may share a robot; a change waits for the questions of others.

>>> import graze
>>> turn = graze.Joint("revolute", axis=[0, 0, 1])
>>> box = graze.Body(graze.shape.Box([0.5, 0.1, 0.1]))
>>> robot = graze.Robot(graze.RobotModel([graze.Link("arm", joint=turn)], [graze.RobotPiece("arm", box, [1, 0, 0, 1, 0, 0, 0])]))
>>> robot.surroundings([(graze.Body(graze.shape.Sphere(0.1)), graze.Pose([0, 1, 0]), "ball")])
>>> robot.check([0.0]).status
Status.free
>>> robot.motion_free([0.0], [1.0]).status, robot.motion_free([0.0], [3.0]).status
(Status.free, Status.contact)
>>> way = robot.check_motion([0.0], [3.0])
>>> [robot.part(number).name for number in way.pair]
['arm', 'ball']
)");
  c.def(py::init([](const graze::RobotModel& model, const PoseArg& base, std::optional<bool> adjacent_may_touch) {
          const py::gil_scoped_release release;
          return std::make_unique<Robot>(model, graze::RobotOptions{base.pose, adjacent_may_touch});
        }),
        py::arg("model"), py::kw_only(), py::arg("base") = py::none(), py::arg("adjacent_may_touch") = py::none())
      .def_property_readonly("model",
                             [](Robot& r) { return asked(r, [](const graze::Robot& robot) { return robot.model(); }); })
      .def_property_readonly("chain", [](const Robot& r) { return r.robot.chain(); })
      .def_property_readonly("coordinates", [](const Robot& r) { return r.robot.coordinates(); })
      .def(
          "named_state",
          [](Robot& r, const std::string& name, const py::object& on) {
            std::vector<double> q(r.robot.coordinates());
            if (!on.is_none()) {
              const States s = states(r, on, "coordinates");
              if (s.rows != 1) refuse(graze::ErrorCode::bad_option, "coordinates of one state are needed");
              q.assign(s.span().begin(), s.span().end());
            }
            asked(r, [&](const graze::Robot& robot) { robot.set_named_state(name, q); });
            return py::array_t<double>(static_cast<py::ssize_t>(q.size()), q.data());
          },
          py::arg("name"), py::arg("q") = py::none(),
          "The coordinates of a state of the SRDF; joints that it does not name keep those of q, or 0.")
      .def("parts", [](Robot& r) { return asked(r, [](const graze::Robot& robot) { return robot.parts(); }); })
      .def(
          "part",
          [](Robot& r, std::uint32_t number) {
            return asked(r, [&](const graze::Robot& robot) { return robot.part(number); });
          },
          py::arg("number"), "Pieces as in the model, then attached bodies, then obstacles.")
      .def(
          "pairs", [](Robot& r) { return asked(r, [](const graze::Robot& robot) { return robot.pairs(); }); },
          "How many pairs of parts are asked.")
      .def("__repr__", [](const Robot& r) {
        return "Robot('" + r.robot.model().name + "', " + std::to_string(r.robot.coordinates()) + " coordinates)";
      });
  bind_robot_changes(c);
  bind_robot_questions(m, c);
  bind_robot_many(c);
  bind_robot_trajectory(m, c);
  bind_robot_pickle(c);
}

}  // namespace graze_python
