// SPDX-License-Identifier: MIT
#pragma once

#include "convert.hpp"

#include <graze/motion/motion.hpp>

namespace graze_python {
/// A motion, or a pose for a body that does not move.
struct MotionArg {
  graze::Motion motion;
};
graze::Motion motion_of(py::handle value);
}  // namespace graze_python

namespace pybind11::detail {
template <>
struct type_caster<graze_python::MotionArg> {
  PYBIND11_TYPE_CASTER(graze_python::MotionArg, const_name("MotionLike"));
  bool load(handle source, bool) {
    value.motion = graze_python::motion_of(source);
    return true;
  }
};
}  // namespace pybind11::detail
