// SPDX-License-Identifier: MIT
#pragma once

#include "convert.hpp"
#include "enums.hpp"

#include <graze/core/counters.hpp>

namespace graze_python {

template <class T>
py::object optional_array(const std::optional<T>& value) {
  return value ? py::object(array_of(*value)) : py::object(py::none());
}
template <class T>
py::object optional_value(const std::optional<T>& value) {
  return value ? py::cast(*value) : py::object(py::none());
}
inline py::object pieces_of(const std::optional<std::array<graze::PieceId, 2>>& pieces) {
  return pieces ? py::object(py::make_tuple(graze::index((*pieces)[0]), graze::index((*pieces)[1]))) : py::none();
}
inline py::tuple pair_of(const graze::TrianglePair& pair) {
  return py::make_tuple(graze::index(pair.a), graze::index(pair.b));
}

/// What every result has: no truth value, a text, and its counters as a dictionary.
template <class Result>
py::class_<Result> bind_result(py::module_& m, const char* name, const char* what,
                               std::initializer_list<const char*> shown) {
  const std::vector<const char*> attributes(shown);
  py::class_<Result> c(m, name, what);
  c.def("__bool__", [name](const Result&) -> bool { no_truth_value(name); });
  c.def("__repr__", [name, attributes](py::object self) { return describe(self, name, attributes); });
  if constexpr (requires(Result r) { r.counters; })
    c.def_property_readonly(
        "counters",
        [](const Result& r) {
          py::dict counters;
          graze::for_each_counter(r.counters,
                                  [&](const char* key, const char*, std::uint64_t value) { counters[key] = value; });
          return counters;
        },
        "The work done for the answer");
  return c;
}

/// The limits that queries share (see graze::CancelToken).
template <class Options>
void set_limits(Options& options, std::uint64_t work, py::handle budget, py::handle cancel_token) {
  options.work = work;
  if (!budget.is_none()) options.budget = seconds(budget);
  if (!cancel_token.is_none()) options.cancel = cancel(cancel_token);
}
#define GRAZE_PYTHON_LIMITS py::arg("work") = 0, py::arg("budget") = py::none(), py::arg("cancel") = py::none()

/// Asks with the interpreter released, and raises what was refused.
template <class Result, class Ask>
Result ask(Ask&& question) {
  Result result;
  {
    py::gil_scoped_release release;
    question(result);
  }
  raise_if_refused(result);
  return result;
}

}  // namespace graze_python
