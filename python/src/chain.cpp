// SPDX-License-Identifier: MIT
#include "chain.hpp"

#include <pybind11/stl.h>

#include "module.hpp"
#include "motion.hpp"
#include "trajectory.hpp"

namespace graze_python {

using graze::Chain;
using graze::Joint;
using graze::JointLimits;
using graze::Link;
using graze::LinkId;
using graze::LinkPose;
using graze::Mimic;
using graze::Motion;

LinkId LinkArg::of(const Chain& chain) const {
  if (const auto* const name = std::get_if<std::string>(&value)) {
    if (const std::optional<LinkId> found = chain.find(*name)) return *found;
    refuse(graze::ErrorCode::bad_option, "there is no link '" + *name + "'; Chain.links has the names", "link");
  }
  const std::uint32_t number = std::get<std::uint32_t>(value);
  if (number >= chain.size())
    refuse(graze::ErrorCode::index_out_of_range,
           "there is no link " + std::to_string(number) + "; the chain has " + std::to_string(chain.size()), "link",
           number);
  return static_cast<LinkId>(number);
}

namespace {

using Limits = std::optional<std::pair<double, double>>;

Joint joint(graze::JointType type, const PoseArg& origin, const Vec3Arg& axis, double pitch, const std::string& name,
            const Limits& limits, const std::optional<Mimic>& mimic) {
  Joint j{type, origin.pose, axis.v, pitch, name, {}, mimic};
  if (limits) j.limits = JointLimits{limits->first, limits->second};
  return j;
}

void bind_parts(py::module_& m) {
  py::class_<Mimic>(m, "Mimic", "The coordinate of a joint that follows another one: factor q + offset.")
      .def(py::init([](const std::string& link, double factor, double offset) {
             return Mimic{link, factor, offset};
           }),
           py::arg("link"), py::arg("factor") = 1.0, py::arg("offset") = 0.0)
      .def_readonly("link", &Mimic::link, "The child link of the joint that is followed")
      .def_readonly("factor", &Mimic::factor)
      .def_readonly("offset", &Mimic::offset)
      .def("__repr__", [](py::object self) {
        return describe(self, "Mimic", {"link", "factor", "offset"});
      });
  py::class_<Joint>(m, "Joint",
                    R"(How a link is attached to its parent: at ``origin`` in the parent's frame, then turned
about or moved along ``axis`` by the joint's coordinate.)")
      .def(py::init(&joint), py::arg("type") = graze::JointType::fixed, py::kw_only(), py::arg("origin") = py::none(),
           py::arg("axis") = py::make_tuple(0.0, 0.0, 1.0), py::arg("pitch") = 0.0, py::arg("name") = "",
           py::arg("limits") = py::none(), py::arg("mimic") = py::none())
      .def_readonly("type", &Joint::type)
      .def_readonly("origin", &Joint::origin)
      .def_property_readonly("axis", [](const Joint& j) { return array_of(j.axis); })
      .def_readonly("pitch", &Joint::pitch)
      .def_readonly("name", &Joint::name)
      .def_property_readonly(
          "limits",
          [](const Joint& j) {
            return j.limits ? Limits({j.limits->lower, j.limits->upper}) : Limits();
          },
          "(lower, upper), or None")
      .def_readonly("mimic", &Joint::mimic)
      .def("__repr__", [](py::object self) {
        return describe(self, "Joint", {"type", "name", "axis", "limits", "mimic"});
      });
  py::class_<Link>(m, "Link", "A link of a chain: its name, its parent's name (empty: the base) and its joint.")
      .def(py::init([](const std::string& name, const std::string& parent, const std::optional<Joint>& j) {
             return Link{name, parent, j.value_or(Joint())};
           }),
           py::arg("name"), py::arg("parent") = "", py::arg("joint") = py::none())
      .def_readonly("name", &Link::name)
      .def_readonly("parent", &Link::parent)
      .def_readonly("joint", &Link::joint)
      .def("__repr__", [](py::object self) {
        return describe(self, "Link", {"name", "parent", "joint"});
      });
  py::class_<LinkPose>(m, "LinkPose", R"(Where a link is, rounded: a local point x is at most
``error + turn_error * |x|`` from where the joint coordinates put it.)")
      .def_readonly("pose", &LinkPose::pose)
      .def_readonly("error", &LinkPose::error)
      .def_readonly("turn_error", &LinkPose::turn_error)
      .def("__repr__", [](py::object self) {
        return describe(self, "LinkPose", {"pose", "error", "turn_error"});
      });
}

void bind_queries(py::class_<Chain>& c) {
  c.def(  // first: an array that is asked for says at once what is wrong with another thing
       "link_motion",
       [](const Chain& chain, const LinkArg& link, const Trajectory& trajectory, std::size_t segment,
          const PoseArg& on) { return chain.link_motion(link.of(chain), trajectory.trajectory, segment, on.pose); },
       py::arg("link"), py::arg("trajectory"), py::arg("segment"), py::arg("on_link") = py::none(),
       "The motion of a link, or of what is fixed to it, during a segment of a trajectory.")
      .def(
          "pair_motions",
          [](const Chain& chain, const LinkArg& a, const LinkArg& b, const Trajectory& trajectory, std::size_t segment,
             const PoseArg& on_a, const PoseArg& on_b) {
            return chain.pair_motions(a.of(chain), b.of(chain), trajectory.trajectory, segment, on_a.pose, on_b.pose);
          },
          py::arg("a"), py::arg("b"), py::arg("trajectory"), py::arg("segment"), py::arg("on_a") = py::none(),
          py::arg("on_b") = py::none(), "The same of two links, relative to their nearest common ancestor.");
  c.def(
       "link_motion",
       [](const Chain& chain, const LinkArg& link, const NumbersArg& from, const NumbersArg& to, const PoseArg& on) {
         return chain.link_motion(link.of(chain), from.span(), to.span(), on.pose);
       },
       py::arg("link"), py::arg("start"), py::arg("end"), py::arg("on_link") = py::none(),
       "The motion of a link, or of what is fixed to it, while all coordinates change evenly from start to end.")
      .def(
          "pair_motions",
          [](const Chain& chain, const LinkArg& a, const LinkArg& b, const NumbersArg& from, const NumbersArg& to,
             const PoseArg& on_a, const PoseArg& on_b) {
            return chain.pair_motions(a.of(chain), b.of(chain), from.span(), to.span(), on_a.pose, on_b.pose);
          },
          py::arg("a"), py::arg("b"), py::arg("start"), py::arg("end"), py::arg("on_a") = py::none(),
          py::arg("on_b") = py::none(), "The motions of two links relative to their nearest common ancestor.")
      .def(
          "link_poses", [](const Chain& chain, const NumbersArg& q) { return chain.link_poses(q.span()); },
          py::arg("coordinates"), "Where all links are at one state, with bounds of the errors.")
      .def(
          "beyond_limits",
          [](const Chain& chain, const NumbersArg& q) { return number(chain.beyond_limits(q.span())); },
          py::arg("coordinates"), "The first link whose joint is outside of its limits, or None.");
}

}  // namespace

void bind_chain(py::module_& m) {
  bind_parts(m);
  py::class_<Chain> c(m, "Chain", R"(Links and joints: a tree on a base that may itself move. Immutable.

Coordinates are radians (metres, if prismatic), one for each joint that is neither fixed nor follows another (a planar
joint has three, a floating one seven), in the order of the links. Links are given by their number or their name.

>>> import graze
>>> arm = graze.Chain([
...     graze.Link("upper", joint=graze.Joint("revolute", axis=[0, 1, 0])),
...     graze.Link("lower", "upper", graze.Joint("revolute", origin=graze.Pose([0, 0, 1]), axis=[0, 1, 0])),
... ])
>>> arm.coordinates
2
>>> arm.link_poses([0, 0])[1].pose.translation
array([0., 0., 1.])
>>> box = graze.Body(graze.make.box())
>>> graze.first_contact(box, arm.link_motion("lower", [0, 0], [0, 0.5]), box, graze.Pose([3, 0, 0])).status
Status.free
)");
  c.def(py::init([](const std::vector<Link>& links, const MotionArg& base) { return Chain(links, base.motion); }),
        py::arg("links"), py::arg("base") = py::none())
      .def("__len__", &Chain::size)
      .def_property_readonly("links",
                             [](const Chain& chain) {
                               std::vector<Link> links;
                               for (std::uint32_t i = 0; i < chain.size(); ++i)
                                 links.push_back(chain.link(static_cast<LinkId>(i)));
                               return links;
                             })
      .def_property_readonly("coordinates", &Chain::coordinates, "How many coordinates a state has")
      .def_property_readonly("base", &Chain::base, py::return_value_policy::copy)
      .def(
          "link", [](const Chain& chain, const LinkArg& id) { return chain.link(id.of(chain)); }, py::arg("link"))
      .def(
          "find", [](const Chain& chain, const std::string& name) { return number(chain.find(name)); }, py::arg("name"),
          "The number of a link, or None.")
      .def(
          "parent", [](const Chain& chain, const LinkArg& id) { return number(chain.parent(id.of(chain))); },
          py::arg("link"), "None: the base.")
      .def(
          "first_coordinate",
          [](const Chain& chain, const LinkArg& id) { return chain.first_coordinate(id.of(chain)); }, py::arg("link"),
          "The number of the joint's first coordinate; None: it is fixed or follows another one.")
      .def(
          "common_ancestor",
          [](const Chain& chain, const LinkArg& a, const LinkArg& b) {
            return number(chain.common_ancestor(a.of(chain), b.of(chain)));
          },
          py::arg("a"), py::arg("b"), "None: the base.")
      .def(
          "neighbours",
          [](const Chain& chain, const LinkArg& a, const LinkArg& b) {
            return chain.neighbours(a.of(chain), b.of(chain));
          },
          py::arg("a"), py::arg("b"), "True for parent and child.")
      .def("__repr__", [](const Chain& chain) {
        return "Chain(" + std::to_string(chain.size()) + " links, " + std::to_string(chain.coordinates()) +
               " coordinates)";
      });
  bind_queries(c);
}

}  // namespace graze_python
