// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

/// One function for each file: `collide.cpp` binds what <graze/ask/collide.hpp> declares, and so on.
namespace graze_python {
namespace py = pybind11;

void bind_mesh(py::module_& m);
void bind_make(py::module_& m);
void bind_shape(py::module_& m);
void bind_body(py::module_& m);
void bind_motion(py::module_& m);
void bind_contact(py::module_& m);
void bind_collide(py::module_& m);
void bind_distance(py::module_& m);
void bind_point(py::module_& m);
void bind_first_contact(py::module_& m);
void bind_depth(py::module_& m);
void bind_many(py::module_& m);
void bind_bench(py::module_& m);
void bind_world(py::module_& m);
void bind_many_moving(py::module_& m);
void bind_many_points(py::module_& m);
void bind_clash(py::module_& m);
void bind_clearance_profile(py::module_& m);
void bind_trajectory(py::module_& m);
void bind_chain(py::module_& m);
void bind_first_contacts(py::module_& m);
void bind_robot_model(py::module_& m);
void bind_robot(py::module_& m);
void bind_deform(py::module_& m);
}  // namespace graze_python
