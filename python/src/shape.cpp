// SPDX-License-Identifier: MIT
#include "shape.hpp"

#include <graze/shape/shape.hpp>

#include "mesh_arrays.hpp"
#include "module.hpp"

namespace graze_python {

namespace shape = graze::shape;
using shape::Shape;

namespace {

py::object kind_of(const Shape& s) {
  return std::visit([](const auto& kind) { return py::cast(kind); }, s.kind);
}

py::array_t<double> points_of(const shape::Hull& hull) {
  py::array_t<double> array(std::vector<py::ssize_t>{static_cast<py::ssize_t>(hull.points.size()), 3});
  std::copy_n(reinterpret_cast<const double*>(hull.points.data()), 3 * hull.points.size(), array.mutable_data());
  return array;
}

template <class K>
py::class_<K> bind_kind(py::module_& m, const char* name, const char* what) {
  py::class_<K> c(m, name, what);
  c.def("__repr__", [name](const K& kind) -> std::string {
    if constexpr (std::is_same_v<K, shape::Hull>)
      return "Hull(" + std::to_string(kind.points.size()) + " points)";
    else
      return std::string(name) + "('" + shape::to_text(Shape(kind)) + "')";
  });
  if constexpr (std::is_same_v<K, shape::Hull>)
    c.def(py::pickle([](const K& kind) { return py::make_tuple(points_of(kind)); },
                     [](const py::tuple& state) { return K{positions(state[0])}; }));
  else  // numbers of the text are read back as they were
    c.def(py::pickle(
        [](const K& kind) { return py::make_tuple(shape::to_text(Shape(kind))); },
        [](const py::tuple& state) { return std::get<K>(shape::from_text(state[0].cast<std::string>()).kind); }));
  return c;
}

}  // namespace

Shape shape_of(py::handle value) {
  const auto is = [&](auto kind, std::optional<Shape>& found) {
    using K = decltype(kind);
    if (!found && py::isinstance<K>(value)) found.emplace(*value.cast<const K*>());
  };
  std::optional<Shape> found;
  if (py::isinstance<Shape>(value)) return *value.cast<const Shape*>();
  is(shape::Sphere{}, found), is(shape::Capsule{}, found), is(shape::Box{}, found), is(shape::Cylinder{}, found);
  is(shape::Cone{}, found), is(shape::Ellipsoid{}, found), is(shape::HalfSpace{}, found), is(shape::Hull{}, found);
  if (!found) throw py::type_error(std::string("not a shape of graze.shape, but ") + Py_TYPE(value.ptr())->tp_name);
  return *found;
}

bool is_shape(py::handle value) {
  return py::isinstance<Shape>(value) || py::isinstance<shape::Sphere>(value) ||
         py::isinstance<shape::Capsule>(value) || py::isinstance<shape::Box>(value) ||
         py::isinstance<shape::Cylinder>(value) || py::isinstance<shape::Cone>(value) ||
         py::isinstance<shape::Ellipsoid>(value) || py::isinstance<shape::HalfSpace>(value) ||
         py::isinstance<shape::Hull>(value);
}

void bind_shape(py::module_& package) {
  py::module_ m = package.def_submodule("shape", "Convex solids that are what they say, not tessellations.");
  m.attr("__module__") = "graze.shape";
  bind_kind<shape::Sphere>(m, "Sphere", "A ball, centred at the origin.")
      .def(py::init([](double radius) { return shape::Sphere{radius}; }), py::arg("radius") = 1.0)
      .def_readonly("radius", &shape::Sphere::radius);
  bind_kind<shape::Capsule>(m, "Capsule", "All points within ``radius`` of a segment along z.")
      .def(py::init([](double radius, double length) {
             return shape::Capsule{radius, length};
           }),
           py::arg("radius") = 1.0, py::arg("length") = 1.0)
      .def_readonly("radius", &shape::Capsule::radius)
      .def_readonly("length", &shape::Capsule::length);
  bind_kind<shape::Box>(m, "Box", "An axis-aligned box, given by the whole lengths of its sides.")
      .def(py::init([](const Vec3Arg& sides) { return shape::Box{sides.v}; }),
           py::arg("sides") = py::make_tuple(1.0, 1.0, 1.0))
      .def_property_readonly("sides", [](const shape::Box& b) { return array_of(b.sides); });
  bind_kind<shape::Cylinder>(m, "Cylinder", "Around the z axis.")
      .def(py::init([](double radius, double height) {
             return shape::Cylinder{radius, height};
           }),
           py::arg("radius") = 1.0, py::arg("height") = 1.0)
      .def_readonly("radius", &shape::Cylinder::radius)
      .def_readonly("height", &shape::Cylinder::height);
  bind_kind<shape::Cone>(m, "Cone", "Around the z axis: the base at z = -height / 2, the tip at z = height / 2.")
      .def(py::init([](double radius, double height) {
             return shape::Cone{radius, height};
           }),
           py::arg("radius") = 1.0, py::arg("height") = 1.0)
      .def_readonly("radius", &shape::Cone::radius)
      .def_readonly("height", &shape::Cone::height);
  bind_kind<shape::Ellipsoid>(m, "Ellipsoid", "Given by its three half axes.")
      .def(py::init([](const Vec3Arg& axes) { return shape::Ellipsoid{axes.v}; }),
           py::arg("half_axes") = py::make_tuple(1.0, 1.0, 1.0))
      .def_property_readonly("half_axes", [](const shape::Ellipsoid& e) { return array_of(e.half_axes); });
  bind_kind<shape::HalfSpace>(m, "HalfSpace", "All points with z <= 0.").def(py::init<>());
  bind_kind<shape::Hull>(m, "Hull", "The convex hull of points, which may be flat or a single point.")
      .def(py::init([](const py::object& points) { return shape::Hull{positions(points)}; }), py::arg("points"))
      .def_property_readonly("points", &points_of);
  py::class_<Shape>(m, "Shape", "One of the kinds, and all points within ``rounding`` of it.")
      .def(py::init([](const py::object& kind, double rounding) {
             Shape s = shape_of(kind);
             if (py::isinstance<Shape>(kind)) return shape::rounded(s, rounding);
             s.rounding = rounding;
             return s;
           }),
           py::arg("kind"), py::arg("rounding") = 0.0)
      .def_property_readonly("kind", &kind_of)
      .def_readonly("rounding", &Shape::rounding)
      .def(py::pickle([](const Shape& s) { return py::make_tuple(kind_of(s), s.rounding); },
                      [](const py::tuple& state) {
                        Shape s = shape_of(state[0]);
                        s.rounding = state[1].cast<double>();
                        return s;
                      }))
      .def("__repr__", [](const Shape& s) {
        const bool text = !std::holds_alternative<shape::Hull>(s.kind);
        return "Shape(" + (text ? "'" + shape::to_text(s) + "'" : std::string(py::repr(kind_of(s)))) + ")";
      });
  m.def(
      "rounded", [](const py::object& s, double radius) { return shape::rounded(shape_of(s), radius); },
      py::arg("shape"), py::arg("radius"), "The shape and all points within ``radius`` of it.");
  m.def(
      "from_text", [](const std::string& text) { return shape::from_text(text); }, py::arg("text"),
      "As the command line takes it: 'sphere:0.5', 'box:1,2,3+0.1' (rounded by 0.1).");
  m.def(
      "to_text", [](const py::object& s) { return shape::to_text(shape_of(s)); }, py::arg("shape"));
  m.def(
      "bounds", [](const py::object& s) { return array_of(shape::bounds(shape_of(s))); }, py::arg("shape"),
      "2 x 3: a box that contains the shape, rounded outward.");
}

}  // namespace graze_python
