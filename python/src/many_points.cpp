// SPDX-License-Identifier: MIT
#include <graze/ask/contains.hpp>

#include "batch.hpp"
#include "module.hpp"

namespace graze_python {

using graze::Body;
using graze::RayResult;

std::vector<graze::Ray> rays_of(py::handle value) {
  py::array_t<double, py::array::c_style> array = doubles(value, "rays");
  if (array.ndim() == 3 && array.shape(1) == 2 && array.shape(2) == 3)
    array = array.reshape({array.shape(0), py::ssize_t{6}});
  array = rows_of_doubles(array, 6, "rays (start and end)");
  std::vector<graze::Ray> rays;
  rays.reserve(static_cast<std::size_t>(array.shape(0)));
  for (const double* d = array.data(); rays.size() < static_cast<std::size_t>(array.shape(0)); d += 6)
    rays.push_back({{d[0], d[1], d[2]}, {d[3], d[4], d[5]}});
  return rays;
}

namespace {

struct RayRow {
  std::uint8_t status;
  bool certain;
  double fraction, point[3], normal[3], weights[3];
  std::uint32_t triangle, polygon;
  std::int32_t piece;  ///< -1: no compound
};
struct ContainsRow {
  std::uint8_t status;  ///< undecided: not asked yet
  std::uint8_t location;
  std::int32_t piece;
};

std::int32_t piece_of(const std::optional<graze::PieceId>& piece) {
  return piece ? static_cast<std::int32_t>(graze::index(*piece)) : -1;
}

void write_row(const RayResult& r, RayRow& row) {
  const graze::RayHit hit = r.hit.value_or(graze::RayHit{});
  row.status = static_cast<std::uint8_t>(r.status);
  row.certain = r.certain;
  row.fraction = r.hit ? hit.fraction : not_known;
  write(row.point, r.hit ? std::optional(hit.point) : std::nullopt);
  write(row.normal, hit.normal);
  for (std::size_t i = 0; i < 3; ++i) row.weights[i] = r.hit ? hit.weights[i] : not_known;
  row.triangle = graze::index(hit.triangle), row.polygon = graze::index(hit.polygon);
  row.piece = piece_of(hit.piece);
}

/// Points [first, last), until it is cancelled.
void ask_points(const Body& body, const graze::Pose& pose, const double* points, ContainsRow* rows, std::size_t first,
                std::size_t last, const BlockLimits& limits) {
  graze::ContainsResult result;
  for (std::size_t i = first; i < last && !limits.stop.cancelled(); ++i) {
    graze::contains(body, pose, {points[3 * i], points[3 * i + 1], points[3 * i + 2]}, result);
    if (result.error) {
      graze::ErrorDetail detail = *result.error;
      detail.element = "row", detail.id = i;
      throw graze::Error(detail);
    }
    rows[i].location = static_cast<std::uint8_t>(result.location);
    rows[i].piece = piece_of(result.piece);
    rows[i].status = static_cast<std::uint8_t>(result.location == graze::Location::outside ? graze::Status::free
                                                                                           : graze::Status::contact);
  }
}

py::array_t<ContainsRow> contains_many(const Body& body, const PoseArg& pose, const py::object& points, int threads,
                                       const py::object& budget, const py::object& cancel, const py::object& progress) {
  const auto array = rows_of_doubles(points, 3, "points");
  const auto rows = static_cast<std::size_t>(array.shape(0));
  py::array_t<ContainsRow> out(static_cast<py::ssize_t>(rows));
  ContainsRow* const to = out.mutable_data();
  const double* const from = array.data();
  std::memset(static_cast<void*>(to), 0, rows * sizeof(ContainsRow));
  std::fill_n(to, rows,
              ContainsRow{static_cast<std::uint8_t>(graze::Status::undecided),
                          static_cast<std::uint8_t>(graze::Location::invalid_request), -1});
  const BatchOptions options = batch_options(threads, budget, cancel, progress);
  const Block block = [&](std::size_t first, std::size_t count, const BlockLimits& limits) {
    ask_points(body, pose.pose, from, to, first, first + count, limits);
  };
  const BatchEnd end = run_batch(rows, options, options.threads, [&] { return block; });
  if (end.interrupted) raise_interrupted(end.interrupted, out, answered(out));
  return out;
}

}  // namespace

void bind_many_points(py::module_& m) {
  PYBIND11_NUMPY_DTYPE(RayRow, status, certain, fraction, point, normal, weights, triangle, polygon, piece);
  PYBIND11_NUMPY_DTYPE(ContainsRow, status, location, piece);
  m.def(
      "cast_rays",
      [](const Body& body, const PoseArg& pose, const py::object& given, graze::RayHits hits, int threads,
         const py::object& budget, const py::object& cancel, const py::object& progress) {
        if (hits == graze::RayHits::all)
          refuse(graze::ErrorCode::bad_option, "a row holds one hit: ask for 'first' or 'any', or use cast_ray for all",
                 "option");
        const std::vector<graze::Ray> rays = rays_of(given);
        return batch<RayResult, RayRow>(
            rays.size(), batch_options(threads, budget, cancel, progress), graze::RayOptions{hits},
            [&](std::size_t first, std::span<RayResult> block, const graze::ManyOptions<graze::RayOptions>& o) {
              return graze::cast_rays(body, pose.pose, std::span<const graze::Ray>(rays).subspan(first, block.size()),
                                      block, o);
            });
      },
      py::arg("body"), py::arg("pose"), py::arg("rays"), py::kw_only(), py::arg("hits") = graze::RayHits::first,
      GRAZE_PYTHON_BATCH, R"(The question ``cast_ray`` for many rays: N x 6 numbers (start, end) or N x 2 x 3.

The fields of a row: status, certain, fraction (NaN: no hit), point, normal, weights, triangle, polygon, piece (-1: no
compound). The other arguments are as for ``collide_many``.

>>> import graze
>>> graze.cast_rays(graze.Body(graze.make.box()), None, [[-1, 0, 0, 1, 0, 0], [-1, 2, 0, 1, 2, 0]])["fraction"]
array([0.25,  nan])
)");
  m.def("contains_many", &contains_many, py::arg("body"), py::arg("pose"), py::arg("points"), py::kw_only(),
        GRAZE_PYTHON_BATCH, R"(The question ``contains`` for many points: N x 3 numbers.

The fields of a row: location, status (free: outside; contact: inside or on the surface; undecided: not asked), piece (-1:
no compound). The other arguments are as for ``collide_many``.

>>> import graze
>>> rows = graze.contains_many(graze.Body(graze.make.box()), None, [[0, 0, 0], [0.5, 0, 0], [1, 0, 0]])
>>> [graze.Location(location) for location in rows["location"]]
[Location.inside, Location.on_surface, Location.outside]
)");
}

}  // namespace graze_python
