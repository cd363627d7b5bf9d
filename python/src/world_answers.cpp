// SPDX-License-Identifier: MIT
#include <pybind11/stl.h>

#include "module.hpp"
#include "results.hpp"
#include "world.hpp"

namespace graze_python {

using graze::BodyHit;
using graze::CastContact;
using graze::CastResult;
using graze::NearestBody;
using graze::NearestResult;
using graze::NearPair;
using graze::NearResult;
using graze::OverlapResult;
using graze::SweepContact;
using graze::SweepResult;

namespace {

void bind_sweep(py::module_& m) {
  py::class_<SweepContact>(m, "SweepContact", "The first contact of two bodies on their way.")
      .def_readonly("a", &SweepContact::a)
      .def_readonly("b", &SweepContact::b)
      .def_readonly("contact", &SweepContact::contact)
      .def_readonly("straight_vertices", &SweepContact::straight_vertices,
                    "One of them deformed: all vertices moved on straight lines")
      .def_property_readonly(
          "all_pairs", [](const SweepContact& c) { return array_of_pairs(c.all_pairs); }, "N x 2, on request")
      .def_property_readonly("piece_contacts", [](const SweepContact& c) { return list_of_pieces(c.piece_contacts); })
      .def_readonly("manifold", &SweepContact::manifold, "On request, else None")
      .def_readonly("depth", &SweepContact::depth, "On request, else None")
      .def("__repr__", [](py::object self) {
        return describe(self, "SweepContact", {"a", "b", "contact"});
      });
  bind_result<SweepResult>(m, "WorldSweepResult", "The answer of ``World.sweep``.",
                           {"status", "safe", "contacts", "triggers", "advanced"})
      .def_readonly("status", &SweepResult::status)
      .def_readonly("safe", &SweepResult::safe, "Certified: no pair of interest touches before this time")
      .def_readonly("contacts", &SweepResult::contacts)
      .def_property_readonly("earliest",
                             [](const SweepResult& r) -> std::optional<SweepContact> {
                               return r.earliest ? std::optional(r.contacts[*r.earliest]) : std::nullopt;
                             })
      .def_readonly("triggers", &SweepResult::triggers)
      .def_readonly("advanced", &SweepResult::advanced)
      .def_readonly("seconds", &SweepResult::seconds);
}

void bind_near(py::module_& m) {
  py::class_<NearPair>(m, "NearPair", "Two bodies that are near each other.")
      .def_readonly("a", &NearPair::a)
      .def_readonly("b", &NearPair::b)
      .def_readonly("distance", &NearPair::distance)
      .def("__repr__", [](py::object self) {
        return describe(self, "NearPair", {"a", "b", "distance"});
      });
  bind_result<NearResult>(m, "NearResult", "The answer of ``World.near``.", {"status", "pairs"})
      .def_readonly("status", &NearResult::status)
      .def_readonly("pairs", &NearResult::pairs)
      .def_readonly("seconds", &NearResult::seconds);
  py::class_<NearestBody>(m, "NearestBody", "A body near a point.")
      .def_readonly("body", &NearestBody::body)
      .def_readonly("distance", &NearestBody::distance)
      .def_property_readonly("point", [](const NearestBody& n) { return array_of(n.point); })
      .def("__repr__", [](py::object self) {
        return describe(self, "NearestBody", {"body", "distance", "point"});
      });
  bind_result<NearestResult>(m, "NearestResult", "The answer of ``World.nearest``.", {"status", "bodies"})
      .def_readonly("status", &NearestResult::status)
      .def_readonly("bodies", &NearestResult::bodies)
      .def_readonly("seconds", &NearestResult::seconds);
}

void bind_casts(py::module_& m) {
  py::class_<BodyHit>(m, "BodyHit", "Where a ray meets a body of a World.")
      .def_readonly("body", &BodyHit::body)
      .def_readonly("hit", &BodyHit::hit)
      .def_readonly("certain", &BodyHit::certain)
      .def("__repr__", [](py::object self) {
        return describe(self, "BodyHit", {"body", "hit"});
      });
  py::class_<CastContact>(m, "CastContact", "The first contact of a body that is cast with one of the World.")
      .def_readonly("body", &CastContact::body)
      .def_readonly("contact", &CastContact::contact)
      .def("__repr__", [](py::object self) {
        return describe(self, "CastContact", {"body", "contact"});
      });
  bind_result<CastResult>(m, "CastResult", "The answer of ``World.cast``.", {"status", "safe", "earliest", "contacts"})
      .def_readonly("status", &CastResult::status)
      .def_readonly("safe", &CastResult::safe, "Certified: no body is met before this time")
      .def_property_readonly("earliest", [](const CastResult& r) { return optional_value(r.earliest); })
      .def_readonly("contacts", &CastResult::contacts)
      .def_readonly("seconds", &CastResult::seconds);
  bind_result<OverlapResult>(m, "OverlapResult", "The answer of ``World.overlap``.", {"status", "bodies"})
      .def_readonly("status", &OverlapResult::status)
      .def_readonly("bodies", &OverlapResult::bodies)
      .def_readonly("certain", &OverlapResult::certain)
      .def_readonly("seconds", &OverlapResult::seconds);
}

}  // namespace

void bind_world_answers(py::module_& m) {
  bind_sweep(m);
  bind_near(m);
  bind_casts(m);
}

}  // namespace graze_python
