// SPDX-License-Identifier: MIT
#include <graze/clash/clash.hpp>
#include <graze/clash/report.hpp>

#include <algorithm>
#include <filesystem>

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <graze/io/mesh_file.hpp>
#include <graze/mesh/weld.hpp>

#include "convert.hpp"
#include "enums.hpp"
#include "module.hpp"

/// What graze/clash.py is made of: it has the classes that users see.
namespace graze_python {

namespace clash = graze::clash;

namespace {

struct ClashRow {
  std::uint32_t a, b, kind, contained;  // no padding: equal rows have equal bytes
  double distance, depth;
  double points[2][3], overlap[2][3];  ///< the box: lo, hi; NaN: empty
  double volume;
};

void write(double (&out)[2][3], const graze::Vec3& first, const graze::Vec3& second) {
  const graze::Vec3* both[] = {&first, &second};
  for (int i = 0; i < 2; ++i) out[i][0] = both[i]->x, out[i][1] = both[i]->y, out[i][2] = both[i]->z;
}

ClashRow row_of(const clash::Clash& c) {
  ClashRow row{};
  row.a = c.a, row.b = c.b;
  row.kind = static_cast<std::uint32_t>(c.kind), row.contained = static_cast<std::uint32_t>(c.contained);
  row.distance = c.distance, row.depth = c.depth;
  write(row.points, c.points[0], c.points[1]);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const bool empty = c.overlap.empty();
  write(row.overlap, empty ? graze::Vec3{nan, nan, nan} : c.overlap.lo,
        empty ? graze::Vec3{nan, nan, nan} : c.overlap.hi);
  row.volume = c.overlap_volume();
  return row;
}

graze::Vec3 vec3_of(const double (&v)[3]) { return {v[0], v[1], v[2]}; }

clash::Clash clash_of(const ClashRow& row) {
  clash::Clash c;
  c.a = row.a, c.b = row.b;
  c.kind = static_cast<clash::Kind>(row.kind), c.contained = static_cast<graze::Containment>(row.contained);
  c.distance = row.distance, c.depth = row.depth;
  c.points = {vec3_of(row.points[0]), vec3_of(row.points[1])};
  if (row.overlap[0][0] == row.overlap[0][0]) c.overlap = {vec3_of(row.overlap[0]), vec3_of(row.overlap[1])};
  return c;
}

graze::Mesh read(const std::filesystem::path& path, bool weld) {
  graze::Mesh mesh = graze::load_mesh(path);
  return weld ? graze::weld(mesh) : mesh;
}

/// (mesh or path, weld, box): a box is given for files, which are then read when they are needed.
clash::Geometry geometry(const py::tuple& given) {
  if (py::isinstance<graze::Mesh>(given[0])) return clash::geometry(given[0].cast<graze::Mesh>());
  const auto path = given[0].cast<std::filesystem::path>();
  const bool weld = given[1].cast<bool>();
  const auto box = rows_of_doubles(given[2], 3, "a box");
  const auto corner = [&](py::ssize_t i) { return graze::Vec3{box.at(i, 0), box.at(i, 1), box.at(i, 2)}; };
  return {[path, weld] { return read(path, weld); }, {corner(0), corner(1)}};
}

/// Columns: names, numbers of geometries, N x 7 poses, groups, GUIDs. As columns, a hundred thousand parts are sent to
/// another process in a fraction of a second.
std::vector<clash::Part> parts_of(const py::tuple& columns) {
  const auto names = columns[0].cast<std::vector<std::string>>(), groups = columns[3].cast<std::vector<std::string>>(),
             guids = columns[4].cast<std::vector<std::string>>();
  const auto geometries = columns[1].cast<py::array_t<std::uint32_t, py::array::c_style>>();
  const std::vector<graze::Pose> at = poses(columns[2]);
  const std::size_t count = names.size();
  if (at.size() != count || groups.size() != count || guids.size() != count ||
      static_cast<std::size_t>(geometries.size()) != count)
    refuse(graze::ErrorCode::bad_option, "the columns of the parts have different lengths", "parts");
  std::vector<clash::Part> out;
  out.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    out.push_back({names[i], geometries.data()[i], at[i], groups[i], guids[i], {}});
  return out;
}

/// N x 7 numbers of whatever poses are given as.
py::array_t<double> pose_rows(const py::list& given) {
  py::array_t<double> out(std::vector<py::ssize_t>{static_cast<py::ssize_t>(given.size()), 7});
  double* d = out.mutable_data();
  for (std::size_t i = 0; i < given.size(); ++i, d += 7) try {
      const graze::Pose at = pose(given[i]);
      const graze::Vec3& t = at.translation();
      const graze::Quat& q = at.rotation();
      const double seven[]{t.x, t.y, t.z, q.w, q.x, q.y, q.z};
      std::copy(seven, seven + 7, d);
    } catch (const graze::Error& error) {
      refuse(error.detail().code, error.detail().message, "part", i);
    }
  return out;
}

/// A checker is used by one thread at a time.
struct ClashChecker {
  clash::Checker checker;
  std::shared_ptr<py::object> progress;  ///< of the call that runs
};

py::tuple error_of(const graze::ErrorDetail& d) {
  return py::make_tuple(d.code, d.message, d.element.empty() ? py::object(py::none()) : py::str(d.element),
                        d.id == graze::ErrorDetail::none ? py::object(py::none()) : py::int_(d.id),
                        d.file.empty() ? py::object(py::none()) : py::str(d.file),
                        d.line == graze::ErrorDetail::none ? py::object(py::none()) : py::int_(d.line));
}

py::dict result_of(const clash::Result& r) {
  std::vector<ClashRow> rows(r.clashes.size());
  std::transform(r.clashes.begin(), r.clashes.end(), rows.begin(), row_of);
  py::list unanswered;
  for (const clash::Unanswered& u : r.unanswered)
    unanswered.append(py::make_tuple(u.a, u.b ? py::object(py::int_(*u.b)) : py::none(), error_of(u.error)));
  py::dict d;
  d["rows"] = py::array_t<ClashRow>(static_cast<py::ssize_t>(rows.size()), rows.data());
  d["unanswered"] = unanswered;
  d["complete"] = r.complete, d["done"] = r.rows;
  d["near_pairs"] = r.near_pairs, d["ignored_pairs"] = r.ignored_pairs, d["asked_pairs"] = r.asked_pairs;
  d["built"] = r.built, d["most_bytes"] = r.most_bytes;
  return d;
}

}  // namespace

void bind_clash(py::module_& m) {
  PYBIND11_NUMPY_DTYPE(ClashRow, a, b, kind, contained, distance, depth, points, overlap, volume);
  m.def(
      "_mesh_box",
      [](const std::filesystem::path& path, bool weld) {
        graze::Box3 box;
        {
          const py::gil_scoped_release release;
          box = read(path, weld).box();
        }
        return array_of(box);
      },
      py::arg("path"), py::arg("weld"), "The box of a mesh file.");
  m.def("_pose_rows", &pose_rows, py::arg("poses"), "Poses of parts as N x 7 numbers.");
  m.def(
      "_clash_report",
      [](const std::vector<py::tuple>& parts, const py::array_t<ClashRow, py::array::c_style>& rows,
         const std::vector<py::tuple>& unanswered, bool complete, const std::string& format, const std::string& unit,
         double metres, const std::string& date, bool whole, const py::object& earlier) {
        clash::Assembly assembly;
        for (const py::tuple& p : parts)
          assembly.parts.push_back({p[0].cast<std::string>(), p[1].cast<std::uint32_t>(), pose(p[2]),
                                    p[3].cast<std::string>(), p[4].cast<std::string>(), p[5].cast<std::string>()});
        assembly.geometries.resize(assembly.parts.size());
        clash::Result result;
        for (py::ssize_t i = 0; i < rows.size(); ++i) result.clashes.push_back(clash_of(rows.at(i)));
        for (const py::tuple& u : unanswered) {
          graze::ErrorDetail error;
          error.code = u[2].cast<graze::ErrorCode>(), error.message = u[3].cast<std::string>();
          error.file = u[4].cast<std::string>();
          result.unanswered.push_back({u[0].cast<std::uint32_t>(), u[1].cast<std::optional<std::uint32_t>>(), error});
        }
        result.complete = complete;
        result.status = !result.clashes.empty() ? graze::Status::contact
                        : complete              ? graze::Status::free
                                                : graze::Status::undecided;
        result.rows = whole ? assembly.parts.size() : 0;
        std::optional<std::vector<clash::EarlierClash>> before;
        if (!earlier.is_none()) {
          before.emplace();
          for (const py::handle given : earlier) {
            const auto [a, b, kind] = given.cast<std::tuple<std::string, std::string, std::string>>();
            const std::optional<clash::Kind> known = clash::kind_named(kind);
            if (!known)
              refuse(graze::ErrorCode::bad_file, "the earlier report has a clash of unknown kind '" + kind + "'");
            before->push_back({a, b, *known});
          }
        }
        clash::Report report = clash::report(assembly, result, clash::Repeats::geometries, before);
        report.unit = unit, report.metres = metres;
        const auto as = format == "csv"    ? clash::ReportFormat::csv
                        : format == "json" ? clash::ReportFormat::json
                                           : clash::ReportFormat::bcf;
        return py::bytes(clash::report_bytes(assembly, report, as, date));
      },
      py::arg("parts"), py::arg("rows"), py::arg("unanswered"), py::arg("complete"), py::arg("format"), py::arg("unit"),
      py::arg("metres"), py::arg("date"), py::arg("whole"), py::arg("earlier"), "The bytes of a file of clashes.");
  py::class_<ClashChecker>(m, "_ClashChecker", "Pairs of the parts of an assembly, by rows: see graze.clash.")
      .def(py::init([](const std::vector<py::tuple>& geometries, const py::tuple& parts,
                       const std::vector<py::tuple>& rules, double clearance, double tolerance, bool touching,
                       bool depth, bool within_groups, std::size_t most, std::size_t memory, int threads,
                       std::uint64_t work, const py::object& budget, const py::object& cancel_token) {
             clash::Assembly assembly;
             for (const py::tuple& g : geometries) assembly.geometries.push_back(geometry(g));
             assembly.parts = parts_of(parts);
             clash::Options o;
             o.clearance = clearance, o.tolerance = tolerance, o.touching = touching, o.depth = depth;
             o.within_groups = within_groups, o.most = most, o.memory = memory, o.threads = threads, o.work = work;
             for (const py::tuple& r : rules)
               o.rules.push_back({r[0].cast<std::string>(), r[1].cast<std::string>(), r[2].cast<bool>(),
                                  r[3].cast<std::optional<double>>(), r[4].cast<std::optional<double>>()});
             const auto progress = std::make_shared<py::object>(py::none());
             if (!budget.is_none()) o.budget = seconds(budget);
             if (!cancel_token.is_none()) o.cancel = cancel(cancel_token);
             o.progress = [progress](const clash::Progress& now) {
               const py::gil_scoped_acquire acquire;
               if (PyErr_CheckSignals() != 0) throw py::error_already_set();
               if (!progress->is_none()) (*progress)(now.rows_done, now.rows);
             };
             return new ClashChecker{clash::Checker(std::move(assembly), std::move(o)), progress};
           }),
           py::arg("geometries"), py::arg("parts"), py::arg("rules"), py::kw_only(), py::arg("clearance"),
           py::arg("tolerance"), py::arg("touching"), py::arg("depth"), py::arg("within_groups"), py::arg("most"),
           py::arg("memory"), py::arg("threads"), py::arg("work"), py::arg("budget"), py::arg("cancel"))
      .def("rows", [](const ClashChecker& c) { return c.checker.rows(); })
      .def(
          "run",
          [](ClashChecker& c, std::uint64_t first, std::uint64_t last, const py::object& progress) {
            *c.progress = progress;
            struct Forget {
              py::object& held;
              ~Forget() { held = py::none(); }
            } forget{*c.progress};
            clash::Result result;
            {
              const py::gil_scoped_release release;
              result = c.checker.run(first, last);
            }
            return result_of(result);
          },
          py::arg("first"), py::arg("last"), py::arg("progress"));
}

}  // namespace graze_python
