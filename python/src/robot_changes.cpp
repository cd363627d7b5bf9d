// SPDX-License-Identifier: MIT
#include "robot.hpp"

#include <pybind11/stl.h>

#include <algorithm>

#include "module.hpp"
#include "world.hpp"

namespace graze_python {

States states(const Robot& r, py::handle values, const char* what) {
  States s{doubles(values, what)};
  const std::size_t coordinates = r.robot.coordinates();
  const bool one = s.array.ndim() == 1;
  if (s.array.ndim() < 1 || s.array.ndim() > 2 ||
      static_cast<std::size_t>(s.array.shape(s.array.ndim() - 1)) != coordinates)
    refuse(graze::ErrorCode::bad_option, std::string(what) + " have " + std::to_string(coordinates) +
                                             " coordinates each: N x " + std::to_string(coordinates) + " numbers");
  s.rows = one ? 1 : static_cast<std::size_t>(s.array.shape(0));
  return s;
}

namespace {

std::pair<std::string, std::string> key_of(const std::string& a, const std::string& b) {
  return {std::min(a, b), std::max(a, b)};
}

std::vector<graze::Obstacle> obstacles(const py::object& given) {
  std::vector<graze::Obstacle> list;
  for (const py::handle item : given) {
    if (py::isinstance<graze::Obstacle>(item)) {
      list.push_back(item.cast<graze::Obstacle>());
    } else if (py::isinstance<graze::Body>(item)) {
      list.push_back({item.cast<graze::Body>()});
    } else {  // body, pose, name
      const auto tuple = py::cast<py::tuple>(item);
      if (tuple.size() < 1 || tuple.size() > 3 || !py::isinstance<graze::Body>(tuple[0]))
        throw py::type_error("an obstacle is a graze.Obstacle, a Body, (body, pose) or (body, pose, name)");
      list.push_back({tuple[0].cast<graze::Body>(), tuple.size() > 1 ? pose(tuple[1]) : graze::Pose(),
                      tuple.size() > 2 ? tuple[2].cast<std::string>() : std::string()});
    }
  }
  return list;
}

void surroundings(Robot& r, const py::object& given) {
  if (!py::isinstance<World>(given)) {
    changed(r, [&r, list = obstacles(given)](graze::Robot& robot) mutable {
      robot.surroundings(list);
      r.made.obstacles = std::move(list);
    });
    return;
  }
  // The world's lock first, as a callback of a world has it that asks a robot.
  locked(given.cast<World&>(), [&](graze::World& world) {
    const std::unique_lock lock(r.mutex);
    ++r.changes;
    r.robot.surroundings(world);
    r.made.obstacles.reset();
  });
}

}  // namespace

void bind_robot_changes(py::class_<Robot>& c) {
  c.def(
       "allow",
       [](Robot& r, const std::string& a, const std::string& b, const std::string& reason) {
         changed(r, [&](graze::Robot& robot) {
           robot.allow(a, b, reason);
           r.made.allowed[key_of(a, b)] = reason;
         });
       },
       py::arg("a"), py::arg("b"), py::arg("reason") = "caller", "The two links may touch.")
      .def(
          "forbid",
          [](Robot& r, const std::string& a, const std::string& b) {
            changed(r, [&](graze::Robot& robot) {
              robot.forbid(a, b);
              r.made.allowed[key_of(a, b)] = std::nullopt;
            });
          },
          py::arg("a"), py::arg("b"), "The two links may not touch.")
      .def(
          "allowed",
          [](Robot& r, const std::string& a, const std::string& b) {
            return asked(r, [&](const graze::Robot& robot) { return robot.allowed(a, b); });
          },
          py::arg("a"), py::arg("b"), "Why the two links may touch; None: they may not.")
      .def(
          "allow_touching",
          [](Robot& r, const py::object& given) {
            const States s = states(r, given, "states");
            return changed(r, [&](graze::Robot& robot) {
              auto pairs = robot.allow_touching(s.span());
              for (const graze::AllowedPair& pair : pairs) r.made.allowed[key_of(pair.a, pair.b)] = pair.reason;
              return pairs;
            });
          },
          py::arg("states"), "Allows, and returns, all pairs that touch in every one of these states. A guess.")
      .def(
          "padding",
          [](Robot& r, double distance, const std::optional<std::string>& link) {
            changed(r, [&](graze::Robot& robot) {
              if (link) {
                robot.padding(*link, distance);
                r.made.padding_of[*link] = distance;
              } else {
                robot.padding(distance);
                r.made.padding = distance;
                r.made.padding_of.clear();
              }
            });
          },
          py::arg("distance"), py::arg("link") = py::none(),
          "A distance that obstacles must keep from the link, or from all links.")
      .def(
          "attach",
          [](Robot& r, const std::string& name, const std::string& link, const graze::Body& body, const PoseArg& p,
             const std::vector<std::string>& may_touch) {
            changed(r, [&](graze::Robot& robot) { robot.attach({name, link, body, p.pose, may_touch}); });
          },
          py::arg("name"), py::arg("link"), py::arg("body"), py::arg("pose") = py::none(), py::kw_only(),
          py::arg("may_touch") = py::list(), "The robot holds this body, at a pose in the link's frame.")
      .def(
          "detach",
          [](Robot& r, const std::string& name) {
            return changed(r, [&](graze::Robot& robot) { return robot.detach(name); });
          },
          py::arg("name"), "False: there is none of that name.")
      .def_property_readonly(
          "attached", [](Robot& r) { return asked(r, [](const graze::Robot& robot) { return robot.attached(); }); })
      .def(
          "surroundings", &surroundings, py::arg("obstacles"),
          "What is around the robot: a list of graze.Obstacle, bodies, (body, pose) or (body, pose, name); or a World, "
          "with its bodies where they are now.");
}

}  // namespace graze_python
