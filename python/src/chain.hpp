// SPDX-License-Identifier: MIT
#pragma once

#include "convert.hpp"

#include <variant>

#include <graze/motion/chain.hpp>

GRAZE_PYTHON_ENUM(graze::JointType)

namespace graze_python {
/// A link by its number or its name.
struct LinkArg {
  std::variant<std::uint32_t, std::string> value;
  /// Refused if there is none.
  graze::LinkId of(const graze::Chain& chain) const;
};
inline py::object number(const std::optional<graze::LinkId>& link) {
  return link ? py::object(py::int_(graze::index(*link))) : py::object(py::none());
}
}  // namespace graze_python

namespace pybind11::detail {
template <>
struct type_caster<graze_python::LinkArg> {
  PYBIND11_TYPE_CASTER(graze_python::LinkArg, const_name("LinkLike"));
  bool load(handle source, bool) {
    if (PyUnicode_Check(source.ptr())) {
      value.value = source.cast<std::string>();
      return true;
    }
    make_caster<std::uint32_t> number;
    if (PyBool_Check(source.ptr()) || !number.load(source, false)) return false;
    value.value = cast_op<std::uint32_t>(number);
    return true;
  }
};
}  // namespace pybind11::detail
