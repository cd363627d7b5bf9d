// SPDX-License-Identifier: MIT
#include <graze/world/world.hpp>

#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <memory>
#include <mutex>

#include "module.hpp"
#include "results.hpp"
#include "world_enums.hpp"

namespace graze_python {

using graze::BodyId;
using graze::CheckResult;
using graze::WorldEvent;

namespace {

/// A world is used by one thread at a time: others wait, without holding the interpreter. Callbacks may call it again.
struct World {
  graze::World world;
  std::recursive_mutex mutex;
  explicit World(const graze::WorldOptions& options) : world(options) {}
};

template <class Call>
auto locked(World& w, Call&& call) {
  const py::gil_scoped_release release;
  const std::lock_guard lock(w.mutex);
  return call(w.world);
}

/// The function that the engine calls: it holds the interpreter, and what it raises ends the check.
graze::ContactCallback callback(const py::object& function) {
  if (function.is_none()) return {};
  // Given back with the interpreter held, whichever thread drops the last copy.
  const std::shared_ptr<py::object> shared(new py::object(function), [](py::object* held) {
    const py::gil_scoped_acquire acquire;
    delete held;
  });
  return [shared](const WorldEvent& event) {
    const py::gil_scoped_acquire acquire;
    (*shared)(event);
  };
}

std::string text_of(const BodyId& id) {
  return "BodyId(" + std::to_string(id.slot) + ", " + std::to_string(id.generation) + ")";
}

void bind_events(py::module_& m) {
  py::class_<BodyId>(m, "BodyId", "A body of a World; never used again for another one.")
      .def_readonly("slot", &BodyId::slot)
      .def_readonly("generation", &BodyId::generation)
      .def(
          "__eq__", [](const BodyId& a, const BodyId& b) { return a == b; }, py::is_operator())
      .def(
          "__lt__", [](const BodyId& a, const BodyId& b) { return a < b; }, py::is_operator())
      .def("__hash__", [](const BodyId& id) { return py::hash(py::make_tuple(id.slot, id.generation)); })
      .def("__repr__", &text_of);
  py::class_<WorldEvent>(m, "WorldEvent", "A contact that began, stays or ended, with the poses for which that holds.")
      .def_readonly("kind", &WorldEvent::kind)
      .def_readonly("a", &WorldEvent::a)
      .def_readonly("b", &WorldEvent::b)
      .def_readonly("frame", &WorldEvent::frame)
      .def_readonly("pose_a", &WorldEvent::pose_a)
      .def_readonly("pose_b", &WorldEvent::pose_b)
      .def_readonly("trigger", &WorldEvent::trigger)
      .def_readonly("gap", &WorldEvent::gap)
      .def_property_readonly("contact", [](const WorldEvent& e) { return optional_value(e.contact); })
      .def_readonly("contained", &WorldEvent::contained)
      .def_property_readonly(
          "pair", [](const WorldEvent& e) -> py::object { return e.pair ? py::object(pair_of(*e.pair)) : py::none(); })
      .def_readonly("features", &WorldEvent::features)
      .def_property_readonly("points", [](const WorldEvent& e) { return optional_array(e.points); })
      .def_property_readonly("normal", [](const WorldEvent& e) { return optional_array(e.normal); })
      .def_readonly("certain", &WorldEvent::certain)
      .def_property_readonly("pieces", [](const WorldEvent& e) { return pieces_of(e.pieces); })
      .def("__repr__", [](py::object self) {
        return describe(self, "WorldEvent", {"kind", "a", "b", "contact", "points"});
      });
  py::class_<CheckResult>(m, "CheckResult", "What a check found: iterate over it for its events.")
      .def_readonly("frame", &CheckResult::frame)
      .def_readonly("events", &CheckResult::events)
      .def_readonly("asked", &CheckResult::asked)
      .def_property_readonly(
          "undecided",
          [](const CheckResult& r) {
            py::list list;
            for (const graze::UndecidedPair& pair : r.undecided) list.append(py::make_tuple(pair.a, pair.b));
            return list;
          },
          "Pairs that may touch, but that a limit left open")
      .def_readonly("seconds", &CheckResult::seconds)
      .def("__iter__", [](const py::object& self) { return py::iter(self.attr("events")); })
      .def("__len__", [](const CheckResult& r) { return r.events.size(); })
      .def("__bool__", [](const CheckResult&) -> bool { no_truth_value("CheckResult"); })
      .def("__repr__", [](py::object self) {
        return describe(self, "CheckResult", {"frame", "events", "undecided"});
      });
}

BodyId add(World& w, const graze::Body& body, const PoseArg& pose, const std::string& name, bool interest,
           std::uint32_t group, std::uint32_t mask, bool trigger, double margin) {
  graze::BodySettings s;
  s.name = name, s.interest = interest, s.group = group, s.mask = mask, s.trigger = trigger, s.margin = margin;
  return locked(w, [&](graze::World& world) { return world.add(body, pose.pose, s); });
}

CheckResult check(World& w, std::uint64_t work, const py::object& budget, const py::object& cancel) {
  graze::CheckOptions o;
  set_limits(o, work, budget, cancel);
  return locked(w, [&](graze::World& world) { return world.check(o); });
}

}  // namespace

void bind_world(py::module_& m) {
  bind_events(m);
  py::class_<World>(m, "World", R"(Many bodies: report what moved, and learn which contacts began, stay and ended.

Threads may share a world: they wait for each other. Callbacks run in the thread that checks; one that raises ends the
check with its exception, and the remaining events are delivered by the next one.

>>> import graze
>>> world = graze.World()
>>> box = graze.Body(graze.make.box())
>>> a, b = world.add(box, name="a"), world.add(box, graze.Pose([3, 0, 0]), name="b")
>>> len(world.check())
0
>>> world.move(b, graze.Pose([0.5, 0, 0]))
>>> for event in world.check():
...     print(event.kind, world.name(event.a), world.name(event.b))
began a b
)")
      .def(py::init([](const std::string& broad, int threads, bool solid) {
             graze::WorldOptions o;
             o.broad = broad, o.threads = threads, o.solid = solid;
             return std::make_unique<World>(o);
           }),
           py::kw_only(), py::arg("broad") = "automatic", py::arg("threads") = 1, py::arg("solid") = false)
      .def("add", &add, py::arg("body"), py::arg("pose") = py::none(), py::kw_only(), py::arg("name") = "",
           py::arg("interest") = true, py::arg("group") = 1, py::arg("mask") = 4294967295U, py::arg("trigger") = false,
           py::arg("margin") = 0.0)
      .def(
          "remove", [](World& w, BodyId id) { locked(w, [&](graze::World& world) { world.remove(id); }); },
          py::arg("id"))
      .def(
          "has", [](World& w, BodyId id) { return locked(w, [&](graze::World& world) { return world.has(id); }); },
          py::arg("id"))
      .def("__len__", [](World& w) { return locked(w, [](graze::World& world) { return world.size(); }); })
      .def("bodies", [](World& w) { return locked(w, [](graze::World& world) { return world.bodies(); }); })
      .def(
          "move",
          [](World& w, BodyId id, const PoseArg& p) {
            locked(w, [&](graze::World& world) { world.move(id, p.pose); });
          },
          py::arg("id"), py::arg("pose"))
      .def(
          "teleport",
          [](World& w, BodyId id, const PoseArg& p) {
            locked(w, [&](graze::World& world) { world.teleport(id, p.pose); });
          },
          py::arg("id"), py::arg("pose"))
      .def(
          "pose", [](World& w, BodyId id) { return locked(w, [&](graze::World& world) { return world.pose(id); }); },
          py::arg("id"))
      .def(
          "body", [](World& w, BodyId id) { return locked(w, [&](graze::World& world) { return world.body(id); }); },
          py::arg("id"))
      .def(
          "name", [](World& w, BodyId id) { return locked(w, [&](graze::World& world) { return world.name(id); }); },
          py::arg("id"))
      .def(
          "deform",
          [](World& w, BodyId id, const py::object& values) {
            const auto array = rows_of_doubles(values, 3, "positions");
            const std::span points(reinterpret_cast<const graze::Vec3*>(array.data()),
                                   static_cast<std::size_t>(array.shape(0)));
            locked(w, [&](graze::World& world) { world.deform(id, points); });
          },
          py::arg("id"), py::arg("positions"))
      .def(
          "replace",
          [](World& w, BodyId id, const graze::Body& b) {
            locked(w, [&](graze::World& world) { world.replace(id, b); });
          },
          py::arg("id"), py::arg("body"))
      .def(
          "interest",
          [](World& w, BodyId id, bool wanted) { locked(w, [&](graze::World& world) { world.interest(id, wanted); }); },
          py::arg("id"), py::arg("wanted"), "False: no contacts of this body.")
      .def(
          "pair_interest",
          [](World& w, BodyId a, BodyId b, bool wanted) {
            locked(w, [&](graze::World& world) { world.interest(a, b, wanted); });
          },
          py::arg("a"), py::arg("b"), py::arg("wanted"), "Of two bodies, whatever their own settings are.")
      .def(
          "groups",
          [](World& w, BodyId id, std::uint32_t group, std::uint32_t mask) {
            locked(w, [&](graze::World& world) { world.groups(id, group, mask); });
          },
          py::arg("id"), py::arg("group"), py::arg("mask"))
      .def(
          "on_contact",
          [](World& w, const py::object& function, std::optional<BodyId> a, std::optional<BodyId> b) {
            if (b && !a) throw py::type_error("name the first body of the pair, too");
            graze::ContactCallback call = callback(function);
            locked(w, [&](graze::World& world) {
              if (b) return world.on_contact(*a, *b, std::move(call));
              if (a) return world.on_contact(*a, std::move(call));
              world.on_contact(std::move(call));
            });
          },
          py::arg("callback"), py::arg("a") = py::none(), py::arg("b") = py::none(),
          "Called with every event, or those of one body or pair; None removes it.")
      .def("check", &check, py::kw_only(), GRAZE_PYTHON_LIMITS,
           "Which bodies touch now? Tests only what was moved, added or changed since the last check.")
      .def(
          "touching", [](World& w) { return locked(w, [](graze::World& world) { return world.touching(); }); },
          "All pairs in contact as of the last check.");
}

}  // namespace graze_python
