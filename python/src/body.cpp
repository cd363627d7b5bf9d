// SPDX-License-Identifier: MIT
#include <pybind11/stl.h>

#include <graze/body/body.hpp>

#include "mesh_arrays.hpp"
#include "module.hpp"
#include "shape.hpp"

namespace graze_python {
namespace {

using graze::Body;
using graze::Pose;

py::array_t<double> matrix_of(const Pose& p) {
  py::array_t<double> m(std::vector<py::ssize_t>{4, 4});
  double* const d = m.mutable_data();
  const graze::Vec3 o = Pose({}, p.rotation()).apply({1, 0, 0}), u = Pose({}, p.rotation()).apply({0, 1, 0}),
                    w = Pose({}, p.rotation()).apply({0, 0, 1}), t = p.translation();
  for (int i = 0; i < 3; ++i) d[4 * i] = o[i], d[4 * i + 1] = u[i], d[4 * i + 2] = w[i], d[4 * i + 3] = t[i];
  d[12] = d[13] = d[14] = 0, d[15] = 1;
  return m;
}

py::array_t<double> rotation_of(const Pose& p) {
  const graze::Quat q = p.rotation();
  const double d[] = {q.w, q.x, q.y, q.z};
  return py::array_t<double>(4, d);
}

std::string text_of(const Pose& p) {
  return "Pose(" + std::string(py::repr(array_of(p.translation()).attr("tolist")())) + ", " +
         std::string(py::repr(rotation_of(p).attr("tolist")())) + ")";
}

void bind_pose(py::module_& m) {
  py::class_<Pose>(m, "Pose", R"(Where a body is: a local point x is at R(q / |q|) x + t, in real arithmetic.

Every function that takes a pose also takes a 4 x 4 matrix, (translation, quaternion w x y z), seven numbers of both, an
object with as_quat, or None for the origin. A Pose is the fastest.

>>> import graze
>>> graze.Pose([1, 2, 3])
Pose([1.0, 2.0, 3.0], [1.0, 0.0, 0.0, 0.0])
>>> graze.Pose([[0, -1, 0, 5], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]).translation
array([5., 0., 0.])
)")
      .def(py::init([](const py::object& given, const py::object& rotation) {
             if (!rotation.is_none())
               return Pose(given.is_none() ? graze::Vec3{} : vec3(given, "a translation"), quaternion(rotation));
             if (given.is_none() || py::isinstance<Pose>(given) || py::hasattr(given, "as_quat")) return pose(given);
             const py::array array = py::array::ensure(given);
             return array && array.ndim() == 1 && array.shape(0) == 3 ? Pose(vec3(given, "a translation"))
                                                                      : pose(given);
           }),
           py::arg("translation") = py::none(), py::arg("rotation") = py::none())
      .def_static(
          "from_matrix",
          [](const py::object& matrix) {
            const auto array = doubles(matrix, "a matrix");
            if (array.ndim() != 2 || array.shape(0) != 4 || array.shape(1) != 4)
              refuse(graze::ErrorCode::bad_pose, "a matrix of a pose has 4 x 4 numbers");
            return pose(array);
          },
          py::arg("matrix"), "From 4 x 4 numbers; refused unless it is a rotation and a translation.")
      .def_property_readonly("translation", [](const Pose& p) { return array_of(p.translation()); })
      .def_property_readonly("rotation", &rotation_of, "w x y z, as it was given")
      .def_property_readonly("matrix", &matrix_of, "4 x 4, rounded")
      .def(
          "apply", [](const Pose& p, const Vec3Arg& x) { return array_of(p.apply(x.v)); }, py::arg("local"),
          "The placed point, rounded.")
      .def(
          "__eq__", [](const Pose& p, const Pose& q) { return p == q; }, py::is_operator())
      .def("__hash__",
           [](const Pose& p) {
             return py::hash(py::make_tuple(p.translation().x, p.translation().y, p.translation().z, p.rotation().w,
                                            p.rotation().x, p.rotation().y, p.rotation().z));
           })
      .def("__repr__", &text_of)
      .def(py::pickle([](const Pose& p) { return py::make_tuple(array_of(p.translation()), rotation_of(p)); },
                      [](const py::tuple& t) { return Pose(vec3(t[0], "a translation"), quaternion(t[1])); }));
}

std::string text_of(const Body& body) {
  if (!body.pieces().empty()) return "Body(compound of " + std::to_string(body.pieces().size()) + ")";
  if (body.shape()) return "Body(" + std::string(graze::shape::kind_name(*body.shape())) + ")";
  return "Body(" + std::to_string(body.mesh().triangle_count()) + " triangles)";
}

Body body_of(const py::object& given, int threads) {
  if (is_shape(given)) return Body(shape_of(given), {threads});
  if (py::isinstance<Body>(given)) return given.cast<Body>();
  graze::Mesh mesh = mesh_of(given);
  py::gil_scoped_release release;
  return Body(std::move(mesh), {threads});
}

py::tuple state(const Body& body) {
  py::list pieces;
  for (const graze::Piece& piece : body.pieces()) pieces.append(py::cast(piece));
  if (!pieces.empty()) return py::make_tuple(2, pieces);
  if (!body.shape()) return py::make_tuple(0, body.mesh());
  const graze::shape::Shape& s = *body.shape();
  if (const auto* const hull = std::get_if<graze::shape::Hull>(&s.kind))
    return py::make_tuple(1, py::cast(*hull).attr("points"), s.rounding);
  return py::make_tuple(1, graze::shape::to_text(s), 0.0);
}

Body from_state(const py::tuple& t) {
  const int what = t[0].cast<int>();
  if (what == 0) return Body(t[1].cast<graze::Mesh>());
  if (what == 2) return graze::compound(t[1].cast<std::vector<graze::Piece>>());
  if (py::isinstance<py::str>(t[1])) return Body(graze::shape::from_text(t[1].cast<std::string>()));
  return Body(graze::shape::Shape(graze::shape::Hull{positions(t[1])}, t[2].cast<double>()));
}

std::vector<graze::Piece> pieces_of(const py::iterable& given) {
  std::vector<graze::Piece> pieces;
  for (const py::handle item : given) {
    if (py::isinstance<graze::Piece>(item)) {
      pieces.push_back(item.cast<graze::Piece>());
    } else if (py::isinstance<Body>(item)) {
      pieces.push_back({item.cast<Body>()});
    } else {
      const auto tuple = py::cast<py::tuple>(item);  // body, pose, name
      if (tuple.size() < 1 || tuple.size() > 3)
        throw py::type_error("a piece is a Body, (body, pose) or (body, pose, name)");
      pieces.push_back({tuple[0].cast<Body>(), tuple.size() > 1 ? pose(tuple[1]) : Pose(),
                        tuple.size() > 2 ? tuple[2].cast<std::string>() : std::string()});
    }
  }
  return pieces;
}

}  // namespace

void bind_body(py::module_& m) {
  bind_pose(m);
  py::class_<Body> body(m, "Body",
                        R"(A mesh, a shape or a compound, prepared for queries. Immutable; threads may share it.

    Body(mesh)    a graze.Mesh, or an object with .vertices and .faces
    Body(shape)   one of graze.shape

A mesh is a surface, unless a question is asked with ``solid``. A shape is always solid.

>>> import graze
>>> graze.Body(graze.make.box())
Body(12 triangles)
>>> graze.Body(graze.shape.Sphere(0.5))
Body(sphere)
)");
  py::class_<graze::Piece>(m, "Piece", "A part of a compound, at a pose of its own.")
      .def(py::init([](const Body& b, const PoseArg& p, const std::string& name) {
             return graze::Piece{b, p.pose, name};
           }),
           py::arg("body"), py::arg("pose") = py::none(), py::arg("name") = "")
      .def_readonly("body", &graze::Piece::body)
      .def_readonly("pose", &graze::Piece::pose)
      .def_readonly("name", &graze::Piece::name)
      .def("__repr__",
           [](py::object self) {
             return describe(self, "Piece", {"body", "pose", "name"});
           })
      .def(py::pickle([](const graze::Piece& p) { return py::make_tuple(p.body, p.pose, p.name); },
                      [](const py::tuple& t) {
                        return graze::Piece{t[0].cast<Body>(), t[1].cast<Pose>(), t[2].cast<std::string>()};
                      }));
  body.def(py::init(&body_of), py::arg("mesh"), py::kw_only(), py::arg("threads") = 1)
      .def(
          "deformed",
          [](const Body& b, const py::object& values, int threads) {
            const auto array = rows_of_doubles(values, 3, "positions");  // N x 3 doubles are read where they are
            const std::span points(reinterpret_cast<const graze::Vec3*>(array.data()),
                                   static_cast<std::size_t>(array.shape(0)));
            py::gil_scoped_release release;
            return b.deformed(points, {threads});
          },
          py::arg("positions"), py::kw_only(), py::arg("threads") = 1,
          "The same polygons with new vertex positions; its tree is refitted where that is good enough.")
      .def_property_readonly("is_refitted", &Body::is_refitted)
      .def_property_readonly("has_mesh", &Body::has_mesh)
      .def_property_readonly("mesh", &Body::mesh, py::return_value_policy::copy)
      .def_property_readonly(
          "box", [](const Body& b) { return array_of(b.box()); },
          "2 x 3: a box that contains the body, in its own coordinates")
      .def_property_readonly(
          "shape",
          [](const Body& b) -> py::object { return b.shape() ? py::cast(*b.shape()) : py::object(py::none()); },
          "None: the body is a mesh or a compound")
      .def_property_readonly(
          "pieces", [](const Body& b) { return std::vector<graze::Piece>(b.pieces().begin(), b.pieces().end()); },
          "Those of a compound, as they were given")
      .def(
          "piece", [](const Body& b, std::uint32_t id) { return b.piece(static_cast<graze::PieceId>(id)); },
          py::arg("id"), "A piece at its place in the compound, as questions see it.")
      .def_property_readonly("tree_bytes", &Body::tree_bytes)
      .def_property_readonly("build_seconds", &Body::build_seconds)
      .def("__repr__", [](const Body& b) { return text_of(b); })
      .def(py::pickle(&state, &from_state));
  m.def(
      "compound",
      [](const py::iterable& given, int threads) {
        std::vector<graze::Piece> pieces = pieces_of(given);
        py::gil_scoped_release release;
        return graze::compound(std::move(pieces), {threads});
      },
      py::arg("pieces"), py::kw_only(), py::arg("threads") = 1,
      "Several bodies that move as one: each a Piece, a Body, (body, pose) or (body, pose, name).");
}

}  // namespace graze_python
