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

/// N x 2.
template <class Pairs>
py::array_t<std::uint32_t> array_of_pairs(const Pairs& pairs) {
  py::array_t<std::uint32_t> array(std::vector<py::ssize_t>{static_cast<py::ssize_t>(pairs.size()), 2});
  std::uint32_t* d = array.mutable_data();
  for (const auto& pair : pairs) *d++ = graze::index(pair.a), *d++ = graze::index(pair.b);
  return array;
}
/// (piece of A, piece of B, pairs, features) of each.
inline py::list list_of_pieces(const std::vector<graze::PieceContact>& contacts) {
  py::list list;
  for (const graze::PieceContact& c : contacts)
    list.append(py::make_tuple(graze::index(c.a), graze::index(c.b), c.pairs, c.features));
  return list;
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
          const auto add = [&](const char* key, const char*, std::uint64_t value) { counters[key] = value; };
          if constexpr (requires { r.counters.methods; }) for_each_counter(r.counters.methods, add);  // of a world
          for_each_counter(r.counters, add);
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
