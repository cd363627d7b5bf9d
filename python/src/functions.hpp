// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

/// Python functions that an object of the engine calls. The engine holds them, where Python's garbage collector does
/// not see them: a function that refers to the object would keep it for ever. So the object lists them for the
/// collector.
namespace graze_python {
namespace py = pybind11;

/// A function, given back with the interpreter held, whichever thread drops it last.
class HeldFunction {
 public:
  explicit HeldFunction(py::object function) : function_(std::move(function)) {}
  HeldFunction(const HeldFunction&) = delete;
  HeldFunction& operator=(const HeldFunction&) = delete;
  ~HeldFunction() {
    const py::gil_scoped_acquire acquire;
    function_ = {};
  }
  /// Only with the interpreter held, as are the two below. Empty: the collector has taken it.
  py::object function() const { return function_; }
  int visit(visitproc visit, void* arg) const { return function_ ? visit(function_.ptr(), arg) : 0; }
  void clear() { py::object dropped = std::exchange(function_, {}); }

 private:
  py::object function_;
};

/// A function of two numbers that says yes or no. The engine must not see its exceptions: the first is kept until the
/// question has ended, and the answer is dropped then.
class Predicate {
 public:
  explicit Predicate(std::shared_ptr<HeldFunction> held) : held_(std::move(held)) {}
  /// From any thread.
  bool operator()(std::size_t a, std::size_t b) {
    const py::gil_scoped_acquire acquire;
    if (raised_) return false;
    ++running_;
    const auto end = std::shared_ptr<void>(nullptr, [](void*) { --running_; });
    try {
      const py::object function = held_->function();
      return !function || py::bool_(function(a, b));
    } catch (...) {
      raised_ = std::current_exception();
      return false;
    }
  }
  /// Is this thread in such a function?
  static bool running() { return running_ > 0; }
  /// With the interpreter held.
  void raise() {
    if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
  }

 private:
  static inline thread_local int running_ = 0;
  std::shared_ptr<HeldFunction> held_;
  std::exception_ptr raised_;
};

/// Those of one object. Used with the interpreter held.
template <class Key>
class HeldFunctions {
 public:
  /// In place of the one with this key; None: there is none any more.
  std::shared_ptr<HeldFunction> set(const Key& key, const py::object& function) {
    return set(key, function.is_none() ? nullptr : std::make_shared<HeldFunction>(function));
  }
  std::shared_ptr<HeldFunction> set(const Key& key, std::shared_ptr<HeldFunction> function) {
    drop([&](const Key& other) { return other == key; });
    if (function) list_.emplace_back(key, function);
    return function;
  }
  template <class Gone>
  void drop(Gone&& gone) {
    List dropped;  // their destructors may run Python, which may change the list
    const auto rest = std::stable_partition(list_.begin(), list_.end(), [&](const auto& e) { return !gone(e.first); });
    std::move(rest, list_.end(), std::back_inserter(dropped));
    list_.erase(rest, list_.end());
  }
  int visit(visitproc visit, void* arg) const {
    for (const auto& entry : list_)
      if (const int stopped = entry.second->visit(visit, arg)) return stopped;
    return 0;
  }
  void clear() {
    for (const auto& entry : List(list_)) entry.second->clear();
  }

 private:
  using List = std::vector<std::pair<Key, std::shared_ptr<HeldFunction>>>;
  List list_;
};

/// An argument of py::class_<T>: the collector sees `T::functions`.
template <class T>
py::custom_type_setup collected() {
  return py::custom_type_setup([](PyHeapTypeObject* heap) {
    static constexpr auto of = [](PyObject* self) -> T* {  // null while it is being made
      auto value = reinterpret_cast<py::detail::instance*>(self)->get_value_and_holder();
      return value.holder_constructed() ? static_cast<T*>(value.value_ptr()) : nullptr;
    };
    PyTypeObject& type = heap->ht_type;
    type.tp_flags |= Py_TPFLAGS_HAVE_GC;
    type.tp_traverse = [](PyObject* self, visitproc visit, void* arg) -> int {
      Py_VISIT(Py_TYPE(self));
      const T* const object = of(self);
      return object ? object->functions.visit(visit, arg) : 0;
    };
    type.tp_dealloc = [](PyObject* self) {  // the collector must not look at what is half gone
      PyObject_GC_UnTrack(self);
      reinterpret_cast<PyTypeObject*>(py::detail::get_internals().instance_base)->tp_dealloc(self);
    };
    type.tp_clear = [](PyObject* self) -> int {
      if (T* const object = of(self)) object->functions.clear();
      return 0;
    };
  });
}

}  // namespace graze_python
