// SPDX-License-Identifier: MIT
#include "robot/urdf/srdf.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "robot/urdf/xml.hpp"

namespace graze::robot {

namespace {

class Srdf {
 public:
  Srdf(const XmlFile& file, RobotModel& model) : file_(file), model_(model) {
    for (const Link& link : model.links) {
      links_[link.name] = &link;
      if (!link.joint.name.empty()) joints_[link.joint.name] = &link;
    }
  }

  void read() {
    const Element& root = file_.root();
    for (const Element* group : children(root, "group")) read_group(*group);
    for (const Element* state : children(root, "group_state")) read_state(*state);
    for (const Element* joint : children(root, "passive_joint"))
      model_.passive.push_back(joint_of(*joint, file_.attribute(*joint, "name")).name);
    for (const Element* link : children(root, "disable_default_collisions")) disable_all_of(*link);
    for (const Element* pair : children(root, "disable_collisions")) disable(*pair);
    for (const Element* pair : children(root, "enable_collisions")) enable(*pair);
  }

 private:
  const Link& link_of(const Element& at, const std::string& name) const {
    const auto found = links_.find(name);
    if (found == links_.end()) file_.fail(at, "the URDF has no link \"" + name + "\"");
    return *found->second;
  }
  /// The child link of a joint.
  const Link& joint_of(const Element& at, const std::string& name) const {
    const auto found = joints_.find(name);
    if (found == joints_.end()) file_.fail(at, "the URDF has no joint \"" + name + "\"");
    return *found->second;
  }

  void read_group(const Element& element) {
    const std::string name = file_.attribute(element, "name");
    if (!children(element, nullptr).empty() || !find_group(name)) {
      RobotGroup group{name, {}};
      for (const Element* joint : children(element, "joint"))
        add(group, joint_of(*joint, file_.attribute(*joint, "name")).name);
      for (const Element* link : children(element, "link"))
        add(group, link_of(*link, file_.attribute(*link, "name")).name);
      for (const Element* chain : children(element, "chain")) add_chain(group, *chain);
      for (const Element* inner : children(element, "group")) {
        const RobotGroup* const other = find_group(file_.attribute(*inner, "name"));
        if (!other) file_.fail(*inner, "there is no group of this name before this line; write it before");
        for (const std::string& link : other->links) add(group, link);
      }
      model_.groups.push_back(std::move(group));
    }
  }

  const RobotGroup* find_group(const std::string& name) const {
    for (const RobotGroup& group : model_.groups)
      if (group.name == name) return &group;
    return nullptr;
  }

  static void add(RobotGroup& group, const std::string& link) {
    if (std::find(group.links.begin(), group.links.end(), link) == group.links.end()) group.links.push_back(link);
  }

  void add_chain(RobotGroup& group, const Element& chain) {
    const std::string base = link_of(chain, file_.attribute(chain, "base_link")).name;
    const std::string tip = link_of(chain, file_.attribute(chain, "tip_link")).name;
    std::vector<std::string> way;
    for (std::string link = tip; link != base; link = links_.at(link)->parent) {
      if (link.empty() || links_.at(link)->parent.empty())
        file_.fail(chain, "the link \"" + base + "\" is not above \"" + tip + "\"; exchange base_link and tip_link");
      way.push_back(link);
    }
    for (auto link = way.rbegin(); link != way.rend(); ++link) add(group, *link);
  }

  void read_state(const Element& element) {
    RobotState state{file_.attribute(element, "name"), file_.attribute(element, "group"), {}};
    for (const Element* joint : children(element, "joint"))
      state.values.emplace_back(joint_of(*joint, file_.attribute(*joint, "name")).name,
                                file_.needed_numbers(*joint, "value", 0));
    model_.states.push_back(std::move(state));
  }

  void disable_all_of(const Element& element) {
    const std::string name = link_of(element, file_.attribute(element, "link")).name;
    for (const Link& other : model_.links)
      if (other.name != name) model_.allowed.push_back({name, other.name, "disabled by default"});
  }

  void disable(const Element& element) {
    const char* const reason = element.Attribute("reason");
    model_.allowed.push_back({link_of(element, file_.attribute(element, "link1")).name,
                              link_of(element, file_.attribute(element, "link2")).name, reason ? reason : "disabled"});
  }

  void enable(const Element& element) {
    const std::string a = link_of(element, file_.attribute(element, "link1")).name;
    const std::string b = link_of(element, file_.attribute(element, "link2")).name;
    std::erase_if(model_.allowed, [&](const AllowedPair& pair) {
      return (pair.a == a && pair.b == b) || (pair.a == b && pair.b == a);
    });
  }

  const XmlFile& file_;
  RobotModel& model_;
  std::map<std::string, const Link*> links_, joints_;
};

}  // namespace

void read_srdf(const std::filesystem::path& file, RobotModel& model) {
  const XmlFile xml(file);
  Srdf(xml, model).read();
}

}  // namespace graze::robot
