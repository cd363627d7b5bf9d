// SPDX-License-Identifier: MIT
// A robot in bytes, so that other processes can be asked about it.
#include <pybind11/stl.h>

#include "module.hpp"
#include "robot.hpp"

namespace graze_python {
namespace {

using graze::Joint;
using graze::JointLimits;
using graze::Link;
using graze::Mimic;
using graze::RobotModel;

py::tuple state_of(const Link& link) {
  const Joint& j = link.joint;
  using Limits = std::optional<std::pair<double, double>>;
  using Follows = std::optional<std::tuple<std::string, double, double>>;
  return py::make_tuple(link.name, link.parent, j.type, j.origin, array_of(j.axis), j.pitch, j.name,
                        j.limits ? Limits({j.limits->lower, j.limits->upper}) : Limits(),
                        j.mimic ? Follows({j.mimic->link, j.mimic->factor, j.mimic->offset}) : Follows());
}

Link link_from(const py::tuple& t) {
  Joint j{t[2].cast<graze::JointType>(), t[3].cast<graze::Pose>(), vec3(t[4], "an axis"), t[5].cast<double>(),
          t[6].cast<std::string>()};
  if (!t[7].is_none()) {
    const auto limits = t[7].cast<std::pair<double, double>>();
    j.limits = JointLimits{limits.first, limits.second};
  }
  if (!t[8].is_none()) {
    const auto [link, factor, offset] = t[8].cast<std::tuple<std::string, double, double>>();
    j.mimic = Mimic{link, factor, offset};
  }
  return {t[0].cast<std::string>(), t[1].cast<std::string>(), j};
}

py::tuple state_of(const RobotModel& model) {
  py::list links, pieces, allowed, groups, states;
  for (const Link& link : model.links) links.append(state_of(link));
  for (const auto& p : model.pieces) pieces.append(py::make_tuple(p.link, p.body, p.pose, p.name));
  for (const auto& p : model.allowed) allowed.append(py::make_tuple(p.a, p.b, p.reason));
  for (const auto& g : model.groups) groups.append(py::make_tuple(g.name, g.links));
  for (const auto& s : model.states) states.append(py::make_tuple(s.name, s.group, s.values));
  return py::make_tuple(model.name, links, pieces, allowed, groups, states, model.passive);
}

RobotModel model_from(const py::tuple& t) {
  RobotModel model;
  model.name = t[0].cast<std::string>();
  for (const py::handle link : t[1]) model.links.push_back(link_from(link.cast<py::tuple>()));
  for (const py::handle item : t[2]) {
    const auto p = item.cast<py::tuple>();
    model.pieces.push_back(
        {p[0].cast<std::string>(), p[1].cast<graze::Body>(), p[2].cast<graze::Pose>(), p[3].cast<std::string>()});
  }
  for (const py::handle item : t[3]) {
    const auto [a, b, reason] = item.cast<std::tuple<std::string, std::string, std::string>>();
    model.allowed.push_back({a, b, reason});
  }
  for (const py::handle item : t[4]) {
    const auto [name, links] = item.cast<std::pair<std::string, std::vector<std::string>>>();
    model.groups.push_back({name, links});
  }
  for (const py::handle item : t[5]) {
    const auto s = item.cast<py::tuple>();
    model.states.push_back({s[0].cast<std::string>(), s[1].cast<std::string>(),
                            s[2].cast<std::vector<std::pair<std::string, std::vector<double>>>>()});
  }
  model.passive = t[6].cast<std::vector<std::string>>();
  return model;
}

py::tuple obstacle_state(const graze::Obstacle& o) {
  return py::make_tuple(o.body, o.pose, o.name, o.may_touch, o.radius);
}

py::tuple robot_state(Robot& r) {
  const py::gil_scoped_release release;
  const std::shared_lock lock(r.mutex);
  const py::gil_scoped_acquire acquire;
  const RobotChanges& made = r.made;
  if (!made.obstacles)
    throw py::type_error("the robot's surroundings are those of a World, which cannot be pickled; give them as a list");
  py::list obstacles, attached;
  for (const graze::Obstacle& o : *made.obstacles) obstacles.append(obstacle_state(o));
  for (const graze::AttachedBody& b : r.robot.attached())
    attached.append(py::make_tuple(b.name, b.link, b.body, b.pose, b.may_touch));
  return py::make_tuple(state_of(r.robot.model()), r.options.base, r.options.adjacent_may_touch, made.allowed,
                        made.padding, made.padding_of, attached, obstacles);
}

std::unique_ptr<Robot> robot_from(const py::tuple& t) {
  auto r = std::make_unique<Robot>(model_from(t[0].cast<py::tuple>()),
                                   graze::RobotOptions{t[1].cast<graze::Pose>(), t[2].cast<std::optional<bool>>()});
  RobotChanges& made = r->made;
  made.allowed = t[3].cast<decltype(made.allowed)>();
  for (const auto& [pair, why] : made.allowed) {
    if (why)
      r->robot.allow(pair.first, pair.second, *why);
    else
      r->robot.forbid(pair.first, pair.second);
  }
  made.padding = t[4].cast<std::optional<double>>();
  if (made.padding) r->robot.padding(*made.padding);
  made.padding_of = t[5].cast<decltype(made.padding_of)>();
  for (const auto& [link, distance] : made.padding_of) r->robot.padding(link, distance);
  for (const py::handle item : t[6]) {
    const auto b = item.cast<py::tuple>();
    r->robot.attach({b[0].cast<std::string>(), b[1].cast<std::string>(), b[2].cast<graze::Body>(),
                     b[3].cast<graze::Pose>(), b[4].cast<std::vector<std::string>>()});
  }
  for (const py::handle item : t[7]) {
    const auto o = item.cast<py::tuple>();
    made.obstacles->push_back({o[0].cast<graze::Body>(), o[1].cast<graze::Pose>(), o[2].cast<std::string>(),
                               o[3].cast<std::vector<std::string>>(), o[4].cast<double>()});
  }
  r->robot.surroundings(*made.obstacles);
  return r;
}

/// The class of a type that is bound elsewhere.
template <class T>
py::class_<T> class_of() {
  return py::reinterpret_borrow<py::class_<T>>(py::type::of<T>());
}

}  // namespace

void bind_robot_pickle(py::class_<Robot>& c) {
  c.def(py::pickle(&robot_state, &robot_from));
  class_of<Link>().def(py::pickle([](const Link& link) { return state_of(link); }, &link_from));
  class_of<RobotModel>().def(py::pickle([](const RobotModel& model) { return state_of(model); }, &model_from));
}

}  // namespace graze_python
