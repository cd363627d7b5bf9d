// SPDX-License-Identifier: MIT
#include "mesh_arrays.hpp"

#include <limits>

namespace graze_python {

using graze::ErrorCode;

std::vector<graze::Vec3> positions(py::handle values) {
  const auto array = rows_of_doubles(values, 3, "vertices");
  const auto* const d = array.data();
  std::vector<graze::Vec3> list(static_cast<std::size_t>(array.shape(0)));
  for (std::size_t i = 0; i < list.size(); ++i) list[i] = {d[3 * i], d[3 * i + 1], d[3 * i + 2]};
  return list;
}

namespace {

[[noreturn]] void outside(long long value, std::size_t polygon) {
  refuse(ErrorCode::index_out_of_range,
         "it has the corner " + std::to_string(value) +
             "; corners are numbered from 0 to the number of vertices, below 2^32",
         "polygon", polygon);
}

/// Corners of any whole type, checked one by one.
template <class T>
void append(const py::array& faces, std::vector<std::uint32_t>& corners) {
  const auto array = py::array_t<T, py::array::c_style | py::array::forcecast>::ensure(faces);
  if (!array) throw py::error_already_set();
  const auto count = static_cast<std::size_t>(array.size());
  const auto columns = static_cast<std::size_t>(array.ndim() == 2 ? array.shape(1) : array.size());
  corners.reserve(corners.size() + count);
  for (std::size_t i = 0; i < count; ++i) {
    const T value = array.data()[i];
    if constexpr (std::is_signed_v<T>) {
      if (value < 0) outside(value, i / columns);
    }
    if constexpr (sizeof(T) > 4) {
      if (value > static_cast<T>(std::numeric_limits<std::uint32_t>::max()))
        outside(static_cast<long long>(value), i / columns);
    }
    corners.push_back(static_cast<std::uint32_t>(value));
  }
}

void append_any(const py::array& faces, std::vector<std::uint32_t>& corners) {
  const py::dtype type = faces.dtype();
  if (type.kind() != 'i' && type.kind() != 'u')
    throw py::type_error("faces must be whole numbers (of any size), not of type " + name_of(type));
  if (type.itemsize() == 4 && type.kind() == 'u')
    append<std::uint32_t>(faces, corners);
  else if (type.kind() == 'u' && type.itemsize() == 8)
    append<std::uint64_t>(faces, corners);
  else if (type.itemsize() == 4)
    append<std::int32_t>(faces, corners);
  else
    append<std::int64_t>(faces, corners);  // and all smaller ones
}

}  // namespace

graze::Mesh mesh_of(py::handle vertices, py::handle faces) {
  std::vector<graze::Vec3> points = positions(vertices);
  graze::PolygonList list;
  const py::array array =
      PyList_Check(faces.ptr()) || PyTuple_Check(faces.ptr()) ? py::array() : unmasked(faces, "faces");
  bool rows = array && array.ndim() == 2;
  if (!rows && py::isinstance<py::array>(faces) && array.size() != 0)
    refuse(ErrorCode::bad_option,
           "faces have one row of corners for each polygon: M x 3, M x 4, ..., or a list of lists");
  if (rows) {
    if (array.size() != 0) append_any(array, list.corners);
    const auto columns = static_cast<std::size_t>(array.shape(1));
    const auto count = static_cast<std::size_t>(array.size() == 0 ? 0 : array.shape(0));
    if (columns == 3) {
      py::gil_scoped_release release;
      return graze::Mesh(std::move(points),
                         std::span(reinterpret_cast<const graze::Triangle*>(list.corners.data()), count));
    }
    list.first.resize(count + 1);
    for (std::size_t i = 0; i <= count; ++i) list.first[i] = static_cast<std::uint32_t>(i * columns);
  } else {
    for (const py::handle polygon : py::reinterpret_borrow<py::object>(faces)) {
      const py::array corners = numbers(polygon, "the corners of a face");
      if (corners.ndim() != 1)
        throw py::type_error("faces must be an array with a row for each polygon, or a list of lists of corners");
      try {
        if (corners.size() != 0) append_any(corners, list.corners);
      } catch (const graze::Error& error) {
        refuse(error.detail().code, error.detail().message, "polygon", list.size());
      }
      list.first.push_back(static_cast<std::uint32_t>(list.corners.size()));
    }
  }
  py::gil_scoped_release release;
  return graze::Mesh(std::move(points), std::move(list));
}

graze::Mesh mesh_of(py::handle object) {
  if (py::isinstance<graze::Mesh>(object)) return object.cast<graze::Mesh>();
  const auto arrays = py::module_::import("graze._meshes").attr("arrays_of")(object).cast<py::tuple>();
  return mesh_of(arrays[0], arrays[1]);
}

}  // namespace graze_python
