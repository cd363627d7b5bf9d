// SPDX-License-Identifier: MIT
#pragma once

#include "functions.hpp"
#include "results.hpp"

#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <graze/ask/deform.hpp>

GRAZE_PYTHON_ENUM(graze::ElementaryKind)

namespace graze_python {

/// Used by one thread at a time: others wait, without holding the interpreter.
struct Deformable {
  graze::Deformable deform;
  std::mutex mutex;
  HeldFunctions<int> functions;          ///< that of the filter
  std::shared_ptr<Predicate> predicate;  ///< the same, as the engine calls it
  explicit Deformable(const graze::Mesh& mesh) : deform(mesh) {}
};

/// Positions where they are: N x 3 floats or doubles with any strides; others are converted once.
struct Vertices {
  py::array keeps;
  graze::VertexArray array;
};
Vertices vertices_of(py::handle given);
/// Whole numbers from 0 to below 2^32.
std::vector<std::uint32_t> whole_numbers(py::handle given, const std::string& what);

/// A read-only array of a list that a result holds, without a copy: the array keeps the result.
template <class T>
py::array rows_in(const py::object& result, const std::vector<T>& list) {
  const py::array_t<T> array({static_cast<py::ssize_t>(list.size())}, list.data(), result);
  array.attr("flags").attr("writeable") = false;
  return array;
}
template <class T>
py::object row_of(const std::optional<T>& value) {
  if (!value) return py::none();
  return py::object(py::array_t<T>({py::ssize_t{1}}, &*value)[py::int_(0)]);
}
/// What the caller made of rows that he was given.
template <class T>
std::vector<T> list_of_rows(py::handle given, const char* what) {
  const py::array array = py::array::ensure(given);
  if (!array || array.ndim() != 1 || !array.dtype().equal(py::dtype::of<T>()))
    throw py::type_error(std::string(what) + " must be an array as the result has it, or a part of it");
  const auto rows = py::array_t<T, py::array::c_style>::ensure(array);
  std::vector<T> list(static_cast<std::size_t>(rows.size()));
  if (!list.empty()) std::memcpy(static_cast<void*>(list.data()), rows.data(), list.size() * sizeof(T));
  return list;
}

py::dict seconds_of(const graze::DeformSeconds& s);

graze::DeformOptions deform_options(bool self, bool all, std::optional<double> tolerance, double min_separation,
                                    bool exact, bool crossing_at_start, int threads, std::uint64_t work,
                                    const py::object& budget, const py::object& cancel);
#define GRAZE_PYTHON_DEFORM                                                                       \
  py::arg("self_contacts") = true, py::arg("all") = true, py::arg("tolerance") = py::none(),      \
  py::arg("min_separation") = 0.0, py::arg("exact") = false, py::arg("crossing_at_start") = true, \
  py::arg("threads") = 1, GRAZE_PYTHON_LIMITS
graze::StepSizeOptions step_size_options(double slack, bool self, std::optional<double> tolerance,
                                         double min_separation, bool ignore_start_crossings,
                                         bool ignore_start_if_separating, int threads, std::uint64_t work,
                                         const py::object& budget, const py::object& cancel);
#define GRAZE_PYTHON_STEP_SIZE                                                                \
  py::arg("slack") = 0.1, py::arg("self_contacts") = true, py::arg("tolerance") = py::none(), \
  py::arg("min_separation") = 0.0, py::arg("ignore_start_crossings") = false,                 \
  py::arg("ignore_start_if_separating") = true, py::arg("threads") = 1, GRAZE_PYTHON_LIMITS

template <class Call>
auto locked(Deformable& d, Call&& call) {
  if (Predicate::running())  // it would wait for itself
    refuse(graze::ErrorCode::bad_option,
           "the function of a filter must not use a Deformable: it is asked while one works");
  const py::gil_scoped_release release;
  const std::lock_guard lock(d.mutex);
  return call(d.deform);
}

/// Asks, and raises what the filter's function raised, or what was refused.
template <class Ask>
auto asked(Deformable& d, Ask&& question) {
  auto result = locked(d, question);
  if (d.predicate) d.predicate->raise();
  raise_if_refused(result);
  return result;
}

void bind_deform_results(py::module_& m);
void bind_deform_details(py::module_& m);
void bind_deform_filter(py::class_<Deformable>& c);
void bind_proximity(py::module_& m, py::class_<Deformable>& c);
void bind_deform_scene(py::module_& m);

}  // namespace graze_python
