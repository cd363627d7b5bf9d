// SPDX-License-Identifier: MIT
#include <graze/robot/urdf.hpp>

#include <console_bridge/console.h>
#include <urdf_parser/urdf_parser.h>

#include <memory>
#include <mutex>

#include "robot/urdf/mesh_files.hpp"
#include "robot/urdf/srdf.hpp"
#include "robot/urdf/urdf_checks.hpp"

namespace graze {

namespace robot {

namespace {

/// What liburdfdom says while it parses, which it would print.
class Messages : public console_bridge::OutputHandler {
 public:
  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    if (level >= console_bridge::CONSOLE_BRIDGE_LOG_ERROR) text_ += (text_.empty() ? "" : "; ") + text;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

urdf::ModelInterfaceSharedPtr parse(const XmlFile& file) {
  static std::mutex only_one;  // the handler is global
  const std::lock_guard lock(only_one);
  Messages messages;
  console_bridge::useOutputHandler(&messages);
  urdf::ModelInterfaceSharedPtr model;
  try {
    model = urdf::parseURDF(file.text());
  } catch (const std::exception& error) {
    console_bridge::restorePreviousOutputHandler();
    file.fail(file.root(), std::string("liburdfdom refuses it: ") + error.what());
  }
  console_bridge::restorePreviousOutputHandler();
  if (!model) file.fail(file.root(), "liburdfdom refuses it: " + messages.text());
  return model;
}

Vec3 vector(const urdf::Vector3& v) { return {v.x, v.y, v.z}; }
Pose pose(const urdf::Pose& p) {
  return Pose(vector(p.position), {p.rotation.w, p.rotation.x, p.rotation.y, p.rotation.z});
}

JointType type_of(int type) {
  switch (type) {
    case urdf::Joint::REVOLUTE: return JointType::revolute;
    case urdf::Joint::CONTINUOUS: return JointType::continuous;
    case urdf::Joint::PRISMATIC: return JointType::prismatic;
    case urdf::Joint::PLANAR: return JointType::planar;
    case urdf::Joint::FLOATING: return JointType::floating;
    default: return JointType::fixed;
  }
}

class ModelBuilder {
 public:
  ModelBuilder(const RobotFiles& files, const XmlFile& xml, const UrdfOutline& outline,
               const urdf::ModelInterface& parsed)
      : xml_(xml), outline_(outline), parsed_(parsed), meshes_(files, xml) {}

  RobotModel build() {
    model_.name = parsed_.getName();
    add_link(outline_.root, nullptr);
    for (const UrdfOutline::JointElement& joint : outline_.joints) {
      const auto found = parsed_.getJoint(joint.name);
      if (!found || found->child_link_name != joint.child) fail_name("joint", joint.name);
      add_link(joint.child, found.get());
    }
    return std::move(model_);
  }

 private:
  /// The two parsers of XML decode a name in two ways: what one of them read must not be lost.
  [[noreturn]] void fail_name(const char* what, const std::string& name) const {
    xml_.fail(xml_.root(), "liburdfdom reads another name, or another child, of the " + std::string(what) + " \"" +
                               name + "\"; use letters, digits and underscores, and one line");
  }
  void add_link(const std::string& name, const urdf::Joint* joint) {
    Link link{name, joint ? joint->parent_link_name : std::string(), {}};
    if (joint) link.joint = convert(*joint);
    model_.links.push_back(std::move(link));
    const auto elements = outline_.collisions.find(name);
    if (elements == outline_.collisions.end()) return;
    const auto parsed = parsed_.getLink(name);
    if (!parsed) fail_name("link", name);
    const auto& all = parsed->collision_array;
    if (all.size() != elements->second.size())
      xml_.fail(*elements->second.front(), "liburdfdom reads another number of collision elements; check them");
    for (std::size_t i = 0; i < all.size(); ++i)
      model_.pieces.push_back(
          {name, body(*all[i]->geometry, *elements->second[i]), pose(all[i]->origin), all[i]->name});
  }

  Joint convert(const urdf::Joint& from) const {
    Joint joint;
    joint.name = from.name;
    joint.type = type_of(from.type);
    joint.origin = pose(from.parent_to_joint_origin_transform);
    if (joint.type != JointType::fixed && joint.type != JointType::floating) joint.axis = vector(from.axis);
    if (from.limits && (joint.type == JointType::revolute || joint.type == JointType::prismatic))
      joint.limits = JointLimits{from.limits->lower, from.limits->upper};
    if (from.mimic) {
      const auto followed = outline_.child_of.find(from.mimic->joint_name);
      if (followed == outline_.child_of.end()) fail_name("joint", from.mimic->joint_name);
      joint.mimic = Mimic{followed->second, from.mimic->multiplier, from.mimic->offset};
    }
    return joint;
  }

  Body body(const urdf::Geometry& geometry, const Element& collision) {
    const Element& at = *child(collision, "geometry")->FirstChildElement();
    switch (geometry.type) {
      case urdf::Geometry::BOX: return Body(shape::Box{vector(static_cast<const urdf::Box&>(geometry).dim)});
      case urdf::Geometry::SPHERE: return Body(shape::Sphere{static_cast<const urdf::Sphere&>(geometry).radius});
      case urdf::Geometry::CYLINDER: {
        const auto& cylinder = static_cast<const urdf::Cylinder&>(geometry);
        return Body(shape::Cylinder{cylinder.radius, cylinder.length});
      }
      case urdf::Geometry::MESH: break;
    }
    const auto& mesh = static_cast<const urdf::Mesh&>(geometry);
    return meshes_.body(mesh.filename, vector(mesh.scale), at);
  }

  const XmlFile& xml_;
  const UrdfOutline& outline_;
  const urdf::ModelInterface& parsed_;
  MeshFiles meshes_;
  RobotModel model_;
};

}  // namespace

}  // namespace robot

RobotModel load_robot(const RobotFiles& files) {
  const robot::XmlFile xml(files.urdf);
  const robot::UrdfOutline outline = robot::check_urdf(xml);
  const urdf::ModelInterfaceSharedPtr parsed = robot::parse(xml);
  RobotModel model = robot::ModelBuilder(files, xml, outline, *parsed).build();
  if (!files.srdf.empty()) robot::read_srdf(files.srdf, model);
  return model;
}

}  // namespace graze
