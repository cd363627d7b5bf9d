// SPDX-License-Identifier: MIT
#include "world.hpp"

#include <pybind11/stl.h>

#include <memory>

#include "module.hpp"
#include "results.hpp"

namespace graze_python {

using graze::BodyId;
using graze::CheckResult;
using graze::WorldEvent;

namespace {

/// The function that the engine calls: it holds the interpreter, and what it raises ends the check.
graze::ContactCallback callback(std::shared_ptr<HeldFunction> held) {
  if (!held) return {};
  return [held = std::move(held)](const WorldEvent& event) {
    const py::gil_scoped_acquire acquire;
    if (const py::object function = held->function()) function(event);
  };
}

void on_contact(World& w, const py::object& function, std::optional<BodyId> a, std::optional<BodyId> b) {
  if (b && !a) throw py::type_error("name the first body of the pair, too");
  if (!function.is_none() && !PyCallable_Check(function.ptr()))
    throw py::type_error("a callback is a function of an event, or None");
  for (const std::optional<BodyId>& id : {a, b})
    if (id) locked(w, [&](graze::World& world) { (void)world.pose(*id); });  // refused if it was removed
  if (a && b && *b < *a) std::swap(*a, *b);
  graze::ContactCallback call = callback(w.functions.set({a, b}, function));
  locked(w, [&](graze::World& world) {
    if (b) return world.on_contact(*a, *b, std::move(call));
    if (a) return world.on_contact(*a, std::move(call));
    world.on_contact(std::move(call));
  });
}

CheckResult check(World& w, const py::object& given, std::optional<std::uint64_t> pairs, std::uint64_t work,
                  const py::object& budget, const py::object& cancel) {
  graze::CheckOptions o;
  o.details = details(given), o.pairs = pairs;
  set_limits(o, work, budget, cancel);
  return locked(w, [&](graze::World& world) { return world.check(o); });
}

}  // namespace

void bind_world(py::module_& m) {
  bind_world_ids(m);
  bind_world_events(m);
  bind_world_answers(m);
  py::class_<World> c(m, "World", R"(Many bodies: report what moved, and learn which contacts began, stay and ended.

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
)",
                      collected<World>());
  c.def(py::init(
            [](const std::string& broad, int threads, bool solid, std::size_t coherent_pairs, graze::BroadBoxes boxes) {
              graze::WorldOptions o;
              o.broad = broad, o.threads = threads, o.solid = solid, o.coherent_pairs = coherent_pairs, o.boxes = boxes;
              return std::make_unique<World>(o);
            }),
        py::kw_only(), py::arg("broad") = "automatic", py::arg("threads") = 1, py::arg("solid") = false,
        py::arg("coherent_pairs") = 4096, py::arg("boxes") = graze::BroadBoxes::aligned);
  bind_world_bodies(m, c);
  bind_world_frames(c);
  c.def("on_contact", &on_contact, py::arg("callback"), py::arg("a") = py::none(), py::arg("b") = py::none(),
        "Called with every event, or those of one body or pair; None removes it.")
      .def("check", &check, py::kw_only(), py::arg("details") = py::none(), py::arg("pairs") = py::none(),
           GRAZE_PYTHON_LIMITS,
           "Which bodies touch now? Tests only what was moved, added or changed since the last check.")
      .def(
          "touching", [](World& w) { return locked(w, [](graze::World& world) { return world.touching(); }); },
          "All pairs in contact as of the last check.")
      .def(
          "frame", [](World& w) { return locked(w, [](graze::World& world) { return world.frame(); }); },
          "The number of the last check.")
      .def(
          "broad_method",
          [](World& w) { return locked(w, [](graze::World& world) { return std::string(world.broad_method()); }); },
          "The broad phase in use.")
      .def(
          "record",
          [](World& w, const std::string& file) { locked(w, [&](graze::World& world) { world.record(file); }); },
          py::arg("file"),
          "Writes every later call and the hashes of the answers to a file, which ``graze replay`` repeats.")
      .def("__repr__", [](World& w) {
        return "World(" + std::to_string(locked(w, [](graze::World& world) { return world.size(); })) + " bodies)";
      });
  bind_world_questions(c);
  bind_world_near(c);
}

}  // namespace graze_python
