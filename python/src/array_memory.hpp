// SPDX-License-Identifier: MIT
#pragma once

#include "convert.hpp"

#include <memory>

namespace graze_python {

/// A reference to a Python object that the engine holds. It may be dropped in any thread, with or without the
/// interpreter's lock: waiting for the lock there could wait for a thread that waits for this one.
class Held {
 public:
  explicit Held(py::object object) : object_(object.release().ptr()) {}
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held();

 private:
  PyObject* object_;
};

/// Can nobody write to the array's memory? So it is if the array and everything that it is a view of is read-only, down
/// to the owner: an array, bytes, or memory of the engine.
bool is_constant(const py::array& array);

/// Are these numbers of this type, in native order, each at an address that is right for it?
template <class T>
bool is_readable(const py::array& array) {
  return py::isinstance<py::array_t<T, 0>>(array) && (array.flags() & py::detail::npy_api::NPY_ARRAY_ALIGNED_) != 0;
}

/// And so many columns, row after row, so that the engine can read them where they are?
template <class T>
bool is_as_stored(const py::array& array, py::ssize_t columns) {
  return is_readable<T>(array) && array.ndim() == 2 && array.shape(1) == columns &&
         py::isinstance<py::array_t<T, py::array::c_style>>(array);
}

}  // namespace graze_python
