// SPDX-License-Identifier: MIT
#pragma once

#include "convert.hpp"

#include <graze/shape/shape.hpp>

namespace graze_python {
bool is_shape(py::handle value);
graze::shape::Shape shape_of(py::handle value);
}  // namespace graze_python
