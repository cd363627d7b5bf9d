// SPDX-License-Identifier: MIT
#include "world.hpp"

#include <pybind11/stl.h>

#include "chain.hpp"
#include "module.hpp"
#include "results.hpp"

namespace graze_python {

using graze::ArticulatedId;
using graze::BodyId;
using graze::FrameId;
using graze::PairSettings;

std::vector<graze::LinkBody> link_bodies(const graze::Chain& chain, const py::iterable& given);

namespace {

/// Functions of bodies that are gone are given back.
void forget_functions(World& w) {
  const std::vector<BodyId> left = locked(w, [](graze::World& world) { return world.bodies(); });
  const auto gone = [&](const std::optional<BodyId>& id) {
    return id && !std::binary_search(left.begin(), left.end(), *id);
  };
  w.functions.drop([&](const World::Key& key) { return gone(key.first) || gone(key.second); });
}

graze::BodySettings settings(const std::string& name, std::optional<FrameId> frame, bool interest, std::uint32_t group,
                             std::uint32_t mask, bool trigger, double margin) {
  graze::BodySettings s;
  s.name = name, s.frame = frame, s.interest = interest, s.group = group, s.mask = mask, s.trigger = trigger;
  s.margin = margin;
  return s;
}
#define GRAZE_PYTHON_SETTINGS                                                                            \
  py::arg("name") = "", py::arg("frame") = py::none(), py::arg("interest") = true, py::arg("group") = 1, \
  py::arg("mask") = 4294967295U, py::arg("trigger") = false, py::arg("margin") = 0.0

BodyId add_body(World& w, const graze::Body& body, const PoseArg& pose, const std::string& name,
                std::optional<FrameId> frame, bool interest, std::uint32_t group, std::uint32_t mask, bool trigger,
                double margin) {
  const graze::BodySettings s = settings(name, frame, interest, group, mask, trigger, margin);
  return locked(w, [&](graze::World& world) { return world.add(body, pose.pose, s); });
}

ArticulatedId add_chain(World& w, const graze::Chain& chain, const py::iterable& links, const NumbersArg& q,
                        const PoseArg& base, const std::string& name, std::optional<FrameId> frame, bool interest,
                        std::uint32_t group, std::uint32_t mask, bool trigger, double margin) {
  const graze::BodySettings s = settings(name, frame, interest, group, mask, trigger, margin);
  const std::vector<graze::LinkBody> bodies = link_bodies(chain, links);
  return locked(w, [&](graze::World& world) { return world.add(chain, bodies, q.span(), base.pose, s); });
}

void bind_shape_of(py::class_<World>& c) {
  c.def(
       "deform",
       [](World& w, BodyId id, const PointsArg& points) {
         locked(w, [&](graze::World& world) { world.deform(id, points.span()); });
       },
       py::arg("id"), py::arg("positions"), "New positions of all vertices (N x 3); the polygons stay.")
      .def(
          "replace",
          [](World& w, BodyId id, const graze::Body& b) {
            locked(w, [&](graze::World& world) { world.replace(id, b); });
          },
          py::arg("id"), py::arg("body"), "Another body in its place, with its id, pose and settings.")
      .def(
          "break_up",
          [](World& w, BodyId id, const std::vector<graze::Body>& pieces) {
            const auto ids = locked(w, [&](graze::World& world) { return world.break_up(id, pieces); });
            forget_functions(w);
            return ids;
          },
          py::arg("id"), py::arg("pieces"), "The pieces instead of the body, with its pose, frame and settings.");
}

void bind_interest(py::module_& m, py::class_<World>& c) {
  py::class_<PairSettings>(m, "PairSettings", "Settings of one pair of bodies of a World.")
      .def_readonly("interest", &PairSettings::interest)
      .def_readonly("method", &PairSettings::method)
      .def_readonly("tolerance", &PairSettings::tolerance)
      .def("__repr__", [](py::object self) {
        return describe(self, "PairSettings", {"interest", "method", "tolerance"});
      });
  c.def(
       "interest",
       [](World& w, BodyId id, bool wanted) { locked(w, [&](graze::World& world) { world.interest(id, wanted); }); },
       py::arg("id"), py::arg("wanted"), "False: no contacts of this body.")
      .def(
          "interest",
          [](World& w, BodyId a, BodyId b, bool wanted) {
            locked(w, [&](graze::World& world) { world.interest(a, b, wanted); });
          },
          py::arg("a"), py::arg("b"), py::arg("wanted"), "Of two bodies, whatever their own settings are.")
      .def(
          "groups",
          [](World& w, BodyId id, std::uint32_t group, std::uint32_t mask) {
            locked(w, [&](graze::World& world) { world.groups(id, group, mask); });
          },
          py::arg("id"), py::arg("group"), py::arg("mask"),
          "Two bodies are tested only if each one's mask has a bit of the other's group.")
      .def(
          "trigger",
          [](World& w, BodyId id, bool is) { locked(w, [&](graze::World& world) { world.trigger(id, is); }); },
          py::arg("id"), py::arg("is_trigger"), "A trigger causes events, but is never an obstacle.")
      .def(
          "margin", [](World& w, BodyId id, double d) { locked(w, [&](graze::World& world) { world.margin(id, d); }); },
          py::arg("id"), py::arg("distance"), "For checks, the body touches what is at most this far away.")
      .def(
          "set_pair",
          [](World& w, BodyId a, BodyId b, std::optional<bool> interest, const std::string& method,
             std::optional<double> tolerance) {
            PairSettings s;
            s.interest = interest, s.method = method, s.tolerance = tolerance;
            locked(w, [&](graze::World& world) { world.set_pair(a, b, s); });
          },
          py::arg("a"), py::arg("b"), py::kw_only(), py::arg("interest") = py::none(), py::arg("method") = "tree",
          py::arg("tolerance") = py::none(), "Settings of two bodies, instead of those that they had.")
      .def(
          "pair",
          [](World& w, BodyId a, BodyId b) { return locked(w, [&](graze::World& world) { return world.pair(a, b); }); },
          py::arg("a"), py::arg("b"));
}

}  // namespace

void bind_world_bodies(py::module_& m, py::class_<World>& c) {
  c.def("add", &add_body, py::arg("body"), py::arg("pose") = py::none(), py::kw_only(), GRAZE_PYTHON_SETTINGS,
        "Adds a body; with ``frame``, its pose is relative to it.")
      .def("add", &add_chain, py::arg("chain"), py::arg("links"), py::arg("coordinates"), py::arg("base") = py::none(),
           py::kw_only(), GRAZE_PYTHON_SETTINGS,
           "Adds an articulated body: pairs (link, body), placed by the coordinates of the chain's joints.")
      .def(
          "remove",
          [](World& w, BodyId id) {
            locked(w, [&](graze::World& world) { world.remove(id); });
            forget_functions(w);
          },
          py::arg("id"))
      .def(
          "remove",
          [](World& w, ArticulatedId id) {
            locked(w, [&](graze::World& world) { world.remove(id); });
            forget_functions(w);
          },
          py::arg("id"))
      .def(
          "has", [](World& w, BodyId id) { return locked(w, [&](graze::World& world) { return world.has(id); }); },
          py::arg("id"))
      .def("__len__", [](World& w) { return locked(w, [](graze::World& world) { return world.size(); }); })
      .def("bodies", [](World& w) { return locked(w, [](graze::World& world) { return world.bodies(); }); })
      .def(
          "bodies",
          [](World& w, ArticulatedId id) { return locked(w, [&](graze::World& world) { return world.bodies(id); }); },
          py::arg("id"), "Those of an articulated body, in the order of its links.")
      .def(
          "destination",
          [](World& w, BodyId id) { return locked(w, [&](graze::World& world) { return world.destination(id); }); },
          py::arg("id"), "The pose that the next sweep will move the body on to, or None.")
      .def(
          "destination_body",
          [](World& w, BodyId id) {
            return locked(w, [&](graze::World& world) { return world.destination_body(id); });
          },
          py::arg("id"), "The shape that the next sweep will deform the body on to, or None.")
      .def(
          "body", [](World& w, BodyId id) { return locked(w, [&](graze::World& world) { return world.body(id); }); },
          py::arg("id"))
      .def(
          "name", [](World& w, BodyId id) { return locked(w, [&](graze::World& world) { return world.name(id); }); },
          py::arg("id"));
  bind_shape_of(c);
  bind_interest(m, c);
}

}  // namespace graze_python
