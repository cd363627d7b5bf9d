// SPDX-License-Identifier: MIT
#include "robot/urdf/urdf_checks.hpp"

#include <algorithm>
#include <set>

namespace graze::robot {

namespace {

class Checks {
 public:
  explicit Checks(const XmlFile& file) : file_(file) {}

  UrdfOutline run() {
    for (const Element* link : children(file_.root(), "link")) check_link(*link);
    if (links_.empty()) file_.fail(file_.root(), "the robot has no <link>");
    for (const Element* joint : children(file_.root(), "joint")) check_joint(*joint);
    for (const UrdfOutline::JointElement& joint : outline_.joints) check_mimic(*joint.element);
    find_root();
    return std::move(outline_);
  }

 private:
  void check_link(const Element& link) {
    const std::string name = file_.attribute(link, "name");
    if (!links_.insert(name).second) file_.fail(link, "another link has this name, too; rename one");
    for (const Element* collision : children(link, "collision")) {
      check_origin(*collision);
      check_geometry(link, *collision);
      outline_.collisions[name].push_back(collision);
    }
  }

  void check_origin(const Element& of) {
    const Element* const origin = child(of, "origin");
    if (!origin) return;
    file_.numbers(*origin, "xyz", 3);
    file_.numbers(*origin, "rpy", 3);
    if (origin->Attribute("quat_xyzw")) file_.fail(*origin, "quat_xyzw is not read; give rpy=\"...\"");
  }

  void check_geometry(const Element& link, const Element& collision) {
    const Element* const geometry = child(collision, "geometry");
    const Element* const kind = geometry ? geometry->FirstChildElement() : nullptr;
    if (!kind)
      file_.fail(collision, "the collision element of link \"" + file_.attribute(link, "name") +
                                "\" has no geometry; give <geometry><box size=\"1 1 1\"/></geometry> or the like");
    const std::string name = kind->Name();
    if (name == "box") {
      for (const double side : file_.needed_numbers(*kind, "size", 3)) not_negative(*kind, "size", side);
    } else if (name == "sphere") {
      not_negative(*kind, "radius", file_.needed_numbers(*kind, "radius", 1)[0]);
    } else if (name == "cylinder") {
      not_negative(*kind, "radius", file_.needed_numbers(*kind, "radius", 1)[0]);
      not_negative(*kind, "length", file_.needed_numbers(*kind, "length", 1)[0]);
    } else if (name == "mesh") {
      file_.attribute(*kind, "filename");
      for (const double s : file_.numbers(*kind, "scale", 3))
        if (s == 0) file_.fail(*kind, "a scale of zero makes the mesh flat; give three numbers that are not zero");
    } else {
      file_.fail(*kind, "geometry is a box, cylinder, sphere or mesh");
    }
  }

  void not_negative(const Element& at, const char* attribute, double x) {
    if (x < 0) file_.fail(at, std::string(attribute) + " must not be negative");
  }

  void check_joint(const Element& joint) {
    const std::string name = file_.attribute(joint, "name"), type = file_.attribute(joint, "type");
    if (!names_.insert(name).second) file_.fail(joint, "another joint has this name, too; rename one");
    static const std::set<std::string> types{"fixed", "revolute", "continuous", "prismatic", "planar", "floating"};
    if (!types.count(type))
      file_.fail(joint, "\"" + type +
                            "\" is no type of joint; it is fixed, revolute, continuous, prismatic, planar or "
                            "floating");
    const std::string parent = end_of(joint, "parent"), link = end_of(joint, "child");
    if (!children_.insert(link).second)
      file_.fail(joint, "the link \"" + link + "\" is the child of two joints; a robot is a tree");
    check_origin(joint);
    if (const Element* const axis = child(joint, "axis")) {
      const std::vector<double> xyz = file_.needed_numbers(*axis, "xyz", 3);
      const auto zeros = std::count(xyz.begin(), xyz.end(), 0.0);
      if (zeros == 3 && type != "fixed" && type != "floating")
        file_.fail(*axis, "the axis is zero, which is no direction; 0 0 1 is the z axis");
      if (type == "planar" && (zeros != 2 || *std::max_element(xyz.begin(), xyz.end()) == 0))
        file_.fail(*axis,
                   "the axis of a planar joint must be 1 0 0, 0 1 0 or 0 0 1, or else its coordinates have no "
                   "direction; turn the joint's origin instead");
    }
    check_limit(joint, type);
    parents_[link] = parent;
    outline_.joints.push_back({name, link, &joint});
    outline_.child_of[name] = link;
  }

  std::string end_of(const Element& joint, const char* which) {
    const Element* const end = child(joint, which);
    if (!end) file_.fail(joint, std::string("needs <") + which + " link=\"...\"/>");
    const std::string link = file_.attribute(*end, "link");
    if (!links_.count(link)) file_.fail(*end, "there is no link \"" + link + "\"");
    return link;
  }

  void check_limit(const Element& joint, const std::string& type) {
    const Element* const limit = child(joint, "limit");
    const bool ranges = type == "revolute" || type == "prismatic";
    if (!limit && ranges)
      file_.fail(joint, "a " + type +
                            " joint needs <limit lower=\"...\" upper=\"...\" effort=\"...\" velocity=\"...\"/>" +
                            (type == "revolute" ? "; a joint without limits is continuous" : ""));
    if (!limit) return;
    for (const char* const name : {"lower", "upper", "effort", "velocity"}) file_.numbers(*limit, name, 1);
    for (const char* const name : {"effort", "velocity"}) file_.attribute(*limit, name);
    const auto bound = [&](const char* name) {
      const std::vector<double> x = file_.numbers(*limit, name, 1);
      return x.empty() ? 0 : x[0];
    };
    if (ranges && bound("lower") > bound("upper"))
      file_.fail(*limit, "the lower limit is above the upper one; exchange them");
  }

  void check_mimic(const Element& joint) {
    const Element* const mimic = child(joint, "mimic");
    if (!mimic) return;
    file_.numbers(*mimic, "multiplier", 1);
    file_.numbers(*mimic, "offset", 1);
    const std::string followed = file_.attribute(*mimic, "joint");
    if (!outline_.child_of.count(followed)) file_.fail(*mimic, "there is no joint \"" + followed + "\" to follow");
    for (const UrdfOutline::JointElement& other : outline_.joints) {
      const std::string type = other.element->Attribute("type");
      const bool one = type == "revolute" || type == "continuous" || type == "prismatic";
      if (other.name == followed && (!one || child(*other.element, "mimic")))
        file_.fail(*mimic, "the joint \"" + followed + "\" has not one coordinate of its own, and cannot be followed");
    }
  }

  void find_root() {
    for (const std::string& link : links_)
      if (!children_.count(link)) {
        if (!outline_.root.empty())
          file_.fail(file_.root(), "\"" + outline_.root + "\" and \"" + link +
                                       "\" are the child of no joint; a robot has one such link, its root");
        outline_.root = link;
      }
    if (outline_.root.empty()) file_.fail(file_.root(), "every link is the child of a joint; one must be the root");
    for (const UrdfOutline::JointElement& joint : outline_.joints) {
      std::string link = joint.child;
      for (std::size_t steps = 0; link != outline_.root; ++steps, link = parents_[link])
        if (steps > links_.size())
          file_.fail(*joint.element, "the link \"" + joint.child + "\" is its own ancestor; a robot is a tree");
    }
  }

  const XmlFile& file_;
  UrdfOutline outline_;
  std::set<std::string> links_, names_, children_;
  std::map<std::string, std::string> parents_;
};

}  // namespace

UrdfOutline check_urdf(const XmlFile& file) { return Checks(file).run(); }

}  // namespace graze::robot
