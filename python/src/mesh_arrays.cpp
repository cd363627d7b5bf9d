// SPDX-License-Identifier: MIT
#include "mesh_arrays.hpp"

#include <limits>
#include <memory>

#include "array_memory.hpp"

namespace graze_python {

using graze::ErrorCode;
using graze::Triangle;
using graze::Vec3;

namespace {

/// Floats of any strides, straight into the engine's layout.
template <class T>
std::vector<Vec3> from_floats(const py::array& array) {
  const auto rows = py::reinterpret_borrow<py::array_t<T, 0>>(array).template unchecked<2>();
  std::vector<Vec3> list(static_cast<std::size_t>(rows.shape(0)));
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto row = static_cast<py::ssize_t>(i);
    list[i] = {rows(row, 0), rows(row, 1), rows(row, 2)};
  }
  return list;
}

template <class T>
bool is_rows_of(const py::array& array) {
  return array && array.ndim() == 2 && array.shape(1) == 3 && array.shape(0) > 0 && is_readable<T>(array);
}

}  // namespace

std::vector<Vec3> positions(py::handle values) {
  if (!PyList_Check(values.ptr()) && !PyTuple_Check(values.ptr())) {
    const py::array array = unmasked(values, "vertices");
    if (is_rows_of<double>(array)) return from_floats<double>(array);
    if (is_rows_of<float>(array)) return from_floats<float>(array);
  }
  const auto array = rows_of_doubles(values, 3, "vertices");
  const auto* const d = array.data();
  std::vector<Vec3> list(static_cast<std::size_t>(array.shape(0)));
  for (std::size_t i = 0; i < list.size(); ++i) list[i] = {d[3 * i], d[3 * i + 1], d[3 * i + 2]};
  return list;
}

namespace {

template <class T>
[[noreturn]] void outside(T value, std::size_t polygon) {
  refuse(ErrorCode::index_out_of_range,
         "it has the corner " + std::to_string(value) +
             "; corners are numbered from 0 to the number of vertices, below 2^32",
         "polygon", polygon);
}

template <class T>
std::uint32_t checked(T value, std::size_t polygon) {
  if constexpr (std::is_signed_v<T>) {
    if (value < 0) outside(value, polygon);
  }
  if constexpr (sizeof(T) > 4) {
    if (value > static_cast<T>(std::numeric_limits<std::uint32_t>::max())) outside(value, polygon);
  }
  return static_cast<std::uint32_t>(value);
}

/// Corners of one type of whole numbers and any strides, checked one by one.
template <class T>
void append(const py::array& faces, std::vector<std::uint32_t>& corners) {
  corners.reserve(corners.size() + static_cast<std::size_t>(faces.size()));
  if (faces.ndim() == 1) {
    const auto row = py::reinterpret_borrow<py::array_t<T, 0>>(faces).template unchecked<1>();
    for (py::ssize_t k = 0; k < row.shape(0); ++k) corners.push_back(checked(row(k), 0));
    return;
  }
  const auto rows = py::reinterpret_borrow<py::array_t<T, 0>>(faces).template unchecked<2>();
  for (py::ssize_t i = 0; i < rows.shape(0); ++i)
    for (py::ssize_t k = 0; k < rows.shape(1); ++k) corners.push_back(checked(rows(i, k), static_cast<std::size_t>(i)));
}

void append_any(py::array faces, std::vector<std::uint32_t>& corners) {
  const py::dtype type = faces.dtype();
  if (type.kind() != 'i' && type.kind() != 'u')
    throw py::type_error("faces must be whole numbers (of any size), not of type " + name_of(type));
  const py::object flags = faces.attr("flags");
  if (!type.attr("isnative").cast<bool>() || !flags.attr("aligned").cast<bool>())
    faces = faces.attr("astype")(type.attr("newbyteorder")("="));
  const bool is_signed = type.kind() == 'i';
  switch (type.itemsize()) {
    case 1: return is_signed ? append<std::int8_t>(faces, corners) : append<std::uint8_t>(faces, corners);
    case 2: return is_signed ? append<std::int16_t>(faces, corners) : append<std::uint16_t>(faces, corners);
    case 4: return is_signed ? append<std::int32_t>(faces, corners) : append<std::uint32_t>(faces, corners);
    default: return is_signed ? append<std::int64_t>(faces, corners) : append<std::uint64_t>(faces, corners);
  }
}

/// What a mesh uses: arrays where they are, or copies of them.
struct Memory {
  std::unique_ptr<Held> vertices, faces;
  std::vector<Vec3> own_positions;
  std::vector<std::uint32_t> own_corners;
};

[[noreturn]] void needs_a_copy(const char* what, const char* layout) {
  refuse(ErrorCode::bad_option,
         std::string(what) + " can be used without a copy only if they are " + layout +
             ", row after row; convert them, or leave out copy=False",
         "option");
}

/// The array, if the mesh may use its memory; else null.
template <class T>
py::array shared(py::handle values, const char* what, Copy copy) {
  if (copy == Copy::always || !py::isinstance<py::array>(values)) return py::reinterpret_steal<py::array>(nullptr);
  const py::array array = unmasked(values, what);
  if (!array || array.size() == 0 || !is_as_stored<T>(array, 3)) return py::reinterpret_steal<py::array>(nullptr);
  if (is_constant(array)) return array;
  if (copy != Copy::never) return py::reinterpret_steal<py::array>(nullptr);
  array.attr("flags").attr("writeable") = false;  // so that a later assignment is an error and not a wrong answer
  return array;
}

py::array shared_faces(py::handle faces, Copy copy) {
  const py::array same = shared<std::uint32_t>(faces, "faces", copy);
  const py::array other = same ? same : shared<std::int32_t>(faces, "faces", copy);
  if (!same && other) {  // the same bits, if none is negative
    const auto* const corners = static_cast<const std::int32_t*>(other.data());
    for (py::ssize_t i = 0; i < other.size(); ++i) checked(corners[i], static_cast<std::size_t>(i / 3));
  }
  return other;
}

/// Triangles, some arrays where they are.
graze::Mesh mesh_of_memory(py::handle vertices, const py::array& shared_vertices, const py::array& faces,
                           const py::array& shared_faces) {
  auto memory = std::make_shared<Memory>();
  std::span<const Vec3> points;
  std::span<const Triangle> triangles;
  if (shared_vertices) {
    memory->vertices = std::make_unique<Held>(shared_vertices);
    points = {static_cast<const Vec3*>(shared_vertices.data()), static_cast<std::size_t>(shared_vertices.shape(0))};
  } else {
    points = memory->own_positions = positions(vertices);
  }
  if (shared_faces) {
    memory->faces = std::make_unique<Held>(shared_faces);
    triangles = {static_cast<const Triangle*>(shared_faces.data()), static_cast<std::size_t>(shared_faces.shape(0))};
  } else {
    append_any(faces, memory->own_corners);
    triangles = {reinterpret_cast<const Triangle*>(memory->own_corners.data()), memory->own_corners.size() / 3};
  }
  py::gil_scoped_release release;
  return graze::Mesh::of_memory(points, triangles, std::move(memory));
}

/// Polygons as an array of M x corners, or a list of lists.
graze::PolygonList polygons_of(py::handle faces, const py::array& array) {
  graze::PolygonList list;
  if (array) {
    if (array.size() != 0) append_any(array, list.corners);
    const auto columns = static_cast<std::size_t>(array.shape(1));
    list.first.resize(array.size() == 0 ? 1 : static_cast<std::size_t>(array.shape(0)) + 1);
    for (std::size_t i = 0; i < list.first.size(); ++i) list.first[i] = static_cast<std::uint32_t>(i * columns);
    return list;
  }
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
  return list;
}

}  // namespace

Copy copy_of(py::handle given) {
  if (given.is_none()) return Copy::if_needed;
  if (!PyBool_Check(given.ptr()))
    throw py::type_error("copy is True, False (never), or None (if it is needed), not " +
                         py::repr(given).cast<std::string>());
  return given.ptr() == Py_True ? Copy::always : Copy::never;
}

graze::Mesh mesh_of(py::handle vertices, py::handle faces, Copy copy) {
  const bool is_list = PyList_Check(faces.ptr()) || PyTuple_Check(faces.ptr());
  py::array array = is_list ? py::reinterpret_steal<py::array>(nullptr) : unmasked(faces, "faces");
  if (array && array.ndim() != 2) {
    if (py::isinstance<py::array>(faces) && array.size() != 0)
      refuse(ErrorCode::bad_option,
             "faces have one row of corners for each polygon: M x 3, M x 4, ..., or a list of lists");
    array = py::reinterpret_steal<py::array>(nullptr);
  }
  const py::array here = shared<double>(vertices, "vertices", copy);
  const py::array there = shared_faces(faces, copy);
  if (copy == Copy::never) {
    if (!here) needs_a_copy("vertices", "an N x 3 array of doubles");
    if (!there) needs_a_copy("faces", "an M x 3 array of 32-bit whole numbers");
  }
  if (here || there) {
    if (array && array.shape(1) == 3 && array.size() != 0) return mesh_of_memory(vertices, here, array, there);
  }
  std::vector<Vec3> points = positions(vertices);
  graze::PolygonList list = polygons_of(faces, array);
  py::gil_scoped_release release;
  return graze::Mesh(std::move(points), std::move(list));
}

graze::Mesh mesh_of(py::handle object, Copy copy) {
  if (py::isinstance<graze::Mesh>(object)) return object.cast<graze::Mesh>();
  const auto arrays = py::module_::import("graze._meshes").attr("arrays_of")(object).cast<py::tuple>();
  return mesh_of(arrays[0], arrays[1], copy);
}

}  // namespace graze_python
