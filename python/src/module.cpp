// SPDX-License-Identifier: MIT
#include "module.hpp"

#include <graze/clash/clash.hpp>

#include "chain.hpp"
#include "deform.hpp"
#include "enums.hpp"
#include "trajectory.hpp"
#include "world_enums.hpp"

namespace graze_python {
namespace {

template <class E>
void load_enum(const char* name) {
  const py::object type = py::module_::import("graze._enums").attr(name);
  auto& list = Members<E>::list;
  list.clear();
  for (py::handle member : type) {
    if (member.attr("value").cast<std::size_t>() != list.size())
      throw py::import_error(std::string("graze._enums.") + name + " does not number its members from 0");
    list.push_back(member.inc_ref().ptr());
  }
}

/// Of the names that C++ prints; the tests compare all of them.
template <class E>
py::list names() {
  py::list list;
  for (std::size_t i = 0; i < Members<E>::list.size(); ++i) list.append(name(static_cast<E>(i)));
  return list;
}

PyObject* error_type = nullptr;  // lives as long as the interpreter

py::object none_or(const std::string& text) { return text.empty() ? py::object(py::none()) : py::str(text); }
py::object none_or(std::uint64_t id) { return id == graze::ErrorDetail::none ? py::object(py::none()) : py::int_(id); }

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const graze::Error& error) {
    const graze::ErrorDetail& d = error.detail();
    const py::object value = py::handle(error_type)(error.what(), d.code, d.message, none_or(d.element), none_or(d.id),
                                                    none_or(d.file), none_or(d.line));
    PyErr_SetObject(error_type, value.ptr());
  }
}

/// `Body.__new__(Body)` makes an object that was never initialised. pybind11 would hand out unset memory as its value.
[[noreturn]] void* not_initialised(std::size_t) {
  throw py::type_error("this object was not initialised: it was made by __new__ without __init__");
}
void refuse_uninitialised(py::handle module) {
  for (const auto& [name, value] : py::dict(module.attr("__dict__"))) {
    if (py::isinstance<py::module_>(value)) refuse_uninitialised(value);
    if (!PyType_Check(value.ptr())) continue;
    auto* const type = py::detail::get_type_info(reinterpret_cast<PyTypeObject*>(value.ptr()));
    if (type) type->operator_new = not_initialised;
  }
}

void bind_limits(py::module_& m) {
  py::class_<graze::CancelToken>(m, "CancelToken", "Tells a query that its answer is no longer needed.")
      .def(py::init<>())
      .def_property_readonly("cancelled", &graze::CancelToken::cancelled);
  py::class_<graze::CancelSource>(m, "CancelSource",
                                  "Cancels the queries that have it, or its token, in their option ``cancel``.")
      .def(py::init<>())
      .def("token", &graze::CancelSource::token)
      .def("cancel", &graze::CancelSource::cancel, "From any thread, while the query runs or before.")
      .def_property_readonly("cancelled", &graze::CancelSource::cancelled);
}

}  // namespace
}  // namespace graze_python

PYBIND11_MODULE(_graze, m) {
  using namespace graze_python;
  m.attr("__module__") = "graze";  // what the classes say of themselves: where users import them from
  m.attr("__version__") = GRAZE_VERSION;
  load_enum<graze::Status>("Status");
  load_enum<graze::ErrorCode>("ErrorCode");
  load_enum<graze::Location>("Location");
  load_enum<graze::ContactKind>("ContactKind");
  load_enum<graze::Containment>("Containment");
  load_enum<graze::FeatureKind>("FeatureKind");
  load_enum<graze::FeatureRef::Type>("FeatureType");
  load_enum<graze::Neighbourhood>("Neighbourhood");
  load_enum<graze::RayHits>("RayHits");
  load_enum<graze::ContactDirection>("ContactDirection");
  load_enum<graze::MeshFormat>("MeshFormat");
  load_enum<graze::SaveOptions::Encoding>("Encoding");
  load_enum<graze::EventKind>("EventKind");
  load_enum<graze::clash::Kind>("ClashKind");
  load_enum<graze::WorldRayHits>("WorldRayHits");
  load_enum<graze::BroadBoxes>("BroadBoxes");
  load_enum<graze::JointType>("JointType");
  load_enum<graze::Interpolation>("Interpolation");
  load_enum<graze::ElementaryKind>("ElementaryKind");
  error_type = py::object(py::module_::import("graze._errors").attr("Error")).release().ptr();
  py::register_exception_translator(translate);
  m.def("_names", [] {
    py::dict all;
    all["Status"] = names<graze::Status>();
    all["ErrorCode"] = names<graze::ErrorCode>();
    all["ContactKind"] = names<graze::ContactKind>();
    all["RayHits"] = names<graze::RayHits>();
    all["ContactDirection"] = names<graze::ContactDirection>();
    all["MeshFormat"] = names<graze::MeshFormat>();
    all["EventKind"] = names<graze::EventKind>();
    all["ClashKind"] = names<graze::clash::Kind>();
    all["BroadBoxes"] = names<graze::BroadBoxes>();
    all["JointType"] = names<graze::JointType>();
    return all;
  });
  bind_limits(m);
  bind_mesh(m);
  bind_make(m);
  bind_shape(m);
  bind_body(m);
  bind_motion(m);
  bind_contact(m);
  bind_collide(m);
  bind_distance(m);
  bind_point(m);
  bind_first_contact(m);
  bind_depth(m);
  bind_many(m);
  bind_bench(m);
  bind_clearance_profile(m);
  bind_trajectory(m);
  bind_chain(m);
  bind_first_contacts(m);
  bind_world(m);
  bind_robot(m);
  bind_deform(m);
  bind_many_moving(m);
  bind_many_points(m);
  bind_clash(m);
  refuse_uninitialised(m);
}
