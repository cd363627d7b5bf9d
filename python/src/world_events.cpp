// SPDX-License-Identifier: MIT
#include <pybind11/stl.h>

#include "module.hpp"
#include "results.hpp"
#include "world.hpp"

namespace graze_python {

using graze::CheckResult;
using graze::ContactDetails;
using graze::WorldEvent;

namespace {

template <class Id>
void bind_id(py::module_& m, const char* name, const char* what) {
  py::class_<Id>(m, name, what)
      .def_readonly("slot", &Id::slot)
      .def_readonly("generation", &Id::generation)
      .def(
          "__eq__", [](const Id& a, const Id& b) { return a == b; }, py::is_operator())
      .def(
          "__lt__", [](const Id& a, const Id& b) { return a < b; }, py::is_operator())
      .def("__hash__", [](const Id& id) { return py::hash(py::make_tuple(id.slot, id.generation)); })
      .def("__repr__", [name](const Id& id) {
        return std::string(name) + "(" + std::to_string(id.slot) + ", " + std::to_string(id.generation) + ")";
      });
}

void bind_details(py::module_& m) {
  py::class_<ContactDetails>(m, "ContactDetails",
                             "What events, and contacts of a sweep, carry in addition: each is a further question.")
      .def(py::init([](bool all_pairs, bool manifold, bool depth, double margin) {
             return ContactDetails{all_pairs, manifold, depth, margin};
           }),
           py::kw_only(), py::arg("all_pairs") = false, py::arg("manifold") = false, py::arg("depth") = false,
           py::arg("margin") = 0.0)
      .def_readonly("all_pairs", &ContactDetails::all_pairs)
      .def_readonly("manifold", &ContactDetails::manifold)
      .def_readonly("depth", &ContactDetails::depth)
      .def_readonly("margin", &ContactDetails::margin, "Of the manifold")
      .def("__repr__", [](py::object self) {
        return describe(self, "ContactDetails", {"all_pairs", "manifold", "depth", "margin"});
      });
}

}  // namespace

ContactDetails details(py::handle given) { return given.is_none() ? ContactDetails{} : given.cast<ContactDetails>(); }

void bind_world_ids(py::module_& m) {
  bind_id<graze::BodyId>(m, "BodyId", "A body of a World; never used again for another one.");
  bind_id<graze::FrameId>(m, "FrameId", "A frame of a World, to which bodies and other frames are attached.");
  bind_id<graze::ArticulatedId>(m, "ArticulatedId", "An articulated body of a World.");
}

void bind_world_events(py::module_& m) {
  bind_details(m);
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
      .def_property_readonly(
          "all_pairs", [](const WorldEvent& e) { return array_of_pairs(e.all_pairs); }, "N x 2 triangles, on request")
      .def_property_readonly(
          "piece_contacts", [](const WorldEvent& e) { return list_of_pieces(e.piece_contacts); },
          "With all pairs, of compounds: (piece of A, piece of B, pairs, features) of each two pieces in contact")
      .def_readonly("manifold", &WorldEvent::manifold, "On request, else None")
      .def_readonly("depth", &WorldEvent::depth, "On request, else None")
      .def("__repr__", [](py::object self) {
        return describe(self, "WorldEvent", {"kind", "a", "b", "contact", "points"});
      });
  bind_result<CheckResult>(m, "CheckResult", "What a check found: iterate over it for its events.",
                           {"frame", "events", "undecided"})
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
      .def("__len__", [](const CheckResult& r) { return r.events.size(); });
}

}  // namespace graze_python
