// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <graze/core/error.hpp>
#include <graze/core/ids.hpp>
#include <graze/core/limits.hpp>
#include <graze/math/box3.hpp>
#include <graze/math/pose.hpp>
#include <graze/math/vec3.hpp>

/// What comes from Python and what goes there. Nothing is ever truncated or rounded without a word: what does not fit
/// is refused by an exception.
namespace graze_python {

namespace py = pybind11;

/// Throws graze::Error, which Python sees as graze.Error.
[[noreturn]] void refuse(graze::ErrorCode code, std::string message, std::string element = {},
                         std::uint64_t id = graze::ErrorDetail::none);

/// As an array, whose entries have no mask; null if it is none.
py::array unmasked(py::handle values, const std::string& what);
/// The same, and refused if it is no array, or a list in which numpy would silently convert an entry: True to 1, or a
/// whole number to a double that is not the same.
py::array numbers(py::handle values, const std::string& what);
/// Numbers as doubles, contiguous; without a copy where they are doubles already. Refused: what is no number (bool,
/// complex, text), and what a double cannot hold exactly (whole numbers above 2^53, long doubles).
py::array_t<double, py::array::c_style> doubles(py::handle values, const std::string& what);
/// The same in the shape N x columns.
py::array_t<double, py::array::c_style> rows_of_doubles(py::handle values, py::ssize_t columns,
                                                        const std::string& what);

graze::Vec3 vec3(py::handle values, const std::string& what);
/// w x y z, or an object with `as_quat` (x y z w, as SciPy's Rotation gives it).
graze::Quat quaternion(py::handle values);
/// Whatever `PoseLike` of the package allows.
graze::Pose pose(py::handle value);
/// N x 7 (translation, quaternion w x y z) or N x 4 x 4.
std::vector<graze::Pose> poses(py::handle values);
bool is_one_pose(py::handle value);

py::array_t<double> array_of(const graze::Vec3& v);
py::array_t<double> array_of(const graze::Box3& box);               ///< 2 x 3
py::array_t<double> array_of(const std::array<graze::Vec3, 2>& v);  ///< 2 x 3

/// Seconds as a number, or a timedelta.
std::optional<std::chrono::nanoseconds> seconds(py::handle value);
graze::CancelToken cancel(py::handle value);

/// "Name(first=..., second=...)" of the attributes that are neither None nor empty; long lists by their length.
std::string describe(py::handle object, const char* name, const std::vector<const char*>& attributes);
/// Why a result has no truth value.
[[noreturn]] void no_truth_value(const char* name);

/// What keeps the memory of a `view` has this name, so that a mesh made from a view knows that nobody writes to it.
inline constexpr const char* view_of_engine = "graze.view";
inline bool is_view_of_engine(py::handle object) { return PyCapsule_IsValid(object.ptr(), view_of_engine) != 0; }

/// A read-only array of memory that `owner` keeps alive.
template <class T, class Owner>
py::array view(const Owner& owner, const T* data, std::vector<py::ssize_t> shape) {
  py::capsule keeper(new Owner(owner), view_of_engine, [](PyObject* capsule) {
    delete static_cast<Owner*>(PyCapsule_GetPointer(capsule, view_of_engine));
  });
  py::array_t<T> array(std::move(shape), data, keeper);
  array.attr("flags").attr("writeable") = false;
  return py::array(std::move(array));
}

/// An entry of a list that has two parts.
template <class First, class Second>
std::pair<First, Second> two(py::handle entry, const char* what) {
  try {
    return entry.cast<std::pair<First, Second>>();
  } catch (const py::cast_error&) {
    throw py::type_error(std::string("an entry of the list must be ") + what + ", not " +
                         py::repr(entry).cast<std::string>());
  }
}

/// Is this text the name of a member?
bool has_name(PyObject* member, py::handle text);
/// "int64", "float32", ...
std::string name_of(const py::dtype& type);

template <class Result>
void raise_if_refused(const Result& result) {
  if (result.error) throw graze::Error(*result.error);
}

/// The members of an enumeration of `graze._enums`, by their value.
template <class E>
struct Members {
  static inline std::vector<PyObject*> list;  // never released: they live as long as the interpreter
};

}  // namespace graze_python

namespace pybind11::detail {

/// An enumeration: out as its member, in as a member, or by its name.
template <class E>
struct graze_enum_caster {
  E value{};
  static constexpr auto name = const_name("Enum");
  template <class>
  using cast_op_type = E;
  operator E() const { return value; }

  bool load(handle source, bool) {
    const auto& list = graze_python::Members<E>::list;
    for (std::size_t i = 0; i < list.size(); ++i)
      if (list[i] == source.ptr()) return set(i);
    if (!PyUnicode_Check(source.ptr())) return false;
    for (std::size_t i = 0; i < list.size(); ++i)
      if (graze_python::has_name(list[i], source)) return set(i);
    return false;
  }
  static handle cast(E e, return_value_policy, handle) {
    return handle(graze_python::Members<E>::list.at(static_cast<std::size_t>(e))).inc_ref();
  }

 private:
  bool set(std::size_t i) {
    value = static_cast<E>(i);
    return true;
  }
};

}  // namespace pybind11::detail

/// In every file that returns or takes such an enumeration.
#define GRAZE_PYTHON_ENUM(E)                       \
  namespace pybind11::detail {                     \
  template <>                                      \
  struct type_caster<E> : graze_enum_caster<E> {}; \
  }

namespace graze_python {
/// Arguments that are converted by the functions above.
struct PoseArg {
  graze::Pose pose;
};
struct Vec3Arg {
  graze::Vec3 v;
};
/// N numbers, read where they are if they are doubles in a row.
struct NumbersArg {
  py::array_t<double, py::array::c_style> array;
  std::span<const double> span() const { return {array.data(), static_cast<std::size_t>(array.size())}; }
};
/// N x 3 numbers, read where they are if they are doubles in rows.
struct PointsArg {
  py::array_t<double, py::array::c_style> array;
  std::span<const graze::Vec3> span() const {
    return {reinterpret_cast<const graze::Vec3*>(array.data()), static_cast<std::size_t>(array.shape(0))};
  }
};
/// N numbers in a row; refused if there are more dimensions.
py::array_t<double, py::array::c_style> row_of_doubles(py::handle values, const std::string& what);
}  // namespace graze_python

namespace pybind11::detail {
template <>
struct type_caster<graze_python::PoseArg> {
  PYBIND11_TYPE_CASTER(graze_python::PoseArg, const_name("PoseLike"));
  bool load(handle source, bool) {
    value.pose = graze_python::pose(source);
    return true;
  }
};
template <>
struct type_caster<graze_python::Vec3Arg> {
  PYBIND11_TYPE_CASTER(graze_python::Vec3Arg, const_name("ArrayLike"));
  bool load(handle source, bool) {
    value.v = graze_python::vec3(source, "a point or a vector");
    return true;
  }
};
template <>
struct type_caster<graze_python::NumbersArg> {
  PYBIND11_TYPE_CASTER(graze_python::NumbersArg, const_name("ArrayLike"));
  bool load(handle source, bool) {
    value.array = graze_python::row_of_doubles(source, "coordinates and times");
    return true;
  }
};
template <>
struct type_caster<graze_python::PointsArg> {
  PYBIND11_TYPE_CASTER(graze_python::PointsArg, const_name("ArrayLike"));
  bool load(handle source, bool) {
    value.array = graze_python::rows_of_doubles(source, 3, "positions");
    return true;
  }
};
}  // namespace pybind11::detail
