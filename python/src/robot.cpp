// SPDX-License-Identifier: MIT
#include "robot.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <graze/robot/urdf.hpp>

#include "module.hpp"

namespace graze_python {

using graze::AllowedPair;
using graze::AttachedBody;
using graze::Obstacle;
using graze::RobotModel;
using graze::RobotPart;
using graze::RobotPiece;

namespace {

/// Those of the SRDF as a dictionary: {name: {child link: values}}.
py::dict states_of(const RobotModel& model) {
  py::dict states;
  for (const graze::RobotState& state : model.states) {
    py::dict values;
    for (const auto& [link, numbers] : state.values) values[py::str(link)] = numbers;
    states[py::make_tuple(state.group, state.name)] = values;
  }
  return states;
}

py::dict groups_of(const RobotModel& model) {
  py::dict groups;
  for (const graze::RobotGroup& group : model.groups) groups[py::str(group.name)] = group.links;
  return groups;
}

RobotModel model_of(const std::vector<graze::Link>& links, const std::vector<RobotPiece>& pieces,
                    const std::vector<AllowedPair>& allowed, const std::string& name) {
  RobotModel model;
  model.name = name, model.links = links, model.pieces = pieces, model.allowed = allowed;
  return model;
}

RobotModel load(const std::filesystem::path& urdf, const std::optional<std::filesystem::path>& srdf,
                const std::map<std::string, std::filesystem::path>& packages) {
#ifdef GRAZE_PYTHON_ROBOT
  const py::gil_scoped_release release;
  return graze::load_robot({urdf, srdf.value_or(std::filesystem::path()), packages});
#else
  (void)urdf, (void)srdf, (void)packages;
  refuse(graze::ErrorCode::unsupported,
         "this module was built without the reader of URDF: build graze with -DGRAZE_WITH_ROBOT=ON, or put the robot "
         "together with graze.RobotModel");
#endif
}

}  // namespace

void bind_robot_model(py::module_& m) {
  py::class_<RobotPiece>(m, "RobotPiece", "A body that is fixed to a link, at a pose in the link's frame.")
      .def(py::init([](const std::string& link, const graze::Body& body, const PoseArg& p, const std::string& name) {
             return RobotPiece{link, body, p.pose, name};
           }),
           py::arg("link"), py::arg("body"), py::arg("pose") = py::none(), py::arg("name") = "")
      .def_readonly("link", &RobotPiece::link)
      .def_readonly("body", &RobotPiece::body)
      .def_readonly("pose", &RobotPiece::pose)
      .def_readonly("name", &RobotPiece::name)
      .def("__repr__", [](py::object self) {
        return describe(self, "RobotPiece", {"link", "body", "pose", "name"});
      });
  py::class_<AllowedPair>(m, "AllowedPair", "Two links that may touch, and why.")
      .def(py::init([](const std::string& a, const std::string& b, const std::string& reason) {
             return AllowedPair{a, b, reason};
           }),
           py::arg("a"), py::arg("b"), py::arg("reason") = "caller")
      .def_readonly("a", &AllowedPair::a)
      .def_readonly("b", &AllowedPair::b)
      .def_readonly("reason", &AllowedPair::reason)
      .def("__repr__", [](py::object self) {
        return describe(self, "AllowedPair", {"a", "b", "reason"});
      });
  py::class_<RobotModel>(m, "RobotModel", R"(A robot as data: links, bodies, and which links may touch.

``load_robot`` reads one from URDF and SRDF.)")
      .def(py::init(&model_of), py::arg("links"), py::arg("pieces") = py::list(), py::kw_only(),
           py::arg("allowed") = py::list(), py::arg("name") = "")
      .def_readonly("name", &RobotModel::name)
      .def_readonly("links", &RobotModel::links)
      .def_readonly("pieces", &RobotModel::pieces)
      .def_readonly("allowed", &RobotModel::allowed)
      .def_property_readonly("groups", &groups_of, "{name: names of child links}")
      .def_property_readonly("states", &states_of, "{(group, name): {child link: coordinates}}")
      .def_readonly("passive", &RobotModel::passive)
      .def("__repr__", [](const RobotModel& model) {
        return "RobotModel('" + model.name + "', " + std::to_string(model.links.size()) + " links, " +
               std::to_string(model.pieces.size()) + " bodies)";
      });
  m.def("load_robot", &load, py::arg("urdf"), py::arg("srdf") = py::none(), py::kw_only(),
        py::arg("packages") = py::dict(),
        R"(Reads a robot from a URDF file and, if given, an SRDF file: a RobotModel.

``packages`` maps names to folders, for addresses such as package://NAME/mesh.stl. Raises graze.Error with file, line and
element; with the code ``unsupported`` if the module was built without this reader.)");
  py::class_<Obstacle>(m, "Obstacle", "A body at rest around a robot; the links of ``may_touch`` may touch it.")
      .def(py::init([](const graze::Body& body, const PoseArg& p, const std::string& name,
                       const std::vector<std::string>& may_touch, double radius) {
             return Obstacle{body, p.pose, name, may_touch, radius};
           }),
           py::arg("body"), py::arg("pose") = py::none(), py::arg("name") = "", py::kw_only(),
           py::arg("may_touch") = py::list(), py::arg("radius") = 0.0)
      .def_readonly("body", &Obstacle::body)
      .def_readonly("pose", &Obstacle::pose)
      .def_readonly("name", &Obstacle::name)
      .def_readonly("may_touch", &Obstacle::may_touch)
      .def_readonly("radius", &Obstacle::radius, "All points within it belong to the obstacle, too")
      .def("__repr__", [](py::object self) {
        return describe(self, "Obstacle", {"body", "pose", "name", "may_touch", "radius"});
      });
  py::class_<AttachedBody>(m, "AttachedBody", "A body that a robot holds.")
      .def_readonly("name", &AttachedBody::name)
      .def_readonly("link", &AttachedBody::link)
      .def_readonly("body", &AttachedBody::body)
      .def_readonly("pose", &AttachedBody::pose)
      .def_readonly("may_touch", &AttachedBody::may_touch)
      .def("__repr__", [](py::object self) {
        return describe(self, "AttachedBody", {"name", "link", "body", "pose", "may_touch"});
      });
  py::class_<RobotPart>(m, "RobotPart",
                        "What takes part in a robot's answers: a piece of a link, an attached body or an obstacle.")
      .def_readonly("name", &RobotPart::name)
      .def_property_readonly(
          "link", [](const RobotPart& p) { return number(p.link); }, "None: an obstacle")
      .def_readonly("piece", &RobotPart::piece)
      .def("__repr__", [](py::object self) {
        return describe(self, "RobotPart", {"name", "link", "piece"});
      });
}

}  // namespace graze_python
