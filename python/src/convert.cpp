// SPDX-License-Identifier: MIT
#include "convert.hpp"

#include <cmath>
#include <limits>

namespace graze_python {

using graze::ErrorCode;

void refuse(ErrorCode code, std::string message, std::string element, std::uint64_t id) {
  graze::ErrorDetail detail;
  detail.code = code;
  detail.message = std::move(message);
  detail.element = std::move(element);
  detail.id = id;
  throw graze::Error(detail);
}

namespace {

std::string shape_text(const py::array& array) {
  std::string text;
  for (py::ssize_t i = 0; i < array.ndim(); ++i) text += (i ? " x " : "") + std::to_string(array.shape(i));
  return array.ndim() ? text : "a single number";
}

/// An array of numpy itself, which has no mask and no rules of its own.
bool is_plain_array(py::handle value) {
  return Py_TYPE(value.ptr()) == reinterpret_cast<PyTypeObject*>(py::detail::npy_api::get().PyArray_Type_);
}

/// Is every value the same as a double? Then converting loses nothing.
bool fits_doubles(const py::array& given, const py::array& converted) {
  const py::object back = converted.attr("astype")(given.dtype());
  const py::module_ numpy = py::module_::import("numpy");
  // NaN is refused later, where the vertex or the pose is named.
  return numpy.attr("array_equal")(given, back, py::arg("equal_nan") = given.dtype().kind() == 'f').cast<bool>();
}

[[noreturn]] void not_exact(const std::string& what, const std::string& type) {
  refuse(ErrorCode::too_large,
         what + " of type " + type +
             " hold numbers that a double cannot hold exactly; round them yourself, with .astype(float) or float()");
}

/// numpy makes one type of all entries of a list: 1 of True, and a rounded double of a large whole number that stands
/// beside a float. So the entries of lists are looked at before, as deep as the array has dimensions.
class ListEntries {
 public:
  ListEntries(const std::string& what, bool floats) : what_(what), floats_(floats) {}

  void check(py::handle given, py::ssize_t depth) const {
    PyObject* const o = given.ptr();
    if (PyFloat_Check(o)) return;
    if (depth > 0 && (PyList_Check(o) || PyTuple_Check(o))) {
      for (py::ssize_t i = 0; i < PySequence_Fast_GET_SIZE(o); ++i)  // a strange entry could change the list
        check(py::reinterpret_borrow<py::object>(PySequence_Fast_GET_ITEM(o, i)), depth - 1);
    } else if (PyBool_Check(o)) {
      no_bool();
    } else if (PyLong_Check(o)) {
      if (floats_ && !fits(o)) not_exact(what_, "int");
    } else {
      const py::array array = unmasked(given, what_);  // a row, or a number of numpy
      const char kind = array ? array.dtype().kind() : 'O';
      if (kind == 'b') no_bool();
      if (floats_ && kind != 'f' && kind != 'i' && kind != 'u')
        throw py::type_error(what_ + " must be numbers, not " + Py_TYPE(o)->tp_name);
      if (floats_ && array.dtype().itemsize() >= 8 &&
          !fits_doubles(array, py::array_t<double, py::array::forcecast>::ensure(array)))
        not_exact(what_, name_of(array.dtype()));
    }
  }

 private:
  [[noreturn]] void no_bool() const { throw py::type_error(what_ + " must be numbers, not bool"); }
  static bool fits(PyObject* whole) {
    constexpr long long most = 1LL << 53;
    int overflow = 0;
    const long long small = PyLong_AsLongLongAndOverflow(whole, &overflow);
    if (overflow == 0 && -most <= small && small <= most) return true;
    const double d = PyLong_AsDouble(whole);
    if (d == -1 && PyErr_Occurred()) {
      PyErr_Clear();
      return false;
    }
    return py::reinterpret_steal<py::object>(PyLong_FromDouble(d)).equal(py::handle(whole));
  }

  const std::string& what_;
  const bool floats_;
};

}  // namespace

py::array unmasked(py::handle values, const std::string& what) {
  if (!is_plain_array(values) && py::hasattr(values, "mask") && py::hasattr(values, "filled") &&
      values.attr("mask").attr("any")().cast<bool>())
    throw py::type_error(what + " have masked entries, which have no value; fill them first, or leave them out");
  py::array array = py::array::ensure(values);
  if (!array) PyErr_Clear();
  return array;
}

py::array numbers(py::handle values, const std::string& what) {
  py::array array = unmasked(values, what);
  if (!array) throw py::type_error(what + " must be an array of numbers, not " + Py_TYPE(values.ptr())->tp_name);
  if (!PyList_Check(values.ptr()) && !PyTuple_Check(values.ptr())) return array;
  const bool objects = array.dtype().kind() == 'O';  // whole numbers of more than 64 bits, or no numbers at all
  ListEntries(what, objects || array.dtype().kind() == 'f').check(values, array.ndim());
  return objects ? py::array(array.attr("astype")("float64")) : array;
}

py::array_t<double, py::array::c_style> doubles(py::handle values, const std::string& what) {
  const py::array given = numbers(values, what);
  const py::dtype type = given.dtype();
  const char kind = type.kind();
  if (kind == 'f' && type.itemsize() == 8)  // in native order and contiguous: the array itself
    return py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(given);
  if (kind != 'f' && kind != 'i' && kind != 'u')
    throw py::type_error(what + " must be real numbers, not of type " + name_of(type));
  py::array_t<double, py::array::c_style> converted =
      py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(given);
  if (!converted) throw py::error_already_set();
  if (type.itemsize() >= 8 && !fits_doubles(given, converted)) not_exact(what, name_of(type));
  return converted;
}

py::array_t<double, py::array::c_style> rows_of_doubles(py::handle values, py::ssize_t columns,
                                                        const std::string& what) {
  auto array = doubles(values, what);
  if (array.size() == 0) return py::array_t<double, py::array::c_style>(std::vector<py::ssize_t>{0, columns});
  if (array.ndim() != 2 || array.shape(1) != columns)
    refuse(ErrorCode::bad_option,
           what + " must have the shape N x " + std::to_string(columns) + ", not " + shape_text(array));
  return array;
}

py::array_t<double, py::array::c_style> row_of_doubles(py::handle values, const std::string& what) {
  auto array = doubles(values, what);
  if (array.ndim() != 1) refuse(ErrorCode::bad_option, what + " are N numbers in a row, not " + shape_text(array));
  return array;
}

graze::Vec3 vec3(py::handle values, const std::string& what) {
  PyObject* const o = values.ptr();
  if (PyTuple_CheckExact(o) && PyTuple_GET_SIZE(o) == 3 && PyFloat_CheckExact(PyTuple_GET_ITEM(o, 0)) &&
      PyFloat_CheckExact(PyTuple_GET_ITEM(o, 1)) && PyFloat_CheckExact(PyTuple_GET_ITEM(o, 2)))
    return {PyFloat_AS_DOUBLE(PyTuple_GET_ITEM(o, 0)), PyFloat_AS_DOUBLE(PyTuple_GET_ITEM(o, 1)),
            PyFloat_AS_DOUBLE(PyTuple_GET_ITEM(o, 2))};
  const auto array = doubles(values, what);
  if (array.ndim() != 1 || array.shape(0) != 3)
    refuse(ErrorCode::bad_option, what + " has three numbers x y z, not " + shape_text(array));
  return {array.data()[0], array.data()[1], array.data()[2]};
}

graze::Quat quaternion(py::handle values) {
  PyObject* const o = values.ptr();
  if (PyTuple_CheckExact(o) && PyTuple_GET_SIZE(o) == 4) {  // of floats, as most callers write it
    bool floats = true;
    double d[4];
    for (int i = 0; i < 4; ++i) {
      floats = floats && PyFloat_CheckExact(PyTuple_GET_ITEM(o, i));
      if (floats) d[i] = PyFloat_AS_DOUBLE(PyTuple_GET_ITEM(o, i));
    }
    if (floats) return {d[0], d[1], d[2], d[3]};
  }
  const bool scipy = py::hasattr(values, "as_quat");
  const py::object given = scipy ? py::object(values.attr("as_quat")()) : py::reinterpret_borrow<py::object>(values);
  const auto q = doubles(given, "a quaternion");
  if (q.ndim() != 1 || q.shape(0) != 4)
    refuse(ErrorCode::bad_pose, scipy ? "as_quat() gives " + shape_text(q) + " numbers: pass a single rotation"
                                      : "a quaternion has four numbers w x y z, not " + shape_text(q));
  const double* const d = q.data();
  return scipy ? graze::Quat{d[3], d[0], d[1], d[2]} : graze::Quat{d[0], d[1], d[2], d[3]};
}

namespace {

graze::Pose pose_of_row(const double* d) { return graze::Pose({d[0], d[1], d[2]}, {d[3], d[4], d[5], d[6]}); }

graze::Pose pose_of_matrix(const double* d) {
  std::array<double, 16> m;
  std::copy(d, d + 16, m.begin());
  return graze::Pose::from_matrix(m);
}

constexpr const char* poses_are =
    "a pose is a graze.Pose, a 4 x 4 matrix, (translation, quaternion w x y z), seven numbers of both, an object with "
    "as_quat, or None for the origin";

}  // namespace

graze::Pose pose(py::handle value) {
  if (py::isinstance<graze::Pose>(value)) return *value.cast<const graze::Pose*>();
  if (value.is_none()) return {};
  using Doubles = py::array_t<double, py::array::c_style>;
  if (is_plain_array(value) && py::isinstance<Doubles>(value)) {  // the usual array, without the questions below
    const auto array = py::reinterpret_borrow<Doubles>(value);
    if (array.ndim() == 2 && array.shape(0) == 4 && array.shape(1) == 4) return pose_of_matrix(array.data());
    if (array.ndim() == 1 && array.shape(0) == 7) return pose_of_row(array.data());
  }
  if ((PyTuple_Check(value.ptr()) || PyList_Check(value.ptr())) && py::len(value) == 2) {
    const auto parts = py::reinterpret_borrow<py::sequence>(value);
    const graze::Quat q = parts[1].is_none() ? graze::Quat{} : quaternion(parts[1]);
    return graze::Pose(parts[0].is_none() ? graze::Vec3{} : vec3(parts[0], "a translation"), q);
  }
  if (py::hasattr(value, "as_quat")) return graze::Pose({}, quaternion(value));
  const py::array any = unmasked(value, "the numbers of a pose");
  if (!any || any.dtype().kind() == 'O')
    throw py::type_error(std::string(poses_are) + "; not " + Py_TYPE(value.ptr())->tp_name);
  const auto array = doubles(value, "the numbers of a pose");
  if (array.ndim() == 2 && array.shape(0) == 4 && array.shape(1) == 4) return pose_of_matrix(array.data());
  if (array.ndim() == 1 && array.shape(0) == 7) return pose_of_row(array.data());
  refuse(ErrorCode::bad_pose, std::string(poses_are) + "; not " + shape_text(array) + (array.ndim() ? " numbers" : ""));
}

bool is_one_pose(py::handle value) {
  if (value.is_none() || py::isinstance<graze::Pose>(value)) return true;
  if (PyTuple_Check(value.ptr()) && py::len(value) == 2) return true;
  if (py::hasattr(value, "as_quat")) return true;
  if (PyList_Check(value.ptr()) && py::len(value) > 0 &&
      py::isinstance<graze::Pose>(py::list(py::reinterpret_borrow<py::list>(value))[0]))
    return false;
  const py::array array = py::array::ensure(value);
  return array && ((array.ndim() == 1 && array.shape(0) == 7) ||
                   (array.ndim() == 2 && array.shape(0) == 4 && array.shape(1) == 4));
}

std::vector<graze::Pose> poses(py::handle values) {
  std::vector<graze::Pose> list;
  if (PyList_Check(values.ptr()) && py::len(values) > 0 &&
      py::isinstance<graze::Pose>(py::reinterpret_borrow<py::list>(values)[0])) {
    for (const py::handle item : py::reinterpret_borrow<py::list>(values)) list.push_back(pose(item));
    return list;
  }
  const auto array = doubles(values, "poses");
  if (array.size() == 0) return list;
  const bool matrices = array.ndim() == 3 && array.shape(1) == 4 && array.shape(2) == 4;
  if (!matrices && !(array.ndim() == 2 && array.shape(1) == 7))
    refuse(ErrorCode::bad_pose,
           "many poses are N x 7 numbers (translation, quaternion w x y z), N x 4 x 4, or a list of graze.Pose; not " +
               shape_text(array));
  const auto count = static_cast<std::size_t>(array.shape(0));
  list.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    try {
      list.push_back(matrices ? pose_of_matrix(array.data() + 16 * i) : pose_of_row(array.data() + 7 * i));
    } catch (const graze::Error& error) {
      refuse(error.detail().code, error.detail().message, "row", i);
    }
  }
  return list;
}

py::array_t<double> array_of(const graze::Vec3& v) {
  py::array_t<double> array(3);
  double* const d = array.mutable_data();
  d[0] = v.x, d[1] = v.y, d[2] = v.z;
  return array;
}

py::array_t<double> array_of(const std::array<graze::Vec3, 2>& v) {
  py::array_t<double> array(std::vector<py::ssize_t>{2, 3});
  double* const d = array.mutable_data();
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 3; ++k) d[3 * i + k] = v[static_cast<std::size_t>(i)][k];
  return array;
}

py::array_t<double> array_of(const graze::Box3& box) { return array_of(std::array<graze::Vec3, 2>{box.lo, box.hi}); }

std::optional<std::chrono::nanoseconds> seconds(py::handle value) {
  if (value.is_none()) return std::nullopt;
  const py::object given = py::hasattr(value, "total_seconds") ? py::object(value.attr("total_seconds")())
                                                               : py::reinterpret_borrow<py::object>(value);
  const double s = PyFloat_AsDouble(given.ptr());
  if (s == -1 && PyErr_Occurred()) throw py::error_already_set();
  if (std::isnan(s)) refuse(ErrorCode::not_finite, "the budget is a number of seconds, not NaN", "option");
  constexpr double most = 9e9;  // seconds that nanoseconds can count: three centuries
  return std::chrono::nanoseconds(static_cast<std::int64_t>(std::clamp(s, -most, most) * 1e9));
}

graze::CancelToken cancel(py::handle value) {
  if (value.is_none()) return {};
  if (py::isinstance<graze::CancelSource>(value)) return value.cast<const graze::CancelSource&>().token();
  return value.cast<graze::CancelToken>();
}

std::string describe(py::handle object, const char* name, const std::vector<const char*>& attributes) {
  std::string text = std::string(name) + "(";
  bool first = true;
  for (const char* const attribute : attributes) {
    const py::object value = object.attr(attribute);
    if (value.is_none()) continue;
    std::string shown;
    if (py::isinstance<py::array>(value)) {
      const py::array array = value.cast<py::array>();
      if (array.size() == 0) continue;
      if (array.size() > 6)
        shown = "<" + shape_text(array) + ">";
      else
        shown = py::repr(value.attr("tolist")());
    } else if (py::isinstance<py::list>(value)) {
      if (py::len(value) == 0) continue;
      shown = py::len(value) == 1 ? std::string(py::repr(value)) : "<" + std::to_string(py::len(value)) + ">";
    } else {
      shown = py::hasattr(value, "_short") ? value.attr("_short").cast<std::string>() : std::string(py::repr(value));
    }
    text += (first ? "" : ", ") + std::string(attribute) + "=" + shown;
    first = false;
  }
  return text + ")";
}

bool has_name(PyObject* member, py::handle text) {
  return py::handle(member).attr("name").cast<std::string>() == text.cast<std::string>();
}

std::string name_of(const py::dtype& type) { return type.attr("name").cast<std::string>(); }

void no_truth_value(const char* name) {
  throw py::type_error(
      std::string("a ") + name +
      " has no truth value, because an undecided answer must not read as no; compare its status, as in "
      "result.status == graze.Status.contact");
}

}  // namespace graze_python
