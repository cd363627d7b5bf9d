// SPDX-License-Identifier: MIT
#include "world.hpp"

#include <pybind11/stl.h>

#include "module.hpp"

namespace graze_python {

using graze::ArticulatedId;
using graze::BodyId;
using graze::FrameId;

namespace {

template <class Id>
void bind_placing(py::class_<World>& c, const char* moved, const char* teleported) {
  c.def(
       "move",
       [](World& w, Id id, const PoseArg& p) { locked(w, [&](graze::World& world) { world.move(id, p.pose); }); },
       py::arg("id"), py::arg("pose"), moved)
      .def(
          "teleport",
          [](World& w, Id id, const PoseArg& p) {
            locked(w, [&](graze::World& world) { world.teleport(id, p.pose); });
          },
          py::arg("id"), py::arg("pose"), teleported)
      .def(
          "pose", [](World& w, Id id) { return locked(w, [&](graze::World& world) { return world.pose(id); }); },
          py::arg("id"), "In the world, with all frames.");
}

std::optional<graze::Pose> base_of(const py::object& given) {
  return given.is_none() ? std::nullopt : std::optional(pose(given));
}

void bind_articulated(py::class_<World>& c) {
  c.def(
       "move",
       [](World& w, ArticulatedId id, const NumbersArg& q, const py::object& base) {
         locked(w, [&, to = base_of(base)](graze::World& world) { world.move(id, q.span(), to); });
       },
       py::arg("id"), py::arg("coordinates"), py::arg("base") = py::none(), "None: the base stays.")
      .def(
          "teleport",
          [](World& w, ArticulatedId id, const NumbersArg& q, const py::object& base) {
            locked(w, [&, to = base_of(base)](graze::World& world) { world.teleport(id, q.span(), to); });
          },
          py::arg("id"), py::arg("coordinates"), py::arg("base") = py::none(),
          "All links are put there: the next sweep starts there.");
}

template <class Id>
void bind_attach(py::class_<World>& c, const char* pose_name, const char* what) {
  c.def(
      "attach",
      [](World& w, Id id, std::optional<FrameId> frame, const PoseArg& p) {
        locked(w, [&](graze::World& world) { world.attach(id, frame, p.pose); });
      },
      py::arg("id"), py::arg("frame"), py::arg(pose_name), what);
}

}  // namespace

void bind_world_frames(py::class_<World>& c) {
  bind_placing<BodyId>(c, "In a frame, the pose is relative to it.",
                       "Put there, not moved: the next sweep starts there.");
  bind_placing<FrameId>(c, "Moves everything attached to the frame.", "Everything attached to the frame is put there.");
  bind_articulated(c);
  bind_attach<BodyId>(c, "pose", "To another frame (None: the world), at this pose relative to it.");
  bind_attach<FrameId>(c, "pose", "A frame, with everything attached to it.");
  bind_attach<ArticulatedId>(c, "base", "An articulated body, with this base relative to the frame.");
  c.def(
       "add_frame",
       [](World& w, const PoseArg& p, std::optional<FrameId> parent) {
         return locked(w, [&](graze::World& world) { return world.add_frame(p.pose, parent); });
       },
       py::arg("pose") = py::none(), py::arg("parent") = py::none(),
       "A coordinate frame: moving it moves everything attached to it.")
      .def(
          "remove_frame", [](World& w, FrameId id) { locked(w, [&](graze::World& world) { world.remove_frame(id); }); },
          py::arg("id"), "Refused while something is attached to it.");
}

}  // namespace graze_python
