// SPDX-License-Identifier: MIT
#include <graze/ask/many_bodies.hpp>

#include <pybind11/stl.h>

#include "chain.hpp"
#include "functions.hpp"
#include "module.hpp"
#include "motion.hpp"
#include "results.hpp"

namespace graze_python {

using graze::FirstContactsResult;
using graze::PairContact;

std::vector<graze::LinkBody> link_bodies(const graze::Chain& chain, const py::iterable& given) {
  std::vector<graze::LinkBody> list;
  for (const py::handle item : given) {
    const auto pair = two<LinkArg, graze::Body>(item, "(link, body)");
    list.push_back({pair.first.of(chain), pair.second});
  }
  return list;
}

namespace {

std::vector<graze::MovingBody> moving_bodies(const py::iterable& given) {
  std::vector<graze::MovingBody> list;
  for (const py::handle item : given) {
    const auto pair = two<graze::Body, py::object>(item, "(body, motion or pose)");
    list.push_back({pair.first, motion_of(pair.second)});
  }
  return list;
}

void bind_results(py::module_& m) {
  py::class_<PairContact>(m, "PairContact", "The first contact of two bodies a < b of a list.")
      .def_readonly("a", &PairContact::a)
      .def_readonly("b", &PairContact::b)
      .def_readonly("contact", &PairContact::contact)
      .def("__repr__", [](py::object self) {
        return describe(self, "PairContact", {"a", "b", "contact"});
      });
  bind_result<FirstContactsResult>(m, "FirstContactsResult", "The answer of ``first_contacts``.",
                                   {"status", "safe", "earliest", "pairs", "near", "asked"})
      .def_readonly("status", &FirstContactsResult::status)
      .def_readonly("safe", &FirstContactsResult::safe, "Certified: no pair touches before this time")
      .def_property_readonly("earliest", [](const FirstContactsResult& r) { return optional_value(r.earliest); })
      .def_readonly("pairs", &FirstContactsResult::pairs, "With ``all_pairs``: those that come near each other")
      .def_readonly("near", &FirstContactsResult::near)
      .def_readonly("asked", &FirstContactsResult::asked)
      .def_readonly("seconds", &FirstContactsResult::seconds);
}

/// What both forms of the question share.
struct Asked {
  Predicate interest;
  explicit Asked(const py::object& function)
      : interest(function.is_none() ? nullptr : std::make_shared<HeldFunction>(function)),
        given_(!function.is_none()) {}
  void set(graze::FirstContactsOptions& o) {
    if (given_) o.interest = [this](std::size_t a, std::size_t b) { return interest(a, b); };
  }

 private:
  bool given_;
};

void set(graze::FirstContactsOptions& o, const std::string& method, std::optional<double> tolerance,
         double min_separation, bool ignore_start_if_separating, bool solid, bool certificate, bool all_pairs,
         int threads, int slices, std::uint64_t work, const py::object& budget, const py::object& cancel_token) {
  o.pair.method = method, o.pair.tolerance = tolerance, o.pair.min_separation = min_separation;
  o.pair.ignore_start_if_separating = ignore_start_if_separating, o.pair.solid = solid;
  o.pair.certificate = certificate, o.pair.work = work;
  o.all_pairs = all_pairs, o.threads = threads, o.slices = slices;
  o.budget = seconds(budget), o.cancel = cancel(cancel_token);
}

#define GRAZE_PYTHON_FIRST_CONTACTS                                                                              \
  py::arg("method") = "best_first", py::arg("tolerance") = py::none(), py::arg("min_separation") = 0.0,          \
  py::arg("ignore_start_if_separating") = false, py::arg("solid") = false, py::arg("certificate") = false,       \
  py::arg("all_pairs") = false, py::arg("interest") = py::none(), py::arg("threads") = 1, py::arg("slices") = 8, \
  GRAZE_PYTHON_LIMITS

}  // namespace

void bind_first_contacts(py::module_& m) {
  bind_results(m);
  m.def(
      "first_contacts",
      [](const py::iterable& bodies, const std::string& method, std::optional<double> tolerance, double min_separation,
         bool ignore_start_if_separating, bool solid, bool certificate, bool all_pairs, const py::object& interest,
         int threads, int slices, std::uint64_t work, const py::object& budget, const py::object& cancel) {
        graze::FirstContactsOptions o;
        Asked asked(interest);
        set(o, method, tolerance, min_separation, ignore_start_if_separating, solid, certificate, all_pairs, threads,
            slices, work, budget, cancel);
        asked.set(o);
        const std::vector<graze::MovingBody> list = moving_bodies(bodies);
        FirstContactsResult result;
        {
          const py::gil_scoped_release release;
          graze::first_contacts(list, o, result);
        }
        asked.interest.raise();
        raise_if_refused(result);
        return result;
      },
      py::arg("bodies"), py::kw_only(), GRAZE_PYTHON_FIRST_CONTACTS,
      R"(When do any two of many moving bodies first touch? Bodies are pairs (body, motion or pose).

``interest`` is a function of two numbers i < j that says whether that pair counts. ``work`` limits each pair, ``budget``
and ``cancel`` the whole question.

>>> import graze
>>> box = graze.Body(graze.make.box())
>>> crates = [(box, graze.Velocity([9, 0, 0, 1, 0, 0, 0], [2, 0, 0, 1, 0, 0, 0])), (box, None), (box, graze.Pose([5, 0, 0]))]
>>> result = graze.first_contacts(crates)
>>> result.earliest.a, result.earliest.b, round(result.earliest.contact.time.touch, 3)
(0, 2, 0.429)
)");
  m.def(
      "chain_first_contacts",
      [](const graze::Chain& chain, const py::iterable& links, const NumbersArg& from, const NumbersArg& to,
         const py::iterable& environment, bool neighbours, const std::string& method, std::optional<double> tolerance,
         double min_separation, bool ignore_start_if_separating, bool solid, bool certificate, bool all_pairs,
         const py::object& interest, int threads, int slices, std::uint64_t work, const py::object& budget,
         const py::object& cancel) {
        graze::ChainContactsOptions o;
        Asked asked(interest);
        set(o, method, tolerance, min_separation, ignore_start_if_separating, solid, certificate, all_pairs, threads,
            slices, work, budget, cancel);
        o.neighbours = neighbours;
        asked.set(o);
        const std::vector<graze::LinkBody> of_links = link_bodies(chain, links);
        const std::vector<graze::MovingBody> others = moving_bodies(environment);
        FirstContactsResult result;
        {
          const py::gil_scoped_release release;
          graze::first_contacts(chain, of_links, from.span(), to.span(), others, o, result);
        }
        asked.interest.raise();
        raise_if_refused(result);
        return result;
      },
      py::arg("chain"), py::arg("links"), py::arg("start"), py::arg("end"), py::arg("environment") = py::tuple(),
      py::kw_only(), py::arg("neighbours") = false, GRAZE_PYTHON_FIRST_CONTACTS,
      R"(The same for the links of a chain, given as pairs (link, body), whose joints move from start to end.

Every two links are asked (parent and child only with ``neighbours``), and all links with the environment: pairs (body,
motion or pose). In ``interest`` and the result the bodies of the links come first. This is C++'s ``first_contacts`` of a
chain. A ``Robot`` answers the same question faster, and knows which links may touch.)");
}

}  // namespace graze_python
