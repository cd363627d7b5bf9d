// SPDX-License-Identifier: MIT
#include "array_memory.hpp"

#include <mutex>
#include <vector>

namespace graze_python {
namespace {

std::mutex mutex;
std::vector<PyObject*>& dropped() {  // never destroyed: threads may drop objects until the process ends
  static auto* const list = new std::vector<PyObject*>;
  return *list;
}

/// With the interpreter's lock.
int release_dropped(void*) {
  std::vector<PyObject*> now;
  {
    const std::lock_guard lock(mutex);
    now.swap(dropped());
  }
  for (PyObject* const object : now) Py_DECREF(object);
  return 0;
}

}  // namespace

Held::~Held() {
  if (!Py_IsInitialized()) return;  // the interpreter has ended, and its objects with it
  if (PyGILState_Check()) {
    release_dropped(nullptr);  // what could not be announced because too much was waiting
    Py_DECREF(object_);
    return;
  }
  {
    const std::lock_guard lock(mutex);
    dropped().push_back(object_);
  }
  Py_AddPendingCall(release_dropped, nullptr);
}

bool is_constant(const py::array& array) {
  if (array.writeable()) return false;
  const py::object base = array.base();
  if (!base || PyBytes_Check(base.ptr())) return true;
  if (py::isinstance<py::array>(base)) return is_constant(py::reinterpret_borrow<py::array>(base));
  return is_view_of_engine(base);
}

}  // namespace graze_python
