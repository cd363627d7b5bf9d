// SPDX-License-Identifier: MIT
#include <graze/ask/collide.hpp>

#include <pybind11/stl.h>

#include "module.hpp"
#include "results.hpp"

namespace graze_python {

using graze::Body;
using graze::CollideResult;
using graze::SelfCollideResult;

void bind_contact(py::module_& m) {
  using graze::Feature;
  using graze::FeatureRef;
  const auto text = [](const FeatureRef& f) {
    const auto id = [&](int k) { return std::to_string(f.id[static_cast<std::size_t>(k)]); };
    switch (f.type) {
      case FeatureRef::Type::vertex: return "vertex " + id(0);
      case FeatureRef::Type::edge: return (f.diagonal ? "diagonal " : "edge ") + id(0) + "-" + id(1);
      case FeatureRef::Type::face: return "face " + id(0);
      default: return std::string("surface");
    }
  };
  py::class_<FeatureRef>(m, "FeatureRef", "A vertex, an edge or a face of one body, by the numbers of the input.")
      .def_readonly("type", &FeatureRef::type)
      .def_readonly("diagonal", &FeatureRef::diagonal)
      .def_property_readonly(
          "id", [](const FeatureRef& f) { return py::make_tuple(f.id[0], f.id[1]); },
          "Of a vertex (v, v), of an edge its two vertices, of a face (polygon, polygon)")
      .def(
          "__eq__", [](const FeatureRef& a, const FeatureRef& b) { return a == b; }, py::is_operator())
      .def("__hash__",
           [](const FeatureRef& f) { return py::hash(py::make_tuple(static_cast<int>(f.type), f.id[0], f.id[1])); })
      .def("__repr__", [text](const FeatureRef& f) { return "<" + text(f) + ">"; });
  py::class_<Feature>(m, "Feature", "Two features that meet.")
      .def_readonly("kind", &Feature::kind)
      .def_readonly("a", &Feature::a)
      .def_readonly("b", &Feature::b)
      .def(
          "__eq__", [](const Feature& a, const Feature& b) { return a == b; }, py::is_operator())
      .def("__hash__",
           [](const Feature& f) {
             return py::hash(py::make_tuple(static_cast<int>(f.kind), f.a.id[0], f.a.id[1], f.b.id[0], f.b.id[1]));
           })
      .def("__repr__", [text](const Feature& f) { return "<" + text(f.a) + " of A, " + text(f.b) + " of B>"; });
}

namespace {

void bind_results(py::module_& m) {
  bind_result<CollideResult>(m, "CollideResult", "The answer of ``collide``.",
                             {"status", "kind", "contained", "pieces", "pairs", "features", "points", "normal"})
      .def_readonly("status", &CollideResult::status)
      .def_property_readonly("method", [](const CollideResult& r) { return std::string(r.method); })
      .def_property_readonly(
          "kind", [](const CollideResult& r) { return optional_value(r.kind); },
          "crossing, touching or overlap, or None")
      .def_readonly("certain", &CollideResult::certain)
      .def_property_readonly("contained", [](const CollideResult& r) { return r.contained; })
      .def_property_readonly(
          "pairs", [](const CollideResult& r) { return array_of_pairs(r.pairs); },
          "N x 2 triangles: the witness, or with ``all`` all pairs")
      .def_readonly("features", &CollideResult::features)
      .def_property_readonly(
          "points", [](const CollideResult& r) { return optional_array(r.points); },
          "2 x 3: the witness on A and on B, or None")
      .def_property_readonly(
          "normal", [](const CollideResult& r) { return optional_array(r.normal); }, "Unit, from A to B, or None")
      .def_property_readonly("deepest",
                             [](const CollideResult& r) -> py::object {
                               if (!r.deepest) return py::none();
                               return py::make_tuple(graze::index((*r.deepest)[0]), graze::index((*r.deepest)[1]));
                             })
      .def_readonly("seconds", &CollideResult::seconds)
      .def_property_readonly(
          "pieces", [](const CollideResult& r) { return pieces_of(r.pieces); },
          "Of compounds: the pieces of the witness, or None")
      .def_property_readonly(
          "piece_contacts", [](const CollideResult& r) { return list_of_pieces(r.piece_contacts); },
          "With ``all``, of compounds: (piece of A, piece of B, pairs, features) of each two pieces in contact");
  bind_result<SelfCollideResult>(m, "SelfCollideResult", "The answer of ``self_collide``.",
                                 {"status", "kind", "pairs", "features", "point"})
      .def_readonly("status", &SelfCollideResult::status)
      .def_property_readonly("kind", [](const SelfCollideResult& r) { return optional_value(r.kind); })
      .def_property_readonly(
          "pairs", [](const SelfCollideResult& r) { return array_of_pairs(r.pairs); }, "N x 2 triangles")
      .def_property_readonly(
          "neighbourhoods",
          [](const SelfCollideResult& r) {
            py::list list;
            for (const graze::SelfPair& pair : r.pairs) list.append(pair.neighbourhood);
            return list;
          },
          "How the triangles of each pair are adjacent")
      .def_property_readonly(
          "count",
          [](const SelfCollideResult& r) {
            py::dict counts;
            for (std::size_t i = 0; i < r.count.size(); ++i)
              counts[py::cast(static_cast<graze::Neighbourhood>(i))] = r.count[i];
            return counts;
          },
          "With ``all``: the number of pairs by neighbourhood")
      .def_readonly("features", &SelfCollideResult::features)
      .def_property_readonly("point", [](const SelfCollideResult& r) { return optional_array(r.point); })
      .def_readonly("seconds", &SelfCollideResult::seconds);
}

}  // namespace

void bind_collide(py::module_& m) {
  bind_results(m);
  m.def(
      "collide",
      [](const Body& a, const PoseArg& pose_a, const Body& b, const PoseArg& pose_b, const std::string& method,
         bool all, bool all_features, bool solid, int threads, std::uint64_t work, const py::object& budget,
         const py::object& cancel) {
        graze::CollideOptions o;
        o.method = method, o.all = all, o.all_features = all_features, o.solid = solid, o.threads = threads;
        set_limits(o, work, budget, cancel);
        return ask<CollideResult>([&](CollideResult& r) { graze::collide(a, pose_a.pose, b, pose_b.pose, o, r); });
      },
      py::arg("a"), py::arg("pose_a"), py::arg("b"), py::arg("pose_b"), py::kw_only(), py::arg("method") = "tree",
      py::arg("all") = false, py::arg("all_features") = false, py::arg("solid") = false, py::arg("threads") = 1,
      GRAZE_PYTHON_LIMITS, R"(Do the surfaces of two placed bodies share a point? The answer is exact.

>>> import graze
>>> box = graze.Body(graze.make.box())
>>> result = graze.collide(box, None, box, graze.Pose([1, 0, 0]))
>>> result.status == graze.Status.contact
True
>>> result.kind
ContactKind.touching
>>> graze.collide(box, None, box, graze.Pose([2, 0, 0]))
CollideResult(status=free, contained=none)
)");
  m.def(
      "self_collide",
      [](const Body& body, const std::string& method, bool all, int threads, std::uint64_t work,
         const py::object& budget, const py::object& cancel) {
        graze::SelfCollideOptions o;
        o.method = method, o.all = all, o.threads = threads;
        set_limits(o, work, budget, cancel);
        return ask<SelfCollideResult>([&](SelfCollideResult& r) { graze::self_collide(body, o, r); });
      },
      py::arg("body"), py::kw_only(), py::arg("method") = "tree", py::arg("all") = false, py::arg("threads") = 1,
      GRAZE_PYTHON_LIMITS,
      "Does a mesh intersect itself? Neighbours count only where they meet outside what they share.");
  m.def(
      "collide_methods",
      [] {
        py::list list;
        for (const graze::MethodTraits& method : graze::collide_methods())
          list.append(py::make_tuple(std::string(method.name), std::string(method.summary)));
        return list;
      },
      "The methods of ``collide``: (name, summary).");
}

}  // namespace graze_python
