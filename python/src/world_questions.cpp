// SPDX-License-Identifier: MIT
#include "world.hpp"

#include <pybind11/stl.h>

#include "batch.hpp"
#include "module.hpp"
#include "motion.hpp"
#include "results.hpp"

namespace graze_python {

using graze::BodyId;
using graze::CastResult;
using graze::OverlapResult;
using graze::SweepResult;

namespace {

using Mask = std::optional<std::uint32_t>;
using Except = std::optional<BodyId>;
#define GRAZE_PYTHON_FILTER py::arg("mask") = py::none(), py::arg("exclude") = py::none()

template <class Result>
Result answered(Result result) {
  raise_if_refused(result);
  return result;
}

void bind_rays(py::class_<World>& c) {
  c.def(
       "ray",
       [](World& w, const Vec3Arg& from, const Vec3Arg& to, graze::WorldRayHits hits, Mask mask, Except except) {
         return locked(w, [&](graze::World& world) { return world.ray(from.v, to.v, {hits, {mask, except}}); });
       },
       py::arg("start"), py::arg("end"), py::kw_only(), py::arg("hits") = graze::WorldRayHits::each_body,
       GRAZE_PYTHON_FILTER, "The bodies that the segment between two points meets, in order.")
      .def(
          "rays",
          [](World& w, const py::object& given, graze::WorldRayHits hits, Mask mask, Except except) {
            const std::vector<graze::Ray> rays = rays_of(given);
            std::vector<std::vector<graze::BodyHit>> found(rays.size());
            locked(w, [&](graze::World& world) { world.rays(rays, {hits, {mask, except}}, found); });
            return found;
          },
          py::arg("rays"), py::kw_only(), py::arg("hits") = graze::WorldRayHits::each_body, GRAZE_PYTHON_FILTER,
          "Many rays (N x 2 x 3 numbers), on the world's threads: a list of hits for each.");
}

void bind_casts(py::class_<World>& c) {
  c.def(
       "cast",
       [](World& w, const graze::Body& body, const MotionArg& motion, bool all, const std::string& method,
          std::optional<double> tolerance, double min_separation, bool ignore_start_if_separating, Mask mask,
          Except except, std::uint64_t work, const py::object& budget, const py::object& cancel) {
         graze::CastOptions o;
         o.bodies = {mask, except}, o.all = all, o.method = method, o.tolerance = tolerance;
         o.min_separation = min_separation, o.ignore_start_if_separating = ignore_start_if_separating;
         set_limits(o, work, budget, cancel);
         return answered(locked(w, [&](graze::World& world) { return world.cast(body, motion.motion, o); }));
       },
       py::arg("body"), py::arg("motion"), py::kw_only(), py::arg("all") = false, py::arg("method") = "best_first",
       py::arg("tolerance") = py::none(), py::arg("min_separation") = 0.0,
       py::arg("ignore_start_if_separating") = false, GRAZE_PYTHON_FILTER, GRAZE_PYTHON_LIMITS,
       "What does a body, which need not be in the world, first meet on its way?")
      .def(
          "overlap",
          [](World& w, const graze::Body& body, const PoseArg& p, bool any, Mask mask, Except except,
             std::uint64_t work, const py::object& budget, const py::object& cancel) {
            graze::OverlapOptions o;
            o.bodies = {mask, except}, o.any = any;
            set_limits(o, work, budget, cancel);
            return answered(locked(w, [&](graze::World& world) { return world.overlap(body, p.pose, o); }));
          },
          py::arg("body"), py::arg("pose") = py::none(), py::kw_only(), py::arg("any") = false, GRAZE_PYTHON_FILTER,
          GRAZE_PYTHON_LIMITS, "Which bodies does a body at this pose touch?")
      .def(
          "in_box",
          [](World& w, const Vec3Arg& lo, const Vec3Arg& hi) {
            return locked(w, [&](graze::World& world) { return world.in_box({lo.v, hi.v}); });
          },
          py::arg("low"), py::arg("high"), "All bodies whose surfaces share a point with the solid box.");
}

}  // namespace

void bind_world_questions(py::class_<World>& c) {
  c.def(
      "sweep",
      [](World& w, bool earliest, bool advance, bool each, const std::string& method, std::optional<double> tolerance,
         bool ignore_start_if_separating, double min_separation, const py::object& given, std::uint64_t work,
         const py::object& budget, const py::object& cancel) {
        graze::SweepOptions o;
        o.earliest = earliest, o.advance = advance, o.each = each, o.method = method, o.tolerance = tolerance;
        o.ignore_start_if_separating = ignore_start_if_separating, o.min_separation = min_separation;
        o.details = details(given);
        set_limits(o, work, budget, cancel);
        return answered(locked(w, [&](graze::World& world) { return world.sweep(o); }));
      },
      py::kw_only(), py::arg("earliest") = false, py::arg("advance") = false, py::arg("each") = false,
      py::arg("method") = "best_first", py::arg("tolerance") = py::none(),
      py::arg("ignore_start_if_separating") = false, py::arg("min_separation") = 0.0, py::arg("details") = py::none(),
      GRAZE_PYTHON_LIMITS,
      R"(When do bodies first touch, moving from their poses at the last sweep to their current ones?

``advance`` puts them back where nothing touches yet; with ``each``, each body stops at its own first contact.)");
  bind_rays(c);
  bind_casts(c);
}

void bind_world_near(py::class_<World>& c) {
  c.def(
       "near",
       [](World& w, double d, std::uint64_t work, const py::object& budget, const py::object& cancel) {
         graze::NearOptions o;
         set_limits(o, work, budget, cancel);
         return answered(locked(w, [&](graze::World& world) { return world.near(d, o); }));
       },
       py::arg("d"), py::kw_only(), GRAZE_PYTHON_LIMITS, "All pairs of interest at most d apart, with their distances.")
      .def(
          "nearest",
          [](World& w, const Vec3Arg& point, std::size_t k, Mask mask, Except except, std::uint64_t work,
             const py::object& budget, const py::object& cancel) {
            graze::NearestOptions o;
            o.bodies = {mask, except};
            set_limits(o, work, budget, cancel);
            return answered(locked(w, [&](graze::World& world) { return world.nearest(point.v, k, o); }));
          },
          py::arg("point"), py::arg("k") = 1, py::kw_only(), GRAZE_PYTHON_FILTER, GRAZE_PYTHON_LIMITS,
          "The k bodies nearest to a point.");
}

}  // namespace graze_python
